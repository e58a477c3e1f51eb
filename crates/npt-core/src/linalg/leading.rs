//! The leading eigenpairs of a large symmetric matrix.

use super::{eigh, power_of_two_near, product};
use crate::{Error, Scalar, parallel, watch::Progress};
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

/// Matrices up to this size are decomposed as a whole.
const SMALL: usize = 384;

/// A matrix is also decomposed as a whole if more than one of this many eigenpairs is wanted.
const SHARE: usize = 10;

/// The number of vectors that are kept besides the wanted ones, so that close eigenvalues converge together.
const EXTRA: usize = 8;

/// The number of columns of a block of the Krylov basis. With few columns the basis reaches a high power of
/// A; with fewer than this, A is read so often that it costs more than that saves.
const WIDTH: usize = 12;

/// Convergence is tested first when the basis has this many times the number of kept vectors, and again
/// whenever the basis has grown by a quarter.
const FIRST: usize = 5;

/// The basis is restarted from its best vectors when it has this many times the number of kept vectors.
const LENGTH: usize = 10;

/// The number of restarts after which the matrix is decomposed as a whole after all.
const RESTARTS: usize = 12;

/// Returns the `count` largest eigenvalues, in descending order, and their eigenvectors, one a column, of a
/// positive semidefinite matrix.
///
/// A large matrix is decomposed by a block Krylov iteration with thick restarts. The basis X, AX, A²X, … is
/// kept orthonormal, and the eigenpairs of A within it are computed until each satisfies
/// ‖Av − λv‖ ≤ 8ε√n·λ₁, which is what rounding of Av leaves. The iteration finds at most as many copies of a
/// multiple eigenvalue as X has columns. If it finds as many, it starts again from an X of `count` columns.
/// The result is deterministic, because X is fixed.
///
/// # Errors
/// The errors of [`eigh`].
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2};
/// use npt_core::linalg;
///
/// let a = Array2::from_diag(&Array1::range(0.0, 600.0, 1.0));
/// let (values, vectors) = linalg::leading_eigh(&a, 2)?;
/// assert!((values[0] - 599.0_f64).abs() < 1e-10 && (values[1] - 598.0).abs() < 1e-10);
/// assert!((vectors[[599, 0]].abs() - 1.0).abs() < 1e-12);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// C. Musco, C. Musco, "Randomized Block Krylov Methods for Stronger and Faster Approximate Singular
/// Value Decomposition", NIPS 28, 2015. arXiv:1504.05477
pub fn leading_eigh<F: Scalar>(
    a: &Array2<F>,
    count: usize,
) -> Result<(Array1<F>, Array2<F>), Error> {
    let n = a.nrows();
    let count = count.min(n);
    if n > SMALL
        && count.saturating_mul(SHARE) <= n
        && let Some(found) = parallel::in_pool(n, || all_copies(a, count))?
    {
        return Ok(found);
    }
    let (values, vectors) = eigh(a)?;
    Ok((
        values.slice(s![..count]).to_owned(),
        vectors.slice(s![.., ..count]).to_owned(),
    ))
}

/// Eigenvalues, and their vectors, one a column; `None` if they do not converge.
type Found<F> = Option<(Array1<F>, Array2<F>)>;

/// Returns the leading eigenpairs from blocks of few columns, or of `count` columns where few may miss copies.
fn all_copies<F: Scalar>(a: &Array2<F>, count: usize) -> Result<Found<F>, Error> {
    let found = krylov(a, count, WIDTH)?;
    let Some((values, _)) = &found else {
        return Ok(None);
    };
    // Copies that are missing after the last wanted eigenvalue do no harm.
    let before_last = values.slice(s![..count.saturating_sub(1)]);
    let as_many = (before_last.windows(WIDTH).into_iter()).any(|copies| {
        copies[0] - copies[WIDTH - 1] <= F::cast(4) * rounding(a.nrows()) * values[0]
    });
    if as_many {
        krylov(a, count, count)
    } else {
        Ok(found)
    }
}

/// Returns the ‖Av − λv‖ that rounding of Av leaves, relative to the largest eigenvalue.
fn rounding<F: Scalar>(n: usize) -> F {
    F::cast(8) * F::epsilon() * F::cast(n).sqrt()
}

/// Returns the leading eigenpairs by a Krylov iteration with blocks of `width` columns.
fn krylov<F: Scalar>(a: &Array2<F>, count: usize, width: usize) -> Result<Found<F>, Error> {
    let n = a.nrows();
    let kept = count + EXTRA;
    let length = (LENGTH * kept).min(n);
    // The largest entry of a positive semidefinite matrix is on its diagonal. In other units, squares of
    // vectors would overflow or vanish.
    let unit = power_of_two_near(a.diag().fold(F::zero(), |m, &v| m.max(v.abs())));
    let mut basis = Basis::new(n, length + width, unit);
    let mut block = without_pattern(n, width);
    let (mut restarts, mut next_look) = (0, FIRST * kept);
    let mut progress = Progress::start("leading eigenpairs", None);
    loop {
        progress.at(restarts * length + basis.filled);
        let grown = basis.extend(a, &mut block)?;
        let full = !grown || basis.filled >= length;
        if !full && basis.filled < next_look {
            continue;
        }
        next_look = basis.filled + basis.filled / 4;
        let pairs = basis.leading_pairs(kept)?;
        let residuals = pairs.residuals();
        let tolerance = rounding::<F>(n) * pairs.values[0];
        let open: Vec<usize> = (0..count.min(pairs.values.len()))
            .filter(|&k| residuals.row(k).dot(&residuals.row(k)).sqrt() > tolerance)
            .collect();
        if open.is_empty() && pairs.values.len() >= count {
            let (values, vectors) = pairs.first(count);
            return Ok(Some((values * unit, vectors)));
        }
        if full {
            restarts += 1;
            if open.is_empty() || restarts == RESTARTS {
                return Ok(None);
            }
            // The residuals of the pairs that have not converged are the next block.
            let lacking = residuals.select(Axis(0), &open[..open.len().min(width)]);
            block = lacking.t().as_standard_layout().into_owned();
            basis.restart(&pairs);
            next_look = FIRST * kept;
        }
    }
}

/// An orthonormal basis, one vector a row, with the images of its vectors under A, and A within the basis.
/// The unit is one in which the entries of A are at most about 1.
struct Basis<F> {
    unit: F,
    vectors: Array2<F>,
    images: Array2<F>,
    projected: Array2<F>,
    filled: usize,
}

/// Eigenpairs of A within a basis: the vectors, one a row, and their images under A.
struct Pairs<F> {
    values: Array1<F>,
    vectors: Array2<F>,
    images: Array2<F>,
}

impl<F: Scalar> Basis<F> {
    fn new(n: usize, most: usize, unit: F) -> Self {
        Self {
            unit,
            vectors: Array2::zeros((most, n)),
            images: Array2::zeros((most, n)),
            projected: Array2::zeros((most, most)),
            filled: 0,
        }
    }

    /// Extends the basis by the directions that a block adds, and replaces the block by the images of these
    /// directions. Returns whether the block adds any.
    fn extend(&mut self, a: &Array2<F>, block: &mut Array2<F>) -> Result<bool, Error> {
        let known = self.vectors.slice(s![..self.filled, ..]);
        let Some(new) = orthonormal(known, std::mem::take(block))? else {
            return Ok(false);
        };
        *block = product(a.view(), new.view()) / self.unit;
        let rows = self.filled..self.filled + new.ncols();
        self.filled = rows.end;
        let of_new = s![rows.clone(), ..];
        self.vectors.slice_mut(of_new).assign(&new.t());
        self.images.slice_mut(of_new).assign(&block.t());
        let known = self.vectors.slice(s![..rows.end, ..]);
        let along = product(known, block.view());
        let (column, row) = (s![..rows.end, rows.clone()], s![rows, ..known.nrows()]);
        self.projected.slice_mut(column).assign(&along);
        self.projected.slice_mut(row).assign(&along.t());
        Ok(true)
    }

    /// Returns the `most` largest eigenvalues within the basis, or all if there are fewer, with their vectors.
    fn leading_pairs(&self, most: usize) -> Result<Pairs<F>, Error> {
        let known = s![..self.filled, ..];
        let projected = self.projected.slice(s![..self.filled, ..self.filled]);
        let (values, turn) = eigh(&((&projected + &projected.t()) / F::cast(2)))?;
        let count = most.min(self.filled);
        let turn = turn.slice(s![.., ..count]);
        Ok(Pairs {
            values: values.slice(s![..count]).to_owned(),
            vectors: product(turn.t(), self.vectors.slice(known)),
            images: product(turn.t(), self.images.slice(known)),
        })
    }

    fn restart(&mut self, from: &Pairs<F>) {
        self.filled = from.values.len();
        let kept = s![..self.filled, ..];
        self.vectors.slice_mut(kept).assign(&from.vectors);
        self.images.slice_mut(kept).assign(&from.images);
        let within = product(from.vectors.view(), from.images.t());
        let kept = s![..self.filled, ..self.filled];
        self.projected.slice_mut(kept).assign(&within);
    }
}

impl<F: Scalar> Pairs<F> {
    /// Returns the residuals Av − λv, one a row.
    fn residuals(&self) -> Array2<F> {
        &self.images - &(&self.vectors * &self.values.view().insert_axis(Axis(1)))
    }

    /// Returns the first `count` values, and their vectors, one a column.
    fn first(&self, count: usize) -> (Array1<F>, Array2<F>) {
        let vectors = self.vectors.slice(s![..count, ..]);
        (
            self.values.slice(s![..count]).to_owned(),
            vectors.t().as_standard_layout().into_owned(),
        )
    }
}

/// Returns an orthonormal basis, one vector a column, of the directions that a block adds to an orthonormal
/// `basis`, one vector a row. Directions that are rounding only are left out; the result is `None` if no
/// direction is left. Every step is done twice, because the first time leaves the rounding of what cancelled.
fn orthonormal<F: Scalar>(
    basis: ArrayView2<'_, F>,
    mut block: Array2<F>,
) -> Result<Option<Array2<F>>, Error> {
    for _ in 0..2 {
        // Columns are divided by their lengths, so that short columns are not lost beside long ones.
        for mut column in block.columns_mut() {
            let length = column.dot(&column).sqrt();
            if length > F::zero() {
                column /= length;
            }
        }
        let along = product(basis, block.view());
        block -= &product(basis.t(), along.view());
        let (values, turn) = eigh(&product(block.t(), block.view()))?;
        let level = F::cast(64) * F::epsilon();
        let kept = values.iter().take_while(|&&v| v > level).count();
        if kept == 0 {
            return Ok(None);
        }
        let roots = values.slice(s![..kept]).mapv(F::sqrt);
        block = product(block.view(), turn.slice(s![.., ..kept])) / roots;
    }
    Ok(Some(block))
}

/// Returns a matrix of numbers of both signs without a pattern, the same at every call.
pub(crate) fn without_pattern<F: Scalar>(rows: usize, columns: usize) -> Array2<F> {
    let mut state = 1_u64;
    Array2::from_shape_simple_fn((rows, columns), || {
        // The numbers are the upper half of Knuth's linear congruential generator.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        F::cast((state >> 32) as f64 / f64::from(u32::MAX) - 0.5)
    })
}
