use npt::linfa::Dataset;
use npt::methods::linear::Ridge;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, f64, Ix1>) {
    let _model = Kernelized::new(Ridge::params(), Gaussian::new(0.5)).fit(data);
}
