//! Kernels on pairs, made of a kernel on each part.

use crate::{Error, Items, Kernel, kernels::derivatives_of};
use ndarray::{Array1, Array2, ArrayView2};

/// The tensor product: a kernel on pairs, made of a kernel on each part. Its features are the products of a feature of the
/// first part with a feature of the second.
///
/// For parts of a dense vector, multiply two kernels on [`Columns`](crate::Columns).
///
/// # Definition
/// κ((a, a′), (b, b′)) = κ₁(a, b) · κ₂(a′, b′)
///
/// # Errors
/// What κ₁ and κ₂ refuse of the parts.
///
/// # Example
/// ```
/// use npt_core::{FnKernel, Items, Kernel, Tensor};
///
/// let same_word = FnKernel::new(|a: &&str, b: &&str| f64::from(u8::from(a == b)));
/// let smaller = FnKernel::new(|a: &u32, b: &u32| f64::from(*a.min(b)));
/// let kernel = Tensor::new(same_word, smaller);
///
/// let x = Items::new(vec![("red", 3), ("red", 5), ("blue", 5)])?;
/// assert_eq!(kernel.gram(&x).row(0).to_vec(), [3.0, 3.0, 0.0]);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// J. Shawe-Taylor, N. Cristianini, *Kernel Methods for Pattern Analysis*, Cambridge University
/// Press 2004, section 3.4. doi:10.1017/CBO9780511809682
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "tensor")
)]
pub struct Tensor<K, L> {
    first: K,
    second: L,
}

crate::composable!(impl<K, L> Tensor<K, L>);

impl<K, L> Tensor<K, L> {
    /// The kernel κ₁.
    pub fn first(&self) -> &K {
        &self.first
    }

    /// The kernel κ₂.
    pub fn second(&self) -> &L {
        &self.second
    }

    /// The product of κ₁ of the first parts with κ₂ of the second parts.
    pub fn new(first: K, second: L) -> Self {
        Self { first, second }
    }
}

/// The first parts and the second parts of all pairs.
fn parts<A: Clone, B: Clone>(x: &Items<(A, B)>) -> (Items<A>, Items<B>) {
    let (first, second) = x.as_slice().iter().cloned().unzip();
    let not_empty = "as many as there are samples";
    (
        Items::new(first).expect(not_empty),
        Items::new(second).expect(not_empty),
    )
}

impl<A, B, K, L> Kernel<Items<(A, B)>> for Tensor<K, L>
where
    A: Clone + Send + Sync,
    B: Clone + Send + Sync,
    K: Kernel<Items<A>>,
    L: Kernel<Items<B>, Scalar = K::Scalar>,
{
    type Scalar = K::Scalar;

    crate::parameters!("tensor"; first, second);

    fn eval(&self, a: &(A, B), b: &(A, B)) -> K::Scalar {
        self.first.eval(&a.0, &b.0) * self.second.eval(&a.1, &b.1)
    }

    fn cross(&self, a: &Items<(A, B)>, b: &Items<(A, B)>) -> Array2<K::Scalar> {
        let ((a_first, a_second), (b_first, b_second)) = (parts(a), parts(b));
        self.first.cross(&a_first, &b_first) * self.second.cross(&a_second, &b_second)
    }

    fn gram(&self, x: &Items<(A, B)>) -> Array2<K::Scalar> {
        let (first, second) = parts(x);
        self.first.gram(&first) * self.second.gram(&second)
    }

    fn diag(&self, x: &Items<(A, B)>) -> Array1<K::Scalar> {
        let (first, second) = parts(x);
        self.first.diag(&first) * self.second.diag(&second)
    }

    fn check(&self, x: &Items<(A, B)>) -> Result<(), Error> {
        let (first, second) = parts(x);
        self.first.check(&first)?;
        self.second.check(&second)
    }

    fn parameter_derivatives(
        &self,
        x: &Items<(A, B)>,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let (first, second) = parts(x);
        let of_first = self.second.gram(&second) * weights;
        let mut all = derivatives_of(&self.first, &first, of_first.view());
        let of_second = self.first.gram(&first) * weights;
        all.extend(derivatives_of(&self.second, &second, of_second.view()));
        all
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.first.is_positive_semidefinite() && self.second.is_positive_semidefinite()
    }
}
