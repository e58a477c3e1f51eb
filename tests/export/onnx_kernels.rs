//! Tests every kernel of dense vectors as a graph that onnxruntime evaluates.

use super::peers::{numbers, onnxruntime, relative_error};
use ndarray::{Array2, Axis, array, concatenate, s};
use npt::{Anova, Expansion, export::onnx::to_onnx, prelude::*};
use npt_testkit::data;
use std::{collections::BTreeMap, sync::Arc};

type Dyn = Arc<dyn Kernel<Rows<f64>, Scalar = f64>>;

fn kernels() -> Vec<Dyn> {
    let of_two = Columns::new(Gaussian::new(0.5), 0..2) * Columns::new(Linear::new(), 2..5);
    let several: Vec<Dyn> = vec![
        Arc::new(Gaussian::new(0.1)),
        Arc::new(Laplacian::new(1.0)),
        Arc::new(Linear::new()),
    ];
    let scales = vec![0.5, 1.0, 2.0, 4.0, 8.0];
    vec![
        Arc::new(Linear::new()),
        Arc::new(Polynomial::new(3, 0.5, 1.0)),
        Arc::new(Polynomial::new(2, 0.5, -1.0)),
        Arc::new(Sigmoid::new(0.2, -0.3)),
        Arc::new(Cosine::new()),
        Arc::new(Tanimoto::new()),
        Arc::new(Gaussian::new(0.5)),
        Arc::new(Exponential::new(0.5)),
        Arc::new(Laplacian::new(0.5)),
        Arc::new(Matern::half(1.5)),
        Arc::new(Matern::three_halves(1.5)),
        Arc::new(Matern::five_halves(1.5)),
        Arc::new(RationalQuadratic::new(1.5, 0.7)),
        // This is ln(1 + q) of a small q, times a large α.
        Arc::new(RationalQuadratic::new(1.5, 1e9)),
        Arc::new(Periodic::new(1.5, 0.7)),
        Arc::new(ChiSquared::new(0.5)),
        Arc::new(AdditiveChiSquared::new()),
        Arc::new(HistogramIntersection::new()),
        Arc::new(MinMax::new()),
        Arc::new(Anova::new(0.5, 3)),
        Arc::new(Spline::new()),
        Arc::new(SimpleMatching::new()),
        Arc::new(Gower::new(vec![2.0, 1.0, 0.0, 0.0, 5.0])),
        Arc::new(Gaussian::new(0.5) + Linear::new().scaled(0.1)),
        Arc::new(of_two),
        Arc::new(Normalized::new(Polynomial::new(2, 0.5, 1.0))),
        Arc::new(Normalized::new(
            Gaussian::new(0.1) + Columns::new(Spline::new(), 1..3),
        )),
        Arc::new(LengthScales::new(Gaussian::new(0.5), scales.clone())),
        Arc::new(LengthScales::new(
            Normalized::new(Tanimoto::new() + Laplacian::new(0.1)),
            scales,
        )),
        Arc::new(WeightedSum::new(several, array![0.5, 0.0, 2.0]).unwrap()),
    ]
}

/// Samples in the domain of all kernels: at least 0, with zeros, whole numbers and duplicates among them.
fn samples(count: usize, seed: u64) -> Array2<f64> {
    let mut x = data::normal(count, 5, seed).mapv(f64::abs);
    x.column_mut(2).mapv_inplace(f64::round);
    x.slice_mut(s![..count / 3, 4]).fill(0.0);
    x
}

/// Compares graphs with our own values, at rows that are samples, are near to samples, or are far from them.
fn compare(name: &str, kernels: Vec<Dyn>, x: &Array2<f64>, new: &Array2<f64>) {
    let count = kernels.len();
    let mut models = BTreeMap::new();
    let mut expected = BTreeMap::new();
    let rows = Rows::new(x.clone()).unwrap();
    let alpha = data::normal(x.nrows(), 2, 3);
    for (index, kernel) in kernels.into_iter().enumerate() {
        let description = kernel.describe().to_string();
        let offsets = array![0.5, -1.0];
        let expansion = Expansion::new(Arc::new(kernel), &rows, alpha.view(), offsets).unwrap();
        let key = format!("{index:02}");
        expected.insert(key.clone(), (description, expansion.evaluate(new).unwrap()));
        models.insert(key, (to_onnx(&expansion).unwrap(), new.clone()));
    }
    let Some(found) = onnxruntime(&models) else {
        return;
    };
    assert_eq!(found.len(), count);
    for (key, (description, expected)) in &expected {
        let values = numbers(&found[key]["values"]);
        let off = relative_error(values.view(), expected.view());
        eprintln!("{name}: {description}: {off:.1e}");
        assert!(off <= 1e-12, "{name}: {description}: {off:e}");
    }
}

#[test]
fn kernels_of_ordinary_samples() {
    let x = samples(40, 1);
    let near = &x.slice(s![..5, ..]) + 1e-9;
    let new = concatenate![Axis(0), samples(20, 2), x.slice(s![30.., ..]), near];
    compare("ordinary", kernels(), &x, &new);
}

/// Kernels of distances are exact in two clusters, far from each other and from the origin, where no digit is left of
/// ‖a‖² + ‖b‖² − 2⟨a, b⟩, centred or not.
#[test]
fn kernels_of_distances_in_clusters_far_apart() {
    let sides = |x: Array2<f64>| concatenate![Axis(0), &x + 1e6, &x - 3e6];
    let (x, new) = (sides(samples(20, 1)), sides(samples(10, 2)));
    let kernels: Vec<Dyn> = vec![
        Arc::new(Gaussian::new(0.5)),
        Arc::new(Exponential::new(0.5)),
        Arc::new(Laplacian::new(0.5)),
        Arc::new(Matern::five_halves(1.5)),
        Arc::new(RationalQuadratic::new(1.5, 0.7)),
    ];
    compare("far", kernels, &x, &new);
}

/// Kernels are exact where samples are so far from each other that every value is 0, and every polynomial large.
#[test]
fn kernels_of_samples_far_from_each_other() {
    let x = samples(10, 1);
    let new = samples(5, 2) * 1e160;
    let kernels: Vec<Dyn> = vec![
        Arc::new(Gaussian::new(0.5)),
        Arc::new(Matern::five_halves(1.5)),
        Arc::new(RationalQuadratic::new(1.5, 0.7)),
        Arc::new(Cosine::new()),
    ];
    compare("apart", kernels, &x, &new);
}

/// Kernels of zero vectors are exact, where 0/0 is 1 by definition.
#[test]
fn kernels_of_zero_vectors() {
    let mut x = samples(10, 1);
    x.row_mut(3).fill(0.0);
    let new = concatenate![Axis(0), samples(3, 2), Array2::zeros((1, 5))];
    let kernels: Vec<Dyn> = vec![
        Arc::new(Tanimoto::new()),
        Arc::new(MinMax::new()),
        Arc::new(ChiSquared::new(0.5)),
        Arc::new(AdditiveChiSquared::new()),
    ];
    compare("zero", kernels, &x, &new);
}

/// The smallest model has one sample, one column, one row.
#[test]
fn the_smallest_model() {
    let kernels: Vec<Dyn> = vec![Arc::new(Gaussian::new(0.5)), Arc::new(Linear::new())];
    compare("smallest", kernels, &array![[2.0]], &array![[3.0]]);
}
