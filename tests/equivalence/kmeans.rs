use super::case::{Case, Claim, Precision, config};
use linfa::DatasetBase;
use linfa_clustering::KMeans;
use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt_testkit::oracles::{self, centering};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

/// The claim in the README's table.
const CLAIM: Claim = Claim {
    f64: 4e-12,
    f32: 2e-5,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn kmeans_distances_are_kernel_sums(case in Case::any(4)) {
        let settled = (check::<f64>(&case), check::<f32>(&case));
        prop_assume!(settled.0 && settled.1);
    }
}

/// Checks the squared distances of new samples from the centroids. Returns false where linfa's k-means did not get to the end:
/// it gave up (a cluster ran empty) or stopped early.
fn check<F: Precision>(case: &Case) -> bool {
    let rng = Xoshiro256Plus::seed_from_u64(3);
    let means = KMeans::params_with_rng(2, rng)
        .n_runs(2)
        .tolerance(F::epsilon());
    let estimator = Kernelized::new(means, Exact::new(F::kernel(case)));
    let Ok(model) = estimator.fit(&DatasetBase::from(case.x::<F>())) else {
        return false;
    };
    let clusters: Array1<usize> = model.predict(&case.x::<F>());
    let centroids = model.inner().centroids();
    // The coordinates are of the samples as training samples: to these the method was fitted.
    let fitted = estimator.builder().fit_space(&case.x::<F>()).unwrap();
    if !are_means(fitted.training_coordinates(), &clusters, centroids) {
        return false;
    }
    let new = Rows::new(case.new_samples::<F>()).unwrap();
    let (y, residuals) = model.space().coordinates_and_residuals(&new).unwrap();
    let distances = Array2::from_shape_fn((new.len(), 2), |(i, cluster)| {
        let difference = &y.row(i) - &centroids.row(cluster);
        difference.dot(&difference) + residuals[i]
    });
    CLAIM.assert_close(&case.name, &distances, &squared_distances(case, &clusters));
    true
}

fn are_means<F: Precision>(
    y: ndarray::ArrayView2<'_, F>,
    clusters: &Array1<usize>,
    centroids: &Array2<F>,
) -> bool {
    let extent = y.iter().fold(F::zero(), |m, v| m.max(v.abs()));
    (0..2).all(|cluster| {
        let of_cluster = |&i: &usize| clusters[i] == cluster;
        let members: Vec<usize> = (0..y.nrows()).filter(of_cluster).collect();
        let mean = y.select(Axis(0), &members).mean_axis(Axis(0));
        mean.is_some_and(|mean| {
            let off = (mean - centroids.row(cluster)).mapv(num_traits::Float::abs);
            off.iter()
                .all(|&v| v < F::cast(100) * F::epsilon() * extent)
        })
    })
}

fn squared_distances(case: &Case, clusters: &Array1<usize>) -> Array2<f64> {
    let kernel = f64::kernel(case);
    let (x, new) = (
        Rows::new(case.x::<f64>()).unwrap(),
        Rows::new(case.new_samples::<f64>()).unwrap(),
    );
    let k = centering::cross(&*kernel, &x, &x);
    let k_new = centering::cross(&*kernel, &new, &x);
    let k_self: Array1<f64> = (0..new.len())
        .map(|i| kernel.eval(new.get(i), new.get(i)))
        .collect();
    let clusters = clusters.as_slice().unwrap();
    oracles::kmeans::squared_distances(k.view(), k_new.view(), k_self.view(), clusters, 2)
}
