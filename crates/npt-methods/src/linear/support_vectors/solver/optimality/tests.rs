use super::*;
use ndarray::array;

#[test]
fn what_will_do() {
    let at = |violation: f64, rounding: f64, known: f64| Optimality {
        gradient: vec![],
        levels: vec![],
        violation,
        rounding,
        known,
        linear: 2.5,
    };
    assert_eq!(at(0.0, 2.5, 9.0).lost(), None);
    assert_eq!(at(0.0, 2.6, 0.0).lost(), Some((2.6, 2.5)));
    assert!(at(3.0, 1.0, 0.0).is_optimal(2.0) && !at(3.5, 1.0, 0.0).is_optimal(2.0));
    assert!(at(22.0, 1.0, 20.0).is_settled(2.0) && !at(22.5, 1.0, 20.0).is_settled(2.0));
    assert!(at(34.0, 2.0, 4.0).is_settled(2.0) && !at(34.5, 2.0, 4.0).is_settled(2.0));
}

/// The rows have the lengths 1¼ and ½ in their unit: Σ|βᵢ|‖xᵢ‖ is 4½, and the largest ‖xᵢ‖ of those that may move is 1¼.
#[test]
fn rounding_is_that_of_all_terms() {
    let problem = Problem {
        samples: 2,
        linear: vec![1.0, -0.5],
        lower: vec![-9.0; 2],
        upper: vec![9.0; 2],
        group: vec![0; 2],
        groups: 1,
        start: vec![2.0, -4.0],
        scores: None,
    };
    let inputs = Inputs::uncentered(array![[3.0, 4.0], [0.0, 2.0]]);
    let mut scores = Scores::new(2);
    scores.dual = vec![2.0, -4.0];
    let found = Optimality::new(&[2.0, -4.0], &problem, &inputs, &scores);
    assert_eq!(found.rounding, ROUNDING * (4.5 * 1.25 + 1.0));
}

/// The level is the mean over the variables between their bounds, not the middle of the ends.
#[test]
fn levels_are_those_of_free_variables() {
    let problem = Problem {
        samples: 3,
        linear: vec![0.0; 3],
        lower: vec![0.0; 3],
        upper: vec![2.0; 3],
        group: vec![0; 3],
        groups: 1,
        start: vec![1.0, 1.0, 0.0],
        scores: None,
    };
    let (point, gradient) = ([1.0, 1.0, 0.0], [-1.0, -2.0, -4.0]);
    let ends = ends(&problem, &point, &gradient);
    assert_eq!(levels(&problem, &ends, &point, &gradient), [1.5]);
}
