//! Errors of the parameters and targets of methods, and of their results.

mod checks;

pub(crate) use checks::{
    require, require_finite, require_in, require_no_weights, require_not_negative, require_positive,
};

use crate::linear::Strategy;
use npt_core::wording::{bytes, count, number};

/// Everything that can go wrong in the linear methods of this crate.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::{Error, linear::Lda};
///
/// let one_class = Dataset::new(array![[0.0], [1.0]], array![7, 7]);
/// let error = Lda::params().fit(&one_class).unwrap_err();
/// assert_eq!(error, Error::Classes { found: 1 });
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The records are at fault, or their linear algebra.
    #[error(transparent)]
    Core(#[from] npt_core::Error),
    /// One of the two views, or its kernel, is at fault.
    #[error("in the {view} view: {error}")]
    View {
        /// The view.
        view: View,
        /// The error of its samples or kernel.
        error: npt_core::Error,
    },
    /// A block of samples is at fault as a whole.
    #[error("in the block from row {row} on: {error}")]
    Block {
        /// The number of rows that came before the block.
        row: usize,
        /// The error of the block.
        error: Box<Error>,
    },
    /// A parameter is outside its range.
    #[error("{parameter} of {of} is {}; it must be {allowed}", number(*.value))]
    Parameter {
        /// The type that the parameter belongs to.
        of: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// The value of the parameter.
        value: f64,
        /// The allowed values, in words.
        allowed: &'static str,
    },
    /// No parameter that can be moved has this name.
    #[error("there is no parameter {parameter} to optimise; there are {}", .known.join(", "))]
    UnknownParameter {
        /// The name that was given.
        parameter: String,
        /// The names of the parameters that can be moved.
        known: Vec<String>,
    },
    /// The bounds of a parameter are not a range, or the parameter begins outside of them.
    #[error(
        "{parameter} starts at {} with the bounds {} and {}; it takes 0 < low < high, and a start between them",
        number(*.start),
        number(*.low),
        number(*.high)
    )]
    Bounds {
        /// Name of the parameter.
        parameter: String,
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
        /// The value at which the parameter begins.
        start: f64,
    },
    /// A parameter of a kernel cannot be set.
    #[error(transparent)]
    SetParameter(#[from] npt_core::ParameterError),
    /// More components were asked for than there are.
    #[error("asked for {}; there can be {available} at most", count(*.requested, "component"))]
    Components {
        /// Number of components asked for.
        requested: usize,
        /// Number of components that there are.
        available: usize,
    },
    /// The targets hold fewer than two classes.
    #[error("the targets hold {}; it takes at least 2", count(*.found, "class"))]
    Classes {
        /// Number of classes.
        found: usize,
    },
    /// The functions of so many classes do not fit into memory.
    #[error(
        "{} makes {} of {}: their coefficients would take {} where {} are allowed; {instead}",
        match .strategy {
            Strategy::OneAgainstOne => "one against one",
            Strategy::OneAgainstRest => "one against the rest",
        },
        count(*.machines, "machine"),
        count(*.classes, "class"),
        bytes(*.needed),
        bytes(*.allowed)
    )]
    ManyClasses {
        /// The strategy that makes a classifier of all classes from classifiers of two classes.
        strategy: Strategy,
        /// Number of classes.
        classes: usize,
        /// Number of classifiers of two classes.
        machines: usize,
        /// The bytes that the coefficients and biases of these classifiers take.
        needed: u64,
        /// The bytes that the coefficients and biases may take.
        allowed: u64,
        /// A remedy, in words.
        instead: &'static str,
    },
    /// The targets have another number of columns than the targets before them.
    #[error("the targets have {}; those of the blocks before had {expected}", count(*.found, "column"))]
    TargetColumns {
        /// Number of columns of the targets before.
        expected: usize,
        /// Number of columns of these targets.
        found: usize,
    },
    /// Only some of the moments have the scatter within each class.
    #[error(
        "only one of the two sums has the scatter within each class: begin both by `with_class_scatters`"
    )]
    ClassScatters,
    /// A later pass over the samples had more or fewer of them than the first pass.
    #[error("the first pass had {}; a later one has {later}", count(*.first, "sample"))]
    OtherPass {
        /// Number of samples of the first pass.
        first: usize,
        /// Number of samples of the later pass.
        later: usize,
    },
    /// A sample has a class that the first pass over the samples did not have.
    #[error("sample {row} has a class that the first pass did not have")]
    LaterClass {
        /// Row of the sample, from 0.
        row: usize,
    },
    /// The samples have weights, but the method takes none: it would ignore them.
    #[error("{of} do not take sample weights")]
    Weights {
        /// The name, in the plural, of the thing that takes no weights.
        of: &'static str,
    },
    /// The targets have no columns.
    #[error("the targets have no columns")]
    NoTargets,
    /// All values of a column of the records are missing.
    #[error("column {column} has no values")]
    NoValues {
        /// The column, from 0.
        column: usize,
    },
    /// No two targets differ by more than the threshold.
    #[error("no two targets differ by more than {}", number(*.threshold))]
    NoContrast {
        /// The threshold, in units of the targets.
        threshold: f64,
    },
    /// There are fewer samples than a method needs.
    #[error("it takes at least {}, not {found}", count(*.needed, "sample"))]
    TooFewSamples {
        /// Number of samples.
        found: usize,
        /// Number of samples needed.
        needed: usize,
    },
    /// A system of equations is singular to rounding, and the parameter on its diagonal is too small
    /// to change that.
    #[error(
        "with {parameter} {} the equations of {of} are singular; it takes above {}",
        number(*.value),
        number(*.least)
    )]
    Singular {
        /// The method.
        of: &'static str,
        /// The parameter that is added to the diagonal.
        parameter: &'static str,
        /// The value of the parameter.
        value: f64,
        /// The size of the rounding errors on the diagonal: values well above it will do.
        least: f64,
    },
    /// A sample alone determines its own prediction: without it there is nothing to predict it from.
    #[error(
        "with {parameter} {}, nothing but sample {row} itself determines its prediction",
        number(*.value)
    )]
    LeaveOneOut {
        /// Row of the sample, from 0.
        row: usize,
        /// The parameter that is too small.
        parameter: &'static str,
        /// The value of the parameter.
        value: f64,
    },
    /// Records, targets, weights or parameters are so large, or so small, that a result leaves the range of
    /// the floating point type.
    #[error(
        "{of} is beyond the range of its type: records, targets or weights are too large or too small"
    )]
    Overflow {
        /// The method.
        of: &'static str,
    },
    /// A class has too few members to be divided.
    #[error(
        "a class of {} cannot be divided into {}",
        count(*.members, "member"),
        count(*.folds, "fold")
    )]
    ClassMembers {
        /// Number of members of the smallest class.
        members: usize,
        /// Number of folds.
        folds: usize,
    },
    /// ν is larger than the sizes of the classes allow.
    #[error(
        "nu is {}; with these classes it can be at most {}",
        number(*.nu),
        number(*.largest)
    )]
    InfeasibleNu {
        /// The value of ν.
        nu: f64,
        /// The largest feasible ν.
        largest: f64,
    },
    /// No plane separates the classes, or the samples from the origin, with a margin.
    #[error(
        "{method} has no margin: no plane separates the classes, or the samples from the origin"
    )]
    NoMargin {
        /// The method.
        method: &'static str,
    },
    /// A plane separates the classes of the samples. Without a penalty there is then no best solution: larger weights are always
    /// better.
    #[error(
        "{method} without a {parameter} has no minimum, as a plane separates the classes of the samples; it takes a {parameter} \
         above 0"
    )]
    Separable {
        /// The method.
        method: &'static str,
        /// The parameter that has to be above 0.
        parameter: &'static str,
    },
    /// The rounding errors of the values of a solution are larger than the values that the solution is to reach.
    #[error(
        "rounding moves the values of {method} by {}, where they should be near {}: take lower penalties or sample weights, or scale the records",
        number(*.rounding),
        number(*.target)
    )]
    LostInRounding {
        /// The method.
        method: &'static str,
        /// The rounding errors, in the units of the target.
        rounding: f64,
        /// The largest value that is to be reached: a margin, or a target.
        target: f64,
    },
    /// There are no kernels to combine.
    #[error("there are no kernels to combine")]
    NoKernels,
    /// No kernel finds samples with like targets more alike than other samples. All samples or all targets
    /// may be the same.
    #[error("no kernel of the {kernels} given is aligned with the targets")]
    NotAligned {
        /// Number of kernels.
        kernels: usize,
    },
    /// There are too few or too many folds.
    #[error(
        "asked for {} of {}; there can be 2 to as many as samples",
        count(*.folds, "fold"),
        count(*.samples, "sample")
    )]
    Folds {
        /// Number of folds.
        folds: usize,
        /// Number of samples.
        samples: usize,
    },
    /// The folds are of a dataset with another number of samples.
    #[error("the folds are of {}, the dataset has {expected}", count(*.found, "sample"))]
    FoldsOfOthers {
        /// Number of samples of the dataset.
        expected: usize,
        /// Number of samples of the folds.
        found: usize,
    },
    /// There are no spaces or no methods to choose from.
    #[error("there are no candidates: a search needs at least one space and one method")]
    NoCandidates,
    /// The numbers of spaces and of methods that are to be paired differ.
    #[error("{} cannot be paired with {}", count(*.spaces, "space"), count(*.methods, "method"))]
    Unpaired {
        /// Number of spaces.
        spaces: usize,
        /// Number of methods.
        methods: usize,
    },
    /// The number of names given to the scores is not the number of scores.
    #[error("{} cannot be the titles of {}", count(*.names, "name"), count(*.scores, "score"))]
    ScoreNames {
        /// Number of names.
        names: usize,
        /// Number of scores.
        scores: usize,
    },
    /// The transformer before the candidates of a search cannot be fitted.
    #[error("the transformer failed on the training samples of fold {fold}: {message}")]
    Transformer {
        /// The fold that was held out, from 0.
        fold: usize,
        /// The text of its error.
        message: String,
    },
    /// No candidate is the best: all mean scores are NaN.
    #[error("the score of every candidate is NaN")]
    NoScore,
    /// An iteration did not reach its tolerance.
    #[error(
        "{method} did not converge: {measure} is {} after the last iteration",
        number(*.value)
    )]
    NotConverged {
        /// The method.
        method: &'static str,
        /// The measure of convergence, in words; it is in the units of the method's tolerance if the method has one.
        measure: &'static str,
        /// The value of the measure.
        value: f64,
    },
    /// There are fewer distinct samples than clusters.
    #[error(
        "asked for {} of {}",
        count(*.requested, "cluster"),
        count(*.distinct, "distinct sample")
    )]
    Clusters {
        /// Number of clusters asked for.
        requested: usize,
        /// Number of distinct samples.
        distinct: usize,
    },
    /// No input was found for a point of a kernel space.
    #[error(
        "no pre-image of point {point} was found; the last try has the squared distance {}",
        number(*.residual)
    )]
    NoPreImage {
        /// Row of the point, from 0.
        point: usize,
        /// The best input found so far.
        iterate: Vec<f64>,
        /// The squared distance, in feature space, of the point from φ of that input.
        residual: f64,
    },
    /// An error of linfa's own.
    #[error("{0}")]
    Linfa(String),
}

/// One of two views of the same samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum View {
    /// The view given first.
    First,
    /// The view given second.
    Second,
}

impl std::fmt::Display for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

impl From<linfa::Error> for Error {
    fn from(error: linfa::Error) -> Self {
        Self::Linfa(error.to_string())
    }
}

#[cfg(test)]
mod tests;
