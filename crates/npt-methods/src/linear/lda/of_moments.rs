//! Discriminants of moments.

use super::{Lda, LdaParams, Scatter, generalised_eigh, weighted};
use crate::{
    Error,
    error::{require, require_finite},
    streaming::{ClassMoments, FitMoments, rows_of_scatter},
};
use linfa::{Label, ParamGuard};
use ndarray::{Array1, Array2, Axis, concatenate};
use npt_core::Scalar;

/// From the scatter within classes, and their means.
impl<F: Scalar, L: Label> FitMoments<F, ClassMoments<L>> for LdaParams {
    type Object = Lda<F, L>;

    fn fit_moments(&self, moments: &ClassMoments<L>) -> Result<Lda<F, L>, Error> {
        let params = self.check_ref()?;
        let allowed = "false for fits to moments, which have the scatter of all classes in one";
        require(!params.balanced, "Lda", "balanced", 1.0, allowed)?;
        moments.require_rows()?;
        let (features, weight) = (moments.within_scatter().nrows(), moments.weight());
        let classes: Vec<L> = moments.classes().cloned().collect();
        let requested = params.discriminants(features, classes.len())?;
        let sizes: Array1<f64> = classes.iter().map(|c| moments.class_weight(c)).collect();
        let mut means = Array2::zeros((classes.len(), features));
        for (mut row, mean) in means.outer_iter_mut().zip(&classes) {
            row.assign(&moments.class_mean(mean).expect("one of the classes"));
        }
        let mean = sizes.dot(&means) / weight;
        means -= &mean;

        let between = weighted(&means, &sizes);
        let total =
            moments.within_scatter().diag().sum() + between.iter().map(|v| v * v).sum::<f64>();
        require_finite("Lda", [total].iter())?;
        if !(total > 0.0) {
            let samples = moments.count();
            return Err(npt_core::Error::NoVariance { samples }.into());
        }
        let within = moments.within_scatter().mapv(F::cast);
        let lower = params.denominator(within, F::cast(total / weight), moments.rounding())?;
        let numerator = match params.scatter {
            Scatter::Between => between,
            Scatter::Total => {
                let within = moments.within_scatter();
                let within = rows_of_scatter(&within, features, moments.rounding())?;
                concatenate![Axis(0), within, between]
            }
        };
        let numerator = numerator.mapv(F::cast);
        let (eigenvalues, axes) = generalised_eigh(&numerator, &lower, requested)?;
        let (mean, means) = (mean.mapv(F::cast), means.mapv(F::cast));
        Ok(Lda::new(classes, mean, &means, axes, eigenvalues))
    }
}
