//! Writing of a model as text.

use super::{
    LibsvmMachine, LibsvmVectors, Outputs, Pairs,
    kernel::KernelType,
    pairs::{Line, of_classes, pair_count, place},
};
use crate::{
    Error,
    functions::{Functions, finite},
};
use ndarray::{Array1, ArrayView1};
use npt_core::{
    Description, ExpansionModel, Gaussian, Kernel, ReadyKernels, Rows, Samples, Scalar, SparseRows,
    watch::Progress, wording::number,
};
use std::fmt::Write as _;

/// Writes the model in the text format of LIBSVM, as `svm-predict` reads it.
///
/// LIBSVM's model takes the records themselves. The scaling of a pipeline is no part of it: write the model behind the scaler,
/// and give `svm-predict` the scaled records. If a decision value is exactly 0, or several classes have most votes,
/// LIBSVM decides by the order of labels.
///
/// # Errors
/// [`Error::Kernel`] for a kernel that LIBSVM does not have; [`Error::OneAgainstRest`], [`Error::Label`],
/// [`Error::NotFinite`]; [`Error::Functions`] if the model does not have the functions of its machine.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::{Gaussian, Rows};
/// use npt_export::libsvm::{from_text, to_text};
/// use npt_methods::KernelSvc;
///
/// let x = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]];
/// let xor = Dataset::new(x.clone(), array![true, true, false, false]);
/// let model = KernelSvc::params(Gaussian::new(1.0)).fit(&xor)?;
/// let text = to_text(&model)?;
/// assert!(text.starts_with("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\n"));
///
/// let again = from_text::<Rows<f64>>(&text)?;
/// assert_eq!(again.predict(&x), array![1.0, 1.0, -1.0, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_text<Q, S, K, F>(model: &ExpansionModel<Q, S, K, F>) -> Result<String, Error>
where
    F: Scalar,
    S: LibsvmVectors,
    K: Kernel<S, Scalar = F>,
    Q: LibsvmMachine<F>,
{
    let (method, expansion) = (model.inner(), model.expansion());
    let Outputs { svm_type, labels } = method.outputs()?;
    let expected = match labels.len() {
        0 => 1,
        classes => pair_count(classes).unwrap_or(usize::MAX),
    };
    let (lines, offsets) = if let Some(pairs) = method.pairs() {
        let of_values = expansion.offsets().mapv(Scalar::as_f64);
        of_pairs(&pairs, labels.len(), of_values.view())?
    } else {
        let functions = Functions::of_method(expansion, method.functions())?;
        let lines = match labels.len() {
            0 => vec![single(&functions)],
            // With another number of functions, they are not those of all pairs; the error comes below.
            _ if functions.count() != expected => Vec::new(),
            classes => of_classes(&functions.coefficients, classes),
        };
        (lines, functions.offsets)
    };
    let found = offsets.len();
    if found != expected {
        return Err(Error::Functions { found, expected });
    }
    let (kernel_type, kernel) = kernel_of(expansion.kernel(), expansion.samples())?;
    let mut text = format!("svm_type {}\n", svm_type.name());
    write_kernel(&mut text, kernel_type, &kernel);
    // LIBSVM writes 2 for machines without classes.
    let classes = if labels.is_empty() { 2 } else { labels.len() };
    let total: usize = lines.iter().map(Vec::len).sum();
    let _ = writeln!(text, "nr_class {classes}\ntotal_sv {total}");
    write_list(&mut text, "rho", offsets.iter().map(|&b| number(0.0 - b)));
    if !labels.is_empty() {
        write_list(&mut text, "label", &labels);
        write_list(&mut text, "nr_sv", lines.iter().map(Vec::len));
    }
    text.push_str("SV\n");
    let mut progress = Progress::start("vectors of a text", total);
    for (done, line) in lines.iter().flatten().enumerate() {
        progress.at(done);
        write_vector(&mut text, line, &expansion.samples().entries(line.sample));
    }
    Ok(text)
}

/// Returns the vectors of each class and the offsets of all pairs. `of_values` are the offsets of the kernel values themselves; times the
/// coefficients, they are added to the biases.
fn of_pairs<F: Scalar>(
    pairs: &Pairs<'_, F>,
    classes: usize,
    of_values: ArrayView1<'_, f64>,
) -> Result<(Vec<Vec<Line>>, Array1<f64>), Error> {
    let (found, others) = pairs.coefficients.dim();
    let counted: usize = pairs.counts.iter().sum();
    for (found, expected) in [
        (found, of_values.len()),
        (counted, of_values.len()),
        (pairs.counts.len(), classes),
        (others + 1, classes),
        (
            pairs.biases.len(),
            pair_count(classes).unwrap_or(usize::MAX),
        ),
    ] {
        if found != expected {
            return Err(Error::Functions { found, expected });
        }
    }
    let coefficients = pairs.coefficients.mapv(Scalar::as_f64);
    let mut offsets = pairs.biases.mapv(Scalar::as_f64);
    let mut rows = coefficients.outer_iter().enumerate();
    let mut lines = Vec::with_capacity(classes);
    for (class, &count) in pairs.counts.iter().enumerate() {
        let line = |(sample, row): (usize, ArrayView1<'_, f64>)| {
            let others = (0..classes).filter(|&other| other != class);
            for (other, value) in others.zip(row) {
                let pair = place(class.min(other), class.max(other), classes);
                offsets[pair] += value * of_values[sample];
            }
            let coefficients = row.to_vec();
            Line {
                sample,
                coefficients,
            }
        };
        lines.push(rows.by_ref().take(count).map(line).collect());
    }
    finite("a coefficient", coefficients.iter())?;
    finite("an offset", offsets.iter())?;
    Ok((lines, offsets))
}

/// The vectors of a machine with a single function.
fn single(functions: &Functions) -> Vec<Line> {
    let samples = 0..functions.coefficients.nrows();
    let line = |sample| Line {
        sample,
        coefficients: functions.of_sample(sample).to_vec(),
    };
    samples.map(line).collect()
}

/// Checks, by the description of a kernel, that LIBSVM has it.
///
/// # Errors
/// [`Error::Kernel`].
///
/// # Example
/// ```
/// use npt_core::{Laplacian, Rows};
/// use npt_export::libsvm::require_form;
///
/// let error = require_form::<Rows<f64>, _>(&Laplacian::new(0.5)).unwrap_err();
/// assert_eq!(error.to_string(), "the kernel laplacian(gamma = 0.5) has no form in LIBSVM");
/// ```
#[doc(hidden)]
pub fn require_form<S: Samples, K: Kernel<S>>(kernel: &K) -> Result<(), Error> {
    form_of(kernel).map(|_| ())
}

/// Returns the kernel of LIBSVM, and its description for dense vectors.
fn form_of<S: Samples, K: Kernel<S>>(
    kernel: &K,
) -> Result<(&'static KernelType, Description), Error> {
    let own = kernel.describe();
    let gaussian = |gamma: K::Scalar| Kernel::<Rows<f64>>::describe(&Gaussian::new(gamma.as_f64()));
    let description = kernel
        .gaussian_gamma()
        .map_or_else(|| own.clone(), gaussian);
    match KernelType::described(&description) {
        Some((kernel_type, description)) => Ok((kernel_type, description.clone())),
        None => Err(Error::Kernel {
            kernel: own.to_string(),
            format: "LIBSVM",
        }),
    }
}

/// The number of samples on which a kernel is tried.
const TRIED: usize = 8;

/// Returns the kernel of LIBSVM that the kernel describes itself as, and checks its values on some of the samples.
fn kernel_of<F, S, K>(kernel: &K, samples: &S) -> Result<(&'static KernelType, Description), Error>
where
    F: Scalar,
    S: LibsvmVectors,
    K: Kernel<S, Scalar = F>,
{
    let own = kernel.describe();
    let (kernel_type, description) = form_of(kernel)?;
    let entries: Vec<_> = (0..samples.len().min(TRIED))
        .map(|i| samples.entries(i))
        .collect();
    let largest = entries.iter().flatten().map(|entry| entry.0).max();
    let tried = SparseRows::<f64>::of_entries(entries, largest.unwrap_or(0) + 1, 0)?;
    let described = SparseRows::<f64>::ready_kernels().kernel(&description)?;
    let half_the_digits: f64 = F::epsilon().as_f64().sqrt();
    for i in 0..tried.len() {
        let value: f64 = kernel.eval(samples.get(0), samples.get(i)).as_f64();
        let expected = described.eval(tried.get(0), tried.get(i));
        if !((value - expected).abs() <= half_the_digits * (1.0 + expected.abs())) {
            return Err(Error::KernelValue {
                kernel: own.to_string(),
                found: value,
                expected,
            });
        }
    }
    Ok((kernel_type, description))
}

fn write_kernel(text: &mut String, kernel_type: &KernelType, description: &Description) {
    let _ = writeln!(text, "kernel_type {}", kernel_type.name);
    for (name, ready) in kernel_type.parameters {
        let own = description.parameters.iter();
        for parameter in own.filter(|parameter| parameter.name == *ready) {
            let _ = writeln!(text, "{name} {}", parameter.value);
        }
    }
}

fn write_list(text: &mut String, name: &str, values: impl IntoIterator<Item: std::fmt::Display>) {
    text.push_str(name);
    for value in values {
        let _ = write!(text, " {value}");
    }
    text.push('\n');
}

fn write_vector(text: &mut String, line: &Line, entries: &[(usize, f64)]) {
    let mut separator = "";
    for &coefficient in &line.coefficients {
        let _ = write!(text, "{separator}{}", number(coefficient));
        separator = " ";
    }
    for &(column, value) in entries {
        let _ = write!(text, " {}:{}", column + 1, number(value));
    }
    text.push('\n');
}
