//! Models for other programs: what npt-export writes.

use crate::{
    AnyKernel, AnySamples, Error, Label, Model,
    features::rows_of,
    fitted::{Fitted, Pair},
    front::Front,
    samples::Kind,
};
use ndarray::{Array1, Array2};
use npt_core::{
    Expansion, Foldable as _, FoldedModel, LinearFunctions as _, NamedKernel, Rows, SparseRows,
};
use npt_export::{
    libsvm::{self, LibsvmMachine, LibsvmVectors, Outputs, Pairs},
    onnx::{self, Graph, Labels, OnnxMethod, OnnxModel, Value},
};
use std::{borrow::Cow, sync::Arc};

const ONNX: &str = "ONNX";
const LIBSVM: &str = "a text of LIBSVM";

/// Sums of kernel values, and what a method makes of them.
struct Sums<'a> {
    expansion: Cow<'a, Expansion<AnySamples, AnyKernel, f64>>,
    method: &'a dyn OnnxMethod<f64>,
    /// The method as LIBSVM has it, where it does.
    machine: Option<&'a dyn LibsvmMachine<f64>>,
}

/// The part of a model by which it is no sum of kernel values.
enum NoSums {
    Method,
    Space,
    /// The sums could not be made.
    Error(npt_core::Error),
}

/// The functions themselves.
struct Identity;

impl OnnxMethod<f64> for Identity {
    fn functions(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        None
    }
}

impl<Q, O> Pair<Q, O> {
    fn sums(&self) -> Result<Sums<'_>, NoSums>
    where
        Q: OnnxMethod<f64>,
    {
        match self {
            Self::Folded(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: model.inner(),
                machine: None,
            }),
            Self::Mapped(_) => Err(NoSums::Space),
        }
    }

    fn sums_of_machine(&self) -> Result<Sums<'_>, NoSums>
    where
        Q: OnnxMethod<f64> + LibsvmMachine<f64>,
    {
        let sums = self.sums()?;
        Ok(match self {
            Self::Folded(model) => Sums {
                machine: Some(model.inner()),
                ..sums
            },
            Self::Mapped(_) => sums,
        })
    }
}

impl Fitted {
    fn sums(&self) -> Result<Sums<'_>, NoSums> {
        match self {
            Self::Pca(pair) => pair.sums(),
            Self::KpcaDenoiser(model) => {
                let (directions, offsets) = model.model().inner().linear_functions();
                let space = model.model().space().of_any();
                let folded = space.fold(directions.view(), offsets.view());
                Ok(Sums {
                    expansion: Cow::Owned(folded.map_err(NoSums::Error)?),
                    method: &Identity,
                    machine: None,
                })
            }
            Self::PcaL1(pair) => pair.sums(),
            Self::FastIca(pair) => pair.sums(),
            Self::RegressionDiscriminant(pair) => pair.sums(),
            Self::KMeans(pair) => pair.sums(),
            Self::Lda(pair) => pair.sums(),
            Self::KpcaLda(pair) => pair.sums(),
            Self::Logistic(pair) => pair.sums(),
            Self::CalibratedSvc(pair) => pair.sums(),
            Self::IterativeRidge(pair) => pair.sums(),
            Self::Pls(pair) => pair.sums(),
            Self::OneClassSvm(pair) => pair.sums_of_machine(),
            Self::Svc(pair) => pair.sums_of_machine(),
            Self::MulticlassSvc(pair) => pair.sums_of_machine(),
            Self::Ridge(pair) => pair.sums_of_machine(),
            Self::Svr(pair) => pair.sums_of_machine(),
            Self::Libsvm(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: model.inner(),
                machine: Some(model.inner()),
            }),
            Self::GaussianProcess(model) => Ok(Sums {
                expansion: Cow::Borrowed(model.expansion()),
                method: &Identity,
                machine: None,
            }),
            Self::GaussianProcessOnFeatures(_) => Err(NoSums::Space),
            Self::RobustKpca(_) | Self::NoveltyDetector(_) | Self::NoveltyDetectorOnFeatures(_) => {
                Err(NoSums::Method)
            }
        }
    }
}

impl Model {
    /// The model as bytes of ONNX, its transformers included: a file is `std::fs::write(path, model.to_onnx()?)`.
    ///
    /// Outputs are those of [`npt_export::onnx`]: `values`, and where the model has them `label`, `probabilities`, `scores` and
    /// `decision_values`. Labels are the model's [`classes`](Self::classes), yes and no as 1 and 0.
    ///
    /// | [`Model`] | output |
    /// |---|---|
    /// | numbers of [`predict`](Self::predict), components of [`transform`](Self::transform) | `values` |
    /// | labels and clusters of [`predict`](Self::predict) | `label` |
    /// | what [`predict`](Self::predict) of `one_class_svm` says | `label`, 1 for what is novel |
    /// | [`decision_function`](Self::decision_function) | `values`; of `kfd` and `kpca_lda` `decision_values`, of `calibrated_svc` with two classes, and of such a model that was read from LIBSVM, −`values` |
    /// | [`predict_probabilities`](Self::predict_probabilities) | `probabilities` |
    /// | means of [`predict_with_variance`](Self::predict_with_variance) | `values`; variances have no form |
    ///
    /// # Errors
    /// [`Error::NotExported`] for methods, spaces and samples that have no form in ONNX, for which
    /// [`has`](Self::has)`(Ability::Onnx)` is `false`; [`Error::Export`] for a kernel that has none, and models that are too large.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Ability, Data, Estimator};
    ///
    /// let data = Data::from(array![[0.0], [1.0], [3.0], [4.0]]);
    /// let estimator = Estimator::new("svc", "gaussian(gamma = 0.5)")?.transformer("standard_scaler")?;
    /// let model = estimator.fit(&data, vec!["low", "low", "high", "high"])?;
    /// assert!(model.has(Ability::Onnx));
    /// let bytes = model.to_onnx()?;
    /// // In Python: onnxruntime.InferenceSession(bytes).run(["label"], {"x": [[0.5]]}) is "low"
    /// assert!(bytes.windows(4).any(|text| text == b"high"));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn to_onnx(&self) -> Result<Vec<u8>, Error> {
        let (sums, kernel) = self.onnx_form()?;
        let expansion = sums
            .expansion
            .converted(Arc::new(kernel), |x| rows_of(x).cloned())?;
        Ok(onnx::to_onnx(&Whole {
            model: self,
            behind: FoldedModel::new(sums.method, expansion),
        })?)
    }

    /// The sums that a graph has, with their kernel, or why there is none.
    fn onnx_form(&self) -> Result<(Sums<'_>, NamedKernel<Rows<f64>, f64>), Error> {
        let methods = "methods that predict by sums of kernel values";
        let sums = self.sums(ONNX, methods)?;
        let kind = sums.expansion.samples().kind();
        let (Kind::Rows(_), Some(kernel)) = (kind, sums.expansion.kernel().of_rows()) else {
            return Err(not_exported(kind.words(), ONNX, "dense vectors"));
        };
        let kernel = kernel.clone();
        onnx::require_form(&npt_core::Kernel::describe(&kernel))?;
        Ok((sums, kernel))
    }

    pub(crate) fn has_onnx(&self) -> bool {
        self.onnx_form().is_ok()
    }

    /// The model in the text format of LIBSVM, as `svm-predict` reads it.
    ///
    /// Labels are the model's [`classes`](Self::classes) where they are whole numbers, 1 and −1 for yes and no, and positions among the
    /// classes for texts. A one-class machine predicts −1 for what is novel.
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

    /// The sums that a text has, the machine that they are of, and the kernel; or why there is none.
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

    fn sums(&self, format: &'static str, methods: &'static str) -> Result<Sums<'_>, Error> {
        self.fitted().sums().map_err(|none| match none {
            NoSums::Method => not_exported(self.estimator().method_name(), format, methods),
            NoSums::Space => {
                let space = self.estimator().space_name();
                not_exported(space, format, "the spaces exact and nystrom")
            }
            NoSums::Error(error) => error.into(),
        })
    }
}

fn not_exported(what: &str, format: &'static str, can: &'static str) -> Error {
    let what = what.to_owned();
    Error::NotExported { what, format, can }
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
            Self::Dense(kernel) => libsvm::require_form(kernel),
            Self::Sparse(kernel) => libsvm::require_form(kernel),
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

/// A model with its transformers and the names of its classes.
struct Whole<'a> {
    model: &'a Model,
    behind: FoldedModel<&'a dyn OnnxMethod<f64>, Rows<f64>, NamedKernel<Rows<f64>, f64>>,
}

impl OnnxModel for Whole<'_> {
    fn columns(&self) -> usize {
        let front = self.model.front().first();
        front.map_or_else(|| self.behind.columns(), Front::width)
    }

    fn feature_names(&self) -> &[String] {
        self.model.columns()
    }

    fn build(&self, graph: &mut Graph, x: &Value) -> Result<(), npt_export::Error> {
        if let Some(classes) = names(self.model) {
            graph.name_classes(classes);
        }
        let mut x = x.clone();
        for front in self.model.front() {
            x = front.onnx().build(graph, &x)?;
        }
        self.behind.build(graph, &x)
    }
}

/// The classes as a graph names them. The sides of a one-class machine are inside and novel, as the model predicts.
fn names(model: &Model) -> Option<Labels> {
    if let Fitted::OneClassSvm(_) = model.fitted() {
        return Some(Labels::Integers(vec![1, 0]));
    }
    let classes = model.classes();
    Some(match classes.first()? {
        Label::Text(_) => Labels::Texts(classes.iter().map(Label::to_string).collect()),
        _ => Labels::Integers(classes.iter().map(number).collect()),
    })
}

/// The label as a whole number; of a text 0, as all labels of a model are of one type.
fn number(label: &Label) -> i64 {
    match label {
        Label::Bool(label) => i64::from(*label),
        Label::Integer(label) => *label,
        Label::Text(_) => 0,
    }
}

fn text<S: LibsvmVectors>(
    sums: &Sums<'_>,
    machine: Machine<'_>,
    kernel: NamedKernel<S, f64>,
    samples: impl Fn(&AnySamples) -> Result<S, npt_core::Error>,
) -> Result<String, Error> {
    let expansion = sums.expansion.converted(Arc::new(kernel), samples)?;
    Ok(libsvm::to_text(&FoldedModel::new(machine, expansion))?)
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
