//! Inner products in memory.

use ndarray::{Array1, Array2, Axis};
use npt_core::InnerProducts;

/// A matrix of inner products.
pub(crate) struct Gram(pub(crate) Array2<f64>);

impl InnerProducts<f64> for Gram {
    fn samples(&self) -> usize {
        self.0.nrows()
    }

    fn diag(&self) -> Array1<f64> {
        self.0.diag().to_owned()
    }

    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<f64>, npt_core::Error> {
        Ok(self.0.select(Axis(0), rows).select(Axis(1), columns))
    }

    fn gram(&self) -> Result<Array2<f64>, npt_core::Error> {
        Ok(self.0.clone())
    }
}
