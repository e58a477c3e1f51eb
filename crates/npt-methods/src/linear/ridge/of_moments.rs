//! Ridge regression on moments.

use super::{Center, Ridge, RidgeParams, RidgeValidParams, solve};
use crate::{
    Error,
    streaming::{FitMoments, Moments},
};
use linfa::ParamGuard;
use ndarray::{Axis, Dimension};
use npt_core::Scalar;

/// Fits to the scatter of the records and their scatter with the targets. Only one penalty is allowed, as moments leave no sample out.
impl<F: Scalar, I: Dimension> FitMoments<F, Moments<I>> for RidgeParams {
    type Object = Ridge<F, I>;

    fn fit_moments(&self, moments: &Moments<I>) -> Result<Ridge<F, I>, Error> {
        let params = self.check_ref()?;
        match params.penalty[..] {
            [penalty] => params.of_moments(moments, penalty),
            _ => Err(Error::Parameter {
                of: "Ridge",
                parameter: "number of penalties",
                value: params.penalty.len() as f64,
                allowed: "1 for moments of all samples; the moments of folds choose among several",
            }),
        }
    }
}

/// Fits to all samples, from the moments of folds, with the penalty of the smallest squared error when each fold
/// is predicted from the others.
impl<F: Scalar, I: Dimension> FitMoments<F, [Moments<I>]> for RidgeParams {
    type Object = Ridge<F, I>;

    fn fit_moments(&self, folds: &[Moments<I>]) -> Result<Ridge<F, I>, Error> {
        let params = self.check_ref()?;
        let (mut best, mut least) = (params.penalty[0], f64::INFINITY);
        if params.penalty.len() > 1 {
            let errors = params.errors_of_folds::<F, I>(folds)?;
            for (&penalty, error) in params.penalty.iter().zip(errors) {
                if error < least {
                    (best, least) = (penalty, error);
                }
            }
        }
        params.of_moments(&merged(folds.iter())?, best)
    }
}

/// Returns the moments of all samples together.
fn merged<'m, I: Dimension + 'm>(
    mut moments: impl Iterator<Item = &'m Moments<I>>,
) -> Result<Moments<I>, Error> {
    let mut sum = moments.next().ok_or(npt_core::Error::NoSamples)?.clone();
    moments.try_for_each(|others| sum.merge(others))?;
    Ok(sum)
}

impl RidgeValidParams {
    /// Returns the squared error of each penalty, when each fold is predicted from the others.
    fn errors_of_folds<F: Scalar, I: Dimension>(
        &self,
        folds: &[Moments<I>],
    ) -> Result<Vec<f64>, Error> {
        let (found, allowed) = (folds.len(), "at least 2 to choose a penalty");
        if found < 2 {
            return Err(Error::Parameter {
                of: "Ridge",
                parameter: "number of folds",
                value: found as f64,
                allowed,
            });
        }
        let mut errors = vec![0.0; self.penalty.len()];
        for (k, fold) in folds.iter().enumerate() {
            let others = folds.iter().enumerate().filter(|(other, _)| *other != k);
            let others = merged(others.map(|(_, moments)| moments))?;
            for (error, &penalty) in errors.iter_mut().zip(&self.penalty) {
                let ridge: Ridge<F, I> = self.of_moments(&others, penalty)?;
                *error += fold.squared_errors(&ridge)?.sum();
            }
        }
        Ok(errors)
    }

    fn of_moments<F: Scalar, I: Dimension>(
        &self,
        moments: &Moments<I>,
        penalty: f64,
    ) -> Result<Ridge<F, I>, Error> {
        moments.require_rows()?;
        if moments.target_mean().is_empty() {
            return Err(Error::NoTargets);
        }
        let (mut scatter, mut right) = (
            moments.scatter().to_owned(),
            moments.cross_scatter().to_owned(),
        );
        let mut center = Center {
            records: moments.mean().to_owned(),
            targets: moments.target_mean().to_owned(),
        };
        if !self.intercept {
            // The scatter around 0 also contains that of the means.
            let mean = center.records.view().insert_axis(Axis(1)).to_owned() * moments.weight();
            scatter += &mean.dot(&center.records.view().insert_axis(Axis(0)));
            right += &mean.dot(&center.targets.view().insert_axis(Axis(0)));
            center.records.fill(0.0);
            center.targets.fill(0.0);
        }
        // Solved in the type of the records, to whose rounding the scatter is known.
        let (scatter, right) = (scatter.mapv(F::cast), right.mapv(F::cast));
        let weights = solve(scatter, right.view(), penalty, moments.rounding())?;
        let center = Center {
            records: center.records.mapv(F::cast),
            targets: center.targets.mapv(F::cast),
        };
        Ridge::new(center, weights, penalty)
    }
}
