use npt::linfa::Dataset;
use npt::model_file::save;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, &'static str, Ix1>) {
    let model = KernelSvc::params(Gaussian::new(0.5)).fit(data).unwrap();
    save(&model, "model.npt").unwrap();
}
