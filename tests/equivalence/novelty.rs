use super::case::{Case, Precision, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt_testkit::oracles::{self, centering};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn reconstruction_errors_are_kernel_sums(case in Case::any(2)) {
        check::<f64>(&case);
        check::<f32>(&case);
    }
}

/// Checks κ_c(x, x) − Σ scoreₖ², on the scale of the largest κ_c(x, x) and κ(x, x), the terms that cancel in it.
fn check<F: Precision>(case: &Case) {
    let eigenvalues = case.eigenvalues();
    let apart = |&i: &usize| {
        let next = eigenvalues.get(i).copied().unwrap_or(0.0);
        eigenvalues[i - 1] - next > F::GAP * eigenvalues[0]
    };
    let Some(components) = (1..=5.min(eigenvalues.len())).rev().find(apart) else {
        return;
    };
    let kernel = f64::kernel(case);
    let x = Rows::new(case.x::<f64>()).unwrap();
    let new = Rows::new(case.new_samples::<f64>()).unwrap();
    let lengths = centering::centered_diag(&*kernel, &new, &x);
    let longest = |values: &Array1<f64>| values.fold(0.0_f64, |m, v| m.max(v.abs()));
    let scale = longest(&lengths)
        .max(longest(&centering::diag(&*kernel, &new)))
        .max(longest(&centering::diag(&*kernel, &x)));

    let params = NoveltyDetector::params(F::kernel(case)).rank(Rank::Components(components));
    let data = DatasetBase::from(case.x::<F>());
    let model = params.fit(&data).unwrap();
    let expected = |k_new: &Array2<f64>, lengths: &Array1<f64>| -> Array1<f64> {
        let scores = oracles::kpca::scores(case.k.view(), k_new.view(), components);
        lengths - &scores.mapv(|score| score * score).sum_axis(Axis(1))
    };
    let found: Array1<F> = model.transform(case.new_samples::<F>());
    assert_close_on(&case.name, &found, &expected(&case.k_new, &lengths), scale);
    let training = expected(&case.k, &case.k.diag().to_owned());
    assert_close_on(
        &case.name,
        &model.training_errors().to_owned(),
        &training,
        scale,
    );

    let novel: Array1<bool> = model.predict(&case.new_samples::<F>());
    for (&novel, &error) in novel.iter().zip(&found) {
        assert_eq!(novel, error > model.threshold());
    }
}

/// A training sample alone has the error that it has among all, to the rounding of κ(x, x) = 1.
#[test]
fn errors_do_not_depend_on_company() {
    let waves = Array2::from_shape_fn((100, 3), |(i, j)| (3 * i + 2 * j) as f64);
    let (x, kernel) = (waves.mapv(f64::sin), Gaussian::new(0.7));
    for rank in [
        Rank::Variance(0.9),
        Rank::Components(20),
        Rank::Tolerance(1e-10),
        Rank::Tolerance(0.0),
    ] {
        let params = NoveltyDetector::params(kernel).rank(rank);
        let model = params.quantile(1.0).fit(&DatasetBase::from(x.clone()));
        let model = model.unwrap();
        for (row, &among_all) in x.outer_iter().zip(model.training_errors()) {
            let alone = row.insert_axis(Axis(0));
            let error = model.reconstruction_errors(&alone).unwrap()[0];
            let off = (error - among_all).abs();
            assert!(off < 1e-14, "{rank:?}: {off:e}");
            assert!(error <= model.threshold(), "{rank:?}");
        }
    }
}

/// The margin of the threshold is enough in f32, too.
#[test]
fn training_samples_alone_are_not_novel() {
    let waves = Array2::from_shape_fn((100, 3), |(i, j)| (3 * i + 2 * j) as f32);
    let (x, kernel) = (waves.mapv(f32::sin), Gaussian::new(0.7));
    let params = NoveltyDetector::params(kernel).rank(Rank::Components(8));
    let model = params.quantile(1.0).fit(&DatasetBase::from(x.clone()));
    let model = model.unwrap();
    for (row, &among_all) in x.outer_iter().zip(model.training_errors()) {
        let error = model
            .reconstruction_errors(&row.insert_axis(Axis(0)))
            .unwrap()[0];
        assert!(
            (error - among_all).abs() <= 64.0 * f32::EPSILON,
            "{error} {among_all}"
        );
        assert!(error <= model.threshold());
    }
}
