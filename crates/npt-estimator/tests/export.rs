//! Models for other programs: the parts that ONNX and LIBSVM's text have, and the parts that are refused.

use super::{labels, matrix, new_matrix, numbers};
use ndarray::Array2;
use npt_core::{Items, Kernel, KernelRows, Rows};
use npt_estimator::{Ability, Data, Error, Estimator, Model, Predictions};

fn fitted(estimator: &Estimator, targets: impl Into<npt_estimator::Targets>) -> Model {
    estimator.fit(&Data::from(matrix()), targets).unwrap()
}

fn named(method: &str, kernel: &str) -> Estimator {
    Estimator::new(method, kernel).unwrap()
}

fn refused(model: &Model, onnx: &str, libsvm: &str) {
    assert!(!model.has(Ability::Onnx) && !model.has(Ability::Libsvm));
    assert!(!model.abilities().contains(&Ability::Onnx));
    assert_eq!(model.to_onnx().unwrap_err().to_string(), onnx);
    not_for_libsvm(model, libsvm);
}

fn not_for_libsvm(model: &Model, error: &str) {
    assert!(!model.has(Ability::Libsvm));
    assert_eq!(model.to_libsvm().unwrap_err().to_string(), error);
}

#[test]
fn what_has_no_form_says_what_has_one() {
    let novelty = fitted(&named("novelty_detector", "gaussian(gamma = 0.5)"), ());
    refused(
        &novelty,
        "novelty_detector cannot be written as ONNX, which takes methods that predict by sums of kernel values",
        "novelty_detector cannot be written as a text of LIBSVM, which takes svc, nu_svc, hard_margin_svc, one_class_svm, svr and ridge",
    );
    let features = named("ridge", "gaussian(gamma = 0.5)");
    let features = features.space("random_fourier(frequencies = 8)").unwrap();
    refused(
        &fitted(&features, numbers()),
        "random_fourier cannot be written as ONNX, which takes the spaces exact and nystrom",
        "random_fourier cannot be written as a text of LIBSVM, which takes the spaces exact and nystrom",
    );
    let words = ["banana", "ananas", "kernel", "colonel"].map(str::to_owned);
    let words = Data::new(Items::new(words.to_vec()).unwrap());
    let of_words = named("svc", "spectrum(length = 2)");
    refused(
        &of_words
            .fit(&words, vec![true, true, false, false])
            .unwrap(),
        "texts cannot be written as ONNX, which takes dense vectors",
        "texts cannot be written as a text of LIBSVM, which takes dense and sparse vectors",
    );
    let gram = npt_core::Gaussian::new(0.5).gram(&Rows::new(matrix()).unwrap());
    let gram = Data::new(KernelRows::training(gram.view()).unwrap());
    let model = named("svc", "precomputed").fit(&gram, labels(2)).unwrap();
    refused(
        &model,
        "precomputed kernel values cannot be written as ONNX, which takes dense vectors",
        "precomputed kernel values cannot be written as a text of LIBSVM, which takes dense and sparse vectors",
    );
}

#[test]
fn what_libsvm_has_not() {
    let gaussian = "gaussian(gamma = 0.5)";
    let scaled = named("svc", gaussian)
        .transformer("standard_scaler")
        .unwrap();
    not_for_libsvm(
        &fitted(&scaled, labels(2)),
        "standard_scaler cannot be written as a text of LIBSVM, which takes models without transformers",
    );
    not_for_libsvm(
        &fitted(&named("logistic", gaussian), labels(2)),
        "logistic cannot be written as a text of LIBSVM, which takes svc, nu_svc, hard_margin_svc, one_class_svm, svr and ridge",
    );
    let rest = named("svc(strategy = \"one_against_rest\")", gaussian);
    not_for_libsvm(
        &fitted(&rest, labels(3)),
        "LIBSVM has no machines of one class against the rest: fit one for each pair",
    );
    let laplacian = fitted(&named("svc", "laplacian(gamma = 0.5)"), labels(2));
    not_for_libsvm(
        &laplacian,
        "the kernel laplacian(gamma = 0.5) has no form in LIBSVM",
    );
    assert!(matches!(laplacian.to_libsvm(), Err(Error::Export(_))));
    assert!(laplacian.has(Ability::Onnx));
    let two = Array2::from_shape_fn((20, 2), |(i, k)| (i + k) as f64);
    not_for_libsvm(
        &fitted(&named("ridge", gaussian), two),
        "a model with 2 functions was given; it must have 1",
    );
    let large: Vec<i64> = labels(2).into_iter().map(|label| label << 40).collect();
    not_for_libsvm(
        &fitted(&named("svc", gaussian), large),
        "the label 1099511627776 is not a whole number of 32 bits",
    );
}

/// Sparse vectors have the same lines as dense vectors.
#[test]
fn sparse_vectors_are_written_for_libsvm() {
    let mut entries = sprs::TriMat::new(matrix().dim());
    for ((i, j), &value) in matrix().indexed_iter() {
        entries.add_triplet(i, j, value);
    }
    let sparse = Data::new(npt_core::SparseRows::new(&entries.to_csr()).unwrap());
    let estimator = named("svc", "gaussian(gamma = 0.5)");
    let sparse = estimator.fit(&sparse, labels(3)).unwrap();
    let dense = fitted(&estimator, labels(3));
    assert!(sparse.has(Ability::Libsvm) && !sparse.has(Ability::Onnx));
    let (sparse, dense) = (sparse.to_libsvm().unwrap(), dense.to_libsvm().unwrap());
    let shape = |text: &str| {
        let words = text.lines().map(|line| line.split(' ').count());
        words.collect::<Vec<_>>()
    };
    assert_eq!(shape(&sparse), shape(&dense));
    assert!(sparse.starts_with("svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\n"));
    assert!(sparse.contains("\nlabel 0 1 2\n"));
}

/// A model is written, read, saved, loaded, and written again: of two classes and three, of one class, and of a regression.
#[test]
fn what_is_written_for_libsvm_is_read_again() {
    let gaussian = "gaussian(gamma = 0.5)";
    let two = labels(2)
        .into_iter()
        .map(|label| label * 4 + 3)
        .collect::<Vec<_>>();
    let models = [
        fitted(&named("svc", gaussian), two),
        fitted(&named("svc", gaussian), labels(3)),
        fitted(&named("one_class_svm(nu = 0.4)", gaussian), ()),
        fitted(
            &named("svr", "polynomial(degree = 2, gamma = 1, constant = 1)"),
            numbers(),
        ),
    ];
    let new = Data::from(new_matrix());
    for model in models {
        let text = model.to_libsvm().unwrap();
        let read = Model::from_libsvm(&text, None).unwrap();
        assert_eq!(read.to_libsvm().unwrap(), text);
        let same = |other: &Model| {
            match (model.predict(&new).unwrap(), other.predict(&new).unwrap()) {
                (Predictions::Numbers(a), Predictions::Numbers(b)) => {
                    assert!((a - b).iter().all(|d| d.abs() < 1e-12));
                }
                (a, b) => assert_eq!(a, b, "{text}"),
            }
            if let Ok(expected) = model.decision_function(&new) {
                // Of two labels the text has the larger one first; in a model by name the second class is positive.
                let sign = if model.classes().len() == 2 {
                    -1.0
                } else {
                    1.0
                };
                let found = other.decision_function(&new).unwrap() * sign;
                assert!(
                    (&found - &expected).iter().all(|d| d.abs() < 1e-12),
                    "{found} {expected}"
                );
            }
        };
        same(&read);
        let file = tempfile::NamedTempFile::new().unwrap();
        read.save(file.path()).unwrap();
        let loaded = Model::load(file.path()).unwrap();
        same(&loaded);
        assert_eq!(loaded.to_string(), read.to_string());
        assert!(
            read.to_string().starts_with("method        libsvm\n"),
            "{read}"
        );
        assert!(read.has(Ability::Onnx) && !read.to_onnx().unwrap().is_empty());
        let sparse = Model::from_libsvm_sparse(&text, Some(3)).unwrap();
        assert!(sparse.predict(&new).is_err());
        assert_eq!(sparse.to_libsvm().unwrap(), text);
        let again = read.estimator().fit(&Data::from(matrix()), ()).unwrap_err();
        assert_eq!(again, Error::OnlyRead);
    }
    let error = Model::from_libsvm("svm_type c_svm\n", None).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("line 1 has `svm_type c_svm` instead of"),
        "{error}"
    );
    assert!(Estimator::new("libsvm", "linear").is_err());
}
