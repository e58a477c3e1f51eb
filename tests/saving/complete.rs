//! Tests that no type is forgotten: every type that can be read from a file is in a kept file.

use super::{items::names, support::type_of, visitors::golden_folder};
use npt::{ReadyKernels, Rows};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The types that are in no kept file, each with the reason.
const OTHERS: [(&str, &str); 1] = [(
    "Search",
    "it is read from what people write, and never written",
)];

/// The public types that are `Deserialize`, from the list of the public API.
fn public_types() -> Vec<&'static str> {
    let mut types = Vec::new();
    let mut of = "";
    for line in include_str!("../../docs/api.txt").lines() {
        if !line.starts_with(' ') {
            let path = line.split(' ').next().unwrap_or_default();
            of = path.rsplit("::").next().unwrap_or_default();
        } else if line.contains("Deserialize<'de> for ") && types.last() != Some(&of) {
            types.push(of);
        }
    }
    types
}

/// The paths of all sources in a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The variants of all enums that derive `Deserialize`, public or not: `Enum::Variant`.
fn variants(source: &str) -> Vec<String> {
    let mut variants = Vec::new();
    for item in source.split("serde::Deserialize").skip(1) {
        let Some((before, after)) = item.split_once('{') else {
            continue;
        };
        let declaration = before.lines().last().unwrap_or_default();
        let Some((_, name)) = declaration.split_once("enum ") else {
            continue;
        };
        let name: String = name.chars().take_while(|c| c.is_alphanumeric()).collect();
        let body = after.split("\n}").next().unwrap_or_default();
        let of = body.lines().filter_map(|line| line.strip_prefix("    "));
        let of = of.filter(|line| line.starts_with(char::is_uppercase));
        let of = of.map(|line| line.split(|c: char| !c.is_alphanumeric()).next());
        variants.extend(of.flatten().map(|variant| format!("{name}::{variant}")));
    }
    variants
}

#[test]
fn whatever_can_be_kept_is_in_a_kept_file() {
    // The files of parameters are kept by the tests of their crate.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let folders = [golden_folder(), crates.join("npt-methods/tests/kept")];
    let files = folders.map(|folder| fs::read_dir(folder).unwrap());
    let kept: BTreeSet<String> = files
        .into_iter()
        .flatten()
        .flat_map(|file| names(&fs::read(file.unwrap().path()).unwrap()))
        .map(|name| type_of(&name))
        .flat_map(|name| {
            let of_enum = name.split_once("::").map(|(name, _)| name.to_owned());
            of_enum.into_iter().chain([name])
        })
        .collect();
    let types = public_types();
    assert!(types.len() > 150, "{types:?}");
    let variants: Vec<String> = ["npt-core", "npt-methods", "npt-export"]
        .iter()
        .flat_map(|name| sources(&crates.join(name).join("src")))
        .flat_map(|path| variants(&fs::read_to_string(path).unwrap()))
        .collect();
    assert!(variants.len() > 40, "{variants:?}");
    let others = OTHERS.map(|(name, _)| name);
    // `laws/catalogue.rs` writes each of these kernels to a file and reads it again.
    let entries = Rows::<f64>::ready_kernels();
    let kernels: Vec<String> = entries
        .entries()
        .iter()
        .map(|entry| type_of(entry.name()))
        .collect();
    let all = types.into_iter().map(str::to_owned).chain(variants);
    let forgotten: Vec<String> = all
        .filter(|name| !kept.contains(name) && !kernels.contains(name))
        .filter(|name| !others.contains(&&**name))
        .collect();
    assert_eq!(forgotten, [""; 0]);
    let needless: Vec<&str> = others
        .into_iter()
        .filter(|name| kept.contains(*name))
        .collect();
    assert_eq!(needless, [""; 0]);
}
