//! Times the hot paths one by one, at small sizes too: `cargo bench -p npt-benches --bench hot_paths`.

// The macros make public items without documentation.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Ix1};
use npt::{
    methods::{
        linear::{RidgePath, Svc},
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
    tables::CsvBlocks,
};
use npt_core::{centered_gram, linalg};
use npt_testkit::data::normal;
use std::{fmt::Write as _, time::Duration};

const SIZES: [usize; 3] = [50, 500, 2000];

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.1)
}

fn sides(n: usize) -> Dataset<f64, bool, Ix1> {
    let x = normal(n, 10, 1);
    let sides = x.map_axis(ndarray::Axis(1), |row| {
        row[0] + 2.0 * row[3].sin() > 0.2 * row[1]
    });
    Dataset::new(x, sides)
}

fn kernels(c: &mut Criterion) {
    let mut group = c.benchmark_group("kernel");
    for n in SIZES {
        let x = Rows::new(normal(n, 10, 1)).expect("finite");
        let single = Rows::new(normal(n, 10, 1).mapv(|v| v as f32)).expect("finite");
        group.bench_function(BenchmarkId::new("gram", n), |b| {
            b.iter(|| kernel().gram(&x));
        });
        group.bench_function(BenchmarkId::new("gram, f32", n), |b| {
            b.iter(|| Gaussian::new(0.1_f32).gram(&single));
        });
        group.bench_function(BenchmarkId::new("gram, centred", n), |b| {
            b.iter(|| centered_gram(&kernel(), &x));
        });
        group.bench_function(BenchmarkId::new("cross", n), |b| {
            b.iter(|| kernel().cross(&x, &x));
        });
    }
    group.finish();
}

fn algebra(c: &mut Criterion) {
    let mut group = c.benchmark_group("linalg");
    for n in SIZES {
        let k =
            kernel().gram(&Rows::new(normal(n, 10, 1)).expect("finite")) + Array2::<f64>::eye(n);
        group.bench_function(BenchmarkId::new("product", n), |b| {
            b.iter(|| linalg::product(k.view(), k.view()));
        });
        group.bench_function(BenchmarkId::new("cholesky", n), |b| {
            b.iter(|| linalg::cholesky(&k));
        });
        group.bench_function(BenchmarkId::new("eigh", n), |b| b.iter(|| linalg::eigh(&k)));
    }
    group.finish();
}

fn spaces(c: &mut Criterion) {
    let mut group = c.benchmark_group("space");
    for n in SIZES {
        let (x, new) = (normal(n, 10, 1), normal(1000, 10, 2));
        for axes in [Axes::Cholesky, Axes::Principal] {
            let builder = Exact::new(kernel()).axes(axes);
            group.bench_function(BenchmarkId::new(format!("{axes:?} axes"), n), |b| {
                b.iter(|| builder.fit_space(&x));
            });
        }
        let space = Exact::new(kernel()).axes(Axes::Cholesky).fit_space(&x);
        let space = space.expect("a space");
        group.bench_function(BenchmarkId::new("coordinates of 1000", n), |b| {
            b.iter(|| space.coordinates(&new));
        });
    }
    group.finish();
}

fn methods(c: &mut Criterion) {
    let mut group = c.benchmark_group("method");
    for n in SIZES {
        let data = sides(n);
        let regression = Dataset::new(data.records.clone(), data.records.column(0).mapv(f64::sin));
        for bound in [1.0, 100.0] {
            let params = KernelSvc::params(kernel()).method(|m| m.c(bound));
            group.bench_function(BenchmarkId::new(format!("C-SVC, C = {bound}"), n), |b| {
                b.iter(|| params.fit(&data));
            });
        }
        let model = KernelSvc::params(kernel()).fit(&data).expect("two classes");
        let new = normal(1000, 10, 2);
        group.bench_function(BenchmarkId::new("predict 1000", n), |b| {
            b.iter(|| -> Array1<bool> { model.predict(&new) });
        });
        // One row at a time, as a service gets them. scikit-learn's SVC takes at least 100 µs a row, nearly all of it around LIBSVM.
        let (row, support) = (new.row(0), model.expansion().coefficients().nrows());
        let row = row.to_slice().expect("row-major");
        let name = format!("predict one row, {support} support vectors");
        group.bench_function(BenchmarkId::new(name, n), |b| {
            b.iter(|| -> bool { model.predict_row(row).expect("finite") });
        });
        group.bench_function(BenchmarkId::new("ridge", n), |b| {
            b.iter(|| KernelRidge::params(kernel()).fit(&regression));
        });
        let penalties: Vec<f64> = (0..50)
            .map(|i| 10.0_f64.powf(f64::from(i) / 8.0 - 4.0))
            .collect();
        let path = Kernelized::new(RidgePath::params(&penalties), Exact::new(kernel()));
        group.bench_function(BenchmarkId::new("ridge path", n), |b| {
            b.iter(|| path.fit(&regression));
        });
        let records = DatasetBase::from(data.records.clone());
        group.bench_function(BenchmarkId::new("10 components", n), |b| {
            b.iter(|| Kpca::params(10, kernel()).fit(&records));
        });
    }
    group.finish();
}

/// Times fits on either side of the points where the code changes its way: a rank is low or not, all samples or landmarks map new ones,
/// one or several starts of an L1 component climb together.
fn crossings(c: &mut Criterion) {
    let mut group = c.benchmark_group("crossing");
    for n in [1024, 2048] {
        for rank in [n / 20 - 1, n / 20 + 1] {
            let x = normal(n, rank, 1);
            let name = |method: &str| BenchmarkId::new(format!("{method} of rank {rank}"), n);
            let numbers = Dataset::new(x.clone(), x.column(0).mapv(f64::sin));
            group.bench_function(name("ridge"), |b| {
                b.iter(|| KernelRidge::params(Linear::new()).fit(&numbers));
            });
            group.bench_function(name("5 components"), |b| {
                b.iter(|| Kpca::params(5, Linear::new()).fit(&numbers));
            });
            let sides = Dataset::new(x.clone(), x.column(0).mapv(|v| v > 0.0));
            group.bench_function(name("C-SVC"), |b| {
                b.iter(|| KernelSvc::params(Linear::new()).fit(&sides));
            });
        }
    }
    let (x, new) = (normal(8000, 4, 1), normal(1000, 4, 2));
    let smooth = Exact::new(Gaussian::new(0.05));
    for (by, builder) in [
        ("all samples", smooth.clone()),
        ("landmarks", smooth.landmarks_only(true)),
    ] {
        let space = builder.fit_space(&x).expect("a space");
        let name = format!("coordinates of 1000 by {by}, rank {}", space.rank());
        group.bench_function(BenchmarkId::new(name, 8000), |b| {
            b.iter(|| space.coordinates(&new));
        });
    }
    let x = normal(4000, 4000, 1);
    for starts in [1, 4, 16, 32, 64] {
        let axes = normal(4000, starts, 2);
        group.bench_function(BenchmarkId::new("two products with axes", starts), |b| {
            b.iter(|| linalg::product(x.t(), linalg::product(x.view(), axes.view()).view()));
        });
    }
    group.finish();
}

fn cross_validation(c: &mut Criterion) {
    let mut group = c.benchmark_group("cross-validation");
    for n in SIZES {
        let data = sides(n);
        let folds = Folds::stratified(&data, 5, 0).expect("five folds");
        let methods = [0.1, 1.0, 10.0].map(|bound| Svc::params().c(bound));
        let search = GridSearch::new([Exact::new(kernel())], methods);
        group.bench_function(BenchmarkId::new("3 C × 5 folds", n), |b| {
            b.iter(|| search.scores(&data, &folds, |p: &Array1<bool>, t| accuracy(p, t)));
        });
    }
    group.finish();
}

/// Times the reading of CSV files of 12 columns: numbers with all their digits, some values in quotes, and a column of text that is not read.
fn tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("csv");
    for n in SIZES {
        let (mut plain, mut quoted) = (String::new(), String::new());
        for row in normal(n, 12, 1).rows() {
            let mut values: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(plain, "{}", values.join(",")).expect("room");
            values[3] = format!("\"{}\"", values[3]);
            writeln!(
                quoted,
                "{},\"a \"\"text\"\",\nof two lines\"",
                values.join(",")
            )
            .expect("room");
        }
        let places: Vec<String> = (0..11).map(|place| place.to_string()).collect();
        for (name, text) in [("numbers", &plain), ("quotes", &quoted)] {
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| {
                    let blocks = CsvBlocks::without_names(text.as_bytes()).expect("a row");
                    let blocks = blocks.select(&places).expect("columns").target("11");
                    blocks.expect("a column").read().expect("numbers")
                });
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500));
    targets = kernels, algebra, spaces, methods, crossings, cross_validation, tables
}
criterion_main!(benches);
