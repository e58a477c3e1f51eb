//! `npt predict`

use super::load;
use crate::{
    Error, Outcome,
    roles::data_for,
    tables::{self, Column, Format, Table, Values},
    talk::Talk,
    work::Work,
};
use npt_core::wording::count;
use npt_estimator::{Label, Model, Predictions};
use std::path::PathBuf;

/// Predicts for the rows of tables, as csv or to a file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt predict magic.npt new.csv -o predictions.csv
  npt predict odds.npt new.parquet --probabilities --keep id,day
  npt predict magic.npt new.csv | head")]
pub struct Predict {
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    source: tables::Source,
    #[command(flatten)]
    output: Output,
    /// A column for the probability of each class
    #[arg(long)]
    probabilities: bool,
    /// The values by which the model decides
    #[arg(long)]
    decision: bool,
    /// The variance of each prediction, of a Gaussian process
    #[arg(long)]
    variance: bool,
    /// Take a category that the model has not seen for one that is unlike all others
    #[arg(long)]
    accept_unseen: bool,
}

/// The file and the format of results, and the columns beside them.
#[derive(Debug, clap::Args)]
pub struct Output {
    /// The file of the results: csv, tsv, parquet or arrow by its name
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Columns of the table to write in front of the results, or all
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    keep: Vec<String>,
    /// The format of results, where no name says so
    #[arg(long)]
    output_format: Option<Format>,
}

impl Output {
    /// Writes the columns that are kept, and these columns behind them.
    pub fn write(&self, table: &Table, results: Vec<Column>, talk: &Talk) -> Result<(), Error> {
        let mut columns = match self.keep.as_slice() {
            [all] if all == "all" => table.columns.clone(),
            names => {
                let kept = names.iter().map(|name| table.column(name).cloned());
                kept.collect::<Result<Vec<_>, _>>()?
            }
        };
        for mut column in results {
            // A result gets another name if a column of the table has its name.
            while columns.iter().any(|kept| kept.name == column.name) {
                column.name.push('_');
            }
            columns.push(column);
        }
        let results = Table::new(columns);
        tables::write(&results, self.output.as_deref(), self.output_format)?;
        if let Some(path) = &self.output {
            talk.say(format!(
                "{}: {}",
                path.display(),
                count(results.rows(), "row")
            ));
        }
        Ok(())
    }
}

impl Predict {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let mut model = load(&self.model)?;
        if self.accept_unseen {
            model = model.accept_unseen_categories();
        }
        let table = tables::read(&self.source)?;
        let results = Work::new(None, talk.progress).run(|| self.results(&model, &table))?;
        self.output.write(&table, results, talk)?;
        Ok(Outcome::Done)
    }

    fn results(&self, model: &Model, table: &Table) -> Result<Vec<Column>, Error> {
        let data = data_for(model, table)?;
        let column = |name: String, values| Column { name, values };
        let mut results = Vec::new();
        if self.variance {
            let (means, variances) = model.predict_with_variance(&data)?;
            results.push(column("prediction".to_owned(), Values::computed(means)));
            results.push(column("variance".to_owned(), Values::computed(variances)));
            return Ok(results);
        }
        match model.predict(&data)? {
            Predictions::Labels(labels) => {
                results.push(column("prediction".to_owned(), of_labels(&labels)))
            }
            Predictions::Clusters(clusters) => {
                let clusters = clusters.iter().map(|&cluster| cluster as f64);
                results.push(column(
                    "cluster".to_owned(),
                    Values::numbers(clusters.collect()),
                ));
            }
            Predictions::Novel(novel) => {
                results.push(column(
                    "novel".to_owned(),
                    Values::Booleans(novel.into_iter().map(Some).collect()),
                ));
            }
            Predictions::Numbers(numbers) => {
                let names = model.target_names();
                for (k, values) in numbers.columns().into_iter().enumerate() {
                    let name = match names.get(k) {
                        Some(name) if names.len() > 1 => format!("prediction_{name}"),
                        _ if numbers.ncols() > 1 => format!("prediction_{k}"),
                        _ => "prediction".to_owned(),
                    };
                    results.push(column(name, Values::computed(values.iter().copied())));
                }
            }
            _ => {
                return Err(Error::Usage(
                    "predictions of this model are no columns".to_owned(),
                ));
            }
        }
        if self.probabilities {
            let probabilities = model.predict_probabilities(&data)?;
            for (class, values) in model.classes().iter().zip(probabilities.columns()) {
                results.push(column(
                    format!("p_{class}"),
                    Values::computed(values.iter().copied()),
                ));
            }
        }
        if self.decision {
            let decisions = model.decision_function(&data)?;
            for (k, values) in decisions.columns().into_iter().enumerate() {
                let name = if decisions.ncols() == 1 {
                    "decision".to_owned()
                } else {
                    format!("decision_{k}")
                };
                results.push(column(name, Values::computed(values.iter().copied())));
            }
        }
        Ok(results)
    }
}

fn of_labels(labels: &[Label]) -> Values {
    if labels
        .iter()
        .all(|label| matches!(label, Label::Integer(_)))
    {
        let number = |label: &Label| match label {
            Label::Integer(value) => *value as f64,
            _ => f64::NAN,
        };
        return Values::numbers(labels.iter().map(number).collect());
    }
    if labels.iter().all(|label| matches!(label, Label::Bool(_))) {
        return Values::Booleans(
            labels
                .iter()
                .map(|label| Some(*label == Label::Bool(true)))
                .collect(),
        );
    }
    Values::Texts(labels.iter().map(|label| Some(label.to_string())).collect())
}
