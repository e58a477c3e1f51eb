//! Tests of the closest training samples: by the definition, and where the rank was cut.

use super::{pre_images, waves};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array2, array, s};
use npt_core::{Axes, Exact, Gaussian, Laplacian, Linear, Rank, SpaceBuilder};
use npt_methods::{
    Error, KernelKMeans,
    pre_image::{NearestSample, PreImageExt, nearest_samples},
};

/// The found sample has the least ‖p − φ(xᵢ)‖² over all i, for points that are no projections of samples.
#[test]
fn by_the_definition_at_any_rank() {
    let x = waves(40, 3);
    for rank in [Rank::Tolerance(1e-12), Rank::Components(3)] {
        for axes in [Axes::Principal, Axes::Cholesky] {
            let builder = Exact::new(Gaussian::new(0.4)).rank(rank).axes(axes);
            let fitted = builder.fit_space(&x).unwrap();
            let (y, outside) = (fitted.training_coordinates(), fitted.training_residuals());
            let points = y.slice(s![..20, ..]).to_owned() + &y.slice(s![20.., ..]) * 0.3;
            let found = nearest_samples(&fitted, points.view()).unwrap();
            for (p, &found) in points.outer_iter().zip(&found) {
                let squared = |i: usize| {
                    let d = &p - &y.row(i);
                    d.dot(&d) + outside[i]
                };
                let least = (0..40).map(squared).fold(f64::INFINITY, f64::min);
                assert!(squared(found) <= least + 1e-13);
            }
            let inputs = pre_images(&NearestSample, &fitted, &x, points.view()).unwrap();
            assert_eq!(inputs, x.select(ndarray::Axis(0), &found.to_vec()));
            let own = pre_images(&NearestSample, &fitted, &x, y).unwrap();
            if rank == Rank::Tolerance(1e-12) {
                assert_eq!(own, x);
            }
        }
    }
}

/// The prototype of a cluster is a training sample, here one of its members, for kernels that no other method knows.
#[test]
fn prototypes_are_members() {
    let x = waves(60, 2);
    let data = DatasetBase::from(x.clone());
    let means = KernelKMeans::params(6, Laplacian::new(0.7)).pre_image(NearestSample);
    let model = means.fit(&data).unwrap();
    let codes = model.predict(&data);
    for (cluster, prototype) in model.prototypes().outer_iter().enumerate() {
        let member = x.outer_iter().position(|row| row == prototype).unwrap();
        assert_eq!(codes[member], cluster);
    }
}

#[test]
fn duplicates_one_sample_and_bad_points() {
    // Of several nearest samples the first is found.
    let x = array![[2.0], [1.0], [1.0], [2.0]];
    let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x).unwrap();
    let nearest = nearest_samples(&fitted, fitted.training_coordinates()).unwrap();
    assert_eq!(nearest, array![0, 1, 1, 0]);

    let single = Exact::new(Gaussian::new(0.5)).centered(false);
    let single = single.fit_space(&array![[3.0]]).unwrap();
    let far = nearest_samples(&single, array![[-7.0]].view()).unwrap();
    assert_eq!(far, array![0]);

    let none = Array2::zeros((0, fitted.training_coordinates().ncols()));
    assert!(nearest_samples(&fitted, none.view()).is_err());
    let wide = nearest_samples(&fitted, Array2::zeros((1, 7)).view());
    assert!(matches!(
        wide,
        Err(Error::Core(npt_core::Error::ColumnCount { found: 7, .. }))
    ));
    let huge = Array2::from_elem((1, fitted.training_coordinates().ncols()), 1e200);
    assert_eq!(
        nearest_samples(&fitted, huge.view()),
        Err(Error::Overflow {
            of: "nearest_samples"
        })
    );
}

/// Samples are told apart far from the origin of the space, where squares would lose their differences.
#[test]
fn far_from_the_origin() {
    let x = array![[1e8], [1e8 + 1.0], [1e8 + 2.0]];
    let fitted = Exact::new(Linear::new())
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let nearest = nearest_samples(&fitted, fitted.training_coordinates()).unwrap();
    assert_eq!(nearest, array![0, 1, 2]);
}
