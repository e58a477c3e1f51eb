use ndarray::array;
use npt::{Jaccard, prelude::*};
use npt_testkit::laws;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::collections::{BTreeSet, HashSet};

fn sets(count: usize, seed: u64) -> Vec<BTreeSet<u8>> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut set = |_| {
        let size = rng.gen_range(0..8);
        (0..size).map(|_| rng.gen_range(0..12)).collect()
    };
    (0..count).map(&mut set).collect()
}

#[test]
fn laws_hold_for_both_types_of_sets() {
    let (x, x_new) = (sets(25, 1), sets(7, 2));
    assert!(x.iter().any(BTreeSet::is_empty), "the empty set is there");
    let hashed = |sets: &[BTreeSet<u8>]| -> Items<HashSet<u8>> {
        let sets = sets.iter().map(|set| set.iter().copied().collect());
        Items::new(sets.collect()).unwrap()
    };
    let (x_hashed, new_hashed) = (hashed(&x), hashed(&x_new));
    let (x, x_new) = (Items::new(x).unwrap(), Items::new(x_new).unwrap());
    laws::check_all(&Jaccard::new(), &x, &x_new);
    laws::check_all(&Jaccard::new(), &x_hashed, &new_hashed);
    assert_eq!(Jaccard::new().gram(&x), Jaccard::new().gram(&x_hashed));
}

#[test]
fn empty_sets_are_like_each_other_and_unlike_all_others() {
    let x = Items::new(vec![
        BTreeSet::new(),
        BTreeSet::from(['a', 'b']),
        BTreeSet::new(),
        BTreeSet::from(['b', 'c', 'd']),
    ]);
    let expected = array![
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 1.0, 0.0, 0.25],
        [1.0, 0.0, 1.0, 0.0],
        [0.0, 0.25, 0.0, 1.0],
    ];
    assert_eq!(Jaccard::new().gram(&x.unwrap()), expected);
}
