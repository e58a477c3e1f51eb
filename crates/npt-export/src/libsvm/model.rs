//! Models that were read from text.

use super::pairs::pairs;
use linfa::traits::{PredictInplace, Transformer};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix2};
use npt_core::{Classifier, ExpansionModel, NamedKernel};

/// A model that LIBSVM wrote, as an expansion on `Rows<f64>` or `SparseRows<f64>`. It is made
/// by [`from_text`](super::from_text). It has the [`classes`](ExpansionModel::classes) and the
/// [`decision_function`](ExpansionModel::decision_function) of a classifier.
pub type LibsvmModel<S> = ExpansionModel<LibsvmMethod, S, NamedKernel<S, f64>>;

/// The type of a machine of LIBSVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SvmType {
    /// Classification by a penalty.
    CSvc,
    /// Classification by a share of support vectors.
    NuSvc,
    /// Detection of samples that are not like the training samples.
    OneClass,
    /// Regression with a tube of given width.
    EpsilonSvr,
    /// Regression by a share of support vectors.
    NuSvr,
}

impl SvmType {
    pub(super) const ALL: [Self; 5] = [
        Self::CSvc,
        Self::NuSvc,
        Self::OneClass,
        Self::EpsilonSvr,
        Self::NuSvr,
    ];

    /// The name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Self::CSvc => "c_svc",
            Self::NuSvc => "nu_svc",
            Self::OneClass => "one_class",
            Self::EpsilonSvr => "epsilon_svr",
            Self::NuSvr => "nu_svr",
        }
    }

    /// Returns whether machines of this type tell classes apart.
    pub fn is_classifier(self) -> bool {
        matches!(self, Self::CSvc | Self::NuSvc)
    }
}

/// A machine of LIBSVM, which decides by the values of its functions. It predicts what `svm-predict` prints: labels of
/// classes as numbers, 1 and −1 where there is one class, and values of a regression.
///
/// If several classes have most votes, the first in the order of the [`labels`](Self::labels) wins. A value of 0 is
/// a vote for the second class of a pair. Both are as in LIBSVM.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LibsvmMethod {
    svm_type: SvmType,
    labels: Vec<i32>,
}

npt_core::checked! { LibsvmMethod { svm_type: SvmType, labels: Vec<i32> } }

#[cfg(feature = "serde")]
impl LibsvmMethod {
    fn check_parts(&self) -> Result<(), String> {
        let (labels, is_classifier) = (self.labels.len(), self.svm_type.is_classifier());
        if is_classifier != (labels > 1) || !is_classifier && labels > 0 {
            return Err(format!(
                "there are {labels} labels of a machine of type {}",
                self.svm_type.name()
            ));
        }
        let functions = if is_classifier {
            pairs(labels).count()
        } else {
            1
        };
        npt_core::serial::method::takes::<Self>(functions);
        Ok(())
    }
}

impl LibsvmMethod {
    pub(super) fn new(svm_type: SvmType, labels: Vec<i32>) -> Self {
        Self { svm_type, labels }
    }

    /// The type of the machine.
    pub fn svm_type(&self) -> SvmType {
        self.svm_type
    }

    /// The labels of the classes, in the order of the file; a machine without classes has none.
    pub fn labels(&self) -> &[i32] {
        &self.labels
    }

    fn decide(&self, values: ArrayView1<'_, f64>) -> f64 {
        match self.svm_type {
            SvmType::EpsilonSvr | SvmType::NuSvr => values[0],
            SvmType::OneClass if values[0] > 0.0 => 1.0,
            SvmType::OneClass => -1.0,
            SvmType::CSvc | SvmType::NuSvc => {
                let mut votes = vec![0; self.labels.len()];
                for ((a, b), &value) in pairs(votes.len()).zip(values) {
                    votes[if value > 0.0 { a } else { b }] += 1;
                }
                let most = votes.iter().max();
                let first = votes.iter().position(|count| Some(count) == most);
                first.map_or(f64::NAN, |class| f64::from(self.labels[class]))
            }
        }
    }
}

impl<D: Data<Elem = f64>> PredictInplace<ArrayBase<D, Ix2>, Array1<f64>> for LibsvmMethod {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<f64>) {
        assert_eq!(y.len(), x.nrows(), "the number of predictions");
        for (values, y) in x.outer_iter().zip(y) {
            *y = self.decide(values);
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}

/// Returns the values of the functions.
impl<D: Data<Elem = f64>> Transformer<ArrayBase<D, Ix2>, Array2<f64>> for LibsvmMethod {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<f64> {
        x.into_owned()
    }
}

/// The classes are the labels in the order of the file; a machine without classes has none. The values are those of the functions: with
/// classes, one for each pair (0, 1), (0, 2), …, above 0 for the first of the pair.
impl Classifier<f64> for LibsvmMethod {
    type Label = i32;
    type Values = Array2<f64>;

    fn classes(&self) -> &[i32] {
        self.labels()
    }

    fn decision_function(&self, x: &Array2<f64>) -> Array2<f64> {
        x.clone()
    }
}
