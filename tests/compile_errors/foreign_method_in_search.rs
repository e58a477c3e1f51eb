use npt::linfa::{
    Dataset, DatasetBase,
    traits::{Fit, PredictInplace},
};
use npt::methods::model_selection::{Folds, GridSearch};
use npt::ndarray::{Array1, Array2, Ix1};
use npt::prelude::{Exact, Gaussian};

/// A method without `ExpansionMethod`.
pub struct Mean;
pub struct Constant(f64);

impl Fit<Array2<f64>, Array1<f64>, npt::methods::Error> for Mean {
    type Object = Constant;
    fn fit(
        &self,
        data: &DatasetBase<Array2<f64>, Array1<f64>>,
    ) -> Result<Constant, npt::methods::Error> {
        Ok(Constant(data.targets.mean().unwrap_or(0.0)))
    }
}

impl PredictInplace<Array2<f64>, Array1<f64>> for Constant {
    fn predict_inplace(&self, _: &Array2<f64>, y: &mut Array1<f64>) {
        y.fill(self.0);
    }
    fn default_target(&self, x: &Array2<f64>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}

pub fn mistake(data: &Dataset<f64, f64, Ix1>, folds: &Folds) {
    let search = GridSearch::new([Exact::new(Gaussian::new(0.5))], [Mean]);
    let _scores = search.scores(data, folds, |p: &Array1<f64>, t: &Array1<f64>| {
        -(p - t).std(0.0)
    });
}
