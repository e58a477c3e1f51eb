//! Categories of a fit and of new data: a text has the same number in both.

use crate::{AnyKernel, Error};
use ndarray::{Array1, Array2};
use npt_core::{Description, Kernel};
use npt_tables::Categories;
use num_traits::ToPrimitive as _;
use std::collections::HashMap;

/// The names of the kernels that compare categories for equality.
pub(crate) const OF_CATEGORIES: [&str; 2] = ["gower", "simple_matching"];

/// The categories of some columns.
pub(crate) fn of(categories: &Categories, columns: &[impl AsRef<str>]) -> Categories {
    let columns = columns.iter().map(AsRef::as_ref);
    let known = columns.filter_map(|column| Some((column, categories.of(column)?)));
    known.fold(Categories::default(), |some, (column, texts)| {
        some.with(column, texts)
    })
}

/// Refuses a value that is neither missing (NaN) nor a whole number below `count`, the number of texts.
pub(crate) fn check_numbers(column: &str, values: &Array1<f64>, count: usize) -> Result<(), Error> {
    let is_number = |value: f64| {
        value.is_nan() || (value.fract() == 0.0 && (0.0..count as f64).contains(&value))
    };
    match values.iter().position(|&value| !is_number(value)) {
        None => Ok(()),
        Some(row) => Err(Error::CategoryNumber {
            column: column.to_owned(),
            row,
            value: values[row],
            count,
        }),
    }
}

/// Refuses a kernel that would take the numbers of categories for measurements.
pub(crate) fn check_kernel(kernel: &AnyKernel, columns: Vec<String>) -> Result<(), Error> {
    fn has(description: &Description) -> bool {
        OF_CATEGORIES.contains(&description.name.as_str())
            || description.parts.iter().any(|(_, part)| has(part))
    }
    if columns.is_empty() || has(&kernel.describe()) {
        return Ok(());
    }
    Err(Error::KernelOfCategories {
        kernel: kernel.to_string(),
        columns,
    })
}

/// The numbers that a model has for the categories of one column of new data.
#[derive(Debug)]
pub(crate) struct Translation {
    column: usize,
    /// The model's number for each category of the data.
    numbers: Vec<f64>,
}

impl Translation {
    /// The translation of a column of new data.
    ///
    /// # Errors
    /// [`Error::UnseenCategory`] for a sample with a category that the model does not know, unless `accepts_unseen`.
    pub(crate) fn new(
        (column, name): (usize, &str),
        values: &Array1<f64>,
        (texts, known): (&[String], &[String]),
        accepts_unseen: bool,
    ) -> Result<Self, Error> {
        let place_of: HashMap<&String, usize> = known.iter().zip(0..).collect();
        let place_of = |text| place_of.get(text).copied();
        let places: Vec<Option<usize>> = texts.iter().map(place_of).collect();
        let unseen = |(row, &value): (usize, &f64)| {
            let number = value.to_usize()?;
            places.get(number)?.is_none().then_some((row, number))
        };
        if !accepts_unseen && let Some((row, number)) = values.iter().enumerate().find_map(unseen) {
            return Err(Error::UnseenCategory {
                column: name.to_owned(),
                row,
                text: texts[number].clone(),
                known: known.to_vec(),
            });
        }
        // An unseen category gets the number after the last known one, which equals none of them.
        let number = |place: Option<usize>| place.unwrap_or(known.len()) as f64;
        Ok(Self {
            column,
            numbers: places.into_iter().map(number).collect(),
        })
    }

    /// Replaces the numbers of the data by those of the model, in some rows.
    pub(crate) fn apply(&self, rows: &mut Array2<f64>) {
        for value in rows.column_mut(self.column) {
            // A missing value stays missing.
            let number = value.to_usize().and_then(|number| self.numbers.get(number));
            if let Some(&number) = number {
                *value = number;
            }
        }
    }
}
