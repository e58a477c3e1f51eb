//! Tests the text format of LIBSVM without LIBSVM: what is written, what is read, and both in turn.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, ArrayView1, array};
use npt::{
    Expansion, ExpansionModel,
    export::{
        Error,
        libsvm::{LibsvmModel, SvmType, from_text, from_text_of_columns, to_text},
    },
    methods::linear::{MulticlassSvc, Strategy, Svc, Svr},
    prelude::*,
};
use npt_testkit::data;
use sprs::{CsMat, TriMat};
use std::sync::Arc;

/// Samples of three classes around three centres.
pub(super) fn classes(samples: usize) -> Dataset<f64, usize, ndarray::Ix1> {
    let noise = data::normal(samples, 4, 5);
    let class = Array1::from_shape_fn(samples, |i| [3, 7, 12][i % 3]);
    let x = Array2::from_shape_fn(noise.dim(), |(i, k)| {
        noise[[i, k]] + if i % 3 == k { 1.5 } else { 0.0 }
    });
    Dataset::new(x, class)
}

/// Returns whether each of three classes has one vote. LIBSVM then takes the first class, and we the one with the largest sum of values.
pub(super) fn is_tie(values: ArrayView1<'_, f64>) -> bool {
    let signs = values.mapv(|value| value > 0.0).to_vec();
    signs == [true, false, true] || signs == [false, true, false]
}

/// The text of a model of three classes, written by hand: two vectors of class 4, one each of 5 and 6.
pub(super) const BY_HAND: &str = "svm_type c_svc
kernel_type polynomial
degree 2
gamma 0.5
coef0 1
nr_class 3
total_sv 4
rho 0.25 -1 0.125
label 4 5 6
nr_sv 2 1 1
SV
1 0.5 1:1 3:-2
0.75 0 2:3
-1.75 2 1:0.1
-0.5 -2 2:1e-300
";

#[test]
fn a_model_by_hand_is_read_and_written_as_it_was() {
    let model = from_text::<Rows<f64>>(BY_HAND).unwrap();
    assert_eq!(model.inner().svm_type(), SvmType::CSvc);
    assert_eq!(model.inner().labels(), [4, 5, 6]);
    let (x, v) = (array![[1.0, 2.0, 0.5]], |s: f64| (0.5 * s + 1.0).powi(2));
    let (k0, k1, k2, k3) = (v(0.0), v(6.0), v(0.1), v(2e-300));
    let expected = array![[
        k0 + 0.75 * k1 - 1.75 * k2 - 0.25,
        0.5 * k0 - 0.5 * k3 + 1.0,
        2.0 * k2 - 2.0 * k3 - 0.125
    ]];
    let values: Array2<f64> = model.try_transform(&x).unwrap();
    assert!((values - expected).iter().all(|d| d.abs() < 1e-14));
    assert_eq!(to_text(&model).unwrap(), BY_HAND);
    let sparse: LibsvmModel<SparseRows<f64>> = from_text(BY_HAND).unwrap();
    assert_eq!(to_text(&sparse).unwrap(), BY_HAND);
}

/// A model that is read is a classifier like any other; its classes are in the order of the file.
#[test]
fn a_model_that_is_read_is_a_classifier() {
    let text = BY_HAND.replace("label 4 5 6", "label 6 -4 5");
    let model = from_text::<Rows<f64>>(&text).unwrap();
    assert_eq!(model.classes(), [6, -4, 5]);
    let x = data::normal(200, 3, 1);
    let values = model.decision_function(&x).unwrap();
    assert_eq!(values, model.try_transform::<_, Array2<f64>>(&x).unwrap());
    let labels: Array1<f64> = model.try_predict(&x).unwrap();
    let mut seen = [0; 3];
    for (values, label) in values.outer_iter().zip(labels) {
        // The pairs are (0, 1), (0, 2), (1, 2); a class that wins both of its pairs is the label.
        let wins = |a: usize| {
            [(0, 1), (0, 2), (1, 2)]
                .iter()
                .zip(values)
                .all(|(&(first, second), &value)| {
                    (first != a || value > 0.0) && (second != a || value <= 0.0)
                })
        };
        if let Some(class) = (0..3).find(|&class| wins(class)) {
            assert_eq!(label, f64::from(model.classes()[class]));
            seen[class] += 1;
        }
    }
    // The third class of this model wins nowhere near.
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
    let (expected, found) = (3, 2);
    let wide = npt::Error::ColumnCount { expected, found };
    assert_eq!(model.decision_function(&data::normal(4, 2, 1)), Err(wide));

    // These models have two sides, and no classes.
    let data = classes(60);
    let sides = Dataset::new(data.records.clone(), data.targets.mapv(|class| class > 5));
    let ours = KernelSvc::params(Gaussian::new(0.3)).fit(&sides).unwrap();
    let read = from_text::<Rows<f64>>(&to_text(&ours).unwrap()).unwrap();
    assert_eq!(read.classes(), [1, -1]);
    let values: Array1<f64> = ours.decision_function(&data.records).unwrap();
    same(&values.insert_axis(ndarray::Axis(1)), &read, &data.records);
    let svr = KernelSvr::params(Gaussian::new(0.3));
    let numbers = Dataset::new(data.records.clone(), data.records.column(0).to_owned());
    let read = from_text::<Rows<f64>>(&to_text(&svr.fit(&numbers).unwrap()).unwrap()).unwrap();
    assert!(read.classes().is_empty());
}

/// A kernel that is read has the parameters and properties of the kernel's own type.
#[test]
fn kernels_that_are_read_are_kernels() {
    let text = BY_HAND.replace("polynomial\ndegree 2", "sigmoid");
    let sigmoid = from_text::<Rows<f64>>(&text).unwrap();
    let mut kernel = sigmoid.expansion().kernel().clone();
    assert!(!kernel.is_positive_semidefinite());
    let sparse = from_text::<SparseRows<f64>>(&text).unwrap();
    assert!(!sparse.expansion().kernel().is_positive_semidefinite());
    let polynomial = from_text::<Rows<f64>>(BY_HAND).unwrap();
    assert!(polynomial.expansion().kernel().is_positive_semidefinite());
    let polynomial = from_text::<SparseRows<f64>>(BY_HAND).unwrap();
    assert!(polynomial.expansion().kernel().is_positive_semidefinite());

    assert_eq!(kernel.to_string(), "sigmoid(gamma = 0.5, constant = 1)");
    assert_eq!(kernel.eval(&[2.0], &[3.0]), (0.5 * 6.0 + 1.0_f64).tanh());
    kernel.set_parameter("gamma", 0.25.into()).unwrap();
    kernel.set_parameter("constant", 0.5.into()).unwrap();
    assert_eq!(kernel.eval(&[2.0], &[3.0]), (0.25 * 6.0 + 0.5_f64).tanh());
    assert!(kernel.set_parameter("degree", 0.5.into()).is_err());
}

#[test]
fn more_columns_than_the_text_knows_are_asked_for() {
    let model = from_text_of_columns::<Rows<f64>>(BY_HAND, 5).unwrap();
    assert_eq!(model.predict(&array![[1.0, 2.0, 0.5, 9.0, 9.0]]).len(), 1);
    let error = from_text_of_columns::<Rows<f64>>(BY_HAND, 2).unwrap_err();
    assert!(matches!(error, Error::Text { line: 12, .. }), "{error}");
}

/// Compares values of the functions before and after, to the last bits: products of other shapes are rounded differently.
fn same(values: &Array2<f64>, again: &LibsvmModel<Rows<f64>>, x: &Array2<f64>) {
    let after: Array2<f64> = again.try_transform(x).unwrap();
    let largest = values.fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (values - &after).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(off <= 4e-15 * largest, "{:e}", off / largest);
}

#[test]
fn what_is_written_is_read_as_the_same_functions() {
    let (data, new) = (classes(120), data::normal(50, 4, 6));
    let multiclass = KernelSvc::params(Gaussian::new(0.3)).fit(&data).unwrap();
    let text = to_text(&multiclass).unwrap();
    assert!(text.contains("\nlabel 3 7 12\n"));
    let again = from_text::<Rows<f64>>(&text).unwrap();
    let values: Array2<f64> = multiclass.try_transform(&new).unwrap();
    same(&values, &again, &new);
    let labels: Array1<usize> = multiclass.try_predict(&new).unwrap();
    let read: Array1<f64> = again.try_predict(&new).unwrap();
    for ((ours, read), values) in labels.iter().zip(&read).zip(values.outer_iter()) {
        assert!(*ours as f64 == *read || is_tie(values), "{values}");
    }
    assert_eq!(to_text(&again).unwrap(), text);

    let numbers = Dataset::new(data.records.clone(), data.records.column(0).mapv(f64::sin));
    let svr = KernelSvr::params(Polynomial::new(3, 0.2, 0.5))
        .fit(&numbers)
        .unwrap();
    let again = from_text::<Rows<f64>>(&to_text(&svr).unwrap()).unwrap();
    let values = svr.expansion().evaluate(&new).unwrap();
    same(&values, &again, &new);
}

/// The classes `false` and `true` are written with the labels of two sides, in ascending order.
#[test]
fn classes_that_are_true_or_false_are_written_as_sides_are() {
    let data = classes(60).map_targets(|&class| class == 3);
    let new = data::normal(50, 4, 6);
    let model = KernelSvc::params(Gaussian::new(0.3)).method(|_| MulticlassSvc::params());
    let model = model.fit(&data).unwrap();
    let text = to_text(&model).unwrap();
    assert!(text.contains("\nlabel -1 1\n"), "{text}");
    let again = from_text::<Rows<f64>>(&text).unwrap();
    assert_eq!(again.classes(), [-1, 1]);
    same(&model.try_transform(&new).unwrap(), &again, &new);
    let labels: Array1<bool> = model.try_predict(&new).unwrap();
    let expected = labels.mapv(|side| if side { 1.0 } else { -1.0 });
    assert!(labels.iter().any(|&side| side) && labels.iter().any(|&side| !side));
    assert_eq!(again.try_predict(&new), Ok(expected));
    assert_eq!(to_text(&again).unwrap(), text);

    // The machine of two sides has one function, with the opposite sign.
    let sides = KernelSvc::params(Gaussian::new(0.3)).fit(&data).unwrap();
    let sides = from_text::<Rows<f64>>(&to_text(&sides).unwrap()).unwrap();
    let of_sides: Array1<f64> = sides.try_predict(&new).unwrap();
    assert_eq!(again.try_predict(&new), Ok(of_sides));
}

/// Models by coordinates are written, too: every landmark counts in every function, and is a vector of several classes.
#[test]
fn models_of_coordinates_are_written_as_well() {
    let (data, new) = (classes(60), data::normal(50, 4, 6));
    let space = Exact::new(Gaussian::new(0.3)).rank(npt::Rank::Components(10));
    let params = MulticlassSvc::params();
    let model = Kernelized::new(params, space)
        .fit(&data)
        .unwrap()
        .expand()
        .unwrap();
    let again = from_text::<Rows<f64>>(&to_text(&model).unwrap()).unwrap();
    let values: Array2<f64> = model.try_transform(&new).unwrap();
    let after: Array2<f64> = again.try_transform(&new).unwrap();
    assert!((values - after).iter().all(|d| d.abs() < 1e-12));
}

#[test]
fn sparse_vectors_are_written_as_dense_ones_are() {
    let x = array![
        [0.0, 1.0, 0.0, 2.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 3.0, 1.0, 0.0]
    ];
    let mut triplets = TriMat::new(x.dim());
    for ((i, k), &value) in x.indexed_iter().filter(|(_, v)| **v != 0.0) {
        triplets.add_triplet(i, k, value);
    }
    let matrix: CsMat<f64> = triplets.to_csr();
    let sparse = SparseRows::new(&matrix).unwrap();
    let targets = array![true, false, true];
    let dense = KernelSvc::params(Gaussian::new(0.5));
    let dense = dense.fit(&Dataset::new(x, targets.clone())).unwrap();
    let kernel = npt::Sparse::new(Gaussian::new(0.5));
    let sparse = KernelSvc::params(kernel)
        .fit(&DatasetBase::new(sparse, targets))
        .unwrap();
    let vectors = |text: String| text.split_once("SV\n").unwrap().1.replace(' ', "\n");
    let (dense, sparse) = (to_text(&dense).unwrap(), to_text(&sparse).unwrap());
    let indices = |text: &str| -> Vec<String> {
        let words = vectors(text.to_owned());
        words
            .lines()
            .filter(|w| w.contains(':'))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(indices(&dense), indices(&sparse));
}

fn expansion<K: Kernel<Rows<f64>, Scalar = f64>>(
    kernel: K,
    b: f64,
) -> Expansion<Rows<f64>, K, f64> {
    let x = Rows::new(array![[1.0, 2.0], [3.0, 1.0]]).unwrap();
    let alpha = array![[1.0], [-1.0]];
    Expansion::new(Arc::new(kernel), &x, alpha.view(), array![b]).unwrap()
}

/// A fitted machine of the right type, whose expansion a test replaces.
fn svr() -> Svr<f64> {
    let data = Dataset::new(array![[0.0], [1.0]], array![0.0, 5.0]);
    KernelSvr::params(Linear::new())
        .fit(&data)
        .unwrap()
        .into_parts()
        .0
}

#[test]
fn what_libsvm_does_not_have_is_refused() {
    let error = to_text(&ExpansionModel::new(
        svr(),
        expansion(Laplacian::new(0.5), 0.0),
    ));
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the kernel laplacian(gamma = 0.5) has no form in LIBSVM"
    );
    let error = to_text(&ExpansionModel::new(
        svr(),
        expansion(Linear::new(), f64::NAN),
    ));
    assert!(matches!(
        error,
        Err(Error::NotFinite {
            what: "an offset",
            ..
        })
    ));

    let params = KernelSvc::params(Linear::new());
    let rest = params.method(|m| m.strategy(Strategy::OneAgainstRest));
    let model = rest.fit(&classes(30)).unwrap();
    assert_eq!(to_text(&model).unwrap_err(), Error::OneAgainstRest);

    let large = Dataset::new(array![[0.0], [1.0]], array![1, usize::MAX]);
    let model = KernelSvc::params(Linear::new()).fit(&large).unwrap();
    let error = to_text(&model).unwrap_err().to_string();
    assert_eq!(error, format!("the label {} is not below 2³¹", usize::MAX));
}

#[test]
fn a_product_of_gaussians_is_one() {
    let product = Gaussian::new(0.5) * Gaussian::new(0.25);
    let text = to_text(&ExpansionModel::new(svr(), expansion(product, 0.0))).unwrap();
    assert!(text.contains("kernel_type rbf\ngamma 0.75\n"), "{text}");
}

#[test]
fn models_in_f32_are_written_with_their_own_numbers() {
    let x = array![[0.1_f32, 0.2], [0.7, 0.3], [0.5, 0.9]];
    let data = Dataset::new(x, array![true, false, true]);
    let model = KernelSvc::params(Gaussian::new(0.1_f32))
        .fit(&data)
        .unwrap();
    let _: &Svc<f32> = model.inner();
    let text = to_text(&model).unwrap();
    assert!(
        text.contains(&format!("gamma {}\n", f64::from(0.1_f32))),
        "{text}"
    );
    assert!(
        text.contains(&format!("1:{}", f64::from(0.1_f32))),
        "{text}"
    );
}

/// Lines about probabilities, as `svm-train -b 1` of LIBSVM 3.24 writes them, are left out.
#[test]
fn lines_about_probabilities_are_left_out() {
    let with = BY_HAND.replace("nr_sv", "probA -1 -2 -3\nprobB 0 0 0\nnr_sv");
    let model = from_text::<Rows<f64>>(&with).unwrap();
    assert_eq!(to_text(&model).unwrap(), BY_HAND);
    // Line ends of other systems are read, and blanks at the end of lines, as LIBSVM leaves them.
    let blanks = BY_HAND.replace('\n', " \r\n");
    let model = from_text::<Rows<f64>>(&blanks).unwrap();
    assert_eq!(to_text(&model).unwrap(), BY_HAND);
}

/// A model without vectors is a constant.
#[test]
fn a_model_without_vectors_is_its_offset() {
    let text = "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 0\nrho -2.5\nSV\n";
    let model = from_text_of_columns::<Rows<f64>>(text, 2).unwrap();
    assert_eq!(model.predict(&array![[1.0, 2.0]]), array![2.5]);
}

/// A model that is read is saved like any other.
#[test]
fn models_that_are_read_are_kept_in_files() {
    let model = from_text::<Rows<f64>>(BY_HAND).unwrap();
    let bytes = npt::model_file::to_bytes(&model).unwrap();
    let again: LibsvmModel<Rows<f64>> = npt::model_file::from_bytes(&bytes).unwrap();
    assert_eq!(to_text(&again).unwrap(), BY_HAND);
}

/// A thousand classes take no more memory than their text: a matrix of pairs by pairs would not fit into any.
#[test]
fn a_thousand_classes_take_no_more_than_their_text() {
    let (classes, pairs) = (1000, 1000 * 999 / 2);
    let list = |word: &str, count: usize| vec![word; count].join(" ");
    let mut text = format!("svm_type c_svc\nkernel_type linear\nnr_class {classes}\ntotal_sv 1\n");
    text += &[
        "rho",
        &list("0", pairs),
        "\nlabel",
        &list("1", classes),
        "\nnr_sv 1",
    ]
    .join(" ");
    text += &[
        " ",
        &list("0", classes - 1),
        "\nSV\n",
        &list("1", classes - 1),
        " 1:1\n",
    ]
    .concat();
    let model = from_text::<Rows<f64>>(&text.replace(" \n", "\n")).unwrap();
    assert_eq!(model.predict(&array![[1.0]]), array![1.0]);
    assert_eq!(
        to_text(&model).unwrap().len(),
        text.replace(" \n", "\n").len()
    );
}
