//! Greedy k-means++: starting centroids far from each other.

use super::points::Points;
use crate::{Error, weights::Weights};
use ndarray::{Array1, Array2, Axis, Zip};
use npt_core::{Scalar, watch::check};
use rand::Rng;

/// Draws `clusters` samples, one after the other. Squared distances up to `level` count as rounding.
pub(super) fn seeds<F: Scalar>(
    points: &Points<'_, F>,
    weights: &Weights<F>,
    level: F,
    clusters: usize,
    rng: &mut impl Rng,
) -> Result<Array2<F>, Error> {
    // The authors advise several trials, without a number. This number raises the cost by a logarithm.
    let trials = 2 + clusters.ilog2();
    let first = match weights.given() {
        Some(weights) => draw(weights, weights.sum() * F::cast(rng.r#gen::<f64>())),
        None => rng.gen_range(0..points.rows.nrows()),
    };
    let mut chosen = vec![first];
    let mut distances = points
        .squared_distances(&chosen, level)
        .remove_axis(Axis(1));
    while chosen.len() < clusters {
        check();
        // A sample of weight 2 stands for two samples that are equally far.
        let chances = weights.times_each(distances.clone());
        let total = chances.sum();
        if !(total > F::zero()) {
            return Err(Error::Clusters {
                requested: clusters,
                distinct: chosen.len(),
            });
        }
        let draws = (0..trials).map(|_| draw(&chances, total * F::cast(rng.r#gen::<f64>())));
        let drawn: Vec<usize> = draws.collect();
        let mut with_each = points.squared_distances(&drawn, level);
        for mut with_it in with_each.columns_mut() {
            Zip::from(&mut with_it)
                .and(&distances)
                .for_each(|with_it, &before| *with_it = with_it.min(before));
        }
        let costs = with_each.columns().into_iter();
        let costs: Vec<F> = costs
            .map(|with_it| weights.times_each(with_it.to_owned()).sum())
            .collect();
        let best = (0..costs.len()).fold(0, |best, trial| {
            if costs[trial] < costs[best] {
                trial
            } else {
                best
            }
        });
        chosen.push(drawn[best]);
        distances.assign(&with_each.column(best));
    }
    Ok(points.rows.select(Axis(0), &chosen))
}

/// Returns the index at which the running sum of the weights exceeds `left`, never one of weight 0.
fn draw<F: Scalar>(weights: &Array1<F>, mut left: F) -> usize {
    let mut drawn = 0;
    for (i, &weight) in weights.iter().enumerate() {
        if weight > F::zero() {
            drawn = i;
            left -= weight;
            if left < F::zero() {
                break;
            }
        }
    }
    drawn
}
