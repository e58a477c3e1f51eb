//! Tables that are read block by block.

#[cfg(feature = "csv")]
mod csv;
mod error;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;

#[cfg(feature = "csv")]
pub use csv::{CsvBlocks, CsvRows};
pub use error::{Place, SourceError};
#[cfg(feature = "npy")]
pub use npy::{NpyBlocks, NpyRows};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetBlocks, ParquetRows};

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Rows of a block, unless another number is asked for.
const ROWS: usize = 10_000;

/// A table that is read row by row.
pub trait Source {
    /// The names of its columns.
    fn columns(&self) -> &[String];

    /// Appends the values of some columns of the next row, in the order in which the columns are given; whether
    /// there is a row. The columns are the same for all rows.
    ///
    /// # Errors
    /// [`SourceError::Number`] and [`SourceError::Width`] where the next row may be right; what was appended is taken
    /// away. After any other there are no more. [`Blocks`] itself looks for values that are not finite.
    fn read_row(&mut self, columns: &[usize], values: &mut Vec<f64>) -> Result<bool, SourceError>;

    /// From now on, what is missing is NaN and no error, but in the column `target`. A table in which nothing can be missing but
    /// by NaN itself has nothing to do.
    fn read_missing_as_nan(&mut self, target: Option<usize>) {
        let _ = target;
    }
}

/// Records and targets from a table, a block at a time: it is read once, and no more of it than a block is in memory.
///
/// One column is the target, the last if no other is asked for; all others are features, in their order. Values are
/// finite numbers, or also [missing](Self::with_missing_values). A table that fits in memory is [`read`](Self::read) at once; one
/// of new samples without targets is read by [`read_records`](Self::read_records).
///
/// A row that is none is an error that says where. The rows before it come with the next block, so that whoever wants
/// to may go on; [`skip_bad_rows`](Self::skip_bad_rows) does that, and counts them.
///
/// # Example
/// ```
/// use npt_methods::streaming::{Blocks, Source, SourceError};
///
/// /// The first numbers and their squares.
/// struct Squares {
///     next: u32,
///     names: [String; 2],
/// }
///
/// impl Source for Squares {
///     fn columns(&self) -> &[String] {
///         &self.names
///     }
///
///     fn read_row(&mut self, columns: &[usize], values: &mut Vec<f64>) -> Result<bool, SourceError> {
///         let number = f64::from(self.next);
///         values.extend(columns.iter().map(|&column| [number, number * number][column]));
///         self.next += 1;
///         Ok(self.next <= 5)
///     }
/// }
///
/// let names = ["number".to_owned(), "square".to_owned()];
/// let blocks = Blocks::of(Squares { next: 0, names })?.target("number")?.rows(3);
/// let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
/// assert_eq!(blocks[0].records, ndarray::array![[0.0], [1.0], [4.0]]);
/// assert_eq!(blocks[1].targets, ndarray::array![3.0, 4.0]);
/// # Ok::<(), SourceError>(())
/// ```
pub struct Blocks<S> {
    source: S,
    /// Which column is the target, if not the last.
    target: Option<usize>,
    /// Which are features, if not all others.
    features: Option<Vec<usize>>,
    rows: usize,
    skips: bool,
    skipped: Arc<AtomicUsize>,
    missing_values: bool,
    is_at_end: bool,
    /// Of rows that are no block yet, the target behind the features.
    values: Vec<f64>,
    gathered: usize,
    /// Rows that were read, those left out among them.
    read: u64,
}

impl<S: Source> Blocks<S> {
    /// Of any table.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`] unless there are two columns.
    pub fn of(source: S) -> Result<Self, SourceError> {
        let found = source.columns().len();
        if found < 2 {
            return Err(SourceError::NoFeatures { found });
        }
        Ok(Self {
            source,
            target: None,
            features: None,
            rows: ROWS,
            skips: false,
            skipped: Arc::default(),
            missing_values: false,
            is_at_end: false,
            values: Vec::new(),
            gathered: 0,
            read: 0,
        })
    }

    /// With this column for the target.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`].
    pub fn target(mut self, name: &str) -> Result<Self, SourceError> {
        self.target = Some(self.position(name)?);
        Ok(self)
    }

    /// With only these columns for features, in this order. That the target is not one of them is looked at when the
    /// first block is read.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`], and [`SourceError::NoFeatures`] for none.
    pub fn select(mut self, names: &[&str]) -> Result<Self, SourceError> {
        let features: Result<Vec<usize>, _> =
            names.iter().map(|name| self.position(name)).collect();
        let features = features?;
        if features.is_empty() {
            return Err(SourceError::NoFeatures { found: 1 });
        }
        self.features = Some(features);
        Ok(self)
    }

    /// With so many rows a block, at least 1; 10,000 by default. The last has what is left.
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = rows.max(1);
        self
    }

    /// Rows that are none are left out, and [counted](Self::skipped).
    pub fn skip_bad_rows(mut self) -> Self {
        self.skips = true;
        self
    }

    /// The same, with the number of rows that were left out in `count`: for whoever gives the blocks away, to a method that reads
    /// them in one pass or several. It begins at 0 with each table that is given the same count.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use npt_core::{Exact, Linear, SpaceBuilder};
    /// use npt_methods::{linear::KMeans, streaming::CsvBlocks};
    /// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    ///
    /// let table = "x,y\n1,0\n2,oops\n3,0\n9,0\n";
    /// let skipped = Arc::new(AtomicUsize::new(0));
    /// let space = Exact::new(Linear::new()).fit_space(&ndarray::array![[1.0], [9.0]])?;
    /// let model = KMeans::params(2).fit_blocks(&space, || {
    ///     let blocks = CsvBlocks::new(table.as_bytes())?.skip_bad_rows_into(&skipped);
    ///     Ok::<_, Box<dyn std::error::Error>>(blocks.map(|block| Ok(block?)))
    /// })?;
    /// assert_eq!(skipped.load(Ordering::Relaxed), 1);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn skip_bad_rows_into(mut self, count: &Arc<AtomicUsize>) -> Self {
        count.store(0, Ordering::Relaxed);
        self.skipped = Arc::clone(count);
        self.skip_bad_rows()
    }

    /// Missing values of features are read as NaN, and are no errors: for a pipeline that fills them in
    /// ([`Imputer`](crate::preprocessing::Imputer)).
    pub fn with_missing_values(mut self) -> Self {
        self.missing_values = true;
        self
    }

    /// All rows that are left, as one dataset.
    ///
    /// # Errors
    /// The first one of a block, and [`SourceError::NoRows`].
    pub fn read(&mut self) -> Result<Dataset<f64, f64, Ix1>, SourceError> {
        self.rows = usize::MAX;
        self.next().unwrap_or(Err(SourceError::NoRows))
    }

    /// All rows, of samples that have no targets: every column is a feature but a [target](Self::target) that was named, or those are that were
    /// [selected](Self::select).
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`SourceError::Begun`] if a block was read before.
    pub fn read_records(&mut self) -> Result<Array2<f64>, SourceError> {
        if self.read > 0 {
            return Err(SourceError::Begun);
        }
        self.rows = usize::MAX;
        self.gather(&self.feature_columns(self.target), None)?;
        if self.gathered == 0 {
            return Err(SourceError::NoRows);
        }
        Ok(self.rows_of_values())
    }

    /// How many rows were left out so far.
    pub fn skipped(&self) -> usize {
        self.skipped.load(Ordering::Relaxed)
    }

    /// The names of the features.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let features = self.feature_columns(Some(self.target_column())).into_iter();
        features.map(|column| self.source.columns()[column].as_str())
    }

    fn position(&self, name: &str) -> Result<usize, SourceError> {
        let columns = self.source.columns();
        let mut named = (0..columns.len()).filter(|&column| columns[column] == name);
        let Some(position) = named.next() else {
            return Err(SourceError::NoColumn {
                name: name.to_owned(),
                columns: columns.to_vec(),
            });
        };
        match 1 + named.count() {
            1 => Ok(position),
            found => Err(SourceError::AmbiguousColumn {
                name: name.to_owned(),
                found,
            }),
        }
    }

    fn target_column(&self) -> usize {
        self.target.unwrap_or(self.source.columns().len() - 1)
    }

    /// Those that were selected, or all others than the target.
    fn feature_columns(&self, target: Option<usize>) -> Vec<usize> {
        let all = 0..self.source.columns().len();
        let others = || all.filter(|&column| Some(column) != target).collect();
        self.features.clone().unwrap_or_else(others)
    }

    /// Appends the values of these columns of the next row; whether there is one.
    fn read_row(&mut self, columns: &[usize], target: Option<usize>) -> Result<bool, SourceError> {
        let (before, place) = (self.values.len(), Place::Row(self.read));
        self.read += 1;
        if !self.source.read_row(columns, &mut self.values)? {
            return Ok(false);
        }
        let values = self.values.get(before..).unwrap_or_default();
        if values.len() != columns.len() {
            return Err(SourceError::Width {
                place,
                expected: columns.len(),
                found: values.len(),
            });
        }
        let may_miss = |column| self.missing_values && Some(column) != target;
        let mut values = columns.iter().zip(values);
        let is_none = |&(&column, value): &(&usize, &f64)| {
            !(value.is_finite() || value.is_nan() && may_miss(column))
        };
        match values.find(is_none) {
            None => Ok(true),
            Some((&column, value)) => Err(SourceError::Number {
                place,
                column: self.source.columns()[column].clone(),
                value: value.to_string(),
            }),
        }
    }

    /// Gathers rows until they make a block, or there are no more.
    fn gather(&mut self, columns: &[usize], target: Option<usize>) -> Result<(), SourceError> {
        if self.missing_values {
            self.source.read_missing_as_nan(target);
        }
        while !self.is_at_end && self.gathered < self.rows {
            let before = self.values.len();
            match self.read_row(columns, target) {
                Ok(true) => self.gathered += 1,
                Ok(false) => {
                    self.values.truncate(before);
                    self.is_at_end = true;
                }
                Err(error) => {
                    self.values.truncate(before);
                    // What could be read comes before it ends.
                    self.is_at_end = !error.is_of_a_row();
                    if self.is_at_end || !self.skips {
                        return Err(error);
                    }
                    self.skipped.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    /// The rows that were gathered, of which there are some.
    fn rows_of_values(&mut self) -> Array2<f64> {
        let rows = std::mem::take(&mut self.gathered);
        let values = std::mem::take(&mut self.values);
        let values = Array2::from_shape_vec((rows, values.len() / rows), values);
        values.expect("as many values in each row")
    }

    /// The same, the target apart.
    fn block(&mut self) -> Dataset<f64, f64, Ix1> {
        let values = self.rows_of_values();
        let (records, target) = values.view().split_at(Axis(1), values.ncols() - 1);
        let targets: Array1<f64> = target.column(0).to_owned();
        DatasetBase::new(records.to_owned(), targets)
    }
}

impl<S: Source> Iterator for Blocks<S> {
    type Item = Result<Dataset<f64, f64, Ix1>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let target = self.target_column();
        let mut columns = self.feature_columns(Some(target));
        if columns.contains(&target) && !self.is_at_end {
            self.is_at_end = true;
            let name = self.source.columns()[target].clone();
            return Some(Err(SourceError::TargetSelected { name }));
        }
        columns.push(target);
        if let Err(error) = self.gather(&columns, Some(target)) {
            return Some(Err(error));
        }
        (self.gathered > 0).then(|| Ok(self.block()))
    }
}
