//! Correct versions of the code in the other files of this folder.

use npt::linfa::Dataset;
use npt::methods::linear::Ridge;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn right(data: &Dataset<f64, f64, Ix1>) {
    let _model = Kernelized::new(Ridge::params(), Exact::new(Gaussian::new(0.5))).fit(data);
    let _model = KernelRidge::params(FnKernel::new(|a: &[f64], b: &[f64]| a[0] * b[0])).fit(data);
}

pub fn in_files_and_pipelines(data: &Dataset<f64, bool, Ix1>) {
    let scaler = npt::methods::preprocessing::StandardScaler::params();
    let svc = KernelSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0));
    let model = Pipeline::new(scaler, svc.space(|s| s.rank(Rank::Components(5))));
    let model = model.fit(data).unwrap();
    npt::model_file::save(&model, "model.npt").unwrap();
    let _label: bool = model.predict_row(&[1.0, 2.0]).unwrap();
}
