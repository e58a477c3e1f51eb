//! Spaces of features in the place of kernel values. They take dense vectors alone.

use crate::{AnyKernel, AnySamples, model::OnlyRows, samples::Kind};
use ndarray::{Array1, Array2};
use npt_core::{
    AsSamples, Error, Fitted, FourierMap, HomogeneousFeatures, HomogeneousMap, Kernel, KernelSpace,
    NamedKernel, Parameter, Polynomial, RandomFourier, Rows, SketchMap, Space, SpaceBuilder,
    TensorSketch,
};

type Named = NamedKernel<Rows<f64>, f64>;

/// A fitted space of features.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum FeatureSpace {
    Fourier(Space<FourierMap<Named, f64>, f64>),
    Sketch(Space<SketchMap<f64>, f64>),
    Homogeneous(Space<HomogeneousMap<Named, f64>, f64>),
}

impl From<Space<FourierMap<Named, f64>, f64>> for FeatureSpace {
    fn from(space: Space<FourierMap<Named, f64>, f64>) -> Self {
        Self::Fourier(space)
    }
}

impl From<Space<SketchMap<f64>, f64>> for FeatureSpace {
    fn from(space: Space<SketchMap<f64>, f64>) -> Self {
        Self::Sketch(space)
    }
}

impl From<Space<HomogeneousMap<Named, f64>, f64>> for FeatureSpace {
    fn from(space: Space<HomogeneousMap<Named, f64>, f64>) -> Self {
        Self::Homogeneous(space)
    }
}

impl FeatureSpace {
    /// The frequencies ω, one a row, and the origin c of features cos⟨ω, x − c⟩ and sin⟨ω, x − c⟩; `None` for other features.
    pub(crate) fn waves(&self) -> Option<(Array2<f64>, Array1<f64>)> {
        let Self::Fourier(space) = self else {
            return None;
        };
        let map = space.raw_map();
        Some((map.frequencies(), map.origin().to_owned()))
    }

    fn of_rows(&self) -> &dyn KernelSpace<Samples = Rows<f64>, Scalar = f64> {
        match self {
            Self::Fourier(space) => space,
            Self::Sketch(space) => space,
            Self::Homogeneous(space) => space,
        }
    }
}

impl KernelSpace for FeatureSpace {
    type Samples = AnySamples;
    type Scalar = f64;

    fn rank(&self) -> usize {
        self.of_rows().rank()
    }

    fn coordinates(&self, x: &dyn AsSamples<Samples = AnySamples>) -> Result<Array2<f64>, Error> {
        self.of_rows().coordinates(&OnlyRows(x))
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = AnySamples>,
    ) -> Result<(Array2<f64>, Array1<f64>), Error> {
        self.of_rows().coordinates_and_residuals(&OnlyRows(x))
    }
}

pub(crate) fn rows_of(samples: &AnySamples) -> Result<&Rows<f64>, Error> {
    match samples.kind() {
        Kind::Rows(rows) => Ok(rows),
        other => Err(Error::SampleKind {
            expected: "dense vectors",
            found: other.words(),
        }),
    }
}

/// Adapts a builder of spaces of dense vectors to samples of any type.
pub(crate) struct OnRows<B>(pub(crate) B);

impl<B> SpaceBuilder<AnySamples> for OnRows<B>
where
    B: SpaceBuilder<Rows<f64>, Space: KernelSpace<Scalar = f64>>,
    FeatureSpace: From<B::Space>,
{
    type Space = FeatureSpace;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = AnySamples>,
    ) -> Result<Fitted<FeatureSpace>, Error> {
        let fitted = self.0.fit_space(&OnlyRows(records))?;
        let (space, coordinates, residuals) = fitted.into_parts();
        Ok(Fitted::new(space.into(), coordinates, residuals))
    }
}

/// Random Fourier features of a kernel on dense vectors.
pub(crate) fn random_fourier(
    kernel: &AnyKernel,
    frequencies: usize,
) -> Result<RandomFourier<Named>, Error> {
    Ok(RandomFourier::new(
        on_rows(kernel, "random_fourier")?,
        frequencies,
    ))
}

/// Homogeneous features of a kernel on dense vectors.
pub(crate) fn homogeneous(
    kernel: &AnyKernel,
    frequencies: usize,
) -> Result<HomogeneousFeatures<Named>, Error> {
    Ok(HomogeneousFeatures::new(
        on_rows(kernel, "homogeneous_features")?,
        frequencies,
    ))
}

fn on_rows(kernel: &AnyKernel, of: &'static str) -> Result<Named, Error> {
    kernel
        .of_rows()
        .cloned()
        .ok_or_else(|| Error::UnsuitableKernel {
            of,
            kernel: kernel.to_string(),
            needs: "a kernel on dense vectors",
        })
}

/// The sketch of a polynomial kernel.
pub(crate) fn tensor_sketch(
    kernel: &AnyKernel,
    features: usize,
) -> Result<TensorSketch<f64>, Error> {
    let description = kernel.describe();
    let mut polynomial = Polynomial::new(1, 1.0, 0.0);
    let set = |(): (), Parameter { name, value }: &Parameter| {
        Kernel::<Rows<f64>>::set_parameter(&mut polynomial, name, value.clone())
    };
    let is_polynomial =
        description.name == "polynomial" && description.parameters.iter().try_fold((), set).is_ok();
    if is_polynomial {
        return Ok(TensorSketch::new(polynomial, features));
    }
    Err(Error::UnsuitableKernel {
        of: "tensor_sketch",
        kernel: kernel.to_string(),
        needs: "a polynomial kernel",
    })
}
