use npt::prelude::*;

pub fn mistake() {
    let _params = KernelSvc::params(Gaussian::new(0.5)).rank(Rank::Components(5));
}
