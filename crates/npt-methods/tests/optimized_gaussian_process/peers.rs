//! Tests against the optima of scikit-learn.
//!
//! The peer is scikit-learn 1.9.1, `GaussianProcessRegressor(kernel=kernel + WhiteKernel(1.0), alpha=0,
//! optimizer=optimizer)`, with the optimiser `scipy.optimize.minimize(f, x0, jac=True, bounds=bounds,
//! method="L-BFGS-B", options=dict(ftol=1e-15, gtol=1e-9, maxiter=2000))`: its default optimiser stops 10⁻⁸ to
//! 2·10⁻⁶ below. All parameters begin at 1.

use linfa::{Dataset, traits::Fit};
use ndarray::{Array1, Array2, Axis, Ix1, s};
use npt_core::{Gaussian, Kernel, LengthScales, Linear, Matern, RationalQuadratic, Rows};
use npt_methods::{GaussianProcess, OptimizedGaussianProcessParams};

fn standardized(x: Array2<f64>) -> Array2<f64> {
    let mean = x.mean_axis(Axis(0)).unwrap();
    let deviation = x.std_axis(Axis(0), 0.0);
    (x - mean) / deviation
}

/// The relative difference that is allowed in parameters, where the likelihood is the same to 10⁻⁸: the
/// square root of 10⁻⁸, and a little more for directions in which the likelihood is flat.
const APART: f64 = 1e-3;

/// Checks the largest likelihood and the parameters there; returns the parameters at their bounds.
fn check<K>(
    search: &OptimizedGaussianProcessParams<K>,
    data: &Dataset<f64, f64, Ix1>,
    likelihood: f64,
    parameters: &[f64],
) -> Vec<String>
where
    K: Kernel<Rows<f64>, Scalar = f64> + Clone + 'static,
{
    let model = search.fit(data).unwrap();
    let found = model.log_marginal_likelihood();
    assert!((found - likelihood).abs() < 1e-6, "{found} {likelihood}");
    let run = &model.runs()[0];
    assert!(run.has_converged());
    let found = &run.path().last().unwrap().parameters;
    for ((name, found), expected) in run.names().iter().zip(found).zip(parameters) {
        // NaN stands for scikit-learn's bound of 10⁵: there the likelihood no longer depends on the parameter.
        let close = expected.is_nan() && *found > 1e3 || (found / expected - 1.0).abs() < APART;
        assert!(close, "{name}: {found} {expected}");
    }
    assert_eq!(found.len(), parameters.len());
    run.at_bounds().into_iter().map(str::to_owned).collect()
}

/// Each of ten features has a length scale; two of the features do not matter.
#[test]
fn diabetes() {
    let data = linfa_datasets::diabetes();
    let y = data.targets().clone().insert_axis(Axis(1));
    let y = standardized(y).remove_axis(Axis(1));
    let data = Dataset::new(standardized(data.records().clone()), y);
    let of_features = LengthScales::new(Gaussian::from_length_scale(1.0), vec![1.0; 10]);
    let search = GaussianProcess::optimized(of_features.scaled(1.0)).keep("kernel.kernel.gamma");
    let parameters = [
        1.013_347_239_497_624_6,
        4.510_220_488_740_306,
        4.531_579_149_120_98,
        4.422_059_204_399_714,
        6.468_215_425_929_539,
        16.785_170_977_514_344,
        f64::NAN,
        8.416_920_084_970_581,
        f64::NAN,
        2.808_052_326_291_216_3,
        32.454_185_984_255_26,
        0.458_433_013_652_708_9,
    ];
    check(&search, &data, -476.484_632_490_491_9, &parameters);
}

/// Some of the 600 wines are there twice: the noise goes to its lower bound.
#[test]
fn wines() {
    let data = linfa_datasets::winequality();
    let x = standardized(data.records().slice(s![..600, ..]).to_owned());
    let quality: Array1<f64> = data.targets().slice(s![..600]).mapv(|v| v as f64);
    let mean = quality.mean().unwrap();
    let data = Dataset::new(x, quality - mean);
    let kernel = RationalQuadratic::new(1.0, 1.0).scaled(1.0);
    let parameters = [
        1.819_607_469_176_178_8,
        0.499_621_577_714_286_6,
        0.058_944_986_050_740_91,
        9.999_999_999_999_997e-6,
    ];
    let search = GaussianProcess::optimized(kernel);
    let at_bounds = check(&search, &data, -162.824_850_269_251_78, &parameters);
    assert_eq!(at_bounds, ["noise"]);
}

/// The width of petals follows from the other three lengths by a sum of two kernels.
#[test]
fn irises() {
    let data = linfa_datasets::iris();
    let x = data.records().slice(s![.., ..3]).to_owned();
    let data = Dataset::new(x, data.records().column(3).to_owned());
    let kernel = Matern::three_halves(1.0).scaled(1.0) + Linear::new().scaled(1.0);
    let parameters = [
        0.019_703_101_501_600_69,
        0.445_250_358_677_468_7,
        0.098_284_931_623_360_5,
        0.021_972_735_253_272_955,
    ];
    let search = GaussianProcess::optimized(kernel);
    let at_bounds = check(&search, &data, 35.630_036_061_931_69, &parameters);
    assert!(at_bounds.is_empty());
}
