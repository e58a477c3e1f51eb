//! Transformers in front of a kernel method.

use crate::{Error, methods::set};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2};
use npt_core::{
    Parameter, Parameters,
    catalogue::{Heading, Range},
    parameters_by_name, words_of_parameter,
};
use npt_methods::preprocessing::{Imputer, ImputerParams, StandardScaler};
use std::sync::LazyLock;

/// By what a missing value is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strategy {
    Mean,
    Median,
    MostFrequent,
    Constant,
}
words_of_parameter!(Strategy {
    Mean: "mean",
    Median: "median",
    MostFrequent: "most_frequent",
    Constant: "constant",
});

struct ImputerChoice {
    strategy: Strategy,
    value: f64,
}
parameters_by_name! {
    impl Parameters for ImputerChoice, "imputer"; {
        default {
            strategy: Strategy = Strategy::Mean, Range::Word(Strategy::WORDS), "What a missing value is replaced by, of the values of its column.";
            value: f64 = 0.0, Range::Real, "The value of the strategy constant.";
        }
    }
}

impl ImputerChoice {
    fn params(&self) -> ImputerParams {
        match self.strategy {
            Strategy::Mean => Imputer::mean(),
            Strategy::Median => Imputer::median(),
            Strategy::MostFrequent => Imputer::most_frequent(),
            Strategy::Constant => Imputer::constant(self.value),
        }
    }
}

/// The transformers by name.
pub(crate) static TRANSFORMERS: LazyLock<Vec<Heading>> = LazyLock::new(|| {
    let imputer = Heading::new(
        "imputer",
        "Puts a value of its column in the place of each missing one.",
    );
    vec![
        Heading::new(
            "standard_scaler",
            "Gives each column the mean 0 and the variance 1.",
        ),
        ImputerChoice::parameter_entries()
            .into_iter()
            .fold(imputer, Heading::parameter),
    ]
});

/// A fitted transformer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Front {
    StandardScaler(StandardScaler<f64>),
    Imputer(Imputer<f64>),
}

impl Front {
    /// Fits the transformer of a position in the list.
    pub(crate) fn fit(
        position: usize,
        given: &[Parameter],
        x: &Array2<f64>,
        weights: &Array1<f32>,
    ) -> Result<Self, Error> {
        let data = DatasetBase::from(x.view()).with_weights(weights.clone());
        if position == 0 {
            return Ok(Self::StandardScaler(StandardScaler::params().fit(&data)?));
        }
        let (strategy, value) = (Strategy::Mean, 0.0);
        let imputer = set(ImputerChoice { strategy, value }, given)?;
        Ok(Self::Imputer(imputer.params().fit(&data)?))
    }

    /// The number of columns that it takes.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::StandardScaler(scaler) => scaler.mean().len(),
            Self::Imputer(imputer) => imputer.values().len(),
        }
    }

    pub(crate) fn transform(&self, x: Array2<f64>) -> Array2<f64> {
        match self {
            Self::StandardScaler(scaler) => scaler.transform(x),
            Self::Imputer(imputer) => imputer.transform(x),
        }
    }
}
