//! Errors of samples, kernels and parameters.

mod checks;

pub(crate) use checks::{at_least_one, finite, not_negative, positive, require_range, share};

use crate::{
    memory::{bytes_of_landmarks, landmarks_within},
    wording::{bytes, count, number},
};

/// An error on the way from samples to their coordinates.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
///
/// Each variant names the sample or the parameter at fault and its value. Values are `f64`
/// whatever the scalar of the computation.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Error, Exact, Gaussian, SpaceBuilder};
///
/// let x = array![[0.0], [f64::INFINITY]];
/// let error = Exact::new(Gaussian::new(1.0)).fit_space(&x).unwrap_err();
/// assert_eq!(error, Error::SampleNotFinite { row: 1, column: 0, value: f64::INFINITY });
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The set of samples is empty.
    #[error("there are no samples")]
    NoSamples,
    /// The samples are vectors of length zero.
    #[error("there are no features in the {}", count(*.samples, "sample"))]
    NoFeatures {
        /// Number of samples.
        samples: usize,
    },
    /// A sample contains NaN or an infinity.
    #[error("sample {row} has the value {} in column {column}; all must be finite", number(*.value))]
    SampleNotFinite {
        /// Row of the sample, from 0.
        row: usize,
        /// Column of the value, from 0.
        column: usize,
        /// The value.
        value: f64,
    },
    /// The features of the records have other names than the features that the model was fitted to, or another order.
    #[error(
        "the features are {}; the model takes {}, in this order: `select` the columns of a table by its `feature_names`",
        .found.join(", "),
        .expected.join(", ")
    )]
    FeatureNames {
        /// The names of the features that the model takes.
        expected: Vec<String>,
        /// The names of the features of the records.
        found: Vec<String>,
    },
    /// The new samples are of another type than the training samples.
    #[error("the new samples are {found}; the training samples were {expected}")]
    SampleKind {
        /// The type of the training samples.
        expected: &'static str,
        /// The type of the new samples.
        found: &'static str,
    },
    /// New samples have another number of columns than the training samples.
    #[error("the new samples have {}; the training samples had {expected}", count(*.found, "column"))]
    ColumnCount {
        /// Columns of the training samples.
        expected: usize,
        /// Columns of the new samples.
        found: usize,
    },
    /// There are more or fewer targets than samples.
    #[error(
        "{} for {}; each sample takes one",
        count(*.targets, "target"),
        count(*.samples, "sample")
    )]
    TargetCount {
        /// Number of samples.
        samples: usize,
        /// Number of targets.
        targets: usize,
    },
    /// There are more or fewer weights than samples.
    #[error(
        "{} for {}; each sample takes one",
        count(*.weights, "weight"),
        count(*.samples, "sample")
    )]
    WeightCount {
        /// Number of samples.
        samples: usize,
        /// Number of weights.
        weights: usize,
    },
    /// A target is NaN or an infinity.
    #[error("target {row} has the value {} in column {column}; all must be finite", number(*.value))]
    TargetNotFinite {
        /// Row of the target, from 0.
        row: usize,
        /// Column of the value, from 0; 0 for targets of one column.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A sample weight is not usable.
    #[error("the weight of sample {row} is {}; weights are finite and not negative", number(*.value))]
    Weight {
        /// Row of the sample, from 0.
        row: usize,
        /// The weight.
        value: f64,
    },
    /// There are sample weights, and none is above 0.
    #[error("the weights of {} are all 0; at least one must be above 0", count(*.samples, "sample"))]
    NoWeight {
        /// Number of samples.
        samples: usize,
    },
    /// A transformer made more or fewer rows than there are samples.
    #[error(
        "the transformer made {} of {}; it must make one row of each sample",
        count(*.rows, "row"),
        count(*.samples, "sample")
    )]
    OutputRows {
        /// Number of samples.
        samples: usize,
        /// Number of rows.
        rows: usize,
    },
    /// There are more or fewer weights than kernels.
    #[error(
        "{} for {}; each kernel takes one",
        count(*.weights, "weight"),
        count(*.kernels, "kernel")
    )]
    KernelCount {
        /// Number of kernels.
        kernels: usize,
        /// Number of weights.
        weights: usize,
    },
    /// The coefficients of a direction do not fit its space.
    #[error("a direction needs {} here, not {found}", count(*.expected, "coefficient"))]
    CoefficientCount {
        /// Number of coefficients that the operation takes.
        expected: usize,
        /// Number of coefficients given.
        found: usize,
    },
    /// A parameter is outside its range.
    #[error("{parameter} of {of} is {}; it must be {allowed}", number(*.value))]
    Parameter {
        /// The thing that the parameter belongs to, such as a kernel.
        of: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// The values that are allowed.
        allowed: &'static str,
    },
    /// A kernel matrix is not square.
    #[error(
        "the kernel matrix has {} and {}; it must be square",
        count(*.rows, "row"),
        count(*.columns, "column")
    )]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A kernel matrix is not symmetric.
    #[error(
        "the kernel of samples {row} and {column} is {}, and that of {column} and {row} is {}: a kernel must be symmetric",
        number(*.value),
        number(*.mirrored)
    )]
    Asymmetric {
        /// Row of the first of two entries, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// Its value.
        value: f64,
        /// The value with row and column exchanged.
        mirrored: f64,
    },
    /// There are more or fewer values κ(x, x) than samples.
    #[error(
        "{} κ(x, x) for {}; each sample takes one",
        count(*.values, "value"),
        count(*.samples, "sample")
    )]
    SelfValueCount {
        /// Number of samples.
        samples: usize,
        /// Number of values.
        values: usize,
    },
    /// A sample is outside the domain of a kernel.
    #[error("sample {row}{} is outside the domain of {kernel}, which needs {needs}", in_column(*.column))]
    SampleOutsideDomain {
        /// Row of the sample, from 0.
        row: usize,
        /// Column of the value at fault, from 0, if it is a single one.
        column: Option<usize>,
        /// The kernel.
        kernel: &'static str,
        /// The samples that the kernel needs.
        needs: &'static str,
    },
    /// A kernel was made for another number of features than the samples have.
    #[error("{kernel} was made for {}; the samples have {found}", count(*.expected, "feature"))]
    FeatureCount {
        /// The kernel.
        kernel: &'static str,
        /// Number of features that it was made for.
        expected: usize,
        /// Number of features of the samples.
        found: usize,
    },
    /// [`Sparse`](crate::Sparse) was put around a kernel whose values depend on columns that are 0 in both vectors.
    #[error(
        "{kernel} depends on columns that are 0 in both vectors, which Sparse leaves out: take dense rows or another kernel"
    )]
    CommonZeros {
        /// The kernel.
        kernel: String,
    },
    /// A space, or a method, does not take this kernel.
    #[error("{of} does not take the kernel {kernel}; it needs {needs}")]
    UnsuitableKernel {
        /// The space or method.
        of: &'static str,
        /// The kernel.
        kernel: String,
        /// The property that the kernel lacks.
        needs: &'static str,
    },
    /// A range of columns is empty, or beyond the columns of the samples.
    #[error(
        "the range of columns {start}..{end} is empty, or ends beyond the {} of the samples",
        count(*.columns, "column")
    )]
    ColumnRange {
        /// First column of the range, from 0.
        start: usize,
        /// The column after the last column of the range.
        end: usize,
        /// Number of columns of the samples.
        columns: usize,
    },
    /// A kernel gave NaN or an infinity.
    #[error("the kernel of samples {row} and {column} is {}; it must be finite", number(*.value))]
    KernelNotFinite {
        /// Row in the first set of samples.
        row: usize,
        /// Row in the second set of samples; for κ(x, x), the same row.
        column: usize,
        /// The kernel's value.
        value: f64,
    },
    /// Values that are computed from a sample leave the range of their floating point type.
    #[error(
        "{of} of sample {row} are too large for their type: scale the features, or compute in f64"
    )]
    Overflow {
        /// The name of the values, in the plural.
        of: &'static str,
        /// The row of the sample.
        row: usize,
    },
    /// The values κ(x, x) are finite, but their sum is not.
    #[error(
        "the kernel of a sample with itself, summed over {}, is infinite",
        count(*.samples, "sample")
    )]
    TraceOverflow {
        /// Number of samples.
        samples: usize,
    },
    /// The kernel is not positive semidefinite on the training samples: it violates Mercer's
    /// condition. [`Indefinite::Clip`](crate::Indefinite::Clip) drops the negative part instead.
    #[error(
        "the kernel matrix has the negative eigenvalue {}, {} times the largest in magnitude: the \
         kernel is not positive semidefinite",
        number(*.eigenvalue),
        number(*.ratio)
    )]
    Indefinite {
        /// The smallest eigenvalue.
        eigenvalue: f64,
        /// The smallest eigenvalue divided by the largest magnitude, in [−1, 0).
        ratio: f64,
    },
    /// All samples are one and the same point of the feature space (as a single sample always is,
    /// when centred), so there is no space to speak of.
    #[error("there is no variance among the {} under this kernel", count(*.samples, "sample"))]
    NoVariance {
        /// Number of samples.
        samples: usize,
    },
    /// Centring in feature space subtracts nearly all of the kernel values, and too much of what is left is rounding.
    #[error(
        "centring leaves so little of the kernel values that a share of {} is rounding, where {} is allowed: subtract the \
         means of the features, or compute in f64",
        number(*.rounding),
        number(*.allowed)
    )]
    Cancellation {
        /// The rounding of the values, as a share of the variance of the samples in feature space.
        rounding: f64,
        /// The largest share that is allowed.
        allowed: f64,
    },
    /// More components were asked for than the samples span.
    #[error("asked for {}, but the samples span only {available}", count(*.requested, "component"))]
    Rank {
        /// Number of components asked for.
        requested: usize,
        /// Number of components that there are.
        available: usize,
    },
    /// More landmarks were asked for than the number of dimensions that the samples span.
    #[error(
        "asked for {}, but the samples span only {available}",
        count(*.requested, "landmark")
    )]
    Landmarks {
        /// Number of landmarks asked for.
        requested: usize,
        /// Number of dimensions that the samples span.
        available: usize,
    },
    /// A matrix that has to be positive definite is not.
    #[error("a matrix must be positive definite, but its pivot {pivot} is {}", number(*.value))]
    NotPositiveDefinite {
        /// Row of the offending pivot.
        pivot: usize,
        /// Its value.
        value: f64,
    },
    /// A matrix would take more memory than there is, or than
    /// [`limit_memory`](crate::limit_memory) allows.
    #[error(
        "{what}, {rows} × {columns} numbers, would take {} where {} are allowed; f32 takes half{}",
        bytes(*.needed),
        bytes(*.allowed),
        landmarks_that_fit(*.allowed, *.needed / (*.columns).max(1) as u64)
    )]
    Memory {
        /// The name of the matrix.
        what: &'static str,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// The bytes that it takes.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// The eigensolver did not converge.
    #[error("the eigendecomposition of a {size}×{size} matrix did not converge")]
    Eigensolver {
        /// Number of rows of the matrix.
        size: usize,
    },
}

impl Error {
    /// Returns this error for samples that come after `before` other samples: its row is counted from the first of all.
    ///
    /// # Example
    /// ```
    /// use npt_core::Error;
    ///
    /// let of_block = |row| Error::SampleNotFinite { row, column: 0, value: f64::INFINITY };
    /// assert_eq!(of_block(3).after_rows(1000), of_block(1003));
    /// ```
    #[must_use]
    pub fn after_rows(self, before: usize) -> Self {
        self.with_row(|row| before + row)
    }

    /// Returns this error for samples that were selected from others: `whole` gives the row among all samples for a row of
    /// the selection.
    ///
    /// # Example
    /// ```
    /// use npt_core::Error;
    ///
    /// let of = |row| Error::SampleNotFinite { row, column: 0, value: f64::INFINITY };
    /// let chosen = [12, 40, 41];
    /// assert_eq!(of(1).with_row(|row| chosen[row]), of(40));
    /// ```
    #[must_use]
    pub fn with_row(mut self, whole: impl Fn(usize) -> usize) -> Self {
        if let Self::SampleNotFinite { row, .. }
        | Self::TargetNotFinite { row, .. }
        | Self::Weight { row, .. }
        | Self::KernelNotFinite { row, .. }
        | Self::Overflow { row, .. }
        | Self::SampleOutsideDomain { row, .. } = &mut self
        {
            *row = whole(*row);
        }
        self
    }
}

/// The largest number of landmarks that a message suggests: more are no advice for somebody who has not tried fewer.
const MANY_LANDMARKS: usize = 1000;

/// The part of a message that suggests landmarks: as many as fit in `allowed` bytes, where a matrix takes `of_column` bytes
/// for each of its columns. It is empty if none fit.
fn landmarks_that_fit(allowed: u64, of_column: u64) -> String {
    match landmarks_within(allowed, of_column).min(MANY_LANDMARKS) {
        0 => String::new(),
        landmarks => format!(
            ", a space of {} (Nystrom) with a method in it {}",
            count(landmarks, "landmark"),
            bytes(bytes_of_landmarks(landmarks, of_column))
        ),
    }
}

fn in_column(column: Option<usize>) -> String {
    column.map_or_else(String::new, |column| format!(" (column {column})"))
}

#[cfg(test)]
mod tests;
