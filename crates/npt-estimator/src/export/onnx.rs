//! Graphs of ONNX.

use super::{Sums, not_exported};
use crate::{Error, Label, Model, features::rows_of, fitted::Fitted, front::Front, samples::Kind};
use npt_core::{ExpansionModel, Kernel, NamedKernel, Rows};
use npt_export::onnx::{
    Graph, Labels, OnnxMethod, OnnxModel, Value, require_form, to_onnx, to_onnx_with_categories,
};
use std::sync::Arc;

const ONNX: &str = "ONNX";

impl Model {
    /// The model as bytes of ONNX, its transformers included: a file is `std::fs::write(path, model.to_onnx()?)`.
    ///
    /// Outputs are those of [`npt_export::onnx`]: `values`, and where the model has them `label`, `probabilities`, `scores` and
    /// `decision_values`. Labels are the model's [`classes`](Self::classes), yes and no as 1 and 0.
    ///
    /// | [`Model`] | output |
    /// |---|---|
    /// | numbers of [`predict`](Self::predict), components of [`transform`](Self::transform), of two views those of the first | `values` |
    /// | labels and clusters of [`predict`](Self::predict) | `label` |
    /// | novelty by [`predict`](Self::predict) of `one_class_svm` | `label`, 1 for novel samples |
    /// | [`decision_function`](Self::decision_function) | `values`; `decision_values` for `kfd` and `kpca_lda`; −`values` for two classes of `calibrated_svc`, of a model that was read from LIBSVM, and of a typed `MulticlassSvc` |
    /// | [`predict_probabilities`](Self::predict_probabilities) | `probabilities` |
    /// | means of [`predict_with_variance`](Self::predict_with_variance) | `values`; variances have no form |
    ///
    /// Categories enter the graph by their numbers, which the metadata `categories` lists. Any other number is unlike all categories.
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
        let whole = Whole {
            model: self,
            behind: ExpansionModel::new(sums.method, expansion),
        };
        Ok(if self.categories().is_empty() {
            to_onnx(&whole)?
        } else {
            to_onnx_with_categories(&whole, self.categories())?
        })
    }

    /// The sums and the kernel that the graph is made of; or the reason why the model has no graph.
    fn onnx_form(&self) -> Result<(Sums<'_>, NamedKernel<Rows<f64>, f64>), Error> {
        let methods = "methods that predict by sums of kernel values";
        let sums = self.sums(ONNX, methods)?;
        let kind = sums.expansion.samples().kind();
        let (Kind::Rows(_), Some(kernel)) = (kind, sums.expansion.kernel().of_rows()) else {
            return Err(not_exported(kind.words(), ONNX, "dense vectors"));
        };
        let kernel = kernel.clone();
        require_form(&Kernel::<Rows<f64>>::describe(&kernel))?;
        Ok((sums, kernel))
    }

    pub(crate) fn has_onnx(&self) -> bool {
        self.onnx_form().is_ok()
    }
}

/// A model with its transformers and the names of its classes.
struct Whole<'a> {
    model: &'a Model,
    behind: ExpansionModel<&'a dyn OnnxMethod<f64>, Rows<f64>, NamedKernel<Rows<f64>, f64>>,
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

/// The label as a whole number. A text gives 0, which is never used: all labels of a model are of one type.
fn number(label: &Label) -> i64 {
    match label {
        Label::Bool(label) => i64::from(*label),
        Label::Integer(label) => *label,
        Label::Text(_) => 0,
    }
}
