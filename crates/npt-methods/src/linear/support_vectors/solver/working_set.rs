//! Which samples to optimise next, where there are more than fit at once.

use super::{Extremes, Problem};

/// Samples whose kernel matrix is held at a time: 128 MB of it.
const LARGEST: usize = 4096;

/// All samples, if they are few. Otherwise those whose variables violate optimality most, as many
/// that would rise as would fall, for one half; for the other half, those of the last set whose
/// variables are between their bounds, as they move with every change, and then the next in order.
pub(super) fn choose(
    problem: &Problem,
    point: &[f64],
    gradient: &[f64],
    extremes: &[Extremes],
    last: &[usize],
) -> Vec<usize> {
    let samples = problem.samples;
    if samples <= LARGEST {
        return (0..samples).collect();
    }
    let ranked = |gain: &dyn Fn(usize) -> f64| {
        let mut order: Vec<(f64, usize)> = (0..point.len()).map(|t| (gain(t), t)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order
    };
    let risers = ranked(&|t| {
        let can = point[t] < problem.upper[t];
        if can {
            -gradient[t] - extremes[problem.group[t]].down
        } else {
            f64::NEG_INFINITY
        }
    });
    let fallers = ranked(&|t| {
        let can = point[t] > problem.lower[t];
        if can {
            extremes[problem.group[t]].up + gradient[t]
        } else {
            f64::NEG_INFINITY
        }
    });
    let mut chosen = Chosen {
        taken: vec![false; samples],
        samples: Vec::new(),
    };
    let mut pairs = risers.iter().zip(&fallers);
    chosen.fill(
        LARGEST / 2,
        pairs
            .by_ref()
            .flat_map(|(a, b)| [a.1 % samples, b.1 % samples]),
    );
    let free = |&i: &usize| {
        (i..point.len())
            .step_by(samples)
            .any(|t| problem.lower[t] < point[t] && point[t] < problem.upper[t])
    };
    chosen.fill(LARGEST, last.iter().copied().filter(free));
    chosen.fill(
        LARGEST,
        pairs.flat_map(|(a, b)| [a.1 % samples, b.1 % samples]),
    );
    chosen.samples.sort_unstable();
    chosen.samples
}

struct Chosen {
    taken: Vec<bool>,
    samples: Vec<usize>,
}

impl Chosen {
    /// Takes samples that are not taken yet until there are `size`.
    fn fill(&mut self, size: usize, samples: impl Iterator<Item = usize>) {
        for sample in samples {
            if self.samples.len() >= size {
                return;
            }
            if !std::mem::replace(&mut self.taken[sample], true) {
                self.samples.push(sample);
            }
        }
    }
}
