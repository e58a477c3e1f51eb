//! A method fitted to kernel values, and the expansion that it predicts by.

use super::{DualForm, KernelProducts};
use crate::{Error, Expansion, ExpansionModel, Kernel, KernelizedError, Samples};
use ndarray::{Array1, ArrayView1};
use std::sync::Arc;

impl<S: Samples, K: Kernel<S>> KernelProducts<'_, S, K, K::Scalar> {
    /// Fits a method to these inner products of `samples`. A method that asks for kernel values as its records
    /// ([`DualForm::fit_on_products`]) gets them; any other method is fitted as by [`fit`](Self::fit).
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    #[doc(hidden)]
    pub fn fit_model<T, E, Q>(
        &self,
        samples: &S,
        form: &dyn DualForm<K::Scalar, T, E, Expanded = Q>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<ExpansionModel<Q, S, K, K::Scalar>>, KernelizedError<E>>
    where
        E: std::error::Error,
    {
        // Centred kernel values of new samples would not be values of κ, which the expansion evaluates.
        if form.ignores_shift() && !self.is_centered() {
            let fitted = form.fit_on_products(self, targets, weights);
            if let Some((method, rows)) = fitted.map_err(KernelizedError::Method)? {
                let kernel = Arc::clone(self.kernel());
                let vectors = samples.select(&rows);
                let values = Expansion::of_values_about(kernel, self.origin(), &vectors);
                return Ok(Some(ExpansionModel::new(method, values)));
            }
        }
        let model = self.fit(form, targets, weights)?;
        let settled = model.map(|model| settled(model, samples, form, targets, weights));
        Ok(settled.transpose()?)
    }
}

/// Settles a model of these samples ([`DualForm::settle`]): makes the method's promise hold for the values that the model
/// itself has at them.
pub(crate) fn settled<S, K, T, E, Q>(
    model: ExpansionModel<Q, S, K, K::Scalar>,
    samples: &S,
    form: &dyn DualForm<K::Scalar, T, E, Expanded = Q>,
    targets: &T,
    weights: Option<ArrayView1<'_, f32>>,
) -> Result<ExpansionModel<Q, S, K, K::Scalar>, Error>
where
    S: Samples,
    K: Kernel<S>,
{
    if !form.settles() {
        return Ok(model);
    }
    let (mut method, expansion) = model.into_parts();
    let mut offsets = expansion.own_offsets().to_owned();
    let none = Array1::zeros(offsets.len());
    let expansion = expansion.with_offsets(none);
    let sums = expansion.evaluate(samples)?;
    form.settle(&mut method, &mut offsets, sums.view(), targets, weights);
    Ok(ExpansionModel::new(method, expansion.with_offsets(offsets)))
}
