//! Fits to samples that come in parts, compared with fits to all samples at once.

use ndarray::{Array1, Array2, Axis, s};
use npt_core::{Items, SparseRows};
use npt_estimator::{Data, Error, Estimator, Model, PartialSums, Predictions, Sums, Targets};
use npt_model_file::{from_bytes, to_bytes};
use npt_testkit::data;

const GAUSSIAN: &str = "gaussian(gamma = 0.4) + 0.1 * linear";

/// Ninety samples of three features, and a smooth function of them.
fn samples() -> (Array2<f64>, Array1<f64>) {
    let x = data::normal(90, 3, 7);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[2]);
    (x, y)
}

fn labels(y: &Array1<f64>) -> Vec<&'static str> {
    let label = |&y: &f64| match y {
        y if y < -0.3 => "low",
        y if y < 0.3 => "middle",
        _ => "high",
    };
    y.iter().map(label).collect()
}

/// The targets that a method takes, of some of the samples.
fn targets(method: &str, x: &Array2<f64>, y: &Array1<f64>) -> Targets {
    match method.split('(').next().unwrap() {
        "kpca" => ().into(),
        "kfd" => labels(y).into(),
        "cca" => Data::from(x.mapv(|v| v * v)).into(),
        _ => ndarray::stack![Axis(1), *y, y.mapv(|v| v * v)].into(),
    }
}

fn begin(method: &str, space: &str, landmarks: &Array2<f64>) -> Sums {
    let estimator = Estimator::new(method, GAUSSIAN)
        .unwrap()
        .space(space)
        .unwrap();
    let first = Data::from(landmarks.clone());
    if method.starts_with("cca") {
        let second = Data::from(landmarks.mapv(|v| v * v));
        return estimator.sums_of_views(&first, &second).unwrap();
    }
    estimator.sums(&first).unwrap()
}

/// Sums of three parts, each as in a process of its own: sums without samples go there as bytes, and parts come back as bytes.
fn in_parts(method: &str, begun: &Sums, x: &Array2<f64>, y: &Array1<f64>) -> Sums {
    let sent = to_bytes(begun).unwrap();
    let mut all = begun.clone();
    for rows in [0..11, 11..60, 60..x.nrows()] {
        let mut there: Sums = from_bytes(&sent).unwrap();
        let (x, y) = (x.slice(s![rows.clone(), ..]), y.slice(s![rows]));
        // Each part is added in two blocks.
        for rows in [0..5, 5..x.nrows()] {
            let x = x.slice(s![rows.clone(), ..]).to_owned();
            let y = y.slice(s![rows]).to_owned();
            there
                .add(&Data::from(x.clone()), targets(method, &x, &y))
                .unwrap();
        }
        let back = to_bytes(&there.part().unwrap()).unwrap();
        all.merge(&from_bytes::<PartialSums>(&back).unwrap())
            .unwrap();
    }
    assert_eq!(all.count(), x.nrows());
    all
}

/// All answers of a model about samples; components keep their signs.
fn said(model: &Model, x: &Array2<f64>) -> Vec<Array2<f64>> {
    let data = Data::from(x.clone());
    let mut said = Vec::new();
    if let Ok(Predictions::Numbers(numbers)) = model.predict(&data) {
        said.push(numbers);
    }
    said.extend(model.decision_function(&data));
    said.extend(model.transform(&data));
    said.extend(model.transform_second(&Data::from(x.mapv(|v| v * v))));
    said
}

fn assert_close(found: &[Array2<f64>], expected: &[Array2<f64>], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(!found.is_empty(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let apart = (found - expected)
            .iter()
            .fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(apart <= tolerance * scale, "{what}: {apart:e} of {scale:e}");
    }
}

/// Turns each column the way that the expected column points: no training sample decides the signs of axes from sums.
fn same_signs(mut found: Array2<f64>, expected: &Array2<f64>) -> Array2<f64> {
    for (mut found, expected) in found.columns_mut().into_iter().zip(expected.columns()) {
        if found.dot(&expected) < 0.0 {
            found *= -1.0;
        }
    }
    found
}

const METHODS: [&str; 5] = [
    "ridge(penalty = 0.1)",
    "kpca(components = 3)",
    "pls(components = 4)",
    "kfd(ridge = 0.1)",
    "cca(components = 2, ridge = 0.1)",
];

/// Sums give the model of a fit to all samples, if all samples are landmarks.
#[test]
fn parts_are_the_whole() {
    let (x, y) = samples();
    for method in METHODS {
        let estimator = Estimator::new(method, GAUSSIAN).unwrap();
        let whole = estimator
            .fit(&Data::from(x.clone()), targets(method, &x, &y))
            .unwrap();
        let begun = begin(method, "exact", &x);
        let model = in_parts(method, &begun, &x, &y).fit().unwrap();
        let (found, expected) = (said(&model, &x), said(&whole, &x));
        let found: Vec<_> = found
            .into_iter()
            .zip(&expected)
            .map(|(found, expected)| same_signs(found, expected))
            .collect();
        // The scatter of the coordinates squares the effect of the kernel matrix's rounding on directions.
        assert_close(&found, &expected, 1e-6, method);
        let bytes = to_bytes(&model).unwrap();
        let read: Model = from_bytes(&bytes).unwrap();
        assert_eq!(said(&read, &x), said(&model, &x), "{method}");
    }
}

/// Parts give the model of one process, in every space.
#[test]
fn machines_are_one_process() {
    let (x, y) = samples();
    let landmarks = x.slice(s![..30, ..]).to_owned();
    for method in METHODS {
        for space in [
            "exact",
            "nystrom(landmarks = 12)",
            "nystrom(landmarks = 12, axes = \"principal\", centered = true)",
        ] {
            let begun = begin(method, space, &landmarks);
            let mut one = begun.clone();
            one.add(&Data::from(x.clone()), targets(method, &x, &y))
                .unwrap();
            let many = in_parts(method, &begun, &x, &y);
            let (one, many) = (one.fit().unwrap(), many.fit().unwrap());
            assert_close(&said(&many, &x), &said(&one, &x), 1e-9, method);
        }
    }
    let estimator = Estimator::new("ridge", "gaussian(gamma = 0.4)").unwrap();
    let estimator = estimator.space("random_fourier(frequencies = 20)").unwrap();
    let begun = estimator.sums(&Data::from(landmarks)).unwrap();
    let mut one = begun.clone();
    one.add(&Data::from(x.clone()), targets("ridge", &x, &y))
        .unwrap();
    let many = in_parts("ridge", &begun, &x, &y);
    assert_close(
        &said(&many.fit().unwrap(), &x),
        &said(&one.fit().unwrap(), &x),
        1e-10,
        "features",
    );
}

/// A sample of weight 2 counts twice, and a sample of weight 0 not at all.
#[test]
fn weights_are_repetitions() {
    let (x, y) = samples();
    let rows: Vec<usize> = (0..90).flat_map(|row| vec![row; row % 3]).collect();
    let weights: Array1<f32> = (0..90).map(|row| (row % 3) as f32).collect();
    for method in METHODS.iter().filter(|method| !method.starts_with("kfd")) {
        let begun = begin(method, "exact", &x.slice(s![..20, ..]).to_owned());
        let (mut weighted, mut repeated) = (begun.clone(), begun);
        let data = Data::from(x.clone()).with_weights(weights.clone());
        weighted.add(&data, targets(method, &x, &y)).unwrap();
        let (x, y) = (x.select(Axis(0), &rows), y.select(Axis(0), &rows));
        repeated
            .add(&Data::from(x.clone()), targets(method, &x, &y))
            .unwrap();
        let (weighted, repeated) = (weighted.fit().unwrap(), repeated.fit().unwrap());
        assert_close(&said(&weighted, &x), &said(&repeated, &x), 1e-7, method);
    }
}

/// Several penalties are compared by folds, which are the same however the samples come.
#[test]
fn penalties_are_chosen_in_one_pass() {
    let (x, y) = samples();
    let noise = data::normal(90, 1, 8).remove_axis(Axis(1));
    let y = y + noise * 0.3;
    let method = "ridge(penalty = [0.000001, 0.3, 100000])";
    let begun = begin(method, "exact", &x.slice(s![..40, ..]).to_owned());
    let chosen = in_parts(method, &begun, &x, &y).fit().unwrap();
    let alone = |penalty: &str| {
        let mut sums = begin(
            &format!("ridge(penalty = {penalty})"),
            "exact",
            &x.slice(s![..40, ..]).to_owned(),
        );
        sums.add(&Data::from(x.clone()), targets("ridge", &x, &y))
            .unwrap();
        sums.fit().unwrap()
    };
    assert_close(
        &said(&chosen, &x),
        &said(&alone("0.3"), &x),
        1e-9,
        "the penalty in the middle",
    );

    let one = begun.clone().folds(1).unwrap();
    let error = in_parts(method, &one, &x, &y).fit().unwrap_err();
    assert!(
        error.to_string().contains("number of folds of Ridge is 1"),
        "{error}"
    );
    assert_eq!(
        begun.clone().folds(0).unwrap_err(),
        Error::Folds { folds: 0 }
    );
    let mut begun = begun;
    begun
        .add(&Data::from(x.clone()), targets("ridge", &x, &y))
        .unwrap();
    assert_eq!(begun.folds(3).unwrap_err(), Error::Begun);
}

/// Samples may be texts, and a class may first come in any part.
#[test]
fn samples_are_of_any_type() {
    let words = [
        "banana", "bandana", "cabana", "sonata", "regatta", "cantata",
    ];
    let labels = ["b", "b", "b", "t", "t", "t"];
    let of = |words: &[&str]| {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Data::new(Items::<String>::new(words).unwrap())
    };
    let estimator = Estimator::new("kfd(ridge = 0.1)", "spectrum(length = 2)").unwrap();
    let begun = estimator.sums(&of(&words)).unwrap();
    let mut all = begun.clone();
    for (words, labels) in words.chunks(3).zip(labels.chunks(3)) {
        let mut part = begun.clone();
        part.add(&of(words), labels.to_vec()).unwrap();
        all.merge(&part.part().unwrap()).unwrap();
    }
    let model = all.fit().unwrap();
    let Predictions::Labels(found) = model.predict(&of(&words)).unwrap() else {
        panic!("labels")
    };
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, labels);
}

#[test]
fn sums_of_other_spaces_are_refused() {
    let (x, y) = samples();
    let part = |method: &str, kernel: &str, landmarks: usize| {
        let estimator = Estimator::new(method, kernel).unwrap();
        let mut sums = estimator
            .sums(&Data::from(x.slice(s![..landmarks, ..]).to_owned()))
            .unwrap();
        sums.add(&Data::from(x.clone()), targets(method, &x, &y))
            .unwrap();
        sums.part().unwrap()
    };
    let mut sums = begin("ridge", "exact", &x.slice(s![..10, ..]).to_owned());
    let expected = sums.fingerprint();
    for (what, other) in [
        (
            "another kernel",
            part("ridge", "gaussian(gamma = 0.40000001)", 10),
        ),
        ("other landmarks", part("ridge", GAUSSIAN, 11)),
        ("other folds", part("ridge(penalty = [1, 2])", GAUSSIAN, 10)),
        ("another method", part("kpca(components = 1)", GAUSSIAN, 10)),
    ] {
        let error = sums.merge(&other).unwrap_err();
        assert!(
            matches!(error, Error::OtherSums { expected: e, found } if e == expected && found != e),
            "{what}: {error}"
        );
        assert_eq!(sums.count(), 0, "{what}");
    }
    // Sums of another penalty are the same sums.
    sums.merge(&part("ridge(penalty = 3)", GAUSSIAN, 10))
        .unwrap();
    assert_eq!(sums.count(), 90);
}

#[test]
fn a_block_that_is_refused_changes_nothing() {
    let (x, y) = samples();
    let mut sums = begin("ridge", "exact", &x.slice(s![..10, ..]).to_owned());
    sums.add(&Data::from(x.clone()), targets("ridge", &x, &y))
        .unwrap();
    let before = sums.part().unwrap();
    let mut bad = x.clone();
    bad[[70, 1]] = f64::NAN;
    let error = sums
        .add(&Data::from(bad), targets("ridge", &x, &y))
        .unwrap_err();
    assert!(error.to_string().contains("70"), "{error}");
    for (data, targets) in [
        (x.clone(), labels(&y).into()),
        (x.clone(), Targets::from(())),
        (x.slice(s![..4, ..]).to_owned(), targets("ridge", &x, &y)),
        (x.slice(s![.., ..2]).to_owned(), targets("ridge", &x, &y)),
        // One target, not two.
        (x.clone(), y.clone().into()),
    ] {
        sums.add(&Data::from(data), targets).unwrap_err();
        assert_eq!(sums.part().unwrap(), before);
    }
    sums.add(
        &Data::from(Array2::<f64>::zeros((0, 3))),
        Array2::<f64>::zeros((0, 2)),
    )
    .unwrap();
    assert_eq!(sums.part().unwrap(), before);
}

#[test]
fn methods_without_sums_say_which_have_them() {
    let data = Data::from(samples().0);
    let sums = |method: &str| Estimator::new(method, GAUSSIAN).unwrap().sums(&data);
    let error = sums("svc").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a fit by sums takes ridge, kpca, pls, kfd and cca, not svc"
    );
    let error = sums("cca(components = 1)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cca takes landmarks of two views, not those of one"
    );
    let estimator = Estimator::new("ridge", GAUSSIAN).unwrap();
    let error = estimator.sums_of_views(&data, &data).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ridge takes landmarks of one view, not those of two"
    );
    let error = sums("ridge").unwrap().fit().unwrap_err();
    assert_eq!(error, npt_core::Error::NoSamples.into());
    let estimator = Estimator::new("kpca(components = 1)", GAUSSIAN).unwrap();
    let error = estimator
        .pre_image("fixed_point")
        .unwrap()
        .sums(&data)
        .unwrap_err();
    assert!(matches!(error, Error::Combination { .. }), "{error}");
}

/// Labels of another type are refused, in blocks and in parts.
#[test]
fn labels_are_of_one_type() {
    let (x, y) = samples();
    let data = Data::from(x.clone());
    let numbers: Vec<i64> = y.iter().map(|&y| i64::from(y > 0.0)).collect();
    let mut sums = begin(
        "kfd(ridge = 0.1)",
        "exact",
        &x.slice(s![..10, ..]).to_owned(),
    );
    let mut others = sums.clone();
    sums.add(&data, labels(&y)).unwrap();
    others.add(&data, numbers.clone()).unwrap();
    let before = sums.part().unwrap();
    let read: Sums = from_bytes(&to_bytes(&sums).unwrap()).unwrap();
    for mut sums in [sums, read] {
        let error = sums.add(&data, numbers.clone()).unwrap_err();
        assert!(matches!(error, Error::MixedLabels { .. }), "{error}");
        let error = sums.merge(&others.part().unwrap()).unwrap_err();
        assert!(matches!(error, Error::MixedLabels { .. }), "{error}");
        assert_eq!(sums.part().unwrap(), before);
        sums.fit().unwrap();
    }
}

/// Zeros that a sparse row writes out change nothing, not even its fold.
#[test]
fn folds_are_those_of_the_values() {
    let entries = |zeros: bool| {
        let mut rows = sprs::TriMat::new((40, 6));
        for row in 0..40 {
            rows.add_triplet(row, row % 6, (row as f64).sin());
            if zeros {
                rows.add_triplet(row, (row + 1) % 6, 0.0);
            }
        }
        Data::new(SparseRows::new(&rows.to_csr::<usize>()).unwrap())
    };
    let y: Array1<f64> = (0..40).map(|row| f64::from(row).cos()).collect();
    let estimator = Estimator::new("ridge(penalty = [0.1, 1])", "gaussian(gamma = 0.4)").unwrap();
    let [with, without] = [true, false].map(|zeros| {
        let mut sums = estimator.sums(&entries(false)).unwrap();
        sums.add(&entries(zeros), y.clone()).unwrap();
        sums.part().unwrap()
    });
    assert_eq!(with, without);
}

/// A part has half of the scatter, and does not have the space.
#[test]
fn parts_are_small() {
    let x = data::normal(300, 3, 9);
    let mut sums = begin("kpca(components = 2)", "exact", &x);
    sums.add(&Data::from(x.clone()), ()).unwrap();
    let rank = sums.rank();
    let bytes = to_bytes(&sums.part().unwrap()).unwrap().len();
    assert!(
        rank > 150 && bytes < 4 * rank * rank + 12 * rank + 1000,
        "{bytes} bytes at rank {rank}"
    );
}

/// Sums can be fitted with other parameters of the method, without other sums.
#[test]
fn sums_are_fitted_anew() {
    let (x, y) = samples();
    let landmarks = x.slice(s![..20, ..]).to_owned();
    let mut sums = begin("ridge(penalty = 1)", "exact", &landmarks);
    let mut others = begin("ridge(penalty = 0.01)", "exact", &landmarks);
    for sums in [&mut sums, &mut others] {
        sums.add(&Data::from(x.clone()), targets("ridge", &x, &y))
            .unwrap();
    }
    let model = sums.fit_with([("penalty", 0.01)]).unwrap();
    assert_eq!(said(&model, &x), said(&others.fit().unwrap(), &x));
    assert_ne!(said(&model, &x), said(&sums.fit().unwrap(), &x));
    for name in ["kernel.first.gamma", "space.landmarks", "balanced"] {
        let error = sums.fit_with([(name, 1.0)]).unwrap_err();
        assert!(matches!(error, Error::Combination { .. }), "{error}");
    }
}
