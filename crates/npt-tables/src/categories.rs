//! The numbers that stand for texts.

use crate::error::Kind;
use std::collections::{BTreeMap, HashMap};

/// The largest number of categories of a column. A column with more texts holds names, not categories.
const MOST: usize = 1 << 16;

/// The texts of a table's columns of categories. The place of a text is the number that stands for it.
///
/// # Example
/// ```
/// # #[cfg(feature = "csv")] {
/// use npt_tables::CsvBlocks;
///
/// let table = "colour,size,price\nred,1,5\nblue,2,7\nred,3,6\n";
/// let mut blocks = CsvBlocks::new(table.as_bytes())?.categorical(&["colour"])?.target("price")?;
/// assert_eq!(blocks.read()?.records, ndarray::array![[0.0, 1.0], [1.0, 2.0], [0.0, 3.0]]);
///
/// let categories = blocks.categories();
/// assert_eq!(categories.of("colour").unwrap(), ["red", "blue"]);
/// // The same numbers stand for the texts of new samples, whose categories come in another order.
/// let new = "size,colour\n4,blue\n";
/// let mut blocks = CsvBlocks::new(new.as_bytes())?.with_categories(&categories)?.select(&["colour", "size"])?;
/// assert_eq!(blocks.read_records()?, ndarray::array![[1.0, 4.0]]);
///
/// let mut other = CsvBlocks::new("size,colour\n4,green\n".as_bytes())?.with_categories(&categories)?;
/// let error = other.read_records().unwrap_err();
/// assert_eq!(error.to_string(), "line 2 has \"green\" in column colour, which is not among the 2 categories that are known");
/// # }
/// # Ok::<(), npt_tables::SourceError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Categories {
    columns: BTreeMap<String, Vec<String>>,
}

impl Categories {
    pub(crate) fn new(columns: BTreeMap<String, Vec<String>>) -> Self {
        Self { columns }
    }

    /// Adds the categories of one more column, which stand for the numbers 0, 1, …; if the column is there already, they replace its categories.
    pub fn with<T: Into<String>>(
        mut self,
        column: impl Into<String>,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        let texts = texts.into_iter().map(Into::into).collect();
        self.columns.insert(column.into(), texts);
        self
    }

    /// Returns whether no column has categories.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The columns that have categories, by name.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    /// The categories of a column, in the order of the numbers 0, 1, … that stand for them.
    pub fn of(&self, column: &str) -> Option<&[String]> {
        self.columns.get(column).map(Vec::as_slice)
    }
}

/// The numbers of the texts of one column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Codes {
    texts: Vec<String>,
    code_of: HashMap<String, usize>,
    /// Is true if texts other than these are errors.
    is_complete: bool,
}

impl Codes {
    /// Makes codes for these texts; every other text is an error.
    pub(crate) fn complete(texts: &[String]) -> Self {
        Self {
            texts: texts.to_vec(),
            code_of: texts.iter().cloned().zip(0..).collect(),
            is_complete: true,
        }
    }

    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    pub(crate) fn forget_last(&mut self) {
        if let Some(text) = self.texts.pop() {
            self.code_of.remove(&text);
        }
    }

    /// Returns the number of a text; a new text gets the next number.
    pub(crate) fn code(&mut self, text: &str) -> Result<usize, Kind> {
        if let Some(&code) = self.code_of.get(text) {
            return Ok(code);
        }
        let code = self.texts.len();
        if self.is_complete {
            return Err(Kind::Category(code));
        } else if code == MOST {
            return Err(Kind::TooMany(MOST));
        }
        self.texts.push(text.to_owned());
        self.code_of.insert(text.to_owned(), code);
        Ok(code)
    }
}
