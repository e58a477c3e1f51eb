//! Tests an estimator of another crate: it knows linfa's traits, and nothing of kernels.

use super::{
    tasks::rings,
    verdict::{CLASSES, Scores, Verdict, verdict},
};
use linfa::{
    DatasetBase, ParamGuard,
    dataset::{AsSingleTargets, Labels},
    traits::{Fit, PredictInplace},
};
use ndarray::{Array1, ArrayBase, Axis, Data, Ix2};
use npt::{Exact, Kernelized, KernelizedError, Linear};

/// A classifier by the nearest class mean, with the means drawn towards the origin by a share.
struct NearestMean(CheckedNearestMean);

struct CheckedNearestMean {
    shrinkage: f64,
}

struct Means {
    classes: Vec<usize>,
    means: Vec<Array1<f64>>,
}

#[derive(Debug, thiserror::Error)]
enum NearestMeanError {
    #[error("the means cannot shrink by the share {0}")]
    Shrinkage(f64),
    #[error(transparent)]
    Linfa(#[from] linfa::Error),
}

impl NearestMean {
    fn shrinkage(shrinkage: f64) -> Self {
        Self(CheckedNearestMean { shrinkage })
    }
}

impl ParamGuard for NearestMean {
    type Checked = CheckedNearestMean;
    type Error = NearestMeanError;

    fn check_ref(&self) -> Result<&CheckedNearestMean, NearestMeanError> {
        if (0.0..1.0).contains(&self.0.shrinkage) {
            Ok(&self.0)
        } else {
            Err(NearestMeanError::Shrinkage(self.0.shrinkage))
        }
    }

    fn check(self) -> Result<CheckedNearestMean, NearestMeanError> {
        self.check_ref()?;
        Ok(self.0)
    }
}

impl<D, T> Fit<ArrayBase<D, Ix2>, T, NearestMeanError> for CheckedNearestMean
where
    D: Data<Elem = f64>,
    T: AsSingleTargets<Elem = usize> + Labels<Elem = usize>,
{
    type Object = Means;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Means, NearestMeanError> {
        let targets = dataset.as_single_targets();
        let mut classes = dataset.labels();
        classes.sort_unstable();
        let mean = |class: &usize| {
            let members: Vec<usize> = (0..targets.len())
                .filter(|&i| targets[i] == *class)
                .collect();
            let mean = dataset
                .records()
                .select(Axis(0), &members)
                .mean_axis(Axis(0));
            mean.expect("a member") * (1.0 - self.shrinkage)
        };
        let means = classes.iter().map(mean).collect();
        Ok(Means { classes, means })
    }
}

impl<D: Data<Elem = f64>> PredictInplace<ArrayBase<D, Ix2>, Array1<usize>> for Means {
    fn predict_inplace(&self, x: &ArrayBase<D, Ix2>, y: &mut Array1<usize>) {
        for (row, class) in x.outer_iter().zip(y) {
            let distances = self
                .means
                .iter()
                .map(|mean| (&row - mean).mapv(|d| d * d).sum());
            let nearest = distances
                .zip(&self.classes)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            *class = *nearest.expect("a class").1;
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<usize> {
        Array1::zeros(x.nrows())
    }
}

#[test]
fn an_estimator_of_another_crate_has_its_kernel_version() {
    let scores = Scores {
        linear: 0.8,
        kernelized: 0.98,
    };
    let found = verdict(|| NearestMean::shrinkage(0.1), &rings(), &CLASSES, &scores);
    assert_eq!(found, Verdict::Exact);
}

#[test]
fn and_keeps_its_errors() {
    let task = rings();
    let estimator = Kernelized::new(NearestMean::shrinkage(1.5), Exact::new(Linear::new()));
    let error = estimator.fit(&task.train).err();
    assert!(matches!(
        error,
        Some(KernelizedError::Method(NearestMeanError::Shrinkage(share))) if share == 1.5
    ));
}
