//! Measures what watching costs, and how long work goes on after somebody asked for its end:
//! `cargo bench -p npt-benches --bench watch`; with `-- ridge` only the fits whose names contain that word.
//!
//! Each fit runs in turn without a token, and under one token with a subscriber that takes every span and event. The difference is
//! less than the noise of such times. Therefore the fit runs under a thousand more tokens as well: each check for the end then looks at all of them.
//! From these times follows an upper bound on how often a fit checks, and on what the checks cost without the spans of stages. Then the fit is
//! cancelled at random moments from another thread. The latency is the time from the call of `cancel` to the result of `run`.

use linfa::{Dataset, DatasetBase, prelude::SingleTargetRegression};
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    methods::{
        IterativeKernelRidge,
        linear::{Ridge, Svc},
        model_selection::{Candidates, Folds, GridSearch},
        streaming::CoordinateMoments,
    },
    prelude::*,
    watch::{CancellationToken, Interrupted, Progress, check},
};
use npt_testkit::data;
use std::{
    cell::Cell,
    fmt::Debug,
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};
use tracing::{Event, Id, Metadata, Subscriber, field::Field, span};

const ROUNDS: usize = 9;
/// The number of tokens around the one of a fit.
const MORE: usize = 1000;
const CANCELS: u32 = 20;

/// Takes everything and counts it.
struct Counter;

static TAKEN: AtomicU64 = AtomicU64::new(0);

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "npt"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> Id {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        event.record(&mut |field: &Field, value: &dyn Debug| {
            black_box((field, format!("{value:?}")));
        });
    }

    fn record(&self, _: &Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.1)
}

fn records(samples: usize) -> Array2<f64> {
    data::normal(samples, 10, 1)
}

fn values(samples: usize) -> Dataset<f64, f64, Ix1> {
    let x = records(samples);
    let y = x.map_axis(Axis(1), |row| row[0].sin() - row[1] * row[2]);
    DatasetBase::new(x, y + data::normal(samples, 1, 2).column(0))
}

fn sides(samples: usize) -> Dataset<f64, bool, Ix1> {
    values(samples).map_targets(|value| *value > 0.0)
}

/// A dataset of ten classes: each class is a band of the values, and the bands repeat.
fn classes(samples: usize) -> Dataset<f64, usize, Ix1> {
    let band = |value: &f64| {
        let place = (2.0 * value).rem_euclid(10.0);
        (1..10).filter(|&edge| f64::from(edge) <= place).count()
    };
    values(samples).map_targets(band)
}

type Work<'a> = Box<dyn Fn() + 'a>;

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(values: Vec<f64>) -> f64 {
    quartiles(values)[1]
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// Does `work` under `tokens` tokens, one around the other.
fn under(tokens: usize, work: &dyn Fn()) {
    if tokens == 0 {
        return work();
    }
    let run = CancellationToken::new().run(|| {
        under(tokens - 1, work);
        Ok::<_, ()>(())
    });
    run.expect("nobody cancels it");
}

/// The seconds that a check for the end takes.
struct Look {
    /// A check in a loop that reports its progress, under one token; other checks take less.
    whole: f64,
    /// The additional time at each further token.
    another: f64,
}

impl Look {
    fn measure() -> Self {
        const LOOKS: usize = 100_000;
        let each = |tokens: usize, look: &dyn Fn()| {
            let rounds = (0..ROUNDS).map(|_| {
                let time = Cell::new(0.0);
                under(tokens, &|| time.set(seconds(look)));
                time.get() / LOOKS as f64
            });
            median(rounds.collect())
        };
        let progress = || {
            let mut progress = Progress::start("looks", LOOKS);
            (0..LOOKS).for_each(|done| progress.at(done));
        };
        let checks = || (0..LOOKS).for_each(|_| check());
        Self {
            whole: each(1, &progress),
            another: (each(1 + MORE, &checks) - each(1, &checks)) / MORE as f64,
        }
    }
}

/// The cost of being watched.
struct Cost {
    /// The time of the fit without a token, in seconds.
    alone: f64,
    /// The time under a token, divided by the time without.
    watched: f64,
    /// The number of checks in a fit, and below it the share of the time that they take. Both are upper bounds, from the quartiles that are
    /// farthest apart.
    looks: f64,
    share: f64,
}

fn cost(fit: &Work<'_>, look: &Look) -> Cost {
    fit();
    let (mut alone, mut watched, mut more) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(tracing::subscriber::with_default(
            tracing::subscriber::NoSubscriber::default(),
            || seconds(fit),
        ));
        watched.push(seconds(|| under(1, fit)));
        more.push(seconds(|| under(1 + MORE, fit)));
    }
    let (alone, watched, more) = (median(alone), quartiles(watched), quartiles(more));
    let looks = (more[2] - watched[0]) / (MORE as f64 * look.another);
    Cost {
        alone,
        watched: watched[1] / alone,
        looks,
        share: looks * look.whole / alone,
    }
}

/// The longest time from a call of `cancel` to the end of the work.
fn latency(fit: &Work<'_>, length: f64) -> f64 {
    let mut longest: f64 = 0.0;
    for number in 0..CANCELS {
        // The multiples of the golden ratio, modulo 1, are spread evenly.
        let share = (f64::from(number) * 0.618_033_988_75).fract();
        let token = CancellationToken::new();
        let asked = thread::scope(|scope| {
            let asking = scope.spawn(|| {
                thread::sleep(Duration::from_secs_f64(share * length));
                token.cancel();
                Instant::now()
            });
            let ended = token.run(|| {
                fit();
                Ok::<_, ()>(())
            });
            let now = Instant::now();
            let asked = asking.join().expect("it sleeps and asks");
            match ended {
                Err(Interrupted::Cancelled { .. }) => now.saturating_duration_since(asked),
                _ => Duration::ZERO,
            }
        });
        longest = longest.max(asked.as_secs_f64());
    }
    longest
}

/// The samples that the methods are fitted to.
struct Samples {
    few: Array2<f64>,
    wide: Array2<f64>,
    x: DatasetBase<Array2<f64>, Array1<()>>,
    sides: Dataset<f64, bool, Ix1>,
    many_sides: Dataset<f64, bool, Ix1>,
    classes: Dataset<f64, usize, Ix1>,
    pictures: Dataset<f64, f64, Ix1>,
    some_values: Dataset<f64, f64, Ix1>,
    more_values: Dataset<f64, f64, Ix1>,
    values: Dataset<f64, f64, Ix1>,
    many_values: Dataset<f64, f64, Ix1>,
}

impl Samples {
    fn new() -> Self {
        Self {
            few: records(2000),
            wide: data::normal(200, 3072, 1),
            x: DatasetBase::from(records(4000)),
            sides: sides(4000),
            many_sides: sides(100_000),
            classes: classes(6000),
            pictures: DatasetBase::new(data::normal(2000, 784, 1), values(2000).targets),
            some_values: values(500),
            more_values: values(2000),
            values: values(4000),
            many_values: values(10_000),
        }
    }
}

fn fits_of_few(of: &Samples) -> Vec<(&'static str, Work<'_>)> {
    vec![
        (
            "all principal axes, n = 2000",
            Box::new(|| {
                black_box(Exact::new(kernel()).fit_space(&of.few)).expect("fits");
            }),
        ),
        (
            "20 components, n = 4000",
            Box::new(|| {
                black_box(Kpca::params(20, kernel()).fit(&of.x)).expect("fits");
            }),
        ),
        (
            "SVC, C = 1000, n = 4000",
            Box::new(|| {
                let params = KernelSvc::params(kernel()).method(|svc| svc.c(1000.0));
                black_box(params.fit(&of.sides)).expect("fits");
            }),
        ),
        (
            "linear SVC, C = 1000, n = 100,000",
            Box::new(|| {
                let params = Svc::params().c(1000.0);
                black_box(params.fit(&of.many_sides)).expect("fits");
            }),
        ),
        (
            "SVC of ten classes, n = 6000",
            Box::new(|| {
                black_box(KernelSvc::params(kernel()).fit(&of.classes)).expect("fits");
            }),
        ),
        (
            "SVR, C = 10, n = 4000",
            Box::new(|| {
                let params = KernelSvr::params(kernel()).method(|svr| svr.c(10.0));
                black_box(params.fit(&of.values)).expect("fits");
            }),
        ),
        (
            "Laplacian ridge, n = 2000 of 784 features",
            Box::new(|| {
                let kernel = Laplacian::new(1e-3);
                black_box(KernelRidge::params(kernel).fit(&of.pictures)).expect("fits");
            }),
        ),
        (
            "ridge regression, n = 4000",
            Box::new(|| {
                black_box(KernelRidge::params(kernel()).fit(&of.values)).expect("fits");
            }),
        ),
        (
            "logistic regression, n = 4000",
            Box::new(|| {
                black_box(KernelLogistic::params(kernel()).fit(&of.sides)).expect("fits");
            }),
        ),
        (
            "k-means, 20 clusters, one start, n = 4000",
            Box::new(|| {
                let means = KernelKMeans::params(20, kernel()).method(|m| m.starts(1));
                black_box(means.fit(&of.x)).expect("fits");
            }),
        ),
        (
            "Gaussian process, optimised, n = 500",
            Box::new(|| {
                let process = GaussianProcess::optimized(kernel());
                black_box(process.fit(&of.some_values)).expect("fits");
            }),
        ),
    ]
}

fn fits_of_many(of: &Samples) -> Vec<(&'static str, Work<'_>)> {
    vec![
        (
            "iterative ridge, n = 10,000",
            Box::new(|| {
                let params = IterativeKernelRidge::params(kernel()).method(|m| m.tolerance(1e-3));
                black_box(params.fit(&of.many_values)).expect("fits");
            }),
        ),
        (
            "1000 landmarks, n = 10,000, ridge",
            Box::new(|| {
                let space = Nystrom::new(kernel(), npt::Pivoting::random(1000));
                black_box(Kernelized::new(Ridge::params(), space).fit(&of.many_values))
                    .expect("fits");
            }),
        ),
        (
            "3072 random frequencies of 3072 features",
            Box::new(|| {
                let space = RandomFourier::new(Gaussian::new(1e-4), 3072);
                black_box(space.fit_space(&of.wide)).expect("fits");
            }),
        ),
        (
            "moments of blocks, 500 landmarks, 100,000 rows",
            Box::new(|| {
                let space = Nystrom::new(kernel(), npt::Pivoting::random(500));
                let space = space.fit_space(&of.few).expect("fits").into_parts().0;
                let mut moments = CoordinateMoments::new(&space).expect("there is memory");
                (0..10).for_each(|_| moments.add(&of.many_values).expect("numbers"));
                black_box(moments.into_moments()).expect("numbers");
            }),
        ),
        (
            "grid of 3 × 3, 5 folds, ridge, n = 2000",
            Box::new(|| {
                let spaces = Candidates::new()
                    .over("γ", [0.03, 0.1, 0.3], |g| Exact::new(Gaussian::new(g)));
                let methods =
                    Candidates::new().over("λ", [0.1, 1.0, 10.0], |l| Ridge::params().penalty(l));
                let folds = Folds::k(2000, 5, 0).expect("enough samples");
                let search = GridSearch::new(spaces, methods);
                black_box(search.fit_best(
                    &of.more_values,
                    &folds,
                    |predicted: &Array1<f64>, values: &Array1<f64>| {
                        predicted.r2(values).unwrap_or(f64::NAN)
                    },
                ))
                .expect("fits");
            }),
        ),
    ]
}

fn main() {
    tracing::subscriber::set_global_default(Counter).expect("there is no other");
    let samples = Samples::new();
    let look = Look::measure();
    println!(
        "a look takes {:.0} ns, and {:.1} ns for each token more\n",
        1e9 * look.whole,
        1e9 * look.another
    );
    println!(
        "| fit | alone, s | under a token | looks, at most | their cost, at most | longest from `cancel` to the end, s |\n|---|---|---|---|---|---|"
    );
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words = words.iter().filter(|word| !word.starts_with("--"));
    let is_asked = |name: &str| {
        let mut words = words.clone().peekable();
        words.peek().is_none() || words.any(|word| name.contains(word.as_str()))
    };
    let fits = fits_of_few(&samples)
        .into_iter()
        .chain(fits_of_many(&samples));
    for (name, fit) in fits.filter(|(name, _)| is_asked(name)) {
        let Cost {
            alone,
            watched,
            looks,
            share,
        } = cost(&fit, &look);
        let longest = latency(&fit, alone);
        let share = 100.0 * share;
        println!(
            "| {name} | {alone:.3} | {watched:.3} × | {looks:.0} | {share:.3} % | {longest:.3} |"
        );
    }
    println!(
        "\n{} spans and events were taken",
        TAKEN.load(Ordering::Relaxed)
    );
}
