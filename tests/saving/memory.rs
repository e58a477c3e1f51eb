//! Tests the memory that loading takes: for every kept file, for files with forged lengths, and for large files of each kind of samples and
//! of fitted models.

use super::{
    each,
    items::{body, end, heads, sealed},
    support::{Predicted, Visitor, in_another_process},
    visitors::{Kept, golden},
};
use ndarray::{Array1, Array2, Axis};
use npt::{
    KernelRows, SparseRows,
    linfa::Dataset,
    methods::{
        linear::Ridge,
        model_selection::{Candidates, Folds, GridSearch},
        streaming::ClassMoments,
    },
    model_file::{Contents, from_bytes, load, save},
    prelude::*,
};
use npt_testkit::data;
use peak_alloc::PeakAlloc;
use petgraph::graph::{Graph, IndexType, UnGraph};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    env, fs,
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory that loading may take, in sizes of the file: if its lists are numbers, and whatever its lists are.
const OF_NUMBERS: usize = 4;
const OF_ANY: usize = 40;

/// The bytes that are not counted, whatever the size of the file.
const FREE: usize = 64 << 10;

/// The result of `work`, and the most memory that it takes.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage() - before)
}

const ALONE: &str = "NPT_MEMORY_ALONE";

/// Runs in the process that the next test starts, where no other test allocates; elsewhere, it does nothing.
#[test]
fn measures_alone() {
    if env::var_os(ALONE).is_some() {
        each(&mut Loads);
        large_samples();
        large_models();
    }
}

#[test]
fn loading_takes_forty_times_the_file_at_most() {
    in_another_process("memory::measures_alone", "1", |command| {
        command.env(ALONE, "");
    });
}

/// A visitor that loads every kept file, and forges its lengths.
struct Loads;

impl Visitor for Loads {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        _: impl Fn(&M) -> Predicted,
    ) {
        let path = golden(name);
        let bytes = fs::read(&path).unwrap();
        let (kept, taken) = measured(|| load::<Kept<M>>(&path));
        assert!(kept.is_ok());
        let most = OF_ANY * bytes.len() + FREE;
        assert!(taken <= most, "{name}: {taken} of {most}");
        for (place, forged) in forged_lengths(&bytes) {
            // The file itself is in memory before.
            let most = (OF_ANY - 1) * forged.len() + FREE;
            let (_, taken) = measured(|| from_bytes::<Kept<M>>(&forged).is_ok());
            assert!(
                taken <= most,
                "{name}, length at {place}: {taken} of {most}"
            );
            let (_, taken) = measured(|| Contents::from_bytes(&forged).is_ok());
            assert!(
                taken <= most,
                "{name}, contents at {place}: {taken} of {most}"
            );
        }
    }
}

/// The number of elements that a forged list claims, with at least as many bytes behind it; as numbers they would take eight bytes each.
const LONG: u32 = 12_000;

/// The file with a forged length in each of its lists, maps, texts and blocks in turn: each claims [`LONG`] elements. The elements are
/// such as take one byte in the file, or are like the first one.
fn forged_lengths(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut all = Vec::new();
    for head in heads(bytes) {
        if !(2..=5).contains(&head.major) {
            continue;
        }
        let first = match head.major {
            4 | 5 if head.argument > 0 => &bytes[head.next..end(bytes, head.next)],
            _ => &[0],
        };
        // The number 0, an empty text, an empty list, an empty map, null.
        for fill in [&[0x00], &[0x60], &[0x80], &[0xA0], &[0xF6], first] {
            let count = LONG / u32::try_from(fill.len()).unwrap();
            let length = if fill.len() == 1 { LONG } else { count };
            let mut forged = bytes[..head.place].to_vec();
            // The length has four bytes.
            forged.push((head.major << 5) + 26);
            forged.extend(length.to_be_bytes());
            forged.extend(fill.repeat(count as usize));
            forged.extend([0; 4]);
            assert!(head.place >= body(bytes));
            all.push((head.place, sealed(forged)));
        }
    }
    all
}

/// Saves samples or a model, and loads them again, in at most `times` the size of the file.
fn large<T: Serialize + DeserializeOwned>(times: usize, what: &str, value: T) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.npt");
    save(&value, &path).unwrap();
    drop(value);
    let length = usize::try_from(fs::metadata(&path).unwrap().len()).unwrap();
    let (loaded, taken) = measured(|| load::<T>(&path));
    assert!(loaded.is_ok(), "{what}: {:?}", loaded.err());
    let most = times * length + FREE;
    assert!(taken <= most, "{what}: {taken} of {most}");
    println!(
        "{what}: {length} bytes, {:.2} times that in memory",
        taken as f64 / length as f64
    );
    assert!(length > 1 << 20, "{what}: {length} bytes are not large");
}

fn ring<N: Clone, Ix: IndexType>(label: N, nodes: usize) -> UnGraph<N, (), Ix> {
    let mut graph = Graph::default();
    let nodes: Vec<_> = (0..nodes).map(|_| graph.add_node(label.clone())).collect();
    for (place, &node) in nodes.iter().enumerate() {
        graph.add_edge(node, nodes[(place + 1) % nodes.len()], ());
    }
    graph
}

fn items<T: Clone>(of: impl Fn(u32) -> T, count: u32) -> Items<T> {
    Items::new((0..count).map(of).collect()).unwrap()
}

fn large_samples() {
    let times = OF_ANY;
    large(
        OF_NUMBERS,
        "numbers",
        Rows::new(data::normal(3 << 17, 1, 1)).unwrap(),
    );
    large(times, "graphs", items(|_| ring::<u8, u32>(1, 12), 10_000));
    large(
        times,
        "wide indices",
        items(|_| ring::<u8, usize>(1, 12), 10_000),
    );
    large(times, "a graph", items(|_| ring::<u8, u32>(1, 150_000), 1));
    large(
        times,
        "labels",
        items(|_| ring::<String, u32>("C".into(), 9), 10_000),
    );
    let set = |size: u32| move |first: u32| (first..first + size).collect::<BTreeSet<u32>>();
    large(times, "sets of one", items(set(1), 200_000));
    large(times, "sets", items(set(65), 10_000));
    large(times, "a set", items(set(600_000), 1));
    let bytes = |first: u32| {
        (0..9)
            .map(|more| (first % 200) as u8 + more)
            .collect::<BTreeSet<u8>>()
    };
    large(times, "sets of bytes", items(bytes, 120_000));
    let table = |size: u32| move |first: u32| (first..first + size).collect::<HashSet<u32>>();
    large(times, "tables of one", items(table(1), 200_000));
    large(times, "tables", items(table(57), 10_000));
    large(times, "a table", items(table(600_000), 1));
    let bytes = |first: u32| {
        (0..8)
            .map(|more| (first % 200) as u8 + more)
            .collect::<HashSet<u8>>()
    };
    large(times, "tables of bytes", items(bytes, 120_000));
    large(
        times,
        "strings",
        items(|number| (number % 10).to_string(), 600_000),
    );
    large(
        times,
        "long strings",
        items(|number| "a".repeat(20 + number as usize % 40), 80_000),
    );
    let pair = |number: u32| (number.to_string(), set(3)(number));
    large(times, "pairs", items(pair, 80_000));
    large(times, "lists", items(|number| vec![number; 3], 150_000));
    let map = |number: u32| BTreeMap::from([(number.to_string(), vec![1.0; 3])]);
    large(times, "maps", items(map, 50_000));
    let thin = data::normal(30_000, 50, 1).mapv(|value| if value > 1.0 { value } else { 0.0 });
    let sparse = sprs::CsMat::csr_from_dense(thin.view(), 0.0);
    large(OF_NUMBERS, "sparse rows", SparseRows::new(&sparse).unwrap());
    let x = data::normal(700, 5, 1);
    large(
        OF_NUMBERS,
        "kernel rows",
        KernelRows::training(x.dot(&x.t()).view()).unwrap(),
    );
    let few = Array2::from_shape_fn((60_000, 2), |(i, k)| (i * k) as f64);
    large(
        OF_NUMBERS,
        "short kernel rows",
        KernelRows::new_samples(few.view()).unwrap(),
    );
}

/// Checks fitted models. The largest lists of the first three have little more than 2ᵏ numbers: there a list that doubles as it grows takes
/// the most memory for its length.
fn large_models() {
    let kernel = Gaussian::new(0.01);
    let x = data::normal(514, 5, 1);
    let values = Dataset::new(x.clone(), x.column(0).to_owned());
    let process = GaussianProcess::params(kernel).noise(0.1);
    large(OF_NUMBERS, "a factor", process.fit(&values).unwrap());
    large(
        OF_NUMBERS,
        "a space",
        Exact::new(kernel).fit_space(&x).unwrap(),
    );

    let landmarks = Nystrom::new(kernel, Pivoting::random(300));
    let many = data::normal(3496, 5, 2);
    large(OF_NUMBERS, "landmarks", landmarks.fit_space(&many).unwrap());
    let many = data::normal(3000, 100, 2);
    let sides = many.map_axis(Axis(1), |row| row[0] * row[1] > 0.0);
    let machine = KernelSvc::params(kernel).fit(&Dataset::new(many, sides));
    large(OF_NUMBERS, "a machine", machine.unwrap());

    let wide = data::normal(100, 400, 3);
    let sides = wide.map_axis(Axis(1), |row| row[0] > 0.0);
    let mut moments = ClassMoments::with_class_scatters(400);
    moments.add(&Dataset::new(wide, sides)).unwrap();
    large(OF_NUMBERS, "scatters", moments);

    let spaces = Candidates::new().over("γ", [0.01, 0.1], |g| Exact::new(Gaussian::new(g)));
    let methods = [0.1, 1.0].map(|penalty| Ridge::params().penalty(penalty));
    let folds = Folds::k(514, 2, 1).unwrap();
    let error = |found: &Array1<f64>, truth: &Array1<f64>| -(found - truth).pow2().sum();
    let search = GridSearch::new(spaces, methods).by_coordinates();
    let best = search.fit_best(&values, &folds, error).unwrap();
    large(
        OF_NUMBERS,
        "what a search finds",
        best.map_errors(|error| error.to_string()),
    );
}
