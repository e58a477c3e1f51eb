//! Kernels that depend on the difference of two samples only.

mod bandwidth;
mod distance;
mod exponential;
mod gaussian;
mod laplacian;
mod length_scales;
mod matern;
mod periodic;
mod rational_quadratic;
mod spectral_measure;

pub use exponential::Exponential;
pub use gaussian::Gaussian;
pub use laplacian::Laplacian;
pub use length_scales::LengthScales;
pub use matern::Matern;
pub use periodic::Periodic;
pub use rational_quadratic::RationalQuadratic;
pub use spectral_measure::SpectralMeasure;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kernel, Rows, Samples};
    use ndarray::{Array2, array};

    /// Of a selection of no samples there are no values, on either side.
    #[test]
    fn no_samples() {
        fn check(kernel: impl Kernel<Rows<f64>, Scalar = f64>) {
            let x = Rows::new(array![[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]]).unwrap();
            let none = x.select(&[]);
            assert_eq!(kernel.cross(&x, &none), Array2::zeros((3, 0)));
            assert_eq!(kernel.cross(&none, &x), Array2::zeros((0, 3)));
            assert_eq!(kernel.gram(&none), Array2::zeros((0, 0)));
        }
        check(Gaussian::new(0.5));
        check(Exponential::new(0.5));
        check(Laplacian::new(0.5));
        check(RationalQuadratic::new(0.5, 1.0));
    }
}
