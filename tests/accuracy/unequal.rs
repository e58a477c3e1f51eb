//! Features of very different size, in f32.

use super::{FACTOR, Table, TableKernel, cast, largest, largest_of_columns};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array, Array1, Array2, Axis, Dimension, array, s};
use npt::{
    methods::{KernelNuSvc, KernelSvr},
    prelude::*,
};
use npt_testkit::data;

/// The rank is that of the data, in f32 too: no direction is taken for rounding because there are
/// many samples.
#[test]
fn features_of_very_different_size_in_f32() {
    let unequal = |n: usize, deviations: &[f64]| {
        let x = data::normal(n, deviations.len(), 1) * &Array1::from(deviations.to_vec());
        cast::<f32>(&x)
    };
    let rank = |x: &Array2<f32>, axes| {
        let space = Exact::new(Linear::new()).axes(axes).fit_space(x);
        space.unwrap().rank()
    };
    for axes in [Axes::Principal, Axes::Cholesky] {
        assert_eq!(rank(&unequal(1000, &[100.0, 1.0]), axes), 2);
        let six = [1.0, 0.3, 0.1, 0.03, 0.01, 0.003];
        for n in [300, 3000, 30_000] {
            assert_eq!(rank(&unequal(n, &six), axes), 6, "{n} samples, {axes:?}");
        }
    }
}

/// Two features of deviations 100 and 1; both count the same in the target.
fn two_features() -> (Array2<f64>, Array1<f64>) {
    let x = data::normal(1000, 2, 1) * &array![100.0, 1.0];
    let x = cast::<f32>(&x).mapv(f64::from);
    let y = x.map_axis(Axis(1), |row| 0.01 * row[0] + row[1]);
    (x, y)
}

/// The accuracy of κ in units of the small feature: κ is known to ε‖x‖², and ‖x‖² is ten thousand times what the small feature adds.
const KNOWN: f64 = f32::EPSILON as f64 * 1e4;

/// Checks that a kernel method with the linear kernel in f32 gives the values of the linear method in f64, as accurately as the
/// linear method in f32 or the classical formula.
macro_rules! as_the_linear_method {
    ($($name:ident: $params:expr, $targets:expr, $compared:ident as $type:ident, $known:ident;)*) => {$(
        #[test]
        fn $name() {
            let (x, y) = two_features();
            let new = x.slice(s![..50, ..]).to_owned();
            let targets = $targets;
            let linear = $params(Linear::new()).inner().clone();
            let plain = linear.fit(&DatasetBase::new(x.clone(), targets(&y).wide())).unwrap();
            let expected: $type<f64> = plain.transform(new.clone());
            let of_kernel = $params(Linear::new());
            let of_kernel = of_kernel.fit(&DatasetBase::new(cast::<f32>(&x), targets(&y)));
            let found: $type<f32> = of_kernel.unwrap().transform(cast::<f32>(&new));
            let found = found.mapv(|v| $compared(v.into()));
            let expected = expected.mapv($compared);
            let off = |values: $type<f64>| largest_of_columns(values - &expected);
            let by_products = $known(&x, &new, |kernel, x, new| {
                let data = DatasetBase::new(x.clone(), targets(&y).wide());
                let values: $type<f64> = $params(kernel).fit(&data).unwrap().transform(new.clone());
                off(values.mapv($compared))
            });
            let plain = linear.fit(&DatasetBase::new(cast::<f32>(&x), targets(&y)));
            let plain: $type<f32> = plain.unwrap().transform(cast::<f32>(&new));
            let known = off(plain.mapv(|v| $compared(v.into())));
            let scales = largest_of_columns(expected.clone());
            for (column, off) in off(found).into_iter().enumerate() {
                let known = known[column].max(*by_products.get(column).unwrap_or(&0.0));
                let known = known.max(KNOWN * scales[column]);
                println!("{} {column}: {off:e} of {known:e}", stringify!($name));
                assert!(off <= FACTOR * known, "{column}: {off:e}, known to {known:e}");
            }
        }
    )*};
}

/// Returns the error of the classical formula when each kernel value is moved by two ε of f32. `formula` takes a kernel and
/// the numbers of the samples and of the new ones.
fn products(
    x: &Array2<f64>,
    new: &Array2<f64>,
    formula: impl Fn(TableKernel, &Items<usize>, &Items<usize>) -> Vec<f64>,
) -> Vec<f64> {
    let table = Table::new(x, new, &Linear::new());
    let moves = (0..2).map(|seed| {
        let kernel = table.moved(seed, |value| 2.0 * f64::from(f32::EPSILON) * value.abs());
        formula(kernel, &table.samples, &table.new)
    });
    let larger = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a.max(b)).collect();
    moves.reduce(larger).expect("some moves")
}

/// Returns no error to be allowed: coordinates find both features before they round. (An expansion by dual coefficients is as
/// accurate as the classical formula.)
fn coordinates(
    _: &Array2<f64>,
    _: &Array2<f64>,
    _: impl Fn(TableKernel, &Items<usize>, &Items<usize>) -> Vec<f64>,
) -> Vec<f64> {
    Vec::new()
}

#[test]
fn ridge_by_both_roads() {
    let (x, y) = two_features();
    let data = Dataset::new(cast::<f32>(&x), values(&y));
    let kernel = KernelRidge::params(Linear::new()).method(|m| m.penalty(1e-3));
    let plain = kernel.inner().fit(&data).unwrap().predict(data.records());
    let of_kernel = kernel.fit(&data).unwrap().predict(data.records());
    let by_coordinates = kernel.by_coordinates().fit(&data).unwrap();
    let by_coordinates = by_coordinates.predict(data.records());
    let off = |found: &Array1<f32>| largest(found.mapv(f64::from) - &y);
    let allowed = FACTOR * off(&plain).max(KNOWN);
    for found in [off(&of_kernel), off(&by_coordinates)] {
        assert!(found <= allowed, "{found:e} > {allowed:e}");
    }
}

/// Targets that have a version in f64.
trait Wide {
    type Wide;
    fn wide(self) -> Self::Wide;
}

impl<D: Dimension> Wide for Array<f32, D> {
    type Wide = Array<f64, D>;
    fn wide(self) -> Self::Wide {
        self.mapv(f64::from)
    }
}

macro_rules! wide_labels {
    ($($label:ty),*) => {$(
        impl Wide for Array1<$label> {
            type Wide = Self;
            fn wide(self) -> Self {
                self
            }
        }
    )*};
}
wide_labels!(bool, usize, ());

fn values(y: &Array1<f64>) -> Array1<f32> {
    y.mapv(|v| v as f32)
}

fn column(y: &Array1<f64>) -> Array2<f32> {
    values(y).insert_axis(Axis(1))
}

fn sides(y: &Array1<f64>) -> Array1<bool> {
    y.mapv(|v| v > 0.3)
}

fn classes(y: &Array1<f64>) -> Array1<usize> {
    y.mapv(|v| usize::from(v > -0.5) + usize::from(v > 0.8))
}

fn nothing(y: &Array1<f64>) -> Array1<()> {
    y.mapv(|_| ())
}

fn value(v: f64) -> f64 {
    v
}

/// The magnitude of a score. Its sign is a matter of rounding where two samples are equally far.
fn magnitude(v: f64) -> f64 {
    v.abs()
}

/// The tolerance of optimality, so small that no difference is the solver's.
const SOLVED: f64 = 1e-9;

as_the_linear_method! {
    components: |k| Kpca::params(2, k), nothing, magnitude as Array2, products;
    components_by_absolute_values: |k| KpcaL1::params(2, k), nothing, magnitude as Array2, coordinates;
    independent_components: |k| KernelIca::params(2, k), nothing, magnitude as Array2, coordinates;
    discriminants: |k| Kfd::params(k).method(|m| m.ridge(1e-6)),
        classes, magnitude as Array2, coordinates;
    regression_discriminants:
        |k| KernelRegressionDiscriminant::params(1, k).method(|m| m.ridge(1e-6)),
        values, magnitude as Array2, coordinates;
    partial_least_squares: |k| KernelPls::params(2, k), column, magnitude as Array2, coordinates;
    logistic_regression: KernelLogistic::params, classes, value as Array2, products;
    support_vector_classification:
        |k| KernelSvc::params(k).method(|m| m.tolerance(SOLVED)),
        sides, value as Array1, products;
    support_vector_regression:
        |k| KernelSvr::params(k).method(|m| m.tolerance(SOLVED)),
        values, value as Array1, products;
    support_vectors_by_nu:
        |k| KernelNuSvc::params(0.3, k).method(|m| m.tolerance(SOLVED)),
        sides, value as Array1, products;
    several_classes:
        |k| KernelSvc::params(k).method(|m| m.tolerance(SOLVED)),
        classes, value as Array2, products;
}
