//! Groups of support vector machines that are fitted together.

use crate::{Estimator, methods};
use npt_methods::{KernelSvc, linear::SvcParams};

/// Machines with the same kernel and transformers, at least two.
pub(super) struct Group<'a> {
    pub(super) first: &'a Estimator,
    /// The positions of the machines among the candidates.
    pub(super) places: Vec<usize>,
    pub(super) methods: Vec<SvcParams>,
}

impl<'a> Group<'a> {
    /// The machines at these places; `None` if the parameters of one of them cannot be set.
    fn new(candidates: &'a [Estimator], places: Vec<usize>) -> Option<Self> {
        let method = |&place: &usize| {
            let plain = KernelSvc::params(()).inner().clone();
            methods::set(plain, candidates[place].method_parameters()).ok()
        };
        Some(Self {
            first: &candidates[*places.first()?],
            methods: places.iter().map(method).collect::<Option<_>>()?,
            places,
        })
    }
}

/// The groups of machines among candidates. Groups with the same transformers stand together.
pub(super) fn groups(candidates: &[Estimator]) -> Vec<Vec<Group<'_>>> {
    let machines = (0..candidates.len()).filter(|&place| candidates[place].is_plain_svc());
    let mut groups = gathered(machines, |&group, &place| {
        candidates[group].differs_in_parameters(&candidates[place])
    });
    groups.retain(|group| group.len() > 1);
    let groups = groups.into_iter();
    let groups = groups.filter_map(|places| Group::new(candidates, places));
    gathered(groups, |group, other| {
        group.first.shares_transformers(other.first)
    })
}

/// Gathers items that belong to the first of an earlier set, in order.
fn gathered<T>(items: impl Iterator<Item = T>, belongs: impl Fn(&T, &T) -> bool) -> Vec<Vec<T>> {
    let mut sets: Vec<Vec<T>> = Vec::new();
    for item in items {
        match sets.iter_mut().find(|set| belongs(&set[0], &item)) {
            Some(set) => set.push(item),
            None => sets.push(vec![item]),
        }
    }
    sets
}
