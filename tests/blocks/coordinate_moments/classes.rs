//! Tests moments of coordinates by classes.

use super::{apart, largest_eigenvalue};
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Axis, array, s};
use npt::{
    Given,
    methods::{
        linear::{Lda, Scatter},
        streaming::{ClassMoments, CoordinateMoments, FitMoments},
    },
    model_file::{from_bytes, to_bytes},
    prelude::*,
};
use npt_testkit::data;

/// Moments by classes are those of all coordinates at once, and so are the discriminants.
#[test]
fn of_classes() {
    let x = data::normal(600, 3, 1);
    let side = |row: ndarray::ArrayView1<'_, f64>| {
        usize::from(row[0] > 0.0) + 3 * usize::from(row[1] > 1.0)
    };
    let labels = x.map_axis(Axis(1), side);
    let builder = Nystrom::new(Gaussian::new(0.3), Pivoting::random(20));
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let y = space.coordinates(&x).unwrap();
    let weights = Array1::from_shape_fn(600, |i| (i % 3) as f32);
    for weights in [Array1::zeros(0), weights] {
        let mut sums = CoordinateMoments::with_class_scatters(&space).unwrap();
        for rows in [0..250, 250..250, 250..600] {
            let part = DatasetBase::new(
                x.slice(s![rows.clone(), ..]).to_owned(),
                labels.slice(s![rows.clone()]).to_owned(),
            );
            let weights = weights.iter().skip(rows.start).take(rows.len()).copied();
            sums.add(&part.with_weights(weights.collect())).unwrap();
        }
        let found = sums.into_moments().unwrap();
        let mut expected: ClassMoments<usize> = ClassMoments::with_class_scatters(space.rank());
        let all = DatasetBase::new(y.clone(), labels.clone()).with_weights(weights);
        expected.add(&all).unwrap();
        assert!(found.rounding() > 0.0);
        assert_eq!((found.count(), found.weight()), (600, expected.weight()));
        let unit = largest_eigenvalue(expected.within_scatter());
        let off = apart(found.within_scatter(), expected.within_scatter());
        assert!(off <= found.rounding() * unit, "{off:e} of {unit:e}");
        let linear = (found.rounding() * f64::EPSILON).sqrt();
        let linear = linear.max(600.0 * f64::EPSILON);
        for class in expected.classes() {
            assert_eq!(found.class_count(class), expected.class_count(class));
            let (mean, other) = (found.class_mean(class), expected.class_mean(class));
            let off = &mean.unwrap() - &other.unwrap();
            assert!(off.iter().all(|d| d.abs() <= linear));
            let [a, b] = [&found, &expected].map(|m| m.class_scatter(class).unwrap());
            assert!(apart(a, b) <= found.rounding() * unit);
        }
        let kinds = [Scatter::Between, Scatter::Total];
        for (scatter, balanced) in kinds.into_iter().flat_map(|s| [(s, false), (s, true)]) {
            let params = Lda::params().ridge(0.1).scatter(scatter);
            let params = params.balanced(balanced);
            let found: Lda<f64, usize> = params.fit_moments(&found).unwrap();
            let expected: Lda<f64, usize> = params.fit(&all).unwrap();
            let off = &found.eigenvalues() / &expected.eigenvalues() - 1.0;
            assert!(off.iter().all(|d: &f64| d.abs() < 1e-9), "{off}");
        }
    }
}

/// Scatters within classes can be kept where they are not the difference of larger sums. Each class here is two samples on both sides of 0,
/// and the even axes do not tell them apart. So the scatters along the even axes are rounding, and no more accurate than the scatter of all.
#[test]
fn scatters_within_classes_are_kept() {
    let x = array![[-2.5], [-1.5], [-0.5], [0.5], [1.5], [2.5]];
    let builder = Nystrom::new(Gaussian::new(0.5), Given(Rows::new(x.clone()).unwrap()));
    let builder = builder.centered(false);
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let (near, far) = ([-0.7, 0.7], [-1.6, 1.6]);
    let rows = (0..200).map(|i| [near, far][i % 2][i / 2 % 2]);
    let rows = rows.collect::<Array1<f64>>().insert_axis(Axis(1));
    let block = Dataset::new(rows, (0..200).map(|i| i % 2).collect::<Array1<usize>>());
    let mut sums = CoordinateMoments::with_class_scatters(&space).unwrap();
    sums.add(&block).unwrap();
    let moments = sums.into_moments().unwrap();
    assert!(moments.rounding() > 0.0);
    let within = moments.within_scatter().diag().to_owned();
    assert!(within.iter().any(|v| v.abs() < 1e-14 * within.sum()));
    let kept: ClassMoments<usize> = from_bytes(&to_bytes(&moments).unwrap()).unwrap();
    assert_eq!(kept, moments);
}
