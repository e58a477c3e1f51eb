//! Time of whole kernel methods, Gaussian kernel, on rows of a public data set.
//!
//! `NPT_DATA=… cargo bench --bench kernel_methods` prints medians of three or five in seconds, and what
//! was computed; `benches/peers/kernel_methods.py` does the same work with scikit-learn. Names after
//! `--` choose some of the rows.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, concatenate, s};
use npt::{
    methods::{
        linear::Svc,
        model_selection::{Folds, GridSearch, accuracy},
    },
    prelude::*,
};
use npt_testkit::{data::normal, datasets};
use std::{path::Path, time::Instant};

fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let run = |name: &str, repetitions: usize, fit: &mut dyn FnMut() -> f64| {
        if !chosen.is_empty() && !chosen.iter().any(|c| name.contains(c.as_str())) {
            return;
        }
        let mut times = Vec::new();
        let mut value = 0.0;
        for _ in 0..repetitions {
            let start = Instant::now();
            value = fit();
            times.push(start.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        println!("{name:>24} {:9.4} s  {value:.10}", times[times.len() / 2]);
    };
    let Some(folder) = datasets::folder() else {
        println!("NPT_DATA names no folder with magic.csv and letter.csv");
        return;
    };
    let (x, class) = read(&folder.join("magic.csv"), 4000);
    let sides = class.mapv(|v| v > 0.5);
    machines(&run, &x, &sides);
    regressions(&run, &x);
    components(&run);
    grids(&run, &x, &sides);
    letters(&run, &folder);
}

type Run<'a> = &'a dyn Fn(&str, usize, &mut dyn FnMut() -> f64);

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.1)
}

fn machines(run: Run<'_>, x: &Array2<f64>, sides: &Array1<bool>) {
    let kernel = kernel();
    for c in [1.0, 100.0] {
        let data = Dataset::new(x.clone(), sides.clone());
        run(&format!("svc C={c}"), 5, &mut || {
            let model = KernelSvc::params(kernel).method(|m| m.c(c)).fit(&data);
            model
                .expect("two classes")
                .expansion()
                .samples()
                .view()
                .nrows() as f64
        });
        run(&format!("svc C={c}, coordinates"), 5, &mut || {
            let params = KernelSvc::params(kernel).method(|m| m.c(c));
            let model = params.by_coordinates().fit(&data).expect("two classes");
            model.inner().dual().iter().filter(|v| **v != 0.0).count() as f64
        });
    }
    let data = Dataset::new(x.clone(), sides.clone());
    let model = KernelSvc::params(kernel).fit(&data).expect("two classes");
    let many = concatenate(Axis(0), &[x.view(); 25]).expect("rows of one width");
    run("svc, 100,000 new", 3, &mut || {
        let predicted: Array1<bool> = model.predict(&many);
        predicted.iter().filter(|&&side| side).count() as f64
    });
}

fn regressions(run: Run<'_>, x: &Array2<f64>) {
    let kernel = kernel();
    let values = x.map_axis(Axis(1), |row| (row[0] + 0.5 * row[1]).sin() + 0.1 * row[2]);
    let regression = Dataset::new(x.clone(), values);
    run("svr C=1", 5, &mut || {
        let model = KernelSvr::params(kernel).fit(&regression);
        model
            .expect("finite targets")
            .expansion()
            .samples()
            .view()
            .nrows() as f64
    });
    run("ridge", 5, &mut || {
        let model = KernelRidge::params(kernel).fit(&regression);
        model
            .expect("finite targets")
            .predict(&x.slice(s![..1, ..]).to_owned())[0]
    });
    run("gp + 1000 variances", 5, &mut || {
        let model = GaussianProcess::params(kernel).noise(0.1).fit(&regression);
        let new = x.slice(s![..1000, ..]);
        let (_, variances) = model
            .expect("finite targets")
            .predict_with_variance(&new)
            .expect("rows");
        variances.sum()
    });
}

fn components(run: Run<'_>) {
    let kernel = kernel();
    let normal = DatasetBase::from(normal(4000, 10, 1));
    run("kpca 20, normal", 5, &mut || {
        let model = Kpca::params(20, kernel).fit(&normal).expect("a space");
        model.inner().eigenvalues().sum()
    });
}

fn grids(run: Run<'_>, x: &Array2<f64>, sides: &Array1<bool>) {
    let kernel = kernel();
    for n in [2000, 4000] {
        let data = Dataset::new(
            x.slice(s![..; 4000 / n, ..]).to_owned(),
            sides.slice(s![..; 4000 / n]).to_owned(),
        );
        run(&format!("grid 9 C x 5, {n}"), 3, &mut || {
            let methods: Vec<_> = (0..9)
                .map(|i| Svc::<f64>::params().c(10.0_f64.powf(-2.0 + 0.5 * f64::from(i))))
                .collect();
            let search = GridSearch::new([Exact::new(kernel)], methods);
            let folds = Folds::stratified(&data, 5, 0).expect("five folds");
            let scores = search.kernel_scores(&data, &folds, |p: &Array1<bool>, t| accuracy(p, t));
            let scores = scores.expect("candidates");
            scores
                .mean(scores.best().expect("a best one"))
                .unwrap_or(f64::NAN)
        });
    }
}

fn letters(run: Run<'_>, folder: &Path) {
    let kernel = kernel();
    let (x, class) = read(&folder.join("letter.csv"), 20_000);
    let letters = Dataset::new(x, class.mapv(|v| v.to_string()));
    run("letter 20000 x 26", 1, &mut || {
        let params = KernelMulticlassSvc::params(kernel).method(|m| m.c(10.0));
        let model = params.fit(&letters).expect("26 classes");
        model.expansion().samples().view().nrows() as f64
    });
}

/// So many rows of numbers, evenly spaced in the file, and the last column of each.
fn read(path: &Path, rows: usize) -> (Array2<f64>, Array1<f64>) {
    let (x, last) = datasets::csv(path).expect("a table of numbers");
    let step = x.nrows() / rows;
    (
        x.slice(s![..rows * step; step, ..]).to_owned(),
        last.slice(s![..rows * step; step]).to_owned(),
    )
}
