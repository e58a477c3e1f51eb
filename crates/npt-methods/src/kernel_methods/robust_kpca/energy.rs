//! The energy of a reconstruction, and its descent.

use crate::{
    Error,
    descent::{Descent, Point},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use npt_core::{Expansion, Gaussian, Kernel, Rows, linalg};
use std::convert::Infallible;

/// The limits of a descent, for costs of about 1, and lengths of about 1.
const DESCENT: Descent = Descent {
    slope: 1e-8,
    change: f64::EPSILON,
};

/// The energy e(z) = ‖φ(z) − Pφ(z)‖² + C(1 − exp(−Σⱼ ρ(zⱼ − xⱼ))), with inputs in units of the kernel's width γ^-½.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Energy {
    /// The training reconstructions.
    reconstructions: Array2<f64>,
    /// The reconstructions, after the samples of the expansion if these are others. `transposed` is the transposed matrix, so that each
    /// product is along rows.
    landmarks: Array2<f64>,
    transposed: Array2<f64>,
    /// The coefficients α of the scores αᵀκ(z) + b, one row per landmark; `alpha_transposed` is the transposed matrix.
    alpha: Array2<f64>,
    alpha_transposed: Array2<f64>,
    /// The coefficients of the mean of the φ of the reconstructions: 1/n for each reconstruction.
    shares: Array1<f64>,
    offsets: Array1<f64>,
    /// The mean of 𝒦.
    mean: f64,
    data: DataTerm,
}

/// The data term of the energy: C and ρ.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct DataTerm {
    pub(super) fidelity: f64,
    /// s² of ρ(t) = t²/(1 + t²/s²); infinite for ρ(t) = t².
    pub(super) squared_scale: f64,
}

impl DataTerm {
    /// The sum Σ ρ(zⱼ − xⱼ) over the values of x that are not missing.
    pub(super) fn distance(&self, x: ArrayView1<'_, f64>, z: ArrayView1<'_, f64>) -> f64 {
        let there = x.iter().zip(z).filter(|(x, _)| !x.is_nan());
        there.map(|(x, z)| self.rho(z - x)).sum()
    }

    fn rho(&self, t: f64) -> f64 {
        t * t / (1.0 + t * t / self.squared_scale)
    }

    fn derivative(&self, t: f64) -> f64 {
        let weight = 1.0 + t * t / self.squared_scale;
        2.0 * t / (weight * weight)
    }
}

impl Energy {
    /// Makes the energy for the space of the components that `expansion` projects on; these are components of the reconstructions.
    pub(super) fn new(
        expansion: &Expansion<Rows<f64>, Gaussian<f64>, f64>,
        reconstructions: Array2<f64>,
        data: DataTerm,
    ) -> Result<Self, Error> {
        let gram = Gaussian::new(1.0).gram(&Rows::new(reconstructions.clone())?);
        let mean = gram.mean().expect("there are samples");
        let count = reconstructions.nrows();
        let (samples, coefficients) = (expansion.samples().view(), expansion.coefficients());
        let all = Array1::from_elem(count, 1.0 / count as f64);
        // An expansion leaves out samples without a part in it, and may have few landmarks.
        let (landmarks, alpha, shares) = if samples == reconstructions {
            (reconstructions.clone(), coefficients.to_owned(), all)
        } else {
            let none = Array2::zeros((count, coefficients.ncols()));
            (
                concatenate![Axis(0), samples, reconstructions],
                concatenate![Axis(0), coefficients, none],
                concatenate![Axis(0), Array1::zeros(samples.nrows()), all],
            )
        };
        Ok(Self {
            mean,
            reconstructions,
            transposed: linalg::row_major(landmarks.t().to_owned()),
            landmarks: linalg::row_major(landmarks),
            alpha_transposed: linalg::row_major(alpha.t().to_owned()),
            alpha: linalg::row_major(alpha),
            shares,
            offsets: expansion.offsets().to_owned(),
            data,
        })
    }

    /// The training reconstruction that is closest to the values of x that are not missing.
    pub(super) fn nearest(&self, x: ArrayView1<'_, f64>) -> ArrayView1<'_, f64> {
        let distance = |row: &ArrayView1<'_, f64>| self.data.distance(x, *row);
        let nearest = self
            .reconstructions
            .outer_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.expect("there are samples")
    }

    /// Computes e and its gradient.
    pub(super) fn at(&self, x: ArrayView1<'_, f64>, position: &[f64]) -> Point {
        let z = ArrayView1::from(position);
        let rows = self.landmarks.outer_iter();
        let kernel: Array1<f64> = rows.map(|row| (-squared_distance(row, z)).exp()).collect();
        let scores = self.alpha_transposed.dot(&kernel) + &self.offsets;
        let residual = 1.0 - 2.0 * kernel.dot(&self.shares) + self.mean - scores.dot(&scores);
        // ∇κᵢ = −2κᵢ(z − xᵢ), and e holds −2(shareᵢ + αᵢᵀs)κᵢ to first order.
        let pull = (self.alpha.dot(&scores) + &self.shares) * &kernel * 4.0;
        let mut gradient = &z * pull.sum() - self.transposed.dot(&pull);

        let closeness = (-self.data.distance(x, z)).exp();
        let fidelity = self.data.fidelity;
        for ((slope, &x), &z) in gradient.iter_mut().zip(x).zip(z) {
            if !x.is_nan() {
                *slope += fidelity * closeness * self.data.derivative(z - x);
            }
        }
        Point {
            position: position.to_vec(),
            cost: residual + fidelity * (1.0 - closeness),
            gradient: gradient.to_vec(),
        }
    }

    /// Descends to the minimum next to `start`, which costs no more than `start`.
    pub(super) fn descend(&self, x: ArrayView1<'_, f64>, start: &[f64]) -> Point {
        let look = |z: &[f64]| Ok::<_, Infallible>(self.at(x, z));
        let Ok(end) = DESCENT.run(self.at(x, start), look);
        end
    }
}

/// Computes ‖a − b‖² from differences, which keep their digits wherever the samples are; several at a time.
fn squared_distance(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    const LANES: usize = 8;
    let (Some(a), Some(b)) = (a.to_slice(), b.to_slice()) else {
        return a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    };
    let (whole, rest) = a.as_chunks::<LANES>();
    let (whole_b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in whole.iter().zip(whole_b) {
        for k in 0..LANES {
            sums[k] += (a[k] - b[k]) * (a[k] - b[k]);
        }
    }
    let rest = rest.iter().zip(rest_b).map(|(a, b)| (a - b) * (a - b));
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

npt_core::checked! {
    Energy {
        reconstructions: Array2<f64>,
        landmarks: Array2<f64>,
        transposed: Array2<f64>,
        alpha: Array2<f64>,
        alpha_transposed: Array2<f64>,
        shares: Array1<f64>,
        offsets: Array1<f64>,
        mean: f64,
        data: DataTerm,
    }
}

npt_core::checked! { DataTerm { fidelity: f64, squared_scale: f64 } }

#[cfg(feature = "serde")]
impl Energy {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, some};
        let (samples, features) = self.reconstructions.dim();
        let ((landmarks, columns), (rows, axes)) = (self.landmarks.dim(), self.alpha.dim());
        some("reconstructions", samples)?;
        agree("columns of landmarks", columns, "features", features)?;
        agree("rows of coefficients", rows, "landmarks", landmarks)?;
        agree("shares", self.shares.len(), "landmarks", landmarks)?;
        agree(
            "offsets",
            self.offsets.len(),
            "columns of coefficients",
            axes,
        )?;
        if self.transposed != self.landmarks.t() || self.alpha_transposed != self.alpha.t() {
            return Err("a matrix and its transpose have other entries".into());
        }
        let inputs = self.reconstructions.iter().chain(&self.landmarks);
        let coefficients = self.alpha.iter().chain(&self.shares).chain(&self.offsets);
        finite(
            "the numbers of an energy",
            inputs.chain(coefficients).chain([&self.mean]),
        )
    }

    /// The number of training reconstructions, and of their features.
    pub(super) fn dim(&self) -> (usize, usize) {
        self.reconstructions.dim()
    }
}

#[cfg(feature = "serde")]
impl DataTerm {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::not_negative("the fidelity", self.fidelity)?;
        // Without outliers the scale is infinite.
        if self.squared_scale > 0.0 {
            return Ok(());
        }
        Err(format!(
            "the squared scale is {}; it must be above 0",
            self.squared_scale
        ))
    }
}

#[cfg(test)]
mod tests;
