//! Names of features.

use super::{AsMatrix, AsSamples};
use crate::Error;
use linfa::{DatasetBase, dataset::Records};
use ndarray::{ArrayBase, ArrayView2, Data, Ix2};
use std::borrow::Cow;

/// Names of features: the names that records come with, or the names that a model takes. They are empty where there are
/// none.
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::array;
/// use npt_core::FeatureNames;
///
/// let data = Dataset::new(array![[1.0, 2.0]], array![0]).with_feature_names(vec!["p", "q"]);
/// assert_eq!(FeatureNames::feature_names(&data), ["p", "q"]);
/// assert!(FeatureNames::feature_names(&data.records).is_empty());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no samples",
    label = "here records are needed: vectors as the rows of an `Array2`, all else as `Items`",
    note = "of one vector, `model.predict_row(&[1.0, 2.0])` predicts; `row.insert_axis(Axis(0))` is a matrix of one row"
)]
pub trait FeatureNames {
    /// The names, in the order of the features.
    fn feature_names(&self) -> &[String];
}

impl<S: Data> FeatureNames for ArrayBase<S, Ix2> {
    fn feature_names(&self) -> &[String] {
        &[]
    }
}

impl<R: Records, T> FeatureNames for DatasetBase<R, T> {
    fn feature_names(&self) -> &[String] {
        DatasetBase::feature_names(self)
    }
}

impl<X: AsSamples> FeatureNames for &X {
    fn feature_names(&self) -> &[String] {
        AsSamples::feature_names(*self)
    }
}

/// A dataset is read as its records, which have its names.
impl<R: Records + AsSamples, T> AsSamples for DatasetBase<R, T> {
    type Samples = R::Samples;

    fn as_samples(&self) -> Result<Cow<'_, R::Samples>, Error> {
        self.records.as_samples()
    }

    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &R::Samples) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.records.visit_blocks(rows, visit)
    }

    fn feature_names(&self) -> &[String] {
        DatasetBase::feature_names(self)
    }
}

impl<R: Records + AsMatrix, T> AsMatrix for DatasetBase<R, T> {
    type Elem = <R as AsMatrix>::Elem;

    fn as_matrix(&self) -> ArrayView2<'_, <R as AsMatrix>::Elem> {
        self.records.as_matrix()
    }

    fn feature_names(&self) -> &[String] {
        DatasetBase::feature_names(self)
    }
}

/// Refuses records whose features have other names than `expected`, or another order. If either side has no names, nothing
/// is compared.
///
/// # Errors
/// [`Error::FeatureNames`].
///
/// # Example
/// ```
/// use npt_core::require_feature_names;
///
/// let names = ["p", "q"].map(String::from);
/// let swapped = ["q", "p"].map(String::from);
/// assert!(require_feature_names(&names, &names).is_ok());
/// assert!(require_feature_names(&names, &[]).is_ok());
/// let error = require_feature_names(&names, &swapped).unwrap_err().to_string();
/// assert!(error.starts_with("the features are q, p; the model takes p, q"));
/// ```
pub fn require_feature_names(expected: &[String], found: &[String]) -> Result<(), Error> {
    if expected.is_empty() || found.is_empty() || expected == found {
        return Ok(());
    }
    Err(Error::FeatureNames {
        expected: expected.to_vec(),
        found: found.to_vec(),
    })
}

/// Gives a fitted model a `predict` that compares the names of features. It takes the place of linfa's `predict`, which sees
/// only the records of a dataset.
#[doc(hidden)]
#[macro_export]
macro_rules! predict_by_names {
    ([$($generics:tt)*] $model:ty) => {
        impl<$($generics)*> $model {
            /// Predicts targets for the records `x`, in the forms of linfa's [`Predict`](linfa::traits::Predict): records, a reference to
            /// them or to a dataset, a dataset.
            ///
            /// # Panics
            /// If a dataset has names of features that are not those of the model in the model's order; and if the records
            /// are at fault. `try_predict` returns the error instead.
            pub fn predict<R, T>(&self, x: R) -> T
            where
                R: linfa::dataset::Records + $crate::FeatureNames,
                Self: linfa::traits::Predict<R, T> + $crate::FeatureNames,
            {
                let expected = $crate::FeatureNames::feature_names(self);
                let found = $crate::FeatureNames::feature_names(&x);
                $crate::require_feature_names(expected, found)
                    .unwrap_or_else(|error| panic!("{error}"));
                linfa::traits::Predict::predict(self, x)
            }
        }
    };
}
