//! A fit that is watched and stopped: a bar, a cancelled fit with its log, and the best so far.
//!
//! Work runs under a [`CancellationToken`]. A stage that lasts reports its progress by `tracing`. Here a subscriber of thirty lines turns
//! the reports into a bar on the terminal and keeps them as a log. First all principal axes of 2000 samples are found, then of 4000, which take
//! eight times as long. After half of that somebody cancels: the error says what was going on, and the picture `target/watch.svg` shows when.
//! At last a support vector machine with a penalty far too large for its data gets twenty milliseconds, and returns the best model that it has.
//! This is what the program prints:
//!
//! ```text
//! 2000 samples: a space of 1999 dimensions
//! 4000 samples: cancelled during …
//! asked after … s, ended … s later
//! target/watch.svg
//! a machine with C = 10000, whole: 0.… of 1500 samples on their side
//! ended early: support vectors after … rounds, the violation of optimality is …
//! with the best it had: 0.… of 1500 samples on their side
//! ```

use indicatif::{ProgressBar, ProgressStyle};
use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    prelude::*,
    watch::{CancellationToken, Interrupted},
};
use npt_testkit::data;
use plotters::prelude::*;
use std::{
    error::Error,
    fmt::Debug,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};
use tracing::{Event, Id, Metadata, Subscriber, field::Field, span};

fn main() -> Result<(), Box<dyn Error>> {
    let onlooker = Onlooker::new();
    tracing::subscriber::set_global_default(onlooker.clone())?;

    let axes =
        |samples: usize| Exact::new(Gaussian::new(0.1)).fit_space(&data::normal(samples, 10, 1));
    let start = Instant::now();
    println!("2000 samples: a space of {} dimensions", axes(2000)?.rank());
    let patience = 4 * start.elapsed();

    onlooker.begin();
    let token = CancellationToken::new();
    let (start, other) = (Instant::now(), token.clone());
    let tires = thread::spawn(move || {
        thread::sleep(patience);
        other.cancel();
        start.elapsed().as_secs_f64()
    });
    let ended = token.run(|| axes(4000));
    let ended_after = start.elapsed().as_secs_f64();
    let asked_after = tires.join().expect("it sleeps and asks");
    match ended {
        Err(Interrupted::Cancelled { stage }) => println!("4000 samples: cancelled during {stage}"),
        _ => println!("4000 samples: done before anybody tired"),
    }
    println!(
        "asked after {asked_after:.2} s, ended {:.3} s later",
        ended_after - asked_after
    );
    let path = Path::new("target/watch.svg");
    draw(&onlooker.end(), asked_after, ended_after, path)?;
    println!("{}", path.display());

    best_so_far()
}

/// Fits a machine that takes its time, and the same one with a limit of twenty milliseconds.
fn best_so_far() -> Result<(), Box<dyn Error>> {
    let data = sides(1500);
    let params = || KernelSvc::params(Gaussian::new(0.02)).method(|svc| svc.c(10_000.0));
    let right = |predicted: &Array1<bool>| {
        let right = predicted
            .iter()
            .zip(&data.targets)
            .filter(|(a, b)| a == b)
            .count();
        right as f64 / data.targets.len() as f64
    };
    let whole = params().fit(&data)?;
    let share = right(&whole.predict(&data.records));
    println!("a machine with C = 10000, whole: {share:.2} of 1500 samples on their side");
    let token = CancellationToken::new().finish_after(Duration::from_millis(20));
    let early = token.run(|| params().fit(&data))?;
    for one in token.unfinished() {
        let (stage, rounds) = (one.stage, one.iterations);
        println!(
            "ended early: {stage} after {rounds} rounds, {} is {:.2}",
            one.measure, one.value
        );
    }
    let share = right(&early.predict(&data.records));
    println!("with the best it had: {share:.2} of 1500 samples on their side");
    Ok(())
}

/// Samples of two classes that overlap.
fn sides(samples: usize) -> Dataset<f64, bool, Ix1> {
    let x: Array2<f64> = data::normal(samples, 5, 3);
    let side = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[2]);
    let noise = data::normal(samples, 1, 4);
    Dataset::new(x, (side + noise.column(0)).mapv(|v| v > 0.0))
}

/// A report of a stage: its name, the steps that are done, and their total.
#[derive(Debug, Clone, Default)]
struct Told {
    stage: String,
    done: u64,
    total: Option<u64>,
}

/// The reports, each with the seconds since the beginning.
type Log = Vec<(f64, Told)>;

/// A subscriber that shows a bar and keeps a log.
#[derive(Clone)]
struct Onlooker {
    bar: ProgressBar,
    log: Arc<Mutex<(Instant, Log)>>,
}

impl Onlooker {
    fn new() -> Self {
        let style = ProgressStyle::with_template("{msg:30} {wide_bar} {pos}/{len}");
        let bar = ProgressBar::no_length();
        if let Ok(style) = style {
            bar.set_style(style);
        }
        let log = Arc::new(Mutex::new((Instant::now(), Log::new())));
        Self { bar, log }
    }

    fn begin(&self) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), Log::new());
    }

    fn end(&self) -> Log {
        self.bar.finish_and_clear();
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .clone()
    }

    fn take(&self, told: Told) {
        self.bar.set_message(told.stage.clone());
        self.bar.set_length(told.total.unwrap_or(0));
        self.bar.set_position(told.done);
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = log.0.elapsed().as_secs_f64();
        log.1.push((seconds, told));
    }
}

impl tracing::field::Visit for Told {
    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "stage" | "name") {
            value.clone_into(&mut self.stage);
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "done" => self.done = value,
            "total" => self.total = Some(value),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl Subscriber for Onlooker {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "npt"
    }

    fn new_span(&self, stage: &span::Attributes<'_>) -> Id {
        let mut told = Told::default();
        stage.record(&mut told);
        self.take(told);
        Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::default();
        event.record(&mut told);
        self.take(told);
    }

    fn record(&self, _: &Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Draws the progress of each stage over time, and where somebody cancelled.
fn draw(log: &Log, asked: f64, ended: f64, path: &Path) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let root = SVGBackend::new(path, (760, 340)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("A fit that was cancelled", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..1.15 * ended, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_desc("seconds")
        .y_desc("done of the stage")
        .light_line_style(WHITE)
        .draw()?;
    let mut stages: Vec<&str> = Vec::new();
    for (_, told) in log {
        if !stages.contains(&told.stage.as_str()) {
            stages.push(&told.stage);
        }
    }
    for (number, stage) in stages.iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        let of_stage = log.iter().filter(|(_, told)| told.stage == *stage);
        // A stage without steps of its own is a dot where it begins.
        let points = of_stage.map(|(seconds, told)| {
            let total = told.total.unwrap_or(u64::MAX).max(1);
            (*seconds, told.done as f64 / total as f64)
        });
        let points: Vec<(f64, f64)> = points.collect();
        let dots = points.iter().map(|&at| Circle::new(at, 3, color.filled()));
        chart.draw_series(dots)?;
        chart
            .draw_series([PathElement::new(points, color.stroke_width(2))])?
            .label(*stage)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
    }
    for (at, label, color) in [
        (asked, "cancel is called", BLACK),
        (ended, "run returns", RED),
    ] {
        chart
            .draw_series([PathElement::new([(at, 0.0), (at, 1.0)], color)])?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::MiddleMiddle)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}
