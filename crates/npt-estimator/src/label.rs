//! Targets of any kind, and the classes that labels stand for.

use crate::{Data, Error};
use ndarray::{Array1, Array2, Axis};
use std::fmt;

/// A class.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Label {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A word.
    Text(String),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(label) => label.fmt(f),
            Self::Integer(label) => label.fmt(f),
            Self::Text(label) => label.fmt(f),
        }
    }
}

impl From<bool> for Label {
    fn from(label: bool) -> Self {
        Self::Bool(label)
    }
}

impl From<i64> for Label {
    fn from(label: i64) -> Self {
        Self::Integer(label)
    }
}

impl From<&str> for Label {
    fn from(label: &str) -> Self {
        Self::Text(label.to_owned())
    }
}

impl From<String> for Label {
    fn from(label: String) -> Self {
        Self::Text(label)
    }
}

impl linfa::Label for Label {}

impl Default for Label {
    fn default() -> Self {
        Self::Bool(false)
    }
}

/// The kind of targets that a method is fitted to: [`Estimator::targets`](crate::Estimator::targets).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetKind {
    /// No targets.
    None,
    /// A class a sample.
    Labels,
    /// One number a sample.
    Number,
    /// One number a sample, or several.
    Numbers,
    /// A second view of the samples.
    View,
}

impl TargetKind {
    /// The kind, in the words of an error message.
    pub fn words(self) -> &'static str {
        match self {
            Self::None => "no targets",
            Self::Labels => "a label a sample",
            Self::Number => "one number a sample",
            Self::Numbers => "one number a sample or several",
            Self::View => "a second view of the samples",
        }
    }
}

/// Targets: labels, numbers, a second view, or none.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Targets {
    /// No targets.
    None,
    /// A class a sample.
    Labels(Vec<Label>),
    /// Numbers, shape (samples, targets).
    Numbers(Array2<f64>),
    /// A second view: other samples of the same things, in the same order.
    View(Data),
}

impl Targets {
    /// The number of samples that have these targets; `None` without targets.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Labels(labels) => Some(labels.len()),
            Self::Numbers(numbers) => Some(numbers.nrows()),
            Self::View(data) => Some(data.len()),
        }
    }

    /// Returns whether there are no targets, or targets of no samples.
    pub fn is_empty(&self) -> bool {
        self.len().is_none_or(|samples| samples == 0)
    }

    /// The targets of the samples of these positions.
    ///
    /// # Panics
    /// Panics if a position is not below [`len`](Self::len).
    pub fn rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::None => Self::None,
            Self::Labels(labels) => {
                Self::Labels(rows.iter().map(|&row| labels[row].clone()).collect())
            }
            Self::Numbers(numbers) => Self::Numbers(numbers.select(Axis(0), rows)),
            Self::View(data) => Self::View(data.rows(rows)),
        }
    }

    /// The targets, in the words of an error message.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::None => "no targets".to_owned(),
            Self::Labels(_) => "labels".to_owned(),
            Self::Numbers(numbers) if numbers.ncols() == 1 => "numbers".to_owned(),
            Self::Numbers(numbers) => format!("numbers in {} columns", numbers.ncols()),
            Self::View(_) => "a second view".to_owned(),
        }
    }
}

impl From<()> for Targets {
    fn from((): ()) -> Self {
        Self::None
    }
}

macro_rules! labels {
    ($($label:ty),+) => {
        $(
            impl From<Vec<$label>> for Targets {
                fn from(labels: Vec<$label>) -> Self {
                    Self::Labels(labels.into_iter().map(Label::from).collect())
                }
            }

            impl From<Array1<$label>> for Targets {
                fn from(labels: Array1<$label>) -> Self {
                    labels.to_vec().into()
                }
            }
        )+
    };
}
labels!(bool, i64, &str, String);

impl From<Vec<Label>> for Targets {
    fn from(labels: Vec<Label>) -> Self {
        Self::Labels(labels)
    }
}

impl From<Array2<f64>> for Targets {
    fn from(numbers: Array2<f64>) -> Self {
        Self::Numbers(numbers)
    }
}

impl From<Array1<f64>> for Targets {
    fn from(numbers: Array1<f64>) -> Self {
        Self::Numbers(numbers.insert_axis(Axis(1)))
    }
}

impl From<Vec<f64>> for Targets {
    fn from(numbers: Vec<f64>) -> Self {
        Array1::from(numbers).into()
    }
}

impl From<Data> for Targets {
    fn from(second: Data) -> Self {
        Self::View(second)
    }
}

/// The classes, ascending, and the position of each label among them. A label that only samples of weight 0 have is no class; such a
/// sample gets the position of the first class, and counts for nothing.
pub(crate) fn classes_of(
    labels: &[Label],
    weights: &Array1<f32>,
) -> Result<(Vec<Label>, Array1<usize>), Error> {
    let weighs = |row: usize| weights.get(row).is_none_or(|&weight| weight > 0.0);
    let weighing = labels.iter().enumerate().filter(|(row, _)| weighs(*row));
    let mut classes: Vec<Label> = weighing.map(|(_, label)| label.clone()).collect();
    classes.sort();
    classes.dedup();
    let kind = std::mem::discriminant;
    if let [first, .., last] = classes.as_slice()
        && kind(first) != kind(last)
    {
        return Err(Error::MixedLabels {
            one: first.clone(),
            other: last.clone(),
        });
    }
    let position = |label| classes.binary_search(label).unwrap_or_default();
    let positions = labels.iter().map(position).collect();
    Ok((classes, positions))
}
