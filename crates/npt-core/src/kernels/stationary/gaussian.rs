//! The Gaussian kernel: the exponential of the squared Euclidean distance.

use super::{
    SpectralMeasure,
    distance::{are_few, centre, exp_of_distances, squared_distance, squared_distances},
};
use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{unless_vanished, weighted_sums},
    linalg::{fill_symmetric, fill_tiles},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use rand::RngCore;
use std::ops::Range;

/// The Gaussian kernel, also called radial basis function (RBF).
///
/// # Definition
/// κ(a, b) = exp(−γ‖a − b‖²), with ‖·‖ the Euclidean norm.
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Gaussian};
///
/// let value = Gaussian::new(0.5).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (-0.5_f64 * ((1.0_f64 - 3.0).powi(2) + (2.0_f64 - 1.0).powi(2))).exp());
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, section 2.3.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gaussian<F> {
    gamma: F,
}

crate::composable!(impl<F> Gaussian<F>);

impl<F: Scalar> Gaussian<F> {
    /// exp(−γ‖a − b‖²); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }

    /// exp(−‖a − b‖² / (2ℓ²)): the length scale ℓ of Gaussian processes, the σ of a density.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_length_scale(2.0), Gaussian::new(1.0 / (2.0 * 2.0_f64.powi(2))));
    /// ```
    pub fn from_length_scale(length_scale: F) -> Self {
        Self::new((F::cast(2) * length_scale * length_scale).recip())
    }

    /// exp(−‖a − b‖² / eps): the convention of linfa's kernels.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_linfa_eps(4.0), Gaussian::new(1.0 / 4.0_f64));
    /// ```
    pub fn from_linfa_eps(eps: F) -> Self {
        Self::new(eps.recip())
    }

    /// γ.
    pub fn gamma(&self) -> F {
        self.gamma
    }
}

/// Samples from another origin.
struct Moved<'a, F> {
    samples: &'a Rows<F>,
    differences: Array2<F>,
    /// γ times the squared distances from the origin.
    exponents: Array1<F>,
    /// The largest of them.
    largest: F,
}

impl<F: Scalar> Gaussian<F> {
    fn moved<'a>(&self, samples: &'a Rows<F>, origin: &Array1<F>) -> Moved<'a, F> {
        let differences = &samples.view() - origin;
        let of_row = |row: ArrayView1<'_, F>| self.gamma * row.dot(&row);
        let exponents: Array1<F> = differences.outer_iter().map(of_row).collect();
        // NaN is larger than any.
        let largest = exponents
            .iter()
            .fold(F::zero(), |m, &v| if m.is_nan() || v <= m { m } else { v });
        Moved {
            samples,
            differences,
            exponents,
            largest,
        }
    }

    /// The values of some rows of `a` with some of `b`.
    fn fill(
        &self,
        a: &Moved<'_, F>,
        b: &Moved<'_, F>,
        rows: Range<usize>,
        columns: Range<usize>,
        tile: &mut Array2<F>,
    ) {
        let from = a.differences.slice(s![rows.clone(), ..]);
        let to = b.differences.slice(s![columns.clone(), ..]);
        F::multiply(tile.view_mut(), false, F::one(), from, to.reversed_axes());
        let twice = F::cast(2) * self.gamma;
        let exponents = &b.exponents.as_slice().expect("collected")[columns.clone()];
        // The exponent γ‖a − b‖² has a rounding error of a few ε·γ(‖a‖² + ‖b‖²), which changes the
        // value by κ times as much. Up to this many ε that is the accuracy of `eval` itself.
        let few = F::cast(16);
        let safe = a.largest + b.largest <= few;
        for (i, mut row) in rows.zip(tile.outer_iter_mut()) {
            let exponent = a.exponents[i];
            let row = row.as_slice_mut().expect("a fresh tile is row-major");
            F::exp_of_distances(row, twice, exponent, exponents);
            let kept =
                |all: bool, (&value, &other): (&F, &F)| all && value * (exponent + other) <= few;
            if safe || row.iter().zip(exponents).fold(true, kept) {
                continue;
            }
            for (j, (value, &other)) in columns.clone().zip(row.iter_mut().zip(exponents)) {
                // Negated, so that an exponent that overflowed is caught as well.
                if !(*value * (exponent + other) <= few) {
                    *value = self.eval(a.samples.get(i), b.samples.get(j));
                }
            }
        }
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Gaussian<F> {
    type Scalar = F;

    crate::parameters!("gaussian", gamma);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        (-self.gamma * squared_distance(a, b)).exp()
    }

    /// By ‖a − b‖² = ‖a‖² + ‖b‖² − 2⟨a, b⟩, a matrix product for all pairs. The formula cancels
    /// for pairs that are close to each other and far from the origin: the origin is moved to the
    /// mean of `b`, and pairs for which that is not enough are evaluated one by one. Few samples `a`
    /// are subtracted from all `b`.
    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        if are_few(a) {
            return exp_of_distances(squared_distances(a, b), |squared| -self.gamma * squared);
        }
        let origin = centre(b);
        let (from, to) = (self.moved(a, &origin), self.moved(b, &origin));
        fill_tiles(a.len(), b.len(), &|rows, columns, tile| {
            self.fill(&from, &to, rows, columns, tile);
        })
    }

    fn gram(&self, x: &Rows<F>) -> Array2<F> {
        let origin = centre(x);
        let moved = self.moved(x, &origin);
        let mut matrix = fill_symmetric(x.len(), &|rows, columns, tile| {
            self.fill(&moved, &moved, rows, columns, tile);
        });
        matrix.diag_mut().fill(F::one());
        matrix
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Gaussian", "gamma", self.gamma.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // −r²κ
        weighted_sums(weights, &squared_distances(x, x), |squared| {
            [unless_vanished(-squared, (-self.gamma * squared).exp())]
        })
    }

    fn squared_distance_derivatives(&self, x: &Rows<F>) -> Option<Array2<F>> {
        Some(
            squared_distances(x, x)
                .mapv_into(|squared| -self.gamma * (-self.gamma * squared).exp()),
        )
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    fn gaussian_gamma(&self) -> Option<F> {
        Some(self.gamma)
    }
}

impl<F: Scalar> SpectralMeasure for Gaussian<F> {
    fn draw_deviations(&self, _: &mut dyn RngCore, deviations: &mut [f64]) {
        deviations.fill((2.0 * self.gamma.as_f64()).sqrt());
    }
}
