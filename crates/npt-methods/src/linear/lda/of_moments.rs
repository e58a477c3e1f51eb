//! Fisher's discriminant from moments.

use super::{Lda, LdaParams, Scatter, generalised_eigh, weighted};
use crate::{
    Error,
    error::{require, require_finite},
    streaming::{ClassMoments, FitMoments, rows_of_scatter},
};
use linfa::{Label, ParamGuard};
use ndarray::{Array1, Array2, Axis, concatenate};
use npt_core::Scalar;

/// Fits to the scatter within classes, and to the class means.
impl<F: Scalar, L: Label> FitMoments<F, ClassMoments<L>> for LdaParams {
    type Object = Lda<F, L>;

    fn fit_moments(&self, moments: &ClassMoments<L>) -> Result<Lda<F, L>, Error> {
        let params = self.check_ref()?;
        let allowed =
            "false for moments without the scatter within each class (`with_class_scatters`)";
        let is_known = moments.has_class_scatters() || !params.balanced;
        require(is_known, "Lda", "balanced", 1.0, allowed)?;
        moments.require_rows()?;
        let weight = moments.weight();
        let classes: Vec<L> = moments.classes().cloned().collect();
        let features = moments.within_scatter().nrows();
        let requested = params.discriminants(features, classes.len())?;
        let (within, sizes) = scatter_and_sizes(moments, &classes, params.balanced);
        let mut means = Array2::zeros((classes.len(), features));
        for (mut row, mean) in means.outer_iter_mut().zip(&classes) {
            row.assign(&moments.class_mean(mean).expect("one of the classes"));
        }
        let mean = sizes.dot(&means) / weight;
        means -= &mean;

        let between = weighted(&means, &sizes);
        let total = within.diag().sum() + between.iter().map(|v| v * v).sum::<f64>();
        require_finite("Lda", [total].iter())?;
        if !(total > 0.0) {
            let samples = moments.count();
            return Err(npt_core::Error::NoVariance { samples }.into());
        }
        let lower = params.denominator(
            within.mapv(F::cast),
            F::cast(total / weight),
            moments.rounding(),
        )?;
        let numerator = match params.scatter {
            Scatter::Between => between,
            Scatter::Total => {
                let within = rows_of_scatter(&within.view(), features, moments.rounding())?;
                concatenate![Axis(0), within, between]
            }
        };
        let numerator = numerator.mapv(F::cast);
        let (eigenvalues, axes) = generalised_eigh(&numerator, &lower, requested)?;
        let (mean, means) = (mean.mapv(F::cast), means.mapv(F::cast));
        Ok(Lda::new(classes, mean, &means, axes, eigenvalues))
    }
}

/// Returns the scatter within classes, and the weight of each class; balanced classes all weigh the same.
fn scatter_and_sizes<L: Label>(
    moments: &ClassMoments<L>,
    classes: &[L],
    balanced: bool,
) -> (Array2<f64>, Array1<f64>) {
    let sizes = classes.iter().map(|class| moments.class_weight(class));
    let sizes: Array1<f64> = sizes.collect();
    let within = moments.within_scatter();
    if !balanced {
        return (within.to_owned(), sizes);
    }
    let share = moments.weight() / classes.len() as f64;
    let mut balanced = Array2::zeros(within.dim());
    for (class, size) in classes.iter().zip(&sizes) {
        let scatter = moments.class_scatter(class).expect("each class has one");
        balanced.scaled_add(share / size, &scatter);
    }
    (balanced, Array1::from_elem(classes.len(), share))
}
