//! Reading of the rows of a table, as blocks or all at once.

use crate::{
    Blocks, Column, Place, Row, Source, SourceError, TableTargets, categories::Codes, source::Role,
};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, s};
use npt_core::{FeatureNames, watch::Progress};
use std::sync::atomic::Ordering;

/// The number of rows after which reading tells how far it is.
const LOOK: u64 = 64;

impl<S: Source, T: TableTargets> Blocks<S, T> {
    /// Reads all rows that are left, as one dataset.
    ///
    /// # Errors
    /// The first error of a block, and [`SourceError::NoRows`].
    pub fn read(&mut self) -> Result<DatasetBase<Array2<f64>, T>, SourceError> {
        self.rows = usize::MAX;
        self.next().unwrap_or(Err(SourceError::NoRows))
    }

    /// Reads the features of all rows, for samples without targets. Features are the [selected](Self::select) columns, or all columns that were
    /// not named for targets or weights.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and [`SourceError::Begun`] if a block was read before.
    ///
    /// The records have no names that a model could compare with its own; [`read_for`](Self::read_for) reads the features of a model by name.
    pub fn read_records(&mut self) -> Result<Array2<f64>, SourceError> {
        self.check_not_begun()?;
        self.rows = usize::MAX;
        let features = self.feature_columns(&self.target_columns().unwrap_or_default());
        let columns = self.with_roles(features)?;
        self.gather(&columns)?;
        if self.gathered == 0 {
            return Err(SourceError::NoRows);
        }
        Ok(self.rows_of_values())
    }

    /// Reads the features that a model was fitted to, in the model's order, of all rows. The dataset has no targets; it has the names of the
    /// features, which the model compares with its own. Columns that the model does not take may hold any values.
    ///
    /// # Errors
    /// [`SourceError::NamelessModel`]; [`SourceError::NoColumn`] and [`SourceError::AmbiguousColumn`] for the features of the model; and the errors
    /// of [`read_records`](Self::read_records).
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use linfa::traits::Fit;
    /// use npt_core::Gaussian;
    /// use npt_methods::KernelRidge;
    /// use npt_tables::CsvBlocks;
    ///
    /// let known = "size,age,price\n1,2,3\n2,5,4\n3,1,6\n";
    /// let data = CsvBlocks::new(known.as_bytes())?.target("price")?.read()?;
    /// let model = KernelRidge::params(Gaussian::new(0.1)).fit(&data)?;
    ///
    /// let new = "age,town,size\n3,Ulm,2\n";
    /// let records = CsvBlocks::new(new.as_bytes())?.read_for(&model)?;
    /// assert_eq!(records.records, ndarray::array![[2.0, 3.0]]);
    /// let price = model.predict(&records)[0];
    /// # let _: f64 = price;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_for(
        &mut self,
        model: &impl FeatureNames,
    ) -> Result<DatasetBase<Array2<f64>, Array1<()>>, SourceError> {
        let names = model.feature_names();
        if names.is_empty() {
            return Err(SourceError::NamelessModel);
        }
        self.features = Some(self.positions(names)?);
        let records = self.read_records()?;
        Ok(DatasetBase::from(records).with_feature_names(names.to_vec()))
    }

    /// Returns the features, each with its role: a category or a number.
    fn with_roles(&self, features: Vec<usize>) -> Result<Vec<Column>, SourceError> {
        let names = self.source.columns();
        let mut categorical = self.categorical.iter();
        if let Some(&column) = categorical.find(|column| !features.contains(column)) {
            let name = names[column].clone();
            return Err(SourceError::CategoriesOfNoFeature { name });
        }
        if features.is_empty() {
            let found = names.len();
            return Err(SourceError::NoFeatures { found });
        }
        self.check_names(features.iter().copied())?;
        self.check_unnamed(&features)?;
        let with_role = |column| {
            let is_category = self.categorical.contains(&column);
            let role = if is_category {
                Role::Category
            } else {
                Role::Feature
            };
            Column::new(column, role)
        };
        Ok(features.into_iter().map(with_role).collect())
    }

    /// Refuses columns that share their name with another column: it would be unknown later which of them a model has seen.
    fn check_names(&self, mut columns: impl Iterator<Item = usize>) -> Result<(), SourceError> {
        let names = self.source.columns();
        match columns.find_map(|column| self.repeated.get_key_value(&names[column])) {
            None => Ok(()),
            Some((name, &found)) => Err(SourceError::AmbiguousColumn {
                name: name.clone(),
                found,
            }),
        }
    }

    /// Returns the columns that are read of each row: features, targets, the weight.
    fn columns(&self) -> Result<Vec<Column>, SourceError> {
        let targets = self.target_columns()?;
        let features = self.feature_columns(&targets);
        let two_roles = |column: usize, first, second| SourceError::TwoRoles {
            name: self.source.columns()[column].clone(),
            first,
            second,
        };
        if let Some(&column) = targets.iter().find(|target| features.contains(target)) {
            return Err(two_roles(column, "feature", "target"));
        }
        if let Some(column) = self.weights {
            if features.contains(&column) {
                return Err(two_roles(column, "feature", "weight"));
            } else if targets.contains(&column) {
                return Err(two_roles(column, "target", "weight"));
            }
        }
        self.check_names(targets.iter().copied())?;
        let mut columns = self.with_roles(features)?;
        let of_target = |column| Column::new(column, self.target_role);
        columns.extend(targets.into_iter().map(of_target));
        columns.extend(self.weights.map(|column| Column::new(column, Role::Weight)));
        Ok(columns)
    }

    /// Appends the values of these columns of the next row; returns false at the end.
    fn read_row(&mut self, columns: &[Column]) -> Result<bool, SourceError> {
        let (values, codes) = (&mut self.values, &mut self.codes);
        let mut row = Row::new(columns, values, codes, self.missing_values);
        let is_read = self.source.read_row(columns, &mut row);
        let (found, fault) = row.finish();
        let row = Place::Row(self.read);
        self.read += 1;
        if !is_read? {
            return Ok(false);
        }
        let place = self.source.line().map_or(row, Place::Line);
        if found != columns.len() {
            let expected = columns.len();
            return Err(SourceError::Width {
                place,
                expected,
                found,
            });
        }
        match fault {
            None => Ok(true),
            Some(fault) => Err(fault.at(place, self.source.columns())),
        }
    }

    /// Gathers rows until they make a block, or there are no more. Rows that are left here by an error or a cancellation become part of the
    /// block, unless they are of other columns.
    fn gather(&mut self, columns: &[Column]) -> Result<(), SourceError> {
        if self.gathered_columns != columns {
            (self.gathered, self.gathered_columns) = (0, columns.to_vec());
            self.values.clear();
        }
        let rows = (self.rows < usize::MAX).then_some(self.rows);
        let mut progress = Progress::start("rows of a table", rows);
        while !self.is_at_end && self.gathered < self.rows {
            if self.read.is_multiple_of(LOOK) {
                progress.at(self.gathered);
            }
            let before = self.values.len();
            match self.read_row(columns) {
                Ok(true) => self.gathered += 1,
                Ok(false) => {
                    self.values.truncate(before);
                    self.is_at_end = true;
                }
                Err(error) => {
                    self.values.truncate(before);
                    // The rows that could be read come before the end.
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

    /// Takes the gathered rows as an array; there must be at least one.
    fn rows_of_values(&mut self) -> Array2<f64> {
        let rows = std::mem::take(&mut self.gathered);
        let values = std::mem::take(&mut self.values);
        let values = Array2::from_shape_vec((rows, values.len() / rows), values);
        values.expect("as many values in each row")
    }

    /// Takes the gathered rows as a dataset, of these columns.
    fn block(&mut self, columns: &[Column]) -> DatasetBase<Array2<f64>, T> {
        let values = self.rows_of_values();
        let names = |columns: &[Column]| {
            let names = columns.iter();
            let names = names.map(|column| self.source.columns()[column.index()].clone());
            names.collect::<Vec<_>>()
        };
        let features = columns.iter().take_while(|column| column.is_feature());
        let features = features.count();
        let end = columns.len() - usize::from(self.weights.is_some());
        let labels = columns.get(features);
        let labels = labels.and_then(|column| self.codes.get(&column.index()));
        let labels = labels.map(Codes::texts).unwrap_or_default();
        let targets = T::of(values.slice(s![.., features..end]), labels);
        let weights = values.slice(s![.., end..]);
        let weights = weights.iter().map(|&weight| weight as f32).collect();
        DatasetBase::new(values.slice(s![.., ..features]).to_owned(), targets)
            .with_weights(weights)
            .with_feature_names(names(&columns[..features]))
            .with_target_names(names(&columns[features..end]))
    }
}

impl<S: Source, T: TableTargets> Iterator for Blocks<S, T> {
    type Item = Result<DatasetBase<Array2<f64>, T>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_at_end && self.gathered == 0 {
            return None;
        }
        let columns = self.columns().and_then(|columns| {
            self.gather(&columns)?;
            Ok(columns)
        });
        match columns {
            Ok(columns) => (self.gathered > 0).then(|| Ok(self.block(&columns))),
            Err(error) => {
                // An error of the columns is an error of all rows.
                self.is_at_end |= !error.is_of_a_row();
                Some(Err(error))
            }
        }
    }
}
