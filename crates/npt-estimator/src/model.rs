//! A fitted estimator of any kind.

mod border;
mod files;
mod inputs;
mod learned;
mod page;
mod parts;
mod questions;
mod selection;

pub(crate) use border::{Border, OfRows, OnlyRows};
pub use learned::Learned;
pub use selection::Selection;

use crate::{
    Ability, Categories, Data, Error, Estimator, Label, fitted::Fitted, front::Front,
    matrix::Matrix,
};
use ndarray::Array2;
use npt_core::FeatureNames;

/// Predictions, one entry a sample.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Predictions {
    /// Classes.
    Labels(Vec<Label>),
    /// Numbers, shape (samples, targets).
    Numbers(Array2<f64>),
    /// The number of a cluster, from 0.
    Clusters(Vec<usize>),
    /// `true` for a sample that is unlike the training samples.
    Novel(Vec<bool>),
}

impl Predictions {
    /// The classes; `None` for predictions that are no classes.
    pub fn labels(&self) -> Option<&[Label]> {
        match self {
            Self::Labels(labels) => Some(labels),
            _ => None,
        }
    }

    /// The numbers, shape (samples, targets); `None` for predictions that are no numbers.
    pub fn numbers(&self) -> Option<&Array2<f64>> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }
}

/// A fitted [`Estimator`] of any kind. A program saves, loads and asks it without knowing its method.
///
/// # Decision functions
/// | model | columns of [`decision_function`](Self::decision_function) |
/// |---|---|
/// | machines and logistic regression of two classes | one, positive for the second class |
/// | `svc` and `calibrated_svc` of more classes | one a pair of classes, in the order 0–1, 0–2, …, 1–2, …, positive for the first of the pair; one a class for `one_against_rest` |
/// | `logistic` of more classes, `kfd` and `kpca_lda` | one a class, largest for the class that is predicted |
/// | `one_class_svm` and `novelty_detector` | one, positive for samples that are not novel |
/// | models that were [read](Self::from_libsvm) from LIBSVM | as for `svc`, in the order of their classes; one for a one-class machine |
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_estimator::{Ability, Data, Estimator, Model};
///
/// let data = Data::from(array![[0.0], [1.0], [3.0], [4.0]]).with_columns(["depth"])?;
/// let estimator = Estimator::new("gaussian_process(noise = 0.1)", "gaussian(gamma = 0.5)")?;
/// let model = estimator.fit(&data, vec![0.0, 1.0, 0.5, 0.0])?;
/// let (means, variances) = model.predict_with_variance(&data)?;
/// assert!(variances.iter().all(|&variance| variance > 0.0 && variance < 0.2));
///
/// let path = std::env::temp_dir().join("npt-example-of-a-model.npt");
/// model.save(&path)?;
/// let loaded = Model::load(&path)?;
/// assert_eq!(loaded.predict_with_variance(&data)?, (means, variances));
/// assert_eq!(loaded.columns(), ["depth"]);
/// let error = loaded.transform(&data).unwrap_err();
/// assert_eq!(error.to_string(), "gaussian_process has no transform; it has predict, predict_with_variance, to_onnx");
/// assert!(!loaded.has(Ability::Transform));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), npt_estimator::Error>(())
/// ```
#[derive(Debug, Clone, serde::Serialize)]
pub struct Model {
    estimator: Estimator,
    front: Vec<Front>,
    fitted: Fitted,
    classes: Vec<Label>,
    columns: Vec<String>,
    /// The names of the targets; empty if they have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    target_names: Vec<String>,
    /// The categories of the columns that have categories.
    categories: Categories,
    accepts_unseen: bool,
    /// The number of columns, before the transformers; `None` for samples that are no dense vectors.
    width: Option<usize>,
    /// The samples of the fit, in words, and their number.
    trained_on: (String, usize),
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<Selection>,
}

impl Model {
    pub(crate) fn new(
        estimator: Estimator,
        front: Vec<Front>,
        fitted: Fitted,
        classes: Vec<Label>,
        data: &Data,
        (words, count): (&str, usize),
    ) -> Self {
        Self {
            estimator,
            front,
            fitted,
            classes,
            columns: data.columns().to_vec(),
            target_names: Vec::new(),
            categories: data.categories().clone(),
            accepts_unseen: false,
            width: data.matrix().map(Matrix::ncols),
            trained_on: (words.to_owned(), count),
            selection: None,
        }
    }

    /// A model of dense vectors of this width, or of other samples: without transformers and names of columns.
    pub(crate) fn of_width(
        estimator: Estimator,
        fitted: Fitted,
        classes: Vec<Label>,
        width: Option<usize>,
        (words, count): (&str, usize),
    ) -> Self {
        Self {
            estimator,
            front: Vec::new(),
            fitted,
            classes,
            columns: Vec::new(),
            target_names: Vec::new(),
            categories: Categories::default(),
            accepts_unseen: false,
            width,
            trained_on: (words.to_owned(), count),
            selection: None,
        }
    }

    /// The model of another method on the same data, behind the same transformers; `samples` is the number of samples of its fit.
    pub(crate) fn with_method(
        &self,
        estimator: Estimator,
        fitted: Fitted,
        classes: Vec<Label>,
        samples: usize,
    ) -> Self {
        Self {
            estimator,
            fitted,
            classes,
            trained_on: (self.trained_on.0.clone(), samples),
            ..self.clone()
        }
    }

    /// Sets the names of the columns, one a column.
    pub(crate) fn with_columns(mut self, columns: Vec<String>) -> Self {
        self.columns = columns;
        self
    }

    /// The estimator that was fitted.
    pub fn estimator(&self) -> &Estimator {
        &self.estimator
    }

    pub(crate) fn front(&self) -> &[Front] {
        &self.front
    }

    pub(crate) fn fitted(&self) -> &Fitted {
        &self.fitted
    }

    /// The questions that the model answers.
    pub fn abilities(&self) -> Vec<Ability> {
        let mut abilities = self.fitted.answers().abilities().to_vec();
        for ability in [Ability::InverseTransform, Ability::Reconstruct] {
            abilities.extend(self.has(ability).then_some(ability));
        }
        abilities.extend(self.has_onnx().then_some(Ability::Onnx));
        abilities.extend(self.has_libsvm().then_some(Ability::Libsvm));
        abilities
    }

    /// Returns whether the model answers this question.
    pub fn has(&self, ability: Ability) -> bool {
        match ability {
            Ability::InverseTransform => {
                matches!(self.fitted, Fitted::KpcaDenoiser(_)) && self.require_inverse().is_ok()
            }
            Ability::Reconstruct => {
                let model = &self.fitted;
                matches!(model, Fitted::KpcaDenoiser(_) | Fitted::RobustKpca(_))
                    && self.require_inverse().is_ok()
            }
            Ability::Onnx => self.has_onnx(),
            Ability::Libsvm => self.has_libsvm(),
            other => self.fitted.answers().abilities().contains(&other),
        }
    }

    /// The classes, ascending, or in the order of the text that they were read from. The columns of
    /// [`predict_probabilities`](Self::predict_probabilities) have this order. Empty for a model that is no classifier.
    pub fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The names of the columns that the model takes, in their order; empty if the columns of the fit had no names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Gives the model the names of the targets that it was fitted to. Its file keeps them, so that a program that loads the model finds
    /// the targets in other tables.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let model = Estimator::new("ridge", "linear")?.fit(&Data::from(array![[1.0], [2.0]]), vec![1.0, 2.0])?;
    /// assert!(model.target_names().is_empty());
    /// assert_eq!(model.with_target_names(["price"]).target_names(), ["price"]);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn with_target_names<N: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Self {
        self.target_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// The names of the targets; empty if none were given.
    pub fn target_names(&self) -> &[String] {
        &self.target_names
    }

    /// The categories of the columns that have categories.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// Accepts categories that the model has not seen, which are an error by default. Such a category is unlike all known ones: the
    /// transformer `one_hot` makes zeros of it, and for the kernels `simple_matching` and `gower` it matches none.
    ///
    /// # Example
    /// ```
    /// use npt_estimator::{Column, Data, Estimator};
    ///
    /// let data = Data::from_columns([("colour", Column::from(vec!["red", "blue", "red", "blue"]))])?;
    /// let estimator = Estimator::new("ridge", "gaussian(gamma = 1)")?.transformer("one_hot")?;
    /// let model = estimator.fit(&data, vec![1.0, 2.0, 1.0, 2.0])?;
    ///
    /// let new = Data::from_columns([("colour", Column::from(vec!["blue", "green"]))])?;
    /// let error = model.predict(&new).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "sample 1 has \"green\" in the column colour, which the model has not seen; it knows red, blue"
    /// );
    /// let predictions = model.accept_unseen_categories().predict(&new)?;
    /// // As far from both.
    /// assert!((predictions.numbers().unwrap()[[1, 0]] - 1.5).abs() < 1e-12);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn accept_unseen_categories(mut self) -> Self {
        self.accepts_unseen = true;
        self
    }

    /// The kernel of the fitted method, as it is written: that of the estimator, or the one that `optimized_gaussian_process` found.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let x = array![[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]];
    /// let waves = x.column(0).mapv(|v: f64| v.sin());
    /// let estimator = Estimator::new("optimized_gaussian_process(noise = 0.1)", "gaussian(gamma = 3)")?;
    /// let model = estimator.fit(&Data::from(x), waves)?;
    /// assert!(model.kernel().starts_with("gaussian(gamma = 0."));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn kernel(&self) -> String {
        match &self.fitted {
            Fitted::GaussianProcess(model) => model.expansion().kernel().to_string(),
            _ => self.estimator.texts().kernel,
        }
    }

    /// Selects the columns that the model takes, in its order. If the model was fitted to columns without names, the data stay as they
    /// are. Predictions refuse other columns, and another order.
    ///
    /// # Errors
    /// [`Error::MissingColumns`].
    pub fn arranged(&self, data: &Data) -> Result<Data, Error> {
        if self.columns.is_empty() {
            return Ok(data.clone());
        }
        data.select(&self.columns)
    }
}

impl FeatureNames for Model {
    fn feature_names(&self) -> &[String] {
        &self.columns
    }
}
