//! The methods that LIBSVM has as well.

use super::{LibsvmMethod, SvmType};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::{LinearFunctions, Scalar};
use npt_methods::linear::{MulticlassSvc, OneClassSvm, Ridge, Svc, Svr};

/// The type of a machine, and the labels of its classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs {
    /// The type of the machine in LIBSVM.
    pub svm_type: SvmType,
    /// The labels of the classes. There is one function for each pair (0, 1), (0, 2), …, which is above 0 for the first
    /// class of the pair. A machine with one function and no classes has no labels.
    pub labels: Vec<i32>,
}

/// The coefficients of all pairs of classes, as LIBSVM has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairs<'a, F> {
    /// The number of support vectors of each class; the vectors of the first class come first.
    pub counts: &'a [usize],
    /// The coefficients against each other class, in the order of the classes: shape (support vectors, classes − 1).
    pub coefficients: ArrayView2<'a, F>,
    /// The biases, one a pair (0, 1), (0, 2), ….
    pub biases: ArrayView1<'a, F>,
}

/// A fitted linear method that LIBSVM has as well. If a method of your own implements it, [`to_text`](super::to_text) writes
/// models that are expansions of that method.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Expansion, ExpansionModel, Linear, Rows};
/// use npt_export::{Error, libsvm::{LibsvmMachine, Outputs, SvmType, to_text}};
///
/// /// A regression whose prediction is the value itself.
/// struct Prediction;
///
/// impl LibsvmMachine<f64> for Prediction {
///     fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
///         None
///     }
///
///     fn outputs(&self) -> Result<Outputs, Error> {
///         Ok(Outputs { svm_type: SvmType::EpsilonSvr, labels: Vec::new() })
///     }
/// }
///
/// let x = Rows::new(array![[1.0, 0.0], [0.0, 2.0]])?;
/// let alpha = array![[0.5], [-1.0]];
/// let expansion = Expansion::new(Linear::new().into(), &x, alpha.view(), array![3.0])?;
/// let text = to_text(&ExpansionModel::new(Prediction, expansion))?;
/// assert_eq!(text, "svm_type epsilon_svr
/// kernel_type linear
/// nr_class 2
/// total_sv 2
/// rho -3
/// SV
/// 0.5 1:1
/// -1 2:2
/// ");
/// # Ok::<(), npt_export::Error>(())
/// ```
pub trait LibsvmMachine<F> {
    /// The linear functions that the method first computes of its records, in the form of [`LinearFunctions`]; `None` if it takes
    /// the records themselves.
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)>;

    /// The coefficients of all pairs of classes, if the method has them as LIBSVM does: its records are kernel values at the
    /// support vectors, class by class, and each vector has a coefficient for each other class.
    fn pairs(&self) -> Option<Pairs<'_, F>> {
        None
    }

    /// The type of the machine, and the labels of its classes.
    ///
    /// # Errors
    /// [`Error::OneAgainstRest`], and [`Error::Label`] for labels that LIBSVM cannot hold.
    fn outputs(&self) -> Result<Outputs, Error>;
}

/// Labels that LIBSVM can hold: 32 bit integers. A number is its own label; a text has the position of its class, from 0, in ascending
/// order. `true` is 1 and `false` is −1, whether the machine has two sides or two classes.
pub trait LibsvmLabel {
    /// The label of the class at this position.
    ///
    /// # Errors
    /// [`Error::Label`] if LIBSVM has no such label.
    fn label(&self, position: usize) -> Result<i32, Error>;
}

/// Labels of a machine with two classes, 1 and −1, the same as for [`Svc`].
impl LibsvmLabel for bool {
    fn label(&self, _: usize) -> Result<i32, Error> {
        Ok(if *self { 1 } else { -1 })
    }
}

impl LibsvmLabel for usize {
    fn label(&self, _: usize) -> Result<i32, Error> {
        i32::try_from(*self).map_err(|_| Error::Label {
            label: self.to_string(),
            allowed: "below 2³¹",
        })
    }
}

/// Implements labels by the position of the class: LIBSVM has no words for classes.
macro_rules! label_by_position {
    ($($label:ty),*) => {$(
        impl LibsvmLabel for $label {
            fn label(&self, position: usize) -> Result<i32, Error> {
                LibsvmLabel::label(&position, position)
            }
        }
    )*};
}
label_by_position!(String, &str);

/// Writes `true` as 1 and `false` as −1.
impl<F: Scalar> LibsvmMachine<F> for Svc<F> {
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
        Some(self.linear_functions())
    }

    fn outputs(&self) -> Result<Outputs, Error> {
        Ok(Outputs {
            svm_type: SvmType::CSvc,
            labels: vec![1, -1],
        })
    }
}

impl<F: Scalar, L: LibsvmLabel> LibsvmMachine<F> for MulticlassSvc<F, L> {
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
        Some(self.linear_functions())
    }

    fn pairs(&self) -> Option<Pairs<'_, F>> {
        Some(Pairs {
            coefficients: self.pair_coefficients()?,
            counts: self.support_counts()?,
            biases: self.biases(),
        })
    }

    fn outputs(&self) -> Result<Outputs, Error> {
        if MulticlassSvc::pairs(self).is_empty() {
            return Err(Error::OneAgainstRest);
        }
        let labels = self.classes().iter().enumerate();
        let labels: Result<_, Error> = labels.map(|(position, l)| l.label(position)).collect();
        Ok(Outputs {
            svm_type: SvmType::CSvc,
            labels: labels?,
        })
    }
}

macro_rules! one_function {
    ($model:ident<F $(, $dimension:ident)?>, $svm_type:ident) => {
        impl<F: Scalar $(, $dimension)?> LibsvmMachine<F> for $model<F $(, $dimension)?> {
            fn functions(&self) -> Option<(Array2<F>, Array1<F>)> {
                Some(self.linear_functions())
            }

            fn outputs(&self) -> Result<Outputs, Error> {
                Ok(Outputs {
                    svm_type: SvmType::$svm_type,
                    labels: Vec::new(),
                })
            }
        }
    };
}
one_function!(OneClassSvm<F>, OneClass);
one_function!(Svr<F>, EpsilonSvr);
one_function!(Ridge<F, I>, EpsilonSvr);

impl LibsvmMachine<f64> for LibsvmMethod {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        None
    }

    fn outputs(&self) -> Result<Outputs, Error> {
        Ok(Outputs {
            svm_type: self.svm_type(),
            labels: self.labels().to_vec(),
        })
    }
}
