//! Features that are waves of the logarithm.

use crate::{Error, HomogeneousKernel, Kernel, RawFeatures, RawMap, Rows, Samples, Scalar};
use ndarray::{Array1, Array2, Axis};
use std::{fmt, sync::Arc};

/// The features √(aLs₀), √(2aLsₖ) cos(kL log a), √(2aLsₖ) sin(kL log a) of each value a of a sample.
///
/// Their inner products are a kernel of their own, κ̂(a, b) = Σ √(ab) L (s₀ + 2 Σₖ sₖ cos(kL log(b/a))). A space of these
/// features represents κ̂.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HomogeneousMap<K, F> {
    kernel: Arc<K>,
    /// The number of columns of the samples.
    columns: usize,
    /// The step L between frequencies.
    step: f64,
    /// The amplitudes √(Ls₀), √(2Ls₁), …
    amplitudes: Vec<F>,
}

/// The number of logarithms of ratios at which the error is looked at, from 0 on, and the largest of them: beyond it,
/// √(ab) is nothing beside the larger of a and b.
const RATIOS: (usize, f64) = (600, 15.0);

/// The number of periods 2π/L that are tried, and the ratio of each to the one before.
const PERIODS: (usize, f64) = (250, 1.015);

/// The shortest period that is tried.
const SHORTEST: f64 = 3.0;

impl<K, F> HomogeneousMap<K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    /// Creates the map for samples with `columns` columns, and finds its step L.
    pub(super) fn new(kernel: &Arc<K>, frequencies: usize, columns: usize) -> Result<Self, Error> {
        let spectrum = kernel
            .homogeneous()
            .ok_or_else(|| Error::UnsuitableKernel {
                of: "HomogeneousFeatures",
                kernel: kernel.describe().to_string(),
                needs: "a spectrum, which additive kernels of histograms have",
            })?;
        let (count, longest) = RATIOS;
        let ratios: Vec<(f64, f64)> = (0..count)
            .map(|i| {
                let ratio = longest * i as f64 / (count - 1) as f64;
                let value = kernel.eval(&[F::one()], &[F::cast((-ratio).exp())]);
                (ratio, value.as_f64())
            })
            .collect();
        let error = |step: f64| {
            let amplitudes = squared_amplitudes(spectrum, frequencies, step);
            let off = ratios.iter().map(|&(ratio, value)| {
                let waves = amplitudes.iter().enumerate();
                let sum: f64 = waves
                    .map(|(k, a)| a * (k as f64 * step * ratio).cos())
                    .sum();
                ((-ratio / 2.0).exp() * sum - value).abs()
            });
            off.fold(0.0, f64::max)
        };
        let (periods, growth) = PERIODS;
        let period = |i: usize| SHORTEST * growth.powf(i as f64);
        let steps = (0..periods).map(|i| std::f64::consts::TAU / period(i));
        let (step, _) =
            steps
                .map(|step| (step, error(step)))
                .fold((f64::NAN, f64::INFINITY), |best, tried| {
                    if tried.1 < best.1 { tried } else { best }
                });
        let amplitudes = squared_amplitudes(spectrum, frequencies, step);
        Ok(Self {
            amplitudes: amplitudes.iter().map(|a| F::cast(a.sqrt())).collect(),
            kernel: Arc::clone(kernel),
            columns,
            step,
        })
    }
}

/// Returns the squared amplitudes Ls₀, 2Ls₁, 2Ls₂, …
fn squared_amplitudes(kernel: &dyn HomogeneousKernel, frequencies: usize, step: f64) -> Vec<f64> {
    let squared =
        |k: usize| step * kernel.spectrum(k as f64 * step) * if k == 0 { 1.0 } else { 2.0 };
    (0..=frequencies).map(squared).collect()
}

impl<K, F: Scalar> HomogeneousMap<K, F> {
    /// The kernel κ whose spectrum gives the amplitudes.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The step L between frequencies.
    pub fn step(&self) -> f64 {
        self.step
    }
}

impl<K, F> RawMap for HomogeneousMap<K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Samples = Rows<F>;
    type Scalar = F;

    fn dimension(&self) -> usize {
        self.columns * (2 * self.amplitudes.len() - 1)
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let (expected, found) = (self.columns, x.view().ncols());
        if expected != found {
            return Err(Error::ColumnCount { expected, found });
        }
        self.kernel.check(x)
    }

    fn features(&self, x: &Rows<F>, rows: &[usize], rest: bool) -> Result<RawFeatures<F>, Error> {
        let mut values = Array2::zeros((rows.len(), self.dimension()));
        let each = 2 * self.amplitudes.len() - 1;
        for (mut features, &row) in values.outer_iter_mut().zip(rows) {
            let chunks = features.axis_chunks_iter_mut(Axis(0), each);
            for (mut of_value, &value) in chunks.into_iter().zip(x.get(row)) {
                if value <= F::zero() {
                    continue;
                }
                // Angles are computed in f64, because large angles have few digits in f32.
                let (root, angle) = (value.sqrt(), self.step * value.as_f64().ln());
                of_value[0] = root * self.amplitudes[0];
                for (k, &amplitude) in self.amplitudes.iter().enumerate().skip(1) {
                    let (sine, cosine) = (k as f64 * angle).sin_cos();
                    of_value[2 * k - 1] = root * amplitude * F::cast(cosine);
                    of_value[2 * k] = root * amplitude * F::cast(sine);
                }
            }
        }
        Ok(RawFeatures {
            values,
            // The features leave out nothing of the kernel κ̂ that they represent.
            rest: rest.then(|| Array1::zeros(rows.len())),
        })
    }
}

/// κ̂, the kernel that the features represent.
impl<K, F> Kernel<Rows<F>> for HomogeneousMap<K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Scalar = F;

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let values = a
            .iter()
            .zip(b)
            .filter(|(a, b)| **a > F::zero() && **b > F::zero());
        let of_values = values.map(|(&a, &b)| {
            let angle = self.step * (b.as_f64().ln() - a.as_f64().ln());
            let wave = |(k, &amplitude): (usize, &F)| {
                amplitude * amplitude * F::cast((k as f64 * angle).cos())
            };
            a.sqrt() * b.sqrt() * self.amplitudes.iter().enumerate().map(wave).sum::<F>()
        });
        of_values.sum()
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        self.kernel.check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K, F: Clone> Clone for HomogeneousMap<K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            amplitudes: self.amplitudes.clone(),
            ..*self
        }
    }
}

/// Shows the sizes; the kernel need not be `Debug`.
impl<K, F> fmt::Debug for HomogeneousMap<K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HomogeneousMap")
            .field("columns", &self.columns)
            .field("frequencies", &(self.amplitudes.len() - 1))
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

crate::checked! {
    HomogeneousMap<K, F> { kernel: Arc<K>, columns: usize, step: f64, amplitudes: Vec<F> }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<K, F: Scalar> HomogeneousMap<K, F> {
    fn check_parts(&self) -> Result<(), String> {
        crate::serial::finite("the amplitudes", &self.amplitudes)?;
        crate::serial::finite("the steps", [&self.step])?;
        let waves = (2 * self.amplitudes.len()).saturating_sub(1);
        match self.columns.checked_mul(waves) {
            None | Some(0) => Err(format!(
                "{waves} waves of {} columns are no features",
                self.columns
            )),
            Some(_) => Ok(()),
        }
    }
}
