//! Tests of the seeds, and of seeds with small changes.

use npt_fuzz::{TARGETS, model_file};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(target)
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder(target)).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds
}

/// Seeds are run as they are, cut short, and with bytes changed, left out and doubled.
#[test]
fn seeds_and_their_changes() {
    for (target, run) in TARGETS {
        for seed in seeds(target) {
            run(&seed);
            let step = seed.len().div_ceil(200).max(1);
            for place in (0..seed.len()).step_by(step) {
                run(&seed[..place]);
                run(&[&seed[..place], &seed[place + 1..]].concat());
                run(&[&seed[..=place], &seed[place..]].concat());
                for change in [0x01, 0x80, 0xFF] {
                    let mut changed = seed.clone();
                    changed[place] ^= change;
                    run(&changed);
                }
            }
        }
    }
}

/// Seeds of models are models; they are written to their folder if `NPT_NEW_SEEDS` is set.
#[test]
fn seeds_of_models_are_models() {
    for (place, bytes) in model_file::seeds().iter().enumerate() {
        if env::var_os("NPT_NEW_SEEDS").is_some() {
            fs::write(folder("model_file").join(format!("{place:02}.npt")), bytes).unwrap();
        }
        model_file::run(bytes);
    }
}
