//! What can be wrong with an estimator, its data, and what a model is asked for.

use crate::{Ability, Label, Score};
use npt_core::{KernelizedError, ParameterError, catalogue::DescriptionError, wording::count};

/// Everything that can go wrong with estimators and models.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text describes no method, space, transformer or kernel.
    #[error("in the {of}: {error}")]
    Description {
        /// What was read: the method, the space, the transformer, the kernel.
        of: &'static str,
        /// What is wrong with it.
        error: DescriptionError,
    },
    /// A parameter does not take a value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Parameters that exclude each other are given.
    #[error("{of} takes one of {}, not {}", .parameters.join(", "), .given.join(" and "))]
    Exclusive {
        /// The name of what has the parameters.
        of: &'static str,
        /// The parameters of which one may be given.
        parameters: &'static [&'static str],
        /// Those that were given.
        given: Vec<String>,
    },
    /// The kernel is not defined on the samples.
    #[error("{kernel} is no kernel on {samples}, but on {}", .domains.join(" and "))]
    Domain {
        /// The kernel.
        kernel: String,
        /// What the samples are.
        samples: &'static str,
        /// What samples it is a kernel on.
        domains: Vec<&'static str>,
    },
    /// A transformer stands in front of samples that are no dense vectors.
    #[error("{transformer} transforms dense vectors, not {samples}")]
    Transformer {
        /// Its name.
        transformer: String,
        /// What the samples are.
        samples: &'static str,
    },
    /// The method takes other targets.
    #[error("{method} needs {needs}, not {found}")]
    Targets {
        /// Its name.
        method: &'static str,
        /// What it needs.
        needs: &'static str,
        /// What it was given.
        found: &'static str,
    },
    /// The method takes two classes.
    #[error("{method} takes two classes, not {found}; {others} take any number")]
    TwoClasses {
        /// Its name.
        method: &'static str,
        /// How many classes there are.
        found: usize,
        /// Methods that take them.
        others: &'static str,
    },
    /// Some labels are words, others numbers or yes and no.
    #[error("{one} and {other} are labels of two types; all must be of one")]
    MixedLabels {
        /// A label.
        one: Label,
        /// A label of another type.
        other: Label,
    },
    /// The model has not what it is asked for.
    #[error("{model} has no {asked}; it has {}", .has.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Ability {
        /// The method of the model.
        model: &'static str,
        /// What it was asked for.
        asked: Ability,
        /// What it has.
        has: Vec<Ability>,
    },
    /// The names of columns are not one a column.
    #[error("there are {} for {}{}", count(*.names, "name"), count(*.columns, "column"), again(.repeated.as_deref()))]
    ColumnNames {
        /// The number of names.
        names: usize,
        /// The number of columns.
        columns: usize,
        /// A name that stands twice.
        repeated: Option<String>,
    },
    /// Columns that were asked for are not there.
    #[error("there is no column {}; there are {}", .missing.join(", "), .known.join(", "))]
    MissingColumns {
        /// The names that are not there.
        missing: Vec<String>,
        /// The names of the columns.
        known: Vec<String>,
    },
    /// The new data have other columns than the training data, or in another order.
    #[error("{}", differences(.expected, .found))]
    Columns {
        /// The columns of the model.
        expected: Vec<String>,
        /// The columns of the data.
        found: Vec<String>,
    },
    /// The score is of other targets.
    #[error("the score {} is not of {found}", word(*.score))]
    ScoreTargets {
        /// The score.
        score: Score,
        /// What there is.
        found: &'static str,
    },
    /// No candidate of a search could be fitted.
    #[error("none of {} could be fitted and scored: {error}", count(*.candidates, "candidate"))]
    NoneFits {
        /// How many there are.
        candidates: usize,
        /// The error of the first.
        error: String,
    },
    /// The fit failed, or the samples are at fault.
    #[error(transparent)]
    Fit(#[from] KernelizedError<npt_methods::Error>),
    /// The file is at fault.
    #[error(transparent)]
    File(#[from] npt_model_file::Error),
}

impl From<npt_core::Error> for Error {
    fn from(error: npt_core::Error) -> Self {
        Self::Fit(error.into())
    }
}

impl From<npt_methods::Error> for Error {
    fn from(error: npt_methods::Error) -> Self {
        Self::Fit(KernelizedError::Method(error))
    }
}

fn word(score: Score) -> String {
    npt_core::ParameterType::value(&score).to_string()
}

fn again(repeated: Option<&str>) -> String {
    repeated.map_or_else(String::new, |name| format!(", and {name} stands twice"))
}

/// Names what is missing and what is too much, or the order.
fn differences(expected: &[String], found: &[String]) -> String {
    let without = |these: &[String], those: &[String]| {
        let rest = these.iter().filter(|name| !those.contains(name));
        rest.cloned().collect::<Vec<_>>().join(", ")
    };
    let (missing, additional) = (without(expected, found), without(found, expected));
    if missing.is_empty() && additional.is_empty() {
        let expected = expected.join(", ");
        return format!("the columns are in another order than at the fit: {expected}");
    }
    let part = |names: String, words| (!names.is_empty()).then(|| format!("{words} {names}"));
    let parts = [
        part(missing, "the data lack the column"),
        part(additional, "the model does not know the column"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
