use super::case::{Case, Precision, assert_close, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, ArrayView2};
use npt::prelude::*;
use npt_testkit::oracles::{self, centering};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn kernel_kmeans_is_the_kernel_trick(case in Case::any(4)) {
        check::<f64>(&case);
        check::<f32>(&case);
    }
}

/// Checks distances from centroids and the inertia against sums of kernel values, and that no sample is nearer to another centroid
/// than to that of its cluster.
fn check<F: Precision>(case: &Case) {
    let data = DatasetBase::from(case.x::<F>());
    let params = KernelKMeans::params(2, F::kernel(case));
    let expanded = params.fit(&data).unwrap();
    let model = params.by_coordinates().fit(&data).unwrap();
    let clusters: Array1<usize> = model.predict(&case.x::<F>());

    let distances = squared_distances(case, case.k.view(), &case.x::<f64>(), &clusters);
    let largest = distances.fold(0.0_f64, |m, v| m.max(*v));
    let mut inertia = 0.0;
    for (row, &cluster) in distances.outer_iter().zip(&clusters) {
        assert!(
            row[cluster] <= row[1 - cluster] + F::TOLERANCE * largest,
            "{}",
            case.name
        );
        inertia += row[cluster];
    }
    let (found, expected) = (model.inner().inertia(), inertia);
    let scale = largest * case.len() as f64;
    let (found, expected) = (Array1::from_elem(1, found), Array1::from_elem(1, expected));
    assert_close_on(&case.name, &found, &expected, scale);

    let new = Rows::new(case.new_samples::<F>()).unwrap();
    let (y, residuals) = model.space().coordinates_and_residuals(&new).unwrap();
    let inside = model.inner().squared_distances(&y);
    let found = inside + residuals.insert_axis(ndarray::Axis(1));
    let expected = squared_distances(case, case.k_new.view(), &case.new_samples(), &clusters);
    assert_close(&case.name, &found, &expected);

    // The expansion gives squared distances less the squared distance from the mean.
    let clusters: Array1<usize> = expanded.predict(&case.x::<F>());
    let expected = squared_distances(case, case.k_new.view(), &case.new_samples(), &clusters);
    let (x, new) = (case.x::<f64>(), case.new_samples::<f64>());
    let (x, new) = (Rows::new(x).unwrap(), Rows::new(new).unwrap());
    let from_mean = centering::centered_diag(&*f64::kernel(case), &new, &x);
    let expected = expected - from_mean.insert_axis(ndarray::Axis(1));
    let found: Array2<F> = expanded.transform(case.new_samples::<F>());
    assert_close(&case.name, &found, &expected);
}

/// The squared distances of `new` samples, by centred kernel values: a shift of the origin changes no distance, and leaves
/// less to cancel.
fn squared_distances(
    case: &Case,
    k_new: ArrayView2<'_, f64>,
    new: &Array2<f64>,
    clusters: &Array1<usize>,
) -> Array2<f64> {
    let x = Rows::new(case.x::<f64>()).unwrap();
    let new = Rows::new(new.clone()).unwrap();
    let k_self = centering::centered_diag(&*f64::kernel(case), &new, &x);
    let clusters = clusters.as_slice().unwrap();
    oracles::kmeans::squared_distances(case.k.view(), k_new, k_self.view(), clusters, 2)
}
