//! A factor while it is computed.

use super::{
    Factor, Negative, PivotRule, RoundingLevel, Stop, check_diagonal, check_finite, draw,
    elimination::{greedy_cholesky, ordered_cholesky},
    panel::Panel,
    running_sums,
};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{Backend, PANEL, Triangle},
    parallel, require_memory,
};
use linfa::Float as _;
use ndarray::{Array1, Array2, Axis, s};
use num_traits::{Float as _, One as _, Zero as _};
use rand::Rng;
use std::{cmp::Ordering, collections::HashSet};

/// The largest number of pivots that are chosen at a time.
const BLOCK: usize = 128;

/// A pivot is accepted while its remaining diagonal is at least this share of the largest at the
/// start of its block. Strict greedy order would be 1; a low share keeps blocks full where the
/// eigenvalues decay slowly, and still never takes a pivot that its block has already explained.
const ACCEPT: f64 = 0.1;

/// The number of candidates that are drawn at random for each pivot that there is room for; some are not accepted.
const SPARE: usize = 4;

/// The place of a candidate: its panel, and its position in that panel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    panel: usize,
    position: usize,
}

pub(super) struct Work<'a, S: Samples, K: Kernel<S> + ?Sized> {
    kernel: &'a K,
    x: &'a S,
    panels: Vec<Panel<K::Scalar>>,
    pub(super) pivots: Vec<usize>,
    /// The triangle L, whose row k has the k + 1 features of pivot k.
    lower: Triangle<K::Scalar>,
    pub(super) trace: K::Scalar,
}

impl<'a, S: Samples, K: Kernel<S> + ?Sized> Work<'a, S, K> {
    /// Begins a factor, or returns the position of a sample with a negative κ(x, x).
    pub(super) fn begin(
        kernel: &'a K,
        x: &'a S,
        level: RoundingLevel,
    ) -> Result<Result<Self, usize>, Error> {
        let diagonal = kernel.diag(x);
        let trace = check_diagonal(&diagonal)?;
        let negative = |&value: &K::Scalar| value < K::Scalar::zero();
        if let Some(row) = diagonal.iter().position(negative) {
            return Ok(Err(row));
        }
        let panels = (0..x.len())
            .step_by(PANEL)
            .map(|start| {
                let ids: Vec<usize> = (start..(start + PANEL).min(x.len())).collect();
                let diagonal: Vec<_> = ids.iter().map(|&id| diagonal[id]).collect();
                Panel::new(ids, diagonal, level)
            })
            .collect();
        Ok(Ok(Self {
            kernel,
            x,
            panels,
            pivots: Vec::new(),
            lower: Triangle::with_room(x.len()),
            trace,
        }))
    }

    pub(super) fn remaining(&self) -> K::Scalar {
        self.panels
            .iter()
            .flat_map(|panel| &panel.residuals)
            .map(|&r| r.max(K::Scalar::zero()))
            .sum()
    }

    /// Returns a sample with a residual that is negative by more than `slack` times what rounding explains.
    pub(super) fn negative_residual(&self, slack: K::Scalar) -> Option<usize> {
        let mut panels = self.panels.iter();
        panels.find_map(|panel| panel.negative_residual(slack))
    }

    /// Returns the pivots together with the sample that has a negative residual.
    pub(super) fn negative_on(mut self, row: usize) -> Negative {
        self.pivots.push(row);
        Negative(self.pivots)
    }

    /// Chooses a block of at most `room` pivots. Returns the block and the lower triangular factor of its remaining
    /// kernel matrix, or `None` if the rule has no candidates left.
    pub(super) fn choose_block(
        &self,
        room: usize,
        rule: &mut PivotRule,
    ) -> Option<(Vec<Place>, Array2<K::Scalar>)> {
        let candidates = match rule {
            PivotRule::Largest => self.largest_residuals(room.min(BLOCK)),
            PivotRule::Random(rng) => self.random_candidates(BLOCK.min(SPARE * room), &mut **rng),
        };
        let first = candidates.first()?.1;
        let matrix = self.remaining_matrix(&candidates);
        let (chosen, lower) = match rule {
            PivotRule::Largest => {
                let share = K::Scalar::cast(ACCEPT) * first;
                let noise = |place: Place| self.panels[place.panel].noise(place.position);
                let floors = candidates.iter().map(|&(place, _)| share.max(noise(place)));
                greedy_cholesky(matrix, &floors.collect::<Vec<_>>())
            }
            // A candidate is accepted with the probability that the pivots of the block leave it, as if each
            // had been drawn after the one before was taken.
            PivotRule::Random(rng) => {
                let largest = self.largest_residual();
                let mut taken = HashSet::new();
                ordered_cholesky(matrix, room, |k, left| {
                    let (place, residual) = candidates[k];
                    let floor = self.panels[place.panel].pivot_floor(place.position, largest);
                    K::Scalar::cast(rng.r#gen::<f64>()) * residual < left
                        && left >= floor
                        && taken.insert(place)
                })
            }
        };
        if chosen.is_empty() {
            // All candidates that were drawn are known too little.
            return self.choose_block(room, &mut PivotRule::Largest);
        }
        let places = chosen.into_iter().map(|k| candidates[k].0).collect();
        Some((places, lower))
    }

    /// Returns the part of the kernel matrix of some samples that the pivots leave, with the residuals as its diagonal.
    fn remaining_matrix(&self, candidates: &[(Place, K::Scalar)]) -> Array2<K::Scalar> {
        let places: Vec<Place> = candidates.iter().map(|&(place, _)| place).collect();
        let samples = self.x.select(&self.ids(&places));
        let mut matrix = self.kernel.gram(&samples);
        let features = self.features_of(&places);
        K::Scalar::multiply(
            matrix.view_mut(),
            true,
            -K::Scalar::one(),
            features.view(),
            features.t(),
        );
        for (k, &(_, residual)) in candidates.iter().enumerate() {
            matrix[[k, k]] = residual;
        }
        matrix
    }

    /// Iterates over all samples with a residual above 0, by panels and positions.
    fn unexplained(&self) -> impl Iterator<Item = (Place, K::Scalar)> {
        let panels = self.panels.iter().enumerate();
        let all = panels.flat_map(|(panel, of_panel)| {
            let residuals = of_panel.residuals.iter().enumerate();
            residuals.map(move |(position, &residual)| (Place { panel, position }, residual))
        });
        all.filter(|&(_, residual)| residual > K::Scalar::zero())
    }

    /// Draws samples with a probability proportional to their residuals, and puts them back. Returns them with their
    /// residuals.
    fn random_candidates(&self, count: usize, rng: &mut impl Rng) -> Vec<(Place, K::Scalar)> {
        let all: Vec<_> = self.unexplained().collect();
        if all.is_empty() {
            return all;
        }
        let sums = running_sums(all.iter().map(|&(_, residual)| residual.as_f64()));
        (0..count).map(|_| all[draw(&sums, rng)]).collect()
    }

    fn largest_residual(&self) -> K::Scalar {
        self.unexplained()
            .fold(K::Scalar::zero(), |largest, (_, residual)| {
                largest.max(residual)
            })
    }

    /// Returns the places of the largest residuals, in descending order, with their values. Among equal residuals
    /// the earlier sample comes first.
    fn largest_residuals(&self, count: usize) -> Vec<(Place, K::Scalar)> {
        let mut all: Vec<(Place, K::Scalar)> = self.unexplained().collect();
        let order = |a: &(Place, K::Scalar), b: &(Place, K::Scalar)| {
            b.1.partial_cmp(&a.1)
                .unwrap_or(Ordering::Equal)
                .then(a.0.cmp(&b.0))
        };
        if all.len() > count {
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_unstable_by(order);
        all
    }

    fn ids(&self, places: &[Place]) -> Vec<usize> {
        places
            .iter()
            .map(|place| self.panels[place.panel].ids[place.position])
            .collect()
    }

    /// Returns the features so far of the samples at `places`, one row each.
    fn features_of(&self, places: &[Place]) -> Array2<K::Scalar> {
        let mut features = Array2::zeros((places.len(), self.pivots.len()));
        for (place, mut row) in places.iter().zip(features.outer_iter_mut()) {
            row.assign(&self.panels[place.panel].features().column(place.position));
        }
        features
    }

    /// Makes the samples at `places` pivots and gives every other sample its features for them.
    pub(super) fn add_block(
        &mut self,
        places: &[Place],
        lower: &Array2<K::Scalar>,
    ) -> Result<(), Error> {
        let columns = self.pivots.len() + places.len();
        require_memory::<K::Scalar>("the matrix of coordinates", self.x.len(), columns)?;
        let ids = self.ids(places);
        let earlier = self.features_of(places);
        for (k, row) in earlier.outer_iter().enumerate() {
            let own = lower.slice(s![k, ..=k]);
            self.lower.push(row.iter().chain(own.iter()));
        }
        let samples = self.x.select(&ids);
        let diagonal = places
            .iter()
            .map(|place| self.panels[place.panel].diagonal[place.position]);
        let pivots: Vec<_> = diagonal.zip(lower.diag().iter().copied()).collect();
        let (kernel, x) = (self.kernel, self.x);
        let results = parallel::map_mut(&mut self.panels, |p, panel| {
            let chosen = places.iter().filter(|place| place.panel == p);
            panel.remove(chosen.map(|place| place.position));
            if panel.ids.is_empty() {
                return Ok(());
            }
            let mut block = kernel.cross(&samples, &x.select(&panel.ids));
            check_finite(block.view(), &ids, &panel.ids)?;
            K::Scalar::multiply(
                block.view_mut(),
                true,
                -K::Scalar::one(),
                earlier.view(),
                panel.features(),
            );
            K::Scalar::solve_lower(lower.view(), &mut block);
            panel.extend(block, &pivots);
            Ok(())
        });
        // Results are read in order, so that always the same one of several errors is reported.
        results.into_iter().collect::<Result<(), Error>>()?;
        self.pivots.extend(ids);
        Ok(())
    }

    /// Returns whether the remaining kernel matrix has an entry too large for its diagonal: in a positive
    /// semidefinite matrix |sᵢⱼ|² ≤ sᵢᵢ·sⱼⱼ. It looks at every entry and keeps none.
    pub(super) fn has_large_entry(&self) -> Result<bool, Error> {
        let pairs: Vec<(usize, usize)> = (0..self.panels.len())
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .collect();
        let found = parallel::map(pairs.len(), |pair| {
            let (i, j) = pairs[pair];
            let (a, b) = (&self.panels[i], &self.panels[j]);
            if a.ids.is_empty() || b.ids.is_empty() {
                return Ok(false);
            }
            let mut block = self
                .kernel
                .cross(&self.x.select(&a.ids), &self.x.select(&b.ids));
            check_finite(block.view(), &a.ids, &b.ids)?;
            K::Scalar::multiply(
                block.view_mut(),
                true,
                -K::Scalar::one(),
                a.features().reversed_axes(),
                b.features(),
            );
            let (a_bounds, b_bounds) = (a.bounds(), b.bounds());
            Ok(block.outer_iter().zip(a_bounds).any(|(row, a_bound)| {
                row.iter()
                    .zip(&b_bounds)
                    .any(|(entry, &bound)| entry.abs() > a_bound * bound)
            }))
        });
        // Results are read in order, so that always the same one of several errors is reported.
        let found = found.into_iter().collect::<Result<Vec<bool>, Error>>()?;
        Ok(found.contains(&true))
    }

    /// Returns the factor, without the pivots of the last block that the tolerance does not need.
    pub(super) fn finish(self, stop: &Stop) -> Factor<K::Scalar> {
        let mut factor = self.into_factor();
        factor.drop_surplus(stop.tolerance);
        factor
    }

    fn into_factor(self) -> Factor<K::Scalar> {
        let (n, s) = (self.x.len(), self.pivots.len());
        let is_complete = self.remaining().is_zero();
        let mut pivot_of = vec![None; n];
        for (k, &pivot) in self.pivots.iter().enumerate() {
            pivot_of[pivot] = Some(k);
        }
        let mut features = Array2::zeros((n, s));
        let mut residuals = Array1::zeros(n);
        let rows = features
            .axis_chunks_iter_mut(Axis(0), PANEL)
            .zip(residuals.axis_chunks_iter_mut(Axis(0), PANEL));
        let mut parts: Vec<_> = rows.zip(self.panels.into_iter().map(Some)).collect();
        let lower = &self.lower;
        parallel::map_mut(&mut parts, |place, ((features, residuals), panel)| {
            // A panel is freed as soon as it is copied.
            let panel = panel.take().expect("is copied once");
            panel.copy_to(features, residuals);
            let of_rows = features.outer_iter_mut().zip(&pivot_of[place * PANEL..]);
            for (row, k) in of_rows {
                if let Some(k) = *k {
                    let (left, own) = lower.row(k);
                    let values = row.into_iter().zip(left.into_iter().chain(own));
                    values.for_each(|(f, &v)| *f = v);
                }
            }
        });
        drop(parts);
        let mut lower = self.lower;
        lower.truncate(s);
        Factor {
            pivots: self.pivots,
            lower,
            features,
            residuals,
            trace: self.trace,
            is_complete,
        }
    }
}
