//! What can be wrong with a method's parameters and targets.

mod checks;

pub(crate) use checks::{
    require, require_finite, require_in, require_no_weights, require_not_negative, require_positive,
};

use crate::linear::Strategy;
use npt_core::wording::{bytes, count, number};

/// Everything that can go wrong in the linear methods of this crate.
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
    /// One of two views is at fault, or its kernel.
    #[error("in the {view} view: {error}")]
    View {
        /// Which.
        view: View,
        /// What is wrong with it.
        error: npt_core::Error,
    },
    /// A block of samples is at fault as a whole.
    #[error("in the block from row {row} on: {error}")]
    Block {
        /// The number of rows that came before it.
        row: usize,
        /// What is wrong with it.
        error: Box<Error>,
    },
    /// A parameter is outside its range.
    #[error("{parameter} of {of} is {}; it must be {allowed}", number(*.value))]
    Parameter {
        /// What the parameter belongs to.
        of: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// There is no parameter of this name to be moved.
    #[error("there is no parameter {parameter} to move; there are {}", .known.join(", "))]
    UnknownParameter {
        /// The name that was given.
        parameter: String,
        /// The names of those that there are.
        known: Vec<String>,
    },
    /// The bounds of a parameter are no range, or it begins outside of them.
    #[error(
        "{parameter} begins at {} and is to stay between {} and {}; it takes 0 < low < high, with the start between them",
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
        /// Where the parameter begins.
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
        /// Number that there are.
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
        /// How classifiers of two classes make one of these.
        strategy: Strategy,
        /// Number of classes.
        classes: usize,
        /// Number of classifiers of two classes.
        machines: usize,
        /// The bytes that their coefficients and biases take.
        needed: u64,
        /// The bytes that they may take.
        allowed: u64,
        /// What can be done.
        instead: &'static str,
    },
    /// Targets have another number of columns than those before.
    #[error("the targets have {}, those before {expected}", count(*.found, "column"))]
    TargetColumns {
        /// Columns of those before.
        expected: usize,
        /// Columns of these.
        found: usize,
    },
    /// Moments of which only some have the scatter within each class.
    #[error(
        "only one of the two has the scatter within each class; `with_class_scatters` keeps it"
    )]
    ClassScatters,
    /// Samples that are read several times are more or fewer than the first time.
    #[error("the first pass had {}, a later one {later}", count(*.first, "sample"))]
    OtherPass {
        /// How many came with the first pass.
        first: usize,
        /// How many with a later one.
        later: usize,
    },
    /// A sample has a class that was not there when the samples were read first.
    #[error("sample {row} has a class that the first pass did not have")]
    LaterClass {
        /// Row of the sample, from 0.
        row: usize,
    },
    /// Samples have weights where these are not taken: they would be ignored.
    #[error("{of} do not take sample weights")]
    Weights {
        /// What does not.
        of: &'static str,
    },
    /// The targets have no columns.
    #[error("the targets have no columns")]
    NoTargets,
    /// A column of the records has no values that are not missing.
    #[error("column {column} has no values")]
    NoValues {
        /// The column, from 0.
        column: usize,
    },
    /// All targets are as near to each other as the threshold lets near targets be.
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
        /// Number that it takes.
        needed: usize,
    },
    /// A system of equations is singular to rounding, and the parameter on its diagonal too small
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
        /// Its value.
        value: f64,
        /// What rounding leaves of the diagonal: values well above it will do.
        least: f64,
    },
    /// Without one of the samples there is nothing to predict it from.
    #[error(
        "with {parameter} {}, nothing but sample {row} itself determines its prediction",
        number(*.value)
    )]
    LeaveOneOut {
        /// Row of the sample, from 0.
        row: usize,
        /// The parameter that is too small.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// Records, targets, weights or parameters are so large, or so small, that a result leaves the range of
    /// the floating point type.
    #[error(
        "{of} leaves the range of its numbers: records, targets or weights are too large or too small"
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
        /// The largest that is feasible.
        largest: f64,
    },
    /// No plane keeps a distance: from the other class, or from the origin.
    #[error("{method} has no margin: no plane separates what it has to")]
    NoMargin {
        /// The method.
        method: &'static str,
    },
    /// A plane separates the classes of the samples, so that without a penalty there is no best one: larger weights are always
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
    /// What rounding leaves of the values of a solution is larger than what they are to reach.
    #[error(
        "rounding leaves {} of values of {method} that are to be near {}: take lower penalties or sample weights, or scale the records",
        number(*.rounding),
        number(*.target)
    )]
    LostInRounding {
        /// The method.
        method: &'static str,
        /// What rounding leaves, in the units of the target.
        rounding: f64,
        /// The largest value that is to be reached: a margin, or a target.
        target: f64,
    },
    /// There are no kernels to combine.
    #[error("there are no kernels to combine")]
    NoKernels,
    /// Under no kernel are samples more alike where their targets are: all samples or all targets
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
    /// The folds are those of another dataset.
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
    /// Spaces and methods that are to be paired are not as many.
    #[error("{} cannot be paired with {}", count(*.spaces, "space"), count(*.methods, "method"))]
    Unpaired {
        /// Number of spaces.
        spaces: usize,
        /// Number of methods.
        methods: usize,
    },
    /// Scores that were given names are not as many.
    #[error("{} cannot be the titles of {}", count(*.names, "name"), count(*.scores, "score"))]
    ScoreNames {
        /// Number of names.
        names: usize,
        /// Number of scores.
        scores: usize,
    },
    /// What comes before the candidates of a search cannot be fitted.
    #[error("the transformer failed on the training samples of fold {fold}: {message}")]
    Transformer {
        /// The fold that was held out, from 0.
        fold: usize,
        /// What its error says.
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
        /// What is told of it, in the units of the method's tolerance if it has one.
        measure: &'static str,
        /// The value of that.
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
    /// The one given first.
    First,
    /// The one given second.
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
