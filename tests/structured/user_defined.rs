use npt::prelude::*;
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

/// A kernel of one's own, on a type of one's own: every law in one call, and a sum with another.
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

/// The same operators and names as a kernel of this crate has.
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
