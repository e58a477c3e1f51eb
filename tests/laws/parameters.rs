//! Tests that every ready-made kernel has a name and parameters, and takes other values for them.

use super::table::{AnyKernel, Entry, KeptScalar, table};
use ndarray::{Array2, array};
use npt::prelude::*;
use npt::{Description, Parameter, ParameterError, ParameterValue, Samples, Scalar};
use npt_testkit::data;
use petgraph::graph::UnGraph;
use std::{collections::BTreeSet, sync::Arc};

/// The names in a description, without the values.
fn signature(description: &Description) -> String {
    let own = description.parameters.iter().map(|p| p.name.clone());
    let parts = description.parts.iter().map(|(_, part)| signature(part));
    let inside: Vec<String> = own.chain(parts).collect();
    match inside.join(", ") {
        nothing if nothing.is_empty() => description.name.clone(),
        inside => format!("{}({inside})", description.name),
    }
}

fn names(parameters: &[Parameter]) -> Vec<&str> {
    parameters.iter().map(|p| p.name.as_str()).collect()
}

/// Returns whether both kernels of an entry may have the same value of a parameter. Only ranges of columns may, where
/// the samples have only one column. With other equal parameters the test would show nothing.
fn may_be_equal(parameter: &Parameter) -> bool {
    parameter.name.ends_with("start") || parameter.name.ends_with("end")
}

/// Checks that `kernel` becomes `other`, parameter by parameter, to the bit.
fn check_parameters<S: Samples, F: Scalar>(
    expected: &str,
    mut kernel: Box<dyn Kernel<S, Scalar = F>>,
    other: &dyn Kernel<S, Scalar = F>,
    x: &S,
) {
    assert_eq!(signature(&kernel.describe()), expected);
    assert_eq!(kernel.name(), expected.split('(').next().unwrap());
    let (own, wanted) = (kernel.parameters(), other.parameters());
    assert_eq!(names(&own), names(&wanted), "{expected}");
    for (k, (own, wanted)) in own.iter().zip(&wanted).enumerate() {
        if own.value == wanted.value {
            assert!(
                may_be_equal(own),
                "{expected}: {} is the same twice",
                own.name
            );
            continue;
        }
        check_refused(&mut *kernel, own);
        let (before, gram) = (kernel.parameters(), kernel.gram(x));
        let declared = kernel.is_positive_semidefinite();
        let result = kernel.set_parameter(&wanted.name, wanted.value.clone());
        assert_eq!(result, Ok(()), "{expected}");
        let after = kernel.parameters();
        assert_eq!(after[k], *wanted, "{expected}: read back");
        assert_eq!(after[..k], before[..k], "{expected}: others");
        assert_eq!(after[k + 1..], before[k + 1..], "{expected}: others");
        // The parameter has an effect on the values, or on the properties that the kernel claims.
        assert!(
            kernel.gram(x) != gram || kernel.is_positive_semidefinite() != declared,
            "{expected}: {} has no effect",
            own.name
        );
    }
    assert_eq!(kernel.describe(), other.describe());
    assert_eq!(kernel.gram(x), other.gram(x), "{expected}");
    assert_eq!(kernel.cross(x, x), other.cross(x, x), "{expected}");
    assert_eq!(kernel.diag(x), other.diag(x), "{expected}");
    let (a, b) = (x.get(0), x.get(x.len() - 1));
    assert!(kernel.eval(a, b) == other.eval(a, b), "{expected}");
    check_pointers(kernel, &own);
}

/// Checks that unknown names and values of other kinds are refused, and change nothing.
fn check_refused<S: Samples, F: Scalar>(
    kernel: &mut dyn Kernel<S, Scalar = F>,
    parameter: &Parameter,
) {
    let before = kernel.describe();
    for name in [
        "",
        "gama",
        ".",
        "kernel.",
        "first",
        "kernels.9.gamma",
        "kernels.x.gamma",
    ] {
        let error = kernel.set_parameter(name, parameter.value.clone());
        assert!(
            matches!(error, Err(ParameterError::Unknown { .. })),
            "{name}: {error:?}"
        );
    }
    let others = [
        ParameterValue::Real(0.25),
        ParameterValue::Integer(3),
        ParameterValue::List(vec![1.0]),
        ParameterValue::Text("AB".to_owned()),
        ParameterValue::Boolean(true),
    ];
    for value in others {
        // A whole number is a real one, too, and a number is a list of one.
        let of_numbers = matches!(
            parameter.value,
            ParameterValue::Real(_) | ParameterValue::List(_)
        );
        let is_number = value.real().is_some() && of_numbers;
        let is_same = std::mem::discriminant(&value) == std::mem::discriminant(&parameter.value);
        if !is_same && !is_number {
            let error = kernel.set_parameter(&parameter.name, value);
            assert!(
                matches!(error, Err(ParameterError::Kind { .. })),
                "{error:?}"
            );
        }
    }
    assert_eq!(kernel.describe(), before);
}

/// Checks that a kernel is described through all pointers, but set only through those that own it alone.
fn check_pointers<S: Samples, F: Scalar>(
    kernel: Box<dyn Kernel<S, Scalar = F>>,
    values: &[Parameter],
) {
    let expected = kernel.describe();
    let mut shared: Arc<dyn Kernel<S, Scalar = F>> = Arc::from(kernel);
    assert_eq!(Kernel::<S>::describe(&shared), expected);
    assert_eq!(Kernel::<S>::describe(&&shared), expected);
    let second = Arc::clone(&shared);
    for Parameter { name, value } in values {
        let error = ParameterError::Shared {
            parameter: name.clone(),
        };
        let set = Kernel::<S>::set_parameter(&mut shared, name, value.clone());
        assert_eq!(set, Err(error.clone()));
        let set = Kernel::<S>::set_parameter(&mut &shared, name, value.clone());
        assert_eq!(set, Err(error));
    }
    assert_eq!(second.describe(), expected);
    drop(second);
    for Parameter { name, value } in values {
        let set = Kernel::<S>::set_parameter(&mut shared, name, value.clone());
        assert_eq!(set, Ok(()));
    }
    assert_eq!(shared.parameters(), values);
}

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).unwrap()
}

/// Samples near to each other, so that no kernel vanishes, and in the domain of all kernels.
fn samples<F: Scalar>() -> Rows<F> {
    rows(&data::normal(6, 3, 1).mapv(|v| v.abs() * 0.5))
}

fn check_table<F: KeptScalar>() {
    for entry in table::<F>() {
        let Entry {
            signature,
            kernel,
            other,
            ..
        } = entry;
        check_parameters(signature, kernel, &*other, &samples());
    }
}

#[test]
fn kernels_of_vectors_and_compositions() {
    check_table::<f64>();
    check_table::<f32>();
}

/// Checks the kernels that are not in the table: indefinite ones, those for three features, and `dyn`.
fn check_other_kernels_of_vectors<F: Scalar>() {
    let c = |v: f64| F::cast(v);
    let gaussian = |gamma| Gaussian::new(c(gamma));
    let check = |signature: &str, kernel: AnyKernel<F>, other: AnyKernel<F>| {
        check_parameters(signature, kernel, &*other, &samples());
    };
    let sigmoid = |gamma, constant| Box::new(Sigmoid::new(c(gamma), c(constant)));
    check(
        "sigmoid(gamma, constant)",
        sigmoid(0.5, 0.1),
        sigmoid(0.2, -0.3),
    );
    check("cosine", Box::new(Cosine::new()), Box::new(Cosine::new()));
    let scales = |gamma, scales: [f64; 3]| {
        Box::new(LengthScales::new(gaussian(gamma), scales.map(c).to_vec()))
    };
    check(
        "length_scales(length_scales, gaussian(gamma))",
        scales(0.5, [1.0, 2.0, 3.0]),
        scales(0.3, [0.5, 4.0, 1.0]),
    );
    let columns = |gamma, range| Box::new(Columns::new(gaussian(gamma), range));
    check(
        "columns(start, end, gaussian(gamma))",
        columns(0.5, 0..2),
        columns(0.3, 1..3),
    );
    let centered = |gamma| {
        let z = samples::<F>().view().to_owned();
        Box::new(Centered::fit(gaussian(gamma), &z).unwrap())
    };
    check("centered(gaussian(gamma))", centered(0.5), centered(0.3));
    let weighted = |gamma, constant, weights: [f64; 2]| {
        let kernels: Vec<AnyKernel<F>> =
            vec![Box::new(gaussian(gamma)), sigmoid(1.0 + gamma, constant)];
        Box::new(WeightedSum::new(kernels, weights.map(c).to_vec().into()).unwrap())
    };
    check(
        "weighted_sum(weights, gaussian(gamma), sigmoid(gamma, constant))",
        weighted(0.5, 0.1, [0.25, 3.0]),
        weighted(0.3, -0.2, [2.0, 0.5]),
    );
}

#[test]
fn other_kernels_of_vectors() {
    check_other_kernels_of_vectors::<f64>();
    check_other_kernels_of_vectors::<f32>();
}

#[test]
fn kernels_of_strings() {
    type Strings = Items<&'static str>;
    let texts = Items::new(vec!["CABBA", "ABCABCA", "BACABABC"]).unwrap();
    let check = |signature: &str, kernel: Box<dyn Kernel<Strings, Scalar = f64>>, other: Box<_>| {
        let other: Box<dyn Kernel<Strings, Scalar = f64>> = other;
        check_parameters(signature, kernel, &*other, &texts);
    };
    check(
        "spectrum(length)",
        Box::new(Spectrum::new(2)),
        Box::new(Spectrum::new(1)),
    );
    check(
        "mismatch(length, mismatches, alphabet)",
        Box::new(Mismatch::new(3, 1, "ABC")),
        Box::new(Mismatch::new(4, 2, "DBCA")),
    );
    check(
        "subsequence(length, decay)",
        Box::new(Subsequence::new(2, 0.5)),
        Box::new(Subsequence::new(3, 0.8)),
    );
}

#[test]
fn kernels_of_sets_graphs_pairs_sparse_rows_and_matrices() {
    let sets = ["ab", "bcd", "e"].map(|letters| letters.chars().collect::<BTreeSet<char>>());
    let sets = Items::new(sets.to_vec()).unwrap();
    check_parameters("jaccard", Box::new(Jaccard::new()), &Jaccard::new(), &sets);

    let graph = |edges: &[(u32, u32)]| UnGraph::<(), ()>::from_edges(edges);
    let graphs = Items::new(vec![
        graph(&[(0, 1), (1, 2)]),
        graph(&[(0, 1), (1, 2), (2, 0)]),
    ]);
    let kernel = WeisfeilerLehman::new;
    let expected = "weisfeiler_lehman(iterations)";
    check_parameters(expected, Box::new(kernel(1)), &kernel(3), &graphs.unwrap());

    let pairs = Items::new(vec![("abab", 1.0), ("abba", 2.0), ("b", 3.0)]).unwrap();
    let close = FnKernel::new(|a: &f64, b: &f64| (-(a - b).abs()).exp());
    let kernel = |length, factor| Tensor::new(Spectrum::new(length), close.scaled(factor));
    let expected = "tensor(spectrum(length), scaled(factor, function))";
    check_parameters(expected, Box::new(kernel(1, 0.5)), &kernel(2, 0.7), &pairs);

    let rows = sprs::CsMat::csr_from_dense(array![[0.0, 1.0], [0.5, 0.0], [0.2, 0.1]].view(), 0.0);
    let rows = SparseRows::new(&rows).unwrap();
    let kernel = |gamma| Sparse::new(Laplacian::new(gamma));
    check_parameters(
        "sparse(laplacian(gamma))",
        Box::new(kernel(0.5)),
        &kernel(0.7),
        &rows,
    );

    let matrix = KernelRows::training(array![[2.0, 1.0], [1.0, 3.0]].view()).unwrap();
    let kernel = Precomputed::new();
    check_parameters(
        "precomputed(positive_semidefinite)",
        Box::new(kernel),
        &kernel.assume_positive_semidefinite(),
        &matrix,
    );
}

/// A kernel of another crate needs one method only; its name is that of its type.
#[test]
fn a_kernel_from_outside() {
    struct Product<T>(T);

    impl Kernel<Items<f64>> for Product<f64> {
        type Scalar = f64;

        fn eval(&self, a: &f64, b: &f64) -> f64 {
            self.0 * a * b
        }
    }

    let mut kernel = Product(1.0).scaled(2.0);
    assert_eq!(kernel.describe().to_string(), "scaled(factor = 2, Product)");
    assert_eq!(kernel.set_parameter("factor", 3.0.into()), Ok(()));
    assert_eq!(kernel.eval(&1.0, &2.0), 6.0);
    let error = kernel.set_parameter("kernel.factor", 3.0.into());
    assert_eq!(
        error.unwrap_err().to_string(),
        "Product has no parameter factor"
    );
    assert_eq!(Box::new(Product(1.0)).name(), "Product");
}

/// Values that a kernel cannot hold are refused at once; values out of range are refused by `check`, as always.
#[test]
fn values_that_no_kernel_holds() {
    let x = samples::<f64>();
    let mut kernel: AnyKernel<f64> = Box::new(Matern::half(1.0));
    for value in [0.7, -0.5, f64::NAN, f64::INFINITY] {
        let error = kernel
            .set_parameter("smoothness", value.into())
            .unwrap_err();
        assert!(matches!(error, ParameterError::Value { .. }), "{error}");
    }
    kernel.set_parameter("length_scale", (-1.0).into()).unwrap();
    let error = kernel.check(&x).unwrap_err();
    assert!(
        matches!(error, npt::Error::Parameter { of: "Matern", .. }),
        "{error}"
    );

    // The mean of a centred kernel is lost with such values, and restored with others.
    let scaled = LengthScales::new(Gaussian::new(0.5), vec![1.0, 2.0, 3.0]);
    let expected = Centered::fit(scaled.clone(), &x.view()).unwrap();
    let mut kernel: AnyKernel<f64> = Box::new(expected.clone());
    let mut set = |value: &[f64]| {
        let set = kernel.set_parameter("kernel.length_scales", value.to_vec().into());
        assert_eq!(set, Ok(()));
        (kernel.check(&x), Exact::new(&kernel).fit_space(&x).err())
    };
    let (check, fit) = set(&[1.0]);
    assert!(matches!(
        check,
        Err(npt::Error::FeatureCount {
            expected: 1,
            found: 3,
            ..
        })
    ));
    assert_eq!(fit, check.err());
    assert_eq!(set(&[1.0, 2.0, 3.0]), (Ok(()), None));
    assert_eq!(kernel.gram(&x), expected.gram(&x));

    let mut kernel: AnyKernel<f64> = Box::new(Polynomial::homogeneous(2));
    let error = kernel
        .set_parameter("degree", (1_usize << 40).into())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the parameter degree was set to 1099511627776; it must be below 2³²"
    );
    let sum = WeightedSum::new(vec![Linear::new(), Linear::new()], array![1.0, 2.0]).unwrap();
    let mut kernel: AnyKernel<f64> = Box::new(sum);
    let error = kernel
        .set_parameter("weights", vec![1.0].into())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the parameter weights was set to [1]; it must be as long as it was"
    );
}
