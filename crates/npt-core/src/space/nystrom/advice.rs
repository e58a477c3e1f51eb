//! Exactly, or how many landmarks.

use super::LandmarkForecast;
use crate::{memory_limit, wording};
use std::fmt;

/// Whether a space of all samples fits into memory and time, and how many landmarks do otherwise: printed, a sentence.
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
    /// As many as samples for an exact space.
    landmarks: usize,
}

impl LandmarkForecast {
    /// What fits into [`memory_limit`] and so many seconds: an exact space, if one does; the most landmarks otherwise. It is the fit of a space on
    /// Cholesky axes: principal axes take about as long again, a method that takes coordinates half as much memory again. An exact space of
    /// full rank takes what that of as many landmarks does.
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

    /// Returns how many landmarks fit where an exact space does not; none for an exact space.
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

/// To two digits, or as many as there are before the point.
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
