//! Law 5 and the rule of signs: the choice of axes may change coordinates, but no inner products.

use super::{
    case::Case,
    residuals::map,
    tolerance::{assert_close, epsilon, widen},
};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks that two spaces of full rank on the same samples are rotations of each other: they have the same
/// inner products, and, if their ranks agree, the same residuals. `first` may have dropped axes at
/// rounding level that `second` keeps; then the residuals of `first` are the larger ones.
///
/// # Panics
/// If one of these does not hold.
pub fn check_rotation<S, K, P, Q>(first: &Fitted<P>, second: &Fitted<Q>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
    Q: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    assert!(
        first.rank() <= second.rank(),
        "ranks {} and {}",
        first.rank(),
        second.rank()
    );
    let same_rank = first.rank() == second.rank();
    let (y, z) = (
        widen(first.training_coordinates()),
        widen(second.training_coordinates()),
    );
    let entry = case.tolerance.entry();
    let other = z.dot(&z.t());
    for ((i, j), &product) in y.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y{i}, y{j}⟩ on other axes");
        assert_close(&what, product, other[[i, j]], entry);
    }

    let ((y_new, residuals), (z_new, other_residuals)) =
        (map(first, case.x_new), map(second, case.x_new));
    let inside = case.tolerance_inside(first);
    let other = z_new.dot(&z.t());
    let weights = Case::<S, K>::weights(&y_new, &y);
    for ((i, j), &product) in y_new.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y(new {i}), y{j}⟩ on other axes");
        let tolerance = case.tolerance_of_product(first, residuals[i], weights[i]);
        assert_close(&what, product, other[[i, j]], tolerance);
    }
    for (i, (&residual, &other)) in residuals.iter().zip(&other_residuals).enumerate() {
        let what = format!("residual of new sample {i} on other axes");
        if same_rank {
            assert_close(&what, residual, other, inside);
        } else {
            assert!(
                residual >= other - inside,
                "{what}: {residual:e} < {other:e}"
            );
        }
    }
    if same_rank {
        let other = z_new.dot(&z_new.t());
        for ((i, j), &product) in y_new.dot(&y_new.t()).indexed_iter() {
            let what = format!("⟨y(new {i}), y(new {j})⟩ on other axes");
            assert_close(&what, product, other[[i, j]], inside);
        }
    }
}

/// Checks that principal axes are principal, YᵀY = Λ. Each axis must point to the side on which the training
/// coordinate of largest magnitude is positive; among coordinates equal up to √ε, the first decides.
///
/// # Panics
/// If one of these does not hold.
pub fn check_axis_signs<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let y = widen(space.training_coordinates());
    for ((k, l), &product) in y.t().dot(&y).indexed_iter() {
        let what = format!("(YᵀY)[{k}, {l}]");
        let expected = if k == l {
            space.eigenvalues()[k].as_f64()
        } else {
            0.0
        };
        assert_close(&what, product, expected, case.tolerance.entry());
    }
    let almost = 1.0 - epsilon::<K::Scalar>().sqrt();
    for (k, column) in y.columns().into_iter().enumerate() {
        let largest = column.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let deciding = column.iter().position(|v| v.abs() >= almost * largest);
        let deciding = deciding.expect("one of them is the largest");
        assert!(
            column[deciding] > 0.0,
            "axis {k} points away from sample {deciding}, which is farthest along it: {:e}",
            column[deciding]
        );
    }
}
