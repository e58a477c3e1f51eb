//! Features in units of their own deviations.

use crate::{
    Error,
    streaming::{FitMoments, Moments},
};
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Dimension, Ix2};
use npt_core::Scalar;

/// Parameters of [`StandardScaler`]; there is nothing to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StandardScalerParams;

/// Moves each feature to the mean 0 and scales it to the standard deviation 1.
///
/// # Definition
/// x′ⱼ = (xⱼ − x̄ⱼ)/sⱼ with sⱼ² the (weighted) mean of (xⱼ − x̄ⱼ)² over the samples of the fit. A feature that is the same in all
/// samples is moved, and not scaled.
///
/// linfa's `LinearScaler::standard` does the same for samples without weights. `StandardScaler` counts sample weights, and is also fitted to
/// [`Moments`] of samples that come in blocks.
///
/// # Errors
/// The errors of [`Moments::add`]; [`Error::TooFewSamples`] for moments of samples that all have weight 0, and
/// [`npt_core::Error::NoSamples`]; [`Error::Overflow`] where a mean or a deviation is beyond the range of the scalar.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_methods::{preprocessing::StandardScaler, streaming::{FitMoments, Moments}};
///
/// let x = array![[1.0, 7.0], [3.0, 7.0], [3.0, 7.0], [5.0, 7.0]];
/// let scaler = StandardScaler::params().fit(&DatasetBase::from(x.clone()))?;
/// assert_eq!(scaler.mean(), array![3.0, 7.0]);
/// assert_eq!(scaler.deviations(), array![((4.0 + 0.0 + 0.0 + 4.0) / 4.0_f64).sqrt(), 1.0]);
/// assert_eq!(scaler.transform(array![[3.0, 8.0]]), array![[0.0, 1.0]]);
///
/// let mut moments = Moments::of_records(2);
/// for block in [x.slice(ndarray::s![..1, ..]), x.slice(ndarray::s![1.., ..])] {
///     moments.add_records(&block)?;
/// }
/// let of_blocks: StandardScaler<f64> = StandardScaler::params().fit_moments(&moments)?;
/// assert_eq!(of_blocks, scaler);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StandardScaler<F = f64> {
    mean: Array1<F>,
    deviations: Array1<F>,
}

impl StandardScaler {
    /// Parameters, which are fitted to samples or to moments of samples.
    pub fn params() -> StandardScalerParams {
        StandardScalerParams
    }
}

impl<F: Scalar> StandardScaler<F> {
    /// The means x̄, one per feature.
    pub fn mean(&self) -> ArrayView1<'_, F> {
        self.mean.view()
    }

    /// The standard deviations s, one per feature; 1 for a feature that is the same in all samples.
    pub fn deviations(&self) -> ArrayView1<'_, F> {
        self.deviations.view()
    }

    /// Converts values in standard units to features xⱼ = x̄ⱼ + sⱼx′ⱼ.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] unless there are as many columns as at the fit.
    ///
    /// # Example
    /// ```
    /// use linfa::{DatasetBase, traits::{Fit, Transformer}};
    /// use ndarray::array;
    /// use npt_methods::preprocessing::StandardScaler;
    ///
    /// let x = array![[1.0, 7.0], [5.0, 9.0]];
    /// let scaler = StandardScaler::params().fit(&DatasetBase::from(x.clone()))?;
    /// assert_eq!(scaler.inverse_transform(scaler.transform(x.clone()))?, x);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn inverse_transform<D: Data<Elem = F>>(
        &self,
        x: ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error> {
        let (expected, found) = (self.mean.len(), x.ncols());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        let mut x = x.into_owned();
        x *= &self.deviations;
        x += &self.mean;
        Ok(x)
    }
}

impl<F: Scalar, I: Dimension> FitMoments<F, Moments<I>> for StandardScalerParams {
    type Object = StandardScaler<F>;

    fn fit_moments(&self, moments: &Moments<I>) -> Result<StandardScaler<F>, Error> {
        moments.require_rows()?;
        let deviation = |&square: &f64| {
            let deviation = F::cast((square / moments.weight()).sqrt());
            if deviation > F::zero() {
                deviation
            } else {
                F::one()
            }
        };
        let scaler = StandardScaler {
            mean: moments.mean().mapv(F::cast),
            deviations: moments.scatter().diag().iter().map(deviation).collect(),
        };
        let mut numbers = scaler.mean.iter().chain(&scaler.deviations);
        if numbers.all(|value| value.is_finite()) {
            Ok(scaler)
        } else {
            let of = "StandardScaler";
            Err(Error::Overflow { of })
        }
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for StandardScalerParams
where
    F: Scalar,
    D: Data<Elem = F>,
{
    type Object = StandardScaler<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<StandardScaler<F>, Error> {
        self.fit_moments(&Moments::of_dataset(dataset)?)
    }
}

/// # Panics
/// Panics if there are not as many columns as at the fit.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>> for StandardScaler<F> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        assert_eq!(x.ncols(), self.mean.len(), "columns, and at the fit");
        let mut x = x.into_owned();
        x -= &self.mean;
        x /= &self.deviations;
        x
    }
}

npt_core::checked! {
    StandardScaler<F> { mean: Array1<F>, deviations: Array1<F> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> StandardScaler<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, positive, some};
        let (means, deviations) = (self.mean.len(), self.deviations.len());
        some("means", means)?;
        agree("standard deviations", deviations, "means", means)?;
        finite("the means", &self.mean)?;
        let mut deviations = self.deviations.iter();
        deviations.try_for_each(|&value| positive("a standard deviation", value))
    }
}
