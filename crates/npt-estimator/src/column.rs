//! A column of a table.

use ndarray::Array1;
use std::collections::HashMap;

/// A column of numbers, or of categories: texts that repeat.
///
/// Each text is kept as a number: 0 for the text that appears first, 1 for the next, and so on. A missing value is NaN among numbers
/// and `None` among texts; it needs a transformer or a method that takes missing values.
///
/// # Example
/// ```
/// use npt_estimator::Column;
///
/// assert_eq!(Column::from(vec![0.5, 2.0]).len(), 2);
/// let column = Column::from(vec![Some("red".to_owned()), None, Some("blue".to_owned())]);
/// assert_eq!(column.categories().unwrap(), ["red", "blue"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    numbers: Vec<f64>,
    texts: Option<Vec<String>>,
}

impl Column {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The categories, in the order of the numbers that stand for them; `None` for a column of numbers.
    pub fn categories(&self) -> Option<&[String]> {
        self.texts.as_deref()
    }

    pub(crate) fn into_parts(self) -> (Vec<f64>, Option<Vec<String>>) {
        (self.numbers, self.texts)
    }

    fn of_texts<T: Into<String>>(values: impl Iterator<Item = Option<T>>) -> Self {
        let mut texts = Vec::new();
        let mut number_of = HashMap::new();
        let numbers = values.map(|text| {
            let Some(text) = text.map(Into::into) else {
                return f64::NAN;
            };
            *number_of.entry(text).or_insert_with_key(|text: &String| {
                texts.push(text.clone());
                (texts.len() - 1) as f64
            })
        });
        Self {
            numbers: numbers.collect(),
            texts: Some(texts),
        }
    }
}

impl From<Vec<f64>> for Column {
    fn from(numbers: Vec<f64>) -> Self {
        let texts = None;
        Self { numbers, texts }
    }
}

impl From<Array1<f64>> for Column {
    fn from(numbers: Array1<f64>) -> Self {
        numbers.to_vec().into()
    }
}

impl From<Vec<&str>> for Column {
    fn from(texts: Vec<&str>) -> Self {
        Self::of_texts(texts.into_iter().map(Some))
    }
}

impl From<Vec<String>> for Column {
    fn from(texts: Vec<String>) -> Self {
        Self::of_texts(texts.into_iter().map(Some))
    }
}

impl From<Vec<Option<String>>> for Column {
    fn from(texts: Vec<Option<String>>) -> Self {
        Self::of_texts(texts.into_iter())
    }
}
