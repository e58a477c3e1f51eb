//! One-class support vector machine.

use super::{
    filled, minimise_in_margins,
    plane::{Plane, plane_fits, plane_model, side_model},
    promised::Promised,
    relative_weights,
    solver::{Inputs, Problem, Training},
};
use crate::{Error, linear::parameters, weights::Weights};
use linfa::dataset::AsTargets;
use ndarray::Array1;
use npt_core::{Scalar, catalogue::Range};

parameters! {
    OneClassSvm: OneClassSvmParams, OneClassSvmValidParams;
    required {
        nu: f64, Range::Share, "The share ν of the samples that may be on the wrong side; at least so many are support vectors.";
    }
    default {
        /// The tolerance must be > 0.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of ρ.";
    }
}

/// One-class support vector machine: the plane that separates the samples from the origin and lies as far
/// from it as possible, with at most a share ν of the samples on the wrong side.
///
/// # Definition
/// w and ρ minimise ½‖w‖² − ρ + Σ max(0, ρ − wᵀxᵢ)/(νn). The decision function is wᵀx − ρ (the bias
/// is −ρ); `predict` is `true` where it is at least 0. With the 0 ≤ αᵢ ≤ 1/(νn) of this definition
/// Σ αᵢ = 1; LIBSVM's αᵢ are νn times as large, and its decision values with them. With sample weights sᵢ the sum is that
/// of sᵢ max(0, ρ − wᵀxᵢ), and n is Σ sᵢ.
///
/// The share holds for the predictions of the model itself for its training samples: ρ is at the lowest value of a margin sample,
/// and lower where rounding, or the tolerance of the solver, leaves more than νn samples outside.
///
/// The origin has a meaning here: records must not be centred.
///
/// # Errors
/// [`Error::NoMargin`] where the origin is among the samples (their mean always is),
/// [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Parameter`],
/// [`Error::NotConverged`], [`Error::Overflow`], [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::OneClassSvm;
///
/// // νn = 1.5, so that no αᵢ is above 2/3: w = 2/3·1 + 1/3·2, and ρ = 2w.
/// let data = DatasetBase::from(array![[1.0], [2.0], [5.0], [7.0]]);
/// let model = OneClassSvm::params(0.375).tolerance(1e-9).fit(&data)?;
/// assert!((model.weights()[0] - 4.0_f64 / 3.0).abs() < 1e-8 && (model.bias() + 8.0 / 3.0).abs() < 1e-8);
/// assert_eq!(model.predict(&array![[0.0], [3.0]]), array![false, true]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// B. Schölkopf, J. Platt, J. Shawe-Taylor, A. Smola, R. Williamson, "Estimating the Support of a
/// High-Dimensional Distribution", Neural Computation 13(7), 2001. doi:10.1162/089976601750264965
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OneClassSvm<F> {
    plane: Plane<F>,
}

impl OneClassSvm<f64> {
    /// Parameters of the machine for ν in (0, 1], with tolerance 10⁻³.
    pub fn params(nu: f64) -> OneClassSvmParams {
        OneClassSvmParams(OneClassSvmValidParams::new(nu))
    }
}

plane_model!(
    OneClassSvm,
    "The dual coefficients αᵢ with w = Σ αᵢxᵢ and Σ αᵢ = 1, one a training sample; 0 for all that \
     are no support vectors."
);
side_model!(OneClassSvm);

plane_fits!(
    OneClassSvmParams,
    OneClassSvmValidParams,
    OneClassSvm,
    [AsTargets],
    false,
    settle_by
);

impl OneClassSvmValidParams {
    /// Finds the machine; the targets are not looked at.
    fn solve<F: Scalar, T>(
        &self,
        inputs: &Inputs<'_>,
        _: &T,
        weights: &Weights<F>,
    ) -> Result<OneClassSvm<F>, Error> {
        let samples = inputs.samples();
        inputs.require_range("OneClassSvm")?;
        // min ½ Σ αᵢαⱼ⟨xᵢ, xⱼ⟩ with 0 ≤ αᵢ ≤ sᵢ that sum to ν Σ sᵢ
        let weights = relative_weights(inputs, weights);
        let sum = self.nu * weights.iter().sum::<f64>();
        let problem = Problem {
            samples,
            linear: vec![0.0; samples],
            lower: vec![0.0; samples],
            start: filled(weights.iter().copied(), sum).collect(),
            upper: weights,
            group: vec![0; samples],
            groups: 1,
            scores: None,
        };
        let (solution, margin) =
            minimise_in_margins(inputs, problem, self.tolerance, "OneClassSvm", |levels| {
                -levels[0]
            })?;
        // Scales to Σ αᵢ = 1, and from the units of the inputs to those of the records.
        let scale = inputs.unit() / sum;
        let dual: Vec<f64> = solution
            .scores
            .dual
            .iter()
            .map(|value| value * scale)
            .collect();
        let plane = Plane::new("OneClassSvm", inputs, &dual, -margin * scale)?;
        Ok(OneClassSvm { plane })
    }

    /// Sets ρ by the values without ρ at the training samples, so that the share holds.
    fn settle_by<F: Scalar, T>(
        &self,
        model: &mut OneClassSvm<F>,
        bias: &mut F,
        sums: &Array1<F>,
        _: &T,
        weights: &Weights<F>,
    ) {
        let (dual, of_all) = (&model.plane.dual, weights.of_all());
        if dual.len() != sums.len() {
            return;
        }
        let unit = 1.0 / (self.nu * weights.sum());
        let known = 1.0 - 16.0 * F::epsilon().as_f64();
        let is_outside = |i: usize| dual[i].as_f64() >= unit * of_all[i].as_f64() * known;
        let promised = Promised {
            values: sums,
            weights,
            share: self.nu,
        };
        let rho = -*bias;
        let slack = F::cast((4.0 * self.tolerance).max(F::epsilon().as_f64().sqrt()));
        *bias = -promised.level(rho, slack * rho.abs(), is_outside);
    }
}

npt_core::checked! { OneClassSvm<F> { plane: Plane<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> OneClassSvm<F> {
    fn check_parts(&self) -> Result<(), String> {
        self.plane.check_parts_of::<Self>()
    }
}
