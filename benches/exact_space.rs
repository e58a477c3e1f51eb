//! Time to fit and apply the exact kernel space: full rank (d = 10, γ = 0.1) and low rank (d = 2).
//!
//! `cargo bench --bench exact_space` prints medians; `benches/peers/kernel_pca.py` does the same
//! work with scikit-learn. Run them in turn on a quiet machine.

use ndarray::Array2;
use npt::prelude::*;
use npt_testkit::data::normal;
use std::time::Instant;

fn main() {
    let sizes: Vec<usize> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let sizes = if sizes.is_empty() {
        vec![1000, 2000, 4000]
    } else {
        sizes
    };
    println!(
        "{:>6} {:>3} {:>10} {:>6} {:>9} {:>9}",
        "n", "d", "axes", "rank", "fit/s", "map 1000"
    );
    for &n in &sizes {
        for (d, gamma) in [(10, 0.1), (2, 0.1)] {
            for axes in [Axes::Cholesky, Axes::Principal] {
                report(&normal(n, d, 1), gamma, axes);
            }
        }
    }
}

fn report(x: &Array2<f64>, gamma: f64, axes: Axes) {
    let (n, d) = x.dim();
    let new = normal(1000, d, 2);
    let builder = Exact::new(Gaussian::new(gamma)).axes(axes);
    let mut fits = Vec::new();
    let mut maps = Vec::new();
    let mut rank = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let space = builder.fit_space(x).expect("normal data have a space");
        fits.push(start.elapsed().as_secs_f64());
        rank = space.rank();
        let start = Instant::now();
        space
            .coordinates(&new)
            .expect("finite data have coordinates");
        maps.push(start.elapsed().as_secs_f64());
    }
    let (fit, map) = (median(fits), median(maps));
    println!(
        "{n:>6} {d:>3} {:>10} {rank:>6} {fit:>9.3} {map:>9.3}",
        format!("{axes:?}")
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
