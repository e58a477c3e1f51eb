//! What it costs to be watched, and how long work goes on after somebody asked for its end:
//! `cargo bench -p npt-benches --bench watch`.
//!
//! Each fit runs in turn without a token, and under one with a subscriber that takes every span and event. Then it is cancelled at
//! random moments, from another thread; the time is that from the call of `cancel` to the result of `run`.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis};
use npt::{
    methods::{IterativeKernelRidge, linear::Ridge},
    prelude::*,
    watch::{CancellationToken, Interrupted},
};
use npt_testkit::data;
use std::{
    fmt::Debug,
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};
use tracing::{Event, Id, Metadata, Subscriber, field::Field, span};

const ROUNDS: usize = 9;
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

fn values(samples: usize) -> Dataset<f64, f64, ndarray::Ix1> {
    let x = records(samples);
    let y = x.map_axis(Axis(1), |row| row[0].sin() - row[1] * row[2]);
    DatasetBase::new(x, y + data::normal(samples, 1, 2).column(0))
}

fn sides(samples: usize) -> Dataset<f64, bool, ndarray::Ix1> {
    values(samples).map_targets(|value| *value > 0.0)
}

type Fit<'a> = Box<dyn Fn() + 'a>;

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The time alone, and that under a token as a share of it.
fn cost(fit: &Fit<'_>) -> (f64, f64) {
    fit();
    let run = || {
        let run = CancellationToken::new().run(|| {
            fit();
            Ok::<_, ()>(())
        });
        run.expect("nobody cancels it");
    };
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        alone.push(tracing::subscriber::with_default(
            tracing::subscriber::NoSubscriber::default(),
            || seconds(fit),
        ));
        watched.push(seconds(run));
    }
    let alone = median(alone);
    (alone, median(watched) / alone)
}

/// The longest time from a call for the end to the end.
fn latency(fit: &Fit<'_>, length: f64) -> f64 {
    let mut longest: f64 = 0.0;
    for number in 0..CANCELS {
        // The multiples of the golden section are spread evenly.
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

fn main() {
    tracing::subscriber::set_global_default(Counter).expect("there is no other");
    let (x, sides, values) = (records(4000), sides(4000), values(4000));
    let few = records(2000);
    let many = self::values(10_000);
    let unlabelled = DatasetBase::<_, Array1<()>>::from(x.clone());
    let fits: Vec<(&str, Fit<'_>)> = vec![
        (
            "all principal axes, n = 2000",
            Box::new(|| {
                black_box(Exact::new(kernel()).fit_space(&few)).expect("fits");
            }),
        ),
        (
            "20 components, n = 4000",
            Box::new(|| {
                black_box(Kpca::params(20, kernel()).fit(&unlabelled)).expect("fits");
            }),
        ),
        (
            "SVC, C = 1000, n = 4000",
            Box::new(|| {
                let params = KernelSvc::params(kernel()).method(|svc| svc.c(1000.0));
                black_box(params.fit(&sides)).expect("fits");
            }),
        ),
        (
            "ridge regression, n = 4000",
            Box::new(|| {
                black_box(KernelRidge::params(kernel()).fit(&values)).expect("fits");
            }),
        ),
        (
            "logistic regression, n = 4000",
            Box::new(|| {
                black_box(KernelLogistic::params(kernel()).fit(&sides)).expect("fits");
            }),
        ),
        (
            "iterative ridge, n = 10,000",
            Box::new(|| {
                let params = IterativeKernelRidge::params(kernel()).method(|m| m.tolerance(1e-3));
                black_box(params.fit(&many)).expect("fits");
            }),
        ),
        (
            "1000 landmarks, n = 10,000, ridge",
            Box::new(|| {
                let space = Nystrom::new(kernel(), npt::Pivoting::random(1000));
                black_box(Kernelized::new(Ridge::params(), space).fit(&many)).expect("fits");
            }),
        ),
    ];
    println!(
        "| fit | alone, s | under a token | longest from `cancel` to the end, s |\n|---|---|---|---|"
    );
    for (name, fit) in &fits {
        let (alone, share) = cost(fit);
        let longest = latency(fit, alone);
        println!("| {name} | {alone:.3} | {share:.3} × | {longest:.3} |");
    }
    println!(
        "{} spans and events were taken",
        TAKEN.load(Ordering::Relaxed)
    );
}
