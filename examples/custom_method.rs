//! An algorithm of your own, and its kernel version for nothing.
//!
//! Whatever implements linfa's `Fit` for plain matrices is a linear method, and `Kernelized` makes
//! the kernel version of it. The method need not be written with inner products, which is what the
//! kernel trick would ask for. Median regression, for one, is not: it minimises Σ |yᵢ − f(xᵢ)|
//! instead of the sum of squares, so that gross errors in y pull with no more force than small ones.
//! linfa does not have it. Thirty lines below do, by weighted least squares repeated: weight
//! 1/|residual| turns squares into absolute values.
//! The data are a line with a wave on it; one value in five is an outlier, always upwards. The example
//! prints the mean distance from the true curve:
//! the mean distance from the true curve:
//!
//! ```text
//!                     linear  kernelized
//! least squares         1.82        1.82
//! median regression     0.58        0.04
//! ```
//!
//! A line misses the wave, least squares follows the outliers; only the kernelized median regression
//! finds the curve. Kernelized least squares got the kernel for the same line of code, and it bends
//! readily, but towards the wrong values.

use linfa::{Dataset, DatasetBase, dataset::AsSingleTargets};
use linfa_linear::{LinearError, LinearRegression};
use ndarray::{Array1, Array2, Axis, Ix1, concatenate, s};
use npt::prelude::*;
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;
use std::error::Error;

/// Linear regression by least absolute deviations.
#[derive(Debug, Clone)]
struct MedianRegression {
    /// Number of weighted least squares fits in a row.
    passes: usize,
    /// The smallest magnitude of a residual: smaller ones are raised to it, as a residual of zero would have infinite weight.
    smallest_residual: f64,
}

/// A fitted [`MedianRegression`]: f(x) = ⟨w, x⟩ + b.
#[derive(Debug, Clone)]
struct Hyperplane {
    w: Array1<f64>,
    b: f64,
}

impl<T> Fit<Array2<f64>, T, LinearError<f64>> for MedianRegression
where
    T: AsSingleTargets<Elem = f64>,
{
    type Object = Hyperplane;

    fn fit(&self, data: &DatasetBase<Array2<f64>, T>) -> Result<Hyperplane, LinearError<f64>> {
        let y = data.as_single_targets();
        let x = concatenate![Axis(1), data.records().view(), Array2::ones((y.len(), 1))];
        let least_squares = LinearRegression::new().with_intercept(false);

        let mut root_weights = Array1::ones(y.len());
        let mut w = Array1::zeros(x.ncols());
        for _ in 0..self.passes {
            let weighted = Dataset::new(
                &x * &root_weights.view().insert_axis(Axis(1)),
                &y * &root_weights,
            );
            w = least_squares.fit(&weighted)?.params().to_owned();
            let residuals = &y - x.dot(&w);
            root_weights = residuals.mapv(|r| r.abs().max(self.smallest_residual).sqrt().recip());
        }
        let b = w[w.len() - 1];
        Ok(Hyperplane {
            w: w.slice_move(s![..-1]),
            b,
        })
    }
}

impl PredictInplace<Array2<f64>, Array1<f64>> for Hyperplane {
    fn predict_inplace(&self, x: &Array2<f64>, y: &mut Array1<f64>) {
        y.assign(&(x.dot(&self.w) + self.b));
    }

    fn default_target(&self, x: &Array2<f64>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let data = wave_with_outliers(200);
    let x = Array1::linspace(-3.0, 3.0, 601).insert_axis(Axis(1));
    let truth = x.column(0).mapv(wave);

    // Neither method has a regulariser: the number of components limits how far they bend.
    let space = Exact::new(Gaussian::new(1.0)).rank(Rank::Components(10));
    let squares = LinearRegression::new();
    let median = MedianRegression {
        passes: 50,
        smallest_residual: 1e-3,
    };

    let line = squares.fit(&data)?.predict(&x);
    let curve = Kernelized::new(squares, space.clone())
        .fit(&data)?
        .predict(&x);
    let median_line = median.fit(&data)?.predict(&x);
    let median_curve = Kernelized::new(median, space).fit(&data)?.predict(&x);

    let error = |prediction: Array1<f64>| (prediction - &truth).mapv(f64::abs).sum() / 601.0;
    println!("                    linear  kernelized");
    println!(
        "least squares       {:>6.2} {:>11.2}",
        error(line),
        error(curve)
    );
    println!(
        "median regression   {:>6.2} {:>11.2}",
        error(median_line),
        error(median_curve)
    );
    Ok(())
}

/// The true curve.
fn wave(x: f64) -> f64 {
    x / 2.0 + (2.0 * x).sin()
}

/// The curve with a little noise everywhere, and one value in five far above it.
fn wave_with_outliers(samples: usize) -> Dataset<f64, f64, Ix1> {
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let x = Array2::from_shape_simple_fn((samples, 1), || rng.gen_range(-3.0..3.0));
    let y = x.column(0).mapv(|x| {
        let noise: f64 = rng.sample(StandardNormal);
        let gross = if rng.gen_bool(0.2) {
            rng.gen_range(5.0..15.0)
        } else {
            0.0
        };
        wave(x) + 0.1 * noise + gross
    });
    Dataset::new(x, y)
}
