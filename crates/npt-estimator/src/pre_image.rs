//! Pre-images by name: the list of the ways to pre-images, and kernel principal components that have pre-images.

use crate::{
    AnyKernel, AnySamples, Error,
    features::rows_of,
    methods::set,
    model::OfRows,
    own_kernels::kernels,
    spaces::{AnyBuilder, AnySpace},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::{
    AsSamples, Expansion, ExpansionSpace, Fitted, KernelSpace, NamedKernel, Parameter,
    ParameterValue, Parameters, Rows, SpaceBuilder,
    catalogue::{Heading, Range},
    parameters_by_name,
};
use npt_methods::pre_image::{
    DistanceConstraints, DistanceMap, FixedPoint, NearestMap, NearestSample, PreImage, PreImageMap,
    PreImageRidge, RidgeMap, Training,
};
use std::sync::{Arc, LazyLock};

type Named = NamedKernel<Rows<f64>, f64>;

struct Ridge {
    alpha: f64,
    kernel: Option<String>,
}
parameters_by_name! {
    impl Parameters for Ridge, "ridge"; {
        required {
            alpha: f64, Range::NotNegative, "The penalty.";
        }
        optional {
            kernel: String, Range::Text, "The kernel of the regression, on components; by default that of the estimator.";
        }
    }
}

/// The ways to pre-images by name.
pub(crate) static PRE_IMAGES: LazyLock<[Heading; 4]> = LazyLock::new(|| {
    let heading = |name, summary, entries: Vec<_>| {
        let heading = Heading::new(name, summary);
        entries.into_iter().fold(heading, Heading::parameter)
    };
    [
        heading(
            "fixed_point",
            "Descent to the input whose image is closest, for Gaussian kernels and the linear one.",
            FixedPoint::parameter_entries(),
        ),
        heading(
            "distance_constraints",
            "The input at the distances that the nearest training samples ask for, for kernels of distances and the linear one.",
            DistanceConstraints::parameter_entries(),
        ),
        heading(
            "ridge",
            "A map from components to inputs, learned from the training samples by ridge regression.",
            Ridge::parameter_entries(),
        ),
        heading(
            "nearest_sample",
            "The training sample whose image is closest.",
            Vec::new(),
        ),
    ]
});

/// A way to pre-images, with its parameters.
pub(crate) enum AnyPreImage {
    FixedPoint(FixedPoint),
    DistanceConstraints(DistanceConstraints),
    Ridge(PreImageRidge<Named>),
    NearestSample(NearestSample),
}

impl AnyPreImage {
    /// The way at a position of the list, for an estimator with this kernel.
    pub(crate) fn new(position: usize, given: &[Parameter], kernel: &Named) -> Result<Self, Error> {
        Ok(match position {
            0 => Self::FixedPoint(set(FixedPoint::new(), given)?),
            1 => Self::DistanceConstraints(set(DistanceConstraints::new(), given)?),
            2 => {
                let unset = Ridge {
                    alpha: 0.0,
                    kernel: None,
                };
                let Ridge { alpha, kernel: own } = set(unset, given)?;
                let kernel = match own {
                    Some(text) => kernel_on_components(&text)?,
                    None => kernel.clone(),
                };
                Self::Ridge(PreImageRidge::new(kernel, alpha))
            }
            _ => Self::NearestSample(NearestSample),
        })
    }
}

fn kernel_on_components(text: &str) -> Result<Named, Error> {
    let read = kernels::<Rows<f64>>().read(text);
    read.map_err(|error| Error::description("kernel of the pre-images", error))
}

/// Refuses a `kernel` of the regression whose text is no kernel.
pub(crate) fn check(position: usize, given: &[Parameter]) -> Result<(), Error> {
    for Parameter { name, value } in given {
        if let (2, "kernel", ParameterValue::Text(text)) = (position, name.as_str(), value) {
            kernel_on_components(text)?;
        }
    }
    Ok(())
}

/// A fitted way to pre-images.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum AnyMap {
    FixedPoint(FixedPoint),
    DistanceConstraints(DistanceMap<f64>),
    Ridge(RidgeMap<Named, f64>),
    NearestSample(NearestMap<f64>),
}

impl AnyMap {
    pub(crate) fn name(&self) -> &'static str {
        let position = match self {
            Self::FixedPoint(_) => 0,
            Self::DistanceConstraints(_) => 1,
            Self::Ridge(_) => 2,
            Self::NearestSample(_) => 3,
        };
        PRE_IMAGES[position].name()
    }
}

impl<P> PreImage<P> for AnyPreImage
where
    P: ExpansionSpace<Samples = Rows<f64>, Scalar = f64, Kernel = Named>,
{
    type Map = AnyMap;

    fn fit(&self, training: &Training<'_, P>) -> Result<AnyMap, npt_methods::Error> {
        Ok(match self {
            Self::FixedPoint(way) => AnyMap::FixedPoint(way.fit(training)?),
            Self::DistanceConstraints(way) => AnyMap::DistanceConstraints(way.fit(training)?),
            Self::Ridge(way) => AnyMap::Ridge(way.fit(training)?),
            Self::NearestSample(way) => AnyMap::NearestSample(way.fit(training)?),
        })
    }
}

impl<P> PreImageMap<P> for AnyMap
where
    P: ExpansionSpace<Samples = Rows<f64>, Scalar = f64, Kernel = Named>,
{
    fn pre_images(
        &self,
        space: &P,
        points: ArrayView2<'_, f64>,
    ) -> Result<Array2<f64>, npt_methods::Error> {
        match self {
            Self::FixedPoint(map) => map.pre_images(space, points),
            Self::DistanceConstraints(map) => map.pre_images(space, points),
            Self::Ridge(map) => map.pre_images(space, points),
            Self::NearestSample(map) => map.pre_images(space, points),
        }
    }
}

/// Adapts a space of samples of any type to dense vectors: pre-images are vectors.
#[derive(Debug, Clone)]
pub(crate) struct OfVectors {
    space: AnySpace,
    kernel: Arc<Named>,
}

impl OfVectors {
    fn new(space: AnySpace) -> Result<Self, npt_core::Error> {
        let kernel = of_vectors(space.kernel())?;
        let kernel = Arc::new(kernel.clone());
        Ok(Self { space, kernel })
    }

    /// The space of samples of any type.
    pub(crate) fn of_any(&self) -> &AnySpace {
        &self.space
    }

    fn converted(
        &self,
        expansion: &Expansion<AnySamples, AnyKernel, f64>,
    ) -> Result<Expansion<Rows<f64>, Named, f64>, npt_core::Error> {
        expansion.converted(Arc::clone(&self.kernel), |x| rows_of(x).cloned())
    }
}

/// The kernel as one on dense vectors.
pub(crate) fn of_vectors(kernel: &AnyKernel) -> Result<&Named, npt_core::Error> {
    let none = || npt_core::Error::UnsuitableKernel {
        of: "pre_image",
        kernel: kernel.to_string(),
        needs: "a kernel on dense vectors",
    };
    kernel.of_rows().ok_or_else(none)
}

impl KernelSpace for OfVectors {
    type Samples = Rows<f64>;
    type Scalar = f64;

    fn rank(&self) -> usize {
        self.space.rank()
    }

    fn coordinates(
        &self,
        x: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<Array2<f64>, npt_core::Error> {
        self.space.coordinates(&OfRows(x))
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<(Array2<f64>, Array1<f64>), npt_core::Error> {
        self.space.coordinates_and_residuals(&OfRows(x))
    }
}

impl ExpansionSpace for OfVectors {
    type Kernel = Named;

    fn kernel(&self) -> &Named {
        &self.kernel
    }

    fn expand(
        &self,
        directions: ArrayView2<'_, f64>,
        offsets: ArrayView1<'_, f64>,
    ) -> Result<Expansion<Rows<f64>, Named, f64>, npt_core::Error> {
        self.converted(&self.space.expand(directions, offsets)?)
    }

    fn points(
        &self,
        coordinates: ArrayView2<'_, f64>,
    ) -> Result<Expansion<Rows<f64>, Named, f64>, npt_core::Error> {
        self.converted(&self.space.points(coordinates)?)
    }
}

/// Writes the space alone; the kernel on dense vectors follows from it.
impl serde::Serialize for OfVectors {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.space.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for OfVectors {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let space = AnySpace::deserialize(deserializer)?;
        Self::new(space).map_err(serde::de::Error::custom)
    }
}

/// Adapts a builder of spaces of samples of any type to dense vectors.
pub(crate) struct BuildsOfVectors(pub(crate) AnyBuilder);

impl SpaceBuilder<Rows<f64>> for BuildsOfVectors {
    type Space = OfVectors;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<Fitted<OfVectors>, npt_core::Error> {
        let fitted = self.0.fit_space(&OfRows(records))?;
        let (space, coordinates, residuals) = fitted.into_parts();
        Ok(Fitted::new(OfVectors::new(space)?, coordinates, residuals))
    }
}
