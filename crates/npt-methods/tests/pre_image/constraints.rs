//! Tests of distance constraints: outside the space, and far inside the sphere.

use super::{pre_images, waves};
use approx::assert_abs_diff_eq;
use ndarray::{Array1, Axis, array};
use npt_core::{Exact, Gaussian, KernelSpace, Rank, SpaceBuilder};
use npt_methods::pre_image::DistanceConstraints;

/// Distances in a space of low rank are those of the point from φ(xᵢ), not from its
/// projection: ‖p − yᵢ‖² and the residual of xᵢ. This holds for the choice of the neighbours as for the place.
#[test]
fn constraints_know_what_is_outside_the_space() {
    let (x, gamma) = (waves(30, 2), 0.5);
    let space = Exact::new(Gaussian::new(gamma))
        .rank(Rank::Components(3))
        .fit_space(&x)
        .unwrap();
    let (known, residuals) = (space.training_coordinates(), space.residuals(&x).unwrap());
    assert!(residuals.iter().all(|&r| r > 1e-3));
    let mut others = 0;
    for neighbours in [6, 12] {
        let method = DistanceConstraints::new().neighbours(neighbours);
        let found = pre_images(&method, &space, &x, known).unwrap();
        for (point, z) in known.outer_iter().zip(found.outer_iter()) {
            let inside: Array1<f64> = known
                .outer_iter()
                .map(|y| (&y - &point).dot(&(&y - &point)))
                .collect();
            let squared = &inside + &residuals;
            let nearest = |distances: &Array1<f64>| {
                let mut order: Vec<usize> = (0..30).collect();
                order.sort_by(|&i, &j| distances[i].total_cmp(&distances[j]));
                assert!(distances[order[neighbours]] - distances[order[neighbours - 1]] > 1e-9);
                order.truncate(neighbours);
                order
            };
            let chosen = nearest(&squared);
            let of_projections = nearest(&inside);
            others += usize::from(chosen.iter().any(|i| !of_projections.contains(i)));
            // ‖z − xᵢ‖² = −ln(1 − d²/2)/γ, about the mean in the least squares sense.
            let mut rows = x.select(Axis(0), &chosen);
            let mean = rows.mean_axis(Axis(0)).unwrap();
            rows -= &mean;
            let lengths = rows.map_axis(Axis(1), |row| row.dot(&row));
            let inputs = squared
                .select(Axis(0), &chosen)
                .mapv(|d| -(1.0 - d / 2.0).ln() / gamma);
            let (a, b) = (
                rows.t().dot(&rows),
                rows.t().dot(&((lengths - inputs) / 2.0)),
            );
            let determinant = a[[0, 0]] * a[[1, 1]] - a[[0, 1]] * a[[1, 0]];
            let expected = array![
                a[[1, 1]] * b[0] - a[[0, 1]] * b[1],
                a[[0, 0]] * b[1] - a[[1, 0]] * b[0]
            ] / determinant
                + mean;
            assert_abs_diff_eq!(z.to_owned(), expected, epsilon = 1e-9);
        }
    }
    assert!(others >= 10, "the residuals change {others} choices");
}

/// Distances of points near the mean of a Gaussian space differ less than those of φ(x). This draws the
/// pre-images to the middle of the neighbours.
#[test]
fn constraints_shrink_inside_the_sphere() {
    let x = waves(40, 2);
    let space = Exact::new(Gaussian::new(1.0)).fit_space(&x).unwrap();
    let method = DistanceConstraints::new().neighbours(40);
    let spread = |share: f64| {
        let points = &space.training_coordinates() * share;
        let z = pre_images(&method, &space, &x, points.view()).unwrap();
        z.std_axis(Axis(0), 0.0).sum()
    };
    let whole = x.std_axis(Axis(0), 0.0).sum();
    assert_abs_diff_eq!(spread(1.0), whole, epsilon = 1e-6);
    assert!(spread(0.3) < 0.6 * whole, "{}", spread(0.3) / whole);
}
