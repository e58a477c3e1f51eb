//! Values in the place of missing ones.

use crate::{Error, error::require, weights::Weights};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Axis, Data, Ix2};
use npt_core::{Scalar, watch::Progress};

/// The value that takes the place of a missing one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Fill {
    Mean,
    Median,
    MostFrequent,
    Constant(f64),
}

/// Parameters of [`Imputer`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ImputerParams {
    fill: Fill,
    /// The positions of the columns of categories.
    categories: Vec<usize>,
}

/// Replaces each missing value, which is NaN, by a value for its column.
///
/// A [`Pipeline`](npt_core::Pipeline) that takes missing values puts it in front of a kernel method. The values for the columns come from
/// the samples of the fit, each counted as often as its weight says; samples of weight 0 do not count.
///
/// # Errors
/// [`Error::NoValues`] for a column without values; [`Error::Core`] with `SampleNotFinite` for an infinite value, and for records
/// that are empty; [`Error::Parameter`] for a constant that is not finite; [`Error::Overflow`]; [`npt_core::Error::Weight`],
/// [`npt_core::Error::NoWeight`] if all weights are 0, and `WeightCount`. A constant does not look at weights.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::{Gaussian, Pipeline};
/// use npt_methods::{KernelSvc, preprocessing::Imputer};
///
/// let x = array![[0.0, 1.0], [f64::NAN, 1.1], [4.0, 5.0], [4.2, f64::NAN]];
/// let data = Dataset::new(x, array![false, false, true, true]);
/// let imputer = Imputer::median().fit(&data)?;
/// assert_eq!(imputer.values(), array![4.0, 1.1]);
///
/// let pipeline = Pipeline::new(Imputer::median(), KernelSvc::params(Gaussian::new(0.5)));
/// let error = pipeline.fit(&data).unwrap_err();
/// assert_eq!(error.to_string(), "sample 1 has the value NaN in column 0; all must be finite");
/// let model = pipeline.with_missing_values().fit(&data)?;
/// assert_eq!(model.predict(&array![[4.1, f64::NAN]]), array![true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Imputer<F> {
    values: Array1<F>,
}

impl Imputer<f64> {
    /// Fills with the mean of the column.
    pub fn mean() -> ImputerParams {
        ImputerParams::new(Fill::Mean)
    }

    /// Fills with the median of the column; of two values in the middle, with their mean.
    pub fn median() -> ImputerParams {
        ImputerParams::new(Fill::Median)
    }

    /// Fills with the most frequent value of the column, of several with the smallest: for categories.
    pub fn most_frequent() -> ImputerParams {
        ImputerParams::new(Fill::MostFrequent)
    }

    /// Fills with the same value everywhere.
    pub fn constant(value: f64) -> ImputerParams {
        ImputerParams::new(Fill::Constant(value))
    }
}

impl<F: Scalar> Imputer<F> {
    /// The values that take the place of missing ones, one per column.
    pub fn values(&self) -> ArrayView1<'_, F> {
        self.values.view()
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for ImputerParams
where
    F: Scalar,
    D: Data<Elem = F>,
{
    type Object = Imputer<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Imputer<F>, Error> {
        let x = dataset.records();
        check(x)?;
        for &column in &self.categories {
            let (position, allowed) = (column as f64, "below the number of columns");
            require(
                column < x.ncols(),
                "Imputer",
                "most_frequent_of",
                position,
                allowed,
            )?;
        }
        if let Fill::Constant(value) = self.fill {
            let is_finite = F::cast(value).is_finite();
            require(is_finite, "Imputer", "constant", value, "finite")?;
            if self.categories.is_empty() {
                let values = Array1::from_elem(x.ncols(), F::cast(value));
                return Ok(Imputer { values });
            }
        }
        let weights = Weights::<F>::of_dataset(dataset)?.of_all();
        let columns = x.columns().into_iter().enumerate();
        let mut progress = Progress::start("values for missing ones", x.ncols());
        let values = columns.map(|(column, values)| {
            progress.at(column);
            let found = self.fill_of(column).of_column(values, &weights);
            let found = found.ok_or(Error::NoValues { column })?;
            if found.is_finite() {
                Ok(found)
            } else {
                Err(Error::Overflow { of: "Imputer" })
            }
        });
        let values = values.collect::<Result<_, _>>()?;
        Ok(Imputer { values })
    }
}

impl ImputerParams {
    fn new(fill: Fill) -> Self {
        let categories = Vec::new();
        Self { fill, categories }
    }

    /// Fills the columns at these positions, from 0, with their most frequent values, whatever fills the other columns: numbers that stand for
    /// categories have no mean.
    ///
    /// # Errors
    /// At a fit [`Error::Parameter`] for a position beyond the columns.
    ///
    /// # Example
    /// ```
    /// use linfa::{DatasetBase, traits::Fit};
    /// use ndarray::array;
    /// use npt_methods::preprocessing::Imputer;
    ///
    /// let x = array![[0.0, 1.0], [2.0, 2.0], [2.0, f64::NAN], [f64::NAN, 6.0]];
    /// let imputer = Imputer::mean().most_frequent_of([0]).fit(&DatasetBase::from(x))?;
    /// assert_eq!(imputer.values(), array![2.0, 3.0]);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn most_frequent_of(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.categories = columns.into_iter().collect();
        self.categories.sort_unstable();
        self
    }

    fn fill_of(&self, column: usize) -> Fill {
        if self.categories.binary_search(&column).is_ok() {
            Fill::MostFrequent
        } else {
            self.fill
        }
    }
}

impl Fill {
    /// Computes the value for a column from its values that are not missing and have a weight above 0; `None` if there are none.
    fn of_column<F: Scalar>(self, values: ArrayView1<'_, F>, weights: &Array1<F>) -> Option<F> {
        if let Self::Constant(value) = self {
            return Some(F::cast(value));
        }
        let pairs = values.iter().copied().zip(weights.iter().copied());
        let there = pairs.filter(|(value, weight)| !value.is_nan() && *weight > F::zero());
        let mut there: Vec<(F, f64)> = there.map(|(v, w)| (v, w.as_f64())).collect();
        there.sort_by(|a, b| a.0.as_f64().total_cmp(&b.0.as_f64()));
        if there.is_empty() {
            return None;
        }
        Some(match self {
            Self::Median => median(&there),
            Self::MostFrequent => most_frequent(&there),
            Self::Mean | Self::Constant(_) => mean(&there),
        })
    }
}

/// The mean of values with weights, in ascending order.
fn mean<F: Scalar>(values: &[(F, f64)]) -> F {
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let shares = values.iter().map(|(v, w)| v.as_f64() * (w / total));
    F::cast(shares.sum::<f64>())
}

fn median<F: Scalar>(values: &[(F, f64)]) -> F {
    let half = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut below = 0.0;
    let reaches: Vec<(F, f64)> = values
        .iter()
        .map(|&(value, weight)| {
            below += weight;
            (value, below)
        })
        .collect();
    let last = values[values.len() - 1].0;
    let first_with = |is: &dyn Fn(f64) -> bool| {
        let found = reaches.iter().find(|(_, reached)| is(*reached));
        found.map_or(last, |&(value, _)| value)
    };
    let (lower, upper) = (first_with(&|r| r >= half), first_with(&|r| r > half));
    F::cast(0.5) * lower + F::cast(0.5) * upper
}

fn most_frequent<F: Scalar>(values: &[(F, f64)]) -> F {
    let mut best = (values[0].0, 0.0);
    let mut current = best;
    for &(value, weight) in values {
        if value > current.0 {
            current = (value, 0.0);
        }
        current.1 += weight;
        if current.1 > best.1 {
            best = current;
        }
    }
    best.0
}

/// Refuses records without rows or columns, and infinite values.
fn check<F: Scalar, D: Data<Elem = F>>(x: &ArrayBase<D, Ix2>) -> Result<(), npt_core::Error> {
    let samples = x.nrows();
    if samples == 0 {
        return Err(npt_core::Error::NoSamples);
    }
    if x.ncols() == 0 {
        return Err(npt_core::Error::NoFeatures { samples });
    }
    for ((row, column), value) in x.indexed_iter() {
        if value.is_infinite() {
            let value = value.as_f64();
            return Err(npt_core::Error::SampleNotFinite { row, column, value });
        }
    }
    Ok(())
}

/// Replaces missing values; other values stay as they are.
///
/// # Panics
/// Panics if there are not as many columns as at the fit.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>> for Imputer<F> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        assert_eq!(x.ncols(), self.values.len(), "columns, and at the fit");
        let mut x = x.into_owned();
        for (mut column, &fill) in x.axis_iter_mut(Axis(1)).zip(&self.values) {
            column.mapv_inplace(|value| if value.is_nan() { fill } else { value });
        }
        x
    }
}

npt_core::checked! { Imputer<F> { values: Array1<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> Imputer<F> {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::some("values to fill in", self.values.len())?;
        npt_core::serial::finite("the values to fill in", &self.values)
    }
}
