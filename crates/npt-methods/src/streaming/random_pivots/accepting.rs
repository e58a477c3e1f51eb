//! Candidates that become landmarks, and the space of these.

use super::{landmarks, level};
use crate::Error;
use ndarray::s;
use npt_core::{
    Axes, ExactSpace, Given, Kernel, KernelSpace, Nystrom, Samples, Scalar, SpaceBuilder, linalg,
    require_memory,
};
use num_traits::Float as _;
use rand::Rng;
use rand_xoshiro::Xoshiro256Plus;

/// The least number of further candidates for an estimate of the residuals of all samples.
const FOR_ESTIMATE: usize = 64;

/// The limits at which a pass stops accepting candidates: their number, or the share that they leave of the residuals before.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) landmarks: usize,
    pub(super) share: f64,
}

/// Returns the positions of the accepted candidates. Each is accepted with the share of its residual that those before it leave.
pub(super) fn accepted<S: Samples, K: Kernel<S>>(
    kernel: &K,
    candidates: &S,
    chosen: Option<&ExactSpace<S, &K>>,
    stop: Stop,
    rng: &mut Xoshiro256Plus,
) -> Result<Vec<usize>, Error> {
    let count = candidates.len();
    require_memory::<f64>("the kernel matrix of candidates", count, count)?;
    let mut left = kernel.gram(candidates).mapv(Scalar::as_f64);
    let own = left.diag().to_owned();
    if let Some(space) = chosen {
        let y = space.coordinates(candidates)?.mapv(Scalar::as_f64);
        left -= &linalg::product(y.view(), y.t());
    }
    let before = left.diag().to_owned();
    let known = level::<K::Scalar>(chosen.map_or(0, landmarks) + count.min(stop.landmarks));
    // Small pivots multiply the rounding of kernel values up to its root; and values of a table may have been rounded to f32.
    let epsilon = K::Scalar::epsilon().as_f64();
    let single = known / epsilon * f64::from(f32::EPSILON);
    let doubt = single.max(epsilon.sqrt());
    let mut rows = Vec::new();
    for i in 0..count {
        let now = left[[i, i]];
        let is_drawn = rng.r#gen::<f64>() * before[i] < now;
        if now < -doubt * own[i]
            && let Some(error) = indefinite(kernel, chosen, candidates, &rows, i)?
        {
            return Err(error.into());
        }
        if !is_drawn || now <= known * own[i] {
            continue;
        }
        rows.push(i);
        let column = left.slice(s![i + 1.., i]).mapv(|v| v / now.sqrt());
        let mut rest = left.slice_mut(s![i + 1.., i + 1..]);
        for (mut row, &v) in rest.outer_iter_mut().zip(&column) {
            row.scaled_add(-v, &column);
        }
        // Candidates were drawn by the residuals of samples: the mean share that is left of candidates estimates that of all samples.
        let pairs = rest.diag().into_iter().zip(before.slice(s![i + 1..]));
        let known_pairs = pairs.filter(|&(now, _)| *now > 0.0);
        let shares: f64 = known_pairs.map(|(now, before)| now / before).sum();
        let others = count - i - 1;
        let is_enough = others >= FOR_ESTIMATE && shares <= stop.share * others as f64;
        if rows.len() == stop.landmarks || is_enough {
            break;
        }
    }
    Ok(rows)
}

/// Returns the error for a kernel with a negative eigenvalue on the landmarks chosen so far, the accepted candidates and one candidate more;
/// `None` if the eigenvalue is rounding.
fn indefinite<S: Samples, K: Kernel<S>>(
    kernel: &K,
    chosen: Option<&ExactSpace<S, &K>>,
    candidates: &S,
    accepted: &[usize],
    candidate: usize,
) -> Result<Option<npt_core::Error>, Error> {
    let more = [accepted, &[candidate]].concat();
    let samples = with_chosen(chosen, candidates.select(&more))?;
    let gram = kernel.gram(&samples).mapv(Scalar::as_f64);
    if !gram.iter().all(|value| value.is_finite()) {
        // The space of the accepted candidates returns an error of its own.
        return Ok(None);
    }
    let (values, _) = linalg::eigh(&gram)?;
    let (largest, eigenvalue) = (values[0], values[values.len() - 1]);
    let ratio = eigenvalue / largest.abs().max(eigenvalue.abs());
    let is_negative = ratio < -level::<K::Scalar>(values.len());
    Ok(is_negative.then_some(npt_core::Error::Indefinite { eigenvalue, ratio }))
}

/// Returns the landmarks chosen so far, and more samples.
fn with_chosen<S: Samples, K: Kernel<S>>(
    chosen: Option<&ExactSpace<S, &K>>,
    more: S,
) -> Result<S, Error> {
    match chosen {
        Some(space) => Ok(space.raw_map().samples().append(&more)?),
        None => Ok(more),
    }
}

/// Returns the space of the landmarks chosen so far and of accepted candidates, without candidates that depend on others. `None` if no
/// candidate was accepted.
pub(super) fn space_of<'k, S: Samples, K: Kernel<S>>(
    kernel: &'k K,
    chosen: Option<&ExactSpace<S, &'k K>>,
    candidates: &S,
    accepted: &[usize],
) -> Result<Option<ExactSpace<S, &'k K>>, Error> {
    if accepted.is_empty() {
        return Ok(None);
    }
    let landmarks = with_chosen(chosen, candidates.select(accepted))?;
    let builder = Nystrom::new(kernel, Given(landmarks.clone()));
    let builder = builder.axes(Axes::Cholesky).centered(false);
    Ok(Some(builder.fit_space(&landmarks)?.into_parts().0))
}
