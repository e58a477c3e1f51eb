//! Programs that read models. A test that needs a program which is not there is skipped, and says so.
//!
//! `NPT_PYTHON` is the Python that has onnxruntime and numpy. With `NPT_REQUIRE_PEERS=1` a missing program is a failure.

use ndarray::{Array2, ArrayView2};
use serde_json::Value;
use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path, process::Command};

/// Reports that a program is missing, and returns `None`, by which a test ends.
fn missing<T>(program: &str) -> Option<T> {
    let required = env::var("NPT_REQUIRE_PEERS").is_ok_and(|value| value == "1");
    assert!(!required, "{program} is required, and is not there");
    eprintln!("skipped: {program} is not there");
    None
}

/// The output of a program that ran to its end.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn python() -> Option<String> {
    let python = env::var("NPT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let imports = Command::new(&python)
        .args(["-c", "import numpy, onnxruntime"])
        .output();
    match imports {
        Ok(imports) if imports.status.success() => Some(python),
        _ => missing("Python with onnxruntime and numpy"),
    }
}

/// All outputs of a model, by their names.
pub(super) type Outputs = BTreeMap<String, Value>;

/// The outputs that onnxruntime computes for models, each at rows of its own, by the models' names.
pub(super) fn onnxruntime(
    models: &BTreeMap<String, (Vec<u8>, Array2<f64>)>,
) -> Option<BTreeMap<String, Outputs>> {
    let python = python()?;
    let folder = tempfile::tempdir().unwrap();
    for (name, (model, x)) in models {
        let own = folder.path().join(name);
        fs::create_dir(&own).unwrap();
        fs::write(own.join("model.onnx"), model).unwrap();
        let numbers = [x.ncols() as f64].into_iter().chain(x.iter().copied());
        let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
        fs::write(own.join("x"), bytes).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("export/onnx_values.py");
    let text = output(Command::new(python).arg(script).arg(folder.path()));
    Some(serde_json::from_str(&text).unwrap())
}

/// The metadata of a model as onnxruntime reads them: JSON values by names.
pub(super) fn metadata(model: &[u8]) -> Option<Outputs> {
    let python = python()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    fs::write(&path, model).unwrap();
    let script = "import json, onnxruntime, sys; \
        texts = onnxruntime.InferenceSession(sys.argv[1]).get_modelmeta().custom_metadata_map; \
        print(json.dumps({name: json.loads(text) for name, text in texts.items()}))";
    let text = output(Command::new(python).args(["-c", script]).arg(path));
    Some(serde_json::from_str(&text).unwrap())
}

/// The numbers of an output, shape (N, columns).
pub(super) fn numbers(output: &Value) -> Array2<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(output.clone()).expect("rows of numbers");
    let columns = rows.first().map_or(0, Vec::len);
    let all = rows.concat();
    Array2::from_shape_vec((all.len() / columns.max(1), columns), all).unwrap()
}

/// The largest difference, relative to the largest magnitude.
pub(super) fn relative_error(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    let largest = b.fold(0.0_f64, |m, v| m.max(v.abs()));
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |m: f64, (a, b)| {
        let off = (a - b).abs();
        assert!(off.is_finite());
        m.max(off)
    }) / largest
}

/// Rows in the text format of LIBSVM; zeros are left out.
pub(super) fn rows_as_text(x: ArrayView2<'_, f64>, targets: impl Iterator<Item = f64>) -> String {
    let mut text = String::new();
    for (row, target) in x.outer_iter().zip(targets) {
        let _ = write!(text, "{target:?}");
        for (column, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            let _ = write!(text, " {}:{value:?}", column + 1);
        }
        text.push('\n');
    }
    text
}

fn has(program: &str) -> bool {
    // Without arguments the program prints its usage.
    Command::new(program).output().is_ok()
}

/// The value that `svm-predict` prints for each row of x.
pub(super) fn svm_predict(model: &str, x: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    if !has("svm-predict") {
        return missing("svm-predict");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("model"), model).unwrap();
    let rows = rows_as_text(x, std::iter::repeat(0.0));
    fs::write(path("rows"), rows).unwrap();
    let files = [path("rows"), path("model"), path("predictions")];
    output(Command::new("svm-predict").args(files));
    let predictions = fs::read_to_string(path("predictions")).unwrap();
    let numbers = predictions.lines().map(|line| line.parse().unwrap());
    Some(numbers.collect())
}

/// The model that `svm-train` fits to rows and targets.
pub(super) fn svm_train(
    options: &[&str],
    x: ArrayView2<'_, f64>,
    targets: impl Iterator<Item = f64>,
) -> Option<String> {
    if !has("svm-train") {
        return missing("svm-train");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("rows"), rows_as_text(x, targets)).unwrap();
    let files = [path("rows"), path("model")];
    output(
        Command::new("svm-train")
            .arg("-q")
            .args(options)
            .args(files),
    );
    Some(fs::read_to_string(path("model")).unwrap())
}
