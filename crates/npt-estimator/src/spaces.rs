//! Kernel spaces by name.

use crate::{
    AnyKernel, AnySamples, Error,
    features::{self, FeatureSpace, OnRows},
    methods::set,
};
use npt_core::{
    Axes, Description, Exact, ExactSpace, Given, Indefinite, Parameter, Parameters, Pivoting, Rank,
    SpaceBuilder,
    catalogue::{Heading, ParameterEntry, Range},
    parameters_by_name, words_of_parameter,
};
use std::sync::{Arc, LazyLock};

/// The fitted space of a kernel by its values, the same type for all builders.
pub(crate) type AnySpace = ExactSpace<AnySamples, AnyKernel>;

/// A builder of spaces of kernel values.
pub(crate) type AnyBuilder = Arc<dyn SpaceBuilder<AnySamples, Space = AnySpace>>;

/// A builder of spaces of features.
pub(crate) type FeatureBuilder = Arc<dyn SpaceBuilder<AnySamples, Space = FeatureSpace>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    Random,
    Greedy,
    Uniform,
}
words_of_parameter!(Selection {
    Random: "random",
    Greedy: "greedy",
    Uniform: "uniform"
});

/// The name of the space of landmarks.
pub(crate) const NYSTROM: &str = "nystrom";

pub(crate) const RANKS: &[&str] = &["components", "variance", "tolerance"];

/// The parameters that all spaces have in common, and those of [`OF_EXACT`]. A parameter that is not given keeps the method's default.
#[derive(Default)]
struct Shape {
    components: Option<usize>,
    variance: Option<f64>,
    tolerance: Option<f64>,
    axes: Option<Axes>,
    centered: Option<bool>,
    indefinite: Option<Indefinite>,
    landmarks_only: Option<bool>,
}
parameters_by_name! {
    impl Parameters for Shape, "exact"; {
        optional {
            components: usize, Range::AtLeast(1), "The number of dimensions; by default all.";
            variance: f64, Range::Share, "The share of the variance that the dimensions explain, in place of their number.";
            tolerance: f64, Range::NotNegative, "The share of the largest eigenvalue below which others are cut, in place of the number of dimensions.";
            axes: Axes, Range::Word(Axes::WORDS), "How the axes are turned; by default as the method is fastest.";
            centered: bool, Range::Boolean, "Whether the mean of the samples is the origin; by default as the method has it.";
            indefinite: Indefinite, Range::Word(Indefinite::WORDS), "What is done with a kernel that has negative eigenvalues; by default it is refused.";
            landmarks_only: bool, Range::Boolean, "Whether new samples are mapped by their kernel values with the landmarks alone; by default not.";
        }
    }
}

struct Chosen {
    landmarks: usize,
    selection: Selection,
    seed: u64,
}
parameters_by_name! {
    impl Parameters for Chosen, "nystrom"; {
        required {
            landmarks: usize, Range::AtLeast(1), "The number of landmarks.";
        }
        default {
            selection: Selection = Selection::Random, Range::Word(Selection::WORDS), "How landmarks are chosen: by the residual, at random or the largest first, or all with the same chance.";
            seed: u64 = 0, Range::AtLeast(0), "The seed of what is random in it.";
        }
    }
}

struct Fourier {
    frequencies: usize,
    orthogonal: bool,
    structured: bool,
    seed: u64,
}
parameters_by_name! {
    impl Parameters for Fourier, "random_fourier"; {
        required {
            frequencies: usize, Range::AtLeast(1), "The number of frequencies, of which each gives two features.";
        }
        default {
            orthogonal: bool = true, Range::Boolean, "Whether frequencies are orthogonal to each other, which lowers the error of the same number.";
            structured: bool = false, Range::Boolean, "Whether frequencies are products of signs and Hadamard matrices, which many features cost less with.";
            seed: u64 = 0, Range::AtLeast(0), "The seed of the frequencies.";
        }
    }
}

struct Sketch {
    features: usize,
    seed: u64,
}
parameters_by_name! {
    impl Parameters for Sketch, "tensor_sketch"; {
        required {
            features: usize, Range::AtLeast(1), "The number of features.";
        }
        default {
            seed: u64 = 0, Range::AtLeast(0), "The seed of the hashes.";
        }
    }
}

struct Homogeneous {
    frequencies: usize,
}
parameters_by_name! {
    impl Parameters for Homogeneous, "homogeneous_features"; {
        required {
            frequencies: usize, Range::AtLeast(0), "The number of frequencies for each feature, besides 0.";
        }
    }
}

/// A space of the list: its heading, and the function that makes its builder.
pub(crate) struct SpaceEntry {
    pub(crate) heading: Heading,
    build: fn(&Asked<'_>) -> Result<Builder, Error>,
}

/// The values that a builder is made from.
struct Asked<'a> {
    /// The values that are given to the space's own parameters, without those of [`Shape`].
    own: &'a [Parameter],
    of_method: Exact<AnyKernel>,
    /// Landmarks that are given, in the place of those that would be chosen.
    landmarks: Option<&'a AnySamples>,
    indefinite: Indefinite,
    landmarks_only: bool,
    rank: Rank,
    axes: Axes,
    centered: bool,
}

/// A builder of spaces that represent a kernel by its values, or by features.
pub(crate) enum Builder {
    Kernel(AnyBuilder),
    Features(FeatureBuilder),
}

/// Sets the rank, the axes and the centring of a builder.
macro_rules! shaped {
    ($builder:expr, $asked:ident) => {
        $builder
            .rank($asked.rank)
            .axes($asked.axes)
            .centered($asked.centered)
    };
}

/// The spaces by name.
pub(crate) static SPACES: LazyLock<[SpaceEntry; 5]> = LazyLock::new(|| {
    [
        SpaceEntry {
            heading: shaped_heading(
                "exact",
                "All samples: the kernel itself, where no rank is asked for.",
                Vec::new(),
            ),
            build: |asked| {
                let exact = asked
                    .of_method
                    .clone()
                    .indefinite(asked.indefinite)
                    .landmarks_only(asked.landmarks_only);
                Ok(Builder::Kernel(Arc::new(shaped!(exact, asked))))
            },
        },
        SpaceEntry {
            heading: shaped_heading(
                NYSTROM,
                "Some samples, the landmarks: the Nyström method.",
                Chosen::parameter_entries(),
            ),
            build: |asked| {
                let unset = Chosen {
                    landmarks: 1,
                    selection: Selection::Random,
                    seed: 0,
                };
                let pivoting = set(unset, asked.own)?.pivoting();
                let exact = asked.of_method.clone();
                Ok(Builder::Kernel(match asked.landmarks {
                    Some(given) => {
                        let nystrom = exact.with_landmarks(Given(given.clone()));
                        Arc::new(shaped!(nystrom, asked))
                    }
                    None => Arc::new(shaped!(exact.with_landmarks(pivoting), asked)),
                }))
            },
        },
        SpaceEntry {
            heading: shaped_heading(
                "random_fourier",
                "Random Fourier features, of kernels of differences that have a spectral measure.",
                Fourier::parameter_entries(),
            ),
            build: |asked| {
                let unset = Fourier {
                    frequencies: 1,
                    orthogonal: true,
                    structured: false,
                    seed: 0,
                };
                let given = set(unset, asked.own)?;
                let builder =
                    features::random_fourier(asked.of_method.kernel(), given.frequencies)?;
                let builder = builder
                    .orthogonal(given.orthogonal)
                    .structured(given.structured);
                Ok(on_rows(shaped!(builder.seed(given.seed), asked)))
            },
        },
        SpaceEntry {
            heading: shaped_heading(
                "tensor_sketch",
                "Sketched features of polynomial kernels.",
                Sketch::parameter_entries(),
            ),
            build: |asked| {
                let given = set(
                    Sketch {
                        features: 1,
                        seed: 0,
                    },
                    asked.own,
                )?;
                let builder = features::tensor_sketch(asked.of_method.kernel(), given.features)?;
                Ok(on_rows(shaped!(builder.seed(given.seed), asked)))
            },
        },
        SpaceEntry {
            heading: shaped_heading(
                "homogeneous_features",
                "Features of additive kernels of histograms.",
                Homogeneous::parameter_entries(),
            ),
            build: |asked| {
                let given = set(Homogeneous { frequencies: 0 }, asked.own)?;
                let builder = features::homogeneous(asked.of_method.kernel(), given.frequencies)?;
                Ok(on_rows(shaped!(builder, asked)))
            },
        },
    ]
});

/// The headings of all spaces.
pub(crate) fn headings() -> impl Iterator<Item = &'static Heading> + Clone {
    SPACES.iter().map(|space| &space.heading)
}

/// The parameters that the exact space alone has.
const OF_EXACT: [&str; 2] = ["indefinite", "landmarks_only"];

/// The heading of a space: its own parameters, and then those of the shape.
fn shaped_heading(name: &'static str, summary: &'static str, own: Vec<ParameterEntry>) -> Heading {
    let is_exact = name == "exact";
    let shape = Shape::parameter_entries().into_iter();
    let shape = shape.filter(|entry| is_exact || !OF_EXACT.contains(&entry.name()));
    let one = |entry: ParameterEntry| {
        if RANKS.contains(&entry.name()) {
            entry.one_of(RANKS)
        } else {
            entry
        }
    };
    let shape = shape.map(one);
    own.into_iter()
        .chain(shape)
        .fold(Heading::new(name, summary), Heading::parameter)
}

/// The space at a position in the list, with the parameters that are given.
pub(crate) fn described((position, given): (usize, &[Parameter])) -> Description {
    let mut description = Description::new(SPACES[position].heading.name());
    description.parameters = given.to_vec();
    description
}

fn on_rows<B>(builder: B) -> Builder
where
    OnRows<B>: SpaceBuilder<AnySamples, Space = FeatureSpace> + 'static,
{
    Builder::Features(Arc::new(OnRows(builder)))
}

/// The builder of the space at a position in the list, made from the method's default builder.
pub(crate) fn builder(
    position: usize,
    given: &[Parameter],
    of_method: Exact<AnyKernel>,
    landmarks: Option<&AnySamples>,
) -> Result<Builder, Error> {
    let names: Vec<&str> = Shape::parameter_entries()
        .iter()
        .map(ParameterEntry::name)
        .collect();
    let is_of_shape = |parameter: &Parameter| names.contains(&parameter.name.as_str());
    let (of_shape, own): (Vec<_>, Vec<_>) = given.iter().cloned().partition(is_of_shape);
    let shape = set(Shape::default(), &of_shape)?;
    let space = &SPACES[position];
    let (rank, axes, centered) = of_method.shape();
    (space.build)(&Asked {
        own: &own,
        of_method,
        landmarks,
        indefinite: shape.indefinite.unwrap_or_default(),
        landmarks_only: shape.landmarks_only.unwrap_or(false),
        rank: shape.rank().unwrap_or(rank),
        axes: shape.axes.unwrap_or(axes),
        centered: shape.centered.unwrap_or(centered),
    })
}

impl Shape {
    /// The rank, if one is given. The heading has refused several.
    fn rank(&self) -> Option<Rank> {
        let components = self.components.map(Rank::Components);
        let variance = self.variance.map(Rank::Variance);
        components
            .or(variance)
            .or(self.tolerance.map(Rank::Tolerance))
    }
}

impl Chosen {
    fn pivoting(&self) -> Pivoting {
        let pivoting = match self.selection {
            Selection::Random => Pivoting::random(self.landmarks),
            Selection::Greedy => Pivoting::greedy(self.landmarks),
            Selection::Uniform => Pivoting::uniform(self.landmarks),
        };
        pivoting.seed(self.seed)
    }
}
