//! Moments of linear functions of the records.

use super::Moments;
use crate::{Error, error::require_finite};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Dimension};
use npt_core::{LinearFunctions, Scalar, linalg};

impl<I: Dimension> Moments<I> {
    /// Returns the moments of linear functions Aᵀx + c of the records. Their scatter is known but for a share `rounding` of its largest
    /// eigenvalue.
    pub(in crate::streaming) fn of_functions(
        self,
        coefficients: ArrayView2<'_, f64>,
        offsets: ArrayView1<'_, f64>,
        rounding: f64,
    ) -> Result<Self, Error> {
        if !(self.weight > 0.0) {
            let nothing = Self::empty(coefficients.ncols(), self.target_mean.len());
            let count = self.count;
            return Ok(Self { count, ..nothing });
        }
        let found = Self {
            count: self.count,
            weight: self.weight,
            mean: mean_of_functions(self.mean.view(), coefficients, offsets),
            scatter: scatter_of_functions(self.scatter.view(), coefficients),
            target_mean: self.target_mean,
            cross_scatter: linalg::product(coefficients.t(), self.cross_scatter.view()),
            target_scatter: self.target_scatter,
            rounding: self.rounding.max(rounding),
            targets: self.targets,
        };
        let numbers = found.mean.iter().chain(&found.scatter);
        require_finite("Moments", numbers.chain(&found.cross_scatter))?;
        Ok(found)
    }

    /// The (weighted) sums of squared errors of linear functions of the records, one for each target, from the moments
    /// alone. From moments of rows that were held out, they tell which of several fits is best.
    ///
    /// # Errors
    /// [`npt_core::Error::NoSamples`], [`Error::TooFewSamples`] where all rows have weight 0,
    /// [`npt_core::Error::ColumnCount`] and [`Error::TargetColumns`] if the functions are of other records or targets,
    /// [`Error::Overflow`] where the sums are not finite.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::array;
    /// use npt_methods::{linear::Ridge, streaming::{FitMoments, Moments}};
    ///
    /// let mut line = Moments::new(1);
    /// line.add(&Dataset::new(array![[0.0], [1.0], [2.0]], array![1.0, 3.0, 5.0]))?;
    /// let ridge: Ridge<f64> = Ridge::params().penalty(0.0).fit_moments(&line)?;
    ///
    /// let mut others = Moments::new(1);
    /// others.add(&Dataset::new(array![[3.0], [4.0]], array![7.5, 8.0]))?;
    /// let errors = others.squared_errors(&ridge)?;
    /// assert!((errors[0] - (0.5 * 0.5 + 1.0 * 1.0)).abs() < 1e-13);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn squared_errors<F: Scalar>(
        &self,
        functions: &impl LinearFunctions<F>,
    ) -> Result<Array1<f64>, Error> {
        self.require_rows()?;
        let (directions, offsets) = functions.linear_functions();
        let (directions, offsets) = (
            directions.mapv(Scalar::as_f64),
            offsets.mapv(Scalar::as_f64),
        );
        self.check_columns(directions.nrows(), directions.ncols())?;
        // Σ (t − wᵀx − b)²: the part around the means, and the part of the means.
        let explained = self.scatter.dot(&directions) - &self.cross_scatter * 2.0;
        let around = &self.target_scatter.diag() + (explained * &directions).sum_axis(Axis(0));
        let of_means = &self.target_mean - &self.mean.dot(&directions) - &offsets;
        let squares = around + &of_means * &of_means * self.weight;
        require_finite("Moments", squares.iter())?;
        // Rounding may make the sum of a perfect fit negative.
        Ok(squares.mapv_into(|sum| sum.max(0.0)))
    }
}

/// The mean Aᵀm + c of linear functions.
pub(in crate::streaming) fn mean_of_functions(
    mean: ArrayView1<'_, f64>,
    coefficients: ArrayView2<'_, f64>,
    offsets: ArrayView1<'_, f64>,
) -> Array1<f64> {
    mean.dot(&coefficients) + offsets
}

/// The scatter AᵀSA of linear functions.
pub(in crate::streaming) fn scatter_of_functions(
    scatter: ArrayView2<'_, f64>,
    coefficients: ArrayView2<'_, f64>,
) -> Array2<f64> {
    let half = linalg::product(scatter, coefficients);
    let mut found = linalg::product(coefficients.t(), half.view());
    // Rounding leaves the product not quite symmetric.
    for i in 0..found.nrows() {
        for j in 0..i {
            let mean = f64::midpoint(found[[i, j]], found[[j, i]]);
            (found[[i, j]], found[[j, i]]) = (mean, mean);
        }
    }
    found
}
