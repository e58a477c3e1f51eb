//! Tests of kernels of any type: kernels whose pre-images a method knows, and kernels that it refuses.

use super::{pre_images, waves};
use approx::assert_abs_diff_eq;
use ndarray::Array2;
use npt_core::{
    Exact, Exponential, Gaussian, Kernel, Laplacian, Linear, Matern, NamedKernel, Polynomial,
    RationalQuadratic, ReadyKernels, Rows, SpaceBuilder,
};
use npt_methods::{
    Error,
    pre_image::{DistanceConstraints, FixedPoint, PreImage, PreImageMap, Training},
};

type Named = NamedKernel<Rows<f64>, f64>;

fn named(text: &str) -> Named {
    Rows::ready_kernels().read(text).unwrap()
}

fn of_training<K, M>(kernel: K, method: &M, x: &Array2<f64>) -> Result<Array2<f64>, Error>
where
    K: Kernel<Rows<f64>, Scalar = f64> + Clone,
    M: PreImage<npt_core::ExactSpace<Rows<f64>, K>>,
{
    let space = Exact::new(kernel).fit_space(x).unwrap();
    pre_images(method, &space, x, space.training_coordinates())
}

fn unsuitable(of: &'static str, kernel: &str, found: Option<Error>) {
    let Some(Error::Core(npt_core::Error::UnsuitableKernel {
        of: by,
        kernel: refused,
        ..
    })) = found
    else {
        panic!("{kernel}: {found:?}");
    };
    assert_eq!((by, refused.as_str()), (of, kernel));
}

#[test]
fn fixed_points_of_named_kernels() {
    let x = waves(12, 2);
    let method = FixedPoint::new();
    let typed = of_training(Gaussian::new(0.7), &method, &x).unwrap();
    assert_eq!(
        of_training(named("gaussian(gamma = 0.7)"), &method, &x),
        Ok(typed)
    );
    let typed = of_training(Linear::new(), &method, &x).unwrap();
    assert_eq!(of_training(named("linear"), &method, &x), Ok(typed));
    // Other types that are Gaussian, or linear.
    for kernel in [
        "gaussian(gamma = 0.3) * gaussian(gamma = 0.4)",
        "2 * linear + 0.5 * linear",
    ] {
        let found = of_training(named(kernel), &method, &x).unwrap();
        assert_abs_diff_eq!(found, x, epsilon = 1e-7);
    }
    for kernel in [
        "laplacian(gamma = 0.5)",
        "sum(gaussian(gamma = 0.5), linear)",
    ] {
        let found = of_training(named(kernel), &method, &x);
        unsuitable("FixedPoint", kernel, found.err());
    }
    let kernel = Polynomial::new(2, 1.0, 1.0);
    let found = of_training(kernel, &method, &x).err();
    unsuitable(
        "FixedPoint",
        "polynomial(degree = 2, gamma = 1, constant = 1)",
        found,
    );
    // Points are refused without a fit, too.
    let space = Exact::new(Laplacian::new(0.5)).fit_space(&x).unwrap();
    let found = method.pre_images(space.space(), space.training_coordinates());
    unsuitable("FixedPoint", "laplacian(gamma = 0.5)", found.err());
}

/// All samples are neighbours of each other: the constraints of a training sample determine where it is.
#[test]
fn distances_of_radial_kernels() {
    fn check<K: Kernel<Rows<f64>, Scalar = f64> + Clone>(kernel: K) {
        let x = waves(12, 2);
        let method = DistanceConstraints::new().neighbours(12);
        let found = of_training(kernel.clone(), &method, &x).unwrap();
        assert_abs_diff_eq!(found, x, epsilon = 1e-6);
        let of_name = of_training(named(&kernel.describe().to_string()), &method, &x).unwrap();
        assert_eq!(of_name, found);
    }
    check(Gaussian::new(0.3));
    check(Exponential::new(0.5));
    check(Matern::three_halves(2.0));
    check(RationalQuadratic::new(2.0, 1.5));
    check(Linear::new());
    check(Matern::five_halves(2.0).scaled(3.0));

    let x = waves(12, 2);
    let space = Exact::new(Laplacian::new(0.5)).fit_space(&x).unwrap();
    let training = Training::new(&space, &x).unwrap();
    let found = DistanceConstraints::new().fit(&training);
    unsuitable("DistanceConstraints", "laplacian(gamma = 0.5)", found.err());
}
