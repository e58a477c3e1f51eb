//! Tests that a low-rank problem never holds a matrix of the size of the kernel matrix, and predictions hold no copy of the records.

use ndarray::Array1;
use npt::prelude::*;
use npt_testkit::data;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The result of `work`, and the most memory that it takes beside what was taken before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage() - before)
}

/// Runs all tests of this file as one: others in the same process would count.
#[test]
fn memory_is_that_of_the_result() {
    low_rank_fits_in_little_memory();
    records_are_not_copied();
    fits_let_go_of_records();
}

/// Checks that a method that is fitted to coordinates has no copy of the records beside them.
fn fits_let_go_of_records() {
    let (samples, landmarks) = (100_000, 40);
    let x = data::normal(samples, 28, 1);
    let targets = x.column(0).to_owned();
    let data = linfa::Dataset::new(x, targets);
    let ridge = KernelRidge::params(Gaussian::new(0.02));
    let ridge = ridge.space(|space| space.with_landmarks(Pivoting::uniform(landmarks)));
    let (_, taken) = peak(|| ridge.fit(&data).unwrap());
    let coordinates = samples * landmarks * 8;
    println!("a fit: {taken} bytes, coordinates of {coordinates}");
    // These are the coordinates, their centred copy, and the transpose of that; the records would be 0.7 of one more.
    assert!(taken < 7 * coordinates / 2, "{taken} of {coordinates}");
}

fn low_rank_fits_in_little_memory() {
    let n = 4000;
    let x = data::normal(n, 2, 1);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let exact = Exact::new(Gaussian::new(0.5)).axes(axes);
        // Thread pools and the buffers of matrix products are allocated once, for any size.
        exact.fit_space(&data::normal(600, 2, 2)).unwrap();
        let (space, peak) = peak(|| exact.fit_space(&x).unwrap());
        let rank = space.rank();
        assert!((50..400).contains(&rank), "rank {rank}");
        // The bound is a quarter of the kernel matrix, which has 128 million bytes.
        assert!(peak < n * n * 8 / 4, "{peak} bytes at rank {rank}");
    }
}

/// Checks that new records pass the border a block at a time: beside them there are only the predictions and a few blocks.
fn records_are_not_copied() {
    let (m, columns) = match std::env::var_os("NPT_FULL") {
        Some(_) => (1_000_000, 28),
        None => (200_000, 28),
    };
    let x = data::normal(m, columns, 1);
    let few = data::normal(200, columns, 2);
    let targets = few.column(0).to_owned();
    let few = linfa::Dataset::new(few, targets);
    let kernel = Gaussian::new(0.02);
    let ridge = KernelRidge::params(kernel).fit(&few).unwrap();
    let svr = KernelSvr::params(kernel).fit(&few).unwrap();
    let space = Nystrom::new(kernel, Pivoting::random(5)).fit_space(&few);
    let space = space.unwrap();
    let size = x.len() * 8;
    let is_little = |what: &str, results: usize, taken: usize| {
        println!("{what}: {taken} bytes beside records of {size}, results of {results}");
        assert!(taken < results + size / 4, "{what}: {taken} of {size}");
    };
    let (predicted, taken) = peak(|| ridge.predict(&x));
    let results: &Array1<f64> = &predicted;
    // There are the values, and the targets made of them.
    is_little("ridge", 2 * results.len() * 8, taken);
    let (predicted, taken) = peak(|| svr.predict(&x));
    let results: &Array1<f64> = &predicted;
    is_little("svr", 2 * results.len() * 8, taken);
    let process = GaussianProcess::params(kernel).fit(&few).unwrap();
    let (predicted, taken) = peak(|| process.predict_with_variance(&x).unwrap());
    is_little("variances", 4 * predicted.1.len() * 8, taken);
    let unlabelled = linfa::DatasetBase::from(few.records.clone());
    let detector = NoveltyDetector::params(kernel).space(|space| space.rank(Rank::Components(5)));
    let detector = detector.fit(&unlabelled).unwrap();
    let (errors, taken) = peak(|| detector.reconstruction_errors(&x).unwrap());
    is_little("novelty", 2 * errors.len() * 8, taken);
    let (y, taken) = peak(|| space.coordinates(&x).unwrap());
    is_little("coordinates", y.len() * 8, taken);
}
