//! Methods that learn batch by batch.

use super::{Run, blocks::halves, numbers};
use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix1, Ix2};
use npt::{
    Scalar,
    linfa::{DatasetBase, traits::FitWith},
    methods::Error,
    prelude::*,
};

pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("means of batches", |case| {
            let method = Kernelized::new(Means, Exact::new(Gaussian::new(case.width)));
            let mut model = None;
            for batch in halves(&case.with_values()) {
                model = Some(method.fit_with(model, &batch?)?);
            }
            let model = model.ok_or("no batch")?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("means of batches in the space of landmarks", |case| {
            let landmarks = Pivoting::random(case.components);
            let space = Nystrom::new(Laplacian::new(case.width), landmarks);
            let method = Kernelized::new(Means, space);
            let whole = case.with_values();
            let model = method.fit_with(None, &whole)?;
            let model = method.fit_with(Some(model), &whole)?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
    ]
}

/// A method for this test: the methods of linfa promise nothing for samples such as these.
struct Means;

/// The mean of all records so far.
struct Mean<F> {
    mean: Array1<F>,
    records: usize,
}

impl<F: Scalar, T> FitWith<'_, Array2<F>, Array1<T>, Error> for Means {
    type ObjectIn = Option<Mean<F>>;
    type ObjectOut = Mean<F>;

    fn fit_with(
        &self,
        model: Option<Mean<F>>,
        batch: &DatasetBase<Array2<F>, Array1<T>>,
    ) -> Result<Mean<F>, Error> {
        let mut model = model.unwrap_or_else(|| Mean {
            mean: Array1::zeros(batch.records.ncols()),
            records: 0,
        });
        for record in batch.records.outer_iter() {
            model.records += 1;
            let share = F::cast(model.records).recip();
            model.mean.zip_mut_with(&record, |mean, &value| {
                *mean += (value - *mean) * share;
            });
        }
        Ok(model)
    }
}

/// Predicts the largest distance from the mean along an axis.
impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<F>> for Mean<F> {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<F>) {
        let distances = (x - &self.mean).mapv(num_traits::Float::abs);
        *y = distances.fold_axis(Axis(1), F::zero(), |most, &distance| most.max(distance));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<F> {
        Array1::zeros(x.nrows())
    }
}
