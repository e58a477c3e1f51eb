//! Tests with so many classes that each support vector has a coefficient for each other class, not for each pair of classes.

use super::normal;
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis};
use npt_core::{Classifier, ExpansionModel, Gaussian, Rows, Scalar};
use npt_methods::{
    KernelCalibratedSvc, KernelSvc,
    linear::{CalibratedSvc, MulticlassSvc, Strategy},
};

/// Makes classes that overlap: each has a centre, and `members` samples around it.
fn overlapping<F: Scalar>(classes: usize, members: usize) -> Dataset<F, usize, ndarray::Ix1> {
    let centers = normal(classes, 3, 5) * 1.5;
    let around = normal(classes * members, 3, 6) * 0.5;
    // The samples are not in the order of the classes.
    let class = |i: usize| (i * 7) % classes;
    let x = Array2::from_shape_fn((classes * members, 3), |(i, j)| {
        F::cast(around[[i, j]] + centers[[class(i), j]])
    });
    Dataset::new(x, Array1::from_shape_fn(classes * members, class))
}

/// Returns the class with most votes, of these with the largest sum, of these the first, counted from the decision values.
fn by_votes<F: Scalar>(
    pairs: &[(usize, usize)],
    classes: usize,
    values: &Array2<F>,
) -> Array1<usize> {
    values.map_axis(Axis(1), |values| {
        let (mut votes, mut sums) = (vec![0; classes], vec![F::zero(); classes]);
        for (&(a, b), &value) in pairs.iter().zip(values) {
            votes[if value >= F::zero() { a } else { b }] += 1;
            sums[a] += value;
            sums[b] -= value;
        }
        let better = |a: usize, b: usize| (votes[a], sums[a]) > (votes[b], sums[b]);
        (1..classes).fold(
            0,
            |best, class| if better(class, best) { class } else { best },
        )
    })
}

/// Asserts that each function is that of a machine of two classes, trained on these two alone.
fn assert_machines<F: Scalar>(weighs: bool, tolerance: f64) {
    let classes = 18;
    let mut data = overlapping::<F>(classes, 6);
    if weighs {
        let weights = (0_u8..108).map(|i| f32::from(i % 4) * 0.5);
        data.weights = weights.collect();
    }
    let new = overlapping::<F>(classes, 3).records * F::cast(1.1);
    let gaussian = || Gaussian::new(F::cast(0.5));
    let model: ExpansionModel<MulticlassSvc<F, usize>, Rows<F>, Gaussian<F>, F> =
        KernelSvc::params(gaussian())
            .method(|m| m.c(2.0).tolerance(1e-6))
            .fit(&data)
            .unwrap();
    let svc = model.inner();
    let own = svc.pair_coefficients().expect("more than 16 classes");
    let support = svc.support().unwrap();
    assert_eq!(own.dim(), (support.len(), classes - 1));
    assert!(support.is_sorted());
    assert_eq!(svc.weights().dim(), (0, classes * (classes - 1) / 2));
    // The samples of the expansion are the support vectors of each class, in the order of the classes.
    let mut grouped = support.to_vec();
    grouped.sort_by_key(|&row| (data.targets[row], row));
    assert_eq!(
        model.expansion().samples().view(),
        data.records.select(Axis(0), &grouped)
    );
    let values = model.decision_function(&new).unwrap();
    let pairs = svc.pairs();
    for (m, &(a, b)) in pairs.iter().enumerate() {
        let rows: Vec<usize> = (0..data.targets.len())
            .filter(|&i| [a, b].contains(&data.targets[i]))
            .collect();
        let sides = data.targets.select(Axis(0), &rows).mapv(|class| class == a);
        let mut two = DatasetBase::new(data.records.select(Axis(0), &rows), sides);
        if weighs {
            two.weights = rows.iter().map(|&row| data.weights[row]).collect();
        }
        let alone = KernelSvc::params(gaussian()).method(|m| m.c(2.0).tolerance(1e-6));
        let alone = alone.fit(&two).unwrap().decision_function(&new).unwrap();
        for (value, alone) in values.column(m).iter().zip(&alone) {
            let off = (*value - *alone).as_f64().abs();
            assert!(off < tolerance, "{a} against {b}: {off:e}");
        }
        // The coefficients of a pair are the dual of its machine: they sum to 0, and samples of other classes have none.
        let of_pair: f64 = grouped
            .iter()
            .zip(own.outer_iter())
            .map(|(&row, own)| match data.targets[row] {
                class if class == a => own[b - 1].as_f64(),
                class if class == b => own[a].as_f64(),
                _ => 0.0,
            })
            .sum();
        assert!(of_pair.abs() < tolerance, "{of_pair:e}");
    }
    let predicted: Array1<usize> = model.predict(&new);
    assert_eq!(predicted, by_votes(&pairs, classes, &values));
}

#[test]
fn each_function_is_that_of_two_classes() {
    // The tolerance is twice the error at which the solvers may end.
    assert_machines::<f64>(false, 1e-5);
    assert_machines::<f64>(true, 1e-5);
    assert_machines::<f32>(false, 1e-4);
}

/// A model that is fitted to coordinates has a column per function, whatever the number of classes.
#[test]
fn by_coordinates_as_by_kernel_values() {
    let data = overlapping::<f64>(20, 5);
    let new = overlapping::<f64>(20, 2).records;
    let params = KernelSvc::params(Gaussian::new(0.3)).method(|m| m.tolerance(1e-9));
    let model = params.fit(&data).unwrap();
    let whole = params.by_coordinates().fit(&data).unwrap();
    let values = model.decision_function(&new).unwrap();
    let off = (&values - &whole.decision_function(&new).unwrap()).mapv(f64::abs);
    assert!(off.iter().all(|&off| off < 1e-7));
    let expanded = whole.expand().unwrap();
    assert_eq!(expanded.inner().weights().dim(), (0, 190));
    let off = (&values - &expanded.decision_function(&new).unwrap()).mapv(f64::abs);
    assert!(off.iter().all(|&off| off < 1e-7));
    let predicted: [Array1<usize>; 3] = [
        model.predict(&new),
        whole.predict(&new),
        expanded.predict(&new),
    ];
    assert!(predicted.iter().all(|p| p == predicted[0]));
}

#[test]
fn probabilities_are_those_of_a_column_a_pair() {
    let data = overlapping::<f64>(17, 8);
    let new = overlapping::<f64>(17, 2).records;
    let params = KernelCalibratedSvc::params(Gaussian::new(0.3));
    let params = params.method(|m| m.folds(2).tolerance(1e-9));
    let model = params.fit(&data).unwrap();
    assert_eq!(model.inner().svc().pair_coefficients().unwrap().ncols(), 16);
    let p = model.predict_probabilities(&new).unwrap();
    assert!(
        p.sum_axis(Axis(1))
            .iter()
            .all(|sum| (sum - 1.0).abs() < 1e-12)
    );
    let expanded: ExpansionModel<CalibratedSvc<f64, usize>, _, _> = params
        .by_coordinates()
        .fit(&data)
        .unwrap()
        .expand()
        .unwrap();
    let other = expanded.predict_probabilities(&new).unwrap();
    let off = (&p - &other).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-6, "{off:e}");
}

/// A thousand classes with a column per pair would take 20 GB for 5000 samples.
#[test]
fn a_thousand_classes() {
    let x = Array2::from_shape_fn((5000, 2), |(i, j)| {
        let class = i % 1000;
        let center = [class % 40, class / 40][j];
        center as f64 * 4.0 + ((i / 1000 * 2 + j) as f64 * 0.618).fract()
    });
    let data = Dataset::new(x, Array1::from_shape_fn(5000, |i| i % 1000));
    let model = KernelSvc::params(Gaussian::new(0.5)).fit(&data).unwrap();
    let svc = model.inner();
    let support = svc.support().unwrap().len();
    assert_eq!(svc.pair_coefficients().unwrap().dim(), (support, 999));
    assert!(
        svc.support_counts()
            .unwrap()
            .iter()
            .all(|&count| count >= 2)
    );
    let some: Vec<usize> = (0..5000).step_by(10).collect();
    let new = data.records.select(Axis(0), &some);
    let predicted: Array1<usize> = model.predict(&new);
    assert_eq!(predicted, data.targets.select(Axis(0), &some));
    let two = model
        .decision_function(&new.slice(ndarray::s![..2, ..]).to_owned())
        .unwrap();
    assert_eq!(two.dim(), (2, 499_500));
}

#[test]
fn one_against_the_rest_has_a_column_a_class() {
    let data = overlapping::<f64>(130, 3);
    let params = KernelSvc::params(Gaussian::new(0.5));
    let params = params.method(|m| m.strategy(Strategy::OneAgainstRest));
    let model = params.fit(&data).unwrap();
    assert_eq!(model.expansion().coefficients().ncols(), 130);
    assert_eq!(model.inner().weights().dim(), (0, 130));
    let values = model.decision_function(&data.records).unwrap();
    let largest = values.map_axis(Axis(1), |values| {
        (1..130).fold(0, |best, class| {
            if values[class] > values[best] {
                class
            } else {
                best
            }
        })
    });
    let predicted: Array1<usize> = model.predict(&data);
    assert_eq!(predicted, largest);
    assert_eq!(Classifier::classes(model.inner()).len(), 130);
}
