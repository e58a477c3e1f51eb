//! Landmarks of samples that come in blocks, drawn by the residuals that the landmarks before them leave.

mod accepting;
mod drawing;

use super::block_passes::BlockPasses;
use crate::{Error, error::require};
use accepting::{Stop, accepted, space_of};
use drawing::Draw;
use linfa::{DatasetBase, dataset::Records};
use npt_core::{AsSamples, ExactSpace, Kernel, Samples, Scalar, watch::Progress};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

/// The number of candidates of a pass, for each landmark that is missing.
const CANDIDATES: usize = 2;

/// The most candidates of a pass: their kernel matrix takes 128 MB.
const MOST_CANDIDATES: usize = 4096;

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

/// The share of κ(x, x) that rounding leaves with `landmarks` landmarks.
fn level<F: Scalar>(landmarks: usize) -> f64 {
    8.0 * F::epsilon().as_f64() * (landmarks as f64 + 1.0).sqrt()
}
