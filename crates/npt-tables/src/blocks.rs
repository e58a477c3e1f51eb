//! Datasets made from a table, block by block.

use crate::{
    Categories, Column, Source, SourceError, TableTargets, categories::Codes, roles::Targets,
    source::Role,
};
use ndarray::{Array1, Array2};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    marker::PhantomData,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The number of rows of a block, unless another is asked for.
const ROWS: usize = 10_000;

/// Reads records and targets from a table, a block at a time. The table is read once, and no more of it than a block is in memory.
///
/// One call names the target. [`target`](Self::target) takes a column of numbers, [`targets`](Self::targets) several of them, and
/// [`labels`](Self::labels) the classes of samples; [`last_column_as_target`](Self::last_column_as_target) takes the last
/// column, and [`without_target`](Self::without_target) none. Without such a call, the first block is the error [`SourceError::NoTarget`].
/// All other columns are features, in their order, unless some are [selected](Self::select). A column may have
/// [sample weights](Self::weights). Features are finite numbers, [missing values](Self::with_missing_values), or
/// texts of a few [categories](Self::categorical). [`read`](Self::read) reads a table that fits in memory at once;
/// [`read_records`](Self::read_records) reads new samples without targets.
///
/// Row numbers are no feature and no target unless a call names them. They are the columns of [`Source::index_columns`], such as the index
/// of a pandas frame in a Parquet file, and a first column whose name is empty, as `to_csv` of pandas and `write.csv` of R
/// write it. Any other column without a name is the error [`SourceError::Unnamed`], unless features are selected.
///
/// Datasets have the names of the columns. A name that two columns have is the error [`SourceError::AmbiguousColumn`] if one of them is
/// read. Models of [`Kernelized`](npt_core::Kernelized), of [`KernelMethod`](npt_core::KernelMethod) and of pipelines
/// keep the names of their features: [`read_for`](Self::read_for) reads the features of a model, in the model's order. Predictions for a
/// dataset compare its names with the model's names; arrays have no names.
///
/// Columns are chosen before the first row is read; afterwards every call that takes names returns [`SourceError::Begun`].
///
/// A malformed row is an error with its place. The rows before it come with the next block, so that a program may go on after the
/// error; [`skip_bad_rows`](Self::skip_bad_rows) leaves malformed rows out, and counts them.
///
/// # Example
/// ```
/// use npt_tables::{Blocks, Column, Row, Source, SourceError};
///
/// /// The numbers from 0 on, and their squares.
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
///     fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
///         let number = f64::from(self.next);
///         for column in columns {
///             row.number([number, number * number][column.index()]);
///         }
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
/// assert_eq!(blocks[1].feature_names(), ["square"]);
/// # Ok::<(), SourceError>(())
/// ```
pub struct Blocks<S, T = Array1<f64>> {
    pub(crate) source: S,
    /// The names that several columns have, with the number of columns of each.
    pub(crate) repeated: BTreeMap<String, usize>,
    /// The columns that are targets; `target_role` says what they are read as.
    pub(crate) targets: Targets,
    pub(crate) target_role: Role,
    pub(crate) weights: Option<usize>,
    /// The columns that are features; `None` means all that have no other role.
    pub(crate) features: Option<Vec<usize>>,
    pub(crate) categorical: BTreeSet<usize>,
    /// The numbers that stand for texts, for each column of texts.
    pub(crate) codes: BTreeMap<usize, Codes>,
    pub(crate) rows: usize,
    pub(crate) skips: bool,
    pub(crate) skipped: Arc<AtomicUsize>,
    pub(crate) missing_values: bool,
    pub(crate) is_at_end: bool,
    /// The values of the rows that are not yet given away as a block: of each row its features, targets and weight.
    pub(crate) values: Vec<f64>,
    pub(crate) gathered: usize,
    pub(crate) gathered_columns: Vec<Column>,
    /// The number of rows that were read, with those that were left out.
    pub(crate) read: u64,
    of: PhantomData<T>,
}

/// Returns the names that several columns have, with the number of columns of each.
fn repeated(names: &[String]) -> BTreeMap<String, usize> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts.retain(|_, count: &mut usize| *count > 1);
    let counts = counts.into_iter();
    counts.map(|(name, count)| (name.clone(), count)).collect()
}

impl<S: Source> Blocks<S> {
    /// Makes blocks of any table.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`] if there is no column. One column is enough for [`read_records`](Self::read_records).
    pub fn of(source: S) -> Result<Self, SourceError> {
        if source.columns().is_empty() {
            return Err(SourceError::NoFeatures { found: 0 });
        }
        Ok(Self {
            repeated: repeated(source.columns()),
            source,
            targets: Targets::Unnamed,
            target_role: Role::Target,
            weights: None,
            features: None,
            categorical: BTreeSet::new(),
            codes: BTreeMap::new(),
            rows: ROWS,
            skips: false,
            skipped: Arc::default(),
            missing_values: false,
            is_at_end: false,
            values: Vec::new(),
            gathered: 0,
            gathered_columns: Vec::new(),
            read: 0,
            of: PhantomData,
        })
    }
}

impl<S: Source, T: TableTargets> Blocks<S, T> {
    /// Takes this column for the target.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`].
    pub fn target(self, name: &str) -> Result<Blocks<S>, SourceError> {
        let target = self.position(name)?;
        Ok(self.with_targets(Targets::Columns(vec![target]), Role::Target))
    }

    /// Takes these columns for targets, in this order: a matrix with one row a sample.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`], and [`SourceError::NoTargets`] for none.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use npt_tables::CsvBlocks;
    ///
    /// let table = "a,b,c\n1,2,3\n4,5,6\n";
    /// let data = CsvBlocks::new(table.as_bytes())?.targets(&["c", "a"])?.read()?;
    /// assert_eq!(data.targets, ndarray::array![[3.0, 1.0], [6.0, 4.0]]);
    /// # }
    /// # Ok::<(), npt_tables::SourceError>(())
    /// ```
    pub fn targets(self, names: &[impl AsRef<str>]) -> Result<Blocks<S, Array2<f64>>, SourceError> {
        let targets = self.positions(names)?;
        if targets.is_empty() {
            return Err(SourceError::NoTargets);
        }
        Ok(self.with_targets(Targets::Columns(targets), Role::Target))
    }

    /// Takes this column for the target; its texts are the labels of classes.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`]. Rows may have [`SourceError::Missing`], and
    /// [`SourceError::TooManyCategories`] beyond 65,536 labels.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use linfa::traits::Fit;
    /// use npt_methods::linear::Svc;
    /// use npt_tables::CsvBlocks;
    ///
    /// let table = "size,animal\n1,mouse\n50,cat\n2,mouse\n60,cat\n";
    /// let data = CsvBlocks::new(table.as_bytes())?.labels("animal")?.read()?;
    /// let model = Svc::<f64>::params().fit(&data)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn labels(self, name: &str) -> Result<Blocks<S, Array1<String>>, SourceError> {
        let target = self.position(name)?;
        Ok(self.with_targets(Targets::Columns(vec![target]), Role::Label))
    }

    /// Takes sample weights from this column, which is then no feature. Weights are finite numbers of at least 0.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`]. Rows may have [`SourceError::Weight`].
    pub fn weights(mut self, name: &str) -> Result<Self, SourceError> {
        self.weights = Some(self.position(name)?);
        Ok(self)
    }

    /// Takes only these columns for features, in this order. If one of them is a target, the first block that is read is an
    /// error.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`], and [`SourceError::NothingSelected`] for none.
    pub fn select(mut self, names: &[impl AsRef<str>]) -> Result<Self, SourceError> {
        let features = self.positions(names)?;
        if features.is_empty() {
            return Err(SourceError::NothingSelected);
        }
        self.features = Some(features);
        Ok(self)
    }

    /// Reads the features of these names as texts. A number stands for each text, in the order in which the texts
    /// appear ([`categories`](Self::categories)), so there should be only a few. The kernels [`SimpleMatching`](npt_core::SimpleMatching) and
    /// [`Gower`](npt_core::Gower) compare such numbers only for equality.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`]. Rows may have [`SourceError::Missing`], unless
    /// values [may be missing](Self::with_missing_values), and [`SourceError::TooManyCategories`] beyond 65,536 texts in a column.
    pub fn categorical(mut self, names: &[impl AsRef<str>]) -> Result<Self, SourceError> {
        self.categorical.extend(self.positions(names)?);
        Ok(self)
    }

    /// Takes the categories of another table, to which a model was fitted: then the same numbers stand for the same texts.
    ///
    /// # Errors
    /// [`SourceError::NoColumn`], [`SourceError::AmbiguousColumn`]. Rows may have [`SourceError::Category`], for a text that is
    /// none of the categories.
    pub fn with_categories(mut self, categories: &Categories) -> Result<Self, SourceError> {
        for name in categories.columns() {
            let column = self.position(name)?;
            let texts = categories.of(name).unwrap_or_default();
            self.codes.insert(column, Codes::complete(texts));
            self.categorical.insert(column);
        }
        Ok(self)
    }

    /// Sets the number of rows of a block, at least 1; 10,000 by default. The last block has the rows that are left.
    pub fn rows(mut self, rows: usize) -> Self {
        self.rows = rows.max(1);
        self
    }

    /// Leaves malformed rows out, and [counts](Self::skipped) them.
    pub fn skip_bad_rows(mut self) -> Self {
        self.skips = true;
        self
    }

    /// Leaves malformed rows out, and writes their number to `count`: for programs that give the blocks away to a method that reads
    /// them in one pass or several. The count begins at 0 for each table that is given it.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use npt_core::{Exact, Linear, SpaceBuilder};
    /// use npt_methods::linear::KMeans;
    /// use npt_tables::CsvBlocks;
    /// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
    ///
    /// let table = "x,y\n1,0\noops,0\n3,0\n9,0\n";
    /// let skipped = Arc::new(AtomicUsize::new(0));
    /// let space = Exact::new(Linear::new()).fit_space(&ndarray::array![[1.0], [9.0]])?;
    /// let model = KMeans::params(2).fit_blocks(&space, || {
    ///     let blocks = CsvBlocks::new(table.as_bytes())?.select(&["x"])?.without_target()?.skip_bad_rows_into(&skipped);
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

    /// Reads missing values of features as NaN, instead of returning an error. A pipeline can fill them in
    /// (`Imputer` of `npt-methods`).
    pub fn with_missing_values(mut self) -> Self {
        self.missing_values = true;
        self
    }

    /// The number of rows that were left out so far.
    pub fn skipped(&self) -> usize {
        self.skipped.load(Ordering::Relaxed)
    }

    /// The names of the features.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let targets = self.target_columns().unwrap_or_default();
        let features = self.feature_columns(&targets).into_iter();
        features.map(|column| self.source.columns()[column].as_str())
    }

    /// The categories of the columns that have them: the categories that were given, or the texts that were read so far.
    pub fn categories(&self) -> Categories {
        let of_column = |&column: &usize| {
            let texts = self.codes.get(&column).map(Codes::texts);
            let name = self.source.columns()[column].clone();
            (name, texts.unwrap_or_default().to_vec())
        };
        Categories::new(self.categorical.iter().map(of_column).collect())
    }

    pub(crate) fn with_targets<U>(self, targets: Targets, target_role: Role) -> Blocks<S, U> {
        // Before the first row, only a wrong choice of columns can have ended the blocks, and this call changes the choice.
        let is_at_end = self.is_at_end && self.read > 0;
        Blocks {
            source: self.source,
            repeated: self.repeated,
            targets,
            target_role,
            weights: self.weights,
            features: self.features,
            categorical: self.categorical,
            codes: self.codes,
            rows: self.rows,
            skips: self.skips,
            skipped: self.skipped,
            missing_values: self.missing_values,
            is_at_end,
            values: self.values,
            gathered: self.gathered,
            gathered_columns: self.gathered_columns,
            read: self.read,
            of: PhantomData,
        }
    }

    pub(crate) fn positions(&self, names: &[impl AsRef<str>]) -> Result<Vec<usize>, SourceError> {
        let positions = names.iter().map(|name| self.position(name.as_ref()));
        positions.collect()
    }

    fn position(&self, name: &str) -> Result<usize, SourceError> {
        self.check_not_begun()?;
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
}
