//! The roles of the columns of a table.

use crate::{Blocks, Source, SourceError, TableTargets, source::Role};
use ndarray::Array1;

/// The columns that are targets.
#[derive(Debug, Clone)]
pub(crate) enum Targets {
    /// No call named a target.
    Unnamed,
    /// The last column that numbers no rows and has no weights.
    Last,
    /// These columns; the list may be empty.
    Columns(Vec<usize>),
}

impl<S: Source, T: TableTargets> Blocks<S, T> {
    /// Takes the last column for the target. Columns of weights and columns that number the rows do not count.
    ///
    /// # Errors
    /// [`SourceError::Begun`].
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use npt_tables::{CsvBlocks, SourceError};
    ///
    /// let table = "a,b,y\n1,2,3\n4,5,6\n";
    /// let data = CsvBlocks::new(table.as_bytes())?.last_column_as_target()?.read()?;
    /// assert_eq!(data.targets, ndarray::array![3.0, 6.0]);
    ///
    /// // The target is never guessed.
    /// let error = CsvBlocks::new(table.as_bytes())?.read().unwrap_err();
    /// let columns = ["a", "b", "y"].map(String::from).to_vec();
    /// assert_eq!(error, SourceError::NoTarget { columns });
    /// # }
    /// # Ok::<(), npt_tables::SourceError>(())
    /// ```
    pub fn last_column_as_target(self) -> Result<Blocks<S>, SourceError> {
        self.check_not_begun()?;
        Ok(self.with_targets(Targets::Last, Role::Target))
    }

    /// Takes no target: blocks have features alone, for methods that find components, clusters and novelties.
    ///
    /// # Errors
    /// [`SourceError::Begun`].
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// use npt_tables::CsvBlocks;
    ///
    /// let table = ",a,b\n0,1,2\n1,4,5\n";
    /// let data = CsvBlocks::new(table.as_bytes())?.without_target()?.read()?;
    /// // The first column has no name, so that it numbers the rows.
    /// assert_eq!(data.feature_names(), ["a", "b"]);
    /// # }
    /// # Ok::<(), npt_tables::SourceError>(())
    /// ```
    pub fn without_target(self) -> Result<Blocks<S, Array1<()>>, SourceError> {
        self.check_not_begun()?;
        Ok(self.with_targets(Targets::Columns(Vec::new()), Role::Target))
    }

    pub(crate) fn check_not_begun(&self) -> Result<(), SourceError> {
        if self.read > 0 {
            return Err(SourceError::Begun);
        }
        Ok(())
    }

    /// Returns the columns that were asked for as targets.
    pub(crate) fn target_columns(&self) -> Result<Vec<usize>, SourceError> {
        let columns = self.source.columns();
        match &self.targets {
            Targets::Columns(targets) => Ok(targets.clone()),
            Targets::Last => {
                let is_free = |&column: &usize| !self.is_index(column) && self.is_free(column);
                let last = (0..columns.len()).rev().find(is_free);
                last.map(|column| vec![column])
                    .ok_or(SourceError::NoFeatures {
                        found: columns.len(),
                    })
            }
            Targets::Unnamed => Err(SourceError::NoTarget {
                columns: columns.to_vec(),
            }),
        }
    }

    /// Returns the features: the selected columns, or all columns without another role.
    pub(crate) fn feature_columns(&self, targets: &[usize]) -> Vec<usize> {
        let others = || {
            let all = 0..self.source.columns().len();
            let is_other = |&column: &usize| !targets.contains(&column) && self.is_free(column);
            // A column of categories is a feature even if it numbers the rows, because a call named it.
            let is_data =
                |column: &usize| !self.is_index(*column) || self.categorical.contains(column);
            all.filter(is_other).filter(is_data).collect()
        };
        self.features.clone().unwrap_or_else(others)
    }

    fn is_free(&self, column: usize) -> bool {
        Some(column) != self.weights
    }

    /// Returns whether a column numbers or names the rows: either the table says so, or the column is the first and has no name.
    fn is_index(&self, column: usize) -> bool {
        let has_no_name = self.source.columns()[column].is_empty();
        column == 0 && has_no_name || self.source.index_columns().contains(&column)
    }

    /// Refuses a feature without a name, unless it was asked for.
    pub(crate) fn check_unnamed(&self, features: &[usize]) -> Result<(), SourceError> {
        let names = self.source.columns();
        let has_no_name =
            |&&column: &&usize| names[column].is_empty() && !self.categorical.contains(&column);
        match features.iter().find(has_no_name) {
            Some(column) if self.features.is_none() => {
                Err(SourceError::Unnamed { column: column + 1 })
            }
            _ => Ok(()),
        }
    }
}
