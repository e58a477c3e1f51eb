//! Tests fits with one training sample far from all others. Beyond some distance a Gaussian value is 0, so the distance does not matter:
//! every fit has to be that with the sample at a distance at which nothing is lost.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis};
use npt::prelude::*;
use npt::{KernelSpace, Scalar};
use npt_testkit::data;

const N: usize = 100;

/// 99 samples in [−2, 2]³ and one at `far`.
fn samples<F: Scalar>(far: f64) -> Array2<F> {
    let mut x = data::normal(N, 3, 1).mapv(|v| v.clamp(-2.0, 2.0));
    x.row_mut(40).fill(far);
    x.mapv(|v| F::cast(v))
}

fn new_samples<F: Scalar>() -> Array2<F> {
    data::normal(30, 3, 2).mapv(|v| F::cast(v))
}

fn kernels<F: Scalar>() -> Vec<Box<dyn Kernel<Rows<F>, Scalar = F>>> {
    let c = |v: f64| F::cast(v);
    let gaussian = Gaussian::new(c(0.5));
    vec![
        Box::new(gaussian),
        Box::new(LengthScales::new(gaussian, [1.0, 1.5, 0.7].map(c).to_vec())),
        Box::new(gaussian.scaled(c(0.5)) + Columns::new(Gaussian::new(c(1.0)), 0..2)),
    ]
}

/// The largest difference, relative to the largest magnitude.
fn off<F: Scalar>(found: &Array2<F>, expected: &Array2<F>) -> f64 {
    let largest = expected.fold(0.0_f64, |m, v| m.max(v.as_f64().abs()));
    let pairs = found.iter().zip(expected);
    let off = pairs.fold(0.0, |most, (found, expected)| {
        let off = (found.as_f64() - expected.as_f64()).abs();
        // NaN counts as far off.
        if off <= most { most } else { off }
    });
    off / largest
}

fn column<F: Scalar>(values: Array1<F>) -> Array2<F> {
    values.insert_axis(Axis(1))
}

/// Inner products of the coordinates, of training samples and of new ones.
fn exact<F: Scalar>(k: usize, far: f64) -> Array2<F> {
    let space = Exact::new(kernels::<F>().swap_remove(k)).fit_space(&samples::<F>(far));
    let space = space.unwrap();
    let y = space.training_coordinates().to_owned();
    let new = space.coordinates(&new_samples::<F>()).unwrap();
    ndarray::concatenate![Axis(0), y.dot(&y.t()), new.dot(&y.t())]
}

fn ridge<F: Scalar>(k: usize, far: f64) -> Array2<F> {
    let x = samples::<F>(far);
    let y = samples::<F>(1.0).column(0).mapv(F::sin);
    let params = KernelRidge::params(kernels::<F>().swap_remove(k));
    let params = params.method(|m| m.penalty(0.1));
    let model = params.fit(&Dataset::new(x, y)).unwrap();
    let predictions: Array1<F> = model.predict(&new_samples::<F>());
    column(predictions)
}

fn machine<F: Scalar>(k: usize, far: f64) -> Array2<F> {
    let x = samples::<F>(far);
    let near = samples::<F>(1.0);
    let sides = near.map_axis(Axis(1), |row| row[0] > row[1] * row[2]);
    let params = KernelSvc::params(kernels::<F>().swap_remove(k));
    let params = params.method(|m| m.tolerance(1e3 * F::epsilon().as_f64()));
    let model = params.fit(&Dataset::new(x, sides)).unwrap();
    let values: Array1<F> = model.transform(new_samples::<F>());
    column(values)
}

/// The eigenvalues, and squares of the coordinates, whose sign is arbitrary.
fn components<F: Scalar>(k: usize, far: f64) -> Array2<F> {
    let x = samples::<F>(far);
    let params = Kpca::params(3, kernels::<F>().swap_remove(k));
    let model = params.fit(&DatasetBase::from(x)).unwrap();
    let coordinates: Array2<F> = model.transform(new_samples::<F>());
    let values = model.inner().eigenvalues().to_owned().insert_axis(Axis(0));
    ndarray::concatenate![Axis(0), coordinates.mapv(|v| v * v), values]
}

fn check<F: Scalar>(distances: &[f64], level: f64) {
    let fits: [(&str, fn(usize, f64) -> Array2<F>); 4] = [
        ("Exact", exact),
        ("ridge", ridge),
        ("machine", machine),
        ("components", components),
    ];
    for (name, fit) in fits {
        for k in 0..kernels::<F>().len() {
            // At this distance even the smallest scale gives exp(−0.5·(1000/1.5)²) = 0.
            let expected = fit(k, 1e3);
            for &far in distances {
                let off = off(&fit(k, far), &expected);
                assert!(
                    off <= level,
                    "{name} with kernel {k}, a row at {far:e}: {off:e}"
                );
            }
        }
    }
}

#[test]
fn one_far_row() {
    check::<f64>(&[1e8, 1e10, 1e12, 1e14, 1e16, 1e20, 1e100, 1e300], 1e-10);
}

#[test]
fn one_far_row_in_f32() {
    check::<f32>(&[1e5, 3e7, 1e10, 1e20, 1e30], 1e-3);
}

/// The angles of random frequencies are measured from where the samples are, not from their mean, which one far sample moves:
/// in f32, with features at 1e4 and a row at 1e8, the other samples keep the phase of their waves.
#[test]
fn waves_of_the_others() {
    let mut x = data::normal(N, 3, 1).mapv(|v| (v + 1e4) as f32);
    x.row_mut(40).fill(1e8);
    let builder = RandomFourier::new(Gaussian::new(0.5_f32), 50).centered(false);
    let space = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
    let omega = space.space().raw_map().frequencies().mapv(f64::from);
    let y = space.training_coordinates();
    let products = y.dot(&y.t()).mapv(f64::from);
    for i in (0..N).filter(|&i| i != 40) {
        for j in (0..N).filter(|&j| j != 40) {
            let difference = x.row(i).mapv(f64::from) - x.row(j).mapv(f64::from);
            let expected = omega.dot(&difference).mapv(f64::cos).mean().unwrap();
            let off = (products[[i, j]] - expected).abs();
            assert!(off <= 2e-5, "({i}, {j}): {off:e}");
        }
    }
}
