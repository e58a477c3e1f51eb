//! Tests errors in records, and in what a transformer returns for them.

use super::data;
use linfa::{Dataset, DatasetBase, traits::Transformer};
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, s};
use npt::{
    Error::{ColumnCount, NoSamples, SampleNotFinite},
    Pipeline, PipelineError,
    methods::{
        Error,
        linear::Svc,
        model_selection::{Folds, GridSearch, accuracy},
        preprocessing::Imputer,
    },
    prelude::*,
};

#[test]
fn on_bad_records() {
    let data = data(40);
    let pipeline = Pipeline::new(
        LinearScaler::standard(),
        KernelSvc::params(Gaussian::new(0.5)),
    );
    let mut missing = data.clone();
    missing.records[[7, 2]] = f64::NAN;
    let refused = pipeline.fit(&missing).map(|_| ()).unwrap_err();
    let place = |row, column| move |error: &npt::Error| matches!(error, SampleNotFinite { row: r, column: c, value } if (*r, *c) == (row, column) && value.is_nan());
    assert!(matches!(&refused, PipelineError::Records(error) if place(7, 2)(error)));
    // The scaler lets NaN through, to all rows of the column: the error has the place in the output.
    let lax = pipeline
        .clone()
        .with_missing_values()
        .fit(&missing)
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(&lax, PipelineError::Records(error) if place(0, 2)(error)));
    let one_class = Dataset::new(data.records.clone(), Array1::from_elem(40, true));
    let refused = pipeline.fit(&one_class).map(|_| ()).unwrap_err();
    let classes = Error::Classes { found: 1 };
    assert!(
        matches!(refused, PipelineError::Estimator(KernelizedError::Method(e)) if e == classes)
    );
    let short = Dataset::new(data.records.clone(), Array1::from_elem(39, true));
    let refused = pipeline.fit(&short).map(|_| ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "39 targets for 40 samples; each sample takes one"
    );

    let model = pipeline.fit(&data).unwrap();
    let predict = |x: &Array2<f64>| -> Result<Array1<bool>, npt::Error> { model.try_predict(x) };
    let (expected, found) = (3, 2);
    assert_eq!(
        predict(&Array2::zeros((4, 2))),
        Err(ColumnCount { expected, found })
    );
    assert_eq!(predict(&Array2::zeros((0, 3))), Err(NoSamples));
    assert!(place(7, 2)(&predict(&missing.records).unwrap_err()));
    // The scaler's output is out of range.
    let mut far = data.records.clone();
    far[[3, 0]] = f64::MAX;
    assert!(matches!(
        predict(&far),
        Err(SampleNotFinite {
            row: 3,
            column: 0,
            ..
        })
    ));
}

/// A transformer that leaves out rows.
#[derive(Clone)]
struct Half;

impl<T> Fit<Array2<f64>, T, linfa::Error> for Half {
    type Object = Half;

    fn fit(&self, _: &DatasetBase<Array2<f64>, T>) -> Result<Half, linfa::Error> {
        Ok(Half)
    }
}

impl Transformer<Array2<f64>, Array2<f64>> for Half {
    fn transform(&self, x: Array2<f64>) -> Array2<f64> {
        x.slice(s![..;2, ..]).to_owned()
    }
}

#[test]
fn a_transformer_that_leaves_out_rows() {
    let data = data(20);
    let half = Pipeline::new(Half, KernelSvc::params(Gaussian::new(0.5)));
    let (samples, rows) = (20, 10);
    let expected = npt::Error::OutputRows { samples, rows };
    let refused = half.fit(&data).map(|_| ()).unwrap_err();
    assert!(
        matches!(&refused, PipelineError::Records(e) if e == &expected),
        "{refused}"
    );
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], [Svc::params()]).after(Half);
    let folds = Folds::k(20, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let scores = search.scores(&data, &folds, score).unwrap();
    assert_eq!(scores.failures().count(), 4);
    assert!(
        scores
            .failures()
            .all(|f| matches!(f.2, PipelineError::Records(e) if e == &expected))
    );
}

/// Infinities are errors where values may be missing, and empty records are reported as such.
#[test]
fn what_is_not_missing() {
    let mut data = data(20);
    data.records[[3, 1]] = f64::NAN;
    data.records[[12, 2]] = f64::INFINITY;
    let folds = Folds::k(20, 4, 1).unwrap();
    let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], [Svc::params()]);
    let search = search.after(Imputer::mean()).with_missing_values();
    let refused = search.scores(&data, &folds, score).map(|_| ()).unwrap_err();
    let infinite = SampleNotFinite {
        row: 12,
        column: 2,
        value: f64::INFINITY,
    };
    assert_eq!(refused, Error::Core(infinite.clone()));
    let inner = |labels: &Array1<bool>| Folds::stratified(labels, 3, 0);
    let refused = search
        .nested_scores(&data, &folds, inner, score)
        .map(|_| ());
    assert_eq!(refused.unwrap_err(), Error::Core(infinite));

    data.records[[12, 2]] = 0.0;
    let pipeline = Pipeline::new(Imputer::mean(), KernelSvc::params(Gaussian::new(0.5)));
    let model = pipeline.with_missing_values().fit(&data).unwrap();
    let predict = |x: &Array2<f64>| -> Result<Array1<bool>, npt::Error> { model.try_predict(x) };
    assert_eq!(predict(&Array2::zeros((0, 0))), Err(NoSamples));
    let (expected, found) = (3, 1);
    assert_eq!(
        predict(&Array2::zeros((2, 1))),
        Err(ColumnCount { expected, found })
    );
}
