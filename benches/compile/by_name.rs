//! Fits eight methods by name; each model is saved, loaded and asked.

use npt::{
    estimator::{Ability, Data, Estimator, Model, Predictions, Targets},
    ndarray::{Array1, Array2},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = Array2::from_shape_fn((60, 2), |(i, j)| ((i * (j + 3)) % 17) as f64 / 5.0);
    let numbers: Array1<f64> = x.column(0).mapv(f64::sin);
    let classes: Vec<i64> = (0..60).map(|i| i % 3).collect();
    let sides: Array1<bool> = x.column(1).mapv(|v| v > 1.0);
    let path = std::env::temp_dir().join("npt-compile-by-name.npt");
    let data = Data::from(x);
    let methods: [(&str, Targets); 8] = [
        ("svc", sides.into()),
        ("calibrated_svc", classes.clone().into()),
        ("logistic", classes.clone().into()),
        ("kfd", classes.into()),
        ("ridge", numbers.clone().into()),
        ("svr", numbers.into()),
        ("kpca(components = 2)", ().into()),
        ("kmeans(clusters = 3)", ().into()),
    ];
    for (method, targets) in methods {
        Estimator::new(method, "gaussian(gamma = 0.5)")?
            .fit(&data, targets)?
            .save(&path)?;
        let model = Model::load(&path)?;
        let count = if model.has(Ability::Predict) {
            match model.predict(&data)? {
                Predictions::Labels(labels) => labels.len(),
                Predictions::Numbers(numbers) => numbers.nrows(),
                Predictions::Clusters(clusters) => clusters.len(),
                other => return Err(format!("{method} predicts {other:?}").into()),
            }
        } else {
            model.transform(&data)?.nrows()
        };
        println!("{} {count}", method.split('(').next().unwrap_or_default());
    }
    std::fs::remove_file(path)?;
    Ok(())
}
