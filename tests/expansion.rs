//! Linear models folded back to sums of kernel values: the same predictions without coordinates.

use linfa::DatasetBase;
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, array};
use npt::{Error, Expansion, KernelRows, methods::KernelRegressionDiscriminant, prelude::*};
use npt_testkit::data::{circles, duplicates, low_rank, normal};

const TOLERANCE: f64 = 1e-10;

fn assert_close(what: &str, found: &Array2<f64>, expected: &Array2<f64>) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    let scale = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (found - expected).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(
        off <= TOLERANCE * scale,
        "{what}: off by {off:e} of {scale:e}"
    );
}

/// The values of a ready-made method, which predicts by its expansion, and of the same model by
/// coordinates.
macro_rules! assert_folded {
    ($what:expr, $model:expr, $new:expr, $values:ty) => {{
        let model = $model.unwrap();
        let by_kernel_values: $values = model.transform($new.clone());
        let whole = model.into_unfolded();
        let by_coordinates: $values = whole.transform($new.clone());
        let columns = |values: $values| {
            let shape = ($new.nrows(), values.len() / $new.nrows());
            values.into_shape_with_order(shape).unwrap()
        };
        assert_close($what, &columns(by_kernel_values), &columns(by_coordinates));
        whole
    }};
}

/// Every method of ours that is linear, on both axes, on plain and on degenerate samples.
#[test]
fn methods_predict_by_their_expansions() {
    let sets = [
        ("plain", normal(40, 3, 1)),
        ("more features than samples", normal(8, 20, 2)),
        ("duplicates", duplicates(15, 3, 2, 3)),
        ("on a line", low_rank(30, 4, 1, 4)),
    ];
    for (name, x) in sets {
        let new = normal(9, x.ncols(), 5);
        let sums = x.sum_axis(Axis(1));
        let median = sums.mean().unwrap();
        let sides = sums.mapv(|v| v > median);
        let kernel = Gaussian::new(0.3);
        let plain = DatasetBase::from(x.clone());
        let classes = DatasetBase::new(x.clone(), sides.mapv(usize::from));
        let sides = DatasetBase::new(x.clone(), sides);
        let values = DatasetBase::new(x.clone(), sums);
        for axes in [Axes::Principal, Axes::Cholesky] {
            let space = || Exact::new(kernel).axes(axes);
            let what = |method: &str| format!("{method}, {name}, {axes:?}");
            let model = Kpca::params(2, kernel).space(space()).fit(&plain);
            assert_folded!(&what("KPCA"), model, new, Array2<f64>);
            let model = KpcaL1::params(2, kernel).space(space()).fit(&plain);
            assert_folded!(&what("KPCA-L1"), model, new, Array2<f64>);
            let model = Kfd::params(kernel).space(space()).fit(&classes);
            assert_folded!(&what("KFD"), model, new, Array2<f64>);
            let model = KernelRegressionDiscriminant::params(1, kernel).space(space());
            assert_folded!(&what("KDAr"), model.fit(&values), new, Array2<f64>);
            let model = KernelIca::params(1, kernel).space(space()).fit(&plain);
            assert_folded!(&what("ICA"), model, new, Array2<f64>);
            let model = KernelPls::params(2, kernel).space(space()).fit(&values);
            assert_folded!(&what("PLS"), model, new, Array2<f64>);
            let model = KernelLogistic::params(kernel).space(space()).fit(&classes);
            assert_folded!(&what("logistic"), model, new, Array2<f64>);
            let model = KernelSvc::params(kernel).space(space()).fit(&sides);
            assert_folded!(&what("SVC"), model, new, Array1<f64>);
            let model = KernelNuSvc::params(0.2, kernel).space(space()).fit(&sides);
            assert_folded!(&what("ν-SVC"), model, new, Array1<f64>);
            let model = KernelMulticlassSvc::params(kernel).space(space());
            assert_folded!(&what("classes"), model.fit(&classes), new, Array2<f64>);
            let model = KernelCalibratedSvc::params(kernel).space(space()).folds(2);
            assert_folded!(&what("calibrated"), model.fit(&classes), new, Array2<f64>);
            let model = KernelSvr::params(kernel).space(space()).fit(&values);
            assert_folded!(&what("SVR"), model, new, Array1<f64>);
            let space = space().centered(false);
            let model = KernelOneClassSvm::params(0.5, kernel).space(space.clone());
            assert_folded!(&what("one class"), model.fit(&plain), new, Array1<f64>);

            let model = KernelRidge::params(kernel)
                .space(space)
                .fit(&values)
                .unwrap();
            let (found, expected) = (model.predict(&new), model.unfolded().predict(&new));
            let column = |values: Array1<f64>| values.insert_axis(Axis(1));
            assert_close(&what("ridge"), &column(found), &column(expected));
        }
    }
}

/// Either view of a canonical correlation.
#[test]
fn views_are_folded_back() {
    let x = normal(30, 3, 1);
    let kernel = Gaussian::new(0.3);
    let model = KernelCca::params(2, kernel, kernel).fit(&x, &x.mapv(f64::sin));
    let view = model.unwrap().second().clone();
    let new = normal(9, 3, 2);
    let by_coordinates: Array2<f64> = view.transform(new.clone());
    let by_kernel_values: Array2<f64> = view.fold().unwrap().transform(new);
    assert_close("CCA", &by_kernel_values, &by_coordinates);
}

/// Labels and scores, in all forms that linfa has, and those without panic.
#[test]
fn a_folded_model_predicts_in_all_forms() {
    let (x, labels) = circles(60, 1);
    let data = DatasetBase::new(x, labels);
    let model = Kfd::params(Gaussian::new(0.5)).fit(&data).unwrap();
    let new = normal(20, 2, 2);
    let expected: Array1<usize> = model.clone().into_unfolded().predict(&new);
    assert!(expected.iter().any(|&l| l == 0) && expected.iter().any(|&l| l == 1));

    assert_eq!(model.predict(&new), expected);
    assert_eq!(model.predict(new.clone()).targets, expected);
    let rows = Rows::new(new.clone()).unwrap();
    assert_eq!(model.predict(&rows), expected);
    assert_eq!(model.try_predict(&new), Ok(expected.clone()));
    let mut in_place = Array1::zeros(20);
    model.try_predict_inplace(&rows, &mut in_place).unwrap();
    assert_eq!(in_place, expected);

    let scores: Array2<f64> = model.transform(rows.clone());
    assert_eq!(model.try_transform(&new), Ok(scores));
    let wide: Result<Array1<usize>, Error> = model.try_predict(&normal(2, 5, 1));
    let (expected, found) = (2, 5);
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
    let wide: Result<Array2<f64>, Error> = model.try_transform(&normal(2, 5, 1));
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
}

/// Any linear model, by its weights: linfa's, in a space of few components.
#[test]
fn a_regression_of_linfa_is_folded_back_by_its_weights() {
    let x = normal(60, 2, 1);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1]);
    let space = Exact::new(Gaussian::new(0.5)).rank(Rank::Components(15));
    let estimator = Kernelized::new(LinearRegression::new(), space);
    let model = estimator.fit(&DatasetBase::new(x, y)).unwrap();
    let weights = model.inner().params().view().insert_axis(Axis(1));
    let offset = array![model.inner().intercept()];
    let expansion = model.space().expansion(weights, offset.view()).unwrap();
    let new = normal(300, 2, 2);
    let expected: Array1<f64> = model.predict(&new);
    let found = expansion.evaluate(&new).unwrap();
    assert_close("regression", &found, &expected.insert_axis(Axis(1)));
}

/// An indefinite kernel whose negative part is clipped, centred and not.
#[test]
fn clipped_spaces_are_folded_back() {
    let x = normal(25, 3, 1);
    for centered in [true, false] {
        let space = Exact::new(Sigmoid::new(0.8, -0.5))
            .indefinite(Indefinite::Clip)
            .centered(centered)
            .fit_space(&x)
            .unwrap();
        let directions = normal(space.rank(), 2, 3);
        let offsets = array![0.3, -1.0];
        let expansion = space.expansion(directions.view(), offsets.view()).unwrap();
        let new = normal(9, 3, 2);
        let expected = space.coordinates(&new).unwrap().dot(&directions) + &offsets;
        assert_close("clipped", &expansion.evaluate(&new).unwrap(), &expected);
    }
}

/// The expansion of a support vector machine is over its support vectors.
#[test]
fn samples_without_weight_are_dropped() {
    let (x, labels) = circles(80, 1);
    let data = DatasetBase::new(x, labels.mapv(|label| label == 1));
    let model = KernelSvc::params(Laplacian::new(1.0))
        .c(10.0)
        .fit(&data)
        .unwrap();
    let support = model.inner().dual().iter().filter(|&&v| v != 0.0).count();
    let expansion: &Expansion<_, _> = model.expansion();
    assert!(support < 80, "some samples are no support vectors");
    assert_eq!(expansion.samples().len(), support);
    let whole = assert_folded!("SVC", Ok::<_, Error>(model), data.records(), Array1<f64>);
    assert_eq!(whole.expansion().unwrap().samples().len(), support);
}

#[test]
fn samples_that_are_no_vectors() {
    let gram = Gaussian::new(0.3).gram(&Rows::new(normal(20, 3, 1)).unwrap());
    let rows = KernelRows::training(gram.view()).unwrap();
    let data = DatasetBase::from(rows.clone());
    let model = Kpca::params(3, Precomputed::new()).fit(&data).unwrap();
    let by_kernel_values: Array2<f64> = model.transform(rows.clone());
    let by_coordinates: Array2<f64> = model.into_unfolded().transform(rows);
    assert_close("precomputed", &by_kernel_values, &by_coordinates);
}

#[test]
fn wrong_shapes_and_records_are_refused() {
    let x = normal(12, 3, 1);
    let space = Exact::new(Gaussian::new(0.5)).fit_space(&x).unwrap();
    let rank = space.rank();
    let refused = |rows: usize, columns: usize| {
        let directions = Array2::<f64>::ones((rows, columns));
        space.expansion(directions.view(), array![0.0].view()).err()
    };
    let error = |expected, found| Some(Error::CoefficientCount { expected, found });
    assert_eq!(refused(rank - 1, 1), error(rank, rank - 1));
    assert_eq!(refused(rank, 2), error(1, 2));

    let directions = Array2::ones((rank, 1));
    let expansion = space
        .expansion(directions.view(), array![0.0].view())
        .unwrap();
    let (expected, found) = (3, 4);
    assert_eq!(
        expansion.evaluate(&normal(2, 4, 1)).err(),
        Some(Error::ColumnCount { expected, found })
    );
    let mut not_finite = normal(2, 3, 1);
    not_finite[[1, 2]] = f64::INFINITY;
    let (row, column, value) = (1, 2, f64::INFINITY);
    assert_eq!(
        expansion.evaluate(&not_finite).err(),
        Some(Error::SampleNotFinite { row, column, value })
    );
}
