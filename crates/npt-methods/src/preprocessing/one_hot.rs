//! Columns of 0 and 1 in the place of categories.

use crate::{Error, error::require, weights::Weights};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayViewMut1, Axis, Data, Ix2};
use npt_core::{Scalar, require_memory};

/// Parameters of [`OneHot`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OneHotParams {
    /// The positions of the columns; `None` for all.
    columns: Option<Vec<usize>>,
}

impl OneHotParams {
    /// Encodes only the columns at these positions, from 0; by default all columns are encoded.
    pub fn columns(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        let mut columns: Vec<usize> = columns.into_iter().collect();
        columns.sort_unstable();
        columns.dedup();
        self.columns = Some(columns);
        self
    }
}

/// Replaces a column of categories by columns of 0 and 1, one per category.
///
/// A kernel of differences then finds any two categories equally far apart. The numbers that stand for categories would put them in order.
///
/// # Definition
/// The value v of a column with the categories c₁ < c₂ < … < cₖ becomes ([v = c₁], [v = c₂], …, [v = cₖ]), in the place of the
/// column; other columns stay as they are. The categories are the values of the samples of the fit whose weight is above 0. A value
/// that is no category becomes zeros: it is equally far from each category. A missing value, NaN, becomes NaN in all k columns, so that
/// the next step refuses or fills it.
///
/// # Errors
/// [`Error::Parameter`] for a position beyond the columns; [`npt_core::Error::SampleNotFinite`] for a missing or infinite value
/// among the categories of the fit; [`npt_core::Error::NoSamples`]; the errors of sample weights; and [`npt_core::Error::Memory`] where
/// the encoded records would be too large.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_methods::preprocessing::OneHot;
///
/// let x = array![[2.0, 0.3], [0.0, 0.1], [2.0, 0.7], [1.0, 0.2]];
/// let encoder = OneHot::params().columns([0]).fit(&DatasetBase::from(x))?;
/// assert_eq!(encoder.categories(0).unwrap(), array![0.0, 1.0, 2.0]);
/// let new = array![[1.0, 0.5], [7.0, 0.6]];
/// assert_eq!(encoder.transform(new), array![[0.0, 1.0, 0.0, 0.5], [0.0, 0.0, 0.0, 0.6]]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OneHot<F = f64> {
    /// One entry per column: its categories, or `None` if the column stays as it is.
    categories: Vec<Option<Array1<F>>>,
}

impl OneHot {
    /// Parameters for all columns.
    pub fn params() -> OneHotParams {
        OneHotParams::default()
    }
}

impl<F: Scalar> OneHot<F> {
    /// The number of columns that the encoder takes.
    pub fn width(&self) -> usize {
        self.categories.len()
    }

    /// The number of columns of encoded records.
    pub fn encoded_width(&self) -> usize {
        self.categories.iter().map(|c| width_of(c.as_ref())).sum()
    }

    /// The categories of a column, ascending; `None` for a column that stays as it is.
    pub fn categories(&self, column: usize) -> Option<ArrayView1<'_, F>> {
        let categories = self.categories.get(column)?.as_ref()?;
        Some(categories.view())
    }
}

fn width_of<F>(categories: Option<&Array1<F>>) -> usize {
    categories.map_or(1, Array1::len)
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for OneHotParams
where
    F: Scalar,
    D: Data<Elem = F>,
{
    type Object = OneHot<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<OneHot<F>, Error> {
        let x = dataset.records();
        let (samples, width) = x.dim();
        if samples == 0 {
            return Err(npt_core::Error::NoSamples.into());
        }
        if width == 0 {
            return Err(npt_core::Error::NoFeatures { samples }.into());
        }
        let mut is_encoded = vec![self.columns.is_none(); width];
        for &column in self.columns.iter().flatten() {
            let value = column as f64;
            let allowed = "below the number of columns";
            require(column < width, "OneHot", "columns", value, allowed)?;
            is_encoded[column] = true;
        }
        let weights = Weights::<F>::of_dataset(dataset)?.of_all();
        let columns = is_encoded.into_iter().enumerate().map(|(column, encoded)| {
            let categories = || categories(column, x.column(column), &weights);
            encoded.then(categories).transpose()
        });
        let categories = columns.collect::<Result<_, _>>()?;
        let encoder = OneHot { categories };
        require_memory::<F>("the encoded records", samples, encoder.encoded_width())?;
        Ok(encoder)
    }
}

/// The values of a column in samples of weight above 0, each once, ascending.
fn categories<F: Scalar>(
    column: usize,
    values: ArrayView1<'_, F>,
    weights: &Array1<F>,
) -> Result<Array1<F>, npt_core::Error> {
    if let Some(row) = values.iter().position(|value| !value.is_finite()) {
        let value = values[row].as_f64();
        return Err(npt_core::Error::SampleNotFinite { row, column, value });
    }
    let weighing = values.iter().zip(weights);
    let weighing = weighing.filter(|(_, weight)| **weight > F::zero());
    let mut categories: Vec<F> = weighing.map(|(value, _)| *value).collect();
    categories.sort_by(|a, b| a.as_f64().total_cmp(&b.as_f64()));
    // −0 and 0 are one category.
    categories.dedup_by(|a, b| a == b);
    Ok(categories.into())
}

/// # Panics
/// Panics if there are not as many columns as at the fit.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>> for OneHot<F> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        assert_eq!(x.ncols(), self.width(), "columns, and at the fit");
        let mut encoded = Array2::zeros((x.nrows(), self.encoded_width()));
        for (row, mut encoded) in x.outer_iter().zip(encoded.outer_iter_mut()) {
            let mut rest = encoded.view_mut();
            for (&value, categories) in row.iter().zip(&self.categories) {
                let categories = categories.as_ref();
                let (mut columns, others) = rest.split_at(Axis(0), width_of(categories));
                encode(value, categories, &mut columns);
                rest = others;
            }
        }
        encoded
    }
}

/// Writes the encoding of a value into columns that are 0.
fn encode<F: Scalar>(value: F, categories: Option<&Array1<F>>, columns: &mut ArrayViewMut1<'_, F>) {
    let Some(categories) = categories.filter(|_| !value.is_nan()) else {
        columns.fill(value);
        return;
    };
    let categories = categories.iter();
    for (entry, _) in columns
        .iter_mut()
        .zip(categories)
        .filter(|(_, known)| **known == value)
    {
        *entry = F::one();
    }
}

npt_core::checked! { OneHot<F> { categories: Vec<Option<Array1<F>>> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> OneHot<F> {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::some("columns", self.width())?;
        for categories in self.categories.iter().flatten() {
            npt_core::serial::some("categories of a column", categories.len())?;
            npt_core::serial::finite("the categories of a column", categories)?;
            let next = categories.iter().skip(1);
            if !categories.iter().zip(next).all(|(a, b)| a < b) {
                return Err("the categories of a column are not ascending".into());
            }
        }
        Ok(())
    }
}
