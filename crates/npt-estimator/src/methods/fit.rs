//! Fits by name: the targets that a method of the list takes, and fits of linear methods in a space.

use crate::{
    AnyKernel, AnySamples, Data, Error, TargetKind,
    fitted::{Fitted, Pair},
    samples::Kind,
    spaces::{self, Builder},
};
use linfa::{DatasetBase, dataset::AsTargets};
use ndarray::{Array, Array1, Array2, ArrayView2, Dimension};
use npt_core::{
    Exact, Expand, ExpansionMethod, KernelMethod, Parameter, Parameters, catalogue::Heading,
};
use std::any::TypeId;

/// Sets the parameters that are given.
pub(crate) fn set<P: Parameters>(mut parameters: P, given: &[Parameter]) -> Result<P, Error> {
    for Parameter { name, value } in given {
        parameters.set_parameter(name, value.clone())?;
    }
    Ok(parameters)
}

/// The labels as positions among the classes, and the number of classes.
pub(crate) struct Classes {
    pub(crate) positions: Array1<usize>,
    pub(crate) count: usize,
}

/// The fit of a method, by the targets that it takes.
pub(crate) enum Fit {
    Nothing(fn(&Job<'_>, Array1<()>) -> Made),
    Labels(fn(&Job<'_>, Classes) -> Made),
    Numbers(fn(&Job<'_>, Array2<f64>) -> Made),
    OneNumber(fn(&Job<'_>, Array1<f64>) -> Made),
    /// A second view of the samples.
    View(fn(&Job<'_>, &Data) -> Made),
    /// No targets; the method takes dense vectors in which values may be missing.
    Matrix(fn(&OfMatrix<'_>) -> Made),
}

pub(crate) type Made = Result<Fitted, Error>;

impl Fit {
    /// The kind of targets that the fit takes.
    pub(crate) fn targets(&self) -> TargetKind {
        match self {
            Self::Nothing(_) | Self::Matrix(_) => TargetKind::None,
            Self::Labels(_) => TargetKind::Labels,
            Self::Numbers(_) => TargetKind::Numbers,
            Self::OneNumber(_) => TargetKind::Number,
            Self::View(_) => TargetKind::View,
        }
    }
}

/// A method of the list.
pub(crate) struct Method {
    pub(crate) heading: Heading,
    pub(crate) fit: Fit,
    /// The type of the parameters of the typed method.
    pub(crate) params: TypeId,
}

impl Method {
    /// A method whose parameters have these defaults.
    pub(super) fn new<P: Parameters + 'static>(
        name: &'static str,
        summary: &'static str,
        defaults: &P,
        fit: Fit,
    ) -> Self {
        Self {
            heading: heading(name, summary, defaults),
            fit,
            params: TypeId::of::<P>(),
        }
    }
}

/// A fit to dense vectors in which values may be missing.
pub(crate) struct OfMatrix<'a> {
    pub(crate) given: &'a [Parameter],
    pub(crate) kernel: &'a AnyKernel,
    pub(crate) space: (usize, &'a [Parameter]),
    pub(crate) matrix: ArrayView2<'a, f64>,
    pub(crate) weights: &'a Array1<f32>,
}

/// A fit's parameters, kernel, space, samples and weights: all but the targets.
pub(crate) struct Job<'a> {
    /// The parameters of the method that are given.
    pub(crate) given: &'a [Parameter],
    pub(crate) kernel: &'a AnyKernel,
    /// The position of the space in its list, and its parameters that are given.
    pub(crate) space: (usize, &'a [Parameter]),
    /// The position of the way to pre-images in its list, and its parameters that are given.
    pub(crate) pre_image: Option<(usize, &'a [Parameter])>,
    pub(crate) samples: &'a AnySamples,
    pub(crate) weights: &'a Array1<f32>,
    /// The landmarks of the space, if they are given.
    pub(crate) landmarks: Option<&'a AnySamples>,
}

impl Job<'_> {
    /// Refuses samples that the kernel is not on.
    pub(crate) fn check_kernel(&self) -> Result<(), Error> {
        self.kernel.require_on(self.samples)
    }

    pub(super) fn dataset<T: AsTargets>(&self, targets: T) -> DatasetBase<AnySamples, T> {
        DatasetBase::new(self.samples.clone(), targets).with_weights(self.weights.clone())
    }

    pub(super) fn builder(&self, of_method: Exact<AnyKernel>) -> Result<Builder, Error> {
        let builder = spaces::builder(self.space.0, self.space.1, of_method, self.landmarks)?;
        match (&builder, self.samples.kind()) {
            (Builder::Kernel(_), _) | (_, Kind::Rows(_)) => Ok(builder),
            (Builder::Features(_), kind) => Err(Error::DenseVectors {
                of: spaces::SPACES[self.space.0].heading.name().to_owned(),
                samples: kind.words(),
            }),
        }
    }

    /// Fits a linear method in a space, with the parameters that are given.
    pub(super) fn pair<P, T, Q, O>(
        &self,
        method: KernelMethod<P, Exact<AnyKernel>>,
        targets: T,
    ) -> Result<Box<Pair<Q, O>>, Error>
    where
        T: AsTargets<Elem: Clone + 'static>,
        P: Parameters
            + Clone
            + ExpansionMethod<f64, Array<T::Elem, T::Ix>, npt_methods::Error, Object = O>,
        O: Expand<f64, Expanded = Q>,
    {
        let linear = set(method.inner().clone(), self.given)?;
        self.pair_as_it_is(method.method(|_| linear), targets)
    }

    pub(super) fn pair_as_it_is<P, T, Q, O>(
        &self,
        method: KernelMethod<P, Exact<AnyKernel>>,
        targets: T,
    ) -> Result<Box<Pair<Q, O>>, Error>
    where
        T: AsTargets<Elem: Clone + 'static>,
        P: ExpansionMethod<f64, Array<T::Elem, T::Ix>, npt_methods::Error, Object = O>,
        O: Expand<f64, Expanded = Q>,
    {
        let data = self.dataset(targets);
        Ok(Box::new(match self.builder(method.builder().clone())? {
            Builder::Kernel(builder) => Pair::Expanded(method.space(|_| builder).fit(&data)?),
            Builder::Features(builder) => {
                Pair::Mapped(method.space(|_| builder).by_coordinates().fit(&data)?)
            }
        }))
    }
}

impl Classes {
    /// Two classes as sides: the second is the positive one.
    pub(super) fn sides(self, method: &'static str) -> Result<Array1<bool>, Error> {
        if self.count == 2 {
            return Ok(self.positions.mapv(|position| position == 1));
        }
        Err(Error::TwoClasses {
            method,
            found: self.count,
            others: "svc, calibrated_svc, logistic and kfd",
        })
    }
}

/// The heading of a method whose parameters have these defaults.
pub(super) fn heading<P: Parameters>(
    name: &'static str,
    summary: &'static str,
    defaults: &P,
) -> Heading {
    let entries = P::parameter_entries().into_iter();
    let own = entries.map(|entry| match defaults.parameter(entry.name()) {
        Some(_) if entry.is_required() => entry,
        // The typed kernel method takes this parameter as an argument, so that it has to be given here, too.
        Some(_) if entry.default().is_none() => entry.without_default(),
        Some(value) => entry.default_to(value),
        None => entry,
    });
    own.fold(Heading::new(name, summary), Heading::parameter)
}

/// Makes the entries of methods that are a linear method in a space. Each has a name, a summary, the kind of targets, the typed method
/// with its arguments, and the variant of [`Fitted`].
macro_rules! pairs {
    ($($name:literal, $summary:literal, $targets:ident, $method:ident($($argument:expr),*), $model:ident;)+) => {
        [$(Method::new(
            $name,
            $summary,
            $method::params($($argument,)* ()).inner(),
            Fit::$targets(|job, targets| {
                use crate::methods::fit::IntoTargets as _;
                let method = $method::params($($argument,)* job.kernel.clone());
                Ok(Fitted::$model(job.pair(method, targets.into_targets())?))
            }),
        ),)+]
    };
}
pub(super) use pairs;

/// Targets as linear methods take them.
pub(super) trait IntoTargets {
    type Targets;

    fn into_targets(self) -> Self::Targets;
}

impl IntoTargets for Classes {
    type Targets = Array1<usize>;

    fn into_targets(self) -> Array1<usize> {
        self.positions
    }
}

impl<T, I: Dimension> IntoTargets for Array<T, I> {
    type Targets = Self;

    fn into_targets(self) -> Self {
        self
    }
}
