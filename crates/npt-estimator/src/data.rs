//! Samples with names of columns, and weights.

use crate::{
    AnySamples, Column, Error, categories,
    matrix::{Matrix, Values},
};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayBase, Axis, Ix2};
use npt_core::Samples;
use npt_tables::Categories;
use std::sync::Arc;

/// Samples of any type, for a fit or for predictions.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_estimator::Data;
///
/// let data = Data::from(array![[1.0, 2.0], [3.0, 4.0]]).with_columns(["height", "width"])?;
/// assert_eq!(data.select(&["width"])?.columns(), ["width"]);
/// # Ok::<(), npt_estimator::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Data {
    records: Records,
    columns: Vec<String>,
    /// The texts that the numbers in columns of categories stand for.
    categories: Categories,
    weights: Array1<f32>,
}

#[derive(Debug, Clone)]
pub(crate) enum Records {
    /// A matrix with one row a sample. Values may be missing (NaN) where a transformer or the method takes missing values.
    Dense(Matrix),
    /// Samples of another type.
    Samples(AnySamples),
}

impl From<Array2<f64>> for Data {
    fn from(matrix: Array2<f64>) -> Self {
        Self::of(Records::Dense(Matrix::Double(matrix.into())))
    }
}

/// Single precision takes half the memory. Fits and predictions compute in f64; predictions convert a block of rows at a time.
impl From<Array2<f32>> for Data {
    fn from(matrix: Array2<f32>) -> Self {
        Self::of(Records::Dense(Matrix::Single(matrix.into())))
    }
}

impl Data {
    /// Samples of any type: dense vectors as [`Rows`](npt_core::Rows), texts, sets and graphs as [`Items`](npt_core::Items), [`SparseRows`](npt_core::SparseRows),
    /// [`KernelRows`](npt_core::KernelRows).
    pub fn new(samples: impl Into<AnySamples>) -> Self {
        Self::of(match samples.into().into_rows() {
            Ok(rows) => Records::Dense(Matrix::Double(Values::Own(rows.into_shared()))),
            Err(samples) => Records::Samples(samples),
        })
    }

    /// The records of a dataset of linfa's, with the names of its features and its weights. The targets are not read.
    ///
    /// # Errors
    /// [`Error::ColumnNames`] where two features have one name.
    pub fn from_dataset<D, T>(dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self, Error>
    where
        D: ndarray::Data<Elem = f64>,
    {
        let data = Self::from(dataset.records.to_owned()).with_weights(dataset.weights.clone());
        match dataset.feature_names() {
            [] => Ok(data),
            names => data.with_columns(names),
        }
    }

    /// Dense vectors in memory that somebody else owns, such as another language or a mapped file. The shape is (rows, columns), and the
    /// numbers stand row by row. A fit copies them once; predictions copy a block of rows at a time.
    ///
    /// `values` must give the same numbers each time.
    ///
    /// # Errors
    /// [`Error::ValueCount`] for more or fewer numbers than the shape has.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator};
    /// use std::sync::Arc;
    ///
    /// let x = Data::from(array![[0.0], [1.0], [3.0], [9.0]]);
    /// let machine = Estimator::new("svc", "linear")?.fit(&x, vec![false, false, true, true])?;
    /// let new = Data::shared(Arc::new(vec![0.5, 7.0]), [2, 1])?;
    /// assert_eq!(machine.decision_function(&new)?, machine.decision_function(&array![[0.5], [7.0]].into())?);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn shared(
        values: Arc<dyn AsRef<[f64]> + Send + Sync>,
        shape: [usize; 2],
    ) -> Result<Self, Error> {
        let values = Values::of_others(values, shape)?;
        Ok(Self::of(Records::Dense(Matrix::Double(values))))
    }

    /// Dense vectors in single precision that somebody else owns; everything else is as for [`shared`](Self::shared).
    ///
    /// # Errors
    /// [`Error::ValueCount`] for more or fewer numbers than the shape has.
    pub fn shared_single(
        values: Arc<dyn AsRef<[f32]> + Send + Sync>,
        shape: [usize; 2],
    ) -> Result<Self, Error> {
        let values = Values::of_others(values, shape)?;
        Ok(Self::of(Records::Dense(Matrix::Single(values))))
    }

    fn of(records: Records) -> Self {
        Self {
            records,
            columns: Vec::new(),
            categories: Categories::default(),
            weights: Array1::default(0),
        }
    }

    /// A table of named columns, which have [numbers or texts](Column).
    ///
    /// # Errors
    /// [`Error::ColumnLengths`] for columns of different lengths, [`Error::ColumnNames`] for two of one name.
    ///
    /// # Example
    /// ```
    /// use npt_estimator::{Column, Data};
    ///
    /// let colours = Column::from(vec!["red", "blue", "red"]);
    /// let data = Data::from_columns([("size", Column::from(vec![1.0, 2.0, 3.0])), ("colour", colours)])?;
    /// assert_eq!(data.categories().of("colour").unwrap(), ["red", "blue"]);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn from_columns<N: Into<String>>(
        columns: impl IntoIterator<Item = (N, Column)>,
    ) -> Result<Self, Error> {
        let columns = columns.into_iter();
        let columns: Vec<(String, Column)> = columns.map(|(n, c)| (n.into(), c)).collect();
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        if let Some((name, column)) = columns.iter().find(|(_, column)| column.len() != rows) {
            return Err(Error::ColumnLengths {
                column: name.clone(),
                found: column.len(),
                expected: rows,
            });
        }
        let mut matrix = Array2::zeros((rows, columns.len()));
        let mut categories = Categories::default();
        let mut names = Vec::with_capacity(columns.len());
        for ((name, column), mut values) in columns.into_iter().zip(matrix.columns_mut()) {
            let (numbers, texts) = column.into_parts();
            values.assign(&Array1::from(numbers));
            if let Some(texts) = texts {
                categories = categories.with(&name, texts);
            }
            names.push(name);
        }
        let mut data = Self::from(matrix).with_columns(names)?;
        data.categories = categories;
        Ok(data)
    }

    /// Sets the texts of columns of categories. The values of such a column are the numbers 0, 1, … of its texts, or NaN for a missing
    /// value, as tables [have them](npt_tables::Blocks::categories). A name in `categories` that no column has is ignored.
    ///
    /// # Errors
    /// [`Error::CategoryNumber`] for a value that is no number of one of the texts.
    pub fn with_categories(mut self, categories: &Categories) -> Result<Self, Error> {
        let mut of_columns = std::mem::take(&mut self.categories);
        for (column, name) in self.columns.iter().enumerate() {
            if let (Some(texts), Some(matrix)) = (categories.of(name), self.matrix()) {
                categories::check_numbers(name, &matrix.column(column), texts.len())?;
                of_columns = of_columns.with(name, texts);
            }
        }
        self.categories = of_columns;
        Ok(self)
    }

    /// Sets the names of the columns.
    ///
    /// # Errors
    /// [`Error::ColumnNames`] unless there is one name for each column, and no name stands twice.
    pub fn with_columns<N: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, Error> {
        self.columns = names.into_iter().map(Into::into).collect();
        let columns = self.matrix().map_or(0, Matrix::ncols);
        let repeated = (1..self.columns.len())
            .find(|&i| self.columns[..i].contains(&self.columns[i]))
            .map(|i| self.columns[i].clone());
        if repeated.is_some() || self.columns.len() != columns {
            let names = self.columns.len();
            return Err(Error::ColumnNames {
                names,
                columns,
                repeated,
            });
        }
        Ok(self)
    }

    /// Sets a weight for each sample, at least 0; a sample of weight 2 counts as two samples.
    pub fn with_weights(mut self, weights: impl Into<Array1<f32>>) -> Self {
        self.weights = weights.into();
        self
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        match &self.records {
            Records::Dense(matrix) => matrix.nrows(),
            Records::Samples(samples) => samples.len(),
        }
    }

    /// Returns whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the columns; empty if they have none.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The texts of the columns of categories.
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// Selects the columns of these names, in this order; all other columns are left out.
    ///
    /// # Errors
    /// [`Error::MissingColumns`] for a name that no column has; [`Error::ColumnNames`] for a name that stands twice.
    pub fn select(&self, names: &[impl AsRef<str>]) -> Result<Self, Error> {
        let place = |name: &str| self.columns.iter().position(|known| known == name);
        let mut places = Vec::with_capacity(names.len());
        let mut missing = Vec::new();
        for name in names.iter().map(AsRef::as_ref) {
            match place(name) {
                Some(place) => places.push(place),
                None => missing.push(name.to_owned()),
            }
        }
        let known = self.columns.clone();
        match &self.records {
            Records::Dense(matrix) if missing.is_empty() => Self {
                records: Records::Dense(matrix.select(Axis(1), &places)),
                columns: Vec::new(),
                categories: categories::of(&self.categories, names),
                weights: self.weights.clone(),
            }
            .with_columns(places.iter().map(|&place| &known[place])),
            _ => Err(Error::MissingColumns { missing, known }),
        }
    }

    /// The positions of the columns of categories.
    pub(crate) fn places_of_categories(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let columns = columns.filter(|(_, name)| self.categories.of(name).is_some());
        columns.map(|(place, _)| place).collect()
    }

    /// Refuses columns of categories in a second view: a model does not keep their texts.
    pub(crate) fn require_no_categories(&self) -> Result<(), Error> {
        let columns = self.columns.iter();
        let columns = columns.filter(|name| self.categories.of(name).is_some());
        let columns: Vec<String> = columns.cloned().collect();
        if columns.is_empty() {
            return Ok(());
        }
        Err(Error::CategoriesOfView { columns })
    }

    /// Selects the samples of these positions, in this order; a position may occur more than once.
    ///
    /// # Panics
    /// Panics if a position is not below [`len`](Self::len).
    pub fn rows(&self, rows: &[usize]) -> Self {
        Self {
            records: match &self.records {
                Records::Dense(matrix) => Records::Dense(matrix.select(Axis(0), rows)),
                Records::Samples(samples) => Records::Samples(samples.select(rows)),
            },
            columns: self.columns.clone(),
            categories: self.categories.clone(),
            weights: if self.weights.is_empty() {
                self.weights.clone()
            } else {
                self.weights.select(Axis(0), rows)
            },
        }
    }

    pub(crate) fn matrix(&self) -> Option<&Matrix> {
        match &self.records {
            Records::Dense(matrix) => Some(matrix),
            Records::Samples(_) => None,
        }
    }

    pub(crate) fn records(&self) -> &Records {
        &self.records
    }

    pub(crate) fn weights(&self) -> &Array1<f32> {
        &self.weights
    }
}
