//! The implementation of the seam by linfa-linalg and ndarray: no further dependency, one thread, small sizes.

use crate::watch::{check, detached};
use linfa_linalg::{eigh::Eigh, qr::QRInto};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, linalg::general_mat_mul, s};
use std::cmp::Ordering;

pub(super) fn multiply<F: linfa::Float>(
    mut c: ArrayViewMut2<'_, F>,
    accumulate: bool,
    alpha: F,
    a: ArrayView2<'_, F>,
    b: ArrayView2<'_, F>,
) {
    let beta = if accumulate { F::one() } else { F::zero() };
    general_mat_mul(alpha, &a, &b, beta, &mut c);
}

pub(super) fn multiply_rows<F: linfa::Float>(
    c: ArrayViewMut2<'_, F>,
    a: ArrayView2<'_, F>,
    first: usize,
    b: ArrayView2<'_, F>,
) {
    let rows = a.slice(s![first..first + c.nrows(), ..]);
    multiply(c, false, F::one(), rows, b);
}

pub(super) fn solve_lower<F: linfa::Float>(l: ArrayView2<'_, F>, b: &mut Array2<F>) {
    for i in 0..l.nrows() {
        check();
        let (solved, mut rest) = b.view_mut().split_at(Axis(0), i);
        let mut row = rest.row_mut(0);
        for (j, above) in solved.outer_iter().enumerate() {
            row.scaled_add(-l[[i, j]], &above);
        }
        row /= l[[i, i]];
    }
}

pub(super) fn solve_upper<F: linfa::Float>(u: ArrayView2<'_, F>, b: &mut Array2<F>) {
    for i in (0..u.nrows()).rev() {
        check();
        let (mut rest, solved) = b.view_mut().split_at(Axis(0), i + 1);
        let mut row = rest.row_mut(i);
        for (j, below) in solved.outer_iter().enumerate() {
            row.scaled_add(-u[[i, i + 1 + j]], &below);
        }
        row /= u[[i, i]];
    }
}

/// Decompositions from this size on take more than a few hundredths of a second.
const LARGE: usize = 128;

pub(super) fn eigh<F: linfa::Float>(a: Array2<F>) -> Option<(Array1<F>, Array2<F>)> {
    if a.is_empty() {
        return Some((Array1::zeros(0), a));
    }
    let size = a.nrows();
    // The reflections of linfa-linalg square the entries of a column. Where the squares vanish, the result is no
    // reflection. So entries this small are set to 0; they change no eigenvalue by a rounding.
    let largest = a
        .iter()
        .fold(F::zero(), |m, &v| if v.abs() > m { v.abs() } else { m });
    let negligible = F::epsilon() * F::epsilon() * largest;
    let flushed = a.mapv(|v| if v.abs() > negligible { v } else { F::zero() });
    let decompose = move || {
        let (_, mut vectors) = flushed.eigh().ok()?;
        let values = polish(&a, &mut vectors);
        Some((values, vectors))
    };
    let (values, vectors) = if size < LARGE {
        decompose()
    } else {
        detached(decompose)
    }?;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| {
        let ascending = values[i].partial_cmp(&values[j]);
        ascending.unwrap_or(Ordering::Equal)
    });
    Some((
        values.select(Axis(0), &order),
        vectors.t().select(Axis(0), &order),
    ))
}

/// Finishes the decomposition and returns the eigenvalues. The vectors of linfa-linalg are orthonormal, but
/// its last step cancels, and turns pairs of vectors within their plane by up to 10⁵ roundings. Jacobi
/// rotations turn these pairs back.
fn polish<F: linfa::Float>(a: &Array2<F>, vectors: &mut Array2<F>) -> Array1<F> {
    const SWEEPS: usize = 5;
    let n = a.nrows();
    let mut rotated = vectors.t().dot(a).dot(vectors);
    let scale = rotated
        .diag()
        .iter()
        .fold(F::zero(), |m, &v| if v.abs() > m { v.abs() } else { m });
    // This is below the rounding of the two products.
    let negligible = F::cast(4) * F::cast(n).sqrt() * F::epsilon() * scale;
    for _ in 0..SWEEPS {
        let mut settled = true;
        for p in 0..n {
            for q in p + 1..n {
                let entry = rotated[[p, q]];
                if entry.abs() > negligible {
                    settled = false;
                    let cotangent = (rotated[[q, q]] - rotated[[p, p]]) / (entry + entry);
                    let one = F::one().copysign(cotangent);
                    let tangent = one / (cotangent.abs() + cotangent.hypot(F::one()));
                    let cosine = tangent.hypot(F::one()).recip();
                    rotate_columns(vectors, p, q, cosine, tangent * cosine);
                    rotate_columns(&mut rotated, p, q, cosine, tangent * cosine);
                    rotated.swap_axes(0, 1);
                    rotate_columns(&mut rotated, p, q, cosine, tangent * cosine);
                    rotated.swap_axes(0, 1);
                }
            }
        }
        if settled {
            break;
        }
    }
    rotated.diag().to_owned()
}

fn rotate_columns<F: linfa::Float>(matrix: &mut Array2<F>, p: usize, q: usize, cosine: F, sine: F) {
    for mut row in matrix.outer_iter_mut() {
        (row[p], row[q]) = (
            cosine * row[p] - sine * row[q],
            sine * row[p] + cosine * row[q],
        );
    }
}

/// Returns an orthonormal basis, one vector a row, of a span that contains the rows of a matrix. The matrix has no
/// more rows than columns. The decomposition is done twice, because squares of the rounding of rounding vanish:
/// after the first, the first rows span what they should, but the last rows are not orthogonal.
pub(super) fn orthonormal_rows<F: linfa::Float>(a: Array2<F>) -> Array2<F> {
    let size = a.len();
    let decompose = move || {
        let mut columns = a.reversed_axes();
        for _ in 0..2 {
            let decomposed = columns.qr_into();
            columns = decomposed.expect("no more rows than columns").generate_q();
        }
        columns.reversed_axes().as_standard_layout().into_owned()
    };
    if size < LARGE * LARGE {
        decompose()
    } else {
        detached(decompose)
    }
}

/// Runs a loop with the instructions that this crate is compiled for.
#[cfg(not(feature = "faer"))]
pub(super) fn vectorized(run: impl super::Vectorized) {
    run.run::<false>();
}
