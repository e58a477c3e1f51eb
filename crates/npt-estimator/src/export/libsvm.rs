//! Texts of LIBSVM.

use super::{Sums, not_exported};
use crate::{AnySamples, Error, Label, Model, features::rows_of, fitted::Fitted, samples::Kind};
use ndarray::{Array1, Array2};
use npt_core::{ExpansionModel, NamedKernel, Rows, SparseRows};
use npt_export::libsvm::{LibsvmMachine, LibsvmVectors, Outputs, Pairs, require_form, to_text};
use std::sync::Arc;

const LIBSVM: &str = "a text of LIBSVM";

impl Model {
    /// The model in the text format of LIBSVM, as `svm-predict` reads it.
    ///
    /// Labels are the model's [`classes`](Self::classes) where they are whole numbers, 1 and −1 for yes and no, and positions among the
    /// classes for texts. A one-class machine predicts −1 for novel samples.
    ///
    /// # Errors
    /// [`Error::NotExported`] for methods, spaces and samples that LIBSVM does not have, and for transformers in front;
    /// [`Error::Export`] for kernels and labels that it does not have, machines of one class against the rest, and several targets.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let data = Data::from(array![[0.0], [1.0], [3.0], [4.0]]);
    /// let model = Estimator::new("svc", "gaussian(gamma = 0.5)")?.fit(&data, vec![3, 3, 7, 7])?;
    /// let text = model.to_libsvm()?;
    /// assert!(text.starts_with("svm_type c_svc\nkernel_type rbf\ngamma 0.5\n"));
    /// assert!(text.contains("label 7 3\n"));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn to_libsvm(&self) -> Result<String, Error> {
        let (sums, machine, vectors) = self.libsvm_form()?;
        match vectors {
            Vectors::Dense(kernel) => text(&sums, machine, kernel, |x| rows_of(x).cloned()),
            Vectors::Sparse(kernel) => text(&sums, machine, kernel, |x| sparse_of(x).cloned()),
        }
    }

    /// The sums, the machine and the kernel that the text is written from; or the reason why the model has no such text.
    fn libsvm_form(&self) -> Result<(Sums<'_>, Machine<'_>, Vectors), Error> {
        let machines = "svc, nu_svc, hard_margin_svc, one_class_svm, svr and ridge";
        let sums = self.sums(LIBSVM, machines)?;
        let method = self.estimator().method_name();
        let of = sums
            .machine
            .ok_or_else(|| not_exported(method, LIBSVM, machines))?;
        if let Some(transformer) = self.estimator().transformer_names().next() {
            let can = "models without transformers";
            return Err(not_exported(transformer, LIBSVM, can));
        }
        let vectors = Vectors::of(&sums)?;
        vectors.check()?;
        // A machine that was read has its labels already.
        let is_read = matches!(self.fitted(), Fitted::Libsvm(_));
        let classes = if is_read { &[] } else { self.classes() };
        let machine = Machine { of, classes };
        let one = LibsvmMachine::outputs(&machine)?.labels.is_empty();
        let expected = 1;
        match of.functions() {
            Some((directions, _)) if one && directions.ncols() != expected => {
                let found = directions.ncols();
                Err(npt_export::Error::Functions { found, expected }.into())
            }
            _ => Ok((sums, machine, vectors)),
        }
    }

    pub(crate) fn has_libsvm(&self) -> bool {
        self.libsvm_form().is_ok()
    }
}

/// The kernel of the samples that a text of LIBSVM has.
enum Vectors {
    Dense(NamedKernel<Rows<f64>, f64>),
    Sparse(NamedKernel<SparseRows<f64>, f64>),
}

impl Vectors {
    fn of(sums: &Sums<'_>) -> Result<Self, Error> {
        let (samples, kernel) = (sums.expansion.samples().kind(), sums.expansion.kernel());
        match (samples, kernel.of_rows(), kernel.of_sparse()) {
            (Kind::Rows(_), Some(kernel), _) => Ok(Self::Dense(kernel.clone())),
            (Kind::Sparse(_), _, Some(kernel)) => Ok(Self::Sparse(kernel.clone())),
            (other, ..) => Err(not_exported(
                other.words(),
                LIBSVM,
                "dense and sparse vectors",
            )),
        }
    }

    fn check(&self) -> Result<(), npt_export::Error> {
        match self {
            Self::Dense(kernel) => require_form(kernel),
            Self::Sparse(kernel) => require_form(kernel),
        }
    }
}

fn sparse_of(samples: &AnySamples) -> Result<&SparseRows<f64>, npt_core::Error> {
    match samples.kind() {
        Kind::Sparse(rows) => Ok(rows),
        other => Err(npt_core::Error::SampleKind {
            expected: "sparse vectors",
            found: other.words(),
        }),
    }
}

fn text<S: LibsvmVectors>(
    sums: &Sums<'_>,
    machine: Machine<'_>,
    kernel: NamedKernel<S, f64>,
    samples: impl Fn(&AnySamples) -> Result<S, npt_core::Error>,
) -> Result<String, Error> {
    let expansion = sums.expansion.converted(Arc::new(kernel), samples)?;
    Ok(to_text(&ExpansionModel::new(machine, expansion))?)
}

/// A machine whose classes have names.
struct Machine<'a> {
    of: &'a dyn LibsvmMachine<f64>,
    classes: &'a [Label],
}

impl LibsvmMachine<f64> for Machine<'_> {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        self.of.functions()
    }

    fn pairs(&self) -> Option<Pairs<'_, f64>> {
        self.of.pairs()
    }

    fn outputs(&self) -> Result<Outputs, npt_export::Error> {
        let outputs = self.of.outputs()?;
        if self.classes.is_empty() {
            return Ok(outputs);
        }
        // The two sides are 1 and −1; the positions of more classes are their labels.
        let positions = outputs.labels.iter().map(|&label| match label {
            -1 => 0,
            label => usize::try_from(label).unwrap_or(0),
        });
        let labels = positions.map(|position| self.label(position));
        Ok(Outputs {
            svm_type: outputs.svm_type,
            labels: labels.collect::<Result<_, _>>()?,
        })
    }
}

impl Machine<'_> {
    fn label(&self, position: usize) -> Result<i32, npt_export::Error> {
        let too_large = || npt_export::Error::Label {
            label: self.classes[position].to_string(),
            allowed: "a whole number of 32 bits",
        };
        match &self.classes[position] {
            Label::Bool(true) => Ok(1),
            Label::Bool(false) => Ok(-1),
            Label::Integer(label) => i32::try_from(*label).map_err(|_| too_large()),
            Label::Text(_) => i32::try_from(position).map_err(|_| too_large()),
        }
    }
}
