//! What the other files beside this one get wrong, done right.

use npt::linfa::Dataset;
use npt::methods::linear::Ridge;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn right(data: &Dataset<f64, f64, Ix1>) {
    let _model = Kernelized::new(Ridge::params(), Exact::new(Gaussian::new(0.5))).fit(data);
    let _model = KernelRidge::params(FnKernel::new(|a: &[f64], b: &[f64]| a[0] * b[0])).fit(data);
}
