use super::case::{Case, Claim, Precision, config, double};
use linfa::DatasetBase;
use ndarray::{Array1, Axis, concatenate};
use npt::prelude::*;
use npt_testkit::{data::normal, oracles};
use proptest::prelude::*;

/// The claim in the README's table.
const CLAIM: Claim = Claim {
    f64: 2e-9,
    f32: 5e-4,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn svc_is_the_dual_of_equation_18(case in Case::any(4), c in 0.1..5.0_f64) {
        // The problem is taken at unit scale, so that C means the same for every kernel.
        let labels = case.classes(2).mapv(|label| label == 1);
        let problem = Problem::new(&case, labels, c / case.variance());
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

/// Classes that coincide, as every sample is in both, have w = 0, with all coefficients at their bound.
#[test]
fn classes_that_coincide_have_no_weights() {
    for kernel in 0..Case::kernels() {
        let half = normal(9, 3, 1);
        let x = concatenate![Axis(0), half, half];
        let case = Case::of("twins", x, normal(5, 3, 2), kernel);
        let labels = Array1::from_shape_fn(18, |i| i < 9);
        let problem = Problem::new(&case, labels, 1.0 / case.variance());
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

struct Problem<'a> {
    case: &'a Case,
    labels: Array1<bool>,
    c: f64,
    /// The coefficients yᵢαᵢ.
    dual: Array1<f64>,
    bias: f64,
}

impl<'a> Problem<'a> {
    fn new(case: &'a Case, labels: Array1<bool>, c: f64) -> Self {
        let (dual, bias) = oracles::svc::dual(case.k.view(), labels.as_slice().unwrap(), c, 1e-12);
        Problem {
            case,
            labels,
            c,
            dual,
            bias,
        }
    }

    /// ‖w‖, the length of the weights.
    fn length(&self) -> f64 {
        self.dual.dot(&self.case.k.dot(&self.dual)).max(0.0).sqrt()
    }

    fn check<F: Precision>(&self) {
        // The tolerance is the rounding of n terms in the margins.
        let rounding = 10.0 * F::epsilon().as_f64() * self.case.len() as f64;
        let tolerance = rounding * (1.0 + self.length() * self.case.longest());
        let params =
            KernelSvc::params(F::kernel(self.case)).method(|m| m.c(self.c).tolerance(tolerance));
        let data = DatasetBase::new(self.case.x::<F>(), self.labels.clone());
        let model = params.fit(&data).unwrap();
        let values: Array1<F> = model.transform(self.case.new_samples());
        // The offset of the expansion holds what centring subtracts, too.
        let by_coordinates = params.by_coordinates().fit(&data).unwrap();
        let (c, bias) = (self.c, by_coordinates.inner().bias());
        let without_bias = self.case.k_new.dot(&self.dual);
        let free = |a: &f64| a.abs() > 1e-6 * c && a.abs() < c * (1.0 - 1e-6);
        if self.dual.iter().any(free) {
            let expected = &without_bias + self.bias;
            CLAIM.assert_close_function(self.case, &values, &expected, self.dual.view());
        } else {
            CLAIM.assert_close_function(
                self.case,
                &(values - bias),
                &without_bias,
                self.dual.view(),
            );
            self.bias_is_optimal(&model.transform(self.case.x::<F>()), tolerance);
        }
    }

    /// Checks the bias where every coefficient is at a bound, so that an interval of biases is optimal: yᵢf(xᵢ) ≤ 1 where
    /// αᵢ = C, and ≥ 1 where αᵢ = 0, to the solver's tolerance.
    fn bias_is_optimal<F: Precision>(&self, decisions: &Array1<F>, tolerance: f64) {
        let slack = tolerance + F::TOLERANCE * self.length() * self.case.longest();
        for (i, value) in double(decisions).iter().enumerate() {
            let margin = if self.labels[i] { *value } else { -value };
            let optimal = if self.dual[i].abs() > self.c / 2.0 {
                margin <= 1.0 + slack
            } else {
                margin >= 1.0 - slack
            };
            assert!(optimal, "{}: margin {margin} of sample {i}", self.case.name);
        }
    }
}
