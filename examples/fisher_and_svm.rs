//! Fisher's discriminant with kernels against support vectors, on the benchmark sets on which they
//! were first compared.
use linfa::Dataset;
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    FoldBack,
    methods::{
        linear::{Chain, Lda, LdaParams, Svc, SvcParams},
        model_selection::{Folds, GridSearch, Scores, accuracy},
    },
    prelude::*,
};
use npt_testkit::datasets;
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;
use std::{error::Error, time::Instant};

type Data = Dataset<f64, bool, Ix1>;
type Failure = KernelizedError<npt::methods::Error>;

/// A benchmark set: training and test samples, and the published test errors in percent.
struct Benchmark {
    name: &'static str,
    training: usize,
    test: usize,
    svm: f64,
    fisher: f64,
}

const fn benchmark(
    name: &'static str,
    (training, test): (usize, usize),
    (svm, fisher): (f64, f64),
) -> Benchmark {
    Benchmark {
        name,
        training,
        test,
        svm,
        fisher,
    }
}

const BENCHMARKS: [Benchmark; 11] = [
    benchmark("banana", (400, 4900), (11.5, 10.8)),
    benchmark("breast_cancer", (200, 77), (26.0, 25.8)),
    benchmark("diabetis", (468, 300), (23.5, 23.2)),
    benchmark("german", (700, 300), (23.6, 23.7)),
    benchmark("heart", (170, 100), (16.0, 16.1)),
    benchmark("image", (1300, 1010), (3.0, 4.8)),
    benchmark("ringnorm", (400, 7000), (1.7, 1.5)),
    benchmark("thyroid", (140, 75), (4.8, 4.2)),
    benchmark("titanic", (150, 2051), (22.4, 23.2)),
    benchmark("twonorm", (400, 7000), (3.0, 2.6)),
    benchmark("waveform", (400, 4600), (9.9, 9.9)),
];

/// Parameters are chosen on the first splits.
const CHOOSING: usize = 5;
const FOLDS: usize = 5;
/// Kernel widths σ² of exp(−‖x − y‖²/σ²) a feature, penalties of the SVM, and ridges of the discriminant.
const WIDTHS: [f64; 7] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
const PENALTIES: [f64; 6] = [0.1, 1.0, 10.0, 100.0, 1e3, 1e4];
const RIDGES: [f64; 6] = [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0];
/// Penalty of the support vector machine that finds the threshold on the discriminant, whose scores
/// have a variance within classes of at most 1/n.
const THRESHOLD: f64 = 10.0;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = datasets::folder() else {
        println!("skipped: set NPT_DATA to a folder with the benchmark sets in ida/");
        return Ok(());
    };
    let only: Vec<String> = std::env::args().skip(1).collect();
    let splits = if std::env::var_os("NPT_FULL").is_some() {
        100
    } else {
        10
    };
    println!("                     test error in percent, {splits} splits              published");
    println!("                 SVM         KFD         KFD, nearest mean     SVM   KFD");
    for benchmark in BENCHMARKS {
        if !only.is_empty() && !only.iter().any(|o| o == benchmark.name) {
            continue;
        }
        let (x, label) = datasets::ida(&folder, benchmark.name)?;
        let start = Instant::now();
        run(&benchmark, &Dataset::new(x, label), splits)?;
        eprintln!("{:?}", start.elapsed());
    }
    Ok(())
}

fn run(benchmark: &Benchmark, data: &Data, splits: u64) -> Result<(), Box<dyn Error>> {
    let splits: Vec<(Data, Data)> = (0..splits)
        .map(|seed| split(data, benchmark, seed))
        .collect::<Result<_, _>>()?;

    let fisher = |ridge| discriminant(ridge, benchmark.training);
    let machines = PENALTIES.map(|c| Svc::<f64>::params().c(c));
    let (space, svm) = choose(&splits, &machines)?;
    let svm = errors(&splits, &Kernelized::new(svm, space))?;
    let (space, fisher) = choose(&splits, &RIDGES.map(fisher))?;
    let nearest = Kernelized::new(fisher.first().clone(), space.clone());
    let fisher = errors(&splits, &Kernelized::new(fisher, space))?;
    let nearest = errors(&splits, &nearest)?;
    print!("{:<14}", benchmark.name);
    for errors in [svm, fisher, nearest] {
        let mean = errors.mean().unwrap_or(f64::NAN);
        print!(
            " {mean:>5.1} ± {:<4.1}",
            errors.std(1.0) / (errors.len() as f64).sqrt()
        );
    }
    println!("     {:>5.1} {:>5.1}", benchmark.svm, benchmark.fisher);
    Ok(())
}

fn discriminant(ridge: f64, samples: usize) -> Chain<LdaParams, SvcParams> {
    let discriminant = Lda::<f64, bool>::params().ridge(ridge);
    Chain::new(
        discriminant,
        Svc::<f64>::params().c(THRESHOLD * samples as f64),
    )
}

/// The kernel and the method with the best accuracy in cross-validation: medians over the first splits.
fn choose<M, O, const N: usize>(
    splits: &[(Data, Data)],
    methods: &[M; N],
) -> Result<(Exact<Gaussian<f64>>, M), Box<dyn Error>>
where
    M: Clone + Sync + Fit<Array2<f64>, Array1<bool>, npt::methods::Error, Object = O>,
    O: PredictInplace<Array2<f64>, Array1<bool>>,
{
    let features = splits[0].0.records.ncols() as f64;
    let space = |width| Exact::new(Gaussian::new(1.0 / (width * features))).axes(Axes::Cholesky);
    let spaces = WIDTHS.map(space);
    let search = GridSearch::new(spaces.clone(), methods.clone());
    let (mut best_spaces, mut best_methods) = (Vec::new(), Vec::new());
    for (seed, (training, _)) in splits.iter().take(CHOOSING).enumerate() {
        let folds = Folds::stratified(training, FOLDS, seed as u64)?;
        let scores: Scores<npt::methods::Error> =
            search.scores(training, &folds, |p: &Array1<bool>, t| accuracy(p, t))?;
        for (c, f, e) in scores.failures() {
            eprintln!("{c:?} {f} {e:?}");
        }
        let best = scores.best().ok_or("no candidate could be fitted")?;
        best_spaces.push(best.space);
        best_methods.push(best.method);
    }
    let (space, method) = (median(best_spaces), median(best_methods));
    eprintln!("width {} method {}", WIDTHS[space], method);
    Ok((spaces[space].clone(), methods[method].clone()))
}

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values[values.len() / 2]
}

/// Test errors in percent, one a split.
fn errors<M, O>(
    splits: &[(Data, Data)],
    estimator: &Kernelized<M, Exact<Gaussian<f64>>>,
) -> Result<Array1<f64>, Failure>
where
    M: Fit<Array2<f64>, Array1<bool>, npt::methods::Error, Object = O>,
    O: FoldBack<f64>,
    O::Folded: PredictInplace<Array2<f64>, Array1<bool>>,
{
    let error = |(training, test): &(Data, Data)| {
        let predicted = estimator.fit(training)?.fold()?.predict(test);
        Ok(100.0 * (1.0 - accuracy(&predicted, test.targets())))
    };
    splits.iter().map(error).collect()
}

/// Training and test samples, drawn at random.
fn split(data: &Data, benchmark: &Benchmark, seed: u64) -> Result<(Data, Data), Box<dyn Error>> {
    let mut order: Vec<usize> = (0..data.records.nrows()).collect();
    order.shuffle(&mut Xoshiro256Plus::seed_from_u64(seed));
    let (training, rest) = order.split_at(benchmark.training);
    let of = |rows: &[usize]| {
        Dataset::new(
            data.records.select(Axis(0), rows),
            data.targets.select(Axis(0), rows),
        )
    };
    let (training, test) = (of(training), of(&rest[..benchmark.test]));
    let scaler = LinearScaler::standard().fit(&training)?;
    Ok((scaler.transform(training), scaler.transform(test)))
}
