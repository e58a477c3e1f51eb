//! What lasts tells how far it is.

use super::{
    onlooker::Turn,
    stages::{kernel, x},
};
use npt::{Kernel, prelude::*, watch::Progress};
use std::{
    thread,
    time::{Duration, Instant},
};

/// A kernel that takes its time.
struct Slow;

impl Kernel<Rows<f64>> for Slow {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        if a[0] < b[0] {
            thread::sleep(Duration::from_micros(20));
        }
        kernel().eval(a, b)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

#[test]
fn a_factor_tells_its_pivots() {
    let turn = Turn::take();
    Exact::new(Slow).fit_space(&x(300)).unwrap();
    let told: Vec<_> = turn
        .events()
        .into_iter()
        .filter(|told| told.stage == "factor")
        .collect();
    assert!(!told.is_empty());
    assert!(told.iter().all(|told| told.total == Some(300)), "{told:?}");
    let pivots: Vec<_> = told.iter().map(|told| told.done.unwrap()).collect();
    assert!(
        pivots.is_sorted() && pivots.iter().all(|&done| done < 300),
        "{pivots:?}"
    );
}

/// On a machine that stands still, what is short may be long.
#[test]
fn nothing_is_told_of_what_is_short_and_little_of_what_is_long() {
    const INTERVAL: Duration = Duration::from_millis(100);
    let turn = Turn::take();
    let start = Instant::now();
    Exact::new(kernel()).fit_space(&x(50)).unwrap();
    if start.elapsed() < INTERVAL {
        assert_eq!(turn.events().len(), 0);
    }
    let before = turn.events().len();
    let start = Instant::now();
    let mut progress = Progress::start("waiting", 1000);
    for done in 0..1000 {
        progress.at(done);
        thread::sleep(Duration::from_micros(500));
    }
    let most = start.elapsed().as_millis() / INTERVAL.as_millis();
    let told = &turn.events()[before..];
    assert!(!told.is_empty());
    assert!(told.len() as u128 <= most, "{} of {most}", told.len());
    assert!(told.iter().all(|told| told.value.is_none()));
}
