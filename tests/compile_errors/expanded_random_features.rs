use npt::linfa::Dataset;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, f64, Ix1>) {
    let features = RandomFourier::new(Gaussian::new(0.5), 100);
    let _model = KernelRidge::params(Gaussian::new(0.5))
        .space(|_| features)
        .fit(data);
}
