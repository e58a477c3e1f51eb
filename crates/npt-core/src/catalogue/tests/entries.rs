//! Entries of all catalogues: their values, descriptions, ranges and defaults.

use super::{
    super::{Catalogue, Entry, Fault, NamedKernel, ParameterEntry, Parts, Range, ReadyKernels},
    rows,
};
use crate::{
    Description, Items, Kernel, KernelRows, Parameter, ParameterValue, Rows, Samples, Scalar,
    SparseRows,
};
use ndarray::array;
use petgraph::{Graph, Undirected};
use sprs::TriMat;
use std::collections::BTreeSet;

/// A value within a range that is not the default.
fn inside(range: Range, features: usize) -> ParameterValue {
    match range {
        Range::Real => (-0.75).into(),
        Range::Positive | Range::NotNegative => 1.75.into(),
        Range::Share | Range::ProperFraction => 0.625.into(),
        Range::OneOf(values) => values[0].into(),
        Range::AtLeast(least) => (least + 1).into(),
        Range::Positives | Range::NotNegatives => vec![0.75; features].into(),
        Range::Text => "abn".into(),
        Range::Word(words) => words[0].into(),
        Range::Boolean => true.into(),
    }
}

/// Values of the right kind outside of a range.
fn outside(range: Range) -> Vec<ParameterValue> {
    let reals = |values: &[f64]| values.iter().map(|&v| v.into()).collect::<Vec<_>>();
    match range {
        Range::Real => reals(&[f64::NAN, f64::INFINITY]),
        Range::Positive => reals(&[0.0, -1.0, f64::NAN, f64::INFINITY]),
        Range::Share => reals(&[0.0, 1.5, f64::NAN]),
        Range::ProperFraction => reals(&[0.0, 1.0, f64::NAN]),
        Range::OneOf(_) => reals(&[0.75]),
        Range::AtLeast(least) => least.checked_sub(1).map(Into::into).into_iter().collect(),
        Range::Positives => vec![vec![1.0, 0.0].into(), vec![f64::NAN].into()],
        Range::NotNegatives => vec![vec![1.0, -1.0].into(), vec![f64::INFINITY].into()],
        Range::NotNegative => reals(&[-1.0, f64::NAN, f64::INFINITY]),
        Range::Word(_) => vec!["no such word".into()],
        Range::Text | Range::Boolean => Vec::new(),
    }
}

/// A kernel of a catalogue, the samples that it is tried on, and the text of the kernel that each of its parts is.
struct Case<'a, S, F> {
    catalogue: &'a Catalogue<S, F>,
    entry: &'a Entry<S, F>,
    /// The samples, and the number of their features.
    samples: (&'a S, usize),
    part: &'a str,
}

impl<S: Samples, F: Scalar> Case<'_, S, F> {
    /// Values of all parameters, none of them a default. `other` replaces the value of one parameter.
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
            // As many parts as there are values in a list.
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

    /// The printed text and the description both make the same kernel again.
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

    /// A value out of range is refused by the catalogue, and by the kernel's `check` if it can be set at all.
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
                of: self.entry.name().to_owned(),
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
    check_catalogue(
        &ReadyKernels::ready_kernels(),
        (&known, 1),
        "precomputed(positive_semidefinite = true)",
    );
}
