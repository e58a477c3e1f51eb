use npt::linfa::Dataset;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub struct Slope;

pub fn mistake(data: &Dataset<f64, f64, Ix1>) {
    let _model = Kernelized::new(Slope, Exact::new(Gaussian::new(0.5))).fit(data);
}
