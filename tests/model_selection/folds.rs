//! Tests which samples are held out together.

use ndarray::{Array1, Array2, array};
use npt::methods::{
    Error,
    model_selection::{Folds, accuracy},
};

#[test]
fn folds_are_two_to_as_many_as_samples() {
    let labels = array!["a", "a", "b"];
    for folds in [0, 1, 4] {
        let refused = Err(Error::Folds { folds, samples: 3 });
        assert_eq!(Folds::k(3, folds, 0), refused);
        assert_eq!(Folds::stratified(&labels, folds, 0), refused);
    }
    assert_eq!(
        Folds::leave_one_out(1),
        Err(Error::Folds {
            folds: 1,
            samples: 1
        })
    );
    assert_eq!(
        Folds::leave_one_out(0),
        Err(Error::Folds {
            folds: 0,
            samples: 0
        })
    );
}

#[test]
#[should_panic(expected = "one prediction a label")]
fn accuracy_counts_its_labels() {
    accuracy(&array![1, 2], &array![1, 2, 3]);
}

#[test]
#[should_panic(expected = "there are labels")]
fn of_no_labels_there_is_no_accuracy() {
    accuracy(&Array1::<usize>::zeros(0), &Array1::zeros(0));
}

#[test]
fn there_are_folds() {
    let folds = Folds::k(7, 3, 0).unwrap();
    assert_eq!((folds.len(), folds.is_empty()), (3, false));
}

/// The number of the fold that holds each sample out.
fn fold_of(folds: &Folds) -> Vec<usize> {
    let mut numbers = vec![0; folds.samples()];
    for (number, held_out) in folds.held_out().enumerate() {
        for &i in held_out {
            numbers[i] = number;
        }
    }
    numbers
}

/// Folds differ by one sample at most in size, and in each class, whatever the sizes of the classes.
#[test]
fn folds_are_balanced_in_every_class() {
    let labels: Array1<usize> = (0..70)
        .map(|i| [0, 1, 1, 2, 2, 2, 3, 3, 3, 3][i % 10])
        .collect();
    for k in [2, 3, 5, 6, 9, 13] {
        for seed in 0..20 {
            let folds = Folds::stratified(&labels, k, seed).unwrap();
            let even = |count: &dyn Fn(&[usize]) -> usize| {
                let counts: Vec<usize> = folds.held_out().map(count).collect();
                counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1
            };
            assert!(even(&|fold| fold.len()));
            for class in 0..4 {
                assert!(even(&|fold| fold
                    .iter()
                    .filter(|&&i| labels[i] == class)
                    .count()));
            }
        }
    }
}

/// Asserts that over many seeds samples share a fold with the given probability.
fn assert_meetings(labels: &Array1<usize>, k: usize, probability: impl Fn(usize, usize) -> f64) {
    const SEEDS: u32 = 4000;
    let n = labels.len();
    let mut together = Array2::<u32>::zeros((n, n));
    for seed in 0..SEEDS {
        let fold = fold_of(&Folds::stratified(labels, k, seed.into()).unwrap());
        together
            .indexed_iter_mut()
            .for_each(|((i, j), count)| *count += u32::from(fold[i] == fold[j]));
    }
    for ((i, j), &count) in together.indexed_iter().filter(|((i, j), _)| i < j) {
        let (p, seeds) = (probability(i, j), f64::from(SEEDS));
        // The tolerance is five standard deviations of the binomial distribution; it is 0 where p is 0.
        let most = 5.0 * (seeds * p * (1.0 - p)).sqrt();
        let off = f64::from(count) - seeds * p;
        assert!(off.abs() <= most, "{i} with {j}: {count} of {SEEDS}");
    }
}

/// Every pair of a class shares a fold as often as any other pair of the class, and so does each pair of two classes. If a
/// class were dealt in the order of its records, or two classes in the same order, some pairs would share a fold always, and
/// others never.
#[test]
fn every_pair_shares_a_fold_as_often() {
    // There is one sample of each class in each fold: two samples of a class never meet.
    let labels = Array1::from_shape_fn(12, |i| i / 4);
    let of_classes = |i: usize, j: usize| if i / 4 == j / 4 { 0.0 } else { 0.25 };
    assert_meetings(&labels, 4, of_classes);
    // In folds of two, each of the five others is equally often the one in the same fold.
    assert_meetings(&Array1::zeros(6), 3, |_, _| 0.2);
}

/// Every sample is held out once, classes are divided evenly among the folds, and the seed decides the division.
#[test]
fn folds_are_balanced() {
    let labels = Array1::from_shape_fn(103, |i| usize::from(i % 10 == 0));
    for k in [2, 5, 10, 103] {
        let folds = Folds::stratified(&labels, k, 9).unwrap();
        assert_eq!(folds, Folds::stratified(&labels, k, 9).unwrap());
        let mut all: Vec<usize> = folds.held_out().flatten().copied().collect();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..103));
        let spread = |count: &dyn Fn(&[usize]) -> usize| {
            let counts: Vec<usize> = folds.held_out().map(count).collect();
            counts.iter().max().unwrap() - counts.iter().min().unwrap()
        };
        assert!(spread(&|fold| fold.len()) <= 1);
        assert!(spread(&|fold| fold.iter().filter(|&&i| labels[i] == 1).count()) <= 1);
        for fold in 0..k {
            let (training, held_out) = folds.split(fold);
            assert_eq!(training.len() + held_out.len(), 103);
            assert!(held_out.iter().all(|i| !training.contains(i)));
        }
    }
    assert_ne!(Folds::k(103, 5, 1).unwrap(), Folds::k(103, 5, 2).unwrap());
}
