use super::case::{Case, Claim, Precision, config};
use linfa::DatasetBase;
use ndarray::Array1;
use npt::methods::IterativeKernelRidge;
use npt_testkit::{data::normal, oracles};
use proptest::prelude::*;

/// The differences that are allowed by a residual of 1e-11 in f64 and 1e-5 in f32, which the inverse of 𝒦 + λI may enlarge.
const CLAIM: Claim = Claim {
    f64: 1e-8,
    f32: 1e-3,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn iterative_ridge_is_its_closed_form(case in Case::any(2), penalty in 0.01..10.0_f64) {
        check::<f64>(&case, penalty * case.variance(), 1e-11);
        check::<f32>(&case, penalty * case.variance(), 1e-5);
    }
}

fn check<F: Precision>(case: &Case, penalty: f64, tolerance: f64) {
    let x = case.x::<f64>();
    let targets: Array1<f64> =
        x.column(0).mapv(f64::sin) + 0.1 * &normal(x.nrows(), 1, 5).column(0);
    let alpha = oracles::ridge::coefficients(case.k.view(), targets.view(), penalty);
    let expected = case.k_new.dot(&alpha) + targets.mean().unwrap();
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    for pivots in [0, 3, 500] {
        let params = IterativeKernelRidge::params(F::kernel(case))
            .method(|m| m.penalty(penalty).tolerance(tolerance).pivots(pivots));
        for model in [
            params.fit(&data),
            params
                .by_coordinates()
                .fit(&data)
                .map(|m| m.expand().unwrap()),
        ] {
            let predictions = model.unwrap().predict(&case.new_samples());
            CLAIM.assert_close_function(case, &predictions, &expected, alpha.view());
        }
    }
}
