//! Laws 2 and 3: coordinates have the inner products and distances of the feature space.

use super::{
    case::Case,
    tolerance::{assert_close, widen},
};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar};

/// Checks a space of full rank: YYᵀ = K, the mean of centred coordinates is 0, and training samples
/// that are given as new ones have their training coordinates.
///
/// # Panics
/// If one of these does not hold.
pub fn check_training_coordinates<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let (n, rank) = (case.x.len(), space.rank());
    let y = widen(space.training_coordinates());
    assert_eq!(y.dim(), (n, rank), "shape of the training coordinates");
    assert!(
        (1..=case.full_rank()).contains(&rank),
        "rank {rank}, of {n} samples"
    );
    let entry = case.tolerance.entry();
    for ((i, j), &product) in y.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y{i}, y{j}⟩");
        assert_close(&what, product, case.gram[[i, j]], entry);
    }
    if case.centered {
        for (k, column) in y.columns().into_iter().enumerate() {
            let rounding = entry / case.tolerance.scale().sqrt();
            assert_close(
                &format!("mean along axis {k}"),
                column.sum() / n as f64,
                0.0,
                rounding,
            );
        }
    }

    let again = widen(
        space
            .coordinates(case.x)
            .expect("training samples have coordinates")
            .view(),
    );
    assert_eq!(again.dim(), (n, rank), "shape of the coordinates");
    let along_axis = case.tolerance.along_axis(space);
    for ((i, k), &value) in again.indexed_iter() {
        let what = format!("coordinate {k} of training sample {i}");
        assert_close(&what, value, y[[i, k]], along_axis);
    }
    for ((i, j), &product) in again.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y(x{i}), y{j}⟩");
        assert_close(&what, product, case.gram[[i, j]], entry);
    }
}

/// Checks coordinates of new samples in a space of full rank: ⟨y(x), yᵢ⟩ = k(x, xᵢ);
/// ‖y(x) − yᵢ‖² is the squared feature distance less the residual; and ‖y(x) − y(x′)‖² is the part of the squared feature distance
/// that is inside the space.
///
/// # Panics
/// If one of these does not hold.
pub fn check_new_coordinates<S, K, P>(space: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let (coordinates, residuals) = space
        .coordinates_and_residuals(case.x_new)
        .expect("new samples have coordinates");
    let alone = space
        .coordinates(case.x_new)
        .expect("new samples have coordinates");
    assert!(coordinates == alone, "residuals change the coordinates");
    let (y_new, y) = (
        widen(coordinates.view()),
        widen(space.training_coordinates()),
    );
    let residuals = residuals.mapv(Scalar::as_f64);
    let entry = case.tolerance.entry();

    let weights = Case::<S, K>::weights(&y_new, &y);
    for ((i, j), &product) in y_new.dot(&y.t()).indexed_iter() {
        let what = format!("⟨y(new {i}), y{j}⟩");
        let of_product = case.tolerance_of_product(space, residuals[i], weights[i]);
        assert_close(&what, product, case.cross[[i, j]], of_product);

        let distance = (&y_new.row(i) - &y.row(j)).mapv(|v| v * v).sum();
        let expected = case.diag[i] - 2.0 * case.cross[[i, j]] + case.gram[[j, j]];
        let what = format!("‖y(new {i}) − y{j}‖² + residual");
        let of_sum = case.tolerance_of_sum(space, residuals[i], weights[i]);
        let tolerance = 2.0 * (of_sum + of_product);
        assert_close(&what, distance + residuals[i], expected, tolerance);
    }
    for i in 0..case.x_new.len() {
        for j in 0..i {
            // The parts outside the space have the lengths √r and √r′, and an unknown angle.
            let inside = (&y_new.row(i) - &y_new.row(j)).mapv(|v| v * v).sum();
            let outside = feature_distance(case, i, j) - inside;
            let (a, b) = (residuals[i] + entry, residuals[j] + entry);
            let tolerance = case.tolerance_of(space, a) + case.tolerance_of(space, b);
            let tolerance = 2.0 * tolerance + case.tolerance_inside(space);
            let what = format!("‖y(new {i}) − y(new {j})‖² less the feature distance");
            let angle = 2.0 * a.sqrt() * b.sqrt();
            assert_close(
                &what,
                outside,
                residuals[i] + residuals[j],
                angle + tolerance,
            );
        }
    }
}

/// The squared distance ‖φ(x) − φ(x′)‖² of two new samples; it is the same for κ and for κ centred.
fn feature_distance<S, K>(case: &Case<'_, S, K>, i: usize, j: usize) -> f64
where
    S: Samples,
    K: Kernel<S> + ?Sized,
{
    let (a, b) = (case.x_new.get(i), case.x_new.get(j));
    let kernel = |a, b| case.kernel.eval(a, b).as_f64();
    kernel(a, a) - 2.0 * kernel(a, b) + kernel(b, b)
}
