//! The page of all names agrees with the lists.

use super::{matrix, targets_of, with_required};
use npt_core::{
    Items, KernelRows, ReadyKernels, Rows, Samples, SparseRows,
    catalogue::{Catalogue, Heading},
};
use npt_estimator::{Data, Estimator, TargetKind, TextGraph, kernel_weightings};
use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/names.md");

/// Writes a heading, a line that says what is listed, and a table of the list.
fn section<'a>(
    page: &mut String,
    title: &str,
    what: &str,
    headings: impl IntoIterator<Item = &'a Heading>,
) -> std::fmt::Result {
    writeln!(
        page,
        "\n## {title}\n\n{what}\n\n| name | what it is | values | default |\n|---|---|---|---|"
    )?;
    for heading in headings {
        let what = sentence(heading.summary());
        writeln!(page, "| **`{}`** | {what} | | |", heading.name())?;
        for entry in heading.parameters() {
            let default = match (entry.default(), entry.is_required()) {
                (Some(default), _) => format!("`{default}`"),
                (None, true) => "must be given".to_owned(),
                (None, false) => "none".to_owned(),
            };
            let (name, what) = (entry.name(), sentence(entry.summary()));
            writeln!(
                page,
                "| `{name}` | {what} | {} | {default} |",
                entry.range()
            )?;
        }
    }
    Ok(())
}

/// Writes the targets of the methods, and the answers of their models in the default space.
fn answers(page: &mut String) -> std::fmt::Result {
    page.push_str(
        "\nWhat a method is fitted to, and what its models answer: `model.has(…)` tells the same of one model, whose space,\n\
        samples and transformers count, too.\n\n| name | targets | answers |\n|---|---|---|\n",
    );
    for heading in Estimator::methods() {
        let text = with_required(heading);
        let targets = targets_of(&text);
        let estimator = Estimator::new(&text, "gaussian(gamma = 0.5)").expect("a method");
        let takes = match estimator.targets().expect("a method") {
            TargetKind::None => "none",
            TargetKind::Labels => "labels",
            TargetKind::View => "a second view",
            TargetKind::Number => "one number",
            _ => "one number or several",
        };
        let model = estimator.fit(&Data::from(matrix()), targets);
        let abilities = model.expect("samples that every method takes").abilities();
        let abilities: Vec<String> = abilities.iter().map(|a| format!("`{a}`")).collect();
        let (name, abilities) = (heading.name(), abilities.join(", "));
        writeln!(page, "| `{name}` | {takes} | {abilities} |")?;
    }
    Ok(())
}

/// The summary, with a full stop if it lacks one.
fn sentence(summary: &str) -> String {
    let summary = summary.replace('|', "\\|");
    if summary.ends_with('.') {
        summary
    } else {
        summary + "."
    }
}

fn kernels<S: Samples>(
    page: &mut String,
    of: &str,
    catalogue: &Catalogue<S, f64>,
) -> std::fmt::Result {
    let headings = catalogue
        .entries()
        .iter()
        .map(npt_core::catalogue::Entry::heading);
    section(
        page,
        &format!("Kernels of {of}"),
        "Inside of the brackets, behind the parameters, stand the kernels that a kernel is made of.",
        headings,
    )
}

fn page() -> Result<String, std::fmt::Error> {
    let mut page = "# Names\n\nFor whoever writes the name of an estimator in Rust, Python, a file or a command.\n\nMethods, spaces, transformers, ways to pre-images and kernels by the names under which an `Estimator` takes \
        them,\neach with its parameters, their values, and their defaults. A test holds this page to the lists in the code.\n"
        .to_owned();
    section(
        &mut page,
        "Methods",
        "As in `svc(c = 10, balanced = true)`.",
        Estimator::methods(),
    )?;
    answers(&mut page)?;
    section(
        &mut page,
        "Spaces",
        "As in `nystrom(landmarks = 100)`.",
        Estimator::spaces(),
    )?;
    section(
        &mut page,
        "Transformers",
        "As in `imputer(strategy = \"median\")`.",
        Estimator::transformers(),
    )?;
    section(
        &mut page,
        "Pre-images",
        "As in `ridge(alpha = 0.1)`: ways from the components of `kpca` back to inputs.",
        Estimator::pre_images(),
    )?;
    section(
        &mut page,
        "Weights of kernels",
        "As in `svm_mkl(c = 10)`: ways to the weights of several kernels in their sum.",
        kernel_weightings(),
    )?;
    kernels(&mut page, "dense vectors", &Rows::ready_kernels())?;
    kernels(&mut page, "sparse vectors", &SparseRows::ready_kernels())?;
    kernels(&mut page, "texts", &Items::<String>::ready_kernels())?;
    kernels(
        &mut page,
        "sets",
        &Items::<BTreeSet<String>>::ready_kernels(),
    )?;
    kernels(&mut page, "graphs", &Items::<TextGraph>::ready_kernels())?;
    kernels(&mut page, "kernel matrices", &KernelRows::ready_kernels())?;
    Ok(page)
}

/// `NPT_NEW_PAGE=1` writes the page anew.
#[test]
fn the_page_of_names_is_what_the_lists_say() {
    let page = page().unwrap();
    if std::env::var_os("NPT_NEW_PAGE").is_some() {
        fs::write(PAGE, &page).unwrap();
    }
    // A package that is tested outside of the repository has no pages.
    if Path::new(PAGE).exists() {
        assert_eq!(fs::read_to_string(PAGE).unwrap(), page);
    }
}
