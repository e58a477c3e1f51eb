//! Time to fit the support vector classifier with a Gaussian kernel, on two overlapping clouds.
//!
//! `cargo bench --bench support_vectors` prints medians, of the space and of the solver in it;
//! `benches/peers/svc.py` does the same work with scikit-learn (LIBSVM). Both take files of
//! comma-separated rows with the class last, as `file:rows:gamma:c`.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, s};
use npt::{Exact, KernelSpace, SpaceBuilder, methods::linear::Svc, prelude::*};
use npt_testkit::data::normal;
use std::time::Instant;

fn main() {
    let tasks: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    println!(
        "{:>40} {:>6} {:>9} {:>9} {:>7}",
        "task", "rank", "space/s", "svc/s", "support"
    );
    if tasks.is_empty() {
        for n in [500, 1000, 2000, 4000] {
            for c in [1.0, 100.0] {
                let (x, y) = clouds(n);
                report(&format!("clouds, n = {n}, C = {c}"), &x, &y, 0.1, c);
            }
        }
    }
    for task in tasks {
        let parts: Vec<&str> = task.split(':').collect();
        let (x, y) = read(parts[0], parts[1].parse().expect("rows"));
        report(
            &task,
            &x,
            &y,
            parts[2].parse().expect("gamma"),
            parts[3].parse().expect("C"),
        );
    }
}

/// Two classes whose clouds differ by one standard deviation in each of 10 features.
fn clouds(n: usize) -> (Array2<f64>, Array1<bool>) {
    let y = Array1::from_shape_fn(n, |i| i % 2 == 0);
    let mut x = normal(n, 10, 1);
    for (mut row, &side) in x.outer_iter_mut().zip(&y) {
        row += if side { 0.5 } else { -0.5 };
    }
    (x, y)
}

fn read(path: &str, rows: usize) -> (Array2<f64>, Array1<bool>) {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let values: Vec<Vec<f64>> = text
        .lines()
        .take(rows)
        .map(|line| {
            line.split(',')
                .map(|v| v.trim().parse().expect("a number"))
                .collect()
        })
        .collect();
    let columns = values[0].len();
    let all = Array2::from_shape_vec((values.len(), columns), values.concat()).expect("a table");
    let y = all.column(columns - 1).mapv(|v| v > 0.5);
    (all.slice(s![.., ..columns - 1]).to_owned(), y)
}

fn report(task: &str, x: &Array2<f64>, y: &Array1<bool>, gamma: f64, c: f64) {
    let builder = Exact::new(Gaussian::new(gamma)).axes(Axes::Cholesky);
    let (mut spaces, mut fits) = (Vec::new(), Vec::new());
    let (mut rank, mut support) = (0, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let space = builder.fit_space(x).expect("normal data have a space");
        spaces.push(start.elapsed().as_secs_f64());
        rank = space.rank();
        let data = DatasetBase::new(space.training_coordinates(), y.clone());
        let start = Instant::now();
        let svc = Svc::<f64>::params().c(c).fit(&data).expect("two classes");
        fits.push(start.elapsed().as_secs_f64());
        support = svc.dual().iter().filter(|v| **v != 0.0).count();
    }
    let (space, fit) = (median(spaces), median(fits));
    println!("{task:>40} {rank:>6} {space:>9.4} {fit:>9.4} {support:>7}");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
