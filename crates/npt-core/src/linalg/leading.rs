//! The leading eigenpairs of a large symmetric matrix.

use super::{eigh, product};
use crate::{Error, Scalar};
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

/// Matrices up to this size are decomposed as a whole.
const SMALL: usize = 512;

/// A whole decomposition also where more than one of so many eigenpairs is wanted.
const SHARE: usize = 10;

/// Vectors that are kept besides those wanted: with them, close eigenvalues converge together.
const EXTRA: usize = 8;

/// Columns of a block of the Krylov basis: few, so that the basis reaches a high power of A, but not so few
/// that A is read more often than that saves.
const WIDTH: usize = 16;

/// The basis is restarted from its best vectors when it has this many times as many.
const LENGTH: usize = 10;

/// Restarts before the matrix is decomposed as a whole after all.
const RESTARTS: usize = 12;

/// The `count` largest eigenvalues, descending, and their eigenvectors, one a column, of a
/// positive semidefinite matrix.
///
/// Of a large matrix by a block Krylov iteration with thick restarts: the basis X, AX, A²X, … kept
/// orthonormal, and the eigenpairs of A within it, until each satisfies ‖Av − λv‖ ≤ 8ε√n·λ₁, what
/// rounding of Av leaves. Deterministic: the first block is a fixed one.
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
        && let Some(found) = krylov(a, count)?
    {
        return Ok(found);
    }
    let (values, vectors) = eigh(a)?;
    Ok((
        values.slice(s![..count]).to_owned(),
        vectors.slice(s![.., ..count]).to_owned(),
    ))
}

/// `None` if it does not converge.
fn krylov<F: Scalar>(a: &Array2<F>, count: usize) -> Result<Option<(Array1<F>, Array2<F>)>, Error> {
    let n = a.nrows();
    let kept = count + EXTRA;
    let length = (LENGTH * kept).min(n);
    // One vector a row, and below its image under A.
    let mut basis = Array2::zeros((length + WIDTH, n));
    let mut images = Array2::zeros((length + WIDTH, n));
    let mut filled = 0;
    let mut block = without_pattern(n, WIDTH);
    for _ in 0..RESTARTS {
        while filled < length {
            let Some(next) = orthonormal(basis.slice(s![..filled, ..]), block)? else {
                break;
            };
            let rows = filled..filled + next.ncols();
            block = product(a.view(), next.view());
            basis.slice_mut(s![rows.clone(), ..]).assign(&next.t());
            images.slice_mut(s![rows.clone(), ..]).assign(&block.t());
            filled = rows.end;
        }
        let (known, known_images) = (
            basis.slice(s![..filled, ..]),
            images.slice(s![..filled, ..]),
        );
        let small = product(known, known_images.t());
        let (values, turn) = eigh(&((&small + &small.t()) / F::cast(2)))?;
        let best = kept.min(filled);
        let turn = turn.slice(s![.., ..best]);
        let (vectors, vector_images) = (product(turn.t(), known), product(turn.t(), known_images));
        let values = values.slice(s![..best]).to_owned();
        let rest = &vector_images - &(&vectors * &values.view().insert_axis(Axis(1)));
        let tolerance = F::cast(8) * F::epsilon() * F::cast(n).sqrt() * values[0];
        let open: Vec<usize> = (0..count.min(best))
            .filter(|&k| rest.row(k).dot(&rest.row(k)).sqrt() > tolerance)
            .collect();
        if open.is_empty() && best >= count {
            let vectors = vectors
                .slice(s![..count, ..])
                .t()
                .as_standard_layout()
                .into_owned();
            return Ok(Some((values.slice(s![..count]).to_owned(), vectors)));
        }
        // What the open ones lack is the next block.
        block = rest
            .select(Axis(0), &open[..open.len().min(WIDTH)])
            .reversed_axes();
        block = block.as_standard_layout().into_owned();
        basis.slice_mut(s![..best, ..]).assign(&vectors);
        images.slice_mut(s![..best, ..]).assign(&vector_images);
        filled = best;
        if open.is_empty() {
            return Ok(None);
        }
    }
    Ok(None)
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
        for _ in 0..2 {
            let along = product(basis, block.view());
            block -= &product(basis.t(), along.view());
        }
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
