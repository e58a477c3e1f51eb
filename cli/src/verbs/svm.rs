//! `npt svm-train` and `npt svm-predict`: LIBSVM's programs, with their flags and files.

mod flags;

use crate::{
    Error, Outcome,
    tables::{
        libsvm::{Lines, lines},
        whole_file,
    },
    talk::Talk,
    work::Work,
};
use flags::{Flags, Machine};
use ndarray::Array2;
use npt_core::SparseRows;
use npt_estimator::{Data, Label, Model, Predictions, Score, Search, Targets};
use sprs::TriMat;
use std::path::{Path, PathBuf};

/// The share of values that are written out, below which lines are kept sparse.
const DENSE: f64 = 0.25;

/// Trains a support vector machine as LIBSVM's svm-train does: its flags, its files
///
/// -s type (0 C-SVC, 1 nu-SVC, 2 one-class, 3 epsilon-SVR, 4 nu-SVR), -t kernel (0 linear, 1 polynomial, 2 radial, 3 sigmoid),
/// -d degree, -g gamma, -r coef0, -c C, -n nu, -p epsilon, -e tolerance, -wi weight of class i, -v folds, -q;
/// -m and -h are taken and change nothing.
#[derive(Debug, clap::Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:
  npt svm-train -c 10 -g 0.5 letters.libsvm letters.model
  npt svm-train -v 5 letters.libsvm"
)]
pub struct SvmTrain {
    /// Flags, the file to train on, and the file of the model
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "FLAG|FILE"
    )]
    arguments: Vec<String>,
}

/// Predicts as LIBSVM's svm-predict does: its flags, its files
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt svm-predict new.libsvm letters.model predictions.txt")]
pub struct SvmPredict {
    /// -q says nothing
    #[arg(short)]
    q: bool,
    /// -b 0: no probabilities, which LIBSVM's models are not asked for here
    #[arg(short, value_parser = ["0"])]
    b: Option<String>,
    #[arg(value_name = "TEST_FILE")]
    test: PathBuf,
    #[arg(value_name = "MODEL_FILE")]
    model: PathBuf,
    #[arg(value_name = "OUTPUT_FILE")]
    output: PathBuf,
}

impl SvmTrain {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let flags = Flags::read(&self.arguments)?;
        let file = &flags.files[0];
        let lines = lines(file)?;
        if lines.targets.is_empty() {
            return Err(Error::file(file, "there are no lines"));
        }
        let estimator = flags.estimator(lines.width)?;
        let targets = targets(&lines, flags.machine, file)?;
        let mut data = data_of(&lines, lines.width)?;
        if !flags.weights.is_empty() {
            let Targets::Labels(labels) = &targets else {
                return Err(Error::Usage("-wi is for classes".to_owned()));
            };
            let weight = |label: &Label| {
                let found = flags
                    .weights
                    .iter()
                    .rev()
                    .find(|(of, _)| *label == Label::Integer(*of));
                found.map_or(1.0, |(_, weight)| *weight as f32)
            };
            data = data.with_weights(labels.iter().map(weight).collect::<Vec<f32>>());
        }
        let work = Work::new(None, talk.progress);
        if let Some(folds) = flags.folds {
            let (score, words) = match &targets {
                Targets::Labels(_) => (Score::Accuracy, "Cross Validation Accuracy"),
                Targets::Numbers(_) => (
                    Score::MeanSquaredError,
                    "Cross Validation Mean squared error",
                ),
                _ => {
                    return Err(Error::Usage(
                        "-v takes classes or numbers, and a one-class machine has neither"
                            .to_owned(),
                    ));
                }
            };
            let search = Search::new(vec![estimator], score).folds(folds);
            let results = work.run(|| Ok(search.results(&data, targets.clone())?))?;
            let mean = results.candidates()[0]
                .mean()
                .map_err(|error| Error::Data(error.to_owned()))?;
            talk.print(match score {
                Score::Accuracy => format!("{words} = {}%", 100.0 * mean),
                _ => format!("{words} = {mean}"),
            })?;
            return Ok(Outcome::Done);
        }
        let model = work.run(|| Ok(estimator.fit(&data, targets.clone())?))?;
        let text = model.to_libsvm()?;
        let output = flags.files.get(1).cloned().unwrap_or_else(|| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            PathBuf::from(format!("{name}.model"))
        });
        whole_file(&output, |file| {
            file.write_all(text.as_bytes())
                .map_err(|error| Error::file(&output, error))
        })?;
        if !flags.quiet {
            talk.say(format!("{}: {}", output.display(), estimator));
        }
        Ok(Outcome::Done)
    }
}

impl SvmPredict {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let text = std::fs::read_to_string(&self.model)
            .map_err(|error| Error::file(&self.model, error))?;
        let lines = lines(&self.test)?;
        let is_dense = density(&lines) >= DENSE;
        let wrong = |error: npt_estimator::Error| Error::file(&self.model, error);
        let (model, width) = of_text(&text, is_dense, lines.width).map_err(wrong)?;
        let data = if is_dense {
            Data::from(dense(&lines, width))
        } else {
            data_of(&lines, width)?
        };
        let predictions = Work::new(None, talk.progress).run(|| Ok(model.predict(&data)?))?;
        let values: Vec<f64> = match &predictions {
            Predictions::Labels(labels) => labels
                .iter()
                .map(|label| match label {
                    Label::Integer(value) => *value as f64,
                    _ => f64::NAN,
                })
                .collect(),
            Predictions::Novel(novel) => novel
                .iter()
                .map(|&is_novel| if is_novel { -1.0 } else { 1.0 })
                .collect(),
            Predictions::Numbers(numbers) => numbers.iter().copied().collect(),
            _ => Vec::new(),
        };
        whole_file(&self.output, |file| {
            let mut written = values.iter().map(|value| writeln!(file, "{value}"));
            written
                .try_for_each(|written| written)
                .map_err(|error| Error::file(&self.output, error))
        })?;
        if !self.q {
            talk.print(quality(&predictions, &values, &lines.targets))?;
        }
        Ok(Outcome::Done)
    }
}

/// Reads a model of LIBSVM on dense or sparse vectors. Returns it with its number of columns, which is at least that of the new lines.
fn of_text(
    text: &str,
    is_dense: bool,
    width: usize,
) -> Result<(Model, usize), npt_estimator::Error> {
    let indices = text
        .split_ascii_whitespace()
        .filter_map(|word| word.split_once(':')?.0.parse::<usize>().ok());
    let width = width.max(indices.max().unwrap_or(0)).max(1);
    let read = if is_dense {
        Model::from_libsvm
    } else {
        Model::from_libsvm_sparse
    };
    Ok((read(text, Some(width))?, width))
}

/// The line that svm-predict prints.
fn quality(predictions: &Predictions, values: &[f64], truth: &[f64]) -> String {
    let count = values.len();
    let pairs = || values.iter().zip(truth);
    if let Predictions::Numbers(_) = predictions {
        let error = pairs()
            .map(|(value, truth)| (value - truth).powi(2))
            .sum::<f64>()
            / count as f64;
        let mean = |of: &[f64]| of.iter().sum::<f64>() / count as f64;
        let (a, b) = (mean(values), mean(truth));
        let sum = |product: fn(f64, f64) -> f64| {
            pairs()
                .map(|(value, truth)| product(value - a, truth - b))
                .sum::<f64>()
        };
        let correlation = sum(|v, t| v * t).powi(2) / (sum(|v, _| v * v) * sum(|_, t| t * t));
        return format!(
            "Mean squared error = {error} (regression)\nSquared correlation coefficient = {correlation} (regression)"
        );
    }
    let right = pairs().filter(|(value, truth)| value == truth).count();
    format!(
        "Accuracy = {}% ({right}/{count}) (classification)",
        100.0 * right as f64 / count as f64
    )
}

fn targets(lines: &Lines, machine: Machine, file: &Path) -> Result<Targets, Error> {
    Ok(match machine {
        Machine::OneClass => Targets::None,
        Machine::EpsilonSvr | Machine::NuSvr => lines.targets.clone().into(),
        Machine::CSvc | Machine::NuSvc => {
            if let Some(place) = lines
                .targets
                .iter()
                .position(|target| target.fract() != 0.0)
            {
                let target = lines.targets[place];
                return Err(Error::file(
                    file,
                    format!(
                        "the target {target} is no class; classes are whole numbers, and -s 3 takes others"
                    ),
                ));
            }
            lines
                .targets
                .iter()
                .map(|&target| Label::Integer(target as i64))
                .collect::<Vec<_>>()
                .into()
        }
    })
}

fn density(lines: &Lines) -> f64 {
    let given: usize = lines.pairs.iter().map(Vec::len).sum();
    given as f64 / (lines.pairs.len() * lines.width).max(1) as f64
}

fn dense(lines: &Lines, width: usize) -> Array2<f64> {
    let mut matrix = Array2::zeros((lines.pairs.len(), width));
    for (mut row, pairs) in matrix.rows_mut().into_iter().zip(&lines.pairs) {
        for &(column, value) in pairs {
            row[column] = value;
        }
    }
    matrix
}

/// The samples of lines, dense where most values are given.
fn data_of(lines: &Lines, width: usize) -> Result<Data, Error> {
    if density(lines) >= DENSE {
        return Ok(dense(lines, width).into());
    }
    let mut entries = TriMat::new((lines.pairs.len(), width));
    for (row, pairs) in lines.pairs.iter().enumerate() {
        for &(column, value) in pairs {
            entries.add_triplet(row, column, value);
        }
    }
    let rows =
        SparseRows::new(&entries.to_csr()).map_err(|error| Error::Data(error.to_string()))?;
    Ok(Data::new(rows))
}
