//! Models in files. Nothing here is generic behind the first line, so that the code that writes and reads files is compiled in this crate
//! alone, and not once more in each crate that calls it.

use crate::{Error, Model, typed};
use std::path::Path;

impl Model {
    /// Saves the model at `path`, and replaces a file that is there.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_at(path.as_ref())
    }

    fn save_at(&self, path: &Path) -> Result<(), Error> {
        Ok(npt_model_file::save(self, path)?)
    }

    /// Loads the model at `path`: a [`Model`], or a typed model of one of npt's methods, whose kernels have names.
    ///
    /// | typed model | samples |
    /// |---|---|
    /// | [`ExpansionModel`](npt_core::ExpansionModel) of a linear method of npt-methods, or of LIBSVM | [`Rows`](npt_core::Rows), [`SparseRows`](npt_core::SparseRows), [`KernelRows`](npt_core::KernelRows), [`Items`](npt_core::Items) of texts, sets of texts and graphs of texts |
    /// | `GaussianProcessModel` and `NoveltyDetectorModel` on kernel values | the same |
    /// | `KernelCcaModel` of two expansions, one a view | the same; each view may have another type |
    /// | `RobustKpcaModel` | dense vectors |
    ///
    /// The numbers of a typed model are f64, or f32, which become f64 without rounding: the model then computes in f64 with the
    /// coefficients that were found in f32.
    ///
    /// Labels of typed models are texts, yes and no, and whole numbers that an `i64` holds. Such a model answers as the one that was
    /// saved; with two classes, [`decision_function`](Self::decision_function) is positive for the second, whatever the type. Its
    /// estimator names the method and the kernel, and cannot be fitted.
    ///
    /// # Errors
    /// [`Error::File`] for a file that is damaged, holds no model, or holds one of another type: the reason says which types can be read.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::array;
    /// use npt_core::{Gaussian, Linear};
    /// use npt_estimator::{Data, Label, Model};
    /// use npt_methods::KernelSvc;
    ///
    /// let x = array![[0.0], [1.0], [3.0], [4.0]];
    /// let data = Dataset::new(x.clone(), array!["low", "low", "high", "high"]).map_targets(|label| label.to_string());
    /// let typed = KernelSvc::params(Gaussian::new(0.5) + Linear::new().scaled(0.1)).fit(&data)?;
    /// let path = std::env::temp_dir().join("npt-example-of-a-typed-model.npt");
    /// npt_model_file::save(&typed, &path)?;
    ///
    /// let model = Model::load(&path)?;
    /// assert_eq!(model.predict(&Data::from(x))?.labels().unwrap()[..2], ["low", "low"].map(Label::from));
    /// assert_eq!(model.kernel(), "sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_from(path.as_ref())
    }

    fn load_from(path: &Path) -> Result<Self, Error> {
        typed::load(path)
    }

    /// Returns the bytes of the file that [`save`](Self::save) writes.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(npt_model_file::to_bytes(self)?)
    }

    /// Reads the model from the bytes of a file, as [`load`](Self::load) does.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator, Model, Targets};
    ///
    /// let data = Data::from(array![[0.0], [1.0], [3.0], [4.0]]);
    /// let model = Estimator::new("kpca(components = 1)", "gaussian(gamma = 0.5)")?.fit(&data, Targets::None)?;
    /// let read = Model::from_bytes(&model.to_bytes()?)?;
    /// assert_eq!(read.transform(&data)?, model.transform(&data)?);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        typed::from_bytes(bytes)
    }
}
