//! Tests of pre-images: where they are known exactly, against scikit-learn, and of the errors.

mod constraints;
mod fixed_point;
mod kernels;
mod models;
mod nearest;
mod refused;
mod ridge;

use approx::assert_abs_diff_eq;
use ndarray::{Array2, ArrayView2, Axis, array, concatenate};
use npt_core::{
    Axes, Exact, ExactSpace, Fitted, Gaussian, KernelSpace, Linear, Rows, Scalar, SpaceBuilder,
};
use npt_methods::{
    Error,
    pre_image::{DistanceConstraints, FixedPoint, PreImage, PreImageMap, PreImageRidge, Training},
};

/// The space of most tests.
type Space = ExactSpace<Rows<f64>, Gaussian<f64>>;

/// Finds pre-images of points of a fitted space, by a method that is fitted to its samples.
fn pre_images<F, P, M>(
    method: &M,
    fitted: &Fitted<P>,
    x: &Array2<F>,
    points: ArrayView2<'_, F>,
) -> Result<Array2<F>, Error>
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
    M: PreImage<P>,
{
    let map = method.fit(&Training::new(fitted, x)?)?;
    map.pre_images(fitted.space(), points)
}

/// Records that are the same in every language: xᵢⱼ = sin(3i + 2j + 0.7·i·j).
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as f64, j as f64);
        (3.0 * i + 2.0 * j + 0.7 * i * j).sin()
    })
}

/// Checks that xᵢ is the pre-image of φ(xᵢ), a point of the space at full rank, whatever the axes and the origin.
fn training_samples_return<F: Scalar, M>(method: &M, x: &Array2<F>, gamma: f64, tolerance: f64)
where
    M: PreImage<ExactSpace<Rows<F>, Gaussian<F>>>,
{
    for (axes, centered) in [
        (Axes::Principal, true),
        (Axes::Cholesky, true),
        (Axes::Principal, false),
        (Axes::Cholesky, false),
    ] {
        let builder = Exact::new(Gaussian::new(F::cast(gamma)))
            .axes(axes)
            .centered(centered);
        let space = builder.fit_space(x).unwrap();
        let z = pre_images(method, &space, x, space.training_coordinates()).unwrap();
        let width = gamma.sqrt().recip();
        let off = (z - x).iter().fold(0.0_f64, |m, d| m.max(d.as_f64().abs()));
        assert!(
            off <= tolerance * width,
            "{axes:?}, centred {centered}: {off:e} of {width:e}"
        );
    }
}

/// Training samples are their own pre-images, to the tolerance of the iteration in f64. For the constraints the tolerance is about √ε, as
/// −ln κ takes the root of the rounding of distances in feature space.
#[test]
fn training_samples_are_their_own_pre_images() {
    let copies = concatenate![Axis(0), waves(12, 3), waves(12, 3)];
    for x in [waves(30, 4), waves(5, 12), copies] {
        for scale in [1e-100, 1.0, 1e100] {
            let (x, gamma) = (&x * scale, 0.7 / scale / scale);
            training_samples_return(&FixedPoint::new(), &x, gamma, 1e-7);
            training_samples_return(&DistanceConstraints::new(), &x, gamma, 1e-7);
        }
        let single = x.mapv(|v| v as f32);
        training_samples_return(&FixedPoint::new(), &single, 0.7, 5e-3);
        training_samples_return(&DistanceConstraints::new(), &single, 0.7, 5e-3);
    }
}

/// One sample spans an uncentred space of one dimension.
#[test]
fn one_sample() {
    let x = array![[3.0, -2.0]];
    let space = Exact::new(Gaussian::new(1.0))
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let points = array![[1.0], [0.3]];
    let same = concatenate![Axis(0), x, x];
    let z = pre_images(&FixedPoint::new(), &space, &x, points.view()).unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
    let z = pre_images(&DistanceConstraints::new(), &space, &x, points.view()).unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
    let z = pre_images(
        &PreImageRidge::new(Linear::new(), 1.0),
        &space,
        &x,
        points.view(),
    )
    .unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
}
