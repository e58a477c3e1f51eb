//! Chooses a model at run time: a file lists what to try, and a second process uses the result without knowing what it is.
//!
//! The wines of linfa's data sets are a table here, as they would come from anywhere: comma-separated, with names of columns. One wine in
//! seven is good. `examples/data/wine.toml` has the candidates: methods, kernels, spaces and transformers as texts, and grids of their
//! parameters. All candidates are compared over the same folds. The best is fitted to all wines but the last hundred, and saved:
//!
//! ```text
//! log_loss          candidate
//! 0.27… ± 0.03…   standard_scaler, logistic(penalty = 0.1) in nystrom(landmarks = 300) of sum(matern(smoothness = 1.5, length_scale = 3), scaled(factor = 0.1, linear))
//! 0.27… ± 0.0…   standard_scaler, calibrated_svc(c = 10) in exact of gaussian(gamma = 0.3)
//! …
//! 0.28… ± 0.02…   standard_scaler, logistic in exact of linear
//! …
//! ```
//!
//! A second process loads the file. The model says what it is, which columns it takes, and what it may be asked for:
//!
//! ```text
//! method        logistic(penalty = 0.1)
//! kernel        sum(matern(smoothness = 1.5, length_scale = 3), scaled(factor = 0.1, linear))
//! space         nystrom(landmarks = 300)
//! transformers  standard_scaler
//! fitted to     1499 dense vectors
//! columns       fixed acidity, volatile acidity, citric acid, residual sugar, chlorides, …
//! classes       good, other
//! answers       predict, decision_function, predict_probabilities, to_onnx
//!
//! 93 of 100 wines are what the model says
//! the first is good with probability 0.09
//! the first is other with probability 0.91
//! ```
//!
//! The hundred wines had no part in the fit. Candidates are compared by the probabilities that they give: the mean of −ln p, p being the
//! probability of the wine's true class.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, s};
use npt::{
    estimator::{Ability, Data, Model, Search},
    tables::CsvBlocks,
};
use std::{env, error::Error, fmt::Write, fs, path::Path, process::Command};

/// Tells the second process which model to load.
const FILE: &str = "NPT_MODEL_BY_NAME";

/// The candidates of the search.
const SEARCH: &str = include_str!("data/wine.toml");

/// The number of wines that the model is asked about.
const ASKED: usize = 100;

type Table = DatasetBase<Array2<f64>, Array1<String>>;

fn main() -> Result<(), Box<dyn Error>> {
    let table = CsvBlocks::new(wines()?.as_bytes())?
        .labels("verdict")?
        .read()?;
    match env::var_os(FILE) {
        Some(path) => ask(
            Path::new(&path),
            &rows(&table, table.targets.len() - ASKED, table.targets.len()),
        ),
        None => choose(&rows(&table, 0, table.targets.len() - ASKED)),
    }
}

/// Compares the candidates of the file, saves the best model, and starts the second process.
fn choose(wines: &Table) -> Result<(), Box<dyn Error>> {
    let search: Search = toml::from_str(SEARCH)?;
    let found = search.fit_best(&Data::from_dataset(wines)?, wines.targets.clone())?;
    println!("{}\n", found.results);

    let path = env::temp_dir().join(format!("wine-by-name-{}.npt", std::process::id()));
    found.model.save(&path)?;
    let other = Command::new(env::current_exe()?)
        .env(FILE, &path)
        .output()?;
    fs::remove_file(path)?;
    print!("{}", String::from_utf8(other.stdout)?);
    Ok(())
}

/// Loads the model and asks it about wines; the name of the file is all that this process knows.
fn ask(path: &Path, wines: &Table) -> Result<(), Box<dyn Error>> {
    let model = Model::load(path)?;
    println!("{model}\n");
    let data = model.arranged(&Data::from_dataset(wines)?)?;
    let predictions = model.predict(&data)?;
    let truth = wines.targets.iter().map(|label| label.as_str().into());
    let right = predictions
        .labels()
        .unwrap_or_default()
        .iter()
        .zip(truth)
        .filter(|(label, truth)| *label == truth);
    println!("{} of {ASKED} wines are what the model says", right.count());
    if model.has(Ability::Probabilities) {
        let probabilities = model.predict_probabilities(&data)?;
        let first = probabilities.row(0);
        for (class, p) in model.classes().iter().zip(first) {
            println!("the first is {class} with probability {p:.2}");
        }
    }
    Ok(())
}

/// The wines as a table with names, and a verdict for each.
fn wines() -> Result<String, std::fmt::Error> {
    let wine = linfa_datasets::winequality();
    let mut table = wine.feature_names().join(",") + ",verdict\n";
    for (row, &quality) in wine.records.outer_iter().zip(&wine.targets) {
        for value in row {
            write!(table, "{value},")?;
        }
        writeln!(table, "{}", if quality > 6 { "good" } else { "other" })?;
    }
    Ok(table)
}

fn rows(table: &Table, from: usize, to: usize) -> Table {
    let records = table.records.slice(s![from..to, ..]).to_owned();
    DatasetBase::new(records, table.targets.slice(s![from..to]).to_owned())
        .with_feature_names(table.feature_names().to_vec())
}
