use npt::linfa::Dataset;
use npt::methods::preprocessing::StandardScaler;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, bool, Ix1>) {
    let scaler = StandardScaler::params().fit(data).unwrap();
    let _model = Pipeline::new(scaler, KernelSvc::params(Gaussian::new(0.5))).fit(data);
}
