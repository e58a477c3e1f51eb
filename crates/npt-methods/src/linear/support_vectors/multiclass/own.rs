//! The coefficients of all pairs of classes as LIBSVM keeps them. A support vector belongs to one class, and has one coefficient
//! for each other class.

use super::pairs::{pair_count, place};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, s};
use npt_core::{Scalar, linalg};

/// Functions of kernel values at the support vectors, one per pair of classes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Own<F> {
    /// The number of support vectors of each class; those of the first class come first.
    pub(super) counts: Vec<usize>,
    /// The coefficients against each other class, in the order of the classes; shape (support vectors, classes − 1).
    pub(super) coefficients: Array2<F>,
}

impl<F: Scalar> Own<F> {
    /// Selects the support vectors, which are the samples with any coefficient, from the coefficients of all samples. Also returns
    /// their positions.
    pub(super) fn of<'a>(
        all: &Array2<F>,
        members: impl Iterator<Item = &'a Vec<usize>>,
    ) -> (Self, Vec<usize>) {
        let (mut counts, mut vectors) = (Vec::new(), Vec::new());
        for rows in members {
            let before = vectors.len();
            let has_any = |&&row: &&usize| all.row(row).iter().any(|v| !v.is_zero());
            vectors.extend(rows.iter().filter(has_any));
            counts.push(vectors.len() - before);
        }
        let coefficients = all.select(Axis(0), &vectors);
        (
            Self {
                counts,
                coefficients,
            },
            vectors,
        )
    }

    /// Adds the values of the functions at some records, without biases, to `values`, shape (records, pairs). The records are kernel
    /// values at the support vectors.
    pub(super) fn add_values(&self, x: ArrayView2<'_, F>, values: &mut ArrayViewMut2<'_, F>) {
        let classes = self.counts.len();
        let mut start = 0;
        for (class, &count) in self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let vectors = start..start + count;
            start += count;
            let of_class = linalg::product(
                x.slice(s![.., vectors.clone()]),
                self.coefficients.slice(s![vectors, ..]),
            );
            for (mut values, of_class) in values.outer_iter_mut().zip(of_class.outer_iter()) {
                for other in 0..class {
                    values[place(other, class, classes)] += of_class[other];
                }
                if class + 1 < classes {
                    let first = place(class, class + 1, classes);
                    let mut later = values.slice_mut(s![first..first + classes - 1 - class]);
                    later += &of_class.slice(s![class..]);
                }
            }
        }
    }

    /// Returns the coefficients with one column per pair.
    pub(super) fn in_columns(&self) -> Array2<F> {
        let classes = self.counts.len();
        let mut all = Array2::zeros((self.coefficients.nrows(), pair_count(classes)));
        let of_classes = self.counts.iter().enumerate();
        let of_classes = of_classes.flat_map(|(class, &count)| std::iter::repeat_n(class, count));
        let rows = all.outer_iter_mut().zip(self.coefficients.outer_iter());
        for (class, (mut row, own)) in of_classes.zip(rows) {
            let others = (0..classes).filter(|&other| other != class);
            for (other, &value) in others.zip(own) {
                row[place(class.min(other), class.max(other), classes)] = value;
            }
        }
        all
    }
}

/// The coefficients of all samples against each other class, while machines are trained.
pub(super) struct OfSamples<F> {
    pub(super) coefficients: Array2<F>,
    pub(super) biases: Array1<F>,
}

impl<F: Scalar> OfSamples<F> {
    pub(super) fn new(samples: usize, classes: usize) -> Self {
        Self {
            coefficients: Array2::zeros((samples, classes - 1)),
            biases: Array1::zeros(pair_count(classes)),
        }
    }

    /// Takes the machine of the pair a < b, whose first `of_a` samples are of a.
    pub(super) fn take(
        &mut self,
        (a, b): (usize, usize),
        of_a: usize,
        machine: &super::Machine<F>,
    ) {
        let classes = self.coefficients.ncols() + 1;
        for (i, (&row, &value)) in machine.rows.iter().zip(machine.svc.dual()).enumerate() {
            self.coefficients[[row, if i < of_a { b - 1 } else { a }]] = value;
        }
        self.biases[place(a, b, classes)] = machine.svc.bias();
    }
}
