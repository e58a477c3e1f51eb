use super::case::{Case, Precision, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::prelude::*;
use npt_testkit::{
    data::normal,
    oracles::{centering, gaussian_process},
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn gaussian_process_is_algorithm_2_1(case in Case::any(1), noise in 0.01..10.0_f64) {
        let problem = Problem::new(&case, noise);
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

/// A problem whose kernel matrix is not centred.
struct Problem<'a> {
    case: &'a Case,
    k: Array2<f64>,
    k_new: Array2<f64>,
    k_self: Array1<f64>,
    targets: Array1<f64>,
    noise: f64,
}

impl<'a> Problem<'a> {
    /// A problem with the noise in units of the mean variance of f.
    fn new(case: &'a Case, noise: f64) -> Self {
        let kernel = f64::kernel(case);
        let x = Rows::new(case.x::<f64>()).unwrap();
        let new = Rows::new(case.new_samples::<f64>()).unwrap();
        let k = centering::gram(&*kernel, &x);
        let signal = x.view().column(0).mapv(f64::sin);
        Problem {
            case,
            noise: noise * k.diag().mean().unwrap(),
            k,
            k_new: centering::cross(&*kernel, &new, &x),
            k_self: centering::diag(&*kernel, &new),
            targets: 1.0 + signal + normal(x.len(), 1, 5).column(0),
        }
    }

    fn check<F: Precision>(&self) {
        let (name, case) = (&self.case.name, self.case);
        let (k, targets, noise) = (self.k.view(), self.targets.view(), self.noise);
        let expected =
            gaussian_process::predict(k, self.k_new.view(), self.k_self.view(), targets, noise);
        let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
        for axes in [Axes::Principal, Axes::Cholesky] {
            let params = GaussianProcess::params(F::kernel(case)).space(|s| s.axes(axes));
            let model = params.noise(noise).fit(&data).unwrap();
            let (means, variances) = model.predict_with_variance(&case.new_samples()).unwrap();
            // The scale is ‖w‖ times the largest ‖φ(x)‖, the size of the terms that cancel in the means.
            let w = expected.alpha.dot(&k.dot(&expected.alpha)).sqrt();
            let largest = self.k_self.fold(0.0_f64, |m, v| m.max(*v));
            assert_close_on(name, &means, &expected.means, w * largest.sqrt());
            assert_close_on(name, &variances, &expected.variances, largest);
            assert!(variances.iter().all(|&v| v >= F::zero()));
            assert_eq!(model.predict(&case.new_samples()), means);

            // The evidence is a sum of n terms of order 1 at least.
            let value = expected.log_marginal_likelihood;
            let scale = value.abs().max(self.targets.len() as f64);
            let found = Array1::from_elem(1, model.log_marginal_likelihood());
            assert_close_on(name, &found, &Array1::from_elem(1, value), scale);
            self.check_leave_one_out(model.leave_one_out());
        }
    }

    fn check_leave_one_out<F: Precision>(&self, found: &npt::methods::LeaveOneOut<F>) {
        let name = &self.case.name;
        let (k, targets) = (self.k.view(), self.targets.view());
        let (means, variances) = gaussian_process::leave_one_out(k, targets, self.noise);
        let scale = targets.fold(0.0_f64, |m, v| m.max(v.abs()));
        assert_close_on(name, &found.means().to_owned(), &means, scale);
        let scale = variances.fold(0.0_f64, |m, v| m.max(*v));
        assert_close_on(name, &found.variances().to_owned(), &variances, scale);
        let densities = ndarray::Zip::from(&targets)
            .and(&means)
            .and(&variances)
            .map_collect(|t, m, v| {
                -0.5 * (std::f64::consts::TAU * v).ln() - 0.5 * (t - m).powi(2) / v
            });
        let scale = densities.fold(1.0_f64, |m, v| m.max(v.abs()));
        assert_close_on(name, &found.log_densities(), &densities, scale);
    }
}
