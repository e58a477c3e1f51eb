use npt::linfa::Dataset;
use npt::ndarray::{Array1, Ix1, array};
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, bool, Ix1>) {
    let model = KernelSvc::params(Gaussian::new(0.5)).fit(data).unwrap();
    let _label: Array1<bool> = model.try_predict(&array![1.0, 2.0]).unwrap();
}
