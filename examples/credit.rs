//! Who will pay back? From a table to a model that gives probabilities and is saved for other tables.
//!
//! Of 1000 applicants for credit, described by 20 numbers, 300 did not pay it back. The first 800 rows of the table are standardised and
//! given to support vector machines in which both classes have the same weight, however rare one is. Width and penalty are chosen by
//! five folds, and five outer folds estimate how well the model of such a search predicts. A machine with the chosen parameters learns
//! probabilities, too. It is saved and loaded again, scaler included, and asked about the other 200 applicants. Their table has its columns in
//! another order: they are read by the names that the model keeps. A default costs the lender five times as much as turning away
//! somebody who would have paid back. So credit is for applicants who default with a probability below 1/6. This is what it prints:
//!
//! ```text
//! space                method    score
//! gaussian γ = 0.01    C = 0.1   0.7098 ± 0.0552
//! gaussian γ = 0.03    C = 1     0.7074 ± 0.0284
//! …
//!
//! fold   space                method    score
//! 0      gaussian γ = 0.003   C = 10    0.7396
//! 1      gaussian γ = 0.03    C = 0.1   0.7068
//! …
//! mean                                  0.6958
//!
//! the model takes the columns 0, 1, …, 19
//!
//! applicant   defaults with   pays back
//!         0            0.38   yes
//!         1            0.34   yes
//!         2            0.03   yes
//! …
//!
//! credit for        loss
//! everybody          300
//! nobody             140
//! p < 1/6             90
//! ```
//!
//! The data are the German credit set of the IDA benchmarks, not included here: put it into a folder as `ida/german.csv` and its name
//! into `NPT_DATA`.
//!
//! # References
//! H. Hofmann, "Statlog (German Credit Data)", UCI Machine Learning Repository, 1994, whose costs these are. doi:10.24432/C5NC77
//!
//! G. Rätsch, T. Onoda, K.-R. Müller, "Soft Margins for AdaBoost", Machine Learning 42(3), 2001.
//! doi:10.1023/A:1007618119488

use linfa::DatasetBase;
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, s};
use npt::{
    ExpansionModel, PipelineModel,
    methods::{
        KernelCalibratedSvc,
        linear::{CalibratedSvc, Svc},
        model_selection::{Candidates, Folds, GridSearch, balanced_accuracy},
    },
    model_file,
    prelude::*,
    tables::CsvBlocks,
};
use npt_testkit::datasets;
use std::{
    env,
    error::Error,
    fmt::Write,
    fs::{self, File},
};

/// The number of applicants to learn from; the model is asked about the others.
const KNOWN: usize = 800;

const WIDTHS: [f64; 4] = [0.003, 0.01, 0.03, 0.1];
const PENALTIES: [f64; 3] = [0.1, 1.0, 10.0];

/// The loss by a default, in units of the loss by turning away somebody who would have paid back.
const OF_DEFAULT: f64 = 5.0;

type Applicants = DatasetBase<Array2<f64>, Array1<String>>;

/// The model that is saved: a scaler, and a machine with probabilities behind it.
type Model = PipelineModel<
    LinearScaler<f64>,
    ExpansionModel<CalibratedSvc<f64, String>, Rows<f64>, Gaussian<f64>>,
>;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = datasets::folder() else {
        println!("skipped: set NPT_DATA to a folder with ida/german.csv");
        return Ok(());
    };
    let table = File::open(folder.join("ida").join("german.csv"))?;
    let table = CsvBlocks::without_names(table)?.target("20")?.read()?;
    let names = table.feature_names().to_vec();
    let repays = |label: &f64| if *label > 0.0 { "no" } else { "yes" };
    let table = table.map_targets(|label| repays(label).to_owned());
    let rows = |from, to| -> Applicants {
        let records = table.records.slice(s![from..to, ..]).to_owned();
        DatasetBase::new(records, table.targets.slice(s![from..to]).to_owned())
            .with_feature_names(names.clone())
    };
    let (known, new) = (rows(0, KNOWN), rows(KNOWN, table.targets.len()));

    let spaces = Candidates::new().over("gaussian γ", WIDTHS, |gamma| {
        Exact::new(Gaussian::new(gamma))
    });
    let machine = |c| Svc::params().c(c).balanced(true);
    let search = GridSearch::new(spaces, Candidates::new().over("C", PENALTIES, machine));
    let search = search.after(LinearScaler::standard());
    let score = |found: &Array1<String>, truth: &Array1<String>| balanced_accuracy(found, truth);
    let folds = Folds::stratified(&known, 5, 1)?;
    let scores = search.scores(&known, &folds, score)?;
    println!("{scores}\n");
    let inner = |targets: &Array1<String>| Folds::stratified(targets, 5, 2);
    println!("{}\n", search.nested_scores(&known, &folds, inner, score)?);

    let best = scores.best().ok_or("no candidate could be fitted")?;
    let machine = KernelCalibratedSvc::params(Gaussian::new(WIDTHS[best.space]));
    let machine = machine.method(|m| m.c(PENALTIES[best.method]));
    let model: Model = Pipeline::new(LinearScaler::standard(), machine).fit(&known)?;
    let path = env::temp_dir().join(format!("credit-{}.npt", std::process::id()));
    model_file::save(&model, &path)?;
    let model: Model = model_file::load(&path)?;
    fs::remove_file(path)?;
    ask(&model, &new)
}

/// Prints the model's answers about applicants in a table, whose columns it finds by their names.
fn ask(model: &Model, applicants: &Applicants) -> Result<(), Box<dyn Error>> {
    let [first, second, .., last] = model.feature_names() else {
        return Err("the columns have no names".into());
    };
    println!("the model takes the columns {first}, {second}, …, {last}\n");
    let table = reversed(applicants)?;
    let table = CsvBlocks::new(table.as_bytes())?.read_for(model)?;
    let probabilities = model.predict_probabilities(&table)?;
    let defaults = model.classes().iter().position(|class| class == "no");
    let defaults = probabilities.column(defaults.ok_or("everybody pays back")?);

    println!("applicant   defaults with   pays back");
    for (i, (p, repays)) in defaults.iter().zip(&applicants.targets).take(5).enumerate() {
        println!("{i:9}   {p:13.2}   {repays}");
    }
    let loss = |granted: &dyn Fn(f64) -> bool| -> f64 {
        let of_one = |(&p, repays): (&f64, &String)| match (granted(p), repays.as_str()) {
            (true, "no") => OF_DEFAULT,
            (false, "yes") => 1.0,
            _ => 0.0,
        };
        defaults.iter().zip(&applicants.targets).map(of_one).sum()
    };
    println!("\ncredit for        loss");
    println!("everybody       {:6}", loss(&|_| true));
    println!("nobody          {:6}", loss(&|_| false));
    let limit = 1.0 / (1.0 + OF_DEFAULT);
    println!("p < 1/6         {:6}", loss(&|p| p < limit));
    Ok(())
}

/// The records as comma-separated values, the last column first.
fn reversed(applicants: &Applicants) -> Result<String, std::fmt::Error> {
    let mut names = applicants.feature_names().to_vec();
    names.reverse();
    let mut text = names.join(",");
    for record in applicants.records.outer_iter() {
        let values: Vec<String> = record.iter().rev().map(f64::to_string).collect();
        write!(text, "\n{}", values.join(","))?;
    }
    Ok(text)
}
