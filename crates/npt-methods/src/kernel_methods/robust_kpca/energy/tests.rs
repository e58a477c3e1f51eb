//! Tests of the gradient of the energy, and of the residual that is in it.

use super::*;
use crate::{Kpca, NoveltyDetector};
use linfa::{DatasetBase, traits::Fit};
use npt_core::Rank;

fn samples(rows: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, 3), |(i, j)| {
        (3.0 * i as f64 + 2.0 * j as f64 + 0.7 * (i * j) as f64).sin()
    })
}

fn energy(x: &Array2<f64>, data: DataTerm) -> Energy {
    let kpca = Kpca::params(3, Gaussian::new(1.0)).fit(&DatasetBase::from(x.clone()));
    Energy::new(kpca.unwrap().expansion(), x.clone(), data).unwrap()
}

/// The energy without the data term is the reconstruction error of novelty detection.
#[test]
fn the_residual_is_the_reconstruction_error() {
    let (x, new) = (samples(20), samples(30));
    let data = DataTerm {
        fidelity: 1e-300,
        squared_scale: 1.0,
    };
    let energy = energy(&x, data);
    let detector = NoveltyDetector::params(Gaussian::new(1.0)).rank(Rank::Components(3));
    let detector = detector.fit(&DatasetBase::from(x)).unwrap();
    let errors = detector.reconstruction_errors(&new).unwrap();
    for (row, error) in new.outer_iter().zip(&errors) {
        let found = energy.at(row, &row.to_vec()).cost;
        assert!((found - error).abs() < 1e-13, "{found} {error}");
    }
}

#[test]
fn the_gradient_is_that_of_differences() {
    let x = samples(12);
    for squared_scale in [f64::INFINITY, 0.3] {
        let data = DataTerm {
            fidelity: 0.7,
            squared_scale,
        };
        let energy = energy(&x, data);
        let seen = ndarray::array![0.3, f64::NAN, -1.2];
        let z = vec![0.1, 0.6, -0.4];
        let gradient = energy.at(seen.view(), &z).gradient;
        for j in 0..3 {
            let moved = |by: f64| {
                let mut z = z.clone();
                z[j] += by;
                energy.at(seen.view(), &z).cost
            };
            let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!(
                (gradient[j] - difference).abs() < 1e-9,
                "{j}: {} {difference}",
                gradient[j]
            );
        }
    }
}

/// A descent ends at a minimum, and never above its start.
#[test]
fn a_descent_ends_where_nothing_goes_down() {
    let x = samples(15);
    let energy = energy(
        &x,
        DataTerm {
            fidelity: 0.2,
            squared_scale: f64::INFINITY,
        },
    );
    for row in samples(40).outer_iter() {
        let start = row.mapv(|v| v + 0.3).to_vec();
        let before = energy.at(row, &start).cost;
        let found = energy.descend(row, &start);
        assert!(found.cost <= before);
        assert_eq!(found, energy.at(row, &found.position));
        let slope = found.slope();
        assert!(slope < 1e-6, "slope {slope:e}");
    }
}
