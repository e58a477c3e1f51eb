//! The leading eigenpairs of a large symmetric matrix.

use super::{eigh, power_of_two_near, product};
use crate::{Error, Scalar, parallel, watch::Progress};
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

/// Matrices up to this size are decomposed as a whole.
const SMALL: usize = 384;

/// A whole decomposition also where more than one of so many eigenpairs is wanted.
const SHARE: usize = 10;

/// Vectors that are kept besides those wanted: with them, close eigenvalues converge together.
const EXTRA: usize = 8;

/// Columns of a block of the Krylov basis: few, so that the basis reaches a high power of A, but not so
/// few that A is read more often than that saves.
const WIDTH: usize = 12;

/// Whether the eigenpairs within the basis have converged is first asked when it has this many times as
/// many vectors as are kept, and again whenever it has grown by a quarter.
const FIRST: usize = 5;

/// The basis is restarted from its best vectors when it has this many times as many.
const LENGTH: usize = 10;

/// Restarts before the matrix is decomposed as a whole after all.
const RESTARTS: usize = 12;

/// The `count` largest eigenvalues, descending, and their eigenvectors, one a column, of a
/// positive semidefinite matrix.
///
/// Of a large matrix by a block Krylov iteration with thick restarts: the basis X, AX, A²X, … kept
/// orthonormal, and the eigenpairs of A within it, until each satisfies ‖Av − λv‖ ≤ 8ε√n·λ₁, what
/// rounding of Av leaves. Of a multiple eigenvalue it finds as many copies as X has columns: where it
/// finds no fewer, it starts again from an X of `count` columns. Deterministic: X is a fixed one.
///
/// # Errors
/// As [`eigh`].
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

/// The leading eigenpairs from blocks of few columns, if these are enough to find all of them.
fn all_copies<F: Scalar>(a: &Array2<F>, count: usize) -> Result<Found<F>, Error> {
    let found = krylov(a, count, WIDTH)?;
    let Some((values, _)) = &found else {
        return Ok(None);
    };
    // After the last of those wanted, copies may be missing.
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

/// What rounding of Av leaves of ‖Av − λv‖, relative to the largest eigenvalue.
fn rounding<F: Scalar>(n: usize) -> F {
    F::cast(8) * F::epsilon() * F::cast(n).sqrt()
}

/// By blocks of `width` columns.
fn krylov<F: Scalar>(a: &Array2<F>, count: usize, width: usize) -> Result<Found<F>, Error> {
    let n = a.nrows();
    let kept = count + EXTRA;
    let length = (LENGTH * kept).min(n);
    // The diagonal of a positive semidefinite matrix has its largest entry. Squares of vectors in other
    // units would overflow or vanish.
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
            // What the open ones lack is the next block.
            let lacking = residuals.select(Axis(0), &open[..open.len().min(width)]);
            block = lacking.t().as_standard_layout().into_owned();
            basis.restart(&pairs);
            next_look = FIRST * kept;
        }
    }
}

/// An orthonormal basis, one vector a row, its images under A, and A within it, in a unit in which the
/// entries of A are at most about 1.
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

    /// Extends the basis by what a block adds, and replaces the block by the image of that; whether
    /// it adds anything.
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

    /// The `most` largest of the eigenvalues, or all, with their vectors.
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
    /// Av − λv, one a row.
    fn residuals(&self) -> Array2<F> {
        &self.images - &(&self.vectors * &self.values.view().insert_axis(Axis(1)))
    }

    /// Some of the values, and their vectors, one a column.
    fn first(&self, count: usize) -> (Array1<F>, Array2<F>) {
        let vectors = self.vectors.slice(s![..count, ..]);
        (
            self.values.slice(s![..count]).to_owned(),
            vectors.t().as_standard_layout().into_owned(),
        )
    }
}

/// An orthonormal basis of what a block adds to an orthonormal one, one a row; directions that it adds
/// to rounding only are left out, and `None` if none are left. Everything twice, as once leaves what
/// cancelled.
fn orthonormal<F: Scalar>(
    basis: ArrayView2<'_, F>,
    mut block: Array2<F>,
) -> Result<Option<Array2<F>>, Error> {
    for _ in 0..2 {
        // In units of its columns, so that short ones are not lost beside long ones.
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

/// Numbers of both signs without a pattern, the same at every call.
pub(crate) fn without_pattern<F: Scalar>(rows: usize, columns: usize) -> Array2<F> {
    let mut state = 1_u64;
    Array2::from_shape_simple_fn((rows, columns), || {
        // Knuth's linear congruential generator, its upper half.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        F::cast((state >> 32) as f64 / f64::from(u32::MAX) - 0.5)
    })
}
