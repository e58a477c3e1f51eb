//! Reads samples as `compare.py` writes them.

use ndarray::{Array1, Array2, s};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A folder of tables: the number of columns, then the values row by row, all of them `f64` in
/// little-endian order; the last column has the targets.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: String) -> Self {
        Self(path.into())
    }

    // Only those programs use the path that have tables of other formats in the folder.
    #[allow(dead_code)]
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn samples(&self, name: &str) -> Array2<f64> {
        self.table(name).slice(s![.., ..-1]).to_owned()
    }

    pub(crate) fn targets(&self, name: &str) -> Array1<f64> {
        self.table(name).slice(s![.., -1]).to_owned()
    }

    fn table(&self, name: &str) -> Array2<f64> {
        let bytes = fs::read(self.0.join(name)).expect("compare.py has written it");
        let numbers = bytes
            .chunks_exact(8)
            .map(|b| f64::from_le_bytes(b.try_into().expect("8")));
        let mut numbers: Vec<f64> = numbers.collect();
        let columns = numbers.remove(0) as usize;
        Array2::from_shape_vec((numbers.len() / columns, columns), numbers).expect("whole rows")
    }
}
