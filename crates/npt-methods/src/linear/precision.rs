//! The precision of equations that are as many as the samples.

use ndarray::{Array1, Array2, s};
use npt_core::{Error, InnerProducts, Scalar};

/// The precision in which a method in its dual form solves equations that are as many as the samples.
///
/// # Definition
/// In single precision the kernel matrix K is rounded: each entry moves by at most ε/2 of itself, ε = 2⁻²³. Kernel values are evaluated
/// in the precision of the samples, and model and predictions stay in it. Ridge regression with the penalty λ then solves
///
/// (K + ΔK + λI)α = y, ‖ΔK‖ of a few ε‖K‖,
///
/// so that α is off by about ε‖K‖/λ of itself; eigenvalues are off by a few √n ε of the largest.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{Array1, Array2};
/// use npt_core::Laplacian;
/// use npt_methods::{KernelRidge, linear::Precision};
///
/// let x = Array2::from_shape_fn((100, 1), |(i, _)| i as f64 / 10.0);
/// let data = Dataset::new(x.clone(), x.column(0).mapv(f64::sin));
/// let full = KernelRidge::params(Laplacian::new(1.0)).method(|m| m.penalty(0.1));
/// let single = full.clone().method(|m| m.precision(Precision::Single));
/// let (full, single): (Array1<f64>, Array1<f64>) = (full.fit(&data)?.predict(&x), single.fit(&data)?.predict(&x));
/// let most = (&full - &single).iter().fold(0.0, |most: f64, d| most.max(d.abs()));
/// assert!(most > 1e-9 && most < 1e-5);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002, theorem 10.4. doi:10.1137/1.9780898718027
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Precision {
    /// The precision of the samples.
    #[default]
    Full,
    /// Numbers of 32 bits. A matrix takes half of the memory that it takes in 64 bits, and its Cholesky factor half of the time.
    ///
    /// If single precision does not suffice, the method is fitted in full precision. It does not suffice for equations that are
    /// singular to its rounding, components that are rounding in it, and numbers beyond its range. Samples with few coordinates are
    /// fitted in full precision as well, because that takes little time.
    Single,
}

npt_core::words_of_parameter!(Precision {
    Full: "full",
    Single: "single"
});

impl Precision {
    /// Returns whether this precision is lower than that of `F`.
    pub(super) fn is_below<F>(self) -> bool {
        self == Self::Single && size_of::<F>() > size_of::<f32>()
    }
}

/// The number of samples whose inner products with all others are in full precision at a time.
const ROWS: usize = 256;

/// The nearest number of 32 bits; infinite beyond their range.
pub(super) fn rounded<F: Scalar>(value: F) -> f32 {
    value.as_f64() as f32
}

/// Inner products that are rounded to single precision.
pub(super) struct Rounded<'a, F>(pub(super) &'a dyn InnerProducts<F>);

impl<F: Scalar> InnerProducts<f32> for Rounded<'_, F> {
    fn samples(&self) -> usize {
        self.0.samples()
    }

    fn diag(&self) -> Array1<f32> {
        self.0.diag().mapv(rounded)
    }

    /// The inner products are evaluated some rows at a time. Among the same samples, those on the diagonal and to the right of it
    /// are evaluated, and the others copied.
    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<f32>, Error> {
        let few = |rows: &[usize], columns: &[usize]| {
            Ok::<_, Error>(self.0.block(rows, columns)?.mapv(rounded))
        };
        if rows.len() <= ROWS {
            return few(rows, columns);
        }
        let mut block = Array2::zeros((rows.len(), columns.len()));
        for (k, some) in rows.chunks(ROWS).enumerate() {
            let own = k * ROWS..k * ROWS + some.len();
            if rows == columns {
                let right = few(some, &columns[own.end..])?;
                block
                    .slice_mut(s![own.clone(), own.clone()])
                    .assign(&few(some, some)?);
                block.slice_mut(s![own.clone(), own.end..]).assign(&right);
                block.slice_mut(s![own.end.., own]).assign(&right.t());
            } else {
                block.slice_mut(s![own, ..]).assign(&few(some, columns)?);
            }
        }
        Ok(block)
    }
}
