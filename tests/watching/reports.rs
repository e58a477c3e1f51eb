//! Tests that work which lasts reports its progress.

use super::{
    onlooker::{Told, Turn},
    stages::{kernel, values, x},
};
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::Array1;
use npt::{
    Kernel,
    methods::{
        linear::{Logistic, Ridge},
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
    watch::Progress,
};
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

/// Slow kernels report how many of a matrix's values are computed, whatever the kernel is made of.
#[test]
fn slow_kernels_tell_their_values() {
    let turn = Turn::take();
    let space = Exact::new(Slow)
        .rank(Rank::Components(2))
        .fit_space(&x(300))
        .unwrap();
    let model = KernelRidge::params(Slow).fit(&values(380)).unwrap();
    let new = x(600);
    space.coordinates(&new).unwrap();
    model.expansion().evaluate(&new).unwrap();
    for stage in ["kernel values", "coordinates", "expansion"] {
        let events = turn.events().into_iter();
        let of_stage: Vec<_> = events.filter(|told| told.stage == stage).collect();
        let shares = of_stage.iter().map(|told| told.done.zip(told.total));
        let is_told = |share: Option<(u64, u64)>| {
            share.is_some_and(|(done, total)| 0 < done && done <= total)
        };
        assert!(shares.into_iter().any(is_told), "{stage}: {of_stage:?}");
    }
}

/// Machines of long tables begin with other rounds than pairs, and report these as well.
#[test]
fn machines_of_rows_tell_their_rounds() {
    let turn = Turn::take();
    let records = npt_testkit::data::normal(20_000, 60, 3);
    let noise = npt_testkit::data::normal(20_000, 1, 4);
    let side = records.column(0).to_owned() + noise.column(0);
    let data = npt::linfa::Dataset::new(records, side.mapv(|value| value > 0.0));
    npt::methods::linear::Svc::params()
        .c(10.0)
        .fit(&data)
        .unwrap();
    let of_machine = |told: &Told| told.stage == "support vectors";
    let spans: Vec<_> = turn.spans().into_iter().filter(of_machine).collect();
    // Pairs of coefficients have little to do alone where those rounds come first.
    assert_eq!(spans.len(), 1);
    assert!(spans[0].done > Some(10), "{spans:?}");
    let events = turn.events().into_iter().filter(of_machine);
    let values = events.map(|told| told.value.expect("what is left"));
    assert!(values.into_iter().all(f64::is_finite));
}

/// A score that is slow: minus the squared error.
fn slow_score(found: &Array1<f64>, truth: &Array1<f64>) -> f64 {
    thread::sleep(Duration::from_millis(40));
    -(found - truth).pow2().sum()
}

/// A search reports its fits inside a fold: methods that are fitted one after the other, as logistic regressions are, are reported one by one,
/// not when all of a fold are done.
#[test]
fn a_search_tells_its_fits_inside_a_fold() {
    let data = values(40).map_targets(|&value| value > 0.0);
    let folds = Folds::stratified(&data, 2, 0).unwrap();
    let penalties: [f64; 10] = std::array::from_fn(|i| 0.1 * (i + 1) as f64);
    let methods = || penalties.map(|penalty| Logistic::params().penalty(penalty));
    let score = |predicted: &Array1<bool>, truth: &Array1<bool>| {
        thread::sleep(Duration::from_millis(40));
        accuracy(predicted, truth)
    };
    let search = || GridSearch::new([Exact::new(kernel())], methods());
    for road in 0..3 {
        let turn = Turn::take();
        match road {
            0 => drop(search().scores(&data, &folds, score).unwrap()),
            1 => drop(
                search()
                    .by_coordinates()
                    .scores(&data, &folds, score)
                    .unwrap(),
            ),
            _ => {
                let behind = search().after(LinearScaler::standard());
                drop(behind.scores(&data, &folds, score).unwrap());
            }
        }
        let events = turn.events().into_iter();
        let of_grid = events.filter(|told| told.stage == "grid" && told.total == Some(20));
        let done: Vec<u64> = of_grid.map(|told| told.done.unwrap()).collect();
        assert!(done.iter().any(|done| done % 10 != 0), "{road}: {done:?}");
        assert_eq!(turn.in_the_end("grid", 20), [20]);
    }
}

/// A search reports its fits from the threads that fit, behind a transformer as well.
#[test]
fn a_search_tells_its_fits() {
    let turn = Turn::take();
    let spaces = [0.1, 1.0].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let methods = [0.1, 1.0, 10.0].map(|penalty| Ridge::params().penalty(penalty));
    let search = GridSearch::new(spaces, methods);
    let (data, folds) = (values(60), Folds::k(60, 4, 0).unwrap());
    let alone = search.scores(&data, &folds, slow_score).unwrap();
    let between = turn.events().len();
    let search = search.after(LinearScaler::standard());
    let behind = search.scores(&data, &folds, slow_score).unwrap();
    assert!(alone.best().is_some() && behind.best().is_some());
    let total = 2 * 3 * 4;
    for told in [&turn.events()[..between], &turn.events()[between..]] {
        let of_grid = told
            .iter()
            .filter(|told| told.stage == "grid" && told.total == Some(total));
        let done: Vec<u64> = of_grid.map(|told| told.done.unwrap()).collect();
        // The fits are counted one by one, on the threads of all folds.
        assert!(
            done.is_sorted() && done.iter().all(|&done| done <= total),
            "{done:?}"
        );
        assert!(done.iter().any(|&done| done > 0), "{done:?}");
    }
    assert_eq!(turn.in_the_end("grid", total), [total, total]);
}

/// All fits of a search are counted, also where there is no space, where nothing can be fitted, and for pairs.
#[test]
fn all_fits_of_a_search_are_counted() {
    let turn = Turn::take();
    let spaces = [0.1, -1.0].map(|gamma| Exact::new(Gaussian::new(gamma)));
    let methods = [1.0, 2.0].map(|penalty| Ridge::params().penalty(penalty));
    let (data, folds) = (values(35), Folds::k(35, 7, 0).unwrap());
    let score = |found: &Array1<f64>, truth: &Array1<f64>| -(found - truth).pow2().sum();

    let search = GridSearch::new(spaces, methods);
    let total = 2 * 2 * 7;
    search.scores(&data, &folds, score).unwrap();
    search
        .clone()
        .by_coordinates()
        .scores(&data, &folds, score)
        .unwrap();
    let behind = search.clone().after(LinearScaler::standard());
    behind.scores(&data, &folds, score).unwrap();
    // Scaled, these records are no numbers.
    let mut huge = data.clone();
    huge.records.row_mut(3).fill(f64::MAX);
    huge.records.row_mut(30).fill(-f64::MAX);
    let lost = behind.scores(&huge, &folds, score).unwrap();
    assert!(lost.best().is_none());
    assert_eq!(turn.in_the_end("grid", total), [total; 4]);

    search
        .clone()
        .paired()
        .scores(&data, &folds, score)
        .unwrap();
    assert_eq!(turn.in_the_end("grid", 2 * 7), [2 * 7]);

    let inner = |targets: &Array1<f64>| Folds::k(targets.len(), 3, 0);
    let nested = search.nested_scores(&data, &folds, inner, score).unwrap();
    assert!(nested.mean().is_ok());
    let none = |_: &Array1<f64>| Folds::k(1, 3, 0);
    let nested = search.nested_scores(&data, &folds, none, score).unwrap();
    assert!(nested.mean().is_err());
    assert_eq!(turn.in_the_end("outer folds", 7), [7, 7]);
}

/// Short work reports nothing, and long work little. On a machine that stands still, short work may be long.
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
