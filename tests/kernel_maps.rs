//! Tests which map new samples take, and the properties of spaces of any map.

use ndarray::{Array1, Array2, array};
use npt::{Error, Given, KernelMap, KernelSpace, RawFeatures, RawMap, Space, prelude::*};
use npt_testkit::data;

fn is_of_all_samples<S, K>(map: &KernelMap<S, K, f64>) -> bool {
    matches!(map, KernelMap::AllSamples(_))
}

/// The leading axes of a smooth kernel are the map's own, in every unit of the kernel. They are not where landmarks are asked for,
/// nor where the axes are nearly rounding.
#[test]
fn few_components_of_a_smooth_kernel() {
    let x = data::normal(120, 6, 3);
    for scale in [1e-9, 1.0, 1e9] {
        let builder = Exact::new(Gaussian::new(1e-3).scaled(scale));
        let three = builder.clone().rank(Rank::Components(3));
        let fitted = three.fit_space(&x).unwrap();
        assert!(is_of_all_samples(fitted.space().raw_map()), "{scale}");
        assert_eq!(fitted.space().raw_map().dimension(), 3, "{scale}");
        let small = builder.rank(Rank::Tolerance(1e-9)).fit_space(&x).unwrap();
        assert!(small.space().raw_map().dimension() > small.rank() + 10);
        let landmarks = three.landmarks_only(true).fit_space(&x).unwrap();
        assert!(!is_of_all_samples(landmarks.space().raw_map()));
    }
}

/// All samples map new ones where the result is as exact as the kernel values, in every unit of the kernel.
#[test]
fn conditioned_matrices_map_by_all_samples() {
    for (smallest, is_of_all) in [(1e-7, true), (1e-9, false)] {
        for scale in [1e-6, 1.0, 1e6] {
            let mut values = Array1::ones(200);
            values[199] = smallest;
            let matrix = Array2::from_diag(&values) * scale;
            let rows = KernelRows::training(matrix.view()).unwrap();
            let builder = Exact::new(Precomputed::new()).centered(false);
            let fitted = builder.fit_space(&rows).unwrap();
            let found = is_of_all_samples(fitted.space().raw_map());
            assert_eq!(found, is_of_all, "{smallest}, {scale}");
        }
    }
}

/// All samples map new ones if they are 8192 at most.
#[test]
fn many_samples_are_mapped_by_landmarks() {
    for (samples, is_of_all) in [(8192, true), (8193, false)] {
        let x = Array2::from_shape_fn((samples, 1), |(i, _)| (i % 2 + 1) as f64);
        let fitted = Exact::new(Linear::new()).fit_space(&x).unwrap();
        assert_eq!(is_of_all_samples(fitted.space().raw_map()), is_of_all);
    }
}

#[test]
fn landmarks_refuse_other_samples() {
    let nystrom = Nystrom::new(Gaussian::new(0.5), Pivoting::random(5));
    let fitted = nystrom.fit_space(&data::normal(30, 2, 1)).unwrap();
    let KernelMap::Landmarks(map) = fitted.space().raw_map() else {
        panic!("landmarks are few");
    };
    let wide = Rows::new(array![[1.0, 2.0, 3.0]]).unwrap();
    let (expected, found) = (2, 3);
    assert_eq!(
        map.check(&wide),
        Err(Error::ColumnCount { expected, found })
    );
}

/// The map whose feature is the number itself.
#[derive(Clone)]
struct Identity;

impl RawMap for Identity {
    type Samples = Rows<f64>;
    type Scalar = f64;

    fn dimension(&self) -> usize {
        1
    }

    fn check(&self, _: &Rows<f64>) -> Result<(), Error> {
        Ok(())
    }

    fn features(
        &self,
        x: &Rows<f64>,
        rows: &[usize],
        rest: bool,
    ) -> Result<RawFeatures<f64>, Error> {
        Ok(RawFeatures {
            values: Array2::from_shape_fn((rows.len(), 1), |(i, _)| x.get(rows[i])[0]),
            rest: rest.then(|| Array1::zeros(rows.len())),
        })
    }
}

/// A map of one's own makes a space: its coordinates are exact far from the origin, and its linear form does not enlarge rounding.
#[test]
fn a_map_of_ones_own() {
    let far = array![[1e8], [1e8 + 1.0], [1e8 + 2.0]];
    let fitted = Space::of_map(Identity, &far).unwrap();
    assert_eq!(fitted.rank(), 1);
    let near = Space::of_map(Identity, &array![[0.0], [1.0], [2.0]]).unwrap();
    let growth = near.space().linear_form().unwrap().growth().unwrap();
    assert!((growth - 1.0).abs() < 1e-12, "{growth}");
}

/// A space has no variance with one sample, or with samples that are all equally near to the landmark.
#[test]
fn nothing_varies() {
    let one = Exact::new(Gaussian::new(1.0)).rank(Rank::Components(1));
    let error = one.fit_space(&array![[1.0, 2.0]]).err();
    assert_eq!(error, Some(Error::NoVariance { samples: 1 }));
    let middle = Given(Rows::new(array![[0.0, 0.0]]).unwrap());
    let around = array![[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let error = Nystrom::new(Gaussian::new(1.0), middle)
        .fit_space(&around)
        .err();
    assert_eq!(error, Some(Error::NoVariance { samples: 4 }));
}

/// Dual coefficients of a cut space are written as an expansion by its axes: nothing of what was cut comes back.
#[test]
fn dual_coefficients_of_few_axes() {
    let x = data::normal(20, 6, 1);
    let fitted = Exact::new(Gaussian::new(0.5))
        .rank(Rank::Components(3))
        .fit_space(&x)
        .unwrap();
    let dual = data::normal(20, 1, 2);
    let weights = fitted.training_coordinates().t().dot(&dual);
    let offset = array![0.5];
    let space = fitted.space();
    let nothing = Array2::zeros((3, 1));
    let of_dual = space
        .expand_dual(weights.view(), dual.view(), nothing.view(), offset.view())
        .unwrap();
    let plain = space.expand(weights.view(), offset.view()).unwrap();
    let new = data::normal(9, 6, 4);
    let off = of_dual.evaluate(&new).unwrap() - plain.evaluate(&new).unwrap();
    assert!(off.iter().all(|d| d.abs() < 1e-12), "{off}");
}
