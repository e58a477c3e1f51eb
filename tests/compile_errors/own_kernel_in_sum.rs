use npt::linfa::Dataset;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub struct Agreement;

impl Kernel<Rows<f64>> for Agreement {
    type Scalar = f64;
    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).filter(|(a, b)| a == b).count() as f64
    }
}

pub fn mistake(data: &Dataset<f64, bool, Ix1>) {
    let _model = KernelSvc::params(Gaussian::new(0.5) + Agreement).fit(data);
}
