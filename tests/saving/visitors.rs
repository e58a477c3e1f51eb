//! Tests that every model can be loaded, in this process and in others, and that the kept files can still be loaded.

use super::{
    each,
    items::sealed,
    support::{Predicted, Visitor, in_another_process},
};
use npt::model_file::{Contents, Error, from_bytes, load, save};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeSet,
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::Instant,
};

/// A model, and its predictions.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept<M> {
    pub(super) model: M,
    predictions: Vec<f64>,
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// A visitor that saves every model in a folder, and loads it again.
struct Saves<'a>(&'a Path);

impl Visitor for Saves<'_> {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        fit: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let model = fit();
        let predictions = predict(&model).unwrap();
        assert!(!predictions.is_empty(), "{name} predicts nothing");
        let path = self.0.join(name).with_extension("npt");
        save(&Kept { model, predictions }, &path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let kept: Kept<M> = load(&path).unwrap();
        let again = predict(&kept.model).unwrap();
        assert_eq!(
            bits(&again),
            bits(&kept.predictions),
            "{name} predicts something else"
        );
        let text = Contents::load(&path).unwrap().to_string();
        assert!(text.starts_with("Kept\n  model: "), "{name}: {text}");
    }
}

/// A visitor that loads every model of a folder.
struct Loads<'a>(&'a Path);

impl Visitor for Loads<'_> {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let kept: Kept<M> = load(self.0.join(name).with_extension("npt")).unwrap();
        assert_eq!(
            bits(&predict(&kept.model).unwrap()),
            bits(&kept.predictions),
            "{name}"
        );
    }
}

const FOLDER: &str = "NPT_SAVED_MODELS";

/// Runs in the processes that the next test starts; alone, it does nothing.
#[test]
fn loads_what_another_process_saved() {
    if let Some(folder) = env::var_os(FOLDER) {
        each(&mut Loads(Path::new(&folder)));
    }
}

#[test]
fn every_model_predicts_the_same_bits_in_another_process_on_one_thread_and_two() {
    let folder = tempfile::tempdir().unwrap();
    each(&mut Saves(folder.path()));
    for threads in ["1", "2"] {
        let test = "visitors::loads_what_another_process_saved";
        in_another_process(test, threads, |command| {
            command.env(FOLDER, folder.path());
        });
    }
}

pub(super) fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

pub(super) fn golden(name: &str) -> PathBuf {
    golden_folder().join(name).with_extension("npt")
}

/// A visitor that loads every kept file, and if it is asked to, writes those that are missing.
struct Golden {
    seen: BTreeSet<PathBuf>,
}

impl Visitor for Golden {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        fit: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let path = golden(name);
        self.seen.insert(path.clone());
        if !path.exists() && env::var_os("NPT_NEW_GOLDEN").is_some() {
            let model = fit();
            let predictions = predict(&model).unwrap();
            save(&Kept { model, predictions }, &path).unwrap();
        }
        let kept: Kept<M> = load(&path).unwrap_or_else(|error| panic!("{error}"));
        // Other processors, and the other linear algebra, round differently: in single precision by more.
        let tolerance = if name.ends_with("_f32") { 1e-6 } else { 1e-9 };
        let scale = kept
            .predictions
            .iter()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        let predicted = predict(&kept.model).unwrap();
        assert_eq!(predicted.len(), kept.predictions.len(), "{name}");
        for (now, then) in predicted.iter().zip(&kept.predictions) {
            assert!(
                (now - then).abs() <= tolerance * scale,
                "{name}: {now}, not {then}"
            );
        }
    }
}

#[test]
fn kept_files_keep_loading() {
    let mut visitor = Golden {
        seen: BTreeSet::new(),
    };
    each(&mut visitor);
    let files = fs::read_dir(golden_folder()).unwrap();
    let files: BTreeSet<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    let unseen: Vec<_> = files.difference(&visitor.seen).collect();
    assert!(unseen.is_empty(), "no test loads {unseen:?}");
}

/// The files that are damaged in every run: of each kind of samples, and of the largest parts. With `NPT_FULL=1` all others are, too.
const DAMAGED: [&str; 10] = [
    "kernel_subsequence",
    "kernel_weisfeiler_lehman",
    "kernel_sparse",
    "kernel_precomputed",
    "pipeline",
    "random_fourier_structured",
    "kernel_svc_of_classes",
    "gaussian_process_by_coordinates",
    "best_of_kernels",
    "parameters",
];

/// A visitor that damages kept files, and counts those of the list.
struct Damages(usize);

impl Visitor for Damages {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        _: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let is_full = env::var_os("NPT_FULL").is_some();
        let is_chosen = DAMAGED.contains(&name);
        self.0 += usize::from(is_chosen);
        if !is_chosen && !is_full {
            return;
        }
        let bytes = fs::read(golden(name)).unwrap();
        for length in 0..bytes.len() {
            let error = from_bytes::<Kept<M>>(&bytes[..length]).err();
            let is_typed = matches!(error, Some(Error::Length { .. } | Error::NotAModelFile));
            assert!(is_typed, "{name}, cut at {length}: {error:?}");
        }
        let mut changed = bytes.clone();
        for place in 0..bytes.len() {
            for change in [0x01, 0x80] {
                changed[place] ^= change;
                assert!(
                    from_bytes::<Kept<M>>(&changed).is_err(),
                    "{name}, byte {place}"
                );
                changed[place] ^= change;
            }
        }
        let (step, changes) = if is_full {
            (1, &[0x15, 0x01, 0x02, 0x08, 0x40, 0x80, 0xFF][..])
        } else {
            (7, &[0x15][..])
        };
        for place in (0..bytes.len()).step_by(step) {
            for change in changes {
                changed[place] ^= change;
                forged(
                    &sealed(changed.clone()),
                    &predict,
                    &format!("{name}, byte {place}"),
                );
                changed[place] = bytes[place];
            }
        }
        assert!(from_bytes::<Kept<M>>(&changed).is_ok());
    }
}

/// Checks a damaged file whose checksum is right. It may be another model: then its predictions or a typed error come in time.
fn forged<M: DeserializeOwned>(bytes: &[u8], predict: &impl Fn(&M) -> Predicted, what: &str) {
    let start = Instant::now();
    let predicted = catch_unwind(AssertUnwindSafe(|| {
        let kept = from_bytes::<Kept<M>>(bytes).ok()?;
        Some(predict(&kept.model).is_ok())
    }));
    assert!(predicted.is_ok(), "{what}: panics");
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{what}: takes {seconds} s");
}

#[test]
fn damaged_files_are_refused() {
    let mut damages = Damages(0);
    each(&mut damages);
    assert_eq!(damages.0, DAMAGED.len());
}
