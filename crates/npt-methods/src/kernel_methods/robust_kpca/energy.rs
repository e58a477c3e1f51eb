//! What a reconstruction costs, and its descent.

use crate::Error;
use argmin::{
    core::{CostFunction, Executor, Gradient},
    solver::{linesearch::MoreThuenteLineSearch, quasinewton::LBFGS},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use npt_core::{Expansion, Gaussian, Kernel, Rows, linalg};
use std::cell::{Cell, RefCell};

/// Of so many steps L-BFGS knows the change of the gradient.
const MEMORY: usize = 10;

/// Steps of one descent at the most. What is left is small, and the next descent begins there.
const STEPS: u64 = 200;

/// After so many looks, two at a point, of which none is at a better one than the best before, a descent is at its end: a line search does not always
/// see that rounding is all that is left.
const PATIENCE: usize = 40;

/// The length of the gradient at which a descent ends; the costs are about 1, and so are lengths.
const FLAT: f64 = 1e-8;

/// e(z) = ‖φ(z) − Pφ(z)‖² + C(1 − exp(−Σⱼ ρ(zⱼ − xⱼ))), with inputs in units of the kernel's width γ^-½.
#[derive(Debug, Clone)]
pub(super) struct Energy {
    /// The training reconstructions.
    reconstructions: Array2<f64>,
    /// Those, or the samples of the expansion and then those, if these are others. And transposed: each product is along
    /// rows.
    landmarks: Array2<f64>,
    transposed: Array2<f64>,
    /// The scores are αᵀκ(z) + b, a row a landmark; and transposed.
    alpha: Array2<f64>,
    alpha_transposed: Array2<f64>,
    /// The mean of the φ of the reconstructions: 1/n each.
    shares: Array1<f64>,
    offsets: Array1<f64>,
    /// The mean of 𝒦.
    mean: f64,
    data: DataTerm,
}

/// C and ρ.
#[derive(Debug, Clone, Copy)]
pub(super) struct DataTerm {
    pub(super) fidelity: f64,
    /// s² of ρ(t) = t²/(1 + t²/s²); infinite for ρ(t) = t².
    pub(super) squared_scale: f64,
}

impl DataTerm {
    /// Σ ρ(zⱼ − xⱼ) over the values of x that are there.
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

/// A reconstruction of a sample, and what it costs.
#[derive(Clone)]
pub(super) struct Reconstruction {
    pub(super) input: Vec<f64>,
    pub(super) energy: f64,
}

impl Energy {
    /// In the space of the components that `expansion` projects on, which are those of the reconstructions.
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
        // An expansion leaves out samples without a part in it, and may be one of few landmarks.
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

    /// The training reconstruction that is closest to what is there of x.
    pub(super) fn nearest(&self, x: ArrayView1<'_, f64>) -> ArrayView1<'_, f64> {
        let distance = |row: &ArrayView1<'_, f64>| self.data.distance(x, *row);
        let nearest = self
            .reconstructions
            .outer_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.expect("there are samples")
    }

    /// e and its gradient.
    pub(super) fn at(&self, x: ArrayView1<'_, f64>, z: &[f64]) -> (f64, Vec<f64>) {
        let z = ArrayView1::from(z);
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
        let energy = residual + fidelity * (1.0 - closeness);
        (energy, gradient.to_vec())
    }

    /// To the minimum next to `start`: nowhere above it.
    pub(super) fn descend(&self, x: ArrayView1<'_, f64>, start: Vec<f64>) -> Reconstruction {
        let (energy, gradient) = self.at(x, &start);
        let input = start.clone();
        let descent = Descent {
            energy: self,
            x: x.view(),
            best: RefCell::new(Reconstruction { input, energy }),
            in_vain: Cell::new(0),
            last: RefCell::new((start.clone(), energy, gradient)),
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_grad(FLAT);
        if let Ok(solver) = solver {
            // Where it ends, and why, shows in what was seen.
            let _ = Executor::new(&descent, solver)
                .configure(|state| state.param(start).max_iters(STEPS))
                .ctrlc(false)
                .run();
        }
        descent.best.into_inner()
    }
}

/// By differences, which keep their digits wherever the samples are; several at a time.
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

/// A descent, as the optimiser sees it; keeps the best that was seen.
struct Descent<'a> {
    energy: &'a Energy,
    x: ArrayView1<'a, f64>,
    best: RefCell<Reconstruction>,
    /// Looks since the best.
    in_vain: Cell<usize>,
    /// The last point, with e and its gradient: both are asked for, one after the other.
    last: RefCell<(Vec<f64>, f64, Vec<f64>)>,
}

impl Descent<'_> {
    fn look(&self, z: &[f64]) -> Result<(), argmin::core::Error> {
        let in_vain = self.in_vain.get() + 1;
        self.in_vain.set(in_vain);
        if in_vain > PATIENCE || z.iter().any(|v| !v.is_finite()) {
            return Err(argmin::core::Error::msg("no way down"));
        }
        if self.last.borrow().0 == z {
            return Ok(());
        }
        let (energy, gradient) = self.energy.at(self.x, z);
        let input = z.to_vec();
        if energy < self.best.borrow().energy {
            let input = input.clone();
            *self.best.borrow_mut() = Reconstruction { input, energy };
            self.in_vain.set(0);
        }
        *self.last.borrow_mut() = (input, energy, gradient);
        Ok(())
    }
}

impl CostFunction for &Descent<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, z: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        self.look(z)?;
        Ok(self.last.borrow().1)
    }
}

impl Gradient for &Descent<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, z: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        self.look(z)?;
        Ok(self.last.borrow().2.clone())
    }
}

#[cfg(test)]
mod tests;
