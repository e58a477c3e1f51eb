//! Fits eight methods by their types; each model is saved, loaded and asked.

use npt::{
    ExpansionModel,
    linfa::{Dataset, DatasetBase},
    methods::linear::{CalibratedSvc, Lda, Logistic, NearestCentroid, Pca, Ridge, Svc, Svr},
    model_file::{load, save},
    ndarray::{Array1, Array2, Ix1},
    prelude::*,
};

type Expanded<Q> = ExpansionModel<Q, Rows<f64>, Gaussian<f64>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = Array2::from_shape_fn((60, 2), |(i, j)| ((i * (j + 3)) % 17) as f64 / 5.0);
    let numbers: Array1<f64> = x.column(0).mapv(f64::sin);
    let classes = Array1::from_shape_fn(60, |i| i % 3);
    let sides = x.column(1).mapv(|v| v > 1.0);
    let kernel = || Gaussian::new(0.5);
    let path = std::env::temp_dir().join("npt-compile-typed.npt");

    save(
        &KernelSvc::params(kernel()).fit(&Dataset::new(x.clone(), sides))?,
        &path,
    )?;
    println!(
        "svc {}",
        load::<Expanded<Svc<f64>>>(&path)?.predict(&x).len()
    );
    let data = Dataset::new(x.clone(), classes);
    save(&KernelCalibratedSvc::params(kernel()).fit(&data)?, &path)?;
    println!(
        "calibrated_svc {}",
        load::<Expanded<CalibratedSvc<f64, usize>>>(&path)?
            .predict(&x)
            .len()
    );
    save(&KernelLogistic::params(kernel()).fit(&data)?, &path)?;
    println!(
        "logistic {}",
        load::<Expanded<Logistic<f64, usize>>>(&path)?
            .predict(&x)
            .len()
    );
    save(&Kfd::params(kernel()).fit(&data)?, &path)?;
    println!(
        "kfd {}",
        load::<Expanded<Lda<f64, usize>>>(&path)?.predict(&x).len()
    );
    let data = Dataset::new(x.clone(), numbers);
    save(&KernelRidge::params(kernel()).fit(&data)?, &path)?;
    println!(
        "ridge {}",
        load::<Expanded<Ridge<f64, Ix1>>>(&path)?.predict(&x).len()
    );
    save(&KernelSvr::params(kernel()).fit(&data)?, &path)?;
    println!(
        "svr {}",
        load::<Expanded<Svr<f64>>>(&path)?.predict(&x).len()
    );
    let data = DatasetBase::from(x.clone());
    save(&Kpca::params(2, kernel()).fit(&data)?, &path)?;
    println!(
        "kpca {}",
        load::<Expanded<Pca<f64>>>(&path)?
            .transform(x.clone())
            .nrows()
    );
    save(&KernelKMeans::params(3, kernel()).fit(&data)?, &path)?;
    println!(
        "kmeans {}",
        load::<Expanded<NearestCentroid<f64>>>(&path)?
            .predict(&x)
            .len()
    );
    std::fs::remove_file(path)?;
    Ok(())
}
