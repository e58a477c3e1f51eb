//! A model that is saved, looked at without its type, and loaded by another process.
//!
//! Gaussian support vector regression, behind linfa's scaler, learns the alcohol in 1280 wines. The program saves the whole pipeline and
//! starts itself again as a second process, which knows the file and nothing of the fit. Its predictions for 319 other wines have to be the same
//! to the last bit. The file says what is in it before anybody asks for a type. The expansion is nearly all of it. This is what the program prints:
//!
//! ```text
//! PipelineModel
//!   transformer: LinearScaler
//! …
//!   model: ExpansionModel
//!     method: Svr
//! …
//!     expansion: Expansion
//!       kernel: gaussian
//!         gamma: 0.05
//!       samples: Rows
//!         matrix: 1048 × 10 × f64
//!       coefficients: 1048 × 1 × f64
//!       offsets: 1 × f64 [10.37…]
//! …
//! the file has 1… bytes, 1.1… times those of 1048 support vectors and their coefficients
//! another process predicts the same bits of 319 wines
//! as another type: in `model.expansion.kernel`: the file holds a gaussian, not a laplacian
//! cut short: the file has 1000 bytes, but it was written with 1…: it was cut short, or something was added
//! ```

use linfa::{Dataset, prelude::SingleTargetRegression};
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Ix1, s};
use npt::{
    ExpansionModel, PipelineModel,
    methods::linear::Svr,
    model_file::{self, Contents},
    prelude::*,
};
use std::{env, error::Error, fs, path::Path, process::Command};

/// The model that is saved: a scaler, and a support vector regression with kernel `K` behind it.
type Kept<K> = PipelineModel<LinearScaler<f64>, ExpansionModel<Svr<f64>, Rows<f64>, K>>;

/// Tells the second process which file to load.
const FILE: &str = "NPT_KEPT_MODEL";

fn main() -> Result<(), Box<dyn Error>> {
    match env::var_os(FILE) {
        Some(path) => predict_elsewhere(Path::new(&path)),
        None => keep(),
    }
}

/// 1280 wines to learn from, and 319 others.
fn wines() -> (Dataset<f64, f64, Ix1>, Dataset<f64, f64, Ix1>) {
    let wine = linfa_datasets::winequality();
    let alcohol = wine.records.column(10).to_owned();
    let others = wine.records.slice(s![.., ..10]).to_owned();
    Dataset::new(others, alcohol).split_with_ratio(0.8)
}

fn keep() -> Result<(), Box<dyn Error>> {
    let (train, test) = wines();
    let regression = KernelSvr::params(Gaussian::new(0.05));
    let model: Kept<Gaussian<f64>> =
        Pipeline::new(LinearScaler::standard(), regression).fit(&train)?;
    let predicted: Array1<f64> = model.predict(&test);
    assert!(predicted.r2(&test)? > 0.5);

    let path = env::temp_dir().join(format!("wine-{}.npt", std::process::id()));
    model_file::save(&model, &path)?;
    print!("{}", Contents::load(&path)?);

    let (vectors, columns) = model.model().expansion().samples().view().dim();
    let (file, own) = (
        fs::metadata(&path)?.len(),
        vectors * (columns + 1) * size_of::<f64>(),
    );
    let times = file as f64 / own as f64;
    println!(
        "the file has {file} bytes, {times:.2} times those of {vectors} support vectors and their coefficients"
    );

    let other = Command::new(env::current_exe()?)
        .env(FILE, &path)
        .output()?;
    let elsewhere = String::from_utf8(other.stdout)?;
    assert_eq!(elsewhere, bits(&predicted));
    println!(
        "another process predicts the same bits of {} wines",
        predicted.len()
    );

    if let Err(error) = model_file::load::<Kept<Laplacian<f64>>>(&path) {
        println!("as another type: {error}");
    }
    let beginning = &fs::read(&path)?[..1000];
    if let Err(error) = model_file::from_bytes::<Kept<Gaussian<f64>>>(beginning) {
        println!("cut short: {error}");
    }
    fs::remove_file(path)?;
    Ok(())
}

fn predict_elsewhere(path: &Path) -> Result<(), Box<dyn Error>> {
    let model: Kept<Gaussian<f64>> = model_file::load(path)?;
    let (_, test) = wines();
    print!("{}", bits(&model.predict(&test)));
    Ok(())
}

/// The bits of the predictions as text, one line a number.
fn bits(predicted: &Array1<f64>) -> String {
    let lines: Vec<String> = predicted
        .iter()
        .map(|value| format!("{:016x}\n", value.to_bits()))
        .collect();
    lines.concat()
}
