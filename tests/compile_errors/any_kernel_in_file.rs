use npt::linfa::Dataset;
use npt::model_file::save;
use npt::ndarray::Ix1;
use npt::prelude::*;

pub fn mistake(data: &Dataset<f64, bool, Ix1>) {
    let kernel: Box<dyn Kernel<Rows<f64>, Scalar = f64>> = Box::new(Gaussian::new(0.5));
    let model = KernelSvc::params(kernel).fit(data).unwrap();
    save(&model, "model.npt").unwrap();
}
