//! The errors of a space in representing a kernel.

use super::{KernelSpace, finite_gram, nystrom::at_places, rows::squared_lengths};
use crate::{
    AsSamples, Error, Kernel, Samples, Scalar, error::at_least_one, kernel::About, linalg,
    watch::Progress,
};
use linfa::Float as _;
use ndarray::{Array2, Axis};
use num_traits::Float as _;
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256Plus;
use std::fmt;

/// The errors of a space in representing a kernel, measured on samples: the samples that the space was fitted to, or
/// others, all or some of them.
///
/// # Definition
/// K is the kernel matrix of the samples, centred at their mean. Y are the coordinates of the samples, centred likewise. So
/// spaces that are centred have the same errors as spaces that are not.
///
/// | | | |
/// |---|---|---|
/// | [`trace`](Self::trace) | 1 − tr YYᵀ / tr K | for landmarks, the share of the variance that is outside; for random features it may be negative |
/// | [`frobenius`](Self::frobenius) | ‖K − YYᵀ‖ / ‖K‖ | Frobenius norms |
/// | [`largest`](Self::largest) | max \|K − YYᵀ\|ᵢⱼ / max Kᵢᵢ | |
///
/// Residuals ([`KernelSpace::residuals`]) refer to the kernel that a space represents. With random features they are 0,
/// and say nothing of the kernel that the features stand for. These errors refer to that kernel.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, KernelErrors, Nystrom, Pivoting, RandomFourier, SpaceBuilder};
///
/// let x = Array2::from_shape_fn((2000, 2), |(i, j)| ((i * (j + 1)) as f64).sin());
/// let kernel = Gaussian::new(0.5);
/// let landmarks = Nystrom::new(kernel, Pivoting::random(30)).fit_space(&x)?;
/// let waves = RandomFourier::new(kernel, 15).fit_space(&x)?;
///
/// let of_landmarks = KernelErrors::of(&landmarks, &kernel, &x)?;
/// let of_waves = KernelErrors::of(&waves, &kernel, &x)?;
/// assert!(of_landmarks.frobenius < 0.01 && of_waves.frobenius > 0.1);
/// println!("{of_landmarks}");
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct KernelErrors {
    /// The number of samples that were looked at.
    pub samples: usize,
    /// The share of the trace that is missing.
    pub trace: f64,
    /// The error of the kernel matrix, in Frobenius norms.
    pub frobenius: f64,
    /// The largest error of an inner product.
    pub largest: f64,
}

impl KernelErrors {
    /// The largest number of samples that [`of`](Self::of) looks at.
    pub const SAMPLES: usize = 1000;

    /// Computes the errors on all samples x. If there are more than [`SAMPLES`](Self::SAMPLES), the errors are estimated from
    /// that many random samples.
    ///
    /// # Errors
    /// The errors of [`of_some`](Self::of_some).
    pub fn of<P, K>(
        space: &P,
        kernel: &K,
        x: &dyn AsSamples<Samples = P::Samples>,
    ) -> Result<Self, Error>
    where
        P: KernelSpace + ?Sized,
        K: Kernel<P::Samples, Scalar = P::Scalar> + ?Sized,
    {
        Self::of_some(space, kernel, x, Self::SAMPLES, 0)
    }

    /// Computes the errors on at most `most` random samples of x. Time and memory grow with the square of their number.
    ///
    /// # Errors
    /// An error for invalid records, [`Error::ColumnCount`], [`Error::KernelNotFinite`], what the kernel refuses;
    /// [`Error::NoVariance`] if the samples are all alike under the kernel, [`Error::Memory`], [`Error::Parameter`] for
    /// no samples.
    pub fn of_some<P, K>(
        space: &P,
        kernel: &K,
        x: &dyn AsSamples<Samples = P::Samples>,
        most: usize,
        seed: u64,
    ) -> Result<Self, Error>
    where
        P: KernelSpace + ?Sized,
        K: Kernel<P::Samples, Scalar = P::Scalar> + ?Sized,
    {
        at_least_one("KernelErrors", "samples", most)?;
        let x = x.as_samples()?;
        let rows = some_of(x.len(), most, seed);
        let (some, samples) = (x.select(&rows), rows.len());
        let in_x = |error: Error| error.with_row(|row| rows[row]);
        kernel.check(&some).map_err(in_x)?;
        let origin = kernel.origin(&some);
        let values = About::new(kernel, origin.as_ref());
        let mut gram = finite_gram(&values, &some).map_err(|error| at_places(error, &rows))?;
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for value in gram.iter().map(|v| v.as_f64()) {
            range = (range.0.min(value), range.1.max(value));
        }
        let rounding = 8.0 * P::Scalar::epsilon().as_f64() * range.0.abs().max(range.1.abs());
        if range.1 - range.0 <= rounding {
            return Err(Error::NoVariance { samples });
        }
        linalg::center(&mut gram);
        let mut y = space.coordinates(&some).map_err(in_x)?;
        let mean = y.sum_axis(Axis(0)) / P::Scalar::cast(samples);
        y -= &mean;
        Ok(Self::between(&gram, &y))
    }

    /// Computes the errors from YYᵀ, a few rows at a time, so that there is no second matrix of the size of `gram`.
    fn between<F: Scalar>(gram: &Array2<F>, y: &Array2<F>) -> Self {
        // Values are in units of the largest, so that squares stay in the range.
        let diagonal = gram.diag();
        let unit = diagonal.fold(0.0, |most: f64, v| most.max(v.as_f64()));
        let (mut of_gram, mut of_error, mut largest) = (0.0, 0.0, 0.0_f64);
        let mut progress = Progress::start("errors of kernel values", gram.nrows());
        let parts = gram.axis_chunks_iter(Axis(0), linalg::PANEL);
        let parts = parts.zip(y.axis_chunks_iter(Axis(0), linalg::PANEL));
        for (part, (gram, y_of_part)) in parts.enumerate() {
            progress.at(part * linalg::PANEL);
            let found = linalg::product(y_of_part, y.t());
            for (value, found) in gram.iter().zip(&found) {
                let (value, found) = (value.as_f64() / unit, found.as_f64() / unit);
                of_gram += value * value;
                of_error += (value - found) * (value - found);
                largest = largest.max((value - found).abs());
            }
        }
        let in_units = |sum: f64, value: F| sum + value.as_f64() / unit;
        let lengths = squared_lengths(y.view());
        let (of_found, trace) = (
            lengths.iter().copied().fold(0.0, in_units),
            diagonal.iter().copied().fold(0.0, in_units),
        );
        Self {
            samples: gram.nrows(),
            trace: 1.0 - of_found / trace,
            frobenius: (of_error / of_gram).sqrt(),
            largest,
        }
    }
}

/// Draws the positions of at most `most` of n samples, in ascending order.
fn some_of(n: usize, most: usize, seed: u64) -> Vec<usize> {
    if most >= n {
        return (0..n).collect();
    }
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut rows = index::sample(&mut rng, n, most).into_vec();
    rows.sort_unstable();
    rows
}

impl fmt::Display for KernelErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "of the trace {:.2e} is missing, the kernel matrix is off by {:.2e}, an inner product by {:.2e} at most ({} samples)",
            self.trace, self.frobenius, self.largest, self.samples
        )
    }
}
