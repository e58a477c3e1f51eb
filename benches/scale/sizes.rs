//! Measures how the time of a fit grows with the number of samples, for every method: the exponent between neighbouring sizes, and where it jumps.
//!
//! `cargo bench -p npt-benches --bench sizes -- [seconds [largest [name …]]]`. A fit that is expected to take more than `seconds` (60 by
//! default), that has more than `largest` samples (16,000 by default) or that memory refuses is skipped, and printed as skipped. Names
//! choose methods. A fit of less than a second is timed on three draws of the samples, and the median counts: one draw
//! may take an iterative method far longer than another. An exponent is marked as a jump where it is above 1.5, and above 1.5 times the
//! largest before it: a cost that a constant in the code decides looks like that. The results are in `docs/growth.md`.

use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    methods::{
        linear::{Ridge, Svc},
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
};
use npt_testkit::data;
use std::{error::Error, hint::black_box, time::Instant};

const SIZES: [usize; 6] = [500, 1000, 2000, 4000, 8000, 16_000];

/// γ of the Gaussian kernel: the kernel matrix has full rank at every size.
const GAMMA: f64 = 0.5;

/// An exponent is a jump if it is more than this many times the largest exponent before it.
const JUMP: f64 = 1.5;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let number = |place: usize| words.get(place).and_then(|word| word.parse::<f64>().ok());
    let (seconds, largest) = (number(0).unwrap_or(60.0), number(1).unwrap_or(16_000.0));
    let names = words.get(2..).unwrap_or_default();
    println!("method: samples seconds (exponent)");
    for (name, fit) in methods() {
        if names.is_empty() || names.iter().any(|chosen| chosen == name) {
            println!("{name}: {}", row(seconds, largest, &fit));
        }
    }
}

type Fitted = Result<(), Box<dyn Error>>;
type Method = Box<dyn Fn(&Samples) -> Fitted>;

/// The measured times and exponents of a method, as text.
fn row(limit: f64, largest: f64, fit: &Method) -> String {
    let (mut before, mut steepest): (Option<(usize, f64)>, Option<f64>) = (None, None);
    let mut parts = Vec::new();
    for n in SIZES.into_iter().filter(|&n| n as f64 <= largest) {
        let expected = before.map_or(0.0, |(fewer, seconds)| {
            seconds * (n as f64 / fewer as f64).powf(steepest.unwrap_or(2.0).max(1.0))
        });
        if expected > limit {
            parts.push(format!("{n} skipped ({expected:.0} s expected)"));
            break;
        }
        match median(n, fit) {
            Err(error) => {
                parts.push(format!("{n} skipped ({error})"));
                break;
            }
            Ok(seconds) => {
                let mut part = format!("{n} {seconds:.3}");
                if let Some((fewer, of_fewer)) = before {
                    let exponent = (seconds / of_fewer).ln() / (n as f64 / fewer as f64).ln();
                    let jumps = steepest.is_some_and(|most| exponent > JUMP * most.max(1.0));
                    let mark = if jumps { ", JUMP" } else { "" };
                    part = format!("{part} ({exponent:.1}{mark})");
                    steepest = Some(steepest.map_or(exponent, |most| most.max(exponent)));
                }
                before = Some((n, seconds));
                parts.push(part);
            }
        }
    }
    parts.join(", ")
}

fn median(n: usize, fit: &Method) -> Result<f64, Box<dyn Error>> {
    let of_draw = |draw| -> Result<f64, Box<dyn Error>> {
        let samples = Samples::new(n, draw);
        let start = Instant::now();
        fit(&samples)?;
        Ok(start.elapsed().as_secs_f64())
    };
    let first = of_draw(0)?;
    if first > 1.0 {
        return Ok(first);
    }
    let mut times = [first, of_draw(1)?, of_draw(2)?];
    times.sort_by(f64::total_cmp);
    Ok(times[1])
}

/// Eight features, and targets of each kind that depend on them with noise.
struct Samples {
    x: Array2<f64>,
    numbers: Dataset<f64, f64, Ix1>,
    sides: Dataset<f64, bool, Ix1>,
    apart: Dataset<f64, bool, Ix1>,
    classes: Dataset<f64, usize, Ix1>,
}

impl Samples {
    fn new(n: usize, draw: u64) -> Self {
        let x = data::normal(n, 8, 2 * draw + 1);
        let noise = data::normal(n, 1, 2 * draw + 2).remove_axis(Axis(1));
        let y = x.map_axis(Axis(1), |row| row[0] * row[1] + (2.0 * row[2]).sin()) + 0.3 * &noise;
        let of = |side: &Array1<f64>| Dataset::new(x.clone(), side.mapv(|v| v > 0.0));
        let classes = y.mapv(|v| usize::from(v > -0.5) + usize::from(v > 0.5));
        Self {
            numbers: Dataset::new(x.clone(), y.clone()),
            sides: of(&y),
            apart: of(&x.column(0).to_owned()),
            classes: Dataset::new(x.clone(), classes),
            x,
        }
    }
}

fn methods() -> Vec<(&'static str, Method)> {
    let kernel = || Gaussian::new(GAMMA);
    macro_rules! fits {
        ($($name:literal, $data:ident: $params:expr;)+) => {
            vec![$((
                $name,
                Box::new(move |samples: &Samples| {
                    black_box($params.fit(&samples.$data)?);
                    Ok(())
                }) as Method,
            )),+]
        };
    }
    let mut methods = fits! {
        "KernelRidge", numbers: KernelRidge::params(kernel()).method(|m| m.penalty(0.1));
        "IterativeKernelRidge", numbers: IterativeKernelRidge::params(kernel());
        "GaussianProcess", numbers: GaussianProcess::params(kernel()).noise(0.1);
        "KernelSvr", numbers: KernelSvr::params(kernel());
        "KernelPls", numbers: KernelPls::params(3, kernel());
        "KernelRegressionDiscriminant", numbers: KernelRegressionDiscriminant::params(2, kernel());
        "KernelSvc", sides: KernelSvc::params(kernel());
        "KernelNuSvc", sides: KernelNuSvc::params(0.4, kernel());
        "KernelHardMarginSvc", apart: KernelHardMarginSvc::params(kernel());
        "KernelSvc of three classes", classes: KernelSvc::params(kernel());
        "KernelCalibratedSvc", classes: KernelCalibratedSvc::params(kernel());
        "KernelLogistic", classes: KernelLogistic::params(kernel());
        "Kfd", classes: Kfd::params(kernel());
        "KpcaLda", classes: KpcaLda::params(10, kernel());
        "Kpca", numbers: Kpca::params(5, kernel());
        "KpcaL1", numbers: KpcaL1::params(2, kernel());
        "RobustKpca", numbers: RobustKpca::params(2, kernel());
        "KernelIca", numbers: KernelIca::params(3, kernel());
        "KernelKMeans", numbers: KernelKMeans::params(5, kernel());
        "KernelOneClassSvm", numbers: KernelOneClassSvm::params(0.1, kernel());
        "NoveltyDetector", numbers: NoveltyDetector::params(kernel());
    };
    methods.push((
        "KernelCca",
        Box::new(move |samples| {
            let views = samples.x.view().split_at(Axis(1), 4);
            let (first, second) = (views.0.to_owned(), views.1.to_owned());
            black_box(KernelCca::params(2, kernel(), kernel()).fit(&first, &second)?);
            Ok(())
        }),
    ));
    methods.push((
        "search of KernelSvc",
        Box::new(move |samples| {
            let penalties: Vec<_> = [0.1, 1.0, 10.0].map(|c| Svc::params().c(c)).to_vec();
            let search = GridSearch::new([Exact::new(kernel())], penalties);
            let folds = Folds::k(samples.x.nrows(), 5, 0)?;
            let score = |p: &Array1<bool>, t: &Array1<bool>| accuracy(p, t);
            black_box(search.scores(&samples.sides, &folds, score)?);
            Ok(())
        }),
    ));
    methods.push((
        "search of KernelRidge",
        Box::new(move |samples| {
            let penalties: Vec<_> = [0.1, 1.0].map(|c| Ridge::params().penalty(c)).to_vec();
            let search = GridSearch::new([Exact::new(kernel())], penalties);
            let folds = Folds::k(samples.x.nrows(), 5, 0)?;
            let score = |p: &Array1<f64>, t: &Array1<f64>| -(p - t).mapv(|v| v * v).sum();
            black_box(search.scores(&samples.numbers, &folds, score)?);
            Ok(())
        }),
    ));
    methods
}
