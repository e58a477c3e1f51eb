//! Kernel spaces by name.

use crate::{AnyKernel, AnySamples, Error, methods::set};
use npt_core::{
    Axes, Exact, ExactSpace, Parameter, Parameters, Pivoting, Rank, SpaceBuilder,
    catalogue::{Heading, Range},
    parameters_by_name, words_of_parameter,
};
use std::sync::{Arc, LazyLock};

/// The fitted space of all builders here.
pub(crate) type AnySpace = ExactSpace<AnySamples, AnyKernel>;

/// A builder of such spaces.
pub(crate) type AnyBuilder = Arc<dyn SpaceBuilder<AnySamples, Space = AnySpace>>;

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

const RANKS: &[&str] = &["components", "variance", "tolerance"];

/// What both spaces have in common. Nothing that is not given changes what the method has by itself.
#[derive(Default)]
struct Shape {
    components: Option<usize>,
    variance: Option<f64>,
    tolerance: Option<f64>,
    axes: Option<Axes>,
    centered: Option<bool>,
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
            landmarks_only: bool, Range::Boolean, "Whether new samples are mapped by their kernel values with the landmarks alone; by default not.";
        }
    }
}

struct Landmarks {
    landmarks: usize,
    selection: Selection,
    seed: u64,
}
parameters_by_name! {
    impl Parameters for Landmarks, "nystrom"; {
        required {
            landmarks: usize, Range::AtLeast(1), "The number of landmarks.";
        }
        default {
            selection: Selection = Selection::Random, Range::Word(Selection::WORDS), "How landmarks are chosen: by the residual, at random or the largest first, or all with the same chance.";
            seed: u64 = 0, Range::AtLeast(0), "The seed of what is random in it.";
        }
    }
}

/// The spaces by name.
pub(crate) static SPACES: LazyLock<Vec<Heading>> = LazyLock::new(|| {
    let shape = Shape::parameter_entries();
    let exact = Heading::new(
        "exact",
        "All samples: the kernel itself, where no rank is asked for.",
    );
    let nystrom = Heading::new(
        "nystrom",
        "Some samples, the landmarks: the Nyström method.",
    );
    let of_both = shape
        .iter()
        .filter(|entry| entry.name() != "landmarks_only");
    let landmarks = Landmarks::parameter_entries().into_iter();
    vec![
        shape.iter().cloned().fold(exact, Heading::parameter),
        landmarks
            .chain(of_both.cloned())
            .fold(nystrom, Heading::parameter),
    ]
});

/// A builder with what is given of its shape.
macro_rules! shaped {
    ($builder:ident, $shape:ident, $rank:ident) => {{
        let ranked = $rank
            .into_iter()
            .fold($builder, |builder, rank| builder.rank(rank));
        let turned = $shape
            .axes
            .into_iter()
            .fold(ranked, |builder, axes| builder.axes(axes));
        $shape
            .centered
            .into_iter()
            .fold(turned, |builder, centered| builder.centered(centered))
    }};
}

/// The builder of the space at a position in the list, from the one that a method has by itself.
pub(crate) fn builder(
    position: usize,
    given: &[Parameter],
    of_method: Exact<AnyKernel>,
) -> Result<AnyBuilder, Error> {
    let names: Vec<&str> = Landmarks::parameter_entries()
        .iter()
        .map(|entry| entry.name())
        .collect();
    let (of_landmarks, of_shape): (Vec<_>, Vec<_>) = given
        .iter()
        .cloned()
        .partition(|parameter| names.contains(&parameter.name.as_str()));
    let shape = set(Shape::default(), &of_shape)?;
    let space = SPACES[position].name();
    let rank = shape.rank(space)?;
    if position == 0 {
        let exact = of_method.landmarks_only(shape.landmarks_only.unwrap_or(false));
        return Ok(Arc::new(shaped!(exact, shape, rank)));
    }
    let unset = Landmarks {
        landmarks: 1,
        selection: Selection::Random,
        seed: 0,
    };
    let nystrom = of_method.with_landmarks(set(unset, &of_landmarks)?.pivoting());
    Ok(Arc::new(shaped!(nystrom, shape, rank)))
}

impl Shape {
    /// The rank, if one is given.
    fn rank(&self, of: &'static str) -> Result<Option<Rank>, Error> {
        let ranks = [
            self.components.map(Rank::Components),
            self.variance.map(Rank::Variance),
            self.tolerance.map(Rank::Tolerance),
        ];
        let given = ranks.iter().zip(RANKS).filter(|(rank, _)| rank.is_some());
        let given: Vec<String> = given.map(|(_, name)| (*name).to_owned()).collect();
        if given.len() > 1 {
            return Err(Error::Exclusive {
                of,
                parameters: RANKS,
                given,
            });
        }
        Ok(ranks.into_iter().flatten().next())
    }
}

impl Landmarks {
    fn pivoting(&self) -> Pivoting {
        let pivoting = match self.selection {
            Selection::Random => Pivoting::random(self.landmarks),
            Selection::Greedy => Pivoting::greedy(self.landmarks),
            Selection::Uniform => Pivoting::uniform(self.landmarks),
        };
        pivoting.seed(self.seed)
    }
}
