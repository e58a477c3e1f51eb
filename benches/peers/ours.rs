//! The works of `compare.py`, done by npt.
//!
//! Each line of the standard input names a work and its arguments. The program does the work once and answers on one line with
//! the seconds it took and a few numbers of the result; a bar separates groups of numbers of different size.
//! The first argument names the folder of the samples.

// The casts are of counts, which are not negative.
#![allow(clippy::cast_sign_loss)]

mod read;

use linfa::{Dataset, DatasetBase};
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, Ix1, s};
use npt::{
    Scalar,
    methods::{
        linear::{KMeans, RidgePath, Svc},
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
};
use rayon::prelude::*;
use read::Folder;
use std::{
    hint::black_box,
    io::{BufRead, Write, stdin, stdout},
    time::Instant,
};

fn main() {
    // `cargo bench` adds this.
    let folder = std::env::args().skip(1).find(|a| a != "--bench");
    let Some(folder) = folder.map(Folder::new) else {
        println!("a folder of samples is missing; see compare.py");
        return;
    };
    for line in stdin().lock().lines() {
        let line = line.expect("lines of text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let (seconds, values) = work(&folder, words[0], &words[1..]);
        let values = values.into_iter().map(|group| {
            let numbers = group.iter().map(|v| format!("{v:e}"));
            numbers.collect::<Vec<String>>().join(" ")
        });
        println!("{seconds} {}", values.collect::<Vec<String>>().join(" | "));
        stdout().flush().expect("somebody reads");
    }
}

const GAMMA: f64 = 0.1;

fn kernel() -> Gaussian<f64> {
    Gaussian::new(GAMMA)
}

/// The time that a work took, and the numbers to compare; the numbers in a group are of the same size.
type Answer = (f64, Vec<Vec<f64>>);

fn work(folder: &Folder, name: &str, arguments: &[&str]) -> Answer {
    let number = |i: usize| arguments[i].parse::<usize>().expect("a number");
    let samples = || folder.samples(arguments[0]);
    let data = || Dataset::new(samples(), folder.targets(arguments[0]));
    let sides = || data().map_targets(|&v| v > 0.5);
    match name {
        "gram" => gram::<f64>(&samples()),
        "gram-f32" => gram::<f32>(&samples()),
        "space" => space(&samples(), Axes::Cholesky),
        "principal" => space(&samples(), Axes::Principal),
        "components" => components(samples(), number(1)),
        "transform" => transform(samples(), &folder.samples(arguments[1]), number(2)),
        "svc" => svc(&sides(), arguments[1]),
        "svc-predict" => svc_predict(&sides(), number(1)),
        "letters" => letters(data()),
        "svr" => svr(&data()),
        "folds" => folds(&sides()),
        "grid" => grid(&sides(), &numbers(arguments[1]), &numbers(arguments[2])),
        "ridge" => ridge(&data()),
        "ridge-path" => ridge_path(&data()),
        "process" => process(&data()),
        "k-means" => k_means(samples(), number(1), number(2)),
        "limits" => limits(),
        _ => panic!("there is no work {name}"),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_secs_f64(), result)
}

fn numbers(list: &str) -> Vec<f64> {
    let numbers = list.split(',').map(|v| v.parse().expect("a number"));
    numbers.collect()
}

/// The kernel matrix, centred as Kwak's algorithm 1 says.
fn gram<F: Scalar>(x: &Array2<f64>) -> Answer {
    let rows = Rows::new(x.mapv(F::cast)).expect("finite rows");
    let kernel = Gaussian::new(F::cast(GAMMA));
    let (seconds, k) = timed(|| npt_core::centered_gram(&kernel, &rows).expect("finite"));
    let some = (0..20).map(|i| k[[i, 2 * i]].as_f64());
    (seconds, vec![some.collect()])
}

fn space(x: &Array2<f64>, axes: Axes) -> Answer {
    let builder = Exact::new(kernel()).axes(axes);
    let (seconds, space) = timed(|| builder.fit_space(x).expect("a space"));
    (seconds, vec![inner_products(space.training_coordinates())])
}

/// The inner products of neighbouring samples, which are the same on any axes.
fn inner_products(y: ArrayView2<'_, f64>) -> Vec<f64> {
    (0..20).map(|i| y.row(i).dot(&y.row(i + 1))).collect()
}

fn components(x: Array2<f64>, count: usize) -> Answer {
    let data = DatasetBase::from(x);
    let params = Kpca::params(count, kernel());
    let (seconds, model) = timed(|| params.fit(&data).expect("components"));
    (seconds, vec![model.inner().eigenvalues().to_vec()])
}

fn transform(x: Array2<f64>, new: &Array2<f64>, count: usize) -> Answer {
    let model = Kpca::params(count, kernel()).fit(&DatasetBase::from(x));
    let model = model.expect("components");
    let (seconds, scores): (f64, Array2<f64>) = timed(|| model.try_transform(new).expect("finite"));
    (seconds, vec![scores.row(0).mapv(f64::abs).to_vec()])
}

/// The dual objective Σα − ½αᵀKα, and some decision values.
fn svc(data: &Dataset<f64, bool, Ix1>, c: &str) -> Answer {
    let c = c.parse().expect("a number");
    let params = KernelSvc::params(kernel()).method(|m| m.c(c));
    let (seconds, model) = timed(|| params.fit(data).expect("two classes"));
    let expansion = model.expansion();
    let alpha = expansion.coefficients().column(0).to_owned();
    let own = expansion.evaluate(&expansion.samples().view());
    let own = own.expect("finite").column(0).to_owned() - expansion.offsets()[0];
    let objective = alpha.mapv(f64::abs).sum() - 0.5 * alpha.dot(&own);
    let decisions: Array1<f64> = model.transform(data.records.slice(s![..20, ..]));
    (seconds, vec![vec![objective], decisions.to_vec()])
}

fn svc_predict(data: &Dataset<f64, bool, Ix1>, times: usize) -> Answer {
    let model = KernelSvc::params(kernel()).fit(data).expect("two classes");
    let copies = vec![data.records.view(); times];
    let many = ndarray::concatenate(Axis(0), &copies).expect("rows of one width");
    let (seconds, sides): (f64, Array1<bool>) = timed(|| model.predict(&many));
    (
        seconds,
        vec![vec![sides.iter().filter(|&&side| side).count() as f64]],
    )
}

fn letters(data: Dataset<f64, f64, Ix1>) -> Answer {
    let data = data.map_targets(|v| *v as usize);
    let params = KernelSvc::params(kernel()).method(|m| m.c(10.0));
    let (seconds, model) = timed(|| params.fit(&data).expect("26 classes"));
    let support = model.expansion().samples().view().nrows();
    let some = data.records.slice(s![..2000, ..]).to_owned();
    let labels: Array1<usize> = model.predict(&some);
    let right = labels.iter().zip(&data.targets).filter(|(a, b)| a == b);
    (
        seconds,
        vec![vec![support as f64], vec![right.count() as f64]],
    )
}

fn svr(data: &Dataset<f64, f64, Ix1>) -> Answer {
    let (seconds, model) = timed(|| KernelSvr::params(kernel()).fit(data).expect("targets"));
    let some = data.records.slice(s![..20, ..]).to_owned();
    (seconds, vec![model.predict(&some).to_vec()])
}

fn five_folds(data: &Dataset<f64, bool, Ix1>) -> Folds {
    Folds::stratified(data, 5, 0).expect("five folds")
}

/// The number of the fold that each sample is in.
fn folds(data: &Dataset<f64, bool, Ix1>) -> Answer {
    let mut of_samples = vec![0.0; data.records.nrows()];
    for (fold, held_out) in five_folds(data).held_out().enumerate() {
        for &i in held_out {
            of_samples[i] = fold as f64;
        }
    }
    (0.0, vec![of_samples])
}

/// The mean scores of all candidates.
fn grid(data: &Dataset<f64, bool, Ix1>, gammas: &[f64], cs: &[f64]) -> Answer {
    let folds = five_folds(data);
    let spaces: Vec<_> = gammas
        .iter()
        .map(|&g| Exact::new(Gaussian::new(g)))
        .collect();
    let methods: Vec<_> = cs.iter().map(|&c| Svc::params().c(c)).collect();
    let search = GridSearch::new(spaces, methods);
    let (seconds, scores) = timed(|| {
        let scores = search.scores(data, &folds, |p: &Array1<bool>, t| accuracy(p, t));
        scores.expect("candidates")
    });
    let mean = |candidate| scores.mean(candidate).expect("fitted");
    (seconds, vec![scores.candidates().map(mean).collect()])
}

/// Ridge regression without an intercept, as the peer has it.
fn ridge(data: &Dataset<f64, f64, Ix1>) -> Answer {
    let params = KernelRidge::params(kernel()).method(|m| m.intercept(false));
    let params = params.space(|s| s.centered(false));
    let (seconds, model) = timed(|| params.fit(data).expect("targets"));
    let some = data.records.slice(s![..20, ..]).to_owned();
    (seconds, vec![model.predict(&some).to_vec()])
}

/// The inertia of the best of several starts. Each library draws its own starts, and each start ends in a local minimum.
fn k_means(x: Array2<f64>, clusters: usize, starts: usize) -> Answer {
    let data = DatasetBase::from(x);
    let params = KMeans::params(clusters).starts(starts);
    let (seconds, model) = timed(|| params.fit(&data).expect("different samples"));
    (seconds, vec![vec![model.inertia()]])
}

/// The predictions at the last penalty. They are compared, as the errors by which we choose a penalty are not those of the peer.
fn ridge_path(data: &Dataset<f64, f64, Ix1>) -> Answer {
    let penalties = Array::logspace(10.0, -4.0, 2.0, 50).to_vec();
    let path = RidgePath::params(&penalties).intercept(false);
    let path = Kernelized::new(path, Exact::new(kernel()).centered(false));
    let (seconds, model) = timed(|| path.fit(data).expect("targets"));
    let last = model.inner().points().last().expect("fifty").model();
    let some = data.records.slice(s![..20, ..]).to_owned();
    let y = model.space().coordinates(&some).expect("finite");
    (seconds, vec![last.predict(&y).to_vec()])
}

fn process(data: &Dataset<f64, f64, Ix1>) -> Answer {
    let new = data.records.slice(s![..1000, ..]).to_owned();
    let params = GaussianProcess::params(kernel()).noise(0.1);
    let (seconds, (means, variances)) = timed(|| {
        let model = params.fit(data).expect("targets");
        model.predict_with_variance(&new).expect("finite")
    });
    let (means, variances) = (means.slice(s![..10]), variances.slice(s![..10]));
    (seconds, vec![means.to_vec(), variances.to_vec()])
}

/// The bytes a second of reading memory, and of writing to new pages.
fn limits() -> Answer {
    const NUMBERS: usize = 1 << 25;
    let (touch, numbers) = timed(|| {
        let mut numbers = vec![0.0_f64; NUMBERS];
        numbers.par_chunks_mut(1 << 16).for_each(|c| c.fill(1.0));
        numbers
    });
    let (read, _) = timed(|| {
        let sums = numbers.par_chunks(1 << 16).map(|c| {
            let mut lanes = [0.0; 16];
            for values in c.chunks_exact(16) {
                lanes.iter_mut().zip(values).for_each(|(s, v)| *s += v);
            }
            lanes.iter().sum::<f64>()
        });
        sums.sum::<f64>()
    });
    let bytes = (NUMBERS * size_of::<f64>()) as f64;
    (0.0, vec![vec![bytes / read, bytes / touch]])
}
