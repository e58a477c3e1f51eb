//! Work on a pool of threads, which Python's signals interrupt.

use crate::errors::exception;
use npt::{
    estimator::Error,
    watch::{CancellationToken, Interrupted, Snapshot},
};
use pyo3::{
    exceptions::{PyRuntimeError, PyTimeoutError, PyValueError},
    prelude::*,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// The time between two checks for signals by a thread that waits.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// A piece of work: the time that it may take, the function that is told how far it is, and the iterations that ended early.
#[pyclass(frozen, module = "npt._npt")]
pub(crate) struct Work {
    token: CancellationToken,
    /// Called while the work goes on, with how far it is; where it returns `True`, iterations end with the best that they have.
    tell: Option<Py<PyAny>>,
}

#[pymethods]
impl Work {
    /// Work that is cancelled after `max_seconds`, and whose iterations end with the best that they have after `max_iterations`, if these are
    /// given. While it goes on, `tell(stage, done, total, measure, value)` is called; where it returns `True`, iterations end, too.
    #[new]
    #[pyo3(signature = (max_seconds=None, tell=None, max_iterations=None))]
    fn new(
        max_seconds: Option<f64>,
        tell: Option<Py<PyAny>>,
        max_iterations: Option<usize>,
    ) -> PyResult<Self> {
        let mut token = CancellationToken::new();
        if let Some(seconds) = max_seconds {
            let limit = Duration::try_from_secs_f64(seconds).map_err(|_| {
                PyValueError::new_err(format!(
                    "max_seconds is {seconds}; it must be finite and at least 0"
                ))
            })?;
            token = token.cancel_after(limit);
        }
        if let Some(most) = max_iterations {
            token = token.finish_after_iterations(most);
        }
        Ok(Self { token, tell })
    }

    /// The stages that iterated, each with its name and the largest number of iterations of its runs.
    fn iterations(&self) -> Vec<(&'static str, usize)> {
        self.token.iterations()
    }

    /// Iterations that ended early: stage, iterations, measure, value.
    fn unfinished(&self) -> Vec<(&'static str, usize, &'static str, f64)> {
        let list = self.token.unfinished().into_iter();
        list.map(|one| (one.stage, one.iterations, one.measure, one.value))
            .collect()
    }
}

/// The pool of threads of one process. A fork has none of the threads of its parent.
struct Pool {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// The number of threads: the value of `OMP_NUM_THREADS`, or the number of cores.
fn default_threads() -> usize {
    let said = std::env::var("OMP_NUM_THREADS").ok();
    let said = said.and_then(|text| text.split(',').next()?.trim().parse().ok());
    said.filter(|&threads| threads > 0)
        .or_else(|| thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
}

fn with_threads(threads: usize) -> PyResult<Pool> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("npt-{index}"))
        .build()
        .map_err(|error| {
            PyRuntimeError::new_err(format!("threads could not be started: {error}"))
        })?;
    Ok(Pool {
        process: process::id(),
        threads,
        pool: Arc::new(pool),
    })
}

fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(own) = kept.as_ref().filter(|pool| pool.process == process::id()) {
        return Ok(Arc::clone(&own.pool));
    }
    let threads = kept
        .as_ref()
        .map_or_else(default_threads, |pool| pool.threads);
    // To drop the pool of the parent would be to wait forever for its threads, which do not exist in this process.
    std::mem::forget(kept.take());
    let own = kept.insert(with_threads(threads)?);
    Ok(Arc::clone(&own.pool))
}

/// Sets the number of threads of all work that begins from now on.
#[pyfunction]
pub(crate) fn set_threads(threads: usize) -> PyResult<()> {
    if threads == 0 {
        return Err(PyValueError::new_err("threads is 0; it must be at least 1"));
    }
    let new = with_threads(threads)?;
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.replace(new) {
        Some(of_parent) if of_parent.process != process::id() => std::mem::forget(of_parent),
        _ => {}
    }
    Ok(())
}

/// The number of threads of work.
#[pyfunction]
pub(crate) fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}

type Ended<T> = Result<Result<T, Interrupted<Error>>, Box<dyn Any + Send>>;

/// Does the work with the GIL released. A signal for which Python has an exception, `KeyboardInterrupt` above all, ends it.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    asked: Option<&Work>,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let token = asked.map_or_else(CancellationToken::new, |work| work.token.clone());
    let (sender, receiver) = mpsc::channel();
    let of_thread = token.clone();
    pool()?.spawn(move || {
        let ended: Ended<T> = catch_unwind(AssertUnwindSafe(|| of_thread.run(work)));
        // If this fails, nobody waits for the result any more.
        let _ = sender.send(ended);
    });
    let tell = asked.and_then(|work| work.tell.as_ref());
    match wait(py, receiver, &token, tell)? {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(Interrupted::Failed(error))) => Err(exception(error)),
        Ok(Err(ended)) => Err(PyTimeoutError::new_err(ended.to_string())),
        Err(panic) => Err(PyRuntimeError::new_err(said(&*panic))),
    }
}

fn wait<T: Send>(
    py: Python<'_>,
    mut receiver: Receiver<Ended<T>>,
    token: &CancellationToken,
    tell: Option<&Py<PyAny>>,
) -> PyResult<Ended<T>> {
    let mut told = None;
    loop {
        let (back, ended) = py.detach(move || {
            let ended = receiver.recv_timeout(PATIENCE);
            (receiver, ended)
        });
        receiver = back;
        match ended {
            Ok(ended) => return Ok(ended),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let looked = py.check_signals().and_then(|()| match tell {
                    Some(tell) => told_of(py, token, tell, &mut told),
                    None => Ok(()),
                });
                if let Err(exception) = looked {
                    token.cancel();
                    py.detach(move || receiver.recv().ok());
                    return Err(exception);
                }
            }
        }
    }
}

/// Calls `tell` if there is news.
fn told_of(
    py: Python<'_>,
    token: &CancellationToken,
    tell: &Py<PyAny>,
    told: &mut Option<Snapshot>,
) -> PyResult<()> {
    let now = token.progress();
    let Some(news) = now.filter(|_| now != *told) else {
        return Ok(());
    };
    *told = now;
    let Snapshot {
        stage,
        done,
        total,
        measure,
        value,
        ..
    } = news;
    if tell
        .call1(py, (stage, done, total, measure, value))?
        .is_truthy(py)?
    {
        token.finish();
    }
    Ok(())
}

/// The text of a panic. A panic is a fault of the library, and the interpreter survives it.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a fault of npt: {}", text.unwrap_or("unknown"))
}
