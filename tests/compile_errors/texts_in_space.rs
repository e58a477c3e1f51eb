use npt::prelude::*;

pub fn mistake() {
    let words = vec!["trick", "track", "matrix"];
    let _space = Exact::new(Spectrum::new(2)).fit_space(&words);
}
