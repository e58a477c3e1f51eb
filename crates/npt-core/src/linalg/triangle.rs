//! A triangular matrix that takes half of the memory of a full one.

use super::{PANEL, fill_symmetric, solve::solve_panels};
use crate::Scalar;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, s};

/// A lower triangular matrix L, kept in stretches of [`PANEL`] rows. A stretch has the columns up to the end
/// of its diagonal block.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(crate) struct Triangle<F> {
    size: usize,
    /// The largest number of rows that there may be.
    most: usize,
    stretches: Vec<Stretch<F>>,
}

/// A stretch of rows: the columns to the left of its diagonal block, and the diagonal block. These are two
/// matrices, because a product with parts of the rows of one matrix would copy the parts.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Stretch<F> {
    left: Array2<F>,
    diagonal: Array2<F>,
}

impl<F> Triangle<F> {
    pub(crate) fn size(&self) -> usize {
        self.size
    }
}

impl<F: Scalar> Triangle<F> {
    /// Creates a matrix without rows, with room for at most `most` rows. After the last row,
    /// [`truncate`](Self::truncate) has to free the room that is left.
    pub(crate) fn with_room(most: usize) -> Self {
        Self {
            size: 0,
            most,
            stretches: Vec::new(),
        }
    }

    /// Adds a row, up to its diagonal entry.
    pub(crate) fn push<'v>(&mut self, row: impl Iterator<Item = &'v F>) {
        let place = self.size % PANEL;
        if place == 0 {
            let rows = PANEL.min(self.most - self.size);
            self.stretches.push(Stretch {
                left: Array2::zeros((rows, self.size)),
                diagonal: Array2::zeros((rows, rows)),
            });
        }
        let Stretch { left, diagonal } = self.stretches.last_mut().expect("there is one");
        let values = left
            .row_mut(place)
            .into_iter()
            .chain(diagonal.row_mut(place));
        values.zip(row).for_each(|(v, &of_row)| *v = of_row);
        self.size += 1;
    }

    /// Iterates over the rows, each in two parts: the entries to the left of its diagonal block, and the entries
    /// in that block up to the diagonal.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (ArrayView1<'_, F>, ArrayView1<'_, F>)> {
        (0..self.size).map(|k| self.row(k))
    }

    /// Returns row k, in two parts as in [`rows`](Self::rows).
    pub(crate) fn row(&self, k: usize) -> (ArrayView1<'_, F>, ArrayView1<'_, F>) {
        let (Stretch { left, diagonal }, place) = (&self.stretches[k / PANEL], k % PANEL);
        (left.row(place), diagonal.slice(s![place, ..=place]))
    }

    /// Keeps the first `size` rows and columns, and frees the room for more.
    pub(crate) fn truncate(&mut self, size: usize) {
        self.size = size.min(self.size);
        self.most = self.size;
        self.stretches.truncate(self.size.div_ceil(PANEL));
        let Some(before) = self.stretches.len().checked_sub(1) else {
            return;
        };
        let (last, rows) = (&mut self.stretches[before], self.size - before * PANEL);
        if rows < last.diagonal.nrows() {
            last.left = last.left.slice(s![..rows, ..]).to_owned();
            last.diagonal = last.diagonal.slice(s![..rows, ..rows]).to_owned();
        }
    }

    /// B ← L⁻¹B, sequentially.
    pub(crate) fn solve_in_place(&self, b: &mut Array2<F>) {
        for Stretch { left, diagonal } in &self.stretches {
            let (solved, mut rest) = b.view_mut().split_at(Axis(0), left.ncols());
            let mut own = rest.slice_mut(s![..left.nrows(), ..]);
            F::multiply(own.view_mut(), true, -F::one(), left.view(), solved.view());
            let mut solution = own.as_standard_layout().into_owned();
            F::solve_lower(diagonal.view(), &mut solution);
            own.assign(&solution);
        }
    }

    /// B ← L⁻ᵀB, sequentially.
    fn solve_transposed_in_place(&self, b: &mut Array2<F>) {
        for Stretch { left, diagonal } in self.stretches.iter().rev() {
            let (earlier, mut rest) = b.view_mut().split_at(Axis(0), left.ncols());
            let mut own = rest.slice_mut(s![..left.nrows(), ..]);
            let mut solution = own.as_standard_layout().into_owned();
            F::solve_upper(diagonal.t(), &mut solution);
            own.assign(&solution);
            F::multiply(earlier, true, -F::one(), left.t(), own.view());
        }
    }

    /// Computes L⁻ᵀB, in parallel over the columns of B.
    pub(crate) fn solve_transposed(&self, b: ArrayView2<'_, F>) -> Array2<F> {
        solve_panels(b, |b| self.solve_transposed_in_place(b))
    }

    /// Computes LLᵀ, in parallel, without the products with zeros.
    pub(crate) fn times_transpose(&self) -> Array2<F> {
        fill_symmetric(self.size, &|rows, columns, tile| {
            let (first, second) = (rows.start / PANEL, columns.start / PANEL);
            // Only tiles on the diagonal and to the right of it are asked for: the columns do not begin before the rows.
            let [a, b] = [first, second].map(|stretch| &self.stretches[stretch]);
            let before = b.left.slice(s![.., ..rows.start]);
            F::multiply(tile.view_mut(), false, F::one(), a.left.view(), before.t());
            let own = if first == second {
                b.diagonal.view()
            } else {
                b.left.slice(s![.., rows])
            };
            F::multiply(tile.view_mut(), true, F::one(), a.diagonal.view(), own.t());
        })
    }
}

crate::checked! {
    Triangle<F> { size: usize, most: usize, stretches: Vec<Stretch<F>> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> Triangle<F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::serial::{agree, finite};
        agree(
            "rows of a triangle",
            self.most,
            "rows that it has room for",
            self.size,
        )?;
        agree(
            "stretches",
            self.stretches.len(),
            "stretches of a triangle",
            self.size.div_ceil(PANEL),
        )?;
        for (place, Stretch { left, diagonal }) in self.stretches.iter().enumerate() {
            let before = place * PANEL;
            let rows = PANEL.min(self.size - before);
            if left.dim() != (rows, before) || diagonal.dim() != (rows, rows) {
                return Err(
                    "a block of a triangular matrix has the wrong shape for its place".into(),
                );
            }
            finite("the entries of a triangle", left.iter().chain(diagonal))?;
            let is_above = |((i, j), value): ((usize, usize), &F)| j > i && *value != F::zero();
            if diagonal.indexed_iter().any(is_above) {
                return Err("a triangular matrix has entries above its diagonal".into());
            }
            if diagonal.diag().iter().any(|value| !(*value > F::zero())) {
                return Err("a triangular matrix has a diagonal that is not positive".into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product, solve_lower, solve_lower_transposed, without_pattern};
    use ndarray::Array;

    /// Returns the rows of a triangle, with a diagonal that keeps solutions at a moderate size.
    fn rows(size: usize) -> Vec<Vec<f64>> {
        let noise: Array2<f64> = without_pattern(size, size);
        let entry = |i: usize, j: usize| noise[[i, j]] + if i == j { size as f64 } else { 0.0 };
        (0..size)
            .map(|i| (0..=i).map(|j| entry(i, j)).collect())
            .collect()
    }

    fn full(rows: &[Vec<f64>]) -> Array2<f64> {
        let entry = |(i, j): (usize, usize)| rows[i].get(j).copied().unwrap_or(0.0);
        Array::from_shape_fn((rows.len(), rows.len()), entry)
    }

    fn assert_near(a: &Array2<f64>, b: &Array2<f64>) {
        let largest = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        assert_eq!(a.dim(), b.dim());
        assert!((a - b).iter().all(|d| d.abs() <= 1e-14 * largest));
    }

    /// A triangle gives the results of the full matrix, for sizes at the ends of stretches and beside them.
    #[test]
    fn is_the_full_matrix() {
        for size in [0, 1, 2, PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 7] {
            for kept in [size, size / 2, PANEL.min(size)] {
                let rows = rows(size);
                let mut triangle = Triangle::with_room(size + 3);
                for row in &rows {
                    triangle.push(row.iter());
                }
                for ((left, own), row) in triangle.rows().zip(&rows) {
                    assert!(left.into_iter().chain(own).eq(row));
                }
                triangle.truncate(kept);
                assert_eq!(triangle.size(), kept);
                let l = full(&rows[..kept]);
                for columns in [1, 3, PANEL + 2] {
                    let b = without_pattern(kept, columns);
                    let mut solution = b.clone();
                    triangle.solve_in_place(&mut solution);
                    assert_near(&solution, &solve_lower(l.view(), b.view()));
                    let expected = solve_lower_transposed(l.view(), b.view());
                    assert_near(&triangle.solve_transposed(b.view()), &expected);
                }
                assert_near(&triangle.times_transpose(), &product(l.view(), l.t()));
            }
        }
    }
}
