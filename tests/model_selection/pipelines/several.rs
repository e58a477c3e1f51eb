//! Tests several transformers in a row, and pipelines put together from parts: a pipeline can be asked whatever its model can be asked.

use super::data;
use linfa::{Dataset, DatasetBase, traits::Transformer};
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Ix1, array, s};
use npt::{
    KernelModel, KernelizedModel, Pipeline, PipelineModel,
    methods::{
        linear::{Logistic, Pca, Ridge},
        preprocessing::{Imputer, StandardScaler},
        streaming::{CoordinateMoments, FitMoments, Moments},
    },
    prelude::*,
};

/// Samples with missing values, one in each seventh row.
fn with_holes(n: usize) -> Dataset<f64, bool, Ix1> {
    let mut data = data(n);
    for row in (0..n).step_by(7) {
        data.records[[row, row % 3]] = f64::NAN;
    }
    data
}

/// The records as an imputer and a scaler transform them, by hand.
fn by_hand(data: &Dataset<f64, bool, Ix1>, new: ArrayView2<'_, f64>) -> [Array2<f64>; 2] {
    let imputer = Imputer::mean().fit(data).unwrap();
    let filled: Array2<f64> = imputer.transform(data.records.clone());
    let scaler = LinearScaler::standard()
        .fit(&DatasetBase::from(filled.clone()))
        .unwrap();
    let new: Array2<f64> = imputer.transform(new);
    [scaler.transform(filled), scaler.transform(new)]
}

/// Two transformers in a row, put together in both ways, give the method fitted to records that were transformed by hand.
#[test]
fn two_in_a_row() {
    let data = with_holes(80);
    let new = with_holes(100).records.slice(s![80.., ..]).to_owned();
    let [records, of_new] = by_hand(&data, new.view());
    let scaled = Dataset::new(records, data.targets.clone());
    let front = || Pipeline::new(Imputer::mean(), LinearScaler::standard()).with_missing_values();

    // Asks a model behind two transformers, and compares with the answer of the model alone.
    macro_rules! behind {
        ($method:expr, |$x:ident, $model:ident| $asked:expr) => {{
            let inner = Pipeline::new(LinearScaler::standard(), $method);
            let right = Pipeline::new(Imputer::mean(), inner).with_missing_values();
            let right = right.fit(&data).unwrap();
            let left = Pipeline::new(front(), $method).with_missing_values();
            let left = left.fit(&data).unwrap();
            let expected = {
                let ($x, $model) = (&of_new, $method.fit(&scaled).unwrap());
                $asked
            };
            let $x = &new;
            let found = {
                let $model = &right;
                $asked
            };
            assert_eq!(found, expected);
            let found = {
                let $model = &left;
                $asked
            };
            assert_eq!(found, expected);
        }};
    }
    let labels = |found: Result<Array1<bool>, npt::Error>| found.unwrap();
    let svc = || KernelSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0));
    behind!(svc(), |x, model| (
        labels(model.try_predict(x)),
        model.decision_function(x).unwrap(),
        model.classes().to_vec()
    ));
    behind!(svc(), |x, model| {
        let rows = x.outer_iter();
        let label = |row: ArrayView1<'_, f64>| model.predict_row(row.to_slice().unwrap()).unwrap();
        rows.map(label).collect::<Vec<bool>>()
    });
    let logistic = || KernelLogistic::params(Gaussian::new(0.5));
    behind!(logistic(), |x, model| (
        labels(model.try_predict(x)),
        model.decision_function(x).unwrap(),
        model.predict_probabilities(x).unwrap(),
        model.classes().to_vec()
    ));
    let logistic = || Kernelized::new(Logistic::params(), Exact::new(Gaussian::new(0.5)));
    behind!(logistic(), |x, model| (
        labels(model.try_predict(x)),
        model.decision_function(x).unwrap(),
        model.predict_probabilities(x).unwrap(),
        model.classes().to_vec()
    ));
    let components = || Kpca::params(2, Gaussian::new(0.5));
    behind!(components(), |x, model| {
        let scores: Result<Array2<f64>, npt::Error> = model.try_transform(x);
        scores.unwrap()
    });
}

/// Three transformers in a row: one changes the number of columns, and the model is behind a pipeline that is itself a transformer.
#[test]
fn three_in_a_row() {
    let data = with_holes(80);
    let new = with_holes(100).records.slice(s![80.., ..]).to_owned();
    let [records, of_new] = by_hand(&data, new.view());
    let pca = Pca::params(2)
        .fit(&DatasetBase::from(records.clone()))
        .unwrap();
    let [records, of_new]: [Array2<f64>; 2] = [records, of_new].map(|x| pca.transform(x));
    let logistic = || KernelLogistic::params(Gaussian::new(0.5));
    let expected = logistic()
        .fit(&Dataset::new(records, data.targets.clone()))
        .unwrap();

    let behind_pca = Pipeline::new(Pca::params(2), logistic());
    let behind_scaler = Pipeline::new(LinearScaler::standard(), behind_pca);
    let model = Pipeline::new(Imputer::mean(), behind_scaler).with_missing_values();
    let named = data.clone().with_feature_names(vec!["a", "b", "c"]);
    let model = model.fit(&named).unwrap();
    assert_eq!(model.feature_names(), ["a", "b", "c"]);
    assert_eq!(model.classes(), [false, true]);
    let probabilities = model.predict_probabilities(&new).unwrap();
    assert_eq!(
        probabilities,
        expected.predict_probabilities(&of_new).unwrap()
    );
    let values = model.method_records(new.view()).unwrap();
    assert_eq!(
        values.column(0),
        expected.decision_function(&of_new).unwrap().column(0)
    );
    // Errors are in terms of the user's records.
    let mut infinite = new.clone();
    infinite[[3, 1]] = f64::INFINITY;
    let refused: Result<Array1<bool>, npt::Error> = model.try_predict(&infinite);
    let expected = npt::Error::SampleNotFinite {
        row: 3,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(refused, Err(expected));
    let refused: Result<bool, npt::Error> = model.predict_row(&[1.0, 2.0]);
    let (expected, found) = (3, 2);
    assert_eq!(refused, Err(npt::Error::ColumnCount { expected, found }));
}

/// One row is predicted as it is among others, by models with and without a transformer, for labels and for numbers.
#[test]
fn one_row() {
    let data = data(60);
    let texts = data
        .clone()
        .map_targets(|&side| if side { "in" } else { "out" });
    let model = Pipeline::new(
        StandardScaler::params(),
        KernelSvc::params(Gaussian::new(0.5)),
    );
    let model = model.fit(&texts).unwrap();
    let all: Array1<&str> = model.try_predict(&data.records).unwrap();
    assert!(all.iter().any(|&label| label == "in") && all.iter().any(|&label| label == "out"));
    for (row, label) in data.records.outer_iter().zip(&all) {
        assert_eq!(
            model.predict_row(row.to_slice().unwrap()).as_ref(),
            Ok(label)
        );
    }

    let numbers = Dataset::new(data.records.clone(), data.records.column(2).mapv(f64::sin));
    let kernel = || LengthScales::new(Gaussian::new(0.5), vec![1e-3, 1e3, 1.0]);
    let ridge = KernelRidge::params(kernel()).fit(&numbers).unwrap();
    let by_coordinates = KernelRidge::params(kernel()).by_coordinates();
    let by_coordinates = by_coordinates.fit(&numbers).unwrap();
    let among_others: Array1<f64> = ridge.try_predict(&data.records).unwrap();
    let scale = among_others.fold(0.0_f64, |m, v| m.max(v.abs()));
    for (row, &value) in data.records.outer_iter().zip(&among_others) {
        let row = row.to_slice().unwrap();
        let [found, of_space]: [f64; 2] =
            [ridge.predict_row(row), by_coordinates.predict_row(row)].map(Result::unwrap);
        // These are sums of 60 products in another order, of kernel values that are exact to a few ε; the coefficients are no larger than
        // the targets over the penalty of 1.
        assert!((found - value).abs() <= 1e-13 * scale, "{found} {value}");
        assert!(
            (of_space - value).abs() <= 1e-10 * scale,
            "{of_space} {value}"
        );
    }
    let refused: Result<f64, npt::Error> = ridge.predict_row(&[1.0, f64::NAN, 0.0]);
    assert!(matches!(
        refused,
        Err(npt::Error::SampleNotFinite {
            row: 0,
            column: 1,
            ..
        })
    ));
    let refused: Result<f64, npt::Error> = ridge.predict_row(&[]);
    assert_eq!(refused, Err(npt::Error::NoFeatures { samples: 1 }));
}

/// A pipeline is fitted to blocks of rows, of which only sums are kept: first the scaler, then the regression on scaled rows. Names stay.
#[test]
fn of_blocks() {
    let x = data(300).records;
    let y = x.column(0).mapv(|v| (1e3 * v).sin());
    let block = |k: usize| {
        let rows = s![60 * k..60 * (k + 1), ..];
        Dataset::new(
            x.slice(rows).to_owned(),
            y.slice(s![60 * k..60 * (k + 1)]).to_owned(),
        )
    };
    let mut moments = Moments::new(3);
    (0..5).try_for_each(|k| moments.add(&block(k))).unwrap();
    let scaler: StandardScaler<f64> = StandardScaler::params().fit_moments(&moments).unwrap();
    let scale = |x: &Array2<f64>| -> Array2<f64> { scaler.transform(x.view()) };
    // The scaler is that of all rows at once, to the rounding of the mean of 300 rows at 10⁴ deviations.
    let whole = StandardScaler::params()
        .fit(&Dataset::new(x.clone(), y.clone()))
        .unwrap();
    let off = (&whole.deviations() / &scaler.deviations() - 1.0).mapv(f64::abs);
    assert!(off.iter().all(|&off| off < 1e-12), "{off}");

    let landmarks = Pivoting::greedy(40);
    let builder = Nystrom::new(Gaussian::new(0.5), landmarks).axes(Axes::Cholesky);
    let (space, ..) = builder
        .fit_space(&scale(&block(0).records))
        .unwrap()
        .into_parts();
    let mut sums = CoordinateMoments::new(&space).unwrap();
    for k in 0..5 {
        let block = block(k);
        sums.add(&Dataset::new(scale(&block.records), block.targets))
            .unwrap();
    }
    let ridge: Ridge<f64> = Ridge::params()
        .penalty(1e-3)
        .fit_moments(&sums.into_moments().unwrap())
        .unwrap();
    let model = KernelizedModel::new(ridge, space).expand().unwrap();
    let expected: Array1<f64> = model.try_predict(&scale(&x)).unwrap();

    let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
    let pipeline = PipelineModel::new(scaler.clone(), model.clone(), 3).unwrap();
    let pipeline = pipeline.with_feature_names(names.clone());
    assert_eq!(pipeline.feature_names(), names);
    assert_eq!(pipeline.try_predict(&x), Ok(expected.clone()));
    assert_eq!(pipeline.predict(&x), expected);
    // An imputer in front changes nothing where nothing is missing.
    let imputer = Imputer::mean().fit(&DatasetBase::from(x.clone())).unwrap();
    let both = PipelineModel::new(imputer, pipeline, 3)
        .unwrap()
        .with_missing_values();
    assert_eq!(both.try_predict(&x), Ok(expected));
    let missing: Result<f64, npt::Error> = both.predict_row(&[f64::NAN, 0.0, -1e4]);
    assert!(missing.unwrap().is_finite());

    let (expected, found) = (3, 2);
    let refused: Result<f64, npt::Error> = both.predict_row(&[0.0, 1.0]);
    assert_eq!(refused, Err(npt::Error::ColumnCount { expected, found }));
    let nothing = PipelineModel::new(LinearScaler::standard().fit(&data(5)).unwrap(), (), 0);
    assert_eq!(nothing.err(), Some(npt::Error::NoFeatures { samples: 1 }));
}

/// Scaling takes means and deviations with weights as counts; also in f32, for one sample, and for features that do not vary.
#[test]
fn scaling() {
    let x = array![[1.0, 0.1, 5.0], [4.0, 0.1, 1e8], [2.0, 0.1, -3.0]];
    let fit = |x: &Array2<f64>, weights: Option<Array1<f32>>| {
        let data = DatasetBase::from(x.clone());
        let data = match weights {
            Some(weights) => data.with_weights(weights),
            None => data,
        };
        StandardScaler::params().fit(&data).unwrap()
    };
    let repeated = x.select(Axis(0), &[0, 0, 2, 2, 2]);
    let (weighted, by_rows) = (fit(&x, Some(array![2.0, 0.0, 3.0])), fit(&repeated, None));
    // The mean is (1 + 1 + 2 + 2 + 2)/5, and the variance is 2·0.6² + 3·0.4² = 1.2 over 5.
    assert!((weighted.mean()[0] - 1.6).abs() < 1e-15);
    assert!((weighted.deviations()[0] - 0.24_f64.sqrt()).abs() < 1e-15);
    // The mean of three times 0.1 by sums is not 0.1, but the feature does not vary.
    for scaler in [&weighted, &by_rows, &fit(&x, None)] {
        assert_eq!((scaler.mean()[1], scaler.deviations()[1]), (0.1, 1.0));
    }
    let off = &weighted.deviations() / &by_rows.deviations() - 1.0;
    assert!(off.iter().all(|off: &f64| off.abs() < 1e-15), "{off}");
    let one = fit(&array![[3.0, -2.0]], None);
    assert_eq!(one.transform(array![[3.0, -1.0]]), array![[0.0, 1.0]]);

    // The values are scikit-learn 1.9.1's: StandardScaler().fit(x).mean_, .scale_ of [[1, 2], [4, 2.5], [7, 9], [0, 1]].
    let x = array![[1.0_f32, 2.0], [4.0, 2.5], [7.0, 9.0], [0.0, 1.0]];
    let scaler = StandardScaler::params().fit(&DatasetBase::from(x)).unwrap();
    assert_eq!(scaler.mean(), array![3.0, 3.625]);
    let expected = array![2.738_613_f32, 3.149_901];
    let off = (&scaler.deviations() / &expected - 1.0).mapv(f32::abs);
    assert!(off.iter().all(|&off| off <= 4.0 * f32::EPSILON), "{off}");

    let huge = DatasetBase::from(array![[f64::MAX], [-f64::MAX]]);
    let refused = StandardScaler::params().fit(&huge);
    assert_eq!(
        refused,
        Err(npt::methods::Error::Overflow { of: "Moments" })
    );
    let missing = DatasetBase::from(array![[1.0], [f64::NAN]]);
    let refused = StandardScaler::params().fit(&missing).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "sample 1 has the value NaN in column 0; all must be finite"
    );
    let none: Result<StandardScaler<f64>, _> =
        StandardScaler::params().fit_moments(&Moments::new(2));
    assert_eq!(none, Err(npt::Error::NoSamples.into()));
}
