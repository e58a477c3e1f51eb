//! Memory: predictions hold no copy of the records, and fits in single precision take half.

use ndarray::Array2;
use npt_estimator::{Ability, Data, Estimator, Model, Targets};
use npt_testkit::data;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SAMPLES: usize = 200_000;
const COLUMNS: usize = 28;

/// The result of `work`, and the most memory that it takes beside the memory in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage() - before)
}

/// A model behind a transformer, fitted to a few samples.
fn model(method: &str, space: &str) -> Model {
    let few = data::normal(200, COLUMNS, 2);
    let targets = few.column(0).to_owned();
    let estimator = Estimator::new(method, "gaussian(gamma = 0.02)")
        .and_then(|estimator| estimator.space(space))
        .and_then(|estimator| estimator.transformer("standard_scaler"));
    let estimator = estimator.expect("names of the lists");
    let fitted = match method.split('(').next() {
        Some("kpca") => estimator.fit(&Data::from(few), ()),
        Some("svc" | "logistic") => {
            let labels: Vec<bool> = targets.iter().map(|&target| target > 0.0).collect();
            estimator.fit(&Data::from(few), labels)
        }
        _ => estimator.fit(&Data::from(few), targets),
    };
    fitted.expect("data that the method takes")
}

/// New records pass the border a block at a time: beside them, memory holds the answers and a few blocks. This is the only test of
/// its file, as the memory of other tests in the same process would count.
#[test]
fn records_are_not_copied() {
    let x = data::normal(SAMPLES, COLUMNS, 1).mapv(|v| 3.0 * v + 1.0);
    let size = x.len() * 8;
    // The rows are whole panels, so that the answers about few samples are those about many.
    let few = Data::from(x.slice(ndarray::s![..2048, ..]).to_owned());
    let single = Data::from(x.mapv(|v| v as f32));
    let new = Data::from(x);
    let ask = |model: &Model, data: &Data| -> Array2<f64> {
        let answer = if model.has(Ability::Transform) {
            model.transform(data)
        } else if model.has(Ability::DecisionFunction) {
            model.decision_function(data)
        } else {
            model.predict(data).map(|predictions| {
                let numbers = predictions.numbers();
                numbers.expect("a regression").clone()
            })
        };
        answer.expect("data of the columns of the fit")
    };
    for (method, space, coordinates) in [
        ("ridge", "exact", 0),
        ("svr", "exact", 0),
        ("svc", "nystrom(landmarks = 20)", 0),
        ("logistic", "random_fourier(frequencies = 2)", 4),
        ("gaussian_process", "exact", 0),
        ("kpca(components = 2)", "nystrom(landmarks = 20)", 0),
    ] {
        let model = model(method, space);
        // Thread pools and the buffers of matrix products are allocated once, for any size.
        let first = ask(&model, &few);
        let (answers, taken) = peak(|| ask(&model, &new));
        assert_eq!(answers.slice(ndarray::s![..2048, ..]), first, "{method}");
        // The values or coordinates, and the answers made of them.
        let columns = answers.ncols().max(coordinates);
        let results = (columns + 2 * answers.ncols()) * SAMPLES * 8;
        println!("{method} in {space}: {taken} bytes beside records of {size}");
        assert!(taken < results + size / 4, "{method} in {space}: {taken}");
    } // Records of f32 are widened a block at a time.
    let model = model("ridge", "exact");
    let first = ask(&model, &few);
    let (answers, taken) = peak(|| ask(&model, &single));
    let error = (&answers.slice(ndarray::s![..2048, ..]) - &first).mapv(f64::abs);
    assert!(error.iter().all(|&error| error < 1e-5));
    println!("ridge of f32: {taken} bytes beside records of {}", size / 2);
    assert!(taken < 3 * SAMPLES * 8 + size / 8, "{taken}");

    // A fit shares the records that it is given.
    let estimator = Estimator::new("ridge(penalty = 1)", "gaussian(gamma = 0.02)")
        .and_then(|estimator| estimator.space("random_fourier(frequencies = 1)"));
    let targets = ndarray::Array1::from_iter((0..SAMPLES).map(|i| (i % 7) as f64));
    let fit = || estimator.expect("names of the lists").fit(&new, targets);
    let (model, taken) = peak(fit);
    model.expect("data that the method takes");
    println!("a fit: {taken} bytes beside records of {size}");
    assert!(taken < size / 2, "{taken}");

    single_precision_takes_half();
}

/// A fit in single precision has kernel values in 4 bytes where full precision has 8, but for 256 rows of them.
fn single_precision_takes_half() {
    const SAMPLES: usize = 2000;
    let x = Data::from(data::normal(SAMPLES, COLUMNS, 3));
    let targets: Vec<f64> = (0..SAMPLES).map(|i| (i % 7) as f64).collect();
    let taken = |method: &str| {
        // A kernel of full rank: others have few coordinates.
        let estimator = Estimator::new(method, "laplacian(gamma = 0.1)").expect("a method");
        let fit = || estimator.fit(&x, targets_of(method, &targets));
        let (model, taken) = peak(fit);
        model.expect("data that the method takes");
        println!("a fit of {method}: {taken} bytes");
        taken
    };
    let matrix = 4 * SAMPLES * SAMPLES;
    for method in ["ridge(", "kpca(components = 2, "] {
        let full = taken(&format!("{method}precision = \"full\")"));
        let single = taken(&format!("{method}precision = \"single\")"));
        assert!(full > 2 * matrix, "{full}");
        assert!(single > matrix && single < full * 6 / 10, "{single}");
    }
}

fn targets_of(method: &str, numbers: &[f64]) -> Targets {
    if method.starts_with("kpca") {
        Targets::None
    } else {
        numbers.to_vec().into()
    }
}
