//! Operations on matrices with a row for each sample that look once at every number, panel by panel and in parallel. Panels
//! have a fixed size, so that sums do not depend on the number of threads.

use crate::{
    Scalar,
    linalg::{PANEL, sign_of_largest, transposed},
    parallel,
};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, Zip};

/// The number of columns that are copied at a time, if columns are looked at one by one.
const COLUMNS: usize = 16;

fn of_panels<F: Scalar, R: Send + Sync>(
    matrix: ArrayView2<'_, F>,
    work: impl Fn(ArrayView2<'_, F>) -> R + Sync,
) -> Vec<R> {
    let panels: Vec<_> = matrix.axis_chunks_iter(Axis(0), PANEL).collect();
    parallel::map(panels.len(), |panel| work(panels[panel]))
}

/// Changes a matrix panel by panel. `work` gets the number of the first row of a panel, and the panel.
pub(super) fn change_panels<F: Scalar>(
    matrix: &mut Array2<F>,
    work: impl Fn(usize, &mut ArrayViewMut2<'_, F>) + Sync,
) {
    let mut panels: Vec<_> = matrix.axis_chunks_iter_mut(Axis(0), PANEL).collect();
    parallel::map_mut(&mut panels, |place, panel| work(place * PANEL, panel));
}

/// The squared length of each row.
pub(super) fn squared_lengths<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array1<F> {
    let lengths = of_panels(matrix, |panel| {
        let rows = panel.outer_iter();
        rows.map(|row| row.dot(&row)).collect::<Vec<F>>()
    });
    lengths.into_iter().flatten().collect()
}

/// The product of each row with v.
pub(super) fn along<F: Scalar>(matrix: ArrayView2<'_, F>, v: &Array1<F>) -> Array1<F> {
    let products = of_panels(matrix, |panel| panel.dot(v));
    products.into_iter().flatten().collect()
}

/// Adds up, column by column, what `of_panel` gives for each panel. The sums of panels come first, so that f32 loses
/// nothing over many rows.
fn column_sums<F: Scalar>(
    matrix: ArrayView2<'_, F>,
    of_panel: impl Fn(ArrayView2<'_, F>) -> Array1<F> + Sync,
) -> Array1<F> {
    let none = Array1::zeros(matrix.ncols());
    let sums = of_panels(matrix, of_panel).into_iter();
    sums.fold(none, |total, sum| total + sum)
}

/// The mean of each column.
pub(crate) fn column_means<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array1<F> {
    column_sums(matrix, |panel| panel.sum_axis(Axis(0))) / F::cast(matrix.nrows())
}

/// Subtracts the mean of each column, and returns the means.
pub(crate) fn center_columns<F: Scalar>(matrix: &mut Array2<F>) -> Array1<F> {
    let means = column_means(matrix.view());
    change_panels(matrix, |_, panel| *panel -= &means);
    means
}

/// The sum of the squares of each column.
pub(super) fn column_squares<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array1<F> {
    column_sums(matrix, |panel| {
        let mut squares = Array1::zeros(panel.ncols());
        for row in panel.outer_iter() {
            Zip::from(&mut squares)
                .and(row)
                .for_each(|sum, &v| *sum += v * v);
        }
        squares
    })
}

/// The sign of each column that makes its entry of largest magnitude positive; of entries equal up to rounding, the first decides.
pub(super) fn axis_signs<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array1<F> {
    let panels: Vec<_> = matrix.axis_chunks_iter(Axis(1), COLUMNS).collect();
    let signs = parallel::map(panels.len(), |panel| {
        let columns = transposed(panels[panel]);
        let columns = columns.outer_iter();
        columns.map(sign_of_largest).collect::<Vec<F>>()
    });
    signs.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::without_pattern;

    #[test]
    fn panels_know_their_first_row() {
        let mut matrix = Array2::<f64>::zeros((2 * PANEL + 3, 1));
        change_panels(&mut matrix, |first, panel| panel.fill(first as f64));
        for (row, &first) in matrix.iter().enumerate() {
            assert_eq!(first, (row - row % PANEL) as f64);
        }
    }

    /// Each operation gives the result of its plain formula, for sizes at the ends of panels and beside them.
    #[test]
    fn are_the_plain_formulas() {
        for rows in [1, PANEL - 1, PANEL, 2 * PANEL + 3] {
            for columns in [1, COLUMNS, COLUMNS + 1, 2 * COLUMNS + 5] {
                let matrix: Array2<f64> = without_pattern(rows, columns);
                let (a, row) = (matrix.view(), matrix.row(rows - 1).to_owned());
                let assert_near = |found: Array1<f64>, expected: Array1<f64>| {
                    let known = 1e-15 * rows.max(columns) as f64;
                    assert_eq!(found.len(), expected.len());
                    assert!((found - expected).iter().all(|d| d.abs() <= known));
                };
                let squares = &matrix * &matrix;
                assert_near(squared_lengths(a), squares.sum_axis(Axis(1)));
                assert_near(column_squares(a), squares.sum_axis(Axis(0)));
                assert_near(column_means(a), matrix.sum_axis(Axis(0)) / rows as f64);
                assert_near(along(a, &row), matrix.dot(&row));
                let signs = matrix.axis_iter(Axis(1)).map(sign_of_largest);
                assert_eq!(axis_signs(a), signs.collect::<Array1<f64>>());
                let mut centered = matrix.clone();
                let means = center_columns(&mut centered);
                assert_eq!(centered, &matrix - &means);
                assert_eq!(means, column_means(a));
            }
        }
    }
}
