//! Tests methods on moments of classes, of folds, and on few rows with the same moments.

use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, Ix1, Ix2, s};
use npt::{
    KernelizedModel,
    methods::{
        linear::{Cca, Lda, Pls, Ridge, Scatter},
        streaming::{ClassMoments, FitMoments, Moments},
    },
    prelude::*,
};
use npt_testkit::data;

fn near(found: &Array2<f64>, expected: &Array2<f64>, relative: f64) {
    assert_eq!(found.dim(), expected.dim());
    let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (found - expected).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(off <= relative * scale, "{off:e} of {scale:e}");
}

/// Samples of three classes that overlap, of different sizes, far from the origin.
fn classes(rows: usize) -> Dataset<f64, usize, Ix1> {
    let mut x = data::normal(rows, 5, 1) + 20.0;
    let labels = Array1::from_shape_fn(rows, |i| [0, 0, 2, 7, 0, 2][i % 6]);
    for (mut row, &label) in x.outer_iter_mut().zip(&labels) {
        row[label % 5] += 2.0;
    }
    Dataset::new(x, labels)
}

fn class_moments(
    data: &Dataset<f64, usize, Ix1>,
    size: usize,
    empty: &ClassMoments<usize>,
) -> Vec<ClassMoments<usize>> {
    let blocks = data.records.axis_chunks_iter(Axis(0), size);
    let blocks = blocks.zip(data.targets.axis_chunks_iter(Axis(0), size));
    let moments = blocks.map(|(x, labels)| {
        let mut moments = empty.clone();
        moments
            .add(&Dataset::new(x.to_owned(), labels.to_owned()))
            .unwrap();
        moments
    });
    moments.collect()
}

/// Moments of classes have the values of their definition, whatever the blocks and their order.
#[test]
fn class_moments_are_their_definition() {
    let data = classes(600);
    let kinds = [ClassMoments::new(5), ClassMoments::with_class_scatters(5)];
    for (size, empty) in [600, 1, 47]
        .into_iter()
        .flat_map(|s| kinds.iter().map(move |e| (s, e)))
    {
        let mut parts = class_moments(&data, size, empty);
        parts.reverse();
        let mut found = empty.clone();
        for part in &parts {
            found.merge(part).unwrap();
        }
        assert_eq!((found.count(), found.classes().len()), (600, 3));
        let mut within = Array2::zeros((5, 5));
        for (label, count) in [(0, 300), (2, 200), (7, 100)] {
            let rows: Vec<usize> = (0..600).filter(|&i| data.targets[i] == label).collect();
            let mut of_class = data.records.select(Axis(0), &rows);
            let mean = of_class.mean_axis(Axis(0)).unwrap();
            of_class -= &mean;
            let scatter = of_class.t().dot(&of_class);
            within += &scatter;
            match found.class_scatter(&label) {
                Some(found) => near(&found.to_owned(), &scatter, 1e-13),
                None => assert!(!empty.has_class_scatters()),
            }
            assert_eq!(found.class_count(&label), count);
            let off = &found.class_mean(&label).unwrap() - &mean;
            assert!(off.iter().all(|d| d.abs() < 1e-12));
        }
        near(&found.within_scatter().to_owned(), &within, 1e-13);
        assert_eq!((found.class_count(&1), found.class_mean(&1)), (0, None));
        assert_eq!(found.class_scatter(&1), None);
    }
}

#[test]
fn discriminants_from_moments() {
    let data = classes(600);
    let new = data::normal(50, 5, 2) + 20.5;
    let mut moments = ClassMoments::with_class_scatters(5);
    let parts = class_moments(&data, 100, &moments);
    for part in &parts {
        moments.merge(part).unwrap();
    }
    let kinds = [Scatter::Between, Scatter::Total];
    for (scatter, balanced) in kinds.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        let lda = Lda::params().ridge(0.1).scatter(scatter);
        let lda = lda.balanced(balanced);
        let found: Lda<f64, usize> = lda.fit_moments(&moments).unwrap();
        let expected: Lda<f64, usize> = lda.fit(&data).unwrap();
        let off = &found.eigenvalues() / &expected.eigenvalues() - 1.0;
        assert!(off.iter().all(|d| d.abs() < 1e-11));
        near(
            &found.transform(new.clone()),
            &expected.transform(new.clone()),
            1e-10,
        );
        assert_eq!(found.predict(&new), expected.predict(&new));
        assert_eq!(found.classes(), expected.classes());
    }
}

/// Kernel discriminants are fitted to the blocks of a stream.
#[test]
fn kernel_discriminants_from_blocks() {
    let (data, new) = (classes(600), data::normal(50, 5, 2) + 20.5);
    let builder = || {
        let landmarks = Nystrom::new(Gaussian::new(0.05), Pivoting::random(40));
        landmarks.axes(Axes::Cholesky)
    };
    let space = builder().fit_space(&data.records).unwrap().into_parts().0;
    let mut moments = ClassMoments::new(space.rank());
    for start in (0..600).step_by(90) {
        let rows = start..(start + 90).min(600);
        let coordinates = space
            .coordinates(&data.records.slice(s![rows.clone(), ..]))
            .unwrap();
        let labels = data.targets.slice(s![rows]).to_owned();
        moments.add(&Dataset::new(coordinates, labels)).unwrap();
    }
    let lda: Lda<f64, usize> = Lda::params().ridge(0.01).fit_moments(&moments).unwrap();
    let streamed: Array2<f64> = KernelizedModel::new(lda, space)
        .expand()
        .unwrap()
        .transform(new.clone());
    let kfd = Kfd::params(Gaussian::new(0.05))
        .method(|m| m.ridge(0.01))
        .space(|_| builder());
    let expected: Array2<f64> = kfd.fit(&data).unwrap().transform(new);
    near(&streamed, &expected, 1e-9);
}

fn two_targets(x: &Array2<f64>) -> Array2<f64> {
    let columns = [x.column(0).mapv(f64::sin), &x.column(1) * &x.column(0)];
    ndarray::stack(Axis(1), &[columns[0].view(), columns[1].view()]).expect("of one length")
}

fn moments(x: &Array2<f64>, t: &Array2<f64>) -> Moments<Ix2> {
    let mut moments = Moments::of_targets(x.ncols(), t.ncols());
    moments.add(&Dataset::new(x.clone(), t.clone())).unwrap();
    moments
}

/// A few rows have the means and scatters of all: for more rows than columns and for fewer, for columns that
/// depend on each other, for columns that differ in size, and for one row.
#[test]
fn few_rows_have_the_same_moments() {
    let mut uneven = data::normal(80, 4, 1);
    uneven.column_mut(2).mapv_inplace(|v| 1e8 * v);
    let sets = [
        data::normal(300, 4, 1) + 5.0,
        data::normal(3, 6, 2),
        data::low_rank(50, 6, 2, 3),
        uneven,
        data::normal(1, 3, 4),
        Array2::ones((20, 2)),
    ];
    for x in sets {
        let t = two_targets(&x);
        let all = moments(&x, &t);
        let few: DatasetBase<Array2<f64>, Array2<f64>> = all.condensed().unwrap();
        assert!(few.records.nrows() <= x.ncols() + 3);
        let found = moments(&few.records, &few.targets);
        let roots = all.scatter().diag().mapv(f64::sqrt);
        for (i, j) in ndarray::indices((x.ncols(), x.ncols())) {
            let off = (found.scatter()[[i, j]] - all.scatter()[[i, j]]).abs();
            assert!(off <= 1e-12 * (roots[i] * roots[j]) + 1e-25, "{off:e}");
        }
        near(
            &found.cross_scatter().to_owned(),
            &all.cross_scatter().to_owned(),
            1e-11,
        );
        near(
            &found.target_scatter().to_owned(),
            &all.target_scatter().to_owned(),
            1e-11,
        );
        let off = &found.mean() - &all.mean();
        let size = &all.mean().mapv(f64::abs) + &roots;
        assert!(
            off.iter()
                .zip(&size)
                .all(|(d, size)| d.abs() <= 1e-13 * size)
        );
    }
}

#[test]
fn methods_on_few_rows() {
    let x = data::normal(300, 5, 1) * 2.0 + 3.0;
    let t = two_targets(&x);
    let (all, new) = (moments(&x, &t), data::normal(20, 5, 2));
    let data = Dataset::new(x, t);
    let pls = Pls::params(3);
    let found: Pls<f64, Ix2> = pls.fit_moments(&all).unwrap();
    let expected = pls.fit(&data).unwrap();
    near(&found.predict(&new), &expected.predict(&new), 1e-9);
    let [a, b]: [Array2<f64>; 2] = [
        found.transform(new.clone()),
        expected.transform(new.clone()),
    ];
    near(&a.mapv(f64::abs), &b.mapv(f64::abs), 1e-8);

    // This method is linfa's, which knows nothing of moments.
    let first = data.targets.column(0).to_owned();
    let mut of_first = Moments::new(5);
    of_first
        .add(&Dataset::new(data.records.clone(), first.clone()))
        .unwrap();
    let found = LinearRegression::new()
        .fit(&of_first.condensed().unwrap())
        .unwrap();
    let line = LinearRegression::new()
        .fit(&Dataset::new(data.records.clone(), first))
        .unwrap();
    let [a, b]: [Array1<f64>; 2] = [found.predict(&new), line.predict(&new)];
    near(&a.insert_axis(Axis(1)), &b.insert_axis(Axis(1)), 1e-10);

    let cca = Cca::params(2).ridge(0.01);
    let found: Cca<f64> = cca.fit_moments(&all).unwrap();
    let expected = cca.fit(&data).unwrap();
    let off = &found.correlations() - &expected.correlations();
    assert!(off.iter().all(|d| d.abs() < 1e-10));
    let views = [
        (found.first(), expected.first()),
        (found.second(), expected.second()),
    ];
    for (a, b) in views {
        near(&a.axes().mapv(f64::abs), &b.axes().mapv(f64::abs), 1e-8);
    }
}

/// Moments of folds choose, among several penalties, the one with the smallest error when each fold is predicted from the others; the fit
/// with this penalty is the fit to all.
#[test]
fn folds_choose_the_penalty() {
    let x = data::normal(120, 20, 1);
    let noise = data::normal(120, 1, 2);
    let t = x.column(0).to_owned() + noise.column(0).mapv(|v| 2.0 * v);
    let penalties = [1e-3, 1.0, 30.0, 1e4];
    let fold = |k: usize| (0..120).filter(move |i| i % 4 == k).collect::<Vec<usize>>();
    let select = |rows: &[usize]| Dataset::new(x.select(Axis(0), rows), t.select(Axis(0), rows));
    let folds: Vec<Moments> = (0..4)
        .map(|k| {
            let mut moments = Moments::new(20);
            moments.add(&select(&fold(k))).unwrap();
            moments
        })
        .collect();
    let errors = penalties.map(|penalty| {
        let of_fold = |k: usize| {
            let others: Vec<usize> = (0..120).filter(|i| i % 4 != k).collect();
            let ridge = Ridge::params()
                .penalty(penalty)
                .fit(&select(&others))
                .unwrap();
            let held_out = select(&fold(k));
            let off: Array1<f64> = ridge.predict(&held_out.records) - &held_out.targets;
            off.dot(&off)
        };
        (0..4).map(of_fold).sum::<f64>()
    });
    let best = (0..4)
        .min_by(|&i, &j| errors[i].total_cmp(&errors[j]))
        .unwrap();
    assert_eq!(best, 2);
    let found: Ridge<f64> = Ridge::params()
        .penalties(&penalties)
        .fit_moments(&folds[..])
        .unwrap();
    assert_eq!(found.penalty(), penalties[best]);
    let expected = Ridge::params()
        .penalty(penalties[best])
        .fit(&Dataset::new(x.clone(), t))
        .unwrap();
    near(
        &found.weights().to_owned(),
        &expected.weights().to_owned(),
        1e-11,
    );
}
