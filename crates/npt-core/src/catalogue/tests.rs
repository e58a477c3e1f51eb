//! Every kernel of every catalogue is read, printed and set; what is no kernel is refused, and where.

use super::{Catalogue, Entry, Fault, NamedKernel, ParameterEntry, Parts, Range, ReadyKernels};
use crate::{
    Description, Gaussian, Items, Kernel, KernelRows, Linear, Parameter, ParameterError,
    ParameterValue, Polynomial, Rows, Samples, Scalar, SparseRows,
};
use ndarray::{Array2, array};
use petgraph::{Graph, Undirected};
use sprs::TriMat;
use std::collections::BTreeSet;

fn rows() -> Catalogue<Rows<f64>, f64> {
    Rows::ready_kernels()
}

/// A value within a range that is no default.
fn inside(range: Range, features: usize) -> ParameterValue {
    match range {
        Range::Real => (-0.75).into(),
        Range::Positive => 1.75.into(),
        Range::Share => 0.625.into(),
        Range::OneOf(values) => values[0].into(),
        Range::AtLeast(least) => (least + 1).into(),
        Range::Positives | Range::NotNegatives => vec![0.75; features].into(),
        Range::Text => "abn".into(),
    }
}

/// Values of the right kind that a range has not.
fn outside(range: Range) -> Vec<ParameterValue> {
    let reals = |values: &[f64]| values.iter().map(|&v| v.into()).collect::<Vec<_>>();
    match range {
        Range::Real => reals(&[f64::NAN, f64::INFINITY]),
        Range::Positive => reals(&[0.0, -1.0, f64::NAN, f64::INFINITY]),
        Range::Share => reals(&[0.0, 1.5, f64::NAN]),
        Range::OneOf(_) => reals(&[0.75]),
        Range::AtLeast(least) => least.checked_sub(1).map(Into::into).into_iter().collect(),
        Range::Positives => vec![vec![1.0, 0.0].into(), vec![f64::NAN].into()],
        Range::NotNegatives => vec![vec![1.0, -1.0].into(), vec![f64::INFINITY].into()],
        Range::Text => Vec::new(),
    }
}

/// A kernel of a catalogue, the samples that it is tried on, and a text for each of its parts.
struct Case<'a, S, F> {
    catalogue: &'a Catalogue<S, F>,
    entry: &'a Entry<S, F>,
    /// The samples, and how many features they have.
    samples: (&'a S, usize),
    part: &'a str,
}

impl<S: Samples, F: Scalar> Case<'_, S, F> {
    /// Values of all parameters, no defaults, but for one of them if another is given.
    fn values(
        &self,
        other: Option<(&str, &ParameterValue)>,
    ) -> Vec<(&'static str, ParameterValue)> {
        let value = |parameter: &ParameterEntry| match other {
            Some((name, value)) if name == parameter.name() => value.clone(),
            _ => inside(parameter.range(), self.samples.1),
        };
        let parameters = self.entry.parameters().iter();
        parameters
            .map(|parameter| (parameter.name(), value(parameter)))
            .collect()
    }

    fn text(&self, values: &[(&str, ParameterValue)]) -> String {
        let count = match self.entry.parts() {
            Parts::Exactly(count) => count,
            // As many as values in a list.
            Parts::AtLeast(least) => least.max(self.samples.1),
        };
        let values = values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let parts = std::iter::repeat_n(self.part.to_owned(), count);
        let inside: Vec<String> = values.chain(parts).collect();
        format!("{}({})", self.entry.name(), inside.join(", "))
    }

    fn read(&self) -> NamedKernel<S, F> {
        let text = self.text(&self.values(None));
        let kernel = self.catalogue.read(&text);
        kernel.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// What is printed, and the description, are of the same kernel.
    fn is_what_it_prints(&self) {
        let (kernel, (x, _)) = (self.read(), self.samples);
        let checked = kernel.check(x).map(|()| kernel.gram(x));
        let matrix = checked.unwrap_or_else(|error| panic!("{kernel}: {error}"));
        let printed = self.catalogue.read(&kernel.to_string()).unwrap();
        let described = self.catalogue.kernel(&kernel.describe()).unwrap();
        for again in [printed, described] {
            assert_eq!((&again, again.gram(x)), (&kernel, matrix.clone()));
        }
        let all = kernel.parameters();
        for (parameter, (_, value)) in self.entry.parameters().iter().zip(self.values(None)) {
            let path = self.entry.path(parameter);
            let found = all
                .iter()
                .find(|found| found.name == path)
                .expect("a parameter");
            assert!(
                found.value == value || found.value.real() == value.real(),
                "{kernel}"
            );
        }
    }

    /// What a range has not is refused by the catalogue, and by the kernel if it is set.
    fn refuses_what_is_out_of_range(&self) {
        let kernel = self.read();
        for parameter in self.entry.parameters() {
            for value in outside(parameter.range()) {
                let mut description = Description::new(self.entry.name());
                let values = self.values(Some((parameter.name(), &value)));
                description
                    .parameters
                    .extend(values.into_iter().map(|(name, value)| Parameter {
                        name: name.to_owned(),
                        value,
                    }));
                if self.entry.parts() != Parts::Exactly(0) {
                    description.parts = kernel.describe().parts;
                }
                let fault = self.catalogue.kernel(&description).unwrap_err().fault;
                let is_named = matches!(&fault, Fault::OutOfRange { parameter: of, .. } if of == parameter.name());
                assert!(is_named, "{kernel}, {value}: {fault}");
                let mut forced = kernel.clone();
                let is_set = forced
                    .set_parameter(&self.entry.path(parameter), value)
                    .is_ok();
                assert!(
                    !is_set || forced.check(self.samples.0).is_err(),
                    "{forced} is taken"
                );
            }
        }
    }

    /// A parameter without a default must be given.
    fn needs_what_has_no_default(&self) {
        for parameter in self.entry.parameters() {
            let mut values = self.values(None);
            values.retain(|(name, _)| *name != parameter.name());
            let read = self.catalogue.read(&self.text(&values));
            let missing = Fault::Missing {
                kernel: self.entry.name().to_owned(),
                parameter: parameter.name().to_owned(),
            };
            match parameter.default() {
                Some(_) => assert!(read.is_ok()),
                None => assert_eq!(read.unwrap_err().fault, missing),
            }
        }
    }
}

fn check_catalogue<S: Samples, F: Scalar>(
    catalogue: &Catalogue<S, F>,
    samples: (&S, usize),
    part: &str,
) {
    assert!(!catalogue.entries().is_empty());
    for entry in catalogue.entries() {
        let case = Case {
            catalogue,
            entry,
            samples,
            part: if entry.name() == "sparse" {
                "linear"
            } else {
                part
            },
        };
        case.is_what_it_prints();
        case.refuses_what_is_out_of_range();
        case.needs_what_has_no_default();
    }
}

#[test]
fn kernels_of_vectors() {
    let x = Rows::new(array![[0.5, 1.0], [2.0, 0.25], [1.0, 1.0]]).unwrap();
    check_catalogue(&rows(), (&x, 2), "gaussian(gamma = 0.5)");
    let single = Rows::new(array![[0.5_f32, 1.0], [2.0, 0.25]]).unwrap();
    check_catalogue(&Rows::<f32>::ready_kernels(), (&single, 2), "linear");
}

#[test]
fn kernels_of_sparse_vectors() {
    let mut matrix = TriMat::new((2, 9));
    matrix.add_triplet(0, 2, 1.5);
    matrix.add_triplet(1, 2, 0.5);
    matrix.add_triplet(1, 7, 2.0);
    let x = SparseRows::new(&matrix.to_csr::<usize>()).unwrap();
    let catalogue = SparseRows::<f64>::ready_kernels();
    check_catalogue(&catalogue, (&x, 1), "tanimoto");
    let names: Vec<_> = catalogue.entries().iter().map(Entry::name).collect();
    assert!(names.contains(&"gaussian") && !names.contains(&"simple_matching"));
    let fault = catalogue.read("sparse(simple_matching)").unwrap_err().fault;
    assert!(matches!(fault, Fault::Kernel(text) if text.contains("simple_matching")));
}

#[test]
fn kernels_of_what_is_no_vector() {
    let words = Items::new(["banana", "anna", "ban"].map(str::to_owned).to_vec()).unwrap();
    check_catalogue(
        &Items::<String>::ready_kernels(),
        (&words, 1),
        "spectrum(length = 1)",
    );
    let sets = Items::new(vec![BTreeSet::from([1_u64, 2]), BTreeSet::from([2])]).unwrap();
    check_catalogue(
        &Items::<BTreeSet<u64>>::ready_kernels(),
        (&sets, 1),
        "jaccard",
    );
    let mut graph = Graph::<String, String, Undirected>::default();
    let (a, b) = (graph.add_node("C".into()), graph.add_node("O".into()));
    graph.add_edge(a, b, "double".into());
    let graphs = Items::new(vec![graph.clone(), graph]).unwrap();
    let wl = "weisfeiler_lehman(iterations = 1)";
    check_catalogue(&ReadyKernels::ready_kernels(), (&graphs, 1), wl);
    let known = KernelRows::<f64>::training(array![[2.0, 1.0], [1.0, 3.0]].view()).unwrap();
    check_catalogue(&ReadyKernels::ready_kernels(), (&known, 1), "precomputed");
}

/// A formula has the values of the kernels that are composed by their types.
#[test]
fn formulas_are_the_typed_kernels() {
    let x = Rows::new(Array2::from_shape_fn((7, 3), |(i, j)| {
        (i * 3 + j) as f64 * 0.37 - 2.0
    }))
    .unwrap();
    let typed = (Gaussian::new(0.5) + Linear::new().scaled(0.1)) * Polynomial::new(2, 1.0, 1.0);
    let typed = typed + Gaussian::new(2.0).scaled(1e-3).scaled(4.0);
    let text = " (gaussian(gamma=0.5)+.1*linear ) * polynomial(degree = 2)\n + 4 * gaussian(gamma = 2)*1e-3 ";
    let named = rows().read(text).unwrap();
    assert_eq!(named.gram(&x), typed.gram(&x));
    assert_eq!(named.describe(), Kernel::<Rows<f64>>::describe(&typed));
    assert_eq!(named.name(), "sum");
    let origin = named.origin(&x);
    assert_eq!(origin.is_some(), typed.origin(&x).is_some());
}

#[test]
fn parameters_are_set_by_their_paths() {
    let mut kernel = rows().read("linear + 2 * gaussian(gamma = 1)").unwrap();
    let kept = kernel.clone();
    kernel
        .set_parameter("second.kernel.gamma", 3.into())
        .unwrap();
    assert_eq!(
        kernel.to_string(),
        "sum(linear, scaled(factor = 2, gaussian(gamma = 3)))"
    );
    assert_eq!(
        kept.to_string(),
        "sum(linear, scaled(factor = 2, gaussian(gamma = 1)))"
    );
    let error = kernel.set_parameter("second.kernel.gamma", "wide".into());
    assert!(matches!(error, Err(ParameterError::Kind { .. })));
}

/// Texts that are of no kernel: where the fault is, and what is said.
const FAULTY: [(&str, Option<usize>, &str); 27] = [
    (
        "",
        Some(1),
        "found the end, where a kernel, a number or `(` is expected",
    ),
    (
        "linear +",
        Some(9),
        "found the end, where a kernel, a number or `(` is expected",
    ),
    (
        "linear linear",
        Some(8),
        "found `linear`, where `+`, `*` or the end is expected",
    ),
    (
        "(linear",
        Some(8),
        "found the end, where `+`, `*` or `)` is expected",
    ),
    (
        "2",
        Some(2),
        "found the end, where `*` and a kernel is expected",
    ),
    (
        "2 + linear",
        Some(3),
        "found `+`, where `*` and a kernel is expected",
    ),
    (
        "gausian(gamma = 1)",
        Some(1),
        "there is no kernel gausian; the nearest name is gaussian",
    ),
    (
        "linear + Gaussian(gamma = 1)",
        Some(10),
        "there is no kernel Gaussian; the nearest name is gaussian",
    ),
    (
        "gaussian(gama = 1)",
        Some(10),
        "gaussian has no parameter gama; the nearest name is gamma",
    ),
    (
        "gaussian(sigma = 1)",
        Some(10),
        "gaussian has no parameter sigma; there are gamma",
    ),
    (
        "linear(gamma = 1)",
        Some(8),
        "linear has no parameter gamma; there are none",
    ),
    (
        "linear * gaussian",
        Some(10),
        "gaussian needs a value for gamma",
    ),
    (
        "gaussian(gamma = 1, gamma = 2)",
        Some(21),
        "gamma of gaussian is given twice",
    ),
    (
        "gaussian(gamma = -1)",
        Some(10),
        "gamma of gaussian is -1; it must be finite and above 0",
    ),
    (
        "gaussian(gamma = \"wide\")",
        Some(10),
        "the parameter gamma takes a real number, not text",
    ),
    (
        "gaussian(gamma = true)",
        Some(10),
        "the parameter gamma takes a real number, not true or false",
    ),
    (
        "polynomial(degree = 2.5)",
        Some(12),
        "the parameter degree takes an integer, not a real number",
    ),
    (
        "polynomial(degree = 4294967296)",
        Some(12),
        "the parameter degree is to be 4294967296; it must be below 2³²",
    ),
    (
        "polynomial(degree = 0)",
        Some(12),
        "degree of polynomial is 0; it must be at least 1",
    ),
    (
        "matern(smoothness = 2, length_scale = 1)",
        Some(8),
        "smoothness of matern is 2; it must be one of 0.5, 1.5, 2.5",
    ),
    (
        "gaussian(gamma = )",
        Some(18),
        "found `)`, where a number, a list, a text in quotes, `true` or `false` is expected",
    ),
    (
        "gaussian(gamma = 1.2.3)",
        Some(18),
        "found `1`, where a number, a list, a text in quotes, `true` or `false` is expected",
    ),
    (
        "gower(ranges = [1, two])",
        Some(20),
        "found `two`, where a number is expected",
    ),
    (
        "gower(ranges = [1, 2",
        Some(21),
        "found the end, where `,` or `]` is expected",
    ),
    (
        "scaled(factor = 2)",
        Some(1),
        "scaled is made of one other kernel, not 0",
    ),
    (
        "linear(linear)",
        Some(1),
        "linear is made of no other kernel, not 1",
    ),
    (
        "sum(linear, \"text\")",
        Some(13),
        "found `\"`, where a kernel, a number or `(` is expected",
    ),
];

#[test]
fn faults_are_named_and_placed() {
    for (text, position, said) in FAULTY {
        let error = rows().read(text).unwrap_err();
        assert_eq!(
            (error.position, error.fault.to_string().as_str()),
            (position, said),
            "{text}"
        );
    }
    let words = Items::<String>::ready_kernels();
    for (text, position) in [
        ("mismatch(length = 2, mismatches = 1, alphabet = \"ab", 52),
        (
            "mismatch(length = 2, mismatches = 1, alphabet = \"\\x\")",
            51,
        ),
        (
            "mismatch(length = 2, mismatches = 1, alphabet = \"\\u{d800}\")",
            51,
        ),
        ("mismatch(length = 2, mismatches = 1, alphabet = \"\\u", 51),
    ] {
        assert_eq!(
            words.read(text).unwrap_err().position,
            Some(position),
            "{text}"
        );
    }
}

#[test]
fn texts_are_read_as_they_are_printed() {
    let words = Items::<String>::ready_kernels();
    for alphabet in ["ab\"\\\n\t\r\0'é", "\u{1f600}\u{7f}"] {
        let mut kernel = words
            .read("mismatch(length = 2, mismatches = 1, alphabet = \"\")")
            .unwrap();
        kernel.set_parameter("alphabet", alphabet.into()).unwrap();
        assert_eq!(words.read(&kernel.to_string()).unwrap(), kernel);
    }
}

/// However deep: an error, no overflow of the stack.
#[test]
fn nesting_has_an_end() {
    let deep = |text: String| matches!(rows().read(&text).unwrap_err().fault, Fault::Depth { .. });
    assert!(deep("(".repeat(1_000_000)));
    assert!(deep("normalized(".repeat(1_000_000)));
    assert!(deep("linear+".repeat(1_000_000) + "linear"));
    assert!(deep("linear*".repeat(1_000_000) + "linear"));
    assert!(deep("2*".repeat(1_000_000) + "linear"));
    assert!(rows().read(&("linear+".repeat(50) + "linear")).is_ok());
}
