//! Sequential minimal optimisation on kernel values in memory.

// Inlined into the descent, or the loops are not compiled for the instructions chosen there.
#![allow(clippy::inline_always)]

use super::Problem;
use pulp::{Arch, Simd, WithSimd};

/// Samples that move, and where their kernel values are.
pub(super) struct Active<'a> {
    pub(super) samples: Vec<usize>,
    /// One a sample: its kernel values with these samples and others.
    pub(super) rows: Vec<&'a [f64]>,
    /// Where in a row these samples are.
    pub(super) columns: Vec<usize>,
}

/// The kernel matrix of the active samples, each row put together when it is first needed.
struct KernelMatrix<'a> {
    rows: Vec<&'a [f64]>,
    columns: Vec<usize>,
    diagonal: Vec<f64>,
    gathered: Vec<Row>,
}

/// A row of the kernel matrix. A sample that moves does so many times: what the choice of its partners
/// divides by is inverted once.
#[derive(Default)]
struct Row {
    values: Vec<f64>,
    /// 1 / the squared distances from the other samples.
    inverses: Vec<f64>,
}

impl KernelMatrix<'_> {
    #[inline(always)]
    fn gather(&mut self, sample: usize) {
        let (gathered, row) = (&mut self.gathered[sample], self.rows[sample]);
        if gathered.values.is_empty() {
            let own = self.diagonal[sample];
            gathered
                .values
                .extend(self.columns.iter().map(|&column| row[column]));
            let pairs = gathered.values.iter().zip(&self.diagonal);
            let inverses = pairs.map(|(&k, &other)| 1.0 / curvature(own, other, k));
            gathered.inverses.extend(inverses);
        }
    }

    /// Of a sample that was gathered.
    #[inline(always)]
    fn row(&self, sample: usize) -> &[f64] {
        &self.gathered[sample].values
    }
}

/// The variables of some samples, all others fixed.
pub(super) struct Subproblem<'a> {
    k: KernelMatrix<'a>,
    /// Indices of the variables in the whole problem.
    variables: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    coefficients: Vec<f64>,
    gradient: Vec<f64>,
    /// One a group.
    blocks: Vec<Blocks>,
}

/// What keeps the variables from moving: ∞ for those that are at their bound, or in another group;
/// 0 for the others.
struct Blocks {
    up: Vec<f64>,
    down: Vec<f64>,
}

/// The two ends of a group: what could be gained by raising a coefficient, at most, and what is
/// lost by lowering one, at least.
#[derive(Clone, Copy)]
struct Extremes {
    up: f64,
    raised: usize,
    down: f64,
}

impl<'a> Subproblem<'a> {
    pub(super) fn new(
        problem: &Problem,
        active: Active<'a>,
        point: &[f64],
        gradient: &[f64],
    ) -> Self {
        let variables = problem.variables(&active.samples);
        let of = |values: &[f64]| variables.iter().map(|&t| values[t]).collect::<Vec<f64>>();
        let count = variables.len();
        let Active { rows, columns, .. } = active;
        let diagonal = rows.iter().zip(&columns).map(|(row, &own)| row[own]);
        let mut subproblem = Self {
            variables: Vec::new(),
            lower: of(&problem.lower),
            upper: of(&problem.upper),
            coefficients: of(point),
            gradient: of(gradient),
            blocks: Vec::new(),
            k: KernelMatrix {
                gathered: rows.iter().map(|_| Row::default()).collect(),
                diagonal: diagonal.collect(),
                rows,
                columns,
            },
        };
        for group in 0..problem.groups {
            let mut blocks = Blocks {
                up: vec![f64::INFINITY; count],
                down: vec![f64::INFINITY; count],
            };
            for t in (0..count).filter(|&t| problem.group[variables[t]] == group) {
                subproblem.release(&mut blocks, t);
            }
            subproblem.blocks.push(blocks);
        }
        subproblem.variables = variables;
        subproblem
    }

    /// Moves pairs of variables, `most` times, until no pair violates optimality by more than
    /// `tolerance`, or rounding leaves nothing to move. Returns the number of moves.
    ///
    /// A pair is the variable of its group that gains most, and the one with which the objective
    /// falls most (by its second-order expansion).
    ///
    /// # References
    /// R.-E. Fan, P.-H. Chen, C.-J. Lin, "Working Set Selection Using Second Order Information for
    /// Training Support Vector Machines", JMLR 6, 2005, WSS 2.
    pub(super) fn minimise(&mut self, tolerance: f64, most: usize) -> usize {
        Arch::new().dispatch(Descent {
            subproblem: self,
            tolerance,
            most,
        })
    }

    #[inline(always)]
    fn descend(&mut self, tolerance: f64, most: usize) -> usize {
        for done in 0..most {
            let mut best = Candidate::NONE;
            for group in 0..self.blocks.len() {
                let extremes = self.extremes(group);
                if extremes.up - extremes.down > tolerance {
                    self.partner(group, extremes, &mut best);
                }
            }
            if !(best.decrease > 0.0) || !self.move_pair(best) {
                return done;
            }
        }
        most
    }

    /// Puts the variables back where they were taken from.
    pub(super) fn write(&self, point: &mut [f64]) {
        for (&t, &coefficient) in self.variables.iter().zip(&self.coefficients) {
            point[t] = coefficient;
        }
    }

    fn samples(&self) -> usize {
        self.k.diagonal.len()
    }

    #[inline(always)]
    fn extremes(&self, group: usize) -> Extremes {
        let Blocks { up, down } = &self.blocks[group];
        let (mut largest, mut smallest) = ((f64::NEG_INFINITY, 0), f64::INFINITY);
        let mut gains = [0.0; CHUNK];
        let chunks = self.gradient.chunks(CHUNK).zip(up.chunks(CHUNK));
        for (number, ((gradient, up), down)) in chunks.zip(down.chunks(CHUNK)).enumerate() {
            for (((gain, &g), &up), &down) in gains.iter_mut().zip(gradient).zip(up).zip(down) {
                *gain = -g - up;
                smallest = smaller(smallest, down - g);
            }
            largest_of(&gains[..gradient.len()], number, &mut largest);
        }
        Extremes {
            up: largest.0,
            raised: largest.1,
            down: smallest,
        }
    }

    /// The variable that falls where `extremes.raised` rises, if the objective gains more by it
    /// than by `best`.
    #[inline(always)]
    fn partner(&mut self, group: usize, extremes: Extremes, best: &mut Candidate) {
        let samples = self.samples();
        let sample = extremes.raised % samples;
        self.k.gather(sample);
        let inverses = &self.k.gathered[sample].inverses;
        let mut decreases = [0.0; CHUNK];
        let mut largest = (0.0, 0);
        for layer in (0..self.gradient.len()).step_by(samples) {
            let range = layer..layer + samples;
            let gradients = self.gradient[range.clone()].chunks(CHUNK);
            let blocks = self.blocks[group].down[range].chunks(CHUNK);
            let mut found = (largest.0, usize::MAX);
            let chunks = gradients.zip(blocks).zip(inverses.chunks(CHUNK));
            for (number, ((gradient, blocks), inverses)) in chunks.enumerate() {
                let variables = decreases.iter_mut().zip(gradient).zip(blocks);
                for (((decrease, &g), &block), &inverse) in variables.zip(inverses) {
                    let violation = larger(extremes.up + g - block, 0.0);
                    *decrease = violation * violation * inverse;
                }
                largest_of(&decreases[..gradient.len()], number, &mut found);
            }
            if found.1 != usize::MAX {
                largest = (found.0, layer + found.1);
            }
        }
        if largest.0 > best.decrease {
            *best = Candidate {
                decrease: largest.0,
                group,
                raised: extremes.raised,
                lowered: largest.1,
            };
        }
    }

    /// Moves a pair to the optimum along its line, or to the first bound on the way; whether that
    /// was a move at all.
    #[inline(always)]
    fn move_pair(&mut self, pair: Candidate) -> bool {
        let (i, j) = (pair.raised, pair.lowered);
        let samples = self.samples();
        let (a, b) = (i % samples, j % samples);
        self.k.gather(b);
        let diagonal = &self.k.diagonal;
        let curvature = curvature(diagonal[a], diagonal[b], self.k.row(a)[b]);
        let room_above = self.upper[i] - self.coefficients[i];
        let room_below = self.coefficients[j] - self.lower[j];
        let step = ((self.gradient[j] - self.gradient[i]) / curvature)
            .min(room_above)
            .min(room_below);
        let before = (self.coefficients[i], self.coefficients[j]);
        // What reaches its bound is put there exactly.
        self.coefficients[i] = if step < room_above {
            (before.0 + step).min(self.upper[i])
        } else {
            self.upper[i]
        };
        self.coefficients[j] = if step < room_below {
            (before.1 - step).max(self.lower[j])
        } else {
            self.lower[j]
        };
        if before == (self.coefficients[i], self.coefficients[j]) {
            return false;
        }
        let changes = (
            self.coefficients[i] - before.0,
            self.coefficients[j] - before.1,
        );
        self.update_gradient((a, b), changes);
        let mut blocks = std::mem::take(&mut self.blocks);
        for t in [i, j] {
            self.release(&mut blocks[pair.group], t);
        }
        self.blocks = blocks;
        true
    }

    #[inline(always)]
    fn update_gradient(&mut self, samples: (usize, usize), changes: (f64, f64)) {
        let (a, b) = (self.k.row(samples.0), self.k.row(samples.1));
        for layer in self.gradient.chunks_exact_mut(a.len()) {
            for ((g, &a), &b) in layer.iter_mut().zip(a).zip(b) {
                *g += changes.0 * a + changes.1 * b;
            }
        }
    }

    /// Notes where a variable of the group of `blocks` may go.
    #[inline(always)]
    fn release(&self, blocks: &mut Blocks, t: usize) {
        let blocked = |holds| if holds { f64::INFINITY } else { 0.0 };
        blocks.up[t] = blocked(self.coefficients[t] >= self.upper[t]);
        blocks.down[t] = blocked(self.coefficients[t] <= self.lower[t]);
    }
}

/// The descent, compiled for the widest vector instructions of the machine.
struct Descent<'s, 'a> {
    subproblem: &'s mut Subproblem<'a>,
    tolerance: f64,
    most: usize,
}

impl WithSimd for Descent<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        self.subproblem.descend(self.tolerance, self.most)
    }
}

/// A pair to move, and twice what the objective falls by.
#[derive(Clone, Copy)]
struct Candidate {
    decrease: f64,
    group: usize,
    raised: usize,
    lowered: usize,
}

impl Candidate {
    const NONE: Self = Self {
        decrease: 0.0,
        group: 0,
        raised: 0,
        lowered: 0,
    };
}

/// Variables that are looked at together, so that the loops over them have no branches.
const CHUNK: usize = 64;

/// The squared distance of two records. Of records that are equal, rounding leaves anything, also
/// less than 0; they get the least that can be told from it.
#[inline(always)]
fn curvature(a: f64, b: f64, ab: f64) -> f64 {
    larger(a + b - 2.0 * ab, (a + b) * f64::EPSILON + f64::MIN_POSITIVE)
}

/// `f64::max`, which looks for NaN, is slower.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Keeps the largest value so far and its index, the first of equal ones.
#[inline(always)]
fn largest_of(values: &[f64], number: usize, largest: &mut (f64, usize)) {
    let mut lanes = [f64::NEG_INFINITY; 8];
    let (whole, rest) = values.split_at(values.len() / 8 * 8);
    for eight in whole.chunks_exact(8) {
        for (lane, &value) in lanes.iter_mut().zip(eight) {
            *lane = larger(value, *lane);
        }
    }
    let top = lanes
        .iter()
        .chain(rest)
        .fold(f64::NEG_INFINITY, |m, &v| larger(v, m));
    if top > largest.0 {
        let position = values.iter().position(|&value| value == top);
        *largest = (top, number * CHUNK + position.expect("is one of them"));
    }
}
