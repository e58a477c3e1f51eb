use npt::linfa::Dataset;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, f64, Ix1>) {
    let product = |a: &[f64], b: &[f64]| a[0] * b[0];
    let _model = KernelRidge::params(product).fit(data);
}
