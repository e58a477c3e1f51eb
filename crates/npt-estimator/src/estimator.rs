//! An estimator by name.

mod chosen;
mod fit;
mod texts;
mod typed;

use crate::{
    AnyKernel, Error, TargetKind,
    front::TRANSFORMERS,
    methods::{COORDINATES, METHODS},
    pre_image::{self, PRE_IMAGES},
    spaces,
};
pub(crate) use chosen::Chosen;
use npt_core::{Axes, Parameter, ParameterType as _, ParameterValue, catalogue::Heading};
use texts::Texts;
pub use typed::NamedSpace;

/// An estimator by name: a method, a kernel, a space, transformers in front, and a way to pre-images.
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
    pre_image: Option<Chosen>,
}

/// The method's name in a model that was read from a text of LIBSVM, not fitted.
pub(crate) const ONLY_READ: &str = "libsvm";

/// The word before the method of a typed model that was read.
const TYPED: &str = "typed ";

/// A way to pre-images, in the words of an error message.
const OF_PRE_IMAGE: &str = "way to pre-images";

fn headings() -> impl Iterator<Item = &'static Heading> + Clone {
    METHODS.iter().map(|method| &method.heading)
}

impl Estimator {
    /// An estimator of a method such as `svc(c = 10)` and a kernel such as `gaussian(gamma = 0.5)`, in the method's default space.
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
            pre_image: None,
        })
    }

    /// The estimator of a model that was read from a text of LIBSVM, or from a file of a typed model: it has a method and a kernel, and
    /// cannot be fitted.
    pub(crate) fn only_read(method: &'static str, kernel: AnyKernel) -> Self {
        let none = |name| Chosen {
            position: usize::MAX,
            name,
            given: Vec::new(),
        };
        Self {
            method: none(method),
            kernel,
            space: Chosen {
                position: 0,
                ..none(spaces::SPACES[0].heading.name())
            },
            transformers: Vec::new(),
            pre_image: None,
        }
    }

    /// Returns whether this is a support vector machine in its default space, without pre-images.
    pub(crate) fn is_plain_svc(&self) -> bool {
        let is_plain = self.space.position == 0 && self.space.given.is_empty();
        self.method.name == "svc" && is_plain && self.pre_image.is_none()
    }

    /// Returns whether two estimators differ at most in the parameters of the method: a [`Search`](crate::Search) may fit the two
    /// together.
    ///
    /// # Example
    /// ```
    /// use npt_estimator::Estimator;
    ///
    /// let svc = Estimator::new("svc(c = 1)", "linear")?;
    /// assert!(svc.differs_in_parameters(&svc.clone().with("c", 10.0)?));
    /// assert!(!svc.differs_in_parameters(&Estimator::new("ridge", "linear")?));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn differs_in_parameters(&self, other: &Self) -> bool {
        let mut other = other.clone();
        other.method.given.clone_from(&self.method.given);
        *self == other
    }

    pub(crate) fn has_transformers(&self) -> bool {
        !self.transformers.is_empty()
    }

    pub(crate) fn shares_transformers(&self, other: &Self) -> bool {
        self.transformers == other.transformers
    }

    pub(crate) fn any_kernel(&self) -> &AnyKernel {
        &self.kernel
    }

    /// The parameters of the method that are given.
    pub(crate) fn method_parameters(&self) -> &[Parameter] {
        &self.method.given
    }

    /// Sets the space, such as `nystrom(landmarks = 100)`; [`Estimator::spaces`] lists the spaces.
    ///
    /// # Errors
    /// [`Error::Description`].
    pub fn space(mut self, space: &str) -> Result<Self, Error> {
        self.space = Chosen::read("space", spaces::headings(), space)?;
        Ok(self)
    }

    /// Adds a transformer behind those that are there, such as `standard_scaler` or `imputer(strategy = "median")`.
    /// [`Estimator::transformers`] lists the transformers.
    ///
    /// # Errors
    /// [`Error::Description`].
    pub fn transformer(mut self, transformer: &str) -> Result<Self, Error> {
        let transformer = Chosen::read("transformer", TRANSFORMERS.iter(), transformer)?;
        self.transformers.push(transformer);
        Ok(self)
    }

    /// Sets a way to pre-images, from components to inputs, such as `fixed_point` or `ridge(alpha = 0.1)`. It is fitted to the same
    /// samples, and gives the model [`inverse_transform`](crate::Model::inverse_transform). [`Estimator::pre_images`] lists the ways.
    ///
    /// Only kernel principal components take one, on dense vectors in the spaces `exact` and `nystrom`. They are then fitted by
    /// coordinates, and the file of the model contains the space.
    ///
    /// # Errors
    /// [`Error::Description`].
    ///
    /// # Example
    /// ```
    /// use ndarray::{Array2, array};
    /// use npt_estimator::{Data, Estimator};
    ///
    /// // Points of a circle, and one outside: four components know little but the circle.
    /// let x = Array2::from_shape_fn((40, 2), |(i, k)| {
    ///     let angle = i as f64 * std::f64::consts::TAU / 40.0;
    ///     if k == 0 { angle.cos() } else { angle.sin() }
    /// });
    /// let estimator = Estimator::new("kpca(components = 4)", "gaussian(gamma = 0.5)")?.pre_image("fixed_point")?;
    /// let model = estimator.fit(&Data::from(x), ())?;
    /// let components = model.transform(&Data::from(array![[1.2, 0.0]]))?;
    /// let z = model.inverse_transform(&components)?;
    /// assert!((z[[0, 0]] - 1.0).abs() < 0.02 && z[[0, 1]].abs() < 1e-7);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn pre_image(mut self, pre_image: &str) -> Result<Self, Error> {
        let chosen = Chosen::read(OF_PRE_IMAGE, PRE_IMAGES.iter(), pre_image)?;
        pre_image::check(chosen.position, &chosen.given)?;
        self.pre_image = Some(chosen);
        Ok(self)
    }

    /// Sets one parameter to another value. A parameter of the method goes by its name, `c`; those of the space, the way to pre-images
    /// and the kernel by `space.landmarks`, `pre_image.alpha` and `kernel.gamma`. The name has the path of a part of the kernel in it:
    /// `kernel.first.gamma`.
    ///
    /// # Errors
    /// [`Error::Description`] for an unknown name or a value out of range; [`Error::Parameter`] if the parameter is one of the kernel.
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
        } else if let (Some(name), Some(chosen)) =
            (name.strip_prefix("pre_image."), &self.pre_image)
        {
            let chosen = chosen.with(OF_PRE_IMAGE, PRE_IMAGES.iter(), name, value)?;
            pre_image::check(chosen.position, &chosen.given)?;
            self.pre_image = Some(chosen);
        } else {
            self.method = self.method.with("method", headings(), name, value)?;
        }
        Ok(self)
    }

    /// Returns the estimators with every combination of values; the values of the last parameter change fastest. The names are those that
    /// [`with`](Self::with) takes.
    ///
    /// # Errors
    /// The errors of [`with`](Self::with), and [`Error::NoValues`] for a parameter without values.
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

    /// The targets that the method is fitted to.
    ///
    /// # Errors
    /// [`Error::OnlyRead`].
    ///
    /// # Example
    /// ```
    /// use npt_estimator::{Estimator, TargetKind};
    ///
    /// assert_eq!(Estimator::new("svc", "linear")?.targets()?, TargetKind::Labels);
    /// assert_eq!(Estimator::new("kpca(components = 2)", "linear")?.targets()?, TargetKind::None);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn targets(&self) -> Result<TargetKind, Error> {
        Ok(self.method_of_list()?.fit.targets())
    }

    /// Returns whether values of the samples may be missing (NaN): they may if there is an imputer in front, or for `robust_kpca`.
    ///
    /// # Example
    /// ```
    /// use npt_estimator::Estimator;
    ///
    /// let estimator = Estimator::new("svc", "linear")?;
    /// assert!(!estimator.takes_missing_values());
    /// assert!(estimator.transformer("imputer")?.takes_missing_values());
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn takes_missing_values(&self) -> bool {
        self.method_name() == "robust_kpca"
            || self.transformer_names().any(|name| name == "imputer")
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

    /// The ways to pre-images by name.
    pub fn pre_images() -> impl Iterator<Item = &'static Heading> {
        PRE_IMAGES.iter()
    }

    /// The estimator of coordinates in the space of this one, with its transformers and another kernel. Where neither a rank nor axes are
    /// given, the axes are Cholesky's, which cost least: a linear method that is fitted to sums is the same on all axes.
    pub(crate) fn coordinates_of(&self, kernel: &AnyKernel) -> Result<Self, Error> {
        let mut space = self.space.clone();
        let is_given = |name: &str| self.space.given.iter().any(|given| given.name == name);
        if !spaces::RANKS.iter().any(|&rank| is_given(rank)) && !is_given("axes") {
            space = space.with("space", spaces::headings(), "axes", Axes::Cholesky.value())?;
        }
        if !is_given("centered") {
            space = space.with("space", spaces::headings(), "centered", false.into())?;
        }
        Ok(Self {
            method: Chosen::read("method", headings(), COORDINATES)?,
            kernel: kernel.clone(),
            space,
            transformers: self.transformers.clone(),
            pre_image: None,
        })
    }

    pub(crate) fn kernel(&self) -> &AnyKernel {
        &self.kernel
    }

    /// The parameters of the method that are given.
    pub(crate) fn given(&self) -> &[Parameter] {
        &self.method.given
    }

    pub(crate) fn method_name(&self) -> &'static str {
        self.method.name
    }

    pub(crate) fn space_name(&self) -> &'static str {
        self.space.name
    }

    pub(crate) fn pre_image_name(&self) -> Option<&'static str> {
        self.pre_image.as_ref().map(|chosen| chosen.name)
    }

    pub(crate) fn transformer_names(&self) -> impl Iterator<Item = &'static str> {
        self.transformers.iter().map(|transformer| transformer.name)
    }

    /// The method as it is written.
    fn method_text(&self) -> String {
        let is_typed = self.method.position == usize::MAX && self.method.name != ONLY_READ;
        format!("{}{}", if is_typed { TYPED } else { "" }, self.method)
    }

    /// The method, the kernel, the space and the transformers, as they are written.
    pub(crate) fn texts(&self) -> Texts {
        Texts {
            method: self.method_text(),
            kernel: self.kernel.to_string(),
            space: self.space.to_string(),
            transformers: self.transformers.iter().map(Chosen::to_string).collect(),
            pre_image: self.pre_image.as_ref().map(Chosen::to_string),
        }
    }
}
