//! Tests that spaces of landmarks obey the laws, and are the exact space with all that the samples span.

use ndarray::Array2;
use npt::prelude::*;
use npt::{Error, Given, KernelMap, Scalar, methods::Centroids};
use npt_testkit::{data, laws};

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples")
}

fn check<F: Scalar>(gamma: f64, x: &Array2<f64>) {
    let kernel = Gaussian::new(F::cast(gamma));
    let x_new = rows::<F>(&(data::normal(7, x.ncols(), 5) * 0.7));
    let x = rows::<F>(x);
    let all = x.len();
    for axes in [Axes::Principal, Axes::Cholesky] {
        for centered in [true, false] {
            for landmarks in [
                Pivoting::random(all),
                Pivoting::greedy(all),
                Pivoting::uniform(all),
                Pivoting::by_leverage(all, 0.1),
            ] {
                let landmarks = landmarks.tolerance(0.0).seed(3);
                let builder = Nystrom::new(kernel, landmarks).axes(axes);
                laws::check_space(&builder.centered(centered), &kernel, centered, &x, &x_new);
            }
            let builder = Nystrom::new(kernel, Given(x.clone())).axes(axes);
            laws::check_space(&builder.centered(centered), &kernel, centered, &x, &x_new);
        }
    }
}

fn check_several<F: Scalar>() {
    for (gamma, x) in [
        (0.5, data::normal(40, 3, 1)),
        (0.1, data::normal(6, 30, 2)),
        (0.5, data::duplicates(8, 3, 2, 3)),
        (0.3, data::low_rank(25, 6, 2, 4)),
        (0.5, data::regular_polygon(24)),
        (1e-3, data::normal(30, 2, 5)),
    ] {
        check::<F>(gamma, &x);
    }
}

// These are several tests, which run side by side: they are the longest of this program.
#[test]
fn full_rank() {
    check_several::<f64>();
}

#[test]
fn full_rank_in_single_precision() {
    check_several::<f32>();
}

#[test]
fn full_rank_of_many_samples() {
    check::<f64>(0.5, &data::normal(300, 4, 6));
}

#[test]
fn full_rank_of_many_samples_in_single_precision() {
    check::<f32>(0.5, &data::normal(300, 4, 6));
}

/// Centroids of as many clusters as there are samples are the samples.
#[test]
fn centroids() {
    let x = data::normal(40, 3, 1);
    let kernel = Gaussian::new(0.5);
    let builder = Nystrom::new(kernel, Centroids::new(40));
    let exact = Exact::new(kernel).fit_space(&x).unwrap();
    let space = builder.fit_space(&x).unwrap();
    let off = &space.eigenvalues() - &exact.eigenvalues();
    assert!(off.iter().all(|d| d.abs() < 1e-12));
    // Few centroids leave less of the trace than as many samples.
    let share = |space: npt::Fitted<_>| space.relative_trace_residual();
    let few = share(
        Nystrom::new(kernel, Centroids::new(12).seed(1))
            .fit_space(&x)
            .unwrap(),
    );
    let samples = Nystrom::new(kernel, Pivoting::random(12).seed(1));
    assert!(few < share(samples.fit_space(&x).unwrap()), "{few}");
}

/// Centroids find small clusters: two samples each, far from all others. Of 40 random samples hardly any would be among them.
#[test]
fn centroids_of_small_clusters() {
    let mut x = data::normal(2000, 2, 1);
    for i in 0..40 {
        let place = 100.0 * (1 + i / 2) as f64;
        x.row_mut(i).mapv_inplace(|v| place + 0.1 * v);
    }
    for seed in 0..5 {
        let builder = Nystrom::new(Gaussian::new(0.5), Centroids::new(40).seed(seed));
        let space = builder.centered(false).fit_space(&x).unwrap();
        let left = space.training_residuals();
        assert!(left.iter().take(40).all(|&left| left < 0.1), "{left}");
    }
}

/// A few landmarks project: what they leave of κ(x, x) is the squared distance from their span, also for new samples. Inner
/// products are those of a projection, and centring changes no distance.
#[test]
fn few_landmarks_project() {
    let (x, new) = (data::normal(200, 3, 1), data::normal(30, 3, 2));
    let kernel = Gaussian::new(0.4);
    let landmarks = Pivoting::random(25).seed(11);
    let builder = Nystrom::new(kernel, landmarks).axes(Axes::Cholesky);
    let space = builder.clone().centered(false).fit_space(&x).unwrap();
    let KernelMap::Landmarks(map) = space.space().raw_map() else {
        panic!("landmarks are few");
    };
    let exact = Exact::new(kernel).centered(false).fit_space(&x).unwrap();
    // The coordinates of the landmarks in the exact space span what they project on; Z⁺Z is the projector.
    let y = exact.training_coordinates();
    let z = y.select(ndarray::Axis(0), map.indices().unwrap());
    let turned = Exact::new(Linear::new())
        .centered(false)
        .fit_space(&z)
        .unwrap();
    let (inside, left) = turned.coordinates_and_residuals(&y).unwrap();
    let off = &space.training_residuals() - &left;
    assert!(off.iter().all(|d| d.abs() < 1e-10), "{off}");
    let products = space
        .training_coordinates()
        .dot(&space.training_coordinates().t());
    let off = products - inside.dot(&inside.t());
    assert!(off.iter().all(|d| d.abs() < 1e-10));

    let centered = builder.fit_space(&x).unwrap();
    let means = centered
        .training_coordinates()
        .mean_axis(ndarray::Axis(0))
        .unwrap();
    assert!(means.iter().all(|m| m.abs() < 1e-14));
    assert_eq!(centered.residuals(&new), space.residuals(&new));
    let share = space.relative_trace_residual();
    assert!((share - left.sum() / 200.0).abs() < 1e-12);
}

/// Both axes of few landmarks have the same inner products, and ranks are cut on either.
#[test]
fn axes_and_ranks() {
    let x = data::normal(150, 4, 1);
    for landmarks in [Pivoting::random(30), Pivoting::uniform(30)] {
        let builder = Nystrom::new(Gaussian::new(0.2), landmarks);
        let principal = builder.fit_space(&x).unwrap();
        let cholesky = builder.clone().axes(Axes::Cholesky).fit_space(&x).unwrap();
        let [p, c] = [&principal, &cholesky].map(|space| {
            let y = space.training_coordinates();
            y.dot(&y.t())
        });
        assert!((p - c).iter().all(|d| d.abs() < 1e-13));
        let values = principal.eigenvalues();
        assert!(
            values
                .iter()
                .zip(values.iter().skip(1))
                .all(|(a, b)| a >= b)
        );

        let first = builder
            .clone()
            .rank(Rank::Components(7))
            .fit_space(&x)
            .unwrap();
        let off = &first.eigenvalues() - &values.slice(ndarray::s![..7]);
        assert!(off.iter().all(|d| d.abs() < 1e-13));
        // The cut keeps the first of the landmarks.
        let cut = builder.clone().axes(Axes::Cholesky).centered(false);
        let seven = cut.clone().rank(Rank::Components(7)).fit_space(&x).unwrap();
        let whole = cut.clone().fit_space(&x).unwrap();
        let expected = whole
            .training_coordinates()
            .slice(ndarray::s![.., ..7])
            .to_owned();
        assert_eq!(seven.training_coordinates(), expected);
        let tolerant = cut.rank(Rank::Tolerance(0.4)).fit_space(&x).unwrap();
        assert!(tolerant.rank() < 30 && tolerant.relative_trace_residual() <= 0.4);
        let last = tolerant
            .training_coordinates()
            .column(tolerant.rank() - 1)
            .to_owned();
        let one_less = tolerant.training_residuals().sum() + last.dot(&last);
        assert!(one_less > 0.4 * 150.0);
    }
    let too_many = Nystrom::new(Gaussian::new(0.2), Pivoting::random(30));
    let error = too_many
        .rank(Rank::Components(40))
        .fit_space(&x)
        .unwrap_err();
    let (requested, available) = (40, 30);
    assert_eq!(
        error,
        Error::Rank {
            requested,
            available
        }
    );
}
