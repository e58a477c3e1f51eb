use super::{super::IN_ROWS, *};
use crate::{inner_products::Gram, linear::support_vectors::solver::scores::Scores};
use ndarray::Array2;

#[test]
fn all_are_members_of_few() {
    for (samples, is_few) in [(FEW, true), (FEW + 1, false)] {
        let gram = Gram(Array2::eye(samples));
        let products = Inputs::of_products::<f64>(&gram, (0..samples).collect());
        let rows = Inputs::uncentered(Array2::<f64>::ones((samples, 1)));
        for inputs in [products, rows] {
            let set = WorkingSet::new(&inputs, IN_ROWS).expect("fits");
            assert_eq!(matches!(set.held, Held::All(_)), is_few);
            assert_eq!(set.members.len(), if is_few { samples } else { 0 });
        }
    }
}

/// Members without weight that are safe leave, the safest first, and the matrix is that of the new members.
#[test]
fn members_change_places() {
    let inputs = Inputs::uncentered(Array2::from_shape_fn((8, 1), |(i, _)| i as f64 + 1.0));
    let members: Vec<usize> = (0..5).collect();
    let k = inputs.cross(&members, &members).expect("fits");
    let mut set = WorkingSet {
        members,
        held: Held::Members(k),
    };
    // Of the members without weight, 1 violates optimality; 2 is at its other bound, and 3 is between its bounds.
    let states = States {
        rising: vec![-1.0, 0.5, -3.0, 0.0, -2.0, 1.0, 1.0, 1.0],
        falling: vec![f64::NEG_INFINITY; 8],
        resting: vec![true, true, true, false, true, true, true, true],
    };
    let dual = [0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0];
    set.exchange(&inputs, &dual, &states, vec![5, 6, 7])
        .expect("fits");
    assert_eq!(set.members, [6, 1, 2, 3, 5, 7]);
    let Held::Members(k) = &set.held else {
        panic!("held with each other");
    };
    assert_eq!(k, &inputs.cross(&set.members, &set.members).expect("fits"));
}

/// Members at their bounds leave for as many others where there is no room.
#[test]
fn no_more_than_the_largest_matrix() {
    let (samples, coming) = (LARGEST + 512, LARGEST..LARGEST + 512);
    let inputs = Inputs::uncentered(Array2::<f64>::ones((samples, 1)));
    let mut set = WorkingSet {
        members: (0..LARGEST).collect(),
        held: Held::Members(Array2::zeros((LARGEST, LARGEST))),
    };
    let of = |member: f64, other: f64| {
        let value = |i| if i < LARGEST { member } else { other };
        (0..samples).map(value).collect::<Vec<f64>>()
    };
    let states = States {
        rising: of(f64::NEG_INFINITY, f64::NEG_INFINITY),
        falling: of(-1.0, 1.0),
        resting: vec![true; samples],
    };
    set.exchange(&inputs, &of(1.0, 0.0), &states, coming.clone().collect())
        .expect("fits");
    assert_eq!(set.members.len(), LARGEST);
    assert!(coming.into_iter().all(|i| set.members.contains(&i)));
}

/// One sample rests at its lower bound, one at its upper bound, both safe; one between its bounds is at its optimum.
#[test]
fn samples_rest_at_their_bounds() {
    let point = [0.0, 1.0, 0.5];
    let problem = Problem {
        samples: 3,
        linear: vec![1.0, -1.0, 0.0],
        lower: vec![0.0; 3],
        upper: vec![1.0; 3],
        group: vec![0; 3],
        groups: 1,
        start: point.to_vec(),
        scores: None,
    };
    let inputs = Inputs::uncentered(Array2::<f64>::zeros((3, 1)));
    let optimality = Optimality::new(&point, &problem, &inputs, &Scores::new(3));
    let states = States::new(&problem, &point, &optimality);
    assert_eq!(states.rising, [-1.0, f64::NEG_INFINITY, 0.0]);
    assert_eq!(states.falling, [f64::NEG_INFINITY, -1.0, 0.0]);
    assert_eq!(states.resting, [true, true, false]);
    assert_eq!([0, 1, 2].map(|i| states.violation(i)), [-1.0, -1.0, 0.0]);
}
