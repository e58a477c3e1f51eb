//! Models that are read from the text of LIBSVM.

use crate::{
    Ability, AnyKernel, AnySamples, Error, Estimator, Label, Model,
    estimator::ONLY_READ,
    fitted::{Answer, Answers, Fitted, Raw, column, for_the_second},
    model::Border,
};
use ndarray::{Array1, Array2};
use npt_core::{
    Expansion, ExpansionModel, Kernel, ReadyKernels, Rows, SparseRows, catalogue::DescriptionError,
};
use npt_export::libsvm::{LibsvmMethod, LibsvmVectors, SvmType, from_text, from_text_of_columns};
use std::sync::Arc;

/// A machine that was read.
pub(crate) type Read = ExpansionModel<LibsvmMethod, AnySamples, AnyKernel, f64>;

impl Model {
    /// Reads a model from a text of LIBSVM, such as `svm-train` writes, on dense vectors of this number of columns; with `None`, the
    /// largest index of the text is that number. The model decides as LIBSVM does, and is saved, loaded and exported as any other.
    ///
    /// Its [`classes`](Self::classes) are the labels, in the order of the text. Its estimator is called `libsvm` and cannot be fitted.
    ///
    /// # Errors
    /// [`Error::Export`] for a malformed line, which the error names, and for vectors that are mostly zeros; these are read by
    /// [`from_libsvm_sparse`](Self::from_libsvm_sparse).
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Label, Model};
    ///
    /// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0.5\nlabel 7 3\nnr_sv 1 1\nSV\n1 1:2\n-1 2:1\n";
    /// let model = Model::from_libsvm(text, None)?;
    /// // 2x₁ − x₂ − ½ is above 0 for the first label.
    /// let new = Data::from(array![[1.0, 0.0], [0.0, 1.0]]);
    /// assert_eq!(model.predict(&new)?.labels().unwrap(), [7, 3].map(Label::Integer));
    /// assert_eq!(model.decision_function(&new)?, array![[-1.5], [1.5]]);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn from_libsvm(text: &str, columns: Option<usize>) -> Result<Self, Error> {
        let read = read::<Rows<f64>>(text, columns)?;
        let columns = read.expansion().samples().view().ncols();
        of_read(&read, Some(columns))
    }

    /// Reads a model as [`from_libsvm`](Self::from_libsvm) does, on sparse vectors.
    ///
    /// # Errors
    /// The errors of [`from_libsvm`](Self::from_libsvm).
    pub fn from_libsvm_sparse(text: &str, columns: Option<usize>) -> Result<Self, Error> {
        of_read(&read::<SparseRows<f64>>(text, columns)?, None)
    }
}

type OfVectors<S> = npt_export::libsvm::LibsvmModel<S>;

fn read<S>(text: &str, columns: Option<usize>) -> Result<OfVectors<S>, Error>
where
    S: LibsvmVectors + ReadyKernels<f64>,
{
    Ok(match columns {
        Some(columns) => from_text_of_columns(text, columns)?,
        None => from_text(text)?,
    })
}

fn of_read<S>(read: &OfVectors<S>, width: Option<usize>) -> Result<Model, Error>
where
    S: LibsvmVectors,
    AnySamples: From<S>,
{
    let (method, expansion) = (read.inner(), read.expansion());
    let of_kernel = |error: DescriptionError| Error::description("kernel", error);
    let kernel = AnyKernel::new(&expansion.kernel().describe()).map_err(of_kernel)?;
    let any = |x: &S| Ok::<_, Error>(AnySamples::from(x.clone()));
    let estimator = Estimator::only_read(ONLY_READ, kernel.clone());
    let converted: Expansion<_, _, f64> = expansion.converted(Arc::new(kernel), any)?;
    let labels = method
        .labels()
        .iter()
        .map(|&label| Label::Integer(label.into()));
    let support = ("support vectors", expansion.samples().len());
    let fitted = Fitted::Libsvm(Box::new(ExpansionModel::new(method.clone(), converted)));
    Ok(Model::of_width(
        estimator,
        fitted,
        labels.collect(),
        width,
        support,
    ))
}

impl Answers for Read {
    fn abilities(&self) -> &'static [Ability] {
        match self.inner().svm_type() {
            SvmType::EpsilonSvr | SvmType::NuSvr => &[Ability::Predict],
            _ => &[Ability::Predict, Ability::DecisionFunction],
        }
    }

    fn predict(&self, x: &Border<'_>) -> Answer<Raw> {
        let values: Result<Array1<f64>, _> = self.try_predict(x);
        Some(values.map(|values| match self.inner().svm_type() {
            SvmType::EpsilonSvr | SvmType::NuSvr => Raw::Numbers(column(values)),
            SvmType::OneClass => Raw::Novel(values.mapv(|value| value < 0.0)),
            SvmType::CSvc | SvmType::NuSvc => {
                let labels = self.inner().labels();
                let is_of = |value: f64| move |&label: &i32| f64::from(label) == value;
                let position = |value: f64| labels.iter().position(is_of(value));
                Raw::Classes(values.mapv(|value| position(value).unwrap_or_default()))
            }
        }))
    }

    fn decision_function(&self, x: &Border<'_>) -> Answer<Array2<f64>> {
        let values = ExpansionModel::decision_function(self, x);
        Some(values.map(|values| match self.inner().svm_type() {
            SvmType::CSvc | SvmType::NuSvc => for_the_second(values),
            _ => values,
        }))
    }
}
