//! The works of `scale.py`, done by npt. Each process does one and reports its peak memory.
//!
//! Arguments: the folder of samples, the name of the work, and the arguments of the work. The answer is one line: numbers by name.

// The casts are of counts, which are not negative.
#![allow(clippy::cast_sign_loss)]

#[path = "../peers/read.rs"]
mod read;

mod blocks;
mod tables;

use linfa::Dataset;
use ndarray::{Array1, Array2, s};
use npt::{
    linalg,
    methods::{Centroids, IterativeKernelRidge},
    prelude::*,
};
use read::Folder;
use std::time::Instant;

/// The number of rows in a block of a stream.
const BLOCK: usize = 4000;

/// The largest number of samples whose kernel matrix fits well into memory.
const MOST_OF_ALL: usize = 20_000;

type Numbers = Vec<(&'static str, f64)>;

fn main() {
    // `cargo bench` adds an argument that is not ours.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [folder, work, arguments @ ..] = &words[..] else {
        println!("a folder of samples and a work are missing; see scale.py");
        return;
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut numbers = do_work(&Folder::new(folder.clone()), work, &arguments);
    numbers.push(("memory", peak_memory()));
    let pairs = numbers
        .iter()
        .map(|(name, value)| format!("{name}={value:e}"));
    println!("{}", pairs.collect::<Vec<String>>().join(" "));
}

fn do_work(folder: &Folder, work: &str, arguments: &[&str]) -> Numbers {
    match (work, arguments) {
        ("residual", [name, gamma, rule, landmarks, seed]) => {
            let kernel = Gaussian::new(number(gamma));
            let landmarks = number(landmarks) as usize;
            residual(
                &folder.samples(name),
                kernel,
                rule,
                landmarks,
                number(seed) as u64,
            )
        }
        ("best", [name, gamma, counts]) => {
            best(folder.samples(name), Gaussian::new(number(gamma)), counts)
        }
        ("stream", [rows, landmarks, format]) => {
            let (rows, landmarks) = (number(rows) as usize, number(landmarks) as usize);
            tables::stream(folder.path(), rows, landmarks, format)
        }
        ("write" | "read", [rows, columns, format]) => {
            let (rows, columns) = (number(rows) as usize, number(columns) as usize);
            let work = if work == "write" {
                tables::write
            } else {
                tables::read
            };
            work(folder.path(), rows, columns, format)
        }
        ("classes", [name, landmarks, gamma, c]) => classes(
            folder,
            name,
            landmarks,
            Gaussian::new(number(gamma)),
            number(c),
        ),
        ("sides", [name, landmarks, gamma, c]) => sides(
            folder,
            name,
            number(landmarks) as usize,
            Gaussian::new(number(gamma)),
            number(c),
        ),
        ("blocks", [name, landmarks, solver]) => {
            blocks::ridge(folder, name, number(landmarks) as usize, solver)
        }
        ("logistic", [name, landmarks, gamma, penalty]) => blocks::logistic(
            folder,
            name,
            number(landmarks) as usize,
            Gaussian::new(number(gamma)),
            number(penalty),
        ),
        ("svc", [name, landmarks, gamma, c]) => blocks::svc(
            folder,
            name,
            number(landmarks) as usize,
            Gaussian::new(number(gamma)),
            number(c),
        ),
        ("kmeans", [name, landmarks, gamma, clusters]) => blocks::kmeans(
            folder,
            name,
            number(landmarks) as usize,
            Gaussian::new(number(gamma)),
            number(clusters) as usize,
        ),
        ("ridge", [name, pivots, gamma, penalty]) => {
            let kernel = Gaussian::new(number(gamma));
            ridge(
                folder,
                name,
                number(pivots) as usize,
                kernel,
                number(penalty),
            )
        }
        other => panic!("no such work: {other:?}"),
    }
}

/// The peak memory of this process, in MB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    kilobytes.map_or(f64::NAN, |kilobytes| number(kilobytes) / 1024.0)
}

fn number(word: &str) -> f64 {
    word.parse().expect("a number")
}

/// Does `work`, and returns the seconds that it took and its result.
fn timed<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The share of the trace that the landmarks chosen by `rule` leave.
fn residual(
    x: &Array2<f64>,
    kernel: Gaussian<f64>,
    rule: &str,
    landmarks: usize,
    seed: u64,
) -> Numbers {
    fn fit<L>(x: &Array2<f64>, kernel: Gaussian<f64>, landmarks: L) -> f64
    where
        L: npt::LandmarkSelection<Rows<f64>>,
    {
        left(x, Nystrom::new(kernel, landmarks).axes(Axes::Cholesky))
    }
    fn left<L>(x: &Array2<f64>, builder: Nystrom<Gaussian<f64>, L>) -> f64
    where
        L: npt::LandmarkSelection<Rows<f64>>,
    {
        let fitted = builder.centered(false).fit_space(x).expect("a space");
        fitted.relative_trace_residual()
    }
    let (seconds, left) = timed(|| match rule {
        "random" => fit(x, kernel, Pivoting::random(landmarks).seed(seed)),
        // The space is that of the largest principal axes of twice as many landmarks.
        "random-cut" => {
            let builder = Nystrom::new(kernel, Pivoting::random(2 * landmarks).seed(seed));
            left(x, builder.rank(Rank::Components(landmarks)))
        }
        "greedy" => fit(x, kernel, Pivoting::greedy(landmarks)),
        "uniform" => fit(x, kernel, Pivoting::uniform(landmarks).seed(seed)),
        "leverage" => {
            // This penalty leaves about as many dimensions as there are landmarks.
            let penalty = 0.1 * x.nrows() as f64 / landmarks as f64;
            fit(
                x,
                kernel,
                Pivoting::by_leverage(landmarks, penalty).seed(seed),
            )
        }
        "centroids" => fit(x, kernel, Centroids::new(landmarks).seed(seed)),
        other => panic!("no such rule: {other}"),
    });
    vec![("seconds", seconds), ("left", left)]
}

/// The share of the trace that the best space of each number of dimensions leaves: all but the largest eigenvalues. If the samples are too
/// many for a kernel matrix, the eigenvalues are those in the space of many landmarks. These are smaller than the true ones: the sum of the
/// differences is the share of the trace that the landmarks leave, returned as "unknown".
fn best(x: Array2<f64>, kernel: Gaussian<f64>, counts: &str) -> Numbers {
    let counts: Vec<usize> = counts
        .split(',')
        .map(|count| number(count) as usize)
        .collect();
    let most = counts.iter().max().expect("some count");
    let trace = x.nrows() as f64;
    let (values, unknown) = if x.nrows() <= MOST_OF_ALL {
        let gram = kernel.gram(&Rows::new(x).expect("finite rows"));
        (
            linalg::leading_eigh(&gram, *most).expect("eigenvalues").0,
            0.0,
        )
    } else {
        let builder = Nystrom::new(kernel, Pivoting::random(4 * most)).axes(Axes::Cholesky);
        let fitted = builder.centered(false).fit_space(&x).expect("a space");
        let scatter = linalg::symmetric_rank_k(fitted.training_coordinates());
        let (values, _) = linalg::leading_eigh(&scatter, *most).expect("eigenvalues");
        (values, fitted.relative_trace_residual())
    };
    let left = |&count: &usize| ("left", 1.0 - values.slice(s![..count]).sum() / trace);
    let mut numbers: Numbers = counts.iter().map(left).collect();
    numbers.push(("unknown", unknown));
    numbers
}

/// Support vector classification of several classes, in the exact space or in that of landmarks.
fn classes(folder: &Folder, name: &str, landmarks: &str, kernel: Gaussian<f64>, c: f64) -> Numbers {
    let labels = |name: &str| folder.targets(name).mapv(|label| label as usize);
    let [train, test] = ["train", "test"].map(|part| format!("{name}-{part}"));
    let data = Dataset::new(folder.samples(&train), labels(&train));
    let (new, expected) = (folder.samples(&test), labels(&test));
    let exact = KernelSvc::params(kernel).method(|m| m.c(c));
    let (seconds, found) = if landmarks == "exact" {
        let (seconds, model) = timed(|| exact.fit(&data).expect("a model"));
        (seconds, model.predict(&new))
    } else {
        let landmarks = Pivoting::random(number(landmarks) as usize);
        let params = exact.space(|_| Nystrom::new(kernel, landmarks).axes(Axes::Cholesky));
        let (seconds, model) = timed(|| params.fit(&data).expect("a model"));
        (seconds, model.predict(&new))
    };
    vec![
        ("seconds", seconds),
        ("error", share_of_errors(&found, &expected)),
    ]
}

/// Support vector classification of two classes, in the space of landmarks.
fn sides(folder: &Folder, name: &str, landmarks: usize, kernel: Gaussian<f64>, c: f64) -> Numbers {
    let labels = |name: &str| folder.targets(name).mapv(|label| label > 0.5);
    let [train, test] = ["train", "test"].map(|part| format!("{name}-{part}"));
    let data = Dataset::new(folder.samples(&train), labels(&train));
    let landmarks = Nystrom::new(kernel, Pivoting::random(landmarks)).axes(Axes::Cholesky);
    let params = KernelSvc::params(kernel)
        .method(|m| m.c(c))
        .space(|_| landmarks);
    let (seconds, model) = timed(|| params.fit(&data).expect("a model"));
    let found: Array1<bool> = model.predict(&folder.samples(&test));
    vec![
        ("seconds", seconds),
        ("error", share_of_errors(&found, &labels(&test))),
    ]
}

/// Exact ridge regression, by iterations.
fn ridge(
    folder: &Folder,
    name: &str,
    pivots: usize,
    kernel: Gaussian<f64>,
    penalty: f64,
) -> Numbers {
    let data = Dataset::new(folder.samples(name), folder.targets(name));
    let params = IterativeKernelRidge::params(kernel);
    let params = params.method(|m| m.penalty(penalty).pivots(pivots).tolerance(1e-4));
    let (seconds, model) = timed(|| params.fit(&data).expect("a regression"));
    let (iterations, left) = (
        model.inner().iterations() as f64,
        model.inner().relative_residual(),
    );
    vec![
        ("seconds", seconds),
        ("iterations", iterations),
        ("residual", left),
    ]
}

fn share_of_errors<T: PartialEq>(found: &Array1<T>, expected: &Array1<T>) -> f64 {
    let wrong = found.iter().zip(expected).filter(|(a, b)| a != b).count();
    wrong as f64 / expected.len() as f64
}
