//! Support vector classification of classes that a plane separates.

use super::{
    nu_svc::between_hulls,
    plane::plane_fits,
    solver::{Inputs, Problem, Training},
    svc::{Svc, weighed_signs},
};
use crate::{Error, linear::parameters, weights::Weights};
use linfa::dataset::AsSingleTargets;
use npt_core::{Scalar, catalogue::Range};

parameters! {
    HardMarginSvc: HardMarginSvcParams, HardMarginSvcValidParams;
    default {
        /// The tolerance must be > 0.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the margin.";
    }
}

/// The plane that separates two classes with the widest margin and with no sample on the wrong side: a support vector
/// machine without slack.
///
/// # Definition
/// With yᵢ = 1 for `true` and −1 for `false`, w and b minimise ½‖w‖² where yᵢ(wᵀxᵢ + b) ≥ 1 for all i. This is the limit of
/// [`Svc`] for C → ∞. The plane lies half-way between the points of the classes' convex hulls that are nearest to each
/// other. These points exist whether or not a plane separates the classes, so that classes that overlap are an error and no long
/// search. The fitted model is an [`Svc`], of margin 1/‖w‖. A sample weight above 0 changes nothing, one of 0 leaves the
/// sample out.
///
/// # Errors
/// [`Error::NoMargin`] where no plane separates the classes beyond rounding, [`Error::Classes`] unless both occur, with a
/// weight above 0; [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Parameter`],
/// [`Error::NotConverged`], [`Error::Overflow`], [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::{Error, linear::HardMarginSvc};
///
/// // The margin lies between 1 and 3: w = 1, b = −2.
/// let x = array![[0.0], [1.0], [3.0], [9.0]];
/// let data = Dataset::new(x.clone(), array![false, false, true, true]);
/// let svc = HardMarginSvc::params().tolerance(1e-9).fit(&data)?;
/// assert!((svc.weights()[0] - 1.0_f64).abs() < 1e-9 && (svc.bias() + 2.0).abs() < 1e-9);
///
/// let mixed = Dataset::new(x, array![false, true, false, true]);
/// let error = Error::NoMargin { method: "HardMarginSvc" };
/// assert_eq!(HardMarginSvc::params().fit(&mixed).err(), Some(error));
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// B. Boser, I. Guyon, V. Vapnik, "A Training Algorithm for Optimal Margin Classifiers", COLT 1992.
/// doi:10.1145/130385.130401
///
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, equation 17.
/// doi:10.1109/TNNLS.2013.2272292
#[derive(Debug, Clone, Copy)]
pub struct HardMarginSvc;

impl HardMarginSvc {
    /// Parameters with tolerance 10⁻³.
    pub fn params() -> HardMarginSvcParams {
        HardMarginSvcParams(HardMarginSvcValidParams::new())
    }
}

plane_fits!(
    HardMarginSvcParams,
    HardMarginSvcValidParams,
    Svc,
    [AsSingleTargets<Elem = bool>],
    true
);

impl HardMarginSvcValidParams {
    fn solve<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        &self,
        inputs: &Inputs<'_>,
        targets: &T,
        weights: &Weights<F>,
    ) -> Result<Svc<F>, Error> {
        let signs = weighed_signs(targets, weights)?;
        between_hulls("HardMarginSvc", inputs, hulls(&signs), self.tolerance)
    }
}

/// Makes the problem min ½ Σ αᵢαⱼyᵢyⱼ⟨xᵢ, xⱼ⟩ with αᵢ ≥ 0 that sum to 1 in each class. No αᵢ reaches the bound of 2: a variable
/// at a bound has no say in where the plane is.
fn hulls(signs: &[f64]) -> Problem {
    let mut start = vec![0.0; signs.len()];
    for side in [1.0, -1.0] {
        let first = signs.iter().position(|y| y * side > 0.0);
        start[first.expect("both classes are there")] = side;
    }
    Problem {
        samples: signs.len(),
        linear: vec![0.0; signs.len()],
        lower: signs.iter().map(|y| 2.0 * y.signum().min(0.0)).collect(),
        upper: signs.iter().map(|y| 2.0 * y.signum().max(0.0)).collect(),
        start,
        scores: None,
        group: signs.iter().map(|&y| usize::from(y < 0.0)).collect(),
        groups: 2,
    }
}
