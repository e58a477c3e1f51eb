//! Sequential minimal optimisation on kernel values in memory.

// Inlined into the descent, or the loops are not compiled for the instructions chosen there.
#![allow(clippy::inline_always)]

mod face;

use super::{
    Problem,
    loops::{Extremes, add_rows, extremes, larger, largest_decrease},
};
use npt_core::watch::check;
use pulp::{Arch, Simd, WithSimd};

/// The samples that move, and where their kernel values are.
pub(super) struct Active<'a> {
    pub(super) samples: Vec<usize>,
    /// The kernel values of each sample with these samples and others, one row per sample.
    pub(super) rows: Vec<&'a [f64]>,
    /// The places of these samples in a row.
    pub(super) columns: Vec<usize>,
}

/// The kernel matrix of the active samples, each row put together when it is first needed.
struct KernelMatrix<'a> {
    rows: Vec<&'a [f64]>,
    columns: Vec<usize>,
    diagonal: Vec<f64>,
    gathered: Gathered,
    /// 1 / the squared distances, by which the choice of partners multiplies: a sample that moves does so
    /// many times, and divides once.
    inverses: Gathered,
}

/// The number of rows for which there is room from the start.
const ROWS: usize = 512;

/// The number of moves for each sample after which all variables between their bounds are moved together, and again after
/// as many.
const MOVES_A_SAMPLE: usize = 16;

/// The number of moves after which the solver looks whether somebody has asked for an end.
const LOOK: usize = 256;

/// The numbers that the inverses may take, 16 MB of them; memory for a later subproblem may take as many.
const MOST: usize = 1 << 21;

/// Rows, each stored behind the rows that were needed before.
#[derive(Default)]
struct Gathered {
    /// The place where the row of a sample begins, if it is there.
    places: Vec<Option<usize>>,
    values: Vec<f64>,
}

/// The memory that the rows of one subproblem took, for the rows of the next.
#[derive(Default)]
pub(super) struct Memory {
    gathered: Gathered,
    inverses: Gathered,
}

impl Gathered {
    fn clear(&mut self, samples: usize) {
        self.places.clear();
        self.places.resize(samples, None);
        self.values.clear();
        self.values.reserve(samples * samples.min(ROWS));
    }

    /// Returns the rows, or nothing if they are too large to be kept.
    fn kept(self) -> Self {
        if self.values.capacity() > MOST {
            Self::default()
        } else {
            self
        }
    }

    /// Returns the row of a sample that is there.
    #[inline(always)]
    fn row(&self, sample: usize) -> &[f64] {
        let start = self.places[sample].expect("was gathered");
        &self.values[start..][..self.places.len()]
    }
}

impl KernelMatrix<'_> {
    #[inline(always)]
    fn gather(&mut self, sample: usize) {
        if self.gathered.places[sample].is_none() {
            self.gathered.places[sample] = Some(self.gathered.values.len());
            let row = self.rows[sample];
            let values = self.columns.iter().map(|&column| row[column]);
            self.gathered.values.extend(values);
        }
    }

    /// Inverts the row of a sample that was gathered.
    #[inline(always)]
    fn invert(&mut self, sample: usize) {
        if self.inverses.places[sample].is_none() {
            if self.inverses.values.len() + self.columns.len() > MOST {
                self.inverses.clear(self.columns.len());
            }
            self.inverses.places[sample] = Some(self.inverses.values.len());
            let own = self.diagonal[sample];
            let pairs = self.gathered.row(sample).iter().zip(&self.diagonal);
            let inverses = pairs.map(|(&value, &other)| 1.0 / curvature(own, other, value));
            self.inverses.values.extend(inverses);
        }
    }
}

/// The variables of some samples, with all others fixed.
pub(super) struct Subproblem<'a> {
    k: KernelMatrix<'a>,
    /// The indices of the variables in the whole problem.
    variables: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    coefficients: Vec<f64>,
    gradient: Vec<f64>,
    /// The blocks of each group.
    blocks: Vec<Blocks>,
    /// True if the inner products of variables between their bounds had no factor.
    singular: bool,
}

/// The blocks that keep variables from moving: ∞ for variables that are at their bound, or in another group;
/// 0 for the others.
struct Blocks {
    up: Vec<f64>,
    down: Vec<f64>,
}

impl<'a> Subproblem<'a> {
    /// Makes a subproblem in the memory of one that was solved before.
    pub(super) fn new(
        problem: &Problem,
        active: Active<'a>,
        point: &[f64],
        gradient: &[f64],
        memory: Memory,
    ) -> Self {
        let Memory {
            mut gathered,
            mut inverses,
        } = memory;
        gathered.clear(active.samples.len());
        inverses.clear(active.samples.len());
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
            singular: false,
            k: KernelMatrix {
                gathered,
                inverses,
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
    /// A pair is the variable of its group that gains most, and the partner with which the objective
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
    fn descend<S: Simd>(&mut self, simd: S, tolerance: f64, most: usize) -> usize {
        let stretch = MOVES_A_SAMPLE * self.samples();
        for done in 0..most {
            if done.is_multiple_of(LOOK) {
                check();
            }
            if done > 0 && done.is_multiple_of(stretch) {
                self.relax(tolerance);
            }
            let mut best = Candidate::NONE;
            for group in 0..self.blocks.len() {
                let Blocks { up, down } = &self.blocks[group];
                let extremes = extremes(simd, &self.gradient, up, down);
                if extremes.up - extremes.down > tolerance {
                    self.partner(simd, group, extremes, &mut best);
                }
            }
            if !(best.decrease > 0.0) || !self.move_pair(simd, best) {
                return done;
            }
        }
        most
    }

    /// Puts the variables back where they were taken from; returns the memory.
    pub(super) fn write(self, point: &mut [f64]) -> Memory {
        for (&t, &coefficient) in self.variables.iter().zip(&self.coefficients) {
            point[t] = coefficient;
        }
        Memory {
            gathered: self.k.gathered.kept(),
            inverses: self.k.inverses.kept(),
        }
    }

    fn samples(&self) -> usize {
        self.k.diagonal.len()
    }

    /// Finds the variable that falls where `extremes.raised` rises. The pair becomes the `best` if the objective gains more by it
    /// than by the `best` so far.
    #[inline(always)]
    fn partner<S: Simd>(
        &mut self,
        simd: S,
        group: usize,
        extremes: Extremes,
        best: &mut Candidate,
    ) {
        let samples = self.samples();
        let sample = extremes.raised % samples;
        self.k.gather(sample);
        self.k.invert(sample);
        let inverses = self.k.inverses.row(sample);
        let mut largest = (0.0, 0);
        for layer in (0..self.gradient.len()).step_by(samples) {
            let range = layer..layer + samples;
            let down = &self.blocks[group].down[range.clone()];
            let found = largest_decrease(simd, extremes.up, &self.gradient[range], down, inverses);
            if found.0 > largest.0 {
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

    /// Moves a pair to the optimum along its line, or to the first bound on the way. Returns whether that
    /// was a move at all.
    #[inline(always)]
    fn move_pair<S: Simd>(&mut self, simd: S, pair: Candidate) -> bool {
        let (i, j) = (pair.raised, pair.lowered);
        let samples = self.samples();
        let (a, b) = (i % samples, j % samples);
        self.k.gather(b);
        let diagonal = &self.k.diagonal;
        let curvature = curvature(diagonal[a], diagonal[b], self.k.gathered.row(a)[b]);
        let room_above = self.upper[i] - self.coefficients[i];
        let room_below = self.coefficients[j] - self.lower[j];
        let step = ((self.gradient[j] - self.gradient[i]) / curvature)
            .min(room_above)
            .min(room_below);
        let before = (self.coefficients[i], self.coefficients[j]);
        // A variable that reaches its bound is put there exactly.
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
        let first = (self.coefficients[i] - before.0, self.k.gathered.row(a));
        let second = (self.coefficients[j] - before.1, self.k.gathered.row(b));
        for layer in self.gradient.chunks_exact_mut(samples) {
            add_rows(simd, layer, first, second);
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        for t in [i, j] {
            self.release(&mut blocks[pair.group], t);
        }
        self.blocks = blocks;
        true
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
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        self.subproblem.descend(simd, self.tolerance, self.most)
    }
}

/// A pair to move, and twice what the objective falls by.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Returns the squared distance of two records. If records are equal, rounding leaves anything of it, also
/// less than 0; they get the least that can be told from rounding.
#[inline(always)]
fn curvature(a: f64, b: f64, ab: f64) -> f64 {
    larger(a + b - 2.0 * ab, (a + b) * f64::EPSILON + f64::MIN_POSITIVE)
}
