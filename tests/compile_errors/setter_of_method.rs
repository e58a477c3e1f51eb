use npt::prelude::*;

pub fn mistake() {
    let _params = KernelSvc::params(Gaussian::new(0.5)).c(10.0);
}
