//! Samples that are no dense vectors.

use super::{labels, matrix, new_matrix, positions, texts};
use ndarray::{Array1, array};
use npt_core::{
    Exact, Gaussian, Items, Kernel, KernelRows, KernelSpace, Rows, SpaceBuilder, Spectrum,
    catalogue::{Entry, Range},
};
use npt_estimator::{Data, Error, Estimator, Learned, Model, TextGraph, add_kernel, precompute};
use std::{collections::BTreeSet, sync::Arc};

/// Fits, saves and loads a model; returns the loaded model, whose decision values must be the same.
fn round_trip(method: &str, kernel: &str, data: &Data, labels: Vec<&str>) -> Model {
    let model = Estimator::new(method, kernel)
        .unwrap()
        .fit(data, labels)
        .unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    model.save(file.path()).unwrap();
    let loaded = Model::load(file.path()).unwrap();
    assert_eq!(
        loaded.decision_function(data).unwrap(),
        model.decision_function(data).unwrap()
    );
    loaded
}

fn words() -> Items<String> {
    let words = ["banana", "bandana", "ananas", "kernel", "colonel", "kennel"];
    Items::new(words.map(str::to_owned).to_vec()).unwrap()
}

const SIDES: [&str; 6] = ["fruit", "fruit", "fruit", "other", "other", "other"];

#[test]
fn words_and_what_they_are_made_of() {
    let model = round_trip(
        "svc(c = 10)",
        "normalized(spectrum(length = 2))",
        &Data::new(words()),
        SIDES.to_vec(),
    );
    let new = Items::new(vec!["canal".to_owned(), "kerosene".to_owned()]).unwrap();
    let predicted = model.predict(&Data::new(new)).unwrap();
    assert_eq!(
        predicted.labels().unwrap(),
        ["fruit".into(), "other".into()]
    );
    assert!(
        model.to_string().contains("fitted to     6 texts"),
        "{model}"
    );

    let letters = |word: &String| word.chars().map(String::from).collect::<BTreeSet<String>>();
    let sets = Items::new(words().as_slice().iter().map(letters).collect()).unwrap();
    round_trip("svc(c = 10)", "jaccard", &Data::new(sets), SIDES.to_vec());

    let path = |word: &String| {
        let mut graph = TextGraph::new_undirected();
        let vertices: Vec<_> = word
            .chars()
            .map(|c| graph.add_node(c.to_string()))
            .collect();
        for pair in vertices.windows(2) {
            graph.add_edge(pair[0], pair[1], String::new());
        }
        graph
    };
    let graphs = Items::new(words().as_slice().iter().map(path).collect()).unwrap();
    round_trip(
        "svc(c = 10)",
        "weisfeiler_lehman(iterations = 1)",
        &Data::new(graphs),
        SIDES.to_vec(),
    );
}

#[test]
fn values_of_words_are_those_of_the_typed_kernel() {
    let estimator = Estimator::new("kpca(components = 2)", "spectrum(length = 2)").unwrap();
    let model = estimator.fit(&Data::new(words()), ()).unwrap();
    let space = Exact::new(Spectrum::new(2)).fit_space(&words()).unwrap();
    let expected = space.coordinates(&words()).unwrap();
    let scores = model.transform(&Data::new(words())).unwrap();
    for (score, expected) in scores.iter().zip(expected.slice(ndarray::s![.., ..2])) {
        assert!((score.abs() - expected.abs()).abs() < 1e-12);
    }
}

/// A machine that is solved so closely that its values do not depend on the way to the solution.
const SOLVED: &str = "svc(tolerance = 1e-10)";

#[test]
fn precomputed_values_and_sparse_vectors_give_what_dense_vectors_do() {
    let (x, new) = (
        Rows::new(matrix()).unwrap(),
        Rows::new(new_matrix()).unwrap(),
    );
    let dense = Estimator::new(SOLVED, "gaussian(gamma = 0.5)").unwrap();
    let dense = dense.fit(&Data::from(matrix()), labels(2)).unwrap();
    let expected = dense.decision_function(&Data::from(new_matrix())).unwrap();
    // Each machine is solved to 10⁻¹⁰ in units of the margin.
    let close = |values: &ndarray::Array2<f64>| {
        assert!(
            (values - &expected).iter().all(|d| d.abs() < 1e-8),
            "{values} {expected}"
        );
    };

    let kernel = Gaussian::new(0.5);
    let gram = KernelRows::training(kernel.gram(&x).view()).unwrap();
    let precomputed = Estimator::new(SOLVED, "precomputed").unwrap();
    let precomputed = precomputed.fit(&Data::new(gram), labels(2)).unwrap();
    let cross = KernelRows::new_samples(kernel.cross(&new, &x).view()).unwrap();
    close(&precomputed.decision_function(&Data::new(cross)).unwrap());

    let sparse = |matrix: &ndarray::Array2<f64>| {
        let mut entries = sprs::TriMat::new(matrix.dim());
        for ((i, j), &value) in matrix.indexed_iter() {
            entries.add_triplet(i, j, value);
        }
        Data::new(npt_core::SparseRows::new(&entries.to_csr()).unwrap())
    };
    let model = Estimator::new(SOLVED, "gaussian(gamma = 0.5)").unwrap();
    let model = model.fit(&sparse(&matrix()), labels(2)).unwrap();
    close(&model.decision_function(&sparse(&new_matrix())).unwrap());
    assert_eq!(
        model.predict(&sparse(&new_matrix())).unwrap(),
        dense.predict(&Data::from(new_matrix())).unwrap()
    );
}

#[test]
fn samples_of_another_type_are_refused() {
    let model = Estimator::new("svc", "spectrum(length = 2)").unwrap();
    let error = model.fit(&Data::from(matrix()), labels(2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "spectrum(length = 2) is no kernel on dense vectors, but on texts"
    );
    let model = model.fit(&Data::new(words()), SIDES.to_vec()).unwrap();
    let error = model.predict(&Data::from(array![[1.0]])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the new samples are dense vectors; the training samples were texts"
    );
    let scaled = Estimator::new("svc", "spectrum(length = 2)")
        .unwrap()
        .transformer("standard_scaler")
        .unwrap();
    let error = scaled.fit(&Data::new(words()), SIDES.to_vec()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "standard_scaler takes dense vectors, not texts"
    );
    assert!(matches!(error, Error::DenseVectors { .. }));
    let features = Estimator::new("svc", "gaussian(gamma = 0.5)").unwrap();
    let features = features.space("random_fourier(frequencies = 8)").unwrap();
    let mut one = sprs::TriMat::new((2, 2));
    one.add_triplet(0, 1, 1.0);
    let sparse = npt_core::SparseRows::new(&one.to_csr()).unwrap();
    let error = features
        .fit(&Data::new(sparse), vec![true, false])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "random_fourier takes dense vectors, not sparse vectors"
    );
}

#[test]
fn labels_are_words_numbers_or_yes_and_no() {
    let estimator = Estimator::new("svc", "gaussian(gamma = 0.5)").unwrap();
    let data = Data::from(matrix());
    let by_number = estimator.fit(&data, labels(3)).unwrap();
    let by_word = estimator.fit(&data, texts(&positions(3))).unwrap();
    let values = |model: &Model| model.decision_function(&data).unwrap();
    assert_eq!(values(&by_number), values(&by_word));
    let words = by_word.predict(&data).unwrap();
    let numbers: Vec<usize> = by_number
        .predict(&data)
        .unwrap()
        .labels()
        .unwrap()
        .iter()
        .map(|label| match label {
            npt_estimator::Label::Integer(label) => usize::try_from(*label).unwrap(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(words.labels().unwrap(), texts(&numbers));
    let two: Array1<bool> = labels(2).iter().map(|&label| label == 1).collect();
    let sides = estimator.fit(&data, two).unwrap();
    assert_eq!(
        values(&sides),
        values(&estimator.fit(&data, labels(2)).unwrap())
    );
    assert_eq!(sides.classes(), [false.into(), true.into()]);
}

/// The share of the letters of two words that both have; 0 if they have fewer than `least` in common.
#[derive(Clone)]
struct Letters {
    least: usize,
}

impl Kernel<Items<String>> for Letters {
    type Scalar = f64;

    npt_core::parameters!("letters", least);

    fn eval(&self, a: &String, b: &String) -> f64 {
        let set = |word: &String| word.chars().collect::<BTreeSet<char>>();
        let (a, b) = (set(a), set(b));
        let both = a.intersection(&b).count();
        if both < self.least && a != b {
            return 0.0;
        }
        both as f64 / a.union(&b).count() as f64
    }
}

#[test]
fn kernels_of_ones_own_have_names() {
    let entry = || {
        let letters = Entry::new("letters", "The share of letters.", || Letters { least: 0 });
        let least = "The least number of letters.";
        letters.parameter("least", least, Range::AtLeast(0), None)
    };
    add_kernel::<Items<String>>(entry()).unwrap();
    let again = add_kernel::<Items<String>>(entry()).unwrap_err();
    assert_eq!(
        again.to_string(),
        "there is a kernel letters on these samples; one that is added needs another name"
    );
    let kernel = "letters(least = 2) + 0.1 * spectrum(length = 2)";
    let model = round_trip("svc(c = 10)", kernel, &Data::new(words()), SIDES.to_vec());
    let changed = model
        .estimator()
        .clone()
        .with("kernel.first.least", 1_usize);
    let kernel = changed.unwrap().to_string();
    assert!(kernel.contains("letters(least = 1)"), "{kernel}");
    // There is no such kernel on other samples.
    let error = Estimator::new("svc", "letters(least = 2)").unwrap();
    let error = error.fit(&Data::from(matrix()), labels(2)).unwrap_err();
    assert!(matches!(error, Error::Domain { .. }), "{error}");
    let misspelt = Estimator::new("svc", "leters(least = 2)")
        .unwrap_err()
        .to_string();
    assert!(
        misspelt.ends_with("the nearest name is letters"),
        "{misspelt}"
    );
}

/// Numbers that somebody else owns are the same samples, in either precision, in a fit and in predictions.
#[test]
fn shared_numbers_are_samples() {
    let (x, new) = (matrix(), new_matrix());
    let shared = |matrix: &ndarray::Array2<f64>| {
        let numbers: Vec<f64> = matrix.iter().copied().collect();
        Data::shared(Arc::new(numbers), [matrix.nrows(), matrix.ncols()]).unwrap()
    };
    let estimator = Estimator::new("svc(c = 10)", "gaussian(gamma = 0.5)").unwrap();
    let estimator = estimator.transformer("standard_scaler").unwrap();
    let fitted = |data: &Data| estimator.fit(data, labels(2)).unwrap();
    let (own, of_shared) = (fitted(&x.clone().into()), fitted(&shared(&x)));
    let expected = own.decision_function(&new.clone().into()).unwrap();
    assert_eq!(
        of_shared.decision_function(&shared(&new)).unwrap(),
        expected
    );
    assert_eq!(shared(&x).rows(&[3, 1]).len(), 2);

    let numbers: Vec<f32> = new.iter().map(|&v| v as f32).collect();
    let single = Data::shared_single(Arc::new(numbers), [new.nrows(), new.ncols()]).unwrap();
    let of_single = own
        .decision_function(&new.mapv(|v| v as f32).into())
        .unwrap();
    assert_eq!(own.decision_function(&single).unwrap(), of_single);

    let wrong = Data::shared(Arc::new(vec![1.0; 5]), [2, 3]).unwrap_err();
    let (rows, columns, found) = (2, 3, 5);
    assert_eq!(
        wrong,
        Error::ValueCount {
            rows,
            columns,
            found
        }
    );
    let text = "5 numbers cannot be a matrix of 2 rows and 3 columns";
    assert_eq!(wrong.to_string(), text);
    assert!(Data::shared(Arc::new(vec![]), [usize::MAX, 2]).is_err());
}

/// A kernel matrix serves fits to any selection of its samples, as the kernel itself does; the weights go with the samples.
#[test]
fn one_kernel_matrix_serves_many_fits() {
    let weights: Array1<f32> = (0..20).map(|i| 1.0 + (i % 2) as f32).collect();
    let x = Data::from(matrix()).with_weights(weights);
    let (known, looked_up) = precompute("gaussian(gamma = 0.5)", &x).unwrap();
    assert_eq!(looked_up, "precomputed(positive_semidefinite = true)");
    let (training, new): (Vec<usize>, Vec<usize>) = (0..20).partition(|i| i % 3 > 0);
    let all = labels(2);
    let labels: Vec<_> = training.iter().map(|&i| all[i]).collect();
    for method in [SOLVED, "logistic(penalty = 0.1)", "kfd(ridge = 0.1)"] {
        let values = |kernel: &str, data: &Data| {
            let estimator = Estimator::new(method, kernel).unwrap();
            let model = estimator
                .fit(&data.rows(&training), labels.clone())
                .unwrap();
            model.decision_function(&data.rows(&new)).unwrap()
        };
        let difference = values(&looked_up, &known) - values("gaussian(gamma = 0.5)", &x);
        assert!(difference.iter().all(|d| d.abs() < 1e-8), "{method}");
    }
    let (_, indefinite) = precompute("sigmoid(gamma = 0.1, constant = 0)", &x).unwrap();
    assert_eq!(indefinite, "precomputed(positive_semidefinite = false)");
}

/// A space tells the positions of its landmarks among the training samples, or the frequencies of its waves.
#[test]
fn spaces_tell_what_they_are_made_of() {
    let x = Data::from(matrix());
    let learned = |space: &str| {
        let estimator = Estimator::new("coordinates", "gaussian(gamma = 0.5)").unwrap();
        let model = estimator.space(space).unwrap().fit(&x, ()).unwrap();
        let of_rows = model.transform(&x).unwrap();
        (model.learned(), of_rows)
    };
    let value = |learned: &[(&str, Learned)], name| {
        let found = learned.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone())
    };
    let (found, coordinates) =
        learned("nystrom(landmarks = 5, axes = \"cholesky\", centered = false)");
    let Some(Learned::Positions(landmarks)) = value(&found, "landmarks") else {
        panic!("{found:?}");
    };
    // L of the landmarks is lower triangular: the first has one coordinate.
    assert_eq!(landmarks.len(), 5);
    assert!((coordinates[[landmarks[0], 0]] - 1.0).abs() < 1e-12);
    assert!(
        coordinates
            .row(landmarks[0])
            .iter()
            .skip(1)
            .all(|v| v.abs() < 1e-12)
    );
    assert_eq!(value(&learned("exact").0, "landmarks"), None);

    let text = "random_fourier(frequencies = 4, axes = \"cholesky\", centered = false)";
    let (found, features) = learned(text);
    let (Some(Learned::Matrix(frequencies)), Some(Learned::Numbers(origin))) =
        (value(&found, "frequencies"), value(&found, "origin"))
    else {
        panic!("{found:?}");
    };
    let angles = (matrix() - &origin).dot(&frequencies.t());
    for ((row, k), angle) in angles.indexed_iter() {
        assert!((features[[row, k]] - angle.cos() / 2.0).abs() < 1e-12);
        assert!((features[[row, 4 + k]] - angle.sin() / 2.0).abs() < 1e-12);
    }
}

/// Data of f32 give the results of data of f64 with the same values, in the fit and in predictions.
#[test]
fn single_precision_is_widened() {
    let single = matrix().mapv(|value| value as f32);
    let new = new_matrix().mapv(|value| value as f32);
    for transformer in [None, Some("standard_scaler")] {
        let mut estimator = Estimator::new("svc(c = 10)", "gaussian(gamma = 0.5)").unwrap();
        if let Some(transformer) = transformer {
            estimator = estimator.transformer(transformer).unwrap();
        }
        let model = |data: Data| estimator.fit(&data, labels(2)).unwrap();
        let of_single = model(single.clone().into());
        let of_double = model(single.mapv(f64::from).into());
        let (new_single, new_double) = (Data::from(new.clone()), new.mapv(f64::from).into());
        let values = of_double.decision_function(&new_double).unwrap();
        assert_eq!(of_single.decision_function(&new_single).unwrap(), values);
        assert_eq!(of_double.decision_function(&new_single).unwrap(), values);
    }
    let named = Data::from(single).with_columns(["a", "b", "c"]).unwrap();
    let selected = named.select(&["c"]).unwrap();
    assert_eq!((selected.len(), selected.columns().len()), (20, 1));
    let infinite = Data::from(array![[f32::INFINITY, 0.0, 0.0]]);
    let estimator = Estimator::new("kmeans(clusters = 1)", "linear").unwrap();
    assert_eq!(
        estimator.fit(&infinite, ()).unwrap_err().to_string(),
        "sample 0 has the value inf in column 0; all must be finite"
    );
}
