use npt::linfa::DatasetBase;
use npt::ndarray::array;
use npt::prelude::*;

pub fn mistake() {
    let words = vec!["trick", "track", "matrix"];
    let data = DatasetBase::new(words, array![true, true, false]);
    let _model = KernelSvc::params(Spectrum::new(2)).fit(&data);
}
