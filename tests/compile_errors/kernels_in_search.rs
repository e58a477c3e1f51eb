use npt::linfa::Dataset;
use npt::methods::{
    linear::Svc,
    model_selection::{Folds, GridSearch, accuracy},
};
use npt::ndarray::{Array1, Ix1};
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, bool, Ix1>, folds: &Folds) {
    let search = GridSearch::new([Gaussian::new(0.1), Gaussian::new(1.0)], [Svc::params()]);
    let _scores = search.scores(data, folds, |p: &Array1<bool>, t| accuracy(p, t));
}
