use super::{
    super::tests::{assert_feasible, overlapping, programs, violation},
    Inputs, Iterations, descend,
};
use crate::inner_products::Gram;
use ndarray::Array2;

#[test]
fn the_point_is_feasible_and_near_the_tolerance() {
    for (name, x, problem) in programs(900) {
        let inputs = Inputs::uncentered(x.clone());
        for tolerance in [1e-1, 1e-2, 1e-3] {
            let (point, is_near) =
                descend(&inputs, &problem, tolerance, 200, &mut Iterations::begin()).unwrap();
            assert_feasible(&problem, &point);
            assert_eq!(is_near, !name.contains("large penalty"), "{name}");
            let found = violation(&x, &problem, &point);
            // Gradients are seen one after the other, and later moves of the pass change them.
            assert!(
                !is_near || found <= 8.0 * tolerance,
                "{name}, {tolerance}: {found:e}"
            );
        }
    }
}

/// Rows that are all alike have no curvature: a point can only be feasible.
#[test]
fn rows_of_nothing() {
    let (_, problem) = overlapping(600, 1.0);
    let inputs = Inputs::centered(Array2::<f64>::ones((600, 2)));
    let (point, is_near) = descend(&inputs, &problem, 1e-3, 10, &mut Iterations::begin()).unwrap();
    assert!(is_near);
    assert!(point.iter().sum::<f64>().abs() < 1e-11);
    let positive = problem.upper.iter().filter(|&&v| v > 0.0).count();
    let most: f64 = point.iter().map(|v| v.abs()).sum();
    assert!((most - 2.0 * positive.min(600 - positive) as f64).abs() < 1e-9);
}

#[test]
fn not_without_rows_nor_of_long_ones() {
    let (x, problem) = overlapping(600, 1.0);
    let gram = Gram(x.dot(&x.t()));
    let of_products = Inputs::of_products::<f64>(&gram, (0..600).collect());
    assert!(descend(&of_products, &problem, 1e-3, 10, &mut Iterations::begin()).is_none());
    let long = Inputs::centered(Array2::<f64>::eye(600));
    assert!(descend(&long, &problem, 1e-3, 10, &mut Iterations::begin()).is_none());
}

/// The descent from any point within the bounds goes where the descent from 0 goes.
#[test]
fn any_feasible_point_is_a_start() {
    for (name, x, mut problem) in programs(900) {
        let inputs = Inputs::uncentered(x.clone());
        let (rough, _) = descend(&inputs, &problem, 1.0, 200, &mut Iterations::begin()).unwrap();
        let start = problem.feasible(rough);
        assert!(start.iter().any(|&v| v != 0.0), "{name}");
        problem.start = start;
        let (point, is_near) =
            descend(&inputs, &problem, 1e-2, 200, &mut Iterations::begin()).unwrap();
        assert_feasible(&problem, &point);
        let found = violation(&x, &problem, &point);
        assert!(!is_near || found <= 8.0 * 1e-2, "{name}: {found:e}");
        assert_eq!(is_near, !name.contains("large penalty"), "{name}");
    }
}
