//! Transformers in front of a kernel method.

use crate::{Error, methods::set};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{
    Parameter, Parameters,
    catalogue::{Heading, Range},
    parameters_by_name, words_of_parameter,
};
use npt_export::onnx::OnnxTransformer;
use npt_methods::preprocessing::{Imputer, ImputerParams, OneHot, StandardScaler};
use std::sync::LazyLock;

/// The name of the transformer of categories.
const ONE_HOT: &str = "one_hot";

/// The statistic of a column that replaces its missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Strategy {
    #[default]
    Mean,
    Median,
    MostFrequent,
}
words_of_parameter!(Strategy {
    Mean: "mean",
    Median: "median",
    MostFrequent: "most_frequent",
});

#[derive(Default)]
struct ImputerChoice {
    strategy: Strategy,
    constant: Option<f64>,
}
parameters_by_name! {
    impl Parameters for ImputerChoice, "imputer"; {
        default {
            strategy: Strategy = Strategy::Mean, Range::Word(Strategy::WORDS), "The statistic of a column that replaces its missing values.";
        }
        optional {
            constant: f64, Range::Real, "A number that replaces all missing values, in the place of strategy.";
        }
    }
}

impl ImputerChoice {
    fn params(&self) -> ImputerParams {
        match (self.constant, self.strategy) {
            (Some(constant), _) => Imputer::constant(constant),
            (None, Strategy::Mean) => Imputer::mean(),
            (None, Strategy::Median) => Imputer::median(),
            (None, Strategy::MostFrequent) => Imputer::most_frequent(),
        }
    }
}

/// The transformers by name.
pub(crate) static TRANSFORMERS: LazyLock<Vec<Heading>> = LazyLock::new(|| {
    let imputer = Heading::new(
        "imputer",
        "Puts a value of its column in the place of each missing one: of categories the most frequent.",
    );
    vec![
        Heading::new(
            "standard_scaler",
            "Gives each column the mean 0 and the variance 1.",
        ),
        ImputerChoice::parameter_entries()
            .into_iter()
            .map(|entry| entry.one_of(&["strategy", "constant"]))
            .fold(imputer, Heading::parameter),
        Heading::new(
            ONE_HOT,
            "Puts one column of 0 and 1 for each category in the place of a column of categories.",
        ),
    ]
});

/// A fitted transformer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Front {
    StandardScaler(StandardScaler<f64>),
    Imputer(Imputer<f64>),
    OneHot(OneHot<f64>),
}

impl Front {
    /// Fits the transformer at a position of the list. `categories` are the positions of the columns of categories.
    pub(crate) fn fit(
        position: usize,
        given: &[Parameter],
        x: ArrayView2<'_, f64>,
        categories: &[usize],
        weights: &Array1<f32>,
    ) -> Result<Self, Error> {
        let data = DatasetBase::from(x).with_weights(weights.clone());
        match position {
            0 => Ok(Self::StandardScaler(StandardScaler::params().fit(&data)?)),
            1 => {
                let params = set(ImputerChoice::default(), given)?.params();
                let imputer = params.most_frequent_of(categories.iter().copied());
                Ok(Self::Imputer(imputer.fit(&data)?))
            }
            _ if categories.is_empty() => Err(Error::NoCategories {
                transformer: ONE_HOT,
            }),
            _ => {
                let encoder = OneHot::params().columns(categories.iter().copied());
                Ok(Self::OneHot(encoder.fit(&data)?))
            }
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        let position = match self {
            Self::StandardScaler(_) => 0,
            Self::Imputer(_) => 1,
            Self::OneHot(_) => 2,
        };
        TRANSFORMERS[position].name()
    }

    /// The number of columns that the transformer takes.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::StandardScaler(scaler) => scaler.mean().len(),
            Self::Imputer(imputer) => imputer.values().len(),
            Self::OneHot(encoder) => encoder.width(),
        }
    }

    /// The number of columns that the transformer returns.
    pub(crate) fn width_behind(&self) -> usize {
        match self {
            Self::OneHot(encoder) => encoder.encoded_width(),
            _ => self.width(),
        }
    }

    /// Returns whether the columns of categories are no categories any more behind the transformer.
    pub(crate) fn takes_categories(&self) -> bool {
        matches!(self, Self::OneHot(_))
    }

    /// Returns whether the inputs can be computed from the outputs.
    pub(crate) fn has_inverse(&self) -> bool {
        matches!(self, Self::StandardScaler(_))
    }

    /// The inputs that the transformer turns into these values.
    pub(crate) fn inverse(&self, x: Array2<f64>) -> Result<Array2<f64>, Error> {
        match self {
            Self::StandardScaler(scaler) => Ok(scaler.inverse_transform(x)?),
            Self::Imputer(_) | Self::OneHot(_) => Err(Error::NoInverse {
                transformer: self.name(),
            }),
        }
    }

    /// The transformer as it is written into a graph of ONNX.
    pub(crate) fn onnx(&self) -> &dyn OnnxTransformer {
        match self {
            Self::StandardScaler(scaler) => scaler,
            Self::Imputer(imputer) => imputer,
            Self::OneHot(encoder) => encoder,
        }
    }

    pub(crate) fn transform(&self, x: Array2<f64>) -> Array2<f64> {
        match self {
            Self::StandardScaler(scaler) => scaler.transform(x),
            Self::Imputer(imputer) => imputer.transform(x),
            Self::OneHot(encoder) => encoder.transform(x),
        }
    }
}
