//! Tests every fit once more: the same seed gives the same bits, and another number of threads the same to rounding.
//!
//! The fits run in processes of their own, with more samples than one panel of the linear algebra has: the fits of the other tests are too
//! small to be divided.

use super::{
    each,
    support::{Predicted, SAMPLES, Visitor, in_another_process},
};
use npt::model_file::{load, save};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The variable that names the folder for the predictions of a process.
const TO: &str = "NPT_PREDICTIONS";

/// A visitor that fits every model, and writes its predictions.
struct Predicts(PathBuf);

impl Visitor for Predicts {
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        fit: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    ) {
        let predictions = predict(&fit()).unwrap_or_else(|error| panic!("{name}: {error}"));
        save(&predictions, self.0.join(name)).unwrap();
    }
}

/// Runs in the processes that the next test starts; alone, it does nothing.
#[test]
fn predicts_in_another_process() {
    if let Some(folder) = env::var_os(TO) {
        each(&mut Predicts(PathBuf::from(folder)));
    }
}

fn predict(folder: &Path, threads: &str) {
    let test = "determinism::predicts_in_another_process";
    in_another_process(test, threads, |command| {
        command.env(TO, folder).env(SAMPLES, "300");
    });
}

#[test]
fn fits_depend_on_neither_chance_nor_threads() {
    let [first, again, on_two] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    predict(first.path(), "1");
    predict(again.path(), "1");
    predict(on_two.path(), "2");
    let mut other_bits = Vec::new();
    for entry in first.path().read_dir().unwrap() {
        let name = entry.unwrap().file_name();
        let of = |folder: &Path| load::<Vec<f64>>(folder.join(&name)).unwrap();
        let (one, two) = (of(first.path()), of(on_two.path()));
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let name = name.to_string_lossy();
        assert_eq!(bits(&one), bits(&of(again.path())), "{name}: chance");
        let scale = one
            .iter()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        for (one, two) in one.iter().zip(&two) {
            assert!(
                (one - two).abs() <= 1e-10 * scale,
                "{name}: {one} on one thread, {two} on two"
            );
        }
        if bits(&one) != bits(&two) {
            other_bits.push(name.into_owned());
        }
    }
    assert_eq!(
        other_bits, [""; 0],
        "what is promised bit for bit has other bits on two threads"
    );
}
