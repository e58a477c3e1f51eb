//! What of a fitted method LIBSVM knows.

use super::{LibsvmMethod, SvmType};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::{LinearFunctions, Scalar};
use npt_methods::linear::{MulticlassSvc, OneClassSvm, Ridge, Svc, Svr};

/// What a machine's functions are for.
#[derive(Debug, Clone, PartialEq)]
pub struct Outputs {
    /// What LIBSVM calls the machine.
    pub svm_type: SvmType,
    /// The labels of the classes, in the order of the functions: one for each pair (0, 1), (0, 2), …, above 0 for the first
    /// of the pair. None of a machine that has one function and no classes.
    pub labels: Vec<i32>,
}

/// The coefficients of all pairs of classes, as LIBSVM has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairs<'a, F> {
    /// How many support vectors each class has: those of the first class come first.
    pub counts: &'a [usize],
    /// Shape (support vectors, classes − 1): against each other class, in their order.
    pub coefficients: ArrayView2<'a, F>,
    /// The biases, one a pair (0, 1), (0, 2), ….
    pub biases: ArrayView1<'a, F>,
}

/// A fitted linear method that LIBSVM has as well. Implement it for a method of your own, and its folded models are
/// written by [`to_text`](super::to_text).
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Expansion, FoldedModel, Linear, Rows};
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
/// let text = to_text(&FoldedModel::new(Prediction, expansion))?;
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
    /// The linear functions that the method first takes of its records, as [`LinearFunctions`] has them; `None` if it takes
    /// the records themselves.
    fn functions(&self) -> Option<(Array2<F>, Array1<F>)>;

    /// The coefficients of all pairs of classes, where the method has them as LIBSVM does: its records are kernel values at the
    /// support vectors, of each class so many, and each vector has a coefficient for each other class.
    fn pairs(&self) -> Option<Pairs<'_, F>> {
        None
    }

    /// What these functions are for.
    ///
    /// # Errors
    /// [`Error::OneAgainstRest`], and [`Error::Label`] for labels that LIBSVM cannot hold.
    fn outputs(&self) -> Result<Outputs, Error>;
}

/// Labels that LIBSVM can hold, which are 32 bit integers: numbers are their own, a text is the position of its
/// class, in ascending order from 0. `true` is 1 and `false` −1, whether the machine has two sides or two classes.
pub trait LibsvmLabel {
    /// The label of the class at this position.
    ///
    /// # Errors
    /// [`Error::Label`] if it is none.
    fn label(&self, position: usize) -> Result<i32, Error>;
}

/// As [`Svc`] is written, whose classes are these.
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

/// The position of the class: LIBSVM has no words for classes.
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

/// `true` is 1, `false` is −1.
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
