use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{KernelMethod, Samples, methods::linear::Pca, prelude::*};
use npt_testkit::laws;
use std::sync::Arc;

/// A span of time, from its start to its end.
#[derive(Debug, Clone)]
struct Interval {
    start: f64,
    end: f64,
}

/// The time that two intervals share: the inner product of their indicator functions.
struct Overlap;

npt::composable!(Overlap);

impl Kernel<Items<Interval>> for Overlap {
    type Scalar = f64;

    npt::parameters!("overlap");

    fn eval(&self, a: &Interval, b: &Interval) -> f64 {
        (a.end.min(b.end) - a.start.max(b.start)).max(0.0)
    }
}

fn intervals(count: u32, step: f64) -> Items<Interval> {
    let interval = |i| {
        let start = (f64::from(i) * step) % 7.0;
        let end = start + 0.5 + (f64::from(i) * 1.7) % 2.0;
        Interval { start, end }
    };
    Items::new((0..count).map(interval).collect()).unwrap()
}

/// All laws are checked in one call for a user's own kernel on a type of one's own, and for a sum with another.
#[test]
fn laws_hold_for_a_kernel_from_outside() {
    let (x, x_new) = (intervals(25, 1.3), intervals(6, 2.1));
    laws::check_all(&Overlap, &x, &x_new);
    laws::check_all(
        &Overlap.scaled(2.0).plus(Overlap.times(Overlap)),
        &x,
        &x_new,
    );
}

/// A user's own kernel has the same operators and names as a kernel of this crate.
#[test]
fn a_kernel_from_outside_joins_the_operators() {
    let x = intervals(5, 1.3);
    let (a, b) = (x.get(0), x.get(3));
    let any: Arc<dyn Kernel<Items<Interval>, Scalar = f64>> = Arc::new(Overlap);
    let normalized = Normalized::new(Overlap);
    let kernel = Overlap * any.clone() + Overlap + Normalized::new(Overlap) * any;
    assert_eq!(
        kernel.describe().to_string(),
        "sum(sum(product(overlap, overlap), overlap), product(normalized(overlap), overlap))"
    );
    let value = Overlap.eval(a, b);
    assert_eq!(
        kernel.eval(a, b),
        value * value + value + normalized.eval(a, b) * value
    );
}

/// A kernel whose blocks are in column-major order.
struct Transposed<K>(K);

impl<S: Samples, K: Kernel<S>> Kernel<S> for Transposed<K> {
    type Scalar = K::Scalar;

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.0.eval(a, b)
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        self.0.cross(b, a).reversed_axes()
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        self.0.gram(x).reversed_axes()
    }
}

/// Spaces and methods take the blocks of a kernel in whatever memory order they are, on every road.
#[test]
fn blocks_in_column_major_order() {
    let (x, new) = (intervals(40, 1.3), intervals(6, 2.1));
    laws::check_all(&Transposed(Overlap), &x, &new);
    let sides = Array1::from_shape_fn(40, |i| i % 3 == 0);
    let data = DatasetBase::new(x, sides);
    let scores = |space: Exact<Transposed<Overlap>>| -> Array2<f64> {
        let kpca = KernelMethod::new(Pca::params(2), space);
        kpca.by_coordinates()
            .fit(&data)
            .unwrap()
            .transform(new.clone())
    };
    let plain = Exact::new(Transposed(Overlap));
    for space in [
        plain.clone(),
        plain.clone().landmarks_only(true),
        plain.clone().axes(Axes::Cholesky).rank(Rank::Components(5)),
    ] {
        assert!(scores(space).iter().all(|v| v.is_finite()));
    }
    let expected: Array1<f64> = KernelSvc::params(Overlap)
        .fit(&data)
        .unwrap()
        .transform(new.clone());
    let found = KernelSvc::params(Transposed(Overlap)).fit(&data).unwrap();
    let found: Array1<f64> = found.transform(new.clone());
    assert!((found - expected).iter().all(|d| d.abs() < 1e-12));
}
