//! Tests work that is cancelled.

use super::{
    onlooker::Turn,
    stages::{ITERATIONS, OTHERS, kernel, sides, unlabelled, x},
};
use ndarray::Array1;
use npt::{
    Kernel, model_file,
    prelude::*,
    tables::{Blocks, Column, Row, Source, SourceError},
    watch::{CancellationToken, Interrupted, check},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::Duration,
};

#[test]
fn every_stage_ends_where_it_is_cancelled() {
    let turn = Turn::take();
    for work in ITERATIONS.iter().chain(OTHERS) {
        let token = turn.cancelled_at(work.stage);
        let stage = work.stage;
        assert_eq!(
            (work.run)(&token),
            Err(Interrupted::Cancelled { stage }),
            "{stage}"
        );
    }
}

/// A kernel that cancels its own work after some values, and counts the values that are computed later.
struct Ending {
    token: CancellationToken,
    after: usize,
    values: AtomicUsize,
    is_ended: AtomicBool,
    late: AtomicUsize,
}

impl Kernel<Rows<f64>> for Ending {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        if self.is_ended.load(Ordering::SeqCst) {
            self.late.fetch_add(1, Ordering::SeqCst);
        }
        if self.values.fetch_add(1, Ordering::SeqCst) == self.after {
            self.token.cancel();
            self.is_ended.store(true, Ordering::SeqCst);
        }
        kernel().eval(a, b)
    }
}

/// Kernel values end within a few: they are computed on all threads, and each thread checks after every sixteen.
#[test]
fn kernel_values_end_within_a_few() {
    let _turn = Turn::take();
    for after in [0, 5_000, 200_000] {
        let token = CancellationToken::new();
        let ending = Ending {
            token: token.clone(),
            after,
            values: AtomicUsize::new(0),
            is_ended: AtomicBool::new(false),
            late: AtomicUsize::new(0),
        };
        let ended = token.run(|| Exact::new(&ending).fit_space(&x(1000)).map(|_| ()));
        let is_cancelled = matches!(ended, Err(Interrupted::Cancelled { .. }));
        assert!(is_cancelled, "{ended:?}");
        let late = ending.late.into_inner();
        let most = 16 * rayon::current_num_threads();
        assert!(late <= most, "{late} values after {after}");
    }
}

#[test]
fn results_under_a_token_are_those_without() {
    let _turn = Turn::take();
    let data = unlabelled(700);
    // There are so many samples that the eigensolver works apart from the thread that waits for it.
    let large = if cfg!(feature = "faer") { 1100 } else { 300 };
    let fit = || {
        let full = Exact::new(kernel()).fit_space(&x(large))?;
        let leading = Exact::new(kernel())
            .rank(Rank::Components(4))
            .fit_space(&data.records)?;
        let new = x(5);
        Ok::<_, npt::Error>((full.coordinates(&new)?, leading.coordinates(&new)?))
    };
    assert_eq!(CancellationToken::new().run(fit).unwrap(), fit().unwrap());
}

#[test]
fn time_that_is_over_is_said_so() {
    let _turn = Turn::take();
    let limit = Duration::ZERO;
    let token = CancellationToken::new().cancel_after(limit);
    let ended = token.run(|| KernelSvc::params(kernel()).fit(&sides(50)).map(|_| ()));
    let Err(Interrupted::DeadlineExceeded { limit: found, .. }) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(found, limit);
    let enough = CancellationToken::new().cancel_after(Duration::from_secs(3600));
    assert!(
        enough
            .run(|| KernelSvc::params(kernel()).fit(&sides(50)))
            .is_ok()
    );
}

#[test]
fn errors_and_panics_of_the_work_are_its_own() {
    let _turn = Turn::take();
    let token = CancellationToken::new();
    let wrong = || {
        let space = Exact::new(Gaussian::new(-1.0)).fit_space(&x(10));
        space.map(|_| ())
    };
    let own = wrong().err().unwrap();
    assert_eq!(token.run(wrong), Err(Interrupted::Failed(own)));
    let panics = || token.run(|| -> Result<(), ()> { panic!("of the work") });
    let panic = catch_unwind(AssertUnwindSafe(panics)).err().unwrap();
    assert_eq!(panic.downcast_ref(), Some(&"of the work"));
}

/// A token that is cancelled ends its own work, and with it all work that runs within.
#[test]
fn tokens_within_tokens() {
    let _turn = Turn::take();
    let (inner, outer) = (CancellationToken::new(), CancellationToken::new());
    let checked = || {
        check();
        Ok::<_, ()>(())
    };
    inner.cancel();
    let ended = outer.run(|| Ok::<_, ()>(inner.run(checked)));
    assert!(matches!(ended, Ok(Err(Interrupted::Cancelled { .. }))));
    let inner = CancellationToken::new();
    outer.cancel();
    let ended = outer.run(|| Ok::<_, ()>(inner.run(checked)));
    assert!(matches!(ended, Err(Interrupted::Cancelled { .. })));
    assert_eq!(checked(), Ok(()), "outside of both");
}

/// A cancelled save leaves no new file, and leaves the old one as it was.
#[test]
fn a_save_that_ends_leaves_no_file() {
    let turn = Turn::take();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    model_file::save(&vec![1.0, 2.0], &path).unwrap();
    let token = turn.cancelled_at("save");
    let ended = token.run(|| model_file::save(&vec![3.0], &path));
    assert_eq!(ended, Err(Interrupted::Cancelled { stage: "save" }));
    assert_eq!(model_file::load::<Vec<f64>>(&path), Ok(vec![1.0, 2.0]));
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

/// A table of numbers and their squares, which cancels its own reading in the middle.
struct Interrupting {
    token: CancellationToken,
    next: u32,
    names: [String; 2],
}

const ROWS: u32 = 200;

impl Source for Interrupting {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        if self.next == ROWS / 2 {
            self.token.cancel();
        }
        let number = f64::from(self.next);
        for column in columns {
            row.number([number, number * number][column.index()]);
        }
        self.next += 1;
        Ok(self.next <= ROWS)
    }
}

/// Rows that were read before the end are part of the next block, unless they were read as samples without targets.
#[test]
fn reading_a_table_goes_on_where_it_ended() {
    let table = || {
        let token = CancellationToken::new();
        let names = ["number".to_owned(), "square".to_owned()];
        let source = Interrupting {
            token: token.clone(),
            next: 0,
            names,
        };
        let blocks = Blocks::of(source).unwrap().target("square").unwrap();
        (token, blocks.rows(1000))
    };
    let stage = "rows of a table";
    let cancelled = Interrupted::Cancelled { stage };

    let (token, mut blocks) = table();
    let ended = token.run(|| blocks.next().transpose()).map(|_| ());
    assert_eq!(ended, Err(cancelled.clone()));
    let block = blocks.next().unwrap().unwrap();
    let numbers = Array1::from_iter((0..ROWS).map(f64::from));
    assert_eq!(block.targets, &numbers * &numbers);
    assert_eq!(block.records.column(0), numbers);
    assert!(blocks.next().is_none());

    let (token, mut blocks) = table();
    assert_eq!(
        token.run(|| blocks.read_records()).map(|_| ()),
        Err(cancelled)
    );
    let block = blocks.next().unwrap().unwrap();
    let first = ROWS - u32::try_from(block.records.nrows()).unwrap();
    assert!(first >= ROWS / 2);
    let numbers = Array1::from_iter((first..ROWS).map(f64::from));
    assert_eq!(block.records.column(0), numbers);
    assert_eq!(block.targets, &numbers * &numbers);
}
