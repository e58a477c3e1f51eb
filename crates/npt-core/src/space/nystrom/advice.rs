//! Advice between an exact space and a number of landmarks.

use super::LandmarkForecast;
use crate::{memory_limit, wording};
use std::fmt;

/// Advice that says whether an exact space of all samples fits into memory and time, and how many landmarks fit if it does
/// not. It is printed as a sentence.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, LandmarkForecast, limit_memory};
///
/// let x = Array2::from_shape_fn((2000, 3), |(i, j)| ((i * (j + 1)) as f64).sin());
/// let forecast = LandmarkForecast::measure(&Gaussian::new(5.0), &x)?.for_samples(200_000);
/// limit_memory(Some(16_000_000_000));
/// let advice = forecast.advice(f64::INFINITY);
/// limit_memory(None);
/// assert_eq!(advice.landmarks(), Some(5000));
/// // 200000 samples take 640.0 GB exactly; 5000 landmarks take 16.0 GB and about 20 s
/// let sentence = advice.to_string();
/// assert!(sentence.starts_with("200000 samples take 640.0 GB exactly; 5000 landmarks take 16.0 GB"));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpaceAdvice {
    forecast: LandmarkForecast,
    /// The number of landmarks that fit; the number of samples for an exact space.
    landmarks: usize,
}

impl LandmarkForecast {
    /// Returns what fits into [`memory_limit`] and a number of seconds: an exact space if that fits, otherwise the largest
    /// number of landmarks. The forecast is that of the fit of a space on Cholesky axes. Principal axes take about as long
    /// again; a method that takes coordinates takes half as much memory again. An exact space of full rank takes as much as a
    /// space with as many landmarks.
    pub fn advice(&self, seconds: f64) -> SpaceAdvice {
        let in_memory = self.landmarks_within(memory_limit().unwrap_or(u64::MAX));
        SpaceAdvice {
            forecast: *self,
            landmarks: self.landmarks_in(seconds).min(in_memory),
        }
    }
}

impl SpaceAdvice {
    /// Returns whether an exact space fits.
    pub fn is_exact(&self) -> bool {
        self.landmarks >= self.forecast.samples()
    }

    /// Returns the number of landmarks that fit where an exact space does not; `None` for an exact space.
    pub fn landmarks(&self) -> Option<usize> {
        (!self.is_exact()).then_some(self.landmarks)
    }
}

impl fmt::Display for SpaceAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let samples = self.forecast.samples();
        let take = |number, noun| {
            let verb = if number == 1 { "takes" } else { "take" };
            let bytes = wording::bytes(self.forecast.bytes(number));
            format!("{} {verb} {bytes}", wording::count(number, noun))
        };
        let seconds = |landmarks| Seconds(self.forecast.seconds(landmarks));
        write!(f, "{} exactly", take(samples, "sample"))?;
        match self.landmarks() {
            None => write!(f, ", and {}", seconds(samples)),
            Some(0) => write!(f, "; not one landmark fits"),
            Some(landmarks) => {
                let take = take(landmarks, "landmark");
                write!(f, "; {take} and {}", seconds(landmarks))
            }
        }
    }
}

/// A time that is printed to two digits, or to all digits before the point.
struct Seconds(f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            seconds if seconds < 0.1 => return write!(f, "less than 0.1 s"),
            seconds if seconds < 100.0 => (seconds, "s"),
            seconds if seconds < 6000.0 => (seconds / 60.0, "min"),
            seconds => (seconds / 3600.0, "h"),
        };
        let digits = usize::from(value < 10.0);
        write!(f, "about {value:.digits$} {unit}")
    }
}
