//! What two histograms have in common, as a share of what either has.

use crate::{Error, Kernel, Rows, Samples, Scalar, kernels::non_negative};
use ndarray::Array1;

/// The min-max kernel, also called weighted Jaccard or Ruzicka similarity. For vectors of 0 and 1
/// it is the Jaccard index, as is [`Tanimoto`](crate::Tanimoto).
///
/// # Definition
/// κ(a, b) = Σₖ min(aₖ, bₖ) / Σₖ max(aₖ, bₖ), and 1 for two zero vectors.
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{Kernel, MinMax};
///
/// let value: f64 = MinMax::new().eval(&[1.0, 5.0], &[3.0, 2.0]);
/// assert_eq!(value, (1.0 + 2.0) / (3.0 + 5.0));
/// ```
///
/// # References
/// L. Ralaivola, S. J. Swamidass, H. Saigo, P. Baldi, "Graph kernels for chemical informatics",
/// Neural Networks 18(8), 2005. doi:10.1016/j.neunet.2005.07.009
///
/// S. Ioffe, "Improved consistent sampling, weighted minhash and L1 sketching", ICDM 2010: it is
/// the probability that two random hashes agree, hence positive semidefinite.
/// doi:10.1109/ICDM.2010.80
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MinMax;

impl MinMax {
    /// The min-max kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

impl<F: Scalar> Kernel<Rows<F>> for MinMax {
    type Scalar = F;

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let (mut smaller, mut larger) = (F::zero(), F::zero());
        for (&a, &b) in a.iter().zip(b) {
            smaller += a.min(b);
            larger += a.max(b);
        }
        if larger.is_zero() {
            F::one()
        } else {
            smaller / larger
        }
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        non_negative("MinMax", x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
