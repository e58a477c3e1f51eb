use crate::case::{Case, Precision, assert_close_function, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::{Scalar, linalg, methods::Error, prelude::*};
use npt_testkit::{data::normal, oracles};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn ridge_is_its_closed_form(case in Case::any(2), penalty in 0.01..10.0_f64) {
        check::<f64>(&case, penalty * case.variance());
        check::<f32>(&case, penalty * case.variance());
    }
}

fn check<F: Precision>(case: &Case, penalty: f64) {
    let x = case.x::<f64>();
    let targets = x.column(0).mapv(f64::sin) + 0.1 * &normal(x.nrows(), 1, 5).column(0);
    let alpha = oracles::ridge::coefficients(case.k.view(), targets.view(), penalty);
    let expected = case.k_new.dot(&alpha) + targets.mean().unwrap();
    let data = DatasetBase::new(case.x::<F>(), targets.mapv(F::cast));
    let ridge = Ridge {
        penalty: F::cast(penalty),
    };
    for axes in [Axes::Principal, Axes::Cholesky] {
        let estimator = Kernelized::new(ridge, Exact::new(F::kernel(case)).axes(axes));
        let model = estimator.fit(&data).unwrap();
        let predictions = model.predict(&case.new_samples());
        assert_close_function(case, &predictions, &expected, alpha.view());
    }
}

/// Ridge regression in closed form: a linear method written for this test.
#[derive(Clone, Copy)]
struct Ridge<F> {
    penalty: F,
}

struct RidgeModel<F> {
    weights: Array1<F>,
    intercept: F,
}

impl<F: Scalar> Fit<Array2<F>, Array1<F>, Error> for Ridge<F> {
    type Object = RidgeModel<F>;

    fn fit(&self, data: &DatasetBase<Array2<F>, Array1<F>>) -> Result<RidgeModel<F>, Error> {
        let x = data.records();
        let intercept = data.targets().mean().expect("fit is given samples");
        let mut normal = linalg::symmetric_rank_k(x.view());
        normal.diag_mut().mapv_inplace(|v| v + self.penalty);
        let l = linalg::cholesky(&normal)?;
        let centred = data.targets().mapv(|v| v - intercept);
        let right = x.t().dot(&centred).insert_axis(Axis(1));
        let half = linalg::solve_lower(l.view(), right.view());
        let weights = linalg::solve_lower_transposed(l.view(), half.view());
        Ok(RidgeModel {
            weights: weights.column(0).to_owned(),
            intercept,
        })
    }
}

impl<F: Scalar> PredictInplace<Array2<F>, Array1<F>> for RidgeModel<F> {
    fn predict_inplace(&self, x: &Array2<F>, y: &mut Array1<F>) {
        y.assign(&x.dot(&self.weights).mapv(|v| v + self.intercept));
    }

    fn default_target(&self, x: &Array2<F>) -> Array1<F> {
        Array1::zeros(x.nrows())
    }
}
