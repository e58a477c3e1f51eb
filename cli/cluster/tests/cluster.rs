//! A cluster of processes of this machine, and tables that it reads.

use datafusion::{
    arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray},
    parquet::arrow::ArrowWriter,
};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256Plus;
use std::{
    fs::File,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant, SystemTime},
};
use tempfile::TempDir;

/// The time within which the cluster must be ready, on a machine that does something else, too.
const PATIENCE: Duration = Duration::from_secs(100);

/// The program `npt`, which stands beside npt-cluster if the workspace was built with clusters.
fn npt() -> Command {
    let npt = Path::new(env!("CARGO_BIN_EXE_npt-cluster")).with_file_name("npt");
    assert!(
        npt.exists(),
        "{}: build the workspace with --features npt-cli/cluster first",
        npt.display()
    );
    Command::new(npt)
}

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A scheduler and executors, which end when this value is dropped.
pub struct Cluster {
    port: u16,
    scheduler: Child,
    executors: Vec<Child>,
    folders: Vec<TempDir>,
}

/// The outputs of the tasks that sum: for each executor, the times at which they were made.
pub struct Outputs {
    made: Vec<Vec<SystemTime>>,
}

impl Outputs {
    /// The number of outputs of an executor.
    pub fn of(&self, executor: usize) -> usize {
        self.made[executor].len()
    }
}

impl Cluster {
    pub fn up(executors: usize) -> Self {
        let program = env!("CARGO_BIN_EXE_npt-cluster");
        let port = free_port();
        let scheduler = Command::new(program)
            .args(["scheduler", "--port", &port.to_string()])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let folders: Vec<TempDir> = (0..executors)
            .map(|_| tempfile::tempdir().unwrap())
            .collect();
        let executors = folders.iter().map(|folder| {
            Command::new(program)
                .args([
                    "executor",
                    "--threads",
                    "1",
                    "--scheduler",
                    &format!("127.0.0.1:{port}"),
                ])
                .args(["--port", &free_port().to_string(), "--folder"])
                .arg(folder.path())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        });
        Self {
            port,
            scheduler,
            executors: executors.collect(),
            folders,
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self, executor: usize) {
        // The signal 9: the executor tells nobody that it ends.
        self.executors[executor].kill().unwrap();
        self.executors[executor].wait().unwrap();
    }

    /// Waits until the first stage of the second query, that of the sums, has made outputs that meet the condition. Returns the executor
    /// of the last output.
    pub fn wait_for(&self, condition: impl Fn(&Outputs) -> bool) -> usize {
        let start = Instant::now();
        loop {
            let outputs = self.outputs();
            if condition(&outputs) {
                let last = |made: &Vec<SystemTime>| made.iter().max().copied();
                return (0..self.folders.len())
                    .max_by_key(|&k| last(&outputs.made[k]))
                    .unwrap();
            }
            assert!(start.elapsed() < PATIENCE, "no such outputs");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The outputs of the second query.
    fn outputs(&self) -> Outputs {
        let jobs = |folder: &TempDir| -> Vec<PathBuf> {
            let entries = folder.path().read_dir().unwrap().flatten();
            let paths = entries.map(|entry| entry.path());
            let is_job = |path: &PathBuf| !path.to_string_lossy().contains("datafusion-");
            paths.filter(is_job).collect()
        };
        let mut names: Vec<_> = self.folders.iter().flat_map(jobs).collect();
        names.sort_by_key(|path| path.file_name().unwrap().to_owned());
        names.dedup_by_key(|path| path.file_name().unwrap().to_owned());
        let made = |folder: &TempDir| -> Vec<SystemTime> {
            let Some(job) = names.get(1) else {
                return Vec::new();
            };
            let stage = folder.path().join(job.file_name().unwrap()).join("1");
            let parts = stage.read_dir().into_iter().flatten().flatten();
            let files =
                parts.flat_map(|part| part.path().read_dir().into_iter().flatten().flatten());
            files
                .map(|file| file.metadata().and_then(|file| file.modified()).unwrap())
                .collect()
        };
        Outputs {
            made: self.folders.iter().map(made).collect(),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.executors.iter_mut().chain([&mut self.scheduler]) {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// Parquet files of waves: three numbers, two targets of numbers, one of classes, weights.
pub struct Tables {
    folder: TempDir,
}

impl Tables {
    pub fn made(files: usize, rows: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut rng = Xoshiro256Plus::seed_from_u64(1);
        for k in 0..files {
            let mut column = |range: f64| -> Vec<f64> {
                (0..rows).map(|_| rng.r#gen::<f64>() * range).collect()
            };
            let (a, b, c) = (column(6.0), column(1.0), column(100.0));
            let wave: Vec<f64> = (0..rows).map(|i| a[i].sin() + b[i] * c[i] / 50.0).collect();
            let class = wave
                .iter()
                .map(|wave| if *wave > 0.5 { "high" } else { "low" });
            let batch = RecordBatch::try_from_iter([
                (
                    "class",
                    Arc::new(StringArray::from_iter_values(class)) as ArrayRef,
                ),
                (
                    "twice",
                    Arc::new(
                        wave.iter()
                            .map(|wave| Some(2.0 * wave))
                            .collect::<Float64Array>(),
                    ),
                ),
                ("wave", Arc::new(Float64Array::from(wave))),
                (
                    "weight",
                    Arc::new(Float64Array::from(
                        (0..rows).map(|i| (i % 3) as f64).collect::<Vec<_>>(),
                    )),
                ),
                ("a", Arc::new(Float64Array::from(a))),
                ("b", Arc::new(Float64Array::from(b))),
                ("c", Arc::new(Float64Array::from(c))),
            ])
            .unwrap();
            let file = File::create(folder.path().join(format!("part-{k}.parquet"))).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
        }
        Self { folder }
    }

    pub fn write(&self, file: &str, text: &str) {
        std::fs::write(self.folder.path().join(file), text).unwrap();
    }

    fn command(&self, words: &str) -> Command {
        let mut command = npt();
        command
            .current_dir(self.folder.path())
            .args(words.split(' '))
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program; returns what it says.
    pub fn done(&self, words: &str) -> String {
        let output = self.command(words).output().unwrap();
        let told = told(&output);
        assert!(output.status.success(), "{words}: {told}");
        told
    }

    pub fn fit(&self, task: &str, model: &str) {
        self.done(&fit(task, model));
    }

    /// Runs a fit that fails; returns its exit code and its one line.
    pub fn refused(&self, task: &str) -> (i32, String) {
        let output = self.command(&fit(task, "no.npt")).output().unwrap();
        assert!(!self.folder.path().join("no.npt").exists());
        (output.status.code().unwrap(), told(&output))
    }

    pub fn begin(&self, task: &str, model: &str) -> Running {
        Running(Some(self.command(&fit(task, model)).spawn().unwrap()))
    }

    /// The largest difference between the answers of two models, relative to the largest answer.
    pub fn apart(&self, one: &str, other: &str) -> f64 {
        let answers = |model: &str| -> Vec<f64> {
            let mut numbers = Vec::new();
            for verb in ["predict", "transform"] {
                let output = npt()
                    .current_dir(self.folder.path())
                    .args([verb, model, "part-0.parquet", "-q"])
                    .output()
                    .unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                let values = text.split([',', '\n']).skip(1);
                numbers.extend(values.filter_map(|value| value.parse::<f64>().ok()));
            }
            numbers
        };
        let (one, other) = (answers(one), answers(other));
        assert!(
            one.len() > 1000 && one.len() == other.len(),
            "{} {}",
            one.len(),
            other.len()
        );
        let scale = one.iter().fold(0.0, |max: f64, value| max.max(value.abs()));
        let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
        apart.fold(0.0, f64::max) / scale
    }
}

fn fit(task: &str, model: &str) -> String {
    format!("fit part-*.parquet -q -o {model} {task}")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

/// A fit that runs.
pub struct Running(Option<Child>);

impl Running {
    /// Waits for the end of the fit, which must succeed.
    pub fn done(mut self, within: Duration) {
        let start = Instant::now();
        let child = self.0.as_mut().unwrap();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < within, "it takes too long");
            thread::sleep(Duration::from_millis(50));
        }
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        assert!(output.status.success(), "{}", told(&output));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            drop(child.kill());
            drop(child.wait());
        }
    }
}
