//! The candidates that a search chooses from.

use npt_core::{Exact, Kernel, NamedKernel, Samples, Scalar};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::fmt::Display;

/// Values with names: the spaces of a search, or its methods.
///
/// A `Vec` or an array is a list of candidates as well, named by their places.
///
/// # Example
/// ```
/// use npt_core::Rows;
/// use npt_methods::{linear::Svc, model_selection::Candidates};
/// use npt_core::{Exact, Gaussian, Linear, NamedKernel};
///
/// let methods = Candidates::new().over("C", [1.0, 10.0], |c| Svc::params().c(c));
/// assert_eq!(methods.names(), ["C = 1", "C = 10"]);
///
/// // Kernels of several types.
/// let spaces: Candidates<Exact<NamedKernel<Rows<f64>, f64>>> = Candidates::new()
///     .kernel("linear", Linear::new())
///     .kernels("gaussian γ", [0.01, 0.1], Gaussian::new);
/// assert_eq!(spaces.names(), ["linear", "gaussian γ = 0.01", "gaussian γ = 0.1"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidates<T> {
    names: Vec<String>,
    values: Vec<T>,
}

impl<T> Candidates<T> {
    /// Returns an empty list.
    pub fn new() -> Self {
        Self {
            names: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a candidate.
    pub fn and(mut self, name: impl Into<String>, candidate: T) -> Self {
        self.names.push(name.into());
        self.values.push(candidate);
        self
    }

    /// Adds a candidate for each value of a parameter, named "parameter = value".
    pub fn over<V: Display>(
        self,
        parameter: &str,
        values: impl IntoIterator<Item = V>,
        mut candidate: impl FnMut(V) -> T,
    ) -> Self {
        values.into_iter().fold(self, |all, value| {
            let name = format!("{parameter} = {value}");
            all.and(name, candidate(value))
        })
    }

    /// Changes every candidate, and keeps its name.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Candidates<U> {
        Candidates {
            names: self.names,
            values: self.values.into_iter().map(change).collect(),
        }
    }

    /// The names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The candidates, in order.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Exact spaces of kernels whose types may differ; [`map`](Candidates::map) changes ranks and axes.
impl<S: Samples, F: Scalar> Candidates<Exact<NamedKernel<S, F>>> {
    /// Adds the exact space of a kernel, typed or by name.
    pub fn kernel(
        self,
        name: impl Into<String>,
        kernel: impl Kernel<S, Scalar = F> + Clone + 'static,
    ) -> Self {
        self.and(name, Exact::new(NamedKernel::new(kernel)))
    }

    /// Adds the exact spaces of a kernel with each value of a parameter, named "parameter = value".
    pub fn kernels<V: Display, K>(
        self,
        parameter: &str,
        values: impl IntoIterator<Item = V>,
        mut kernel: impl FnMut(V) -> K,
    ) -> Self
    where
        K: Kernel<S, Scalar = F> + Clone + 'static,
    {
        self.over(parameter, values, |value| {
            Exact::new(NamedKernel::new(kernel(value)))
        })
    }
}

impl<T> Default for Candidates<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Into<String>, T> FromIterator<(N, T)> for Candidates<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(candidates: I) -> Self {
        let mut all = Self::new();
        for (name, candidate) in candidates {
            all = all.and(name, candidate);
        }
        all
    }
}

impl<T> From<Vec<T>> for Candidates<T> {
    fn from(values: Vec<T>) -> Self {
        Self {
            names: (0..values.len()).map(|place| place.to_string()).collect(),
            values,
        }
    }
}

impl<T, const N: usize> From<[T; N]> for Candidates<T> {
    fn from(values: [T; N]) -> Self {
        Vec::from(values).into()
    }
}

impl<T: Clone> From<&[T]> for Candidates<T> {
    fn from(values: &[T]) -> Self {
        values.to_vec().into()
    }
}

/// Draws `count` numbers between `least` and `most` at random, with a uniform logarithm and rounded to three digits, as widths and
/// penalties of a random search ([`GridSearch::paired`](super::GridSearch::paired)).
///
/// # Panics
/// Panics unless 0 < least < most < ∞.
///
/// # Example
/// ```
/// use npt_methods::model_selection::log_uniform;
///
/// let drawn = log_uniform(1e-3, 10.0, 100, 7);
/// assert!(drawn.iter().all(|v| (1e-3..=10.0).contains(v)));
/// // As many below the geometric mean as above.
/// assert!((40..60).contains(&drawn.iter().filter(|v| **v < 0.1).count()));
/// ```
pub fn log_uniform(least: f64, most: f64, count: usize, seed: u64) -> Vec<f64> {
    assert!(
        0.0 < least && least < most && most < f64::INFINITY,
        "log_uniform from {least} to {most}: it takes 0 < least < most < ∞"
    );
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut draw = || rng.gen_range(least.ln()..=most.ln()).exp();
    (0..count)
        .map(|_| three_digits(draw()).clamp(least, most))
        .collect()
}

/// Rounds a number to three significant digits.
fn three_digits(value: f64) -> f64 {
    let written = format!("{value:.2e}");
    written.parse().unwrap_or(value)
}

npt_core::checked! { Candidates<T> { names: Vec<String>, values: Vec<T> } }

#[cfg(feature = "serde")]
impl<T> Candidates<T> {
    fn check_parts(&self) -> Result<(), String> {
        let (names, values) = (self.names.len(), self.values.len());
        npt_core::serial::agree("names", names, "candidates", values)
    }
}
