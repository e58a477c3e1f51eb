//! Tests the messages by which rustc answers likely mistakes: they name the mistake, and the way out.
//!
//! rustc's own words change with its version, so the tests look only for the words that npt adds.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    time::SystemTime,
};

/// The messages of rustc about a file, `None` if it compiles.
fn errors(file: &str, library: &Path) -> Option<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("compile_errors")
        .join(file);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{file}.rmeta"));
    let dependencies = library.parent().expect("a folder");
    let output = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--color=never",
        ])
        .arg(source)
        .arg("-o")
        .arg(out)
        .arg("-L")
        .arg(format!("dependency={}", dependencies.display()))
        .arg("--extern")
        .arg(format!("npt={}", library.display()))
        .output()
        .expect("rustc runs");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The library beside this program. If there are several, made with other features, the newest that can be used.
static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = env::current_exe().expect("a path");
    let folder = program.parent().expect("a folder");
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let is_library = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem.starts_with("libnpt-"))
            && path
                .extension()
                .is_some_and(|extension| extension == "rlib")
    };
    let mut libraries: Vec<PathBuf> = files.map(|file| file.path()).filter(is_library).collect();
    let time = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified());
    libraries.sort_by_key(|path| time(path).unwrap_or(SystemTime::UNIX_EPOCH));
    let mut said = String::new();
    for library in libraries.into_iter().rev() {
        match errors("right.rs", &library) {
            None => return library,
            Some(text) => said = text,
        }
    }
    panic!("no library can be used for what is right: {said}");
});

fn says(file: &str, texts: &[&str]) {
    let said = errors(file, &LIBRARY).expect("a mistake");
    for text in texts {
        assert!(said.contains(text), "{text:?} is not in\n{said}");
    }
    assert!(!said.contains("no method named"), "{said}");
}

#[test]
fn a_kernel_where_a_space_belongs() {
    let texts = [
        "Gaussian<{float}>` builds no kernel space for these samples",
        "here a builder of kernel spaces is needed",
        "a kernel becomes one by `Exact::new(kernel)`, or for many samples by `Nystrom`",
    ];
    says("kernel_for_space.rs", &texts);
}

#[test]
fn a_type_that_is_no_method() {
    let texts = [
        "`Slope` is no method for records `Array2<",
        "a method is what implements linfa's `Fit` for `Array2` records: the parameters, not a fitted model",
    ];
    says("no_method.rs", &texts);
}

#[test]
fn a_closure_where_a_kernel_belongs() {
    let texts = [
        "is no kernel on these samples",
        "a closure `|a: &[f64], b: &[f64]| …` becomes one by `FnKernel::new(closure)`",
    ];
    says("closure_for_kernel.rs", &texts);
}

#[test]
fn targets_of_another_type() {
    let texts = [
        "`f64` is no label of classes",
        "for targets that are numbers there is `KernelSvr`",
    ];
    says("other_targets.rs", &texts);
}

#[test]
fn a_search_of_a_method_without_an_expansion() {
    let texts = [
        "`Mean` is no method of which a kernel method can be made",
        "for any other method of linfa's there is `Kernelized`, and in a search `by_coordinates()`",
    ];
    says("foreign_method_in_search.rs", &texts);
}

#[test]
fn sums_of_kernel_values_in_a_space_of_random_features() {
    let texts = [
        "are no sums of kernel values",
        "in a space of random features the same method runs by coordinates: `.by_coordinates()`",
    ];
    says("expanded_random_features.rs", &texts);
}

#[test]
fn setters_of_a_half_on_the_whole() {
    let on_method = [
        "this is set on the method inside, not on `KernelMethod<SvcParams, ",
        "say `.method(|m| m.c(10.0))` or `.method(|m| m.penalty(0.1))`",
        "`.method(|m| …)` changes the one, `.space(|s| …)` the other",
    ];
    says("setter_of_method.rs", &on_method);
    let on_space = [
        "this is set on the space inside, not on `KernelMethod<SvcParams, ",
        "say `.space(|s| s.rank(Rank::Components(20)))`",
    ];
    says("setter_of_space.rs", &on_space);
    let by_coordinates = [
        "this is set on the method inside, not on `",
        "Kernelized<RidgeParams, ",
    ];
    says("setter_by_coordinates.rs", &by_coordinates);
}

#[test]
fn kernels_where_spaces_belong_in_a_search() {
    let texts = [
        "Gaussian<{float}>` builds no kernel space for these samples",
        "a kernel becomes one by `Exact::new(kernel)`",
        "several kernels become those of a search by `Candidates::new().kernels(",
    ];
    says("kernels_in_search.rs", &texts);
}

#[test]
fn a_fitted_transformer_in_a_pipeline() {
    let texts = [
        "`StandardScaler` is no transformer that a pipeline can fit to records `Array2<",
        "it takes the parameters, say `LinearScaler::standard()`, not what their `fit` returned",
        "`PipelineModel::new`",
    ];
    says("fitted_scaler.rs", &texts);
}

/// A user's own kernel may not stand on the right in a sum. On the left the operator is the kernel's own, and the message is all rustc's.
#[test]
fn a_kernel_of_ones_own_in_a_sum() {
    let texts = [
        "`Agreement` cannot stand on the right of `+` or `*` with a kernel",
        "joins, on either side, by the line `npt::composable!(MyKernel);`",
    ];
    says("own_kernel_in_sum.rs", &texts);
}

#[test]
fn models_that_no_file_can_hold() {
    let texts = [
        "cannot be kept in a file",
        "a model over `dyn Kernel` does not say which kernel is to be read: fit the model with the kernel's own type",
    ];
    says("any_kernel_in_file.rs", &texts);
    // This is an error of lifetimes, in which no words are ours. It names the type of the labels, and the documentation of `save` explains it.
    says("texts_in_file.rs", &["MulticlassSvc<f64, &str>"]);
}

#[test]
fn records_that_hold_no_samples() {
    let of_row = [
        "holds no samples",
        "of one vector, `model.predict_row(&[1.0, 2.0])` predicts; `row.insert_axis(Axis(0))` is a matrix of one row",
    ];
    says("one_row.rs", &of_row);
    says("one_row_in_linfas_predict.rs", &of_row);
    let of_texts = [
        "`Vec<&str>` holds no samples",
        "texts, graphs and what else is no vector become samples by `Items::new(vec)`",
    ];
    says("texts_in_space.rs", &of_texts);
    says("texts_as_records.rs", &of_texts);
}
