use super::case::{Case, Precision, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt_testkit::oracles::logistic::{coefficients, softmax};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn logistic_regression_is_its_kernel_trick(
        case in Case::any(4),
        classes in 2..4_usize,
        penalty in 0.02..5.0_f64,
    ) {
        let problem = Problem::new(&case, classes, penalty * case.variance());
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

struct Problem<'a> {
    case: &'a Case,
    labels: Array1<usize>,
    penalty: f64,
    /// The values at the new samples, one column a function.
    values: Array2<f64>,
    probabilities: Array2<f64>,
    /// ‖w‖·max‖φ(xᵢ)‖ + |b|: the size of the terms that cancel in the values.
    scale: f64,
}

impl<'a> Problem<'a> {
    fn new(case: &'a Case, classes: usize, penalty: f64) -> Self {
        let labels = case.classes(classes);
        // For two classes one function is the difference of two that share its penalty:
        // ½λ‖w‖² = ½(2λ)(‖w/2‖² + ‖−w/2‖²).
        let shared = if classes == 2 { 2.0 * penalty } else { penalty };
        let slice = labels.as_slice().unwrap();
        let (alpha, b) = coefficients(case.k.view(), slice, shared);
        let values = case.k_new.dot(&alpha) + &b;
        let squares = (&alpha * &case.k.dot(&alpha)).sum_axis(Axis(0));
        let w = squares.fold(0.0_f64, |m, v| m.max(*v)).sqrt();
        let b = b.fold(0.0_f64, |m, v| m.max(v.abs()));
        Problem {
            probabilities: softmax(values.clone()),
            values: if classes == 2 {
                (&values.column(1) - &values.column(0)).insert_axis(Axis(1))
            } else {
                values
            },
            scale: w * case.longest() + b,
            labels,
            penalty,
            case,
        }
    }

    fn check<F: Precision>(&self) {
        let (name, case) = (&self.case.name, self.case);
        let data = DatasetBase::new(case.x::<F>(), self.labels.clone());
        for axes in [Axes::Principal, Axes::Cholesky] {
            let params = KernelLogistic::params(F::kernel(case)).space(|s| s.axes(axes));
            let params = params.method(|m| m.penalty(self.penalty));
            let model = params.fit(&data).unwrap();
            let values: Array2<F> = model.transform(case.new_samples());
            assert_close_on(name, &values, &self.values, self.scale);
            let found = model.predict_probabilities(&case.new_samples()).unwrap();
            assert_close_on(name, &found, &self.probabilities, self.scale.max(1.0));
            let sums = found.sum_axis(Axis(1)).mapv(F::as_f64);
            assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6));
        }
    }
}
