//! Tests that a kernel version refuses what its linear method refuses, with the same typed error.

use super::tasks::{gaussian, rings, rng, surface};
use linfa::{
    Dataset, DatasetBase,
    traits::{FitWith, Transformer},
};
use linfa_bayes::GaussianNb;
use linfa_clustering::{Dbscan, DbscanParamsError, KMeans, KMeansError, KMeansParamsError};
use linfa_elasticnet::{ElasticNet, ElasticNetError};
use linfa_ftrl::{Ftrl, FtrlError};
use linfa_linear::{LinearError, TweedieRegressor};
use linfa_pls::{PlsError, PlsRegression};
use linfa_reduction::{ReductionError, random_projection::GaussianRandomProjection};
use linfa_tsne::{TSneError, TSneParams};
use ndarray::{Array1, Array2, array};
use npt::{Axes, Error, Kernelized, KernelizedError, Rank};

/// The kernel version of a method in a space of dimension 4.
fn kernelized<M>(method: M) -> Kernelized<M, npt::Exact<npt::Gaussian<f64>>> {
    Kernelized::new(method, gaussian(Axes::Principal).rank(Rank::Components(4)))
}

macro_rules! assert_error {
    ($result:expr, $pattern:pat) => {
        let error = $result.err();
        assert!(matches!(error, Some($pattern)), "{error:?}");
    };
}

#[test]
fn of_fit() {
    let task = surface();
    let samples = DatasetBase::from(task.train.records().clone());

    let net = kernelized(ElasticNet::params().penalty(-1.0));
    assert_error!(
        net.fit(&task.train),
        KernelizedError::Method(ElasticNetError::InvalidPenalty(_))
    );
    // The targets are negative, too.
    let tweedie = kernelized(TweedieRegressor::params().power(2.0));
    assert_error!(
        tweedie.fit(&task.train),
        KernelizedError::Method(LinearError::InvalidTargetRange(_))
    );
    let means = kernelized(KMeans::params_with_rng(0, rng(1)));
    assert_error!(
        means.fit(&samples),
        KernelizedError::Method(KMeansError::InvalidParams(KMeansParamsError::NClusters))
    );
    let projection = kernelized(GaussianRandomProjection::<f64>::params().target_dim(5));
    assert_error!(
        projection.fit(&samples),
        KernelizedError::Method(ReductionError::DimensionIncrease(5, 4))
    );
    let targets = Array2::zeros((80, 2));
    let pls = kernelized(PlsRegression::params(5));
    assert_error!(
        pls.fit(&Dataset::new(task.train.records().clone(), targets)),
        KernelizedError::Method(PlsError::BadComponentNumberError { upperbound: 4, .. })
    );
}

#[test]
fn of_transform() {
    let x = rings().train.records().clone();
    let dbscan = kernelized(Dbscan::params(3).tolerance(-1.0));
    assert_error!(
        dbscan.transform(&x),
        KernelizedError::Method(DbscanParamsError::Tolerance)
    );
    let t_sne = || kernelized(TSneParams::embedding_size_with_rng(2, rng(1)).perplexity(100.0));
    assert_error!(
        t_sne().transform(x.clone()),
        KernelizedError::Method(TSneError::PerplexityTooLarge)
    );
    assert_error!(
        t_sne().transform(array![[0.0], [f64::NAN], [1.0], [2.0]]),
        KernelizedError::Space(Error::SampleNotFinite { row: 1, .. })
    );
    assert_error!(
        dbscan.transform(&Array2::ones((9, 1))),
        KernelizedError::Space(Error::NoVariance { samples: 9 })
    );
}

#[test]
fn of_fit_with() {
    let first = rings().train;
    let bayes = kernelized(GaussianNb::params());
    let model = || bayes.fit_with(None, &first).ok();

    let wide = Dataset::new(Array2::zeros((2, 3)), array![0, 1]);
    assert_error!(
        bayes.fit_with(model(), &wide),
        KernelizedError::Space(Error::ColumnCount {
            expected: 2,
            found: 3
        })
    );
    let not_finite = Dataset::new(array![[0.0, f64::INFINITY]], array![0]);
    assert_error!(
        bayes.fit_with(model(), &not_finite),
        KernelizedError::Space(Error::SampleNotFinite {
            row: 0,
            column: 1,
            ..
        })
    );
    let unlabelled = Dataset::new(Array2::zeros((3, 2)), array![0, 1]);
    assert_error!(
        bayes.fit_with(model(), &unlabelled),
        KernelizedError::Space(Error::TargetCount {
            samples: 3,
            targets: 2
        })
    );
    let weighted = first.clone().with_weights(Array1::ones(7));
    assert_error!(
        bayes.fit_with(None, &weighted),
        KernelizedError::Space(Error::WeightCount {
            samples: 120,
            weights: 7
        })
    );

    let ftrl = kernelized(Ftrl::params_with_rng(rng(1)).l1_ratio(2.0));
    assert_error!(
        ftrl.fit_with(None, &first.map_targets(|&ring| ring == 1)),
        KernelizedError::Method(FtrlError::InvalidL1Ratio(_))
    );
}
