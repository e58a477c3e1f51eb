//! The fit of an estimator by name.

use super::Estimator;
use crate::{
    AnySamples, Data, Error, Label, Model, Targets,
    categories::check_kernel,
    data::Records,
    fitted::Fitted,
    front::Front,
    label::classes_of,
    methods::{Classes, Fit, HAS_PRE_IMAGES, Job, METHODS, Method, OfMatrix},
    spaces,
};
use ndarray::{ArcArray2, Array1, Array2};
use npt_core::{Kernel as _, Rows, Samples as _};

impl Estimator {
    /// Fits the estimator. Methods without targets take `()`; those of two views take the second as [`Data`], whose samples are in
    /// the same order and may be of another type.
    ///
    /// # Errors
    /// [`Error::Targets`], [`Error::TwoClasses`], [`Error::MixedLabels`] for targets that the method does not take;
    /// [`Error::KernelOfCategories`] for columns of categories that the kernel would take for numbers, [`Error::CategoriesOfView`] for
    /// columns of categories in the second view, [`Error::NoCategories`] for a transformer of categories that finds none;
    /// [`Error::Domain`], [`Error::DenseVectors`] for samples that are not for the kernel, the space, a transformer or pre-images;
    /// [`Error::Combination`] for a method or a space that does not go with another part;
    /// [`Error::Description`] for an unknown kernel of the second view; [`Error::Fit`] for other faults of samples and parameters;
    /// [`Error::OnlyRead`].
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::Items;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// // Numbers and words: small numbers have few letters a, large ones many, of either sign.
    /// let numbers = Data::from(array![[-2.0], [-1.0], [0.0], [1.0], [2.0]]);
    /// let words = ["aaaa", "a", "", "a", "aaaa"].map(str::to_owned);
    /// let words = Data::new(Items::new(words.to_vec())?);
    /// let kernel = "polynomial(degree = 2, gamma = 1, constant = 0)";
    /// let estimator = Estimator::new("cca(components = 1, second_kernel = \"spectrum(length = 1)\")", kernel)?;
    /// let model = estimator.fit(&numbers, words.clone())?;
    /// let (first, second) = (model.transform(&numbers)?, model.transform_second(&words)?);
    /// assert!((first[[0, 0]] - second[[0, 0]]).abs() < 0.02);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn fit(&self, data: &Data, targets: impl Into<Targets>) -> Result<Model, Error> {
        self.fit_targets(data, targets.into(), None)
    }

    /// Fits the estimator in a space with given landmarks. They are samples of any origin, in the place of those that the space
    /// `nystrom` would choose among the samples of the fit. Transformers work on the landmarks as on the samples. The estimator of the
    /// model says how many landmarks were asked for, but not which.
    ///
    /// # Errors
    /// [`Error::Combination`] in another space; otherwise the errors of [`fit`](Self::fit).
    ///
    /// # Example
    /// ```
    /// use ndarray::{Array2, array};
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let x = Data::from(Array2::from_shape_fn((60, 1), |(i, _)| i as f64 / 10.0));
    /// let landmarks = Data::from(array![[0.0], [2.0], [4.0]]);
    /// let estimator = Estimator::new("coordinates", "gaussian(gamma = 0.5)")?.space("nystrom(landmarks = 3)")?;
    /// let model = estimator.fit_on(&landmarks, &x, ())?;
    /// assert!(model.residuals(&landmarks)?.iter().all(|&residual| residual < 1e-12));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn fit_on(
        &self,
        landmarks: &Data,
        data: &Data,
        targets: impl Into<Targets>,
    ) -> Result<Model, Error> {
        if self.space.name != spaces::NYSTROM {
            return Err(Error::Combination {
                of: "a fit on landmarks",
                takes: "the space nystrom",
                found: self.space.to_string(),
            });
        }
        self.fit_targets(data, targets.into(), Some(landmarks))
    }

    /// Fits the transformers to the samples and returns the samples behind them. The kernel is evaluated on these, and the width of a
    /// kernel is chosen by these.
    ///
    /// # Errors
    /// [`Error::DenseVectors`] for samples that are no dense vectors; otherwise the errors that [`fit`](Self::fit) has for transformers.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    /// use npt_estimator::{Data, Estimator};
    ///
    /// let data = Data::from(array![[1.0, 100.0], [3.0, 300.0]]);
    /// let estimator = Estimator::new("svc", "linear")?.transformer("standard_scaler")?;
    /// let scaled = estimator.transformed(&data)?;
    /// assert_eq!(scaled, array![[-1.0, -1.0], [1.0, 1.0]]);
    /// assert_eq!(Gaussian::scale(&scaled).unwrap(), Gaussian::new(0.5));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn transformed(&self, data: &Data) -> Result<Array2<f64>, Error> {
        match self.fit_transformers(data)?.1 {
            Transformed::Matrix(matrix) => Ok(matrix.into_owned()),
            Transformed::Samples(samples) => Err(Error::DenseVectors {
                of: "a matrix behind transformers".to_owned(),
                samples: samples.kind().words(),
            }),
        }
    }

    /// Fits the transformers to the training samples. Returns all samples behind them, and the names of the columns that are still
    /// categories. The samples depend on nothing but the transformers.
    pub(crate) fn behind_transformers(
        &self,
        training: &Data,
        all: &Data,
    ) -> Result<(AnySamples, Vec<String>), Error> {
        let (front, _, categories) = self.fit_transformers(training)?;
        Ok((behind(&front, all)?, categories))
    }

    /// Refuses samples behind transformers if the kernel is none on them.
    pub(crate) fn check_kernel_on(
        &self,
        samples: &AnySamples,
        categories: &[String],
    ) -> Result<(), Error> {
        check_kernel(&self.kernel, categories.to_vec())?;
        self.kernel.require_on(samples)?;
        Ok(self.kernel.check(samples)?)
    }

    /// The method in its list.
    ///
    /// # Errors
    /// [`Error::OnlyRead`]
    pub(crate) fn method_of_list(&self) -> Result<&'static Method, Error> {
        METHODS.get(self.method.position).ok_or(Error::OnlyRead)
    }

    fn fit_targets(
        &self,
        data: &Data,
        targets: Targets,
        landmarks: Option<&Data>,
    ) -> Result<Model, Error> {
        let method = self.method_of_list()?;
        if let Some(pre_image) = self.pre_image_name()
            && method.heading.name() != HAS_PRE_IMAGES
        {
            return Err(Error::Combination {
                of: pre_image,
                takes: HAS_PRE_IMAGES,
                found: method.heading.name().to_owned(),
            });
        }
        let (front, transformed, categories) = self.fit_transformers(data)?;
        check_kernel(&self.kernel, categories)?;
        let landmarks = landmarks
            .map(|landmarks| behind(&front, landmarks))
            .transpose()?;
        let samples: AnySamples = match (&method.fit, transformed) {
            (Fit::Matrix(fit), Transformed::Matrix(matrix)) => {
                if !matches!(targets, Targets::None) {
                    return Err(not_taken(method, &targets));
                }
                let fitted = fit(&OfMatrix {
                    given: &self.method.given,
                    kernel: &self.kernel,
                    space: (self.space.position, &self.space.given),
                    matrix: matrix.view(),
                    weights: data.weights(),
                })?;
                let words = ("dense vectors", matrix.nrows());
                let classes = Vec::new();
                return Ok(Model::new(
                    self.clone(),
                    front,
                    fitted,
                    classes,
                    data,
                    words,
                ));
            }
            (Fit::Matrix(_), Transformed::Samples(samples)) => {
                return Err(Error::DenseVectors {
                    of: method.heading.name().to_owned(),
                    samples: samples.kind().words(),
                });
            }
            (_, Transformed::Matrix(matrix)) => Rows::from_shared(matrix)?.into(),
            (_, Transformed::Samples(samples)) => samples,
        };
        let job = Job {
            given: &self.method.given,
            kernel: &self.kernel,
            space: (self.space.position, &self.space.given),
            pre_image: self
                .pre_image
                .as_ref()
                .map(|chosen| (chosen.position, &*chosen.given)),
            samples: &samples,
            weights: data.weights(),
            landmarks: landmarks.as_ref(),
        };
        job.check_kernel()?;
        let (fitted, classes) = fit_method(method, &job, targets)?;
        let words = (samples.kind().words(), samples.len());
        Ok(Model::new(
            self.clone(),
            front,
            fitted,
            classes,
            data,
            words,
        ))
    }

    /// Fits the transformers, each to the output of those before it. Returns the transformers, the samples behind all of them, and the
    /// names of the columns that are still categories.
    fn fit_transformers(
        &self,
        data: &Data,
    ) -> Result<(Vec<Front>, Transformed, Vec<String>), Error> {
        let mut matrix = match (data.records(), self.transformers.first()) {
            (Records::Dense(matrix), _) => matrix.to_double(),
            (Records::Samples(samples), None) => {
                return Ok((
                    Vec::new(),
                    Transformed::Samples(samples.clone()),
                    Vec::new(),
                ));
            }
            (Records::Samples(samples), Some(transformer)) => {
                return Err(Error::DenseVectors {
                    of: transformer.to_string(),
                    samples: samples.kind().words(),
                });
            }
        };
        let mut front = Vec::with_capacity(self.transformers.len());
        let mut categories = data.places_of_categories();
        for transformer in &self.transformers {
            let (position, given) = (transformer.position, &transformer.given);
            let fitted = Front::fit(position, given, matrix.view(), &categories, data.weights())?;
            matrix = fitted.transform(matrix.into_owned()).into();
            if fitted.takes_categories() {
                categories.clear();
            }
            front.push(fitted);
        }
        let name = |column: usize| data.columns()[column].clone();
        let categories = categories.into_iter().map(name).collect();
        Ok((front, Transformed::Matrix(matrix), categories))
    }
}

/// Other data behind the fitted transformers.
fn behind(front: &[Front], data: &Data) -> Result<AnySamples, Error> {
    match data.records() {
        Records::Samples(samples) => Ok(samples.clone()),
        Records::Dense(matrix) => {
            let mut rows = matrix.to_double().into_owned();
            for front in front {
                let (expected, found) = (front.width(), rows.ncols());
                if expected != found {
                    return Err(npt_core::Error::ColumnCount { expected, found }.into());
                }
                rows = front.transform(rows);
            }
            Ok(Rows::new(rows)?.into())
        }
    }
}

/// Records behind the transformers of a fit.
enum Transformed {
    Matrix(ArcArray2<f64>),
    Samples(AnySamples),
}

/// Fits the method to targets of the kind that it takes, and returns it with its classes.
fn fit_method(
    method: &Method,
    job: &Job<'_>,
    targets: Targets,
) -> Result<(Fitted, Vec<Label>), Error> {
    let samples = job.samples.len();
    if let Some(targets) = targets.len()
        && targets != samples
    {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    let fitted = match (&method.fit, targets) {
        (Fit::Nothing(fit), Targets::None) => fit(job, Array1::from_elem(samples, ())),
        (Fit::Labels(fit), Targets::Labels(labels)) => {
            let (classes, positions) = classes_of(&labels, job.weights)?;
            let count = classes.len();
            return Ok((fit(job, Classes { positions, count })?, classes));
        }
        (Fit::Numbers(fit), Targets::Numbers(numbers)) => fit(job, numbers),
        (Fit::OneNumber(fit), Targets::Numbers(numbers)) if numbers.ncols() == 1 => {
            fit(job, numbers.column(0).to_owned())
        }
        (Fit::View(fit), Targets::View(second)) => fit(job, &second),
        (_, targets) => return Err(not_taken(method, &targets)),
    };
    Ok((fitted?, Vec::new()))
}

impl Method {
    /// Refuses targets that the method does not take.
    pub(crate) fn check_targets(&self, targets: &Targets) -> Result<(), Error> {
        match (&self.fit, targets) {
            (Fit::Nothing(_) | Fit::Matrix(_), Targets::None)
            | (Fit::Labels(_), Targets::Labels(_))
            | (Fit::Numbers(_), Targets::Numbers(_))
            | (Fit::View(_), Targets::View(_)) => Ok(()),
            (Fit::OneNumber(_), Targets::Numbers(numbers)) if numbers.ncols() == 1 => Ok(()),
            _ => Err(not_taken(self, targets)),
        }
    }
}

fn not_taken(method: &Method, targets: &Targets) -> Error {
    Error::Targets {
        method: method.heading.name(),
        takes: method.fit.targets().words(),
        found: targets.words(),
    }
}
