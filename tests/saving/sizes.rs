//! Tests how large the files of some models are, beside their samples and coefficients: the table of `docs/keeping.md`.

use ndarray::{Array1, Array2, Axis};
use npt::{linfa::DatasetBase, model_file::to_bytes, prelude::*};
use npt_testkit::data;
use petgraph::graph::UnGraph;
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeSet;

const NUMBER: usize = size_of::<f64>();

/// Prints a line of the table, and checks that the file is at most `most` times the expansion.
fn line<M: Serialize + DeserializeOwned>(what: &str, model: &M, expansion: usize, most: f64) {
    let file = to_bytes(model).unwrap().len();
    let ratio = file as f64 / expansion as f64;
    println!("| {what} | {expansion} | {file} | {ratio:.2} |");
    assert!((1.0..most).contains(&ratio), "{what}: {ratio}");
}

fn records() -> Array2<f64> {
    data::normal(1000, 10, 1)
}

fn sides() -> DatasetBase<Array2<f64>, Array1<bool>> {
    let records = records();
    let sides = records.map_axis(Axis(1), |row| row[0] * row[1] > 0.0);
    DatasetBase::new(records, sides)
}

fn values() -> DatasetBase<Array2<f64>, Array1<f64>> {
    let records = records();
    let values = records.map_axis(Axis(1), |row| row[0] * row[1]);
    DatasetBase::new(records, values)
}

/// The files are as small as the documentation says; with `--nocapture` the test prints the table.
#[test]
fn files_are_as_small_as_the_documentation_says() {
    let kernel = Gaussian::new(0.05);
    println!("| model | samples and coefficients | file | ratio |\n|---|---|---|---|");

    let model = KernelSvc::params(kernel).fit(&sides()).unwrap();
    let support = model.expansion().samples().view().nrows();
    let what = format!("`KernelSvc`, {support} support vectors of 10 features");
    line(&what, &model, support * (10 + 1) * NUMBER, 1.2);

    let model = KernelRidge::params(kernel).fit(&values()).unwrap();
    line(
        "`KernelRidge`, 1000 samples",
        &model,
        1000 * 11 * NUMBER,
        1.05,
    );

    let model = Kpca::params(3, kernel)
        .fit(&DatasetBase::from(records()))
        .unwrap();
    line(
        "`Kpca`, 1000 samples, 3 components",
        &model,
        1000 * 13 * NUMBER,
        1.05,
    );

    let model = GaussianProcess::params(kernel)
        .noise(0.1)
        .fit(&values())
        .unwrap();
    let what =
        "`GaussianProcess`, 1000 samples: a factor of 1000 × 1000 numbers more, for variances";
    line(what, &model, 1000 * 11 * NUMBER, 95.0);

    let few = |space: Exact<Gaussian<f64>>| Nystrom::new(*space.kernel(), Pivoting::random(100));
    let model = KernelRidge::params(kernel)
        .space(few)
        .fit(&values())
        .unwrap();
    line(
        "`KernelRidge`, 100 landmarks",
        &model,
        100 * 11 * NUMBER,
        1.2,
    );

    let model = KernelRidge::params(kernel)
        .space(few)
        .by_coordinates()
        .fit(&values())
        .unwrap();
    let what = "the same by coordinates: what the space is made of is more";
    line(what, &model, 100 * 11 * NUMBER, 20.0);

    let words: Vec<String> = (0..1000_u32)
        .map(|i| format!("word{:07}", i * 7919 % 1_000_003))
        .collect();
    let bytes = words.iter().map(String::len).sum::<usize>();
    let targets = Array1::from_iter(
        words
            .iter()
            .map(|word| word.len() as f64 + word.matches('1').count() as f64),
    );
    let words = DatasetBase::new(Items::new(words).unwrap(), targets);
    let model = KernelRidge::params(Spectrum::new(2)).fit(&words).unwrap();
    line(
        "`KernelRidge`, 1000 texts of 11 letters",
        &model,
        bytes + 1000 * NUMBER,
        1.2,
    );

    let sets: Vec<BTreeSet<u32>> = (0..1000)
        .map(|i| (0..10).map(|k| i * k % 97).collect())
        .collect();
    let elements = sets.iter().map(BTreeSet::len).sum::<usize>();
    let targets = Array1::from_iter(sets.iter().map(|set| set.len() as f64));
    let sets = DatasetBase::new(Items::new(sets).unwrap(), targets);
    let model = KernelRidge::params(Jaccard::new()).fit(&sets).unwrap();
    line(
        "`KernelRidge`, 1000 sets of up to 10 numbers",
        &model,
        elements * 4 + 1000 * NUMBER,
        2.5,
    );

    let graphs: Vec<UnGraph<u8, ()>> = (0..300_u32)
        .map(|i| UnGraph::from_edges((1..12).map(|node| (node, node * (i % 5) / 5))))
        .collect();
    let targets = Array1::from_iter((0..graphs.len()).map(|i| (i % 5) as f64));
    let graphs = DatasetBase::new(Items::new(graphs).unwrap(), targets);
    let model = KernelRidge::params(WeisfeilerLehman::new(2))
        .fit(&graphs)
        .unwrap();
    line(
        "`KernelRidge`, 300 graphs of 12 nodes and 11 edges",
        &model,
        300 * (12 + 11 * 8 + NUMBER),
        5.0,
    );
}
