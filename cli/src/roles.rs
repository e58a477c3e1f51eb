//! Roles of the columns of a table: features, targets, weights.

mod features;
mod targets;

use crate::{
    Error,
    tables::{Column, Table},
};
use features::feature;
pub use features::{data_for, named_data, weights};
use npt_estimator::{Data, TargetKind, Targets};
use std::collections::BTreeMap;
use targets::targets;
pub use targets::{named_targets, targets_for, targets_for_score};

/// The roles of columns, as the user gives them.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Columns")]
pub struct Roles {
    /// The columns to be predicted: of texts, true and false they are classes, of numbers numbers
    #[arg(short, long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Take the whole numbers of the target for classes
    #[arg(long, conflicts_with = "numbers")]
    pub classes: bool,
    /// Take the target for numbers; true is 1
    #[arg(long)]
    pub numbers: bool,
    /// A column of weights: 2 is a row twice
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Columns of numbers that are names of categories
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub categorical: Vec<String>,
    /// The treatment of features that are missing
    #[arg(long, value_enum, default_value = "error")]
    pub missing: Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Missing {
    /// A missing value is an error.
    #[default]
    Error,
    /// The mean of its column replaces a missing value; of categories, the most frequent one.
    Mean,
    /// The row of a missing value is left out.
    Drop,
}

/// Samples of a table, as an estimator takes them.
pub struct Samples {
    pub data: Data,
    pub targets: Targets,
    pub target_names: Vec<String>,
    /// `true` where the mean of a column is to stand in the place of its missing values, now and in new rows.
    pub fills_gaps: bool,
    pub has_categories: bool,
    pub has_weights: bool,
    /// The number of rows that were left out.
    pub dropped: usize,
}

impl Samples {
    /// The samples of a table; `takes` is the kind of targets that the method takes, if it is known.
    pub fn of(table: &Table, roles: &Roles, takes: Option<TargetKind>) -> Result<Self, Error> {
        roles.require_columns(table)?;
        let gaps = Gaps::of(table, roles);
        gaps.check(table, roles.missing)?;
        if roles.missing != Missing::Drop || gaps.0.is_empty() {
            return Self::of_whole_rows(table, roles, takes);
        }
        let is_whole = |row: &usize| !gaps.0.contains_key(row);
        let rows: Vec<usize> = (0..table.rows()).filter(is_whole).collect();
        if rows.is_empty() {
            return Err(Error::Data(format!(
                "{}: no row has a value in each column",
                table.words()
            )));
        }
        Ok(Self {
            dropped: gaps.0.len(),
            ..Self::of_whole_rows(&table.select(&rows), roles, takes)?
        })
    }

    /// The samples of rows in which no value is missing, or in which values may be missing.
    fn of_whole_rows(
        table: &Table,
        roles: &Roles,
        takes: Option<TargetKind>,
    ) -> Result<Self, Error> {
        let mut columns = Vec::new();
        let mut has_categories = false;
        for column in roles.features(table) {
            let is_category = roles.categorical.contains(&column.name);
            let (values, of_categories) = feature(table, column, is_category)?;
            has_categories |= of_categories;
            columns.push((column.name.clone(), values));
        }
        let wrong =
            |error: npt_estimator::Error| Error::Data(format!("{}: {error}", table.words()));
        let mut data = Data::from_columns(columns).map_err(wrong)?;
        if let Some(name) = &roles.weights {
            data = data.with_weights(weights(table, table.column(name)?)?);
        }
        Ok(Self {
            data,
            targets: targets(table, roles, takes)?,
            target_names: roles.target.clone(),
            fills_gaps: roles.missing == Missing::Mean,
            has_categories,
            has_weights: roles.weights.is_some(),
            dropped: 0,
        })
    }
}

impl Roles {
    /// Refuses names that no column has, and a table without features.
    fn require_columns(&self, table: &Table) -> Result<(), Error> {
        let named = self.target.iter().chain(&self.weights);
        for name in named.chain(&self.ignore).chain(&self.categorical) {
            table.column(name)?;
        }
        if self.features(table).next().is_none() {
            return Err(Error::Data(format!(
                "{}: there is no feature besides the target",
                table.words()
            )));
        }
        Ok(())
    }

    /// The columns that have no other role.
    fn features<'t>(&self, table: &'t Table) -> impl Iterator<Item = &'t Column> {
        table.columns.iter().filter(|column| {
            let name = &column.name;
            !self.is_answer(name) && !self.ignore.contains(name)
        })
    }

    /// Returns whether a column is a target or has the weights.
    fn is_answer(&self, name: &String) -> bool {
        self.target.contains(name) || self.weights.as_ref() == Some(name)
    }
}

/// The rows in which a value is missing, each with the first column that lacks a value, and whether that column is a feature.
struct Gaps<'t>(BTreeMap<usize, (&'t str, bool)>);

impl<'t> Gaps<'t> {
    fn of(table: &'t Table, roles: &Roles) -> Self {
        let features = roles.features(table).map(|column| (column, true));
        let answers = table.columns.iter();
        let answers = answers.filter(|column| roles.is_answer(&column.name));
        let mut gaps = BTreeMap::new();
        for (column, is_feature) in features.chain(answers.map(|column| (column, false))) {
            for row in column.values.missing() {
                gaps.entry(row).or_insert((&*column.name, is_feature));
            }
        }
        Self(gaps)
    }

    /// Refuses the first row whose missing value is neither replaced nor left out with its row.
    fn check(&self, table: &Table, missing: Missing) -> Result<(), Error> {
        let is_refused = |is_feature: bool| match missing {
            Missing::Error => true,
            Missing::Mean => !is_feature,
            Missing::Drop => false,
        };
        let mut gaps = self.0.iter();
        let Some((&row, (name, is_feature))) = gaps.find(|(_, gap)| is_refused(gap.1)) else {
            return Ok(());
        };
        let instead = if *is_feature {
            "--missing mean puts the mean of the column there, --missing drop leaves the row out"
        } else {
            "--missing drop leaves the row out"
        };
        Err(Error::Data(format!(
            "{}: there is no value in the column {name}; {instead}",
            table.place(row)
        )))
    }
}
