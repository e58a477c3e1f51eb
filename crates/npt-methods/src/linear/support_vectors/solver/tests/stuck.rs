//! Problems at whose beginning nothing moves, or comes no nearer, and the kernel values that are asked for meanwhile.

use super::{
    super::{DRIFT, IN_ROWS, Inputs, Problem, minimise, minimise_with, scores::Scores},
    gaussian, overlapping, two_classes,
};
use crate::inner_products::Gram;
use ndarray::{Array1, Array2};
use npt_core::{Error, InnerProducts};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the signs of two classes in turn, and their program with C = `bound`.
fn in_turn(samples: usize, bound: f64) -> (Array1<f64>, Problem) {
    let signs = Array1::from_shape_fn(samples, |i| if i % 2 == 0 { 1.0_f64 } else { -1.0 });
    let problem = two_classes(&signs, bound);
    (signs, problem)
}

/// A violation that is as large as before is not settled: it is exactly 2 until all samples have entered.
#[test]
fn as_far_as_before_is_not_settled() {
    let (signs, problem) = in_turn(1500, 10.0);
    let gram = Gram(Array2::eye(1500));
    let inputs = Inputs::of_products::<f64>(&gram, (0..1500).collect());
    let solution = minimise(&inputs, &problem, 1e-6, "").unwrap();
    for (found, expected) in solution.scores.dual.iter().zip(&signs) {
        assert!((found - expected).abs() < 1e-5);
    }
    let two = minimise_with((IN_ROWS, 2), &inputs, &problem, 1e-6, "");
    let error = two.map(|_| ()).unwrap_err();
    assert!(
        matches!(error, crate::Error::NotConverged { value: 2.0, .. }),
        "{error}"
    );
}

/// Samples between their bounds, of equal gradients, come first, but it is others that have to move.
#[test]
fn those_that_come_first_do_not_move() {
    let samples = 1000;
    let of = |between: f64, first: f64, rest: f64| -> Vec<f64> {
        let value = |i| match i {
            0..600 => between,
            600..610 => first,
            _ => rest,
        };
        (0..samples).map(value).collect()
    };
    let problem = Problem {
        samples,
        linear: of(-0.5, -1.0, 1.0),
        lower: vec![0.0; samples],
        upper: vec![1.0; samples],
        group: vec![0; samples],
        groups: 1,
        start: of(0.5, 0.0, 0.0),
        scores: None,
    };
    let gram = Gram(Array2::eye(samples));
    for inputs in [
        Inputs::of_products::<f64>(&gram, (0..samples).collect()),
        Inputs::of_matrix(Array2::<f64>::eye(samples)),
    ] {
        let solution = minimise(&inputs, &problem, 1e-6, "").unwrap();
        // All samples that may rise share a level: 600 of p = −½ and 10 of −1 have Σ = 300.
        let level = (300.0 - 5.0) / 610.0;
        for (i, &found) in solution.scores.dual.iter().enumerate() {
            let expected = [level, level + 0.5, 0.0][usize::from(i >= 600) + usize::from(i >= 610)];
            assert!((found - expected).abs() < 1e-5, "{i}: {found}");
        }
    }
}

/// Inner products that count how many were asked for.
struct Counted(Gram, AtomicUsize);

impl InnerProducts<f64> for Counted {
    fn samples(&self) -> usize {
        self.0.samples()
    }

    fn diag(&self) -> Array1<f64> {
        self.0.diag()
    }

    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<f64>, Error> {
        self.1
            .fetch_add(rows.len() * columns.len(), Ordering::Relaxed);
        self.0.block(rows, columns)
    }
}

/// Two samples, each a thousand times, take few inner products: a first few of the samples are enough.
#[test]
fn few_inner_products_are_asked_for() {
    let samples = 2000;
    let (signs, problem) = in_turn(samples, 1.0);
    let gram = Array2::from_shape_fn((samples, samples), |(i, j)| signs[i] * signs[j]);
    let counted = Counted(Gram(gram), AtomicUsize::new(0));
    let inputs = Inputs::of_products::<f64>(&counted, (0..samples).collect());
    minimise(&inputs, &problem, 1e-6, "").unwrap();
    let asked = counted.1.load(Ordering::Relaxed);
    assert!(asked <= samples * samples / 2, "{asked}");
}

/// Scores that were scaled in single precision are computed anew before they are believed.
#[test]
fn scores_that_drifted_are_renewed() {
    let (x, mut problem) = overlapping(300, 1.0);
    let inputs = Inputs::of_matrix(gaussian(&x).mapv(|v| v as f32));
    let solution = minimise(&inputs, &problem, 1e-3, "").unwrap();
    problem.start.clone_from(&solution.scores.dual);
    let scaled = solution.scores.scaled(1.0, problem.start.clone(), &inputs);
    assert!(scaled.drift() > DRIFT * 1e-3, "{:e}", scaled.drift());
    problem.scores = Some(scaled);
    let again = minimise(&inputs, &problem, 1e-3, "").unwrap();
    assert!(
        again.scores.drift() <= DRIFT * 1e-3,
        "{:e}",
        again.scores.drift()
    );
}

/// A sample that has no room to move does not say how large the terms of scores are.
#[test]
fn held_out_samples_are_no_terms() {
    let small = 2.0_f64.powi(-45);
    let (few, mut problem) = overlapping(100, 2.0_f64.powi(90));
    let mut x = Array2::zeros((101, few.ncols()));
    x.slice_mut(ndarray::s![..100, ..]).assign(&(few * small));
    x[[100, 0]] = 1.0;
    problem.samples = 101;
    for of_variables in [
        &mut problem.linear,
        &mut problem.lower,
        &mut problem.upper,
        &mut problem.start,
    ] {
        of_variables.push(0.0);
    }
    problem.group.push(0);
    assert!(problem.has_room(99) && !problem.has_room(100));
    let solution = minimise(&Inputs::uncentered(x), &problem, 1e-3, "").unwrap();
    assert!(solution.rounding < 1e-9, "{:e}", solution.rounding);
}

/// There are moves and rounds for any number of samples, of which here two have room.
#[test]
fn two_of_very_many() {
    for samples in [100_000, 999_950] {
        let (mut x, mut problem) = (
            Array2::from_elem((samples, 1), 0.5),
            in_turn(samples, 10.0).1,
        );
        (x[[0, 0]], x[[1, 0]]) = (1.0, -1.0);
        for of_variables in [&mut problem.linear, &mut problem.lower, &mut problem.upper] {
            of_variables[2..].fill(0.0);
        }
        // Scores are known, so that pairs begin at the start.
        problem.scores = Some(Scores::new(samples));
        let solution = minimise(&Inputs::uncentered(x), &problem, 1e-9, "").unwrap();
        assert!((solution.scores.dual[0] - 0.5).abs() < 1e-6);
    }
}

/// Rows of many features are looked at more often.
#[test]
fn rows_of_many_features() {
    let mut x = overlapping(416, 1.0)
        .0
        .into_shape_with_order(1664)
        .unwrap()
        .to_vec();
    x.extend((0..1664 * 207).map(|i| f64::from(i).sin()));
    let x = Array2::from_shape_vec((1664, 208), x).unwrap();
    let mut problem = in_turn(1664, 1.0).1;
    for of_variables in [&mut problem.lower, &mut problem.upper] {
        of_variables[2..].fill(0.0);
    }
    assert!(minimise(&Inputs::uncentered(x), &problem, 1e-6, "").is_ok());
}
