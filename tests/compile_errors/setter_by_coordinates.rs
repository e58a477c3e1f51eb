use npt::methods::linear::Ridge;
use npt::prelude::*;

pub fn mistake() {
    let _params = Kernelized::new(Ridge::params(), Exact::new(Gaussian::new(0.5))).penalty(0.1);
}
