//! Checks both roads to every ready-made method that has two: the cut of the rank bounds how far they differ.
//!
//! A space of coordinates is cut at rounding level. The part of φ(xᵢ), xᵢ a training sample, that is outside has squared length
//! ρ at most. The part of φ(t), t a new sample, has squared length r(t). So
//!
//! * ⟨y(xᵢ), y(t)⟩ differs from k(xᵢ, t) by √(ρ·r(t)) at most (Cauchy and Schwarz), and a function with
//!   coefficients α by Σ|αᵢ|√(ρ·r(t));
//! * ⟨y(xᵢ), y(xⱼ)⟩ differs from k(xᵢ, xⱼ) by ρ at most. How far this moves the α depends on the method. The test
//!   measures it: the values at t are computed anew from kernel values that are moved by ρ.

use super::{FACTOR, Table, largest_of_columns};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, concatenate};
use npt::{
    methods::{
        KernelCalibratedSvc, KernelCca, KernelHardMarginSvc, KernelNuSvc, KernelOneClassSvm,
        KernelSvr,
    },
    prelude::*,
};
use npt_testkit::data::{duplicates, low_rank, normal};

/// ρ of n samples with κ(x, x) = 1 and s pivots: 16 ε√s times (√κ(x, x) + √(Σ tₚ²κ(xₚ, xₚ)))², where the
/// square is about 4.
fn outside(samples: usize) -> f64 {
    64.0 * f64::EPSILON * (samples as f64).sqrt()
}

/// The tolerance of the solvers, so small that no difference is theirs.
const SOLVED: f64 = 1e-13;

/// Samples by name, each with the largest difference that is allowed whatever is derived, relative to the largest
/// value. On a smooth kernel, where most directions are cut, √ρ shows.
fn samples() -> Vec<(&'static str, f64, Array2<f64>)> {
    let smooth = Array1::linspace(-1.0, 1.0, 60).insert_axis(Axis(1));
    vec![
        ("plain", 1e-8, normal(40, 3, 1)),
        ("more features than samples", 1e-8, normal(8, 20, 2)),
        ("duplicates", 1e-8, duplicates(15, 3, 2, 3)),
        ("on a line", 1e-7, low_rank(30, 4, 1, 4)),
        ("smooth", 1e-6, smooth),
    ]
}

macro_rules! both_roads {
    ($($name:ident: $params:expr, $targets:expr, $compared:ident as $type:ident, $by:ident;)*) => {$(
        #[test]
        fn $name() {
            for (what, most, x) in samples() {
                let beside = normal(7, x.ncols(), 5) * 1.5;
                let new = concatenate![Axis(0), beside, x];
                let targets = $targets(&x);
                let kernel = Gaussian::new(0.3);
                let data = DatasetBase::new(x.clone(), targets.clone());
                let classical = $params(kernel).fit(&data).unwrap();
                let by_coordinates = $params(kernel).by_coordinates().fit(&data).unwrap();
                let found: $type<f64> = classical.$by(&new).unwrap();
                let expected: $type<f64> = by_coordinates.$by(&new).unwrap();
                let values = |values: $type<f64>| {
                    let shape = (new.nrows(), values.len() / new.nrows());
                    values.into_shape_with_order(shape).unwrap().mapv($compared)
                };
                let (found, expected) = (values(found), values(expected));

                let rho = outside(x.nrows());
                let table = Table::new(&x, &new, &kernel);
                let moved = (0..2).map(|seed| {
                    let kernel = table.moved(seed, |_| rho);
                    let data = DatasetBase::new(table.samples.clone(), targets.clone());
                    let moved = $params(kernel).fit(&data).unwrap();
                    let moved: $type<f64> = moved.$by(&table.new).unwrap();
                    (values(moved) - &found).mapv(f64::abs)
                });
                let larger = |a: Array2<f64>, b: Array2<f64>| {
                    ndarray::Zip::from(&a).and(&b).map_collect(|a, b| a.max(*b))
                };
                let moved = largest_of_columns(moved.reduce(larger).unwrap());

                let residuals = by_coordinates.space().residuals(&new).unwrap();
                let alpha = classical.expansion().coefficients().mapv(f64::abs);
                let sums = alpha.sum_axis(Axis(0));
                let scales = largest_of_columns(expected.clone());
                for ((row, column), &value) in found.indexed_iter() {
                    let off = (value - expected[[row, column]]).abs();
                    // Each value has a function of its own, unless a method combines several functions: then the sums of all count.
                    let sum = if sums.len() == scales.len() { sums[column] } else { sums.sum() };
                    let by_cut = sum * (rho * (rho + residuals[row])).sqrt();
                    let derived = by_cut + FACTOR * moved[column];
                    let allowed = derived.min(most * scales[column]);
                    assert!(off <= allowed, "{what}, {row} {column}: {off:e}, allowed {allowed:e}");
                }
            }
        }
    )*};
}

fn nothing(x: &Array2<f64>) -> Array1<()> {
    x.map_axis(Axis(1), |_| ())
}

fn sums(x: &Array2<f64>) -> Array1<f64> {
    x.sum_axis(Axis(1))
}

fn column(x: &Array2<f64>) -> Array2<f64> {
    sums(x).insert_axis(Axis(1))
}

fn sides(x: &Array2<f64>) -> Array1<bool> {
    let sums = sums(x);
    let mean = sums.mean().unwrap();
    sums.mapv(|v| v > mean)
}

/// Three classes, in the order of the sums of the features.
fn classes(x: &Array2<f64>) -> Array1<usize> {
    let sums = sums(x);
    let rank = |v: f64| sums.iter().filter(|&&other| other < v).count();
    sums.mapv(|v| 3 * rank(v) / sums.len())
}

fn value(v: f64) -> f64 {
    v
}

/// The magnitude of a value whose sign is a matter of rounding.
fn magnitude(v: f64) -> f64 {
    v.abs()
}

both_roads! {
    components: |k| Kpca::params(2, k), nothing, magnitude as Array2, try_transform;
    components_by_absolute_values: |k| KpcaL1::params(2, k), nothing, magnitude as Array2, try_transform;
    discriminants: Kfd::params, classes, magnitude as Array2, try_transform;
    regression_discriminants:
        |k| KernelRegressionDiscriminant::params(1, k), sums, magnitude as Array2, try_transform;
    partial_least_squares: |k| KernelPls::params(2, k), column, magnitude as Array2, try_transform;
    ridge: |k| KernelRidge::params(k).method(|m| m.penalty(0.1)),
        sums, value as Array1, try_predict;
    logistic_regression: KernelLogistic::params, classes, value as Array2, try_transform;
    support_vector_classification:
        |k| KernelSvc::params(k).method(|m| m.tolerance(SOLVED)), sides, value as Array1, try_transform;
    support_vectors_by_nu:
        |k| KernelNuSvc::params(0.2, k).method(|m| m.tolerance(SOLVED)), sides, value as Array1, try_transform;
    support_vectors_without_slack:
        |k| KernelHardMarginSvc::params(k).method(|m| m.tolerance(SOLVED)), sides, value as Array1, try_transform;
    several_classes:
        |k| KernelSvc::params(k).method(|m| m.tolerance(SOLVED)),
        classes, value as Array2, try_transform;
    calibrated:
        |k| KernelCalibratedSvc::params(k).method(|m| m.folds(2).tolerance(SOLVED)),
        classes, value as Array2, try_transform;
    support_vector_regression:
        |k| KernelSvr::params(k).method(|m| m.tolerance(SOLVED)), sums, value as Array1, try_transform;
    one_class:
        |k| KernelOneClassSvm::params(0.5, k)
            .space(|s| s.centered(false))
            .method(|m| m.tolerance(SOLVED)),
        nothing, value as Array1, try_transform;
}

/// Both views of a canonical correlation agree by both roads; the second view is a curved function of the samples.
#[test]
fn correlations() {
    for (what, most, x) in samples() {
        let new = concatenate![Axis(0), normal(7, x.ncols(), 5) * 1.5, x];
        let (y, new_y) = (x.mapv(f64::sin), new.mapv(f64::sin));
        let kernel = Gaussian::new(0.3);
        let params = KernelCca::params(2, kernel, kernel);
        let classical = params.fit(&x, &y).unwrap();
        let by_coordinates = params.fit_by_coordinates(&x, &y).unwrap();
        let rho = outside(x.nrows());
        let tables = [
            Table::new(&x, &new, &kernel),
            Table::new(&y, &new_y, &kernel),
        ];
        let moved: Vec<_> = (0..2)
            .map(|seed| {
                let [first, second] = [0, 1].map(|view| tables[view].moved(seed, |_| rho));
                let params = KernelCca::params(2, first, second);
                params.fit(&tables[0].samples, &tables[1].samples).unwrap()
            })
            .collect();
        let scores =
            |model: &dyn Fn(usize) -> Array2<f64>| [0, 1].map(|view| model(view).mapv(f64::abs));
        let found = scores(&|view| match view {
            0 => classical.first().try_transform(&new).unwrap(),
            _ => classical.second().try_transform(&new_y).unwrap(),
        });
        let expected = scores(&|view| match view {
            0 => by_coordinates.first().try_transform(&new).unwrap(),
            _ => by_coordinates.second().try_transform(&new_y).unwrap(),
        });
        let moved = moved.iter().map(|model| {
            scores(&|view| match view {
                0 => model.first().try_transform(&tables[0].new).unwrap(),
                _ => model.second().try_transform(&tables[1].new).unwrap(),
            })
        });
        let moved: Vec<[Array2<f64>; 2]> = moved.collect();
        let residuals = [
            by_coordinates.first().space().residuals(&new).unwrap(),
            by_coordinates.second().space().residuals(&new_y).unwrap(),
        ];
        let alpha = [
            classical.first().expansion().coefficients().mapv(f64::abs),
            classical.second().expansion().coefficients().mapv(f64::abs),
        ];
        for view in [0, 1] {
            let sums = alpha[view].sum_axis(Axis(0));
            let scale = largest_of_columns(expected[view].clone());
            for ((row, column), &value) in found[view].indexed_iter() {
                let off = (value - expected[view][[row, column]]).abs();
                let of_moved = moved
                    .iter()
                    .map(|moved| largest_of_columns(&moved[view] - &found[view])[column]);
                let by_cut = sums[column] * (rho * (rho + residuals[view][row])).sqrt();
                let derived = by_cut + FACTOR * of_moved.fold(0.0, f64::max);
                let allowed = derived.min(most * scale[column]);
                assert!(
                    off <= allowed,
                    "{what}, {view} {row} {column}: {off:e}, allowed {allowed:e}"
                );
            }
        }
    }
}
