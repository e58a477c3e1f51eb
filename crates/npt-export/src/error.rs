//! The errors of exporting and reading models.

use npt_core::wording::{count, number};

/// The reason why a model was not exported, or not read.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
///
/// # Example
/// ```
/// use npt_export::{Error, libsvm::from_text};
/// use npt_core::Rows;
///
/// let text = "svm_type c_svc\nkernel_type rbf\ngamma -1\nSV\n";
/// let error = from_text::<Rows<f64>>(text).unwrap_err();
/// assert_eq!(error, Error::Text { line: 3, found: "gamma -1".into(), expected: "gamma and a number above 0" });
/// assert_eq!(error.to_string(), "line 3 has `gamma -1` instead of gamma and a number above 0");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The format has no such kernel.
    #[error("the kernel {kernel} has no form in {format}")]
    Kernel {
        /// The kernel, as it describes itself.
        kernel: String,
        /// The format.
        format: &'static str,
    },
    /// The kernel describes itself as a ready-made one, but has other values than that one.
    #[error(
        "the kernel {kernel} is not what it describes: of two samples it is {}, and should be {}",
        number(*.found),
        number(*.expected)
    )]
    KernelValue {
        /// The kernel, as it describes itself.
        kernel: String,
        /// The kernel's value.
        found: f64,
        /// The value of the kernel that it describes.
        expected: f64,
    },
    /// The method has one machine for each class against the rest, which the format does not know.
    #[error("LIBSVM has no machines of one class against the rest: fit one for each pair")]
    OneAgainstRest,
    /// The model has more or fewer functions than it must have in the format.
    #[error("a model with {} was given; it must have {expected}", count(*.found, "function"))]
    Functions {
        /// The number of functions that the model has.
        found: usize,
        /// The number that it must have.
        expected: usize,
    },
    /// The classes were given more or fewer names than there are classes.
    #[error("{} for {}; each class needs one", count(*.found, "name"), count(*.expected, "class"))]
    ClassNames {
        /// The number of names.
        found: usize,
        /// The number of classes.
        expected: usize,
    },
    /// A number of the model is NaN or infinite.
    #[error("{what} of the model is {}; all must be finite", number(*.value))]
    NotFinite {
        /// The name of the number.
        what: &'static str,
        /// The value of the number.
        value: f64,
    },
    /// A label cannot be written in the format.
    #[error("the label {label} is not {allowed}")]
    Label {
        /// The label.
        label: String,
        /// The labels that are allowed.
        allowed: &'static str,
    },
    /// A line of a text is not as the format has it. Lines count from 1; the line after the last one is the end of
    /// the text.
    #[error("line {line} has {} instead of {expected}", quoted(found))]
    Text {
        /// The line.
        line: usize,
        /// The text of the line; empty at the end of the text.
        found: String,
        /// The text that should be there.
        expected: &'static str,
    },
    /// The vectors are mostly zeros: as dense rows they would take far more memory than the text that holds them.
    #[error(
        "{} of {} would be mostly zeros as dense rows: read them as SparseRows",
        count(*.vectors, "vector"),
        count(*.columns, "column")
    )]
    TooSparse {
        /// The number of vectors.
        vectors: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The model has more bytes than a message of ONNX may have.
    #[error("the model takes {bytes} bytes; a file of ONNX holds less than 2³¹")]
    TooLarge {
        /// The number of bytes.
        bytes: usize,
    },
    /// The kernel that was read is no kernel of these samples.
    #[error(transparent)]
    Description(#[from] npt_core::catalogue::DescriptionError),
    /// The parts that were read make no model.
    #[error(transparent)]
    Model(#[from] npt_core::Error),
}

fn quoted(found: &str) -> String {
    if found.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{found}`")
    }
}

#[cfg(test)]
mod tests;
