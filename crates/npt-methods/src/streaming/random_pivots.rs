//! Landmarks of samples that come in blocks, drawn by the residuals that the landmarks before them leave.

use super::block_passes::BlockPasses;
use crate::{Error, error::require};
use linfa::{DatasetBase, dataset::Records};
use ndarray::{Zip, s};
use npt_core::{
    AsSamples, Axes, ExactSpace, Given, Kernel, KernelSpace, Nystrom, Samples, Scalar,
    SpaceBuilder, linalg, require_memory, watch::Progress,
};
use num_traits::Float as _;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// The number of candidates of a pass, for each landmark that is missing.
const CANDIDATES: usize = 2;

/// The most candidates of a pass: their kernel matrix takes 128 MB.
const MOST_CANDIDATES: usize = 4096;

/// The least number of further candidates for an estimate of the residuals of all samples.
const FOR_ESTIMATE: usize = 64;

/// Chooses landmarks for samples of any type that come in blocks, by randomly pivoted Cholesky. The next landmark is xᵢ with probability
/// sᵢ / Σs, by the residuals sᵢ = κ(xᵢ, xᵢ) − ‖f(xᵢ)‖² that the landmarks before it leave of all samples.
/// [`Pivoting::random`](npt_core::Pivoting::random) draws by the same rule; this takes a few passes, with a block, its coordinates, and the
/// kernel matrix of candidates in memory.
///
/// # Definition
/// A pass computes the residuals of all samples and draws candidates by them, two for each landmark that is missing, up to
/// 4096. Each candidate is then accepted with the share of its residual that those accepted before it leave, as if landmarks were drawn one
/// by one. A pass takes the kernel values of all samples with the s landmarks so far, and s² operations per sample. There are as many
/// passes as it takes, two to five with hundreds of landmarks. The last pass computes the residuals that all landmarks leave.
///
/// A [`Reservoir`](super::Reservoir) takes one pass and no kernel values, for uniform landmarks: these miss rare samples.
///
/// # Errors
/// [`Error::Parameter`] for no landmarks, or a tolerance outside of [0, 1).
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2};
/// use linfa::DatasetBase;
/// use npt_core::{Gaussian, Given, Nystrom, SpaceBuilder};
/// use npt_methods::{Error, streaming::RandomPivots};
///
/// // 1000 numbers at a time, near 0, and one of them in a thousand near 50.
/// let at = |i: usize| if i % 1000 == 77 { 50.0 } else { (i as f64 * 0.618).fract() };
/// let block = |k: usize| DatasetBase::from(Array2::from_shape_fn((1000, 1), |(i, _)| at(1000 * k + i)));
///
/// let kernel = Gaussian::new(2.0);
/// let chosen = RandomPivots::new(20).tolerance(1e-4).choose(&kernel, || Ok::<_, Error>((0..5).map(|k| Ok(block(k)))))?;
/// // What is rare is found, and seen to be.
/// assert!(chosen.samples.view().iter().any(|&v| v == 50.0));
/// assert!(chosen.relative_trace_residual <= 1e-4);
/// let builder = Nystrom::new(kernel, Given(chosen.samples));
/// let space = builder.fit_space(&block(0).records)?;
/// # Ok::<(), Error>(())
/// ```
///
/// # References
/// E. N. Epperly, J. A. Tropp, R. J. Webber, "Embrace rejection: Kernel matrix approximation by accelerated
/// randomly pivoted Cholesky", 2024. arXiv:2410.03969
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RandomPivots {
    landmarks: usize,
    tolerance: Option<f64>,
    seed: u64,
}

/// Landmarks that were chosen, with the share of the trace that they leave.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ChosenLandmarks<S> {
    /// The landmarks.
    pub samples: S,
    /// The share of the trace Σκ(xᵢ, xᵢ) of all samples that the landmarks leave.
    pub relative_trace_residual: f64,
    /// The number of passes that the choice took.
    pub passes: usize,
}

impl RandomPivots {
    /// Asks for `landmarks` landmarks.
    pub fn new(landmarks: usize) -> Self {
        Self {
            landmarks,
            tolerance: None,
            seed: 0,
        }
    }

    /// Allows fewer landmarks, if these leave at most the share t of the trace of all samples, t in [0, 1). With 0, there are fewer only
    /// if there are fewer independent samples. By default there have to be as many landmarks as were asked for.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// The seed of the random choice, 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    fn check(&self) -> Result<(), Error> {
        let of = "RandomPivots";
        require(self.landmarks > 0, of, "landmarks", 0.0, "at least 1")?;
        let tolerance = self.tolerance.unwrap_or(0.0);
        let holds = (0.0..1.0).contains(&tolerance);
        require(holds, of, "tolerance", tolerance, "at least 0 and below 1")
    }

    /// Chooses among the samples of blocks that come again with each pass: every call of `pass` returns an iterator over the same
    /// blocks.
    ///
    /// # Errors
    /// The errors of `pass` and of its blocks. The errors of a block, with rows counted from the first of all blocks: of
    /// the records, of the kernel, [`Error::Weights`]. [`npt_core::Error::NoSamples`] for no samples, [`Error::OtherPass`] where a
    /// later pass has more or fewer samples. [`npt_core::Error::Landmarks`] if there are fewer independent samples than landmarks, and no
    /// tolerance. [`npt_core::Error::Indefinite`] for a kernel that is negative for a sample with itself, or not positive
    /// semidefinite among candidates, and [`npt_core::Error::TraceOverflow`].
    pub fn choose<S, K, R, T, B, E>(
        &self,
        kernel: &K,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<ChosenLandmarks<S>, E>
    where
        S: Samples,
        K: Kernel<S>,
        R: Records + AsSamples<Samples = S>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        self.check()?;
        let mut blocks = BlockPasses::of("blocks of RandomPivots", pass);
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let mut chosen: Option<ExactSpace<S, &K>> = None;
        let mut passes = 0;
        let mut progress = Progress::start("random pivots", self.landmarks);
        loop {
            let count = chosen.as_ref().map_or(0, landmarks);
            progress.at(count);
            let missing = self.landmarks - count;
            let places = missing.saturating_mul(CANDIDATES).min(MOST_CANDIDATES);
            let mut draw = Draw::new(places, &mut rng);
            blocks.for_each(|block: &DatasetBase<R, T>| {
                draw.add(
                    block.records.as_samples()?.as_ref(),
                    kernel,
                    chosen.as_ref(),
                )
            })?;
            passes += 1;
            let left = draw.left();
            let is_enough = missing == 0 || self.tolerance.is_some_and(|t| left <= t);
            if !is_enough && let Some(candidates) = draw.candidates {
                let stop = Stop {
                    landmarks: missing,
                    share: self.tolerance.map_or(0.0, |t| t / left),
                };
                let accepted = accepted(kernel, &candidates, chosen.as_ref(), stop, &mut rng)?;
                let next = space_of(kernel, chosen.as_ref(), &candidates, &accepted)?;
                if let Some(next) = next.filter(|next| landmarks(next) > count) {
                    chosen = Some(next);
                    continue;
                }
            }
            // There are as many landmarks as were asked for, or nothing is left but rounding.
            return self
                .finished(chosen, left, passes, is_enough)
                .map_err(E::from);
        }
    }

    fn finished<S: Samples, K: Kernel<S>>(
        &self,
        chosen: Option<ExactSpace<S, &K>>,
        left: f64,
        passes: usize,
        is_enough: bool,
    ) -> Result<ChosenLandmarks<S>, Error> {
        let available = chosen.as_ref().map_or(0, landmarks);
        let short = npt_core::Error::Landmarks {
            requested: self.landmarks,
            available,
        };
        let Some(space) = chosen else {
            return Err(short.into());
        };
        if !is_enough && self.tolerance.is_none() {
            return Err(short.into());
        }
        Ok(ChosenLandmarks {
            samples: space.raw_map().samples().clone(),
            relative_trace_residual: left,
            passes,
        })
    }
}

fn landmarks<S: Samples, K: Kernel<S>>(space: &ExactSpace<S, &K>) -> usize {
    space.raw_map().samples().len()
}

/// The limits at which a pass stops accepting candidates: their number, or the share that they leave of the residuals before.
#[derive(Clone, Copy)]
struct Stop {
    landmarks: usize,
    share: f64,
}

/// The share of κ(x, x) that rounding leaves with `landmarks` landmarks.
fn level<F: Scalar>(landmarks: usize) -> f64 {
    8.0 * F::epsilon().as_f64() * (landmarks as f64 + 1.0).sqrt()
}

/// Candidates that are drawn while samples come, each by the residuals of all samples.
struct Draw<'r, S> {
    rng: &'r mut Xoshiro256Plus,
    /// The first of all samples, with which all other samples have to be compatible.
    first: Option<S>,
    /// One candidate per place; `None` as long as no sample had a residual.
    candidates: Option<S>,
    places: usize,
    /// The number of samples so far; `left` is Σs over them, `trace` is Σκ(x, x).
    samples: usize,
    left: f64,
    trace: f64,
    /// The least κ(x, x); `largest` is the largest magnitude.
    least: f64,
    largest: f64,
}

impl<'r, S: Samples> Draw<'r, S> {
    fn new(places: usize, rng: &'r mut Xoshiro256Plus) -> Self {
        Self {
            rng,
            first: None,
            candidates: None,
            places,
            samples: 0,
            left: 0.0,
            trace: 0.0,
            least: 0.0,
            largest: 0.0,
        }
    }

    fn add<K: Kernel<S>>(
        &mut self,
        samples: &S,
        kernel: &K,
        chosen: Option<&ExactSpace<S, &K>>,
    ) -> Result<(), Error> {
        let first = self.first.get_or_insert_with(|| samples.select(&[0]));
        first.check_compatible(samples)?;
        kernel.check(samples)?;
        let diagonal = kernel.diag(samples);
        let mut residuals = diagonal.mapv(Scalar::as_f64);
        for (row, &value) in residuals.iter().enumerate() {
            if !value.is_finite() {
                let column = row;
                return Err(npt_core::Error::KernelNotFinite { row, column, value }.into());
            }
            self.largest = self.largest.max(value.abs());
            self.least = self.least.min(value);
        }
        if self.least < 0.0 {
            let (eigenvalue, ratio) = (self.least, self.least / self.largest);
            return Err(npt_core::Error::Indefinite { eigenvalue, ratio }.into());
        }
        self.samples += residuals.len();
        self.trace += residuals.sum();
        if !self.trace.is_finite() {
            let samples = self.samples;
            return Err(npt_core::Error::TraceOverflow { samples }.into());
        }
        if let Some(space) = chosen {
            let level = level::<K::Scalar>(landmarks(space));
            let left = space.residuals(samples)?;
            Zip::from(&mut residuals).and(&left).for_each(|own, left| {
                *own = if left.as_f64() > level * *own {
                    left.as_f64()
                } else {
                    0.0
                };
            });
        }
        let mut sums = residuals.to_vec();
        for row in 1..sums.len() {
            sums[row] += sums[row - 1];
        }
        let of_block = sums[sums.len() - 1];
        self.left += of_block;
        if !(of_block > 0.0) {
            return Ok(());
        }
        self.draw(samples, of_block, &sums)
    }

    /// Draws, for each place, whether a sample of a block takes it, and which, by the running sums of the residuals of the samples.
    fn draw(&mut self, samples: &S, of_block: f64, sums: &[f64]) -> Result<(), Error> {
        let is_first = self.candidates.is_none();
        let mut drawn = |_| {
            // A block replaces a candidate with the probability of its share in the residuals of all blocks so far.
            if !is_first && self.rng.r#gen::<f64>() * self.left >= of_block {
                return None;
            }
            let point = self.rng.r#gen::<f64>() * of_block;
            // Rounding may take the product up to the sum.
            let row = sums.partition_point(|&sum| sum <= point);
            Some(row.min(sums.len() - 1))
        };
        let drawn: Vec<Option<usize>> = (0..self.places).map(&mut drawn).collect();
        let rows: Vec<usize> = drawn.iter().copied().flatten().collect();
        if rows.is_empty() {
            return Ok(());
        }
        let new = samples.select(&rows);
        self.candidates = Some(match &self.candidates {
            None => new,
            Some(before) => {
                let both = before.append(&new)?;
                let mut next = before.len()..;
                let places = drawn.iter().enumerate();
                let place = |(place, drawn): (usize, &Option<usize>)| match drawn {
                    Some(_) => next.next().unwrap_or(place),
                    None => place,
                };
                both.select(&places.map(place).collect::<Vec<usize>>())
            }
        });
        Ok(())
    }

    /// The share of the trace that is left.
    fn left(&self) -> f64 {
        if self.trace > 0.0 {
            self.left / self.trace
        } else {
            0.0
        }
    }
}

/// Returns the positions of the accepted candidates. Each is accepted with the share of its residual that those before it leave.
fn accepted<S: Samples, K: Kernel<S>>(
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
fn space_of<'k, S: Samples, K: Kernel<S>>(
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
