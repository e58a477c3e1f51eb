use super::case::{Case, Claim, Precision, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, concatenate};
use npt::{methods::linear::RidgePath, prelude::*};
use npt_testkit::{data::normal, oracles};
use proptest::prelude::*;

/// The claim in the README's table.
const CLAIM: Claim = Claim {
    f64: 5e-11,
    f32: 3e-4,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn ridge_is_its_closed_form(case in Case::any(2), penalty in 0.01..10.0_f64) {
        check::<f64>(&case, penalty * case.variance());
        check::<f32>(&case, penalty * case.variance());
    }

    /// The leave-one-out errors of one decomposition, in a space that holds all samples, are those of n separate fits,
    /// each with its own centring.
    #[test]
    fn leave_one_out_leaves_one_out_from_the_start(case in Case::any(3), penalty in 0.01..10.0_f64) {
        check_leave_one_out::<f64>(&case, penalty * case.variance());
        check_leave_one_out::<f32>(&case, penalty * case.variance());
    }
}

fn targets(case: &Case) -> Array1<f64> {
    let x = case.x::<f64>();
    x.column(0).mapv(f64::sin) + 0.1 * &normal(x.nrows(), 1, 5).column(0)
}

fn check<F: Precision>(case: &Case, penalty: f64) {
    let targets = targets(case);
    let alpha = oracles::ridge::coefficients(case.k.view(), targets.view(), penalty);
    let expected = case.k_new.dot(&alpha) + targets.mean().unwrap();
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    for axes in [Axes::Principal, Axes::Cholesky] {
        let params = KernelRidge::params(F::kernel(case))
            .space(|s| s.axes(axes))
            .method(|m| m.penalty(penalty));
        let predictions = params.fit(&data).unwrap().predict(&case.new_samples());
        CLAIM.assert_close_function(case, &predictions, &expected, alpha.view());
    }
    // There are two target columns, the second of which is the first with its sign changed; the penalty is one of two.
    let both = concatenate![
        Axis(1),
        data.targets().view().insert_axis(Axis(1)),
        data.targets().mapv(|v| -v).insert_axis(Axis(1))
    ];
    let model = KernelRidge::params(F::kernel(case))
        .method(|m| m.penalties(&[penalty, penalty]))
        .fit(&DatasetBase::new(data.records, both))
        .unwrap();
    let predictions: Array2<F> = model.predict(&case.new_samples());
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        let found = predictions.column(i).mapv(|v| v * F::cast(sign));
        CLAIM.assert_close_function(case, &found, &expected, alpha.view());
    }
}

fn check_leave_one_out<F: Precision>(case: &Case, penalty: f64) {
    let targets = targets(case);
    let expected = oracles::ridge::leave_one_out(case.k.view(), targets.view(), penalty);
    let space = Exact::new(F::kernel(case)).axes(Axes::Cholesky);
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    let path = Kernelized::new(RidgePath::params(&[penalty]), space);
    let model = path.fit(&data).unwrap();
    let point = &model.inner().points()[0];
    let scale = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    let scale = scale.max(targets.fold(0.0, |m, v| m.max(v.abs())));
    CLAIM.assert_close_on(
        &case.name,
        point.leave_one_out_residuals(),
        &expected,
        scale,
    );
    let error = expected.mapv(|e| e * e).mean().unwrap();
    let found = Array1::from_elem(1, point.leave_one_out_error());
    CLAIM.assert_close_on(
        &case.name,
        &found,
        &Array1::from_elem(1, error),
        scale * scale,
    );
    // The degrees of freedom are tr K(K + λI)⁻¹, and 1 for the intercept.
    let freedom: f64 = case.eigenvalues().iter().map(|v| v / (v + penalty)).sum();
    let found = Array1::from_elem(1, point.degrees_of_freedom());
    CLAIM.assert_close_on(
        &case.name,
        &found,
        &Array1::from_elem(1, 1.0 + freedom),
        1.0 + freedom,
    );
}
