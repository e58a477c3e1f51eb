//! Few rows with the moments of many.

use super::Moments;
use crate::{Error, magnitude::rounding, targets::in_target_shape};
use linfa::DatasetBase;
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, Dimension, concatenate, s};
use npt_core::{Scalar, linalg};

impl<I: Dimension> Moments<I> {
    /// Returns records and targets of few rows (one more than there are columns of both, at most) with the same means and
    /// scatters. Any method that needs only means and scatters of its samples gives the same fit as from
    /// all rows: least squares, partial least squares.
    ///
    /// Only the number of rows differs, and with it every mean of squares.
    ///
    /// The rows are known to the root of the rounding of the scatters. An axis along which the rows extend less than
    /// 10⁻⁸ of the longest axis is left out; where the moments have a [`rounding`](Self::rounding), its root takes the place of 10⁻⁸.
    ///
    /// # Errors
    /// [`npt_core::Error::NoSamples`] for moments of no rows, [`Error::TooFewSamples`] where all rows have weight 0,
    /// [`npt_core::Error::Eigensolver`] for scatters near the end of the range.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::{Array1, Array2, array};
    /// use npt_methods::{linear::Ridge, streaming::Moments};
    ///
    /// let mut moments = Moments::new(2);
    /// for k in 0..100 {
    ///     let x = Array2::from_shape_fn((50, 2), |(i, j)| ((50 * k + i) as f64 * [0.7, 1.9][j]).sin());
    ///     let sums: Array1<f64> = x.dot(&array![2.0, -1.0]) + 3.0;
    ///     moments.add(&Dataset::new(x, sums))?;
    /// }
    /// let few = moments.condensed()?;
    /// assert!(few.records.nrows() <= 4);
    /// let line = Ridge::params().penalty(0.0).fit(&few)?;
    /// assert!((&line.weights() - &array![[2.0], [-1.0]]).iter().all(|d: &f64| d.abs() < 1e-7));
    /// assert!((line.intercept()[0] - 3.0).abs() < 1e-7);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn condensed<F: Scalar>(&self) -> Result<DatasetBase<Array2<F>, Array<F, I>>, Error> {
        self.require_rows()?;
        let features = self.mean().len();
        let joint = concatenate![
            Axis(0),
            concatenate![Axis(1), self.scatter(), self.cross_scatter()],
            concatenate![Axis(1), self.cross_scatter().t(), self.target_scatter()]
        ];
        let means = concatenate![Axis(0), self.mean(), self.target_mean()];
        let rows = rows_of_scatter(&joint.view(), features, self.rounding())? + &means;
        let (records, targets) = rows.view().split_at(Axis(1), features);
        let targets = in_target_shape(targets.mapv(F::cast));
        Ok(DatasetBase::new(records.mapv(F::cast), targets))
    }
}

/// Returns rows with the mean 0 and a given scatter, of as many dimensions as the scatter has. In the first `first` columns, the share
/// `known` of the largest eigenvalue is rounding.
pub(crate) fn rows_of_scatter(
    scatter: &ArrayView2<'_, f64>,
    first: usize,
    known: f64,
) -> Result<Array2<f64>, Error> {
    // In units of each column, so that small columns are as exact as large ones. The first columns have one unit if they are not exact.
    let mut squares = scatter.diag().mapv(|square| square.max(0.0));
    if known > 0.0 {
        let mut squares = squares.slice_mut(s![..first]);
        let largest = squares.fold(0.0_f64, |largest, &square| largest.max(square));
        squares.fill(largest);
    }
    let units = squares.mapv(|square| linalg::power_of_two_near(square.sqrt()));
    let scaled = scatter / &units.view() / units.view().insert_axis(Axis(1));
    let (values, vectors) = linalg::eigh(&scaled)?;
    let share = rounding::<f64>(values.len()).max(known);
    let level = share * values.first().map_or(0.0, |v| v.max(0.0));
    let rank = values.iter().take_while(|&&value| value > level).count();
    let roots = values.slice(s![..rank]).mapv(f64::sqrt);
    let axes = vectors.slice(s![.., ..rank]);
    // Λ½Vᵀ below a row of 0, reflected: the reflection exchanges the first axis and the direction (1, …, 1).
    let mut rows = Array2::zeros((rank + 1, units.len()));
    rows.slice_mut(s![1.., ..])
        .assign(&((&axes * &roots).reversed_axes() * &units));
    let count = (rank + 1) as f64;
    let mut normal = Array1::from_elem(rank + 1, 1.0 / count.sqrt());
    normal[0] -= 1.0;
    let square = normal.dot(&normal);
    if square > 0.0 {
        let along = normal.dot(&rows) * (2.0 / square);
        for (mut row, &weight) in rows.outer_iter_mut().zip(&normal) {
            row.scaled_add(-weight, &along);
        }
    }
    Ok(rows)
}
