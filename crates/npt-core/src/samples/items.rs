//! Samples of any type.

use super::Samples;
use crate::Error;
use linfa::dataset::Records;

/// Samples of any type: strings, graphs, sets. A kernel on `T` is all that they need.
///
/// # Example
/// ```
/// use linfa::DatasetBase;
/// use ndarray::array;
/// use npt_core::Items;
///
/// let words = Items::new(vec!["kernel", "colonel"])?;
/// let labelled = DatasetBase::new(words.clone(), array![true, false]);
/// let unlabelled = DatasetBase::from(words);
/// assert_eq!(labelled.records(), unlabelled.records());
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Items<T> {
    items: Vec<T>,
}

impl<T> Items<T> {
    /// Takes the samples.
    ///
    /// # Errors
    /// [`Error::NoSamples`] if there are none.
    pub fn new(items: Vec<T>) -> Result<Self, Error> {
        if items.is_empty() {
            Err(Error::NoSamples)
        } else {
            Ok(Self { items })
        }
    }

    /// The samples as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<T: Clone + Send + Sync> Samples for Items<T> {
    type Sample = T;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn get(&self, index: usize) -> &T {
        &self.items[index]
    }

    fn select(&self, indices: &[usize]) -> Self {
        Self {
            items: indices
                .iter()
                .map(|&index| self.items[index].clone())
                .collect(),
        }
    }

    fn append(&self, more: &Self) -> Result<Self, Error> {
        let items = [self.as_slice(), more.as_slice()].concat();
        Ok(Self { items })
    }
}

/// Records with one feature a sample: the sample itself.
impl<T> Records for Items<T> {
    type Elem = T;

    fn nsamples(&self) -> usize {
        self.items.len()
    }

    fn nfeatures(&self) -> usize {
        1
    }
}

crate::checked! { Items<T> { items: Vec<T> } where }

#[cfg(feature = "serde")]
impl<T> Items<T> {
    fn check_parts(&self) -> Result<(), Error> {
        if self.items.is_empty() {
            return Err(Error::NoSamples);
        }
        Ok(())
    }
}
