//! The Jaccard kernel: elements that two sets share.

use crate::{Items, Kernel};
use std::{
    collections::{BTreeSet, HashSet},
    hash::{BuildHasher, Hash},
};

/// The Jaccard kernel of finite sets, also called Tanimoto kernel: the share of common elements.
///
/// # Definition
/// κ(A, B) = |A ∩ B| / |A ∪ B|, and κ(∅, ∅) = 1. Values are between 0 and 1, with κ(A, A) = 1.
///
/// Samples are [`FiniteSet`]s. For vectors of counts or weights there is
/// [`MinMax`](crate::MinMax), the same kernel where all entries are 0 or 1.
///
/// # Example
/// ```
/// use npt_core::{Jaccard, Kernel};
/// use std::collections::BTreeSet;
///
/// let (a, b) = (BTreeSet::from(["bread", "salt"]), BTreeSet::from(["salt", "oil", "bread"]));
/// assert_eq!(Jaccard::new().eval(&a, &b), 2.0 / 3.0);
/// assert_eq!(Jaccard::new().eval(&a, &BTreeSet::new()), 0.0);
/// ```
///
/// # References
/// M. Bouchard, A.-L. Jousselme, P.-E. Doré, "A proof for the positive definiteness of the Jaccard
/// index matrix", International Journal of Approximate Reasoning 54(5), 2013.
/// doi:10.1016/j.ijar.2013.01.006
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "jaccard")
)]
pub struct Jaccard;

crate::composable!(Jaccard);

impl Jaccard {
    /// The Jaccard kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

/// A finite set: `BTreeSet` or `HashSet`, or a type of your own.
///
/// # Example
/// ```
/// use npt_core::{FiniteSet, Jaccard, Kernel};
///
/// /// The numbers below 64, one bit each.
/// #[derive(Clone)]
/// struct Bits(u64);
///
/// impl FiniteSet for Bits {
///     fn size(&self) -> usize {
///         self.0.count_ones() as usize
///     }
///
///     fn common(&self, other: &Self) -> usize {
///         (self.0 & other.0).count_ones() as usize
///     }
/// }
///
/// assert_eq!(Jaccard::new().eval(&Bits(0b1011), &Bits(0b0110)), 1.0 / 4.0);
/// ```
pub trait FiniteSet: Clone + Send + Sync {
    /// Number of elements.
    fn size(&self) -> usize;

    /// Number of elements that both sets have.
    fn common(&self, other: &Self) -> usize;
}

impl<T: Ord + Clone + Send + Sync> FiniteSet for BTreeSet<T> {
    fn size(&self) -> usize {
        self.len()
    }

    fn common(&self, other: &Self) -> usize {
        self.intersection(other).count()
    }
}

impl<T, H> FiniteSet for HashSet<T, H>
where
    T: Eq + Hash + Clone + Send + Sync,
    H: BuildHasher + Clone + Send + Sync,
{
    fn size(&self) -> usize {
        self.len()
    }

    fn common(&self, other: &Self) -> usize {
        self.intersection(other).count()
    }
}

impl<T: FiniteSet> Kernel<Items<T>> for Jaccard {
    type Scalar = f64;

    crate::parameters!("jaccard");

    fn eval(&self, a: &T, b: &T) -> f64 {
        let common = a.common(b);
        match a.size() + b.size() - common {
            0 => 1.0,
            all => common as f64 / all as f64,
        }
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
