//! The periodic kernel, for features that repeat.

use super::{
    distance::{Scales, from_inner_products},
    of_distance::{OfDistance, of_distance},
};
use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{unless_vanished, weighted_sum, weighted_sums},
    linalg::fill_rows,
};
use ndarray::{Array2, ArrayView2};
use std::f64::consts::{PI, TAU};

/// The periodic kernel, also called exp-sine-squared: the Gaussian kernel after each feature has
/// been wound around a circle.
///
/// # Definition
/// κ(a, b) = Πₖ exp(−2 sin²(π(aₖ − bₖ)/p) / ℓ²)
///
/// This is exp(−‖φ(a) − φ(b)‖² / (2ℓ²)) with φ(a) = (cos 2πaₖ/p, sin 2πaₖ/p)ₖ, and therefore
/// positive semidefinite in any number of features. scikit-learn's `ExpSineSquared` puts the
/// Euclidean distance of all features into the sine instead: the same kernel for one feature, and
/// for several features no kernel in general.
///
/// # Parameters
/// `length_scale` ℓ > 0; `period` p > 0, in the unit of the features.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length_scale` or `period`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Periodic};
/// use std::f64::consts::PI;
///
/// let kernel = Periodic::new(2.0, 10.0);
/// let value: f64 = kernel.eval(&[1.0, 2.0], &[4.0, 2.0]);
/// assert!((value - (-2.0 * (PI * 3.0 / 10.0).sin().powi(2) / 4.0).exp()).abs() < 1e-15);
/// assert_eq!(kernel.eval(&[31.0, 2.0], &[-6.0, 22.0]), value);
/// ```
///
/// # References
/// D. J. C. MacKay, "Introduction to Gaussian Processes", in *Neural Networks and Machine
/// Learning*, NATO ASI Series F 168, Springer 1998.
///
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// equation 4.31.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "periodic")
)]
pub struct Periodic<F> {
    length_scale: F,
    period: F,
}

crate::composable!(impl<F> Periodic<F>);

impl<F: Scalar> Periodic<F> {
    /// The kernel Πₖ exp(−2 sin²(π(aₖ − bₖ)/p) / ℓ²); ranges are checked at fit.
    pub fn new(length_scale: F, period: F) -> Self {
        Self {
            length_scale,
            period,
        }
    }

    /// The period of a feature: dividing the feature by ℓₖ is multiplying its period by ℓₖ.
    fn period_of(&self, feature: usize, scales: Scales<'_, F>) -> F {
        self.period * scales.of(feature)
    }

    /// The derivative of ‖φ(a) − φ(b)‖² by the period: the sum of −4π dₖ/p² · sin(2πdₖ/p), with d = a − b.
    fn slope_of_chord(&self, a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        let slope = |(k, (&a, &b)): (usize, (&F, &F))| {
            let turns = (a - b) / self.period_of(k, scales);
            let sine = (F::cast(TAU) * (turns % F::one())).sin();
            -F::cast(4.0 * PI) * turns * sine / self.period
        };
        a.iter().zip(b).enumerate().map(slope).sum()
    }

    /// The features φ of all samples, shape (samples, 2·features).
    fn circles(&self, x: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let x = x.view();
        Array2::from_shape_fn((x.nrows(), 2 * x.ncols()), |(i, k)| {
            let period = self.period_of(k / 2, scales);
            let angle = F::cast(TAU) * (x[[i, k / 2]] % period / period);
            if k % 2 == 0 { angle.cos() } else { angle.sin() }
        })
    }

    /// The logarithm ln κ. It divides by one ℓ at a time, as the square of a small ℓ is 0.
    fn logarithm(&self, squared_chord: F) -> F {
        -squared_chord / F::cast(2) / self.length_scale / self.length_scale
    }
}

/// The distance is ‖φ(a) − φ(b)‖², a squared chord.
impl<F: Scalar> OfDistance<F> for Periodic<F> {
    /// The squared chord Σₖ 4 sin²(π(aₖ − bₖ)/p). The remainders are exact, so that samples far from the origin are as
    /// accurate as near ones.
    fn distance(&self, a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        let chord = |(k, (&a, &b)): (usize, (&F, &F))| {
            let period = self.period_of(k, scales);
            let difference = a % period - b % period;
            let sine = (F::cast(PI) * (difference / period)).sin();
            F::cast(4) * sine * sine
        };
        a.iter().zip(b).enumerate().map(chord).sum()
    }

    fn distances(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let (a_circles, b_circles) = (self.circles(a, scales), self.circles(b, scales));
        from_inner_products(a_circles.view(), b_circles.view(), |i, j| {
            self.distance(a.get(i), b.get(j), scales)
        })
    }

    fn value(&self, squared_chord: F) -> F {
        self.logarithm(squared_chord).exp()
    }

    fn values(&self, squared_chords: &mut [F]) {
        for value in squared_chords.iter_mut() {
            *value = self.logarithm(*value);
        }
        F::exp_in_place(squared_chords);
    }

    fn values_less_one(&self, squared_chords: &mut [F]) {
        for value in squared_chords.iter_mut() {
            *value = self.logarithm(*value);
        }
        F::exp_m1_in_place(squared_chords);
    }

    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>> {
        // With the squared chord c, the derivatives are c/ℓ³·κ by ℓ, and −c′/(2ℓ²)·κ by p.
        let chords = self.distances(x, x, scales);
        let scale = self.length_scale;
        let by_scale = weighted_sums(weights, &chords, |squared| {
            [unless_vanished(
                squared / scale / scale / scale,
                self.value(squared),
            )]
        });
        let mut slopes = chords;
        fill_rows(&mut slopes, |i, row| {
            for (j, value) in row.iter_mut().enumerate() {
                let slope = self.slope_of_chord(x.get(i), x.get(j), scales);
                let factor = -slope / F::cast(2) / scale / scale;
                *value = unless_vanished(factor, self.value(*value));
            }
        });
        [by_scale, vec![weighted_sum(weights, &slopes)]].concat()
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Periodic<F> {
    type Scalar = F;

    crate::parameters!("periodic", length_scale, period);

    of_distance!();

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Periodic", "length_scale", self.length_scale.as_f64())?;
        error::positive("Periodic", "period", self.period.as_f64())
    }
}
