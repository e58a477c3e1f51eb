//! Errors of estimators, their data, and questions to models.

use crate::{Ability, Label, Score, categories::OF_CATEGORIES};
use npt_core::{KernelizedError, ParameterError, catalogue::DescriptionError, wording::count};

/// Everything that can go wrong with estimators and models.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text describes no method, space, transformer or kernel.
    #[error("in the {of}: {error}")]
    Description {
        /// The part that was read: the method, the space, the transformer, the kernel.
        of: &'static str,
        /// The fault, with its place in the text.
        error: Box<DescriptionError>,
    },
    /// A kernel that is added has the name of another kernel.
    #[error("there is a kernel {name} on these samples; one that is added needs another name")]
    KernelName {
        /// The name.
        name: &'static str,
    },
    /// A typed method has no name, because it is not of this library.
    #[error("the method has no name: those of this library have one")]
    NoName,
    /// A parameter does not take a value.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The kernel is not defined on the samples.
    #[error("{kernel} is no kernel on {samples}, but on {}", .domains.join(" and "))]
    Domain {
        /// The kernel.
        kernel: String,
        /// The type of the samples.
        samples: &'static str,
        /// The types of samples that it is a kernel on.
        domains: Vec<&'static str>,
    },
    /// A transformer or a space of features is to work on samples that are no dense vectors.
    #[error("{of} takes dense vectors, not {samples}")]
    DenseVectors {
        /// The name of the transformer or space.
        of: String,
        /// The type of the samples.
        samples: &'static str,
    },
    /// The method takes other targets.
    #[error("{method} takes {takes}, and was given {found}")]
    Targets {
        /// The name of the method.
        method: &'static str,
        /// The targets that it takes.
        takes: &'static str,
        /// The targets that it was given.
        found: String,
    },
    /// The method takes two classes.
    #[error("{method} takes two classes, not {found}; {others} take any number")]
    TwoClasses {
        /// The name of the method.
        method: &'static str,
        /// The number of classes.
        found: usize,
        /// The methods that take any number of classes.
        others: &'static str,
    },
    /// The labels are of two types, such as words and numbers.
    #[error("{one} and {other} are labels of two types; all must be of one")]
    MixedLabels {
        /// A label.
        one: Label,
        /// A label of another type.
        other: Label,
    },
    /// The model does not answer the question.
    #[error("{model} has no {asked}; it has {}", .has.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Ability {
        /// The method of the model.
        model: &'static str,
        /// The question that it was asked.
        asked: Ability,
        /// The questions that it answers.
        has: Vec<Ability>,
    },
    /// The sums to be merged are of another space, or divided into other folds.
    #[error(
        "the sums are of another space, method or number of folds (fingerprint {found:016x}, not {expected:016x}): parts that are merged begin from the same sums without samples"
    )]
    OtherSums {
        /// The fingerprint of the sums that were there.
        expected: u64,
        /// The fingerprint of the sums to be merged.
        found: u64,
    },
    /// An option of sums is set after samples were added.
    #[error("the number of folds must be set before the first samples are added")]
    Begun,
    /// The number of folds is 0.
    #[error("the number of folds is {folds}; it must be at least 1")]
    Folds {
        /// The number of folds.
        folds: usize,
    },
    /// The estimator belongs to a model that was read from a text of LIBSVM or from a file of a typed model. Neither says how the model
    /// was fitted.
    #[error(
        "the estimator came with a model that was read from a file, which does not say how it was fitted"
    )]
    OnlyRead,
    /// Parts of the estimator do not go together.
    #[error("{of} takes {takes}, not {found}")]
    Combination {
        /// The method, or the way to pre-images.
        of: &'static str,
        /// The methods or spaces that go with that part.
        takes: &'static str,
        /// The method or the space that was chosen.
        found: String,
    },
    /// Inputs are asked of a model behind a transformer that has no inverse.
    #[error("{transformer} has no inverse; standard_scaler has")]
    NoInverse {
        /// The name of the transformer.
        transformer: &'static str,
    },
    /// A part of the model cannot be written in the format of another program.
    #[error("{what} cannot be written as {format}, which takes {can}")]
    NotExported {
        /// The method, space, transformer, or type of samples that the format does not have.
        what: String,
        /// The format.
        format: &'static str,
        /// The parts that the format has in its place.
        can: &'static str,
    },
    /// The model was not written.
    #[error(transparent)]
    Export(#[from] npt_export::Error),
    /// The number of names is not that of the columns, or a name stands twice.
    #[error("there are {} for {}{}", count(*.names, "name"), count(*.columns, "column"), again(.repeated.as_deref()))]
    ColumnNames {
        /// The number of names.
        names: usize,
        /// The number of columns.
        columns: usize,
        /// A name that stands twice.
        repeated: Option<String>,
    },
    /// A column of a table has another number of values than the first.
    #[error("the column {column} has {}, the first {expected}", count(*.found, "value"))]
    ColumnLengths {
        /// The name of the column.
        column: String,
        /// The number of its values.
        found: usize,
        /// The number of values of the first column.
        expected: usize,
    },
    /// The number of shared values is not that of a matrix of their shape.
    #[error("{} cannot be a matrix of {} and {}", count(*.found, "number"), count(*.rows, "row"), count(*.columns, "column"))]
    ValueCount {
        /// The rows of the shape.
        rows: usize,
        /// The columns of the shape.
        columns: usize,
        /// The number of shared values.
        found: usize,
    },
    /// A value in a column of categories is no number of a category.
    #[error("sample {row} has {value} in the column {column}, which numbers none of its {}: they are counted from 0", counted(*.count))]
    CategoryNumber {
        /// The name of the column.
        column: String,
        /// The position of the sample.
        row: usize,
        /// The value in the column.
        value: f64,
        /// The number of categories.
        count: usize,
    },
    /// New data have a category that the model has not seen.
    #[error("sample {row} has \"{text}\" in the column {column}, which the model has not seen; it knows {}", some_of(.known))]
    UnseenCategory {
        /// The name of the column.
        column: String,
        /// The position of the sample.
        row: usize,
        /// The category of the sample.
        text: String,
        /// The categories of the fit.
        known: Vec<String>,
    },
    /// A column has categories at the fit and numbers in new data, or the other way round.
    #[error("the column {column} has {} at the fit, and {} here", kind_of(!.is_category), kind_of(*.is_category))]
    ColumnKind {
        /// The name of the column.
        column: String,
        /// `true` if the new data have categories in it.
        is_category: bool,
    },
    /// The kernel would take the numbers that stand for categories for measurements.
    #[error("{kernel} would take the categories of {} for numbers; put the transformer one_hot in front, or take a kernel with {}", .columns.join(", "), OF_CATEGORIES.join(" or "))]
    KernelOfCategories {
        /// The kernel.
        kernel: String,
        /// The columns of categories.
        columns: Vec<String>,
    },
    /// The second view has categories; a model keeps those of the first view alone.
    #[error("the second view takes numbers, and has the categories of {}", .columns.join(", "))]
    CategoriesOfView {
        /// The columns of categories.
        columns: Vec<String>,
    },
    /// A transformer of categories is to work on data that have none.
    #[error("{transformer} takes columns of categories, of which these data have none")]
    NoCategories {
        /// The name of the transformer.
        transformer: &'static str,
    },
    /// Columns that were asked for are not there.
    #[error("{}", missing_columns(.missing, .known))]
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
    /// The score takes other targets.
    #[error("the score {score} takes {}, and was given {found}", .score.takes())]
    ScoreTargets {
        /// The score.
        score: Score,
        /// The targets or predictions that there are.
        found: String,
    },
    /// A parameter of a grid has no values.
    #[error("the grid has no values of {parameter}; it takes one or more")]
    NoValues {
        /// The name of the parameter.
        parameter: String,
    },
    /// No candidate of a search could be fitted.
    #[error("none of {} could be fitted and scored: {error}", count(*.candidates, "candidate"))]
    NoneFits {
        /// The number of candidates.
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

impl Error {
    pub(crate) fn description(of: &'static str, error: DescriptionError) -> Self {
        let error = Box::new(error);
        Self::Description { of, error }
    }
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

fn again(repeated: Option<&str>) -> String {
    repeated.map_or_else(String::new, |name| format!(", and {name} stands twice"))
}

fn counted(categories: usize) -> String {
    match categories {
        1 => "1 category".to_owned(),
        count => format!("{count} categories"),
    }
}

fn kind_of(is_category: bool) -> &'static str {
    if is_category { "categories" } else { "numbers" }
}

/// The texts, or the first of them and the number of the others.
pub(crate) fn some_of(texts: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = texts
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match texts.len().saturating_sub(SHOWN) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

fn missing_columns(missing: &[String], known: &[String]) -> String {
    let missing = missing.join(", ");
    match known {
        [] => format!("there is no column {missing}; the columns have no names"),
        known => format!(
            "there is no column {missing}; there are {}",
            known.join(", ")
        ),
    }
}

/// Says which columns are missing and which are unknown, or that their order is another.
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
