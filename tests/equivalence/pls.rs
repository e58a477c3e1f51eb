use super::case::{Case, Precision, assert_close, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array2, Axis, concatenate};
use npt::prelude::*;
use npt_testkit::oracles::{self, pls::Components};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pls_is_the_kernel_algorithm(case in Case::any(5), targets in 1..4_usize) {
        check::<f64>(&case, targets);
        check::<f32>(&case, targets);
    }
}

/// Targets of different sizes: smooth functions of the first feature and the last.
fn targets(case: &Case, count: usize) -> Array2<f64> {
    let x = case.x::<f64>();
    let (first, last) = (x.column(0).to_owned(), x.column(x.ncols() - 1));
    let columns = concatenate![
        Axis(1),
        (3.0 * last.mapv(f64::sin) + &first).insert_axis(Axis(1)),
        first.mapv(|v| 2.0 + v * v).insert_axis(Axis(1)),
        (&first * &last)
            .mapv(|v| 0.5 * v - 7.0)
            .insert_axis(Axis(1))
    ];
    columns.select(Axis(1), &(0..count).collect::<Vec<_>>())
}

fn check<F: Precision>(case: &Case, count: usize) {
    let y = targets(case, count);
    let mean = y.mean_axis(Axis(0)).unwrap();
    let centered = &y - &mean;
    if centered.iter().all(|v| v.abs() < 1e-9) {
        return;
    }
    // There are as many components as rounding does not decide.
    let most = case.rank().min(5);
    let Components { clarity, .. } = oracles::pls::components(case.k.view(), centered.view(), most);
    let components = clarity.iter().take_while(|&&c| c > F::GAP).count();
    if components == 0 {
        return;
    }
    let expected = oracles::pls::components(case.k.view(), centered.view(), components);

    let data = DatasetBase::new(case.x::<F>(), y.mapv(F::cast));
    let params = KernelPls::params(components, F::kernel(case));
    let model = params.fit(&data).unwrap();
    let predicted: Array2<F> = model.predict(&case.new_samples::<F>());
    let values = case.k_new.dot(&expected.coefficients) + &mean;
    assert_close(&case.name, &predicted, &values);

    let training: Array2<F> = model.transform(case.x::<F>());
    let scores: Array2<F> = model.transform(case.new_samples::<F>());
    for k in 0..components {
        let (training, t) = (training.column(k), expected.scores.column(k));
        let along: f64 = training.iter().zip(t).map(|(a, b)| a.as_f64() * b).sum();
        let length = F::cast(along);
        assert_close(&case.name, &(&training / length), &t.to_owned());
        let values = case.k_new.dot(&expected.score_coefficients.column(k));
        let scale = values.fold(1.0 / (case.len() as f64).sqrt(), |m, v| m.max(v.abs()));
        assert_close_on(&case.name, &(&scores.column(k) / length), &values, scale);
    }
}
