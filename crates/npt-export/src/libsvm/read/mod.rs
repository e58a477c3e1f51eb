//! Reading of a model from text.
//!
//! The counts of the text are compared with its vectors, and nothing is allocated for a count alone.

mod header;
mod vectors;

use super::{LibsvmMethod, LibsvmModel, LibsvmVectors, pairs::of_pairs};
use crate::Error;
use header::Header;
use ndarray::{Array1, Array2};
use npt_core::{Expansion, ExpansionModel, Kernel, ReadyKernels, require_memory};
use std::sync::Arc;
use vectors::Vectors;

/// The lines of a text that were not read yet.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the last line, from 1.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let lines = text.lines().enumerate();
        Self { lines, last: 0 }
    }

    /// Returns the next line with its number; after the last one, `None` with the number after it.
    fn next(&mut self) -> (usize, Option<&'a str>) {
        match self.lines.next() {
            Some((index, line)) => {
                self.last = index + 1;
                (self.last, Some(line.trim()))
            }
            None => (self.last + 1, None),
        }
    }
}

/// The number of letters of a line that an error shows.
const SHOWN: usize = 60;

fn error(line: usize, found: &str, expected: &'static str) -> Error {
    let shown = match found.char_indices().nth(SHOWN) {
        None => found.to_owned(),
        Some((end, _)) => format!("{}…", &found[..end]),
    };
    Error::Text {
        line,
        found: shown,
        expected,
    }
}

/// Reads a finite number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Reads a model that LIBSVM wrote, on vectors with as many columns as its largest index.
///
/// Probabilities in the text are left out. The type `S` says what the vectors are: `Rows<f64>` are dense, `SparseRows<f64>` sparse;
/// new records have to be of the same kind and width.
///
/// # Errors
/// [`Error::Text`] with the line that is wrong; [`Error::TooSparse`]; [`Error::Model`] for a model larger than
/// memory; [`Error::Description`] if samples of a type of your own have no such kernel.
///
/// # Example
/// ```
/// use linfa::traits::Predict;
/// use ndarray::array;
/// use npt_core::Rows;
/// use npt_export::libsvm::from_text;
///
/// let model = from_text::<Rows<f64>>("svm_type c_svc
/// kernel_type linear
/// nr_class 2
/// total_sv 2
/// rho 0.5
/// label 7 3
/// nr_sv 1 1
/// SV
/// 1 1:2
/// -1 2:1
/// ")?;
/// // 2x₁ − x₂ − ½ is above 0 for the first label.
/// assert_eq!(model.predict(&array![[1.0, 0.0], [0.0, 1.0]]), array![7.0, 3.0]);
/// assert_eq!(model.try_transform(&array![[1.0, 0.0]])?, array![[1.5]]);
/// # Ok::<(), npt_export::Error>(())
/// ```
pub fn from_text<S>(text: &str) -> Result<LibsvmModel<S>, Error>
where
    S: LibsvmVectors + ReadyKernels<f64>,
{
    read(text, None)
}

/// Reads a model as [`from_text`] does, on vectors of `columns` columns: the text does not tell of columns in which all support vectors are 0.
///
/// # Errors
/// The errors of [`from_text`]; [`Error::Text`] for an index above `columns`.
///
/// # Example
/// ```
/// use linfa::traits::Predict;
/// use ndarray::array;
/// use npt_core::Rows;
/// use npt_export::libsvm::from_text_of_columns;
///
/// // The third column of the records is 0 in the one support vector.
/// let text = "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho -0.5\nSV\n2 1:3 2:1\n";
/// let model = from_text_of_columns::<Rows<f64>>(text, 3)?;
/// assert_eq!(model.predict(&array![[1.0, 10.0, 7.0]]), array![2.0 * (3.0 + 10.0) + 0.5]);
/// # Ok::<(), npt_export::Error>(())
/// ```
pub fn from_text_of_columns<S>(text: &str, columns: usize) -> Result<LibsvmModel<S>, Error>
where
    S: LibsvmVectors + ReadyKernels<f64>,
{
    read(text, Some(columns))
}

fn read<S>(text: &str, columns: Option<usize>) -> Result<LibsvmModel<S>, Error>
where
    S: LibsvmVectors + ReadyKernels<f64>,
{
    let mut lines = Lines::new(text);
    let header = Header::read(&mut lines)?;
    let vectors = Vectors::read(&mut lines, &header, columns)?;
    let coefficients = coefficients(&header, &vectors)?;
    let columns = columns.unwrap_or(vectors.columns).max(1);
    // The vectors may take the memory of the text, times a constant.
    let room = text.len().saturating_mul(64).saturating_add(1024);
    let samples = S::of_entries(vectors.entries, columns, room)?;
    let kernel = S::ready_kernels().kernel(&header.kernel)?;
    kernel.check(&samples)?;
    let offsets = header
        .rho
        .iter()
        .map(|rho| 0.0 - rho)
        .collect::<Array1<_>>();
    let expansion = Expansion::new(Arc::new(kernel), &samples, coefficients.view(), offsets)?;
    let method = LibsvmMethod::new(header.svm_type, header.labels);
    Ok(ExpansionModel::new(method, expansion))
}

/// The coefficients α, shape (vectors, functions).
fn coefficients(header: &Header, vectors: &Vectors) -> Result<Array2<f64>, Error> {
    let shape = (vectors.coefficients.len(), header.rho.len());
    require_memory::<f64>("the coefficients of all pairs of classes", shape.0, shape.1)?;
    let mut all = Array2::zeros(shape);
    if header.counts.is_empty() {
        for (mut row, own) in all.outer_iter_mut().zip(&vectors.coefficients) {
            row.assign(&ndarray::ArrayView1::from(own));
        }
        return Ok(all);
    }
    let classes = header.counts.iter().enumerate();
    let classes = classes.flat_map(|(class, &count)| std::iter::repeat_n(class, count));
    let rows = all.outer_iter_mut().zip(&vectors.coefficients);
    for (class, (row, own)) in classes.zip(rows) {
        of_pairs(class, own, header.labels.len(), row);
    }
    Ok(all)
}
