//! A forecast of the time and memory that landmarks take.

use super::{Nystrom, Pivoting};
use crate::{AsSamples, Axes, Error, Kernel, KernelSpace, Samples, SpaceBuilder};
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256Plus;
use std::time::Instant;

/// The largest number of samples that are measured.
const SAMPLES: usize = 16_384;

/// The numbers of landmarks that are measured.
const LANDMARKS: [usize; 2] = [64, 512];

/// The number of matrices of coordinates in memory while a space is fitted.
const COPIES: u64 = 2;

/// A forecast of the time and memory that a space of any number of landmarks takes, for samples like these on this machine.
///
/// # Definition
/// The time of a fit with m randomly pivoted landmarks, on Cholesky axes, is n(c₁m + c₂m²): c₁ for kernel values, c₂ for
/// products. Both are measured on up to 16,384 of the samples with 64 and 512 landmarks, which takes half a second with a
/// Gaussian kernel. The result is a forecast: with 20,000 and 200,000 samples it was right to a factor of 1.4 for 100 to 2000
/// landmarks. A machine that does other things takes longer, and principal axes take about as long again.
///
/// [`advice`](Self::advice) says what fits into memory and into a given time, exactly or by landmarks.
/// [`Pivoting::tolerance`] finds the landmarks for a wanted residual. [`affordable_landmarks`](crate::affordable_landmarks)
/// finds the number for the memory that is free and a method that takes coordinates.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, LandmarkForecast};
///
/// let x = Array2::from_shape_fn((5000, 3), |(i, j)| ((i * (j + 1)) as f64).sin());
/// let forecast = LandmarkForecast::measure(&Gaussian::new(5.0), &x)?;
/// let landmarks = forecast.landmarks_in(0.5);
/// println!("{landmarks} landmarks in half a second, with {} MB", forecast.bytes(landmarks) / 1_000_000);
/// assert!(forecast.seconds(landmarks) <= 0.5);
/// // Of a million samples, 200 times as long.
/// let of_more = forecast.for_samples(1_000_000);
/// assert!((of_more.seconds(100) / forecast.seconds(100) - 200.0).abs() < 1e-9);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LandmarkForecast {
    samples: usize,
    /// The bytes of a number.
    bytes: usize,
    /// c₁ and c₂
    seconds: [f64; 2],
}

impl LandmarkForecast {
    /// Fits spaces of few landmarks to some of the samples, and measures the time.
    ///
    /// # Errors
    /// The errors of [`Nystrom`] for invalid records or kernel values.
    pub fn measure<S, K>(kernel: &K, x: &dyn AsSamples<Samples = S>) -> Result<Self, Error>
    where
        S: Samples,
        K: Kernel<S>,
    {
        let x = x.as_samples()?;
        let mut rng = Xoshiro256Plus::seed_from_u64(0);
        let some = index::sample(&mut rng, x.len(), x.len().min(SAMPLES)).into_vec();
        let some = x.select(&some);
        let mut measured = Vec::new();
        for landmarks in LANDMARKS {
            let landmarks = Pivoting::random(landmarks.min(some.len())).tolerance(0.0);
            let builder = Nystrom::new(kernel, landmarks).axes(Axes::Cholesky);
            let builder = builder.centered(false);
            let mut seconds = f64::INFINITY;
            let mut rank = 0;
            // At the second fit, memory is allocated and threads are awake.
            for _ in 0..2 {
                let start = Instant::now();
                rank = builder.fit_space(&some)?.rank();
                seconds = seconds.min(start.elapsed().as_secs_f64());
            }
            measured.push((rank as f64, seconds / some.len() as f64));
        }
        Ok(Self {
            samples: x.len(),
            bytes: size_of::<K::Scalar>(),
            seconds: coefficients(measured[0], measured[1]),
        })
    }

    pub(super) fn samples(&self) -> usize {
        self.samples
    }

    /// Returns the forecast for another number of samples of the same kind.
    #[must_use]
    pub fn for_samples(self, samples: usize) -> Self {
        Self { samples, ..self }
    }

    /// The seconds that a fit with this many landmarks takes.
    pub fn seconds(&self, landmarks: usize) -> f64 {
        let (m, [once, square]) = (landmarks as f64, self.seconds);
        self.samples as f64 * m * (once + square * m)
    }

    /// The bytes of memory that a fit with this many landmarks takes.
    pub fn bytes(&self, landmarks: usize) -> u64 {
        let (n, m) = (self.samples as u64, landmarks as u64);
        let numbers = n.saturating_mul(m).saturating_mul(COPIES);
        numbers.saturating_mul(self.bytes as u64)
    }

    /// The largest number of landmarks with which a fit takes at most this many [`bytes`](Self::bytes), at most one a sample.
    ///
    /// # Example
    /// ```
    /// use ndarray::Array2;
    /// use npt_core::{Linear, LandmarkForecast};
    ///
    /// let x = Array2::from_shape_fn((100, 2), |(i, j)| (i + j) as f64);
    /// let forecast = LandmarkForecast::measure(&Linear::new(), &x)?.for_samples(1_000_000);
    /// // Two matrices of a million rows of f64 take 16 MB a landmark.
    /// assert_eq!(forecast.landmarks_within(8_000_000_000), 500);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn landmarks_within(&self, bytes: u64) -> usize {
        let landmarks = bytes / self.bytes(1).max(1);
        usize::try_from(landmarks).map_or(self.samples, |landmarks| landmarks.min(self.samples))
    }

    /// The largest number of landmarks with which a fit takes at most this many seconds, at most one a sample.
    pub fn landmarks_in(&self, seconds: f64) -> usize {
        let fits = |landmarks: usize| self.seconds(landmarks) <= seconds;
        let (mut most, mut too_many) = (0, self.samples + 1);
        while most + 1 < too_many {
            let middle = usize::midpoint(most, too_many);
            if fits(middle) {
                most = middle;
            } else {
                too_many = middle;
            }
        }
        most
    }
}

/// Returns the c₁ and c₂, neither below 0, with which c₁m + c₂m² is the time at two numbers of landmarks m.
fn coefficients((few, first): (f64, f64), (many, second): (f64, f64)) -> [f64; 2] {
    let (of_few, of_many) = (first / few, second / many);
    if many <= few || of_many <= of_few {
        // This is so with a kernel of low rank, or one whose values take all the time.
        return [of_many, 0.0];
    }
    let square = (of_many - of_few) / (many - few);
    let once = of_few - square * few;
    if once < 0.0 {
        return [0.0, of_many / many];
    }
    [once, square]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Linear, Rows};
    use ndarray::Array2;

    #[test]
    fn coefficients_are_of_what_was_measured() {
        let time = |m: f64| 3.0 * m + 0.5 * m * m;
        assert_eq!(
            coefficients((64.0, time(64.0)), (512.0, time(512.0))),
            [3.0, 0.5]
        );
        assert_eq!(coefficients((64.0, 640.0), (512.0, 512.0)), [1.0, 0.0]);
        assert_eq!(coefficients((2.0, 1.0), (2.0, 4.0)), [2.0, 0.0]);
        assert_eq!(coefficients((1.0, 1.0), (10.0, 200.0)), [0.0, 2.0]);
    }

    #[test]
    fn as_many_as_fit() {
        let forecast = LandmarkForecast {
            samples: 1000,
            bytes: 4,
            seconds: [1e-6, 1e-8],
        };
        // 1000(10⁻⁴ + 10⁻⁴)
        assert!((forecast.seconds(100) - 0.2).abs() < 1e-12);
        assert_eq!(forecast.landmarks_in(0.2 + 1e-9), 100);
        assert_eq!(forecast.landmarks_in(0.2 - 1e-9), 99);
        assert_eq!(forecast.landmarks_in(1e9), 1000);
        for none in [0.0, -1.0, f64::NAN] {
            assert_eq!(forecast.landmarks_in(none), 0);
        }
        assert_eq!(forecast.bytes(100), 800_000);
        assert_eq!(forecast.landmarks_within(800_000), 100);
        assert_eq!(forecast.landmarks_within(799_999), 99);
        assert_eq!(forecast.landmarks_within(0), 0);
        assert_eq!(forecast.landmarks_within(u64::MAX), 1000);
        assert_eq!(forecast.for_samples(0).landmarks_within(u64::MAX), 0);
        assert_eq!(forecast.for_samples(10).bytes(100), 8000);
    }

    #[test]
    fn advice_is_what_fits() {
        let forecast = LandmarkForecast {
            samples: 1000,
            bytes: 8,
            seconds: [0.0, 1e-6],
        };
        let exactly = forecast.advice(1000.0);
        assert!(exactly.is_exact() && exactly.landmarks().is_none());
        assert_eq!(
            exactly.to_string(),
            "1000 samples take 16.0 MB exactly, and about 17 min"
        );
        let advice = forecast.advice(10.0 + 1e-9);
        assert_eq!(advice.landmarks(), Some(100));
        assert_eq!(
            advice.to_string(),
            "1000 samples take 16.0 MB exactly; 100 landmarks take 1.6 MB and about 10 s"
        );
        let nothing = forecast.advice(0.0).to_string();
        assert_eq!(
            nothing,
            "1000 samples take 16.0 MB exactly; not one landmark fits"
        );
        let one = forecast.advice(2e-3).to_string();
        assert!(
            one.ends_with("; 1 landmark takes 16.0 kB and less than 0.1 s"),
            "{one}"
        );
        let hours = forecast
            .for_samples(10_000)
            .advice(f64::INFINITY)
            .to_string();
        assert!(hours.ends_with("about 278 h"), "{hours}");
    }

    /// A few samples of rank one can be measured, but not samples that are all 0.
    #[test]
    fn of_few_samples() {
        let x = Rows::new(Array2::from_shape_fn((3, 1), |(i, _)| i as f64 + 1.0)).unwrap();
        let forecast = LandmarkForecast::measure(&Linear::new(), &x).unwrap();
        assert!(forecast.seconds(1) > 0.0 && forecast.seconds(3) >= forecast.seconds(1));
        assert_eq!(forecast.landmarks_in(f64::INFINITY), 3);
        let zeros = Rows::new(Array2::<f64>::zeros((4, 2))).unwrap();
        assert!(LandmarkForecast::measure(&Linear::new(), &zeros).is_err());
    }
}
