//! Tests of kernel PCA and kernel k-means with pre-images.

use super::{Space, pre_images, waves};
use approx::assert_abs_diff_eq;
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array2, Axis, array, concatenate, s};
use npt_core::{
    Axes, Exact, ExactSpace, ExpansionSpace, Gaussian, Kernel, KernelMethod, KernelSpace,
    KernelizedError, KernelizedModel, Linear, Rank, Rows, Scalar, SpaceBuilder,
};
use npt_methods::{
    Error, KernelKMeans, Kpca,
    linear::{Pca, PcaParams},
    pre_image::{
        DistanceConstraints, FixedPoint, KpcaDenoiser, PreImage, PreImageExt, PreImageRidge,
        PrincipalSubspace, Prototypes, WithPreImage,
    },
};

/// The nearest input to a point, with the linear kernel, is the point itself, which linear PCA knows. The tolerance is the
/// rounding of axes, which is larger by a gap between eigenvalues of a few hundredths.
#[test]
fn with_the_linear_kernel_pre_images_are_projections() {
    let (x, new) = (
        waves(20, 4) + 3.0,
        waves(26, 4).slice_move(s![20.., ..]) + 2.0,
    );
    let data = DatasetBase::from(x.clone());
    for components in 1..=4 {
        let pca = Pca::params(components).fit(&data).unwrap();
        let expected = pca.inverse_transform(&pca.transform(new.clone())).unwrap();
        let kpca = Kpca::params(components, Linear::new());
        let model = kpca.clone().pre_image(FixedPoint::new()).fit(&data);
        let found = model.unwrap().denoise(&new).unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
        let constraints = DistanceConstraints::new().neighbours(20);
        let model = kpca.clone().pre_image(constraints).fit(&data);
        let found = model.unwrap().denoise(&new).unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 1e-11);
        // The penalty shrinks by α/λ, which is most along the last axis.
        let alpha = 1e-6;
        let shrunk = alpha / pca.eigenvalues()[components - 1];
        let ridge = PreImageRidge::new(Linear::new(), alpha);
        let model = kpca.pre_image(ridge).fit(&data);
        let found = model.unwrap().denoise(&new).unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 10.0 * shrunk);
    }
}

/// Kernel PCA that is fitted already denoises like kernel PCA that is fitted with its pre-images.
#[test]
fn of_kernel_pca_that_is_fitted_already() {
    let (x, new) = (waves(30, 3), waves(36, 3).slice_move(s![30.., ..]));
    let data = DatasetBase::from(x.clone());
    let kpca = || Kpca::params(3, Gaussian::new(0.5));
    let expected = kpca().pre_image(FixedPoint::new()).fit(&data).unwrap();
    let model = kpca().by_coordinates().fit(&data).unwrap();
    let found = KpcaDenoiser::new(model.clone(), &FixedPoint::new(), &x).unwrap();
    assert_eq!(found.model().inner(), expected.model().inner());
    let denoised = found.denoise(&new).unwrap();
    assert_abs_diff_eq!(denoised, expected.denoise(&new).unwrap(), epsilon = 1e-9);

    let wide = KpcaDenoiser::new(model.clone(), &FixedPoint::new(), &waves(30, 4));
    let (expected, found) = (3, 4);
    let error = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(wide.err(), Some(Error::Core(error)));
    let (pca, _) = model.into_parts();
    let (expected, found) = (2, pca.mean().len());
    let other = Exact::new(Gaussian::new(0.5)).rank(Rank::Components(2));
    let other = KernelizedModel::new(pca, other.fit_space(&x).unwrap().into_parts().0);
    let error = npt_core::Error::CoefficientCount { expected, found };
    let refused = KpcaDenoiser::new(other, &FixedPoint::new(), &x);
    assert_eq!(refused.err(), Some(Error::Core(error)));

    let x = x.mapv(|v| v as f32);
    let model = Kpca::params(3, Gaussian::new(0.5_f32)).by_coordinates();
    let model = model.fit(&DatasetBase::from(x.clone())).unwrap();
    let found = KpcaDenoiser::new(model, &FixedPoint::new(), &x).unwrap();
    let found = found.denoise(&new.mapv(|v| v as f32)).unwrap();
    assert_abs_diff_eq!(found.mapv(f64::from), denoised, epsilon = 1e-3);
}

/// Kernel PCA of q components has the pre-images of the space of rank q: the subspace of the
/// components is that space, with the same distances from it.
#[test]
fn components_are_a_space_of_reduced_rank() {
    fn check<M>(method: &M, tolerance: f64)
    where
        M: PreImage<PrincipalSubspace<Space>> + PreImage<Space> + Clone,
    {
        let (x, new) = (waves(30, 3), waves(36, 3).slice_move(s![30.., ..]));
        let exact = Exact::new(Gaussian::new(0.5));
        let reduced = exact
            .clone()
            .rank(Rank::Components(3))
            .fit_space(&x)
            .unwrap();
        let points = reduced.coordinates(&new).unwrap();
        let expected = pre_images(method, &reduced, &x, points.view()).unwrap();
        for axes in [Axes::Principal, Axes::Cholesky] {
            let kpca = Kpca::params(3, Gaussian::new(0.5)).space(|s| s.axes(axes));
            let model = kpca
                .pre_image(method.clone())
                .fit(&DatasetBase::from(x.clone()));
            let found = model.unwrap().inverse_transform(&points).unwrap();
            assert_abs_diff_eq!(found, expected, epsilon = tolerance);
        }
    }
    check(&DistanceConstraints::new().neighbours(8), 1e-9);
    check(&PreImageRidge::new(Gaussian::new(1.0), 1e-3), 1e-9);
    check(&FixedPoint::new(), 1e-8);
}

/// Denoised samples do not depend on the unit of the inputs, even with few samples of many features and
/// copies of samples. In f32 they agree to the root of its rounding, as the top of
/// g is flat.
#[test]
fn denoising_at_any_scale() {
    fn denoise<F: Scalar>(x: &Array2<f64>, scale: f64) -> [Array2<f64>; 2] {
        let x = x.mapv(|v| F::cast(v * scale));
        let kernel = Gaussian::new(F::cast(0.1 / scale / scale));
        let (kpca, data) = (Kpca::params(2, kernel), DatasetBase::from(x.clone()));
        let near = kpca.clone().pre_image(FixedPoint::new()).fit(&data);
        let met = kpca.pre_image(DistanceConstraints::new()).fit(&data);
        let found = [near.unwrap().denoise(&x), met.unwrap().denoise(&x)];
        found.map(|z| z.unwrap().mapv(|v| v.as_f64() / scale))
    }
    let copies = concatenate![Axis(0), waves(12, 3), waves(12, 3)];
    for x in [waves(30, 4), waves(5, 12), copies] {
        let expected = denoise::<f64>(&x, 1.0);
        for scale in [1e-100, 1e100] {
            for (found, expected) in denoise::<f64>(&x, scale).iter().zip(&expected) {
                assert_abs_diff_eq!(found, expected, epsilon = 1e-7);
            }
        }
        for (found, expected) in denoise::<f32>(&x, 1.0).iter().zip(&expected) {
            assert_abs_diff_eq!(found, expected, epsilon = 5e-3);
        }
    }
}

/// The subspace of components obeys the laws of every kernel space, and of every space with expansions; scores are its coordinates.
#[test]
fn the_subspace_of_components_is_a_kernel_space() {
    let (x, new) = (waves(20, 3), waves(26, 3).slice_move(s![20.., ..]));
    let kernel = Gaussian::new(0.5);
    for centered in [true, false] {
        let kpca = Kpca::params(4, kernel).space(|s| s.centered(centered));
        let kpca = kpca.pre_image(FixedPoint::new());
        let model = kpca.fit(&DatasetBase::from(x.clone())).unwrap();
        let subspace = model.subspace();
        let (scores, residuals) = subspace.coordinates_and_residuals(&new).unwrap();
        assert_eq!((subspace.rank(), scores.ncols()), (4, 4));
        assert_eq!(scores, subspace.coordinates(&new).unwrap());

        let (directions, offsets) = (waves(4, 2), array![0.5, -2.0]);
        let expanded = subspace.expand(directions.view(), offsets.view()).unwrap();
        let expected = scores.dot(&directions) + &offsets;
        assert_abs_diff_eq!(expanded.evaluate(&new).unwrap(), expected, epsilon = 1e-12);

        // ‖φ(x) − p‖² for the projection p of φ(x), by kernel values alone.
        let points = subspace.points(scores.view()).unwrap();
        let gram = kernel.gram(points.samples());
        let values = points.evaluate(&new).unwrap();
        for (i, gamma) in points.coefficients().columns().into_iter().enumerate() {
            let squared = 1.0 - 2.0 * values[[i, i]] + gamma.dot(&gram.dot(&gamma));
            assert_abs_diff_eq!(residuals[i], squared, epsilon = 1e-12);
        }
        let narrow = Array2::zeros((3, 1));
        let (expected, found) = (4, 3);
        let count = Some(npt_core::Error::CoefficientCount { expected, found });
        assert_eq!(
            subspace.expand(narrow.view(), array![0.0].view()).err(),
            count
        );
        let (expected, found) = (2, 1);
        let count = Some(npt_core::Error::CoefficientCount { expected, found });
        let one = array![0.0];
        assert_eq!(subspace.expand(directions.view(), one.view()).err(), count);
    }
}

/// A model with pre-images is otherwise the model without, in the field of a struct as everywhere.
#[test]
fn the_rest_of_the_model_is_the_same() {
    struct Field {
        estimator: WithPreImage<KernelMethod<PcaParams, Exact<Gaussian<f64>>>, FixedPoint>,
        model: KpcaDenoiser<Space, FixedPoint>,
    }
    let x = waves(25, 3);
    let data = DatasetBase::from(x.clone());
    let kpca = Kpca::params(3, Gaussian::new(0.5));
    let plain = kpca.fit(&data).unwrap();
    let estimator = kpca.pre_image(FixedPoint::new());
    let model = estimator.fit(&data).unwrap();
    let Field { estimator, model } = Field { estimator, model };
    assert_eq!(estimator.pre_image_method(), &FixedPoint::new());
    let expected: Array2<f64> = plain.transform(x.clone());
    let rows = Rows::new(x.clone()).unwrap();
    let found: [Array2<f64>; 4] = [
        model.transform(x.clone()),
        model.predict(&x),
        model.predict(&rows),
        model.model().try_transform(&x).unwrap(),
    ];
    for found in found {
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
    }
    // Equal by whichever road the model without pre-images was fitted.
    let (with, without) = (model.model().inner(), plain.inner());
    assert_abs_diff_eq!(with.eigenvalues(), without.eigenvalues(), epsilon = 1e-12);
}

/// Prototypes are the centroids of clusters far apart as inputs. One cluster has one sample, whose second neighbour is farther
/// than the kernel can tell.
#[test]
fn prototypes_are_inputs() {
    let x = array![
        [0.0, 0.0],
        [1.0, 0.0],
        [50.0, 3.0],
        [-40.0, 9.0],
        [-40.0, 10.0]
    ];
    let data = DatasetBase::from(x.clone());
    let means = KernelKMeans::params(3, Gaussian::new(0.1));
    let plain = means.fit(&data).unwrap();
    let by_coordinates = means.clone().by_coordinates().fit(&data).unwrap();
    let near = means.clone().pre_image(FixedPoint::new()).fit(&data);
    let constraints = DistanceConstraints::new().neighbours(2);
    let met = means.pre_image(constraints).fit(&data);
    // The field of a struct may hold the model.
    let models: [Prototypes<ExactSpace<Rows<f64>, Gaussian<f64>>>; 2] =
        [near.unwrap(), met.unwrap()];
    for model in &models {
        assert_eq!(model.predict(&x), plain.predict(&x));
        let distances: Array2<f64> = model.transform(x.clone());
        assert_eq!(distances, by_coordinates.transform(x.clone()));
        let prototypes = model.prototypes();
        for expected in [[0.5_f64, 0.0], [50.0, 3.0], [-40.0, 9.5]] {
            let nearest = prototypes.outer_iter().map(|row| {
                let d = &row - &array![expected[0], expected[1]];
                d.dot(&d).sqrt()
            });
            assert!(nearest.fold(f64::INFINITY, f64::min) < 1e-7, "{prototypes}");
        }
    }
}

/// One sample is one cluster, and its own prototype; it has no principal components.
#[test]
fn one_sample_with_a_method() {
    let x = array![[3.0, -2.0]];
    let data = DatasetBase::from(x.clone());
    let means = KernelKMeans::params(1, Gaussian::new(1.0)).space(|s| s.centered(false));
    let model = means.pre_image(FixedPoint::new()).fit(&data).unwrap();
    assert_abs_diff_eq!(model.prototypes().to_owned(), x, epsilon = 1e-12);
    let kpca = Kpca::params(1, Gaussian::new(1.0)).space(|s| s.centered(false));
    let (requested, available) = (1, 0);
    let none = KernelizedError::Method(Error::Components {
        requested,
        available,
    });
    assert_eq!(
        kpca.pre_image(FixedPoint::new()).fit(&data).err(),
        Some(none)
    );
}

/// Kernel PCA centres an uncentred space: points and inputs are the same.
#[test]
fn an_uncentered_space_has_the_same_pre_images() {
    let (x, new) = (waves(30, 2), waves(34, 2).slice_move(s![30.., ..]));
    let data = DatasetBase::from(x);
    let kpca = || Kpca::params(2, Gaussian::new(0.3));
    let centered = kpca().pre_image(FixedPoint::new()).fit(&data).unwrap();
    let uncentered = kpca().space(|s| s.centered(false));
    let uncentered = uncentered.pre_image(FixedPoint::new()).fit(&data).unwrap();
    let expected = centered.denoise(&new).unwrap();
    assert_abs_diff_eq!(uncentered.denoise(&new).unwrap(), expected, epsilon = 1e-6);
}
