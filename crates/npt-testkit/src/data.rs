//! Seeded toy data.

use ndarray::{Array1, Array2, Axis};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::f64::consts::TAU;

/// Standard normal samples, shape (samples, features).
pub fn normal(samples: usize, features: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((samples, features), || rng.sample(StandardNormal))
}

/// Standard normal samples, each of which occurs `copies` times, one copy of all after the other, shape
/// (distinct·copies, features).
pub fn duplicates(distinct: usize, copies: usize, features: usize, seed: u64) -> Array2<f64> {
    let once = normal(distinct, features, seed);
    let rows: Vec<usize> = (0..distinct * copies).map(|i| i % distinct).collect();
    once.select(Axis(0), &rows)
}

/// Normal samples in a subspace of dimension `rank`, shape (samples, features): with `rank` 1, on a
/// line through the origin.
pub fn low_rank(samples: usize, features: usize, rank: usize, seed: u64) -> Array2<f64> {
    normal(samples, rank, seed).dot(&normal(rank, features, seed.wrapping_add(1)))
}

/// Standard normal samples whose first `constants` columns have one value each, shape (samples,
/// features).
pub fn constant_columns(
    samples: usize,
    features: usize,
    constants: usize,
    seed: u64,
) -> Array2<f64> {
    let mut x = normal(samples, features, seed);
    for (k, mut column) in x.columns_mut().into_iter().take(constants).enumerate() {
        column.fill(k as f64 - 1.5);
    }
    x
}

/// Equidistant points of the unit circle, shape (samples, 2). Kernel matrices of distances are
/// circulant on it: nearly all eigenvalues occur twice.
pub fn regular_polygon(samples: usize) -> Array2<f64> {
    Array2::from_shape_fn((samples, 2), |(i, k)| {
        let angle = TAU * i as f64 / samples as f64;
        if k == 0 { angle.cos() } else { angle.sin() }
    })
}

/// The points with coordinates 0, 1, …, side − 1, shape (side², 2). Many of their distances are equal.
pub fn grid(side: usize) -> Array2<f64> {
    Array2::from_shape_fn((side * side, 2), |(i, k)| {
        (if k == 0 { i / side } else { i % side }) as f64
    })
}

/// Two noisy rings around the origin, of radius 1 and 3, with labels 0 and 1 in turn: shapes
/// (samples, 2) and (samples). No line separates them.
pub fn circles(samples: usize, seed: u64) -> (Array2<f64>, Array1<usize>) {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let labels = Array1::from_shape_fn(samples, |i| i % 2);
    let mut x = Array2::zeros((samples, 2));
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        let noise: f64 = rng.sample(StandardNormal);
        let radius = 1.0 + 2.0 * label as f64 + 0.1 * noise;
        let angle = rng.gen_range(0.0..TAU);
        row[0] = radius * angle.cos();
        row[1] = radius * angle.sin();
    }
    (x, labels)
}

/// Spherical normal clusters of standard deviation `spread`, one a class, around centres that are
/// normal with standard deviation 3: shapes (classes·per_class, features) and (classes·per_class),
/// the classes one after the other.
pub fn blobs(
    per_class: usize,
    classes: usize,
    features: usize,
    spread: f64,
    seed: u64,
) -> (Array2<f64>, Array1<usize>) {
    let centers = normal(classes, features, seed) * 3.0;
    let labels = Array1::from_shape_fn(per_class * classes, |i| i / per_class);
    let noise = normal(labels.len(), features, seed.wrapping_add(1)) * spread;
    (
        noise + centers.select(Axis(0), labels.as_slice().expect("contiguous")),
        labels,
    )
}
