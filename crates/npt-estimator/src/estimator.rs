//! An estimator by name.

use crate::{
    AnyKernel, AnySamples, Data, Error, Label, Model, Targets,
    data::Records,
    fitted::Fitted,
    front::{Front, TRANSFORMERS},
    label::classes_of,
    methods::{Classes, Fit, Job, METHODS, Method},
    spaces,
};
use ndarray::Array1;
use npt_core::{Description, Parameter, ParameterValue, Rows, Samples, catalogue::Heading};
use std::fmt;

/// A method, a kernel, a space, and transformers in front: by name.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_estimator::{Data, Estimator, Label};
///
/// let xor = Data::from(array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]);
/// let estimator = Estimator::new("svc(c = 10)", "polynomial(degree = 2, gamma = 1, constant = 0)")?;
/// let model = estimator.fit(&xor, vec!["same", "same", "other", "other"])?;
/// assert_eq!(model.predict(&xor)?.labels().unwrap(), ["same", "same", "other", "other"].map(Label::from));
///
/// let error = Estimator::new("svm", "linear").unwrap_err();
/// assert_eq!(error.to_string(), "in the method: character 1: there is no method svm; the nearest name is svc");
/// # Ok::<(), npt_estimator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Estimator {
    method: Chosen,
    kernel: AnyKernel,
    space: Chosen,
    transformers: Vec<Chosen>,
}

/// Something of a list, and the values that are given to its parameters.
#[derive(Debug, Clone, PartialEq)]
struct Chosen {
    position: usize,
    name: &'static str,
    given: Vec<Parameter>,
}

impl Chosen {
    fn read<'a>(
        of: &'static str,
        list: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
        text: &str,
    ) -> Result<Self, Error> {
        let list = list.into_iter();
        let read = Heading::read(of, list.clone(), text);
        let (position, given) = read.map_err(|error| Error::description(of, error))?;
        let name = list.clone().nth(position).map_or("", Heading::name);
        Ok(Self {
            position,
            name,
            given,
        })
    }
}

impl Chosen {
    fn with<'a>(
        &self,
        of: &'static str,
        list: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
        name: &str,
        value: ParameterValue,
    ) -> Result<Self, Error> {
        let mut description = self.description();
        description
            .parameters
            .retain(|parameter| parameter.name != name);
        let name = name.to_owned();
        description.parameters.push(Parameter { name, value });
        let read = Heading::described(of, list, &description);
        let (_, given) = read.map_err(|error| Error::description(of, error))?;
        Ok(Self {
            given,
            ..self.clone()
        })
    }

    fn description(&self) -> Description {
        let mut description = Description::new(self.name);
        description.parameters.clone_from(&self.given);
        description
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.description().fmt(f)
    }
}

fn headings() -> impl Iterator<Item = &'static Heading> + Clone {
    METHODS.iter().map(|method| &method.heading)
}

impl Estimator {
    /// A method such as `svc(c = 10)` with a kernel such as `gaussian(gamma = 0.5)`, in the space that the method has by itself.
    /// [`Estimator::methods`] lists the methods.
    ///
    /// # Errors
    /// [`Error::Description`].
    pub fn new(method: &str, kernel: &str) -> Result<Self, Error> {
        let of = "kernel";
        let read = AnyKernel::read(kernel);
        Ok(Self {
            method: Chosen::read("method", headings(), method)?,
            kernel: read.map_err(|error| Error::description(of, error))?,
            space: Chosen::read(
                "space",
                spaces::headings(),
                spaces::SPACES[0].heading.name(),
            )?,
            transformers: Vec::new(),
        })
    }

    /// With a space such as `nystrom(landmarks = 100)`; [`Estimator::spaces`] lists them.
    ///
    /// # Errors
    /// [`Error::Description`].
    pub fn space(mut self, space: &str) -> Result<Self, Error> {
        self.space = Chosen::read("space", spaces::headings(), space)?;
        Ok(self)
    }

    /// With one more transformer, behind those that are there: `standard_scaler`, `imputer(strategy = "median")`.
    /// [`Estimator::transformers`] lists them.
    ///
    /// # Errors
    /// [`Error::Description`].
    pub fn transformer(mut self, transformer: &str) -> Result<Self, Error> {
        let transformer = Chosen::read("transformer", TRANSFORMERS.iter(), transformer)?;
        self.transformers.push(transformer);
        Ok(self)
    }

    /// With another value of one parameter: of the method by its name, `c`; of the space and the kernel by `space.landmarks`,
    /// `kernel.gamma`, with the path of a part of the kernel, `kernel.first.gamma`.
    ///
    /// # Errors
    /// [`Error::Description`] for a name that there is not, or a value out of range; [`Error::Parameter`] where it is of the kernel.
    pub fn with(mut self, name: &str, value: impl Into<ParameterValue>) -> Result<Self, Error> {
        let value = value.into();
        if let Some(name) = name.strip_prefix("kernel.") {
            let mut kernel = self.kernel;
            npt_core::Kernel::set_parameter(&mut kernel, name, value)?;
            let description = npt_core::Kernel::describe(&kernel);
            let of = "kernel";
            let checked = AnyKernel::new(&description);
            self.kernel = checked.map_err(|error| Error::description(of, error))?;
        } else if let Some(name) = name.strip_prefix("space.") {
            self.space = self.space.with("space", spaces::headings(), name, value)?;
        } else {
            self.method = self.method.with("method", headings(), name, value)?;
        }
        Ok(self)
    }

    /// The estimators with every combination of values; those of the last parameter follow each other. Names are as [`with`](Self::with) takes them.
    ///
    /// # Errors
    /// As [`with`](Self::with), and [`Error::NoValues`].
    pub fn grid<N: AsRef<str>>(
        &self,
        values: impl IntoIterator<Item = (N, Vec<ParameterValue>)>,
    ) -> Result<Vec<Self>, Error> {
        let mut grid = vec![self.clone()];
        for (name, values) in values {
            if values.is_empty() {
                let parameter = name.as_ref().to_owned();
                return Err(Error::NoValues { parameter });
            }
            let of_all = grid.iter().flat_map(|estimator| {
                let with =
                    |value: &ParameterValue| estimator.clone().with(name.as_ref(), value.clone());
                values.iter().map(with)
            });
            grid = of_all.collect::<Result<_, _>>()?;
        }
        Ok(grid)
    }

    /// The methods by name.
    pub fn methods() -> impl Iterator<Item = &'static Heading> {
        headings()
    }

    /// The spaces by name.
    pub fn spaces() -> impl Iterator<Item = &'static Heading> {
        spaces::headings()
    }

    /// The transformers by name.
    pub fn transformers() -> impl Iterator<Item = &'static Heading> {
        TRANSFORMERS.iter()
    }

    /// Fits the estimator. Methods without targets take `()`.
    ///
    /// # Errors
    /// [`Error::Targets`], [`Error::TwoClasses`], [`Error::MixedLabels`] for targets that the method does not take;
    /// [`Error::Domain`], [`Error::DenseVectors`] for samples that are not for the kernel, the space or a transformer;
    /// [`Error::Fit`] for what is wrong with samples and parameters.
    pub fn fit(&self, data: &Data, targets: impl Into<Targets>) -> Result<Model, Error> {
        self.fit_targets(data, targets.into())
    }

    fn fit_targets(&self, data: &Data, targets: Targets) -> Result<Model, Error> {
        let (front, samples) = self.fit_transformers(data)?;
        if !self.kernel.is_on(&samples) {
            return Err(Error::Domain {
                kernel: self.kernel.to_string(),
                samples: samples.kind().words(),
                domains: self.kernel.domains(),
            });
        }
        let job = Job {
            given: &self.method.given,
            kernel: &self.kernel,
            space: (self.space.position, &self.space.given),
            samples: &samples,
            weights: data.weights(),
        };
        let (fitted, classes) = fit_method(&METHODS[self.method.position], &job, targets)?;
        Ok(Model::new(
            self.clone(),
            front,
            fitted,
            classes,
            data,
            &samples,
        ))
    }

    /// The transformers, each fitted to what those before it make of the samples; and what all of them make of these.
    fn fit_transformers(&self, data: &Data) -> Result<(Vec<Front>, AnySamples), Error> {
        let mut matrix = match (data.records(), self.transformers.first()) {
            (Records::Dense(matrix), _) => matrix.clone(),
            (Records::Samples(samples), None) => return Ok((Vec::new(), samples.clone())),
            (Records::Samples(samples), Some(transformer)) => {
                return Err(Error::DenseVectors {
                    of: transformer.to_string(),
                    samples: samples.kind().words(),
                });
            }
        };
        let mut front = Vec::with_capacity(self.transformers.len());
        for transformer in &self.transformers {
            let (position, given) = (transformer.position, &transformer.given);
            let fitted = Front::fit(position, given, &matrix, data.weights())?;
            matrix = fitted.transform(matrix);
            front.push(fitted);
        }
        Ok((front, Rows::new(matrix)?.into()))
    }

    pub(crate) fn method_name(&self) -> &'static str {
        self.method.name
    }

    pub(crate) fn space_name(&self) -> &'static str {
        self.space.name
    }

    pub(crate) fn transformer_names(&self) -> impl Iterator<Item = &'static str> {
        self.transformers.iter().map(|transformer| transformer.name)
    }

    /// The method, the kernel, the space and the transformers, as they are written.
    pub(crate) fn texts(&self) -> Texts {
        Texts {
            method: self.method.to_string(),
            kernel: self.kernel.to_string(),
            space: self.space.to_string(),
            transformers: self.transformers.iter().map(Chosen::to_string).collect(),
        }
    }
}

/// The fitted method and its classes, if the targets are what the method takes.
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
    let found = targets.words();
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
        (fit, _) => {
            return Err(Error::Targets {
                method: method.heading.name(),
                takes: fit.takes(),
                found,
            });
        }
    };
    Ok((fitted?, Vec::new()))
}

/// An estimator as it is written, in files of models as well.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename = "Estimator", deny_unknown_fields)]
pub(crate) struct Texts {
    pub(crate) method: String,
    pub(crate) kernel: String,
    #[serde(default = "Texts::space")]
    pub(crate) space: String,
    #[serde(default)]
    pub(crate) transformers: Vec<String>,
}

impl Texts {
    fn space() -> String {
        spaces::SPACES[0].heading.name().to_owned()
    }
}

/// The parts in the order of the data's way, for people; serde has them apart, to be read again: `standard_scaler, svc(c = 10) in exact of gaussian(gamma = 0.5)`.
impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for transformer in &self.transformers {
            write!(f, "{transformer}, ")?;
        }
        write!(f, "{} in {} of {}", self.method, self.space, self.kernel)
    }
}

impl serde::Serialize for Estimator {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Estimator {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = Texts::deserialize(deserializer)?;
        let read = || {
            let mut estimator = Self::new(&texts.method, &texts.kernel)?.space(&texts.space)?;
            // At once: a file may hold many.
            estimator
                .transformers
                .reserve_exact(texts.transformers.len());
            for transformer in texts.transformers {
                estimator = estimator.transformer(&transformer)?;
            }
            Ok::<_, Error>(estimator)
        };
        read().map_err(serde::de::Error::custom)
    }
}
