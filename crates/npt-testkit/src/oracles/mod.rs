//! The kernel-trick formulas, written from their equations for kernel matrices; the kernelized
//! methods are compared with them. Nothing here uses the code under test.

pub mod cca;
pub mod centering;
pub mod cholesky;
pub mod gaussian_process;
pub mod jacobi;
pub mod kfd;
pub mod kmeans;
pub mod kpca;
pub mod logistic;
pub mod pca_l1;
pub mod pls;
pub mod pre_image;
pub mod regression_discriminant;
pub mod ridge;
mod solve;
pub mod svc;

pub use solve::solve;

use ndarray::ArrayView1;

/// Returns 1 or −1, whichever makes the entry of largest magnitude positive; among entries equal up to
/// rounding, the first decides.
pub fn sign_of_largest(values: ArrayView1<'_, f64>) -> f64 {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let almost = largest * (1.0 - f64::EPSILON.sqrt());
    let first = values.iter().find(|v| v.abs() >= almost);
    if first.is_some_and(|&v| v < 0.0) {
        -1.0
    } else {
        1.0
    }
}

/// The clarity of [`sign_of_largest`]: the relative distance between the largest magnitudes of either
/// sign. Rounding of about this size turns the axis round.
pub fn sign_margin(values: ArrayView1<'_, f64>) -> f64 {
    let (up, down) = values.fold((0.0_f64, 0.0_f64), |(u, d), &v| (u.max(v), d.max(-v)));
    (up - down).abs() / up.max(down)
}
