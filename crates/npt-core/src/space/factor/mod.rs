//! The pivoted Cholesky factor of a kernel matrix that is never formed.
//!
//! Only the columns of the chosen pivots are evaluated, so a matrix of numerical rank s costs n·s
//! kernel values and about n·s² − ⅔s³ flops. Pivots are chosen in blocks: work on one column at a time is
//! bound by memory, while a block is one matrix product.

mod elimination;
mod panel;
mod pivot_rule;
mod work;

pub(crate) use pivot_rule::PivotRule;
pub(in crate::space) use pivot_rule::{draw, running_sums};

use super::{Axes, Rank, column_means, shifted::Training};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{self, Means, Triangle},
    parallel,
    watch::{Progress, check},
};
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use num_traits::Zero as _;
use work::Work;

/// The factor F with 𝒦 ≈ FFᵀ, and L, the rows of F at the pivots.
pub(crate) struct Factor<F> {
    /// The chosen samples, in the order chosen (s of them).
    pub(crate) pivots: Vec<usize>,
    /// L, lower triangular (s, s), with LLᵀ = 𝒦 on the pivots.
    pub(crate) lower: Triangle<F>,
    /// F = the coordinates L⁻¹κ(pivots, x) of all samples, shape (n, s).
    pub(crate) features: Array2<F>,
    /// κ(x, x) − ‖f(x)‖² of all samples, at least 0, shape (n).
    pub(crate) residuals: Array1<F>,
    /// The trace of 𝒦.
    pub(crate) trace: F,
    /// True if nothing above rounding level is left.
    pub(crate) is_complete: bool,
}

/// The level up to which a residual is taken for rounding.
#[derive(Clone, Copy)]
pub(crate) enum RoundingLevel {
    /// The highest level that rounding may reach: the rank is that of the data, not more.
    Highest,
    /// The level that rounding usually reaches: little of the data is missing, and some directions of rounding
    /// pass.
    Usual,
}

/// The conditions on which a factor stops.
pub(crate) struct Stop {
    /// The level up to which a residual counts as nothing.
    pub(crate) level: RoundingLevel,
    /// The remaining share of the trace at which the factor is good enough.
    pub(crate) tolerance: f64,
    /// The largest number of pivots.
    pub(crate) most: usize,
}

impl Stop {
    /// Creates the conditions for axes and a rank. Principal axes are cut after the rotation; Cholesky axes are cut
    /// by these conditions.
    pub(crate) fn new(axes: Axes, rank: Rank, samples: usize, level: RoundingLevel) -> Self {
        let (tolerance, most) = match (axes, rank) {
            (Axes::Principal, _) => (0.0, samples),
            (Axes::Cholesky, Rank::Tolerance(t)) => (t, samples),
            (Axes::Cholesky, Rank::Variance(p)) => (1.0 - p, samples),
            (Axes::Cholesky, Rank::Components(m)) => (0.0, m),
        };
        Self {
            level,
            tolerance,
            most,
        }
    }
}

/// Factors the kernel matrix of `x`. Returns `None` if the matrix is not positive semidefinite: if a residual is
/// negative, or an entry is larger than its two diagonal entries allow, by more than rounding explains. If the
/// kernel declares itself positive semidefinite, only the residuals are looked at, which are at hand, and the
/// declaration is believed down to single precision: see [`slack`].
///
/// # When it ends
/// The factor ends at rounding level, sample by sample. κ(xᵢ, xⱼ) is known to a few ε√(κ(xᵢ, xᵢ)κ(xⱼ, xⱼ)). A
/// residual is κ(xᵢ, xᵢ) − Σₚ tₚκ(xᵢ, xₚ), with tₚ the weights that predict φ(xᵢ) from the pivots. So a residual is
/// known to a few ε(√κ(xᵢ, xᵢ) + √(Σ tₚ²κ(xₚ, xₚ)))², or to √s times that where the roundings of s pivots add up
/// like noise. A residual below this level is set to 0; the two rules for the level are those of [`RoundingLevel`].
/// The level does not grow with the number of samples: a rule for the sum of all residuals, ε times n times the
/// trace, would take real variance for rounding in f32.
pub(crate) fn factor<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
    stop: &Stop,
) -> Result<Option<Factor<K::Scalar>>, Error> {
    parallel::in_pool(x.len(), || {
        let Ok(work) = by_blocks(kernel, x, stop, PivotRule::Largest)? else {
            return Ok(None);
        };
        if !kernel.is_positive_semidefinite() && work.has_large_entry()? {
            return Ok(None);
        }
        Ok(Some(work.finish(stop)))
    })
}

/// Factors the part of the kernel matrix of `x` that the pivots of a rule explain. No other column of the matrix
/// is evaluated, so a negative eigenvalue is seen only if it leaves a negative residual.
pub(crate) fn factor_by<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    x: &S,
    stop: &Stop,
    rule: PivotRule,
) -> Result<Factor<K::Scalar>, Error> {
    parallel::in_pool(x.len(), || match by_blocks(kernel, x, stop, rule)? {
        Ok(work) => Ok(work.finish(stop)),
        Err(Negative(rows)) => Err(indefinite(&linalg::row_major(
            kernel.gram(&x.select(&rows)),
        ))),
    })
}

/// Returns the multiple of rounding by which a residual has to be below 0 before the kernel counts as one with a
/// negative eigenvalue. A kernel that declares itself positive semidefinite may have values that are less exact
/// than their type, such as a table that was computed in f32.
pub(in crate::space) fn slack<F: Scalar>(declared: bool) -> F {
    let single = F::cast(f32::EPSILON) / F::epsilon();
    if declared { single } else { F::one() }
}

/// Samples on which a kernel has a negative eigenvalue.
struct Negative(Vec<usize>);

fn by_blocks<'a, S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &'a K,
    x: &'a S,
    stop: &Stop,
    mut rule: PivotRule,
) -> Result<Result<Work<'a, S, K>, Negative>, Error> {
    let mut work = match Work::begin(kernel, x, stop.level)? {
        Ok(work) => work,
        Err(row) => return Ok(Err(Negative(vec![row]))),
    };
    let slack = slack(kernel.is_positive_semidefinite());
    let mut progress = Progress::start("factor", stop.most.min(x.len()));
    // Shares are compared in f64: a share that f32 rounds to 1 is no reason for a space without dimensions.
    let allowed = stop.tolerance * work.trace.as_f64();
    let is_left = |left: K::Scalar, pivots: &[usize]| {
        left.as_f64() > allowed || (pivots.is_empty() && left > K::Scalar::zero())
    };
    while work.pivots.len() < stop.most && is_left(work.remaining(), &work.pivots) {
        progress.at(work.pivots.len());
        if let Some(row) = work.negative_residual(slack) {
            return Ok(Err(work.negative_on(row)));
        }
        let room = stop.most - work.pivots.len();
        let Some((block, lower)) = work.choose_block(room, &mut rule) else {
            break;
        };
        work.add_block(&block, &lower)?;
    }
    Ok(match work.negative_residual(slack) {
        Some(row) => Err(work.negative_on(row)),
        None => Ok(work),
    })
}

/// Returns the error for a kernel with this matrix, which has a negative eigenvalue.
pub(in crate::space) fn indefinite<F: Scalar>(matrix: &Array2<F>) -> Error {
    match linalg::eigh(matrix) {
        Ok((values, _)) => {
            let (largest, smallest) = (values[0].as_f64(), values[values.len() - 1].as_f64());
            Error::Indefinite {
                eigenvalue: smallest,
                ratio: smallest / largest.abs().max(smallest.abs()),
            }
        }
        Err(error) => error,
    }
}

impl<F: Scalar> Factor<F> {
    /// Returns the result of `map`, which may take L away from the factor, and the values of the training samples
    /// for the fit of the space.
    pub(in crate::space) fn into_parts<M>(
        mut self,
        map: impl FnOnce(&mut Self) -> M,
    ) -> (M, Training<F>) {
        let normal = if self.is_complete {
            self.normal()
        } else {
            None
        };
        let map = map(&mut self);
        let training = Training {
            features: self.features,
            rest: self.residuals,
            noise: F::epsilon() * self.trace,
            independent: true,
            normal,
        };
        (map, training)
    }

    /// Returns whether all samples are pivots, and no eigenvalue of 𝒦 = LLᵀ is less than about √ε of the largest.
    /// After centring, all eigenvalues but one are not below the smallest of 𝒦.
    ///
    /// The eigenvalues are estimated by power iterations with 𝒦 and with its inverse. A few iterations are enough,
    /// because only the magnitude counts.
    pub(in crate::space) fn is_well_conditioned(&self) -> bool {
        const ITERATIONS: usize = 6;
        if self.pivots.len() < self.residuals.len() {
            return false;
        }
        let mut top = linalg::without_pattern(self.pivots.len(), 1);
        let mut bottom = top.clone();
        let (mut largest, mut of_inverse) = (F::zero(), F::zero());
        for _ in 0..ITERATIONS {
            check();
            largest = normalize(&mut top);
            let features = self.features.view();
            top = linalg::product(features, linalg::product(features.t(), top.view()).view());
            of_inverse = normalize(&mut bottom);
            self.lower.solve_in_place(&mut bottom);
            bottom = self.lower.solve_transposed(bottom.view());
        }
        (F::epsilon().sqrt() * largest * of_inverse) < F::one()
    }

    /// Returns 𝒦 = FFᵀ if all samples are pivots: F is L then, with its rows in the order of the samples.
    pub(in crate::space) fn into_gram(self) -> Array2<F> {
        let Self {
            pivots,
            lower,
            features,
            ..
        } = self;
        let _stage = Progress::start("kernel matrix", None);
        // F may be the largest matrix there is. It is freed before as much memory is taken again.
        drop(features);
        let of_pivots = lower.times_transpose();
        drop(lower);
        let mut place = vec![0; pivots.len()];
        for (k, &pivot) in pivots.iter().enumerate() {
            place[pivot] = k;
        }
        let mut gram = Array2::zeros(of_pivots.dim());
        linalg::fill_rows(&mut gram, |i, row| {
            let values = of_pivots.row(place[i]);
            for (value, &k) in row.iter_mut().zip(&place) {
                *value = values[k];
            }
        });
        gram
    }

    /// Returns the means that centring subtracts from kernel values.
    pub(in crate::space) fn means(&self) -> Means<F> {
        let mean = column_means(self.features.view());
        Means {
            of_rows: self.features.dot(&mean),
            of_all: mean.dot(&mean),
        }
    }

    /// The normal of the hyperplane through the landmarks, of length 1: L⁻¹1, scaled.
    fn normal(&self) -> Option<Array1<F>> {
        let mut normal = Array2::ones((self.lower.size(), 1));
        self.lower.solve_in_place(&mut normal);
        let length = normalize(&mut normal);
        (length.is_finite() && length > F::zero()).then(|| normal.remove_axis(Axis(1)))
    }

    /// Keeps the first pivots, as many as a rank asks for, or all if there are fewer.
    pub(in crate::space) fn cut(&mut self, rank: Rank) {
        match rank {
            Rank::Tolerance(tolerance) => self.drop_surplus(tolerance),
            Rank::Variance(share) => self.drop_surplus(1.0 - share),
            Rank::Components(count) => self.keep(count.min(self.pivots.len())),
        }
    }

    /// Drops trailing pivots that the tolerance does not need, but never the first pivot.
    fn drop_surplus(&mut self, tolerance: f64) {
        if tolerance <= 0.0 {
            return;
        }
        let allowed = tolerance * self.trace.as_f64();
        let explained: Vec<F> = self
            .features
            .axis_iter(Axis(1))
            .map(|column| column.dot(&column))
            .collect();
        let mut left = self.residuals.sum();
        let mut keep = explained.len();
        while keep > 1 && (left + explained[keep - 1]).as_f64() <= allowed {
            left += explained[keep - 1];
            keep -= 1;
        }
        self.keep(keep);
    }

    fn keep(&mut self, pivots: usize) {
        if pivots == self.pivots.len() {
            return;
        }
        self.is_complete = false;
        self.pivots.truncate(pivots);
        self.lower.truncate(pivots);
        let dropped = self.features.slice(s![.., pivots..]);
        self.residuals += &dropped.map_axis(Axis(1), |row| row.dot(&row));
        self.features = self.features.slice(s![.., ..pivots]).to_owned();
    }
}

/// Returns the sum of the κ(xᵢ, xᵢ), and refuses values that are not finite or whose sum is not.
pub(crate) fn check_diagonal<F: Scalar>(diagonal: &Array1<F>) -> Result<F, Error> {
    for (row, &value) in diagonal.iter().enumerate() {
        if !value.is_finite() {
            return Err(Error::KernelNotFinite {
                row,
                column: row,
                value: value.as_f64(),
            });
        }
    }
    let trace = diagonal.sum();
    if trace.is_finite() {
        Ok(trace)
    } else {
        let samples = diagonal.len();
        Err(Error::TraceOverflow { samples })
    }
}

/// Refuses NaN and infinities among kernel values of the samples `rows` and `columns`.
pub(crate) fn check_finite<F: Scalar>(
    block: ArrayView2<'_, F>,
    rows: &[usize],
    columns: &[usize],
) -> Result<(), Error> {
    if parallel::all_finite(block) {
        return Ok(());
    }
    match block.indexed_iter().find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some(((i, j), value)) => Err(Error::KernelNotFinite {
            row: rows[i],
            column: columns[j],
            value: value.as_f64(),
        }),
    }
}

/// Divides a vector by its length, and returns the length. The vector is scaled before it is squared.
pub(crate) fn normalize<F: Scalar>(v: &mut Array2<F>) -> F {
    let largest = v.fold(F::zero(), |m, &v| m.max(v.abs()));
    v.mapv_inplace(|v| v / largest);
    let length = v.fold(F::zero(), |sum, &v| sum + v * v).sqrt();
    v.mapv_inplace(|v| v / length);
    largest * length
}
