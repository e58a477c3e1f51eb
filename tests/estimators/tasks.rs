//! Makes small problems that a linear method cannot solve, and the space in which it can.

use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, Ix1, concatenate};
use npt::{Axes, Exact, Gaussian, Polynomial};
use npt_testkit::data::{circles, normal};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// Samples to learn from, new samples to test with, and samples all over the plane, where two models
/// differ if they differ at all.
pub(crate) struct Task<T> {
    pub(crate) train: Dataset<f64, T, Ix1>,
    pub(crate) new: Dataset<f64, T, Ix1>,
    pub(crate) probe: Array2<f64>,
}

impl<T: Clone> Task<T> {
    pub(crate) fn map<U>(self, target: fn(&T) -> U) -> Task<U> {
        Task {
            train: self.train.map_targets(target),
            new: self.new.map_targets(target),
            probe: self.probe,
        }
    }
}

/// The space of all products of up to two features: for samples in the plane its rank is 5 exactly, so both axes span one space.
pub(crate) fn quadratic(axes: Axes) -> Exact<Polynomial<f64>> {
    Exact::new(Polynomial::new(2, 1.0, 1.0)).axes(axes)
}

/// The space of a Gaussian kernel, with nearly as many dimensions as there are distinct samples.
pub(crate) fn gaussian(axes: Axes) -> Exact<Gaussian<f64>> {
    Exact::new(Gaussian::new(1.0)).axes(axes)
}

/// A ring inside a ring: no line separates them.
pub(crate) fn rings() -> Task<usize> {
    let dataset = |(x, y)| Dataset::new(x, y);
    Task {
        train: dataset(circles(120, 1)),
        new: dataset(circles(80, 2)),
        probe: plane(),
    }
}

/// A curved surface over the plane, without any slope on the whole.
pub(crate) fn surface() -> Task<f64> {
    let dataset = |samples, seed| {
        let x = normal(samples, 2, seed);
        let noise = normal(samples, 1, seed + 10);
        let y = x.map_axis(Axis(1), |p| p[0] * p[0] - 1.5 * p[0] * p[1] - p[1] * p[1]);
        Dataset::new(x, y + noise.column(0).mapv(|e| 0.1 * e))
    };
    Task {
        train: dataset(80, 3),
        new: dataset(60, 4),
        probe: plane(),
    }
}

/// Exclusive or: opposite quadrants are of one class.
pub(crate) fn quadrants() -> Task<usize> {
    let dataset = |samples, seed| {
        let x = normal(samples, 2, seed);
        let y = x.map_axis(Axis(1), |p| usize::from(p[0] * p[1] > 0.0));
        Dataset::new(x, y)
    };
    Task {
        train: dataset(120, 8),
        new: dataset(80, 9),
        probe: plane(),
    }
}

/// A small disc in a wide ring, the disc's samples first, and another draw of both.
pub(crate) fn disc_in_ring() -> Task<usize> {
    let dataset = |seed| {
        let (ring, _) = circles(120, seed);
        let ring = ring.select(Axis(0), &(0..60).map(|i| 2 * i + 1).collect::<Vec<_>>());
        let disc = normal(60, 2, seed + 20) * 0.2;
        let x = concatenate![Axis(0), disc, ring];
        Dataset::new(x, Array1::from_iter((0..120).map(|i| i / 60)))
    };
    Task {
        train: dataset(5),
        new: dataset(6),
        probe: plane(),
    }
}

/// 600 points of the square with corners ±4.
fn plane() -> Array2<f64> {
    let mut rng = rng(7);
    Array2::from_shape_simple_fn((600, 2), || rng.gen_range(-4.0..4.0))
}

pub(crate) fn rng(seed: u64) -> Xoshiro256Plus {
    Xoshiro256Plus::seed_from_u64(seed)
}
