//! A triangular matrix in half of the memory.

use super::{PANEL, fill_symmetric, solve_panels};
use crate::Scalar;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, s};

/// A lower triangular matrix L, as stretches of [`PANEL`] rows, each as far as its diagonal goes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Triangle<F> {
    size: usize,
    /// Rows that there may be.
    most: usize,
    stretches: Vec<Array2<F>>,
}

impl<F: Scalar> Triangle<F> {
    /// Without rows; there will be `most` at most.
    pub(crate) fn with_room(most: usize) -> Self {
        Self {
            size: 0,
            most,
            stretches: Vec::new(),
        }
    }

    /// Adds a row, as far as its diagonal. After the last, [`truncate`](Self::truncate) is due.
    pub(crate) fn push<'v>(&mut self, row: impl Iterator<Item = &'v F>) {
        let place = self.size % PANEL;
        if place == 0 {
            let end = (self.size + PANEL).min(self.most);
            self.stretches.push(Array2::zeros((end - self.size, end)));
        }
        let stretch = self.stretches.last_mut().expect("there is one");
        let values = stretch.row_mut(place);
        values
            .into_iter()
            .zip(row)
            .for_each(|(v, &of_row)| *v = of_row);
        self.size += 1;
    }

    /// The rows, each as far as its diagonal.
    pub(crate) fn rows(&self) -> impl Iterator<Item = ArrayView1<'_, F>> {
        (0..self.size).map(|k| self.stretches[k / PANEL].slice(s![k % PANEL, ..=k]))
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Leaves the first rows and columns, and no room for more.
    pub(crate) fn truncate(&mut self, size: usize) {
        self.size = size.min(self.size);
        self.most = self.size;
        self.stretches.truncate(self.size.div_ceil(PANEL));
        let Some(last) = self.stretches.len().checked_sub(1) else {
            return;
        };
        let rows = self.size - last * PANEL;
        if rows < self.stretches[last].nrows() {
            let kept = self.stretches[last].slice(s![..rows, ..self.size]);
            self.stretches[last] = kept.to_owned();
        }
    }

    /// B ← L⁻¹B, sequentially; B is row-major.
    pub(crate) fn solve_in_place(&self, b: &mut Array2<F>) {
        for stretch in &self.stretches {
            let before = stretch.ncols() - stretch.nrows();
            let (solved, mut rest) = b.view_mut().split_at(Axis(0), before);
            let mut own = rest.slice_mut(s![..stretch.nrows(), ..]);
            let (left, diagonal) = stretch.view().split_at(Axis(1), before);
            F::multiply(own.view_mut(), true, -F::one(), left, solved.view());
            let mut solution = own.to_owned();
            F::solve_lower(diagonal, &mut solution);
            own.assign(&solution);
        }
    }

    /// B ← L⁻ᵀB, sequentially; B is row-major.
    fn solve_transposed_in_place(&self, b: &mut Array2<F>) {
        for stretch in self.stretches.iter().rev() {
            let before = stretch.ncols() - stretch.nrows();
            let (earlier, mut rest) = b.view_mut().split_at(Axis(0), before);
            let mut own = rest.slice_mut(s![..stretch.nrows(), ..]);
            let (left, diagonal) = stretch.view().split_at(Axis(1), before);
            let mut solution = own.to_owned();
            F::solve_upper(diagonal.reversed_axes(), &mut solution);
            own.assign(&solution);
            F::multiply(earlier, true, -F::one(), left.reversed_axes(), own.view());
        }
    }

    /// L⁻ᵀB, in parallel over the columns of B.
    pub(crate) fn solve_transposed(&self, b: ArrayView2<'_, F>) -> Array2<F> {
        solve_panels(b, |b| self.solve_transposed_in_place(b))
    }

    /// LLᵀ, in parallel, without the products with zeros.
    pub(crate) fn times_transpose(&self) -> Array2<F> {
        fill_symmetric(self.size, &|rows, columns, tile| {
            let width = rows.end.min(columns.end);
            let part = |start: usize| self.stretches[start / PANEL].slice(s![.., ..width]);
            let (a, b) = (part(rows.start), part(columns.start));
            F::multiply(tile.view_mut(), false, F::one(), a, b.t());
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{product, solve_lower, solve_lower_transposed, without_pattern};
    use ndarray::Array;

    /// With a diagonal that keeps solutions of moderate size.
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

    /// Against the full matrix, at the ends of stretches and beside them.
    #[test]
    fn is_the_full_matrix() {
        for size in [0, 1, 2, PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 7] {
            for kept in [size, size / 2, PANEL.min(size)] {
                let rows = rows(size);
                let mut triangle = Triangle::with_room(size + 3);
                for row in &rows {
                    triangle.push(row.iter());
                }
                assert!(
                    triangle
                        .rows()
                        .zip(&rows)
                        .all(|(row, of)| row.to_vec() == *of)
                );
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
