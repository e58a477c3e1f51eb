//! Tests of the shares of the training samples that machines by ν promise, counted from the predictions of their models.

use super::normal;
use linfa::{
    DatasetBase,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, array};
use npt_core::{
    Gaussian, Kernel, KernelizedError, Laplacian, Nystrom, Pivoting, Polynomial, Rows, Scalar,
};
use npt_methods::{
    Error, KernelOneClassSvm, KernelSvr, NoveltyDetector,
    linear::{OneClassSvm, Svr},
};

/// Makes samples of a kind: apart, duplicates of few, or on a grid with many equal distances; some data have weights.
fn samples<F: Scalar>(seed: u64) -> DatasetBase<Array2<F>, Array1<F>> {
    let rows = [3, 10, 40, 100][(seed % 4) as usize];
    let x = normal(rows, 2, seed);
    let x = match seed / 4 % 3 {
        0 => x,
        1 => Array2::from_shape_fn((rows, 2), |(i, j)| x[[i % (rows / 2 + 1), j]]),
        _ => x.mapv(|v| (2.0 * v).round() / 3.0),
    };
    let y = x.map_axis(ndarray::Axis(1), |row| {
        F::cast(row[0] * row[1] + (3.0 * row[0]).sin())
    });
    let data = DatasetBase::new(x.mapv(F::cast), y);
    if seed.is_multiple_of(5) {
        // Weights from 0 to 1.5.
        let weights =
            (0..rows).map(|i| f32::from((i * 7 % 4) as u8) * 0.5 + if i == 0 { 0.5 } else { 0.0 });
        data.with_weights(weights.collect())
    } else {
        data
    }
}

/// The share, by weight, of the samples for which `holds` is true.
fn share<R: linfa::dataset::Records, T>(
    data: &DatasetBase<R, T>,
    holds: impl Iterator<Item = bool>,
) -> f64 {
    let weight = |i: usize| data.weights.get(i).map_or(1.0, |&w| f64::from(w));
    let (mut outside, mut total) = (0.0, 0.0);
    for (i, holds) in holds.enumerate() {
        outside += if holds { weight(i) } else { 0.0 };
        total += weight(i);
    }
    outside / total
}

const SHARES: [f64; 6] = [0.03, 0.1, 0.29, 0.3, 0.5, 1.0];

fn one_class<F: Scalar, K: Kernel<Rows<F>, Scalar = F> + Clone>(
    kernel: impl Fn(f64) -> K,
    seeds: u64,
) {
    let mut checked = 0;
    for seed in 0..seeds {
        let data = samples::<F>(seed);
        let nu = SHARES[(seed % 6) as usize];
        let gamma = [1.0 / 3.0, 0.01, 7.0][(seed % 3) as usize];
        let params = KernelOneClassSvm::params(nu, kernel(gamma));
        let model = match params.fit(&data) {
            Ok(model) => model,
            Err(KernelizedError::Method(Error::NoMargin { .. })) => continue,
            Err(error) => panic!("{seed}: {error}"),
        };
        let inside: Array1<bool> = model.predict(&data.records);
        let outside = share(&data, inside.iter().map(|inside| !inside));
        assert!(outside <= nu, "{seed}: {outside} of {nu} are outside");
        checked += 1;
    }
    assert!(checked * 2 > seeds, "{checked}");
}

#[test]
fn no_more_than_the_share_is_outside() {
    one_class(Gaussian::new, 300);
    one_class(|gamma| Gaussian::new(gamma as f32), 300);
    one_class(Laplacian::new, 100);
    one_class(|gamma| Laplacian::new(gamma as f32), 100);
    one_class(|gamma| Polynomial::new(2, gamma, 1.0), 100);
    one_class(|gamma| Polynomial::new(2, gamma as f32, 1.0), 100);
}

/// Margin samples are inside: of three samples, if fewer than one may be outside, all are inside.
#[test]
fn margin_samples_are_inside() {
    let x = array![[1.0], [2.0], [3.0]];
    let data = DatasetBase::from(x.clone());
    let third = 1.0 / 3.0;
    for nu in [0.03, 0.1, 0.2, 0.33] {
        let model = KernelOneClassSvm::params(nu, Gaussian::new(third))
            .fit(&data)
            .unwrap();
        let inside: Array1<bool> = model.predict(&x);
        assert!(inside.iter().all(|&inside| inside), "{nu}: {inside}");
        // The samples are also inside one by one.
        for row in x.outer_iter() {
            let inside: Array1<bool> = model.predict(&row.insert_axis(ndarray::Axis(0)).to_owned());
            assert!(inside[0], "{nu}");
        }
        // The optimum is at the margin, which is at most the solver's tolerance below the largest distance.
        let values: Array1<f64> = model.try_transform(&x).unwrap();
        let rho = -model.expansion().offsets()[0];
        assert!(
            values.iter().any(|value| value.abs() < 2e-3 * rho),
            "{values}"
        );
    }
}

/// Shares also hold for rows, and in a space of few landmarks, whose functions are written as expansions.
#[test]
fn on_other_roads() {
    for seed in 0..60 {
        let mut data = samples::<f64>(seed);
        let nu = SHARES[(seed % 6) as usize];
        let nystrom = KernelOneClassSvm::params(nu, Gaussian::new(0.2))
            .space(|_| Nystrom::new(Gaussian::new(0.2), Pivoting::greedy(3)).centered(false));
        // Of three samples only two may be distinct.
        if data.records.nrows() > 3 {
            let model = nystrom.fit(&data).unwrap();
            let inside: Array1<bool> = model.predict(&data.records);
            let outside = share(&data, inside.iter().map(|inside| !inside));
            assert!(outside <= nu, "{seed}: {outside} of {nu}, by landmarks");
        }

        data.records += 4.0;
        let model = OneClassSvm::params(nu).fit(&data).unwrap();
        let inside: Array1<bool> = model.predict(&data.records);
        let outside = share(&data, inside.iter().map(|inside| !inside));
        assert!(outside <= nu, "{seed}: {outside} of {nu}, by rows");
    }
}

fn tube<F: Scalar>(seeds: u64) {
    let mut open = 0;
    for seed in 0..seeds {
        let data = samples::<F>(seed);
        let nu = SHARES[(seed % 6) as usize];
        let gaussian = Gaussian::new(F::cast(0.5));
        let model = KernelSvr::params(gaussian)
            .method(|m| m.c(3.0).nu(nu))
            .fit(&data)
            .unwrap();
        let linear = Svr::params().c(3.0).nu(nu).fit(&data).unwrap();
        let values: [(F, Array1<F>); 2] = [
            (model.inner().epsilon(), model.predict(&data.records)),
            (linear.epsilon(), linear.predict(&data.records)),
        ];
        for (epsilon, values) in values {
            if epsilon > F::zero() {
                open += 1;
                let off = values
                    .iter()
                    .zip(&data.targets)
                    .map(|(&f, &y)| (f - y).abs() > epsilon);
                let outside = share(&data, off);
                assert!(outside <= nu, "{seed}: {outside} of {nu} are outside");
            }
        }
    }
    assert!(open > seeds, "{open}");
}

#[test]
fn no_more_than_the_share_is_outside_the_tube() {
    tube::<f64>(200);
    tube::<f32>(200);
}

#[test]
fn no_more_than_the_rest_is_novel() {
    for seed in 0..100 {
        let data = DatasetBase::from(samples::<f32>(seed).records);
        let quantile = 1.0 - SHARES[(seed % 5) as usize];
        for gamma in [0.01, 1.0] {
            let params = NoveltyDetector::params(Gaussian::new(gamma)).quantile(quantile);
            let model = params.fit(&data).unwrap();
            let novel: Array1<bool> = model.predict(&data.records);
            let novel = share(&data, novel.into_iter());
            assert!(
                novel + quantile <= 1.0 + 1e-12,
                "{seed}: {novel} of {quantile}"
            );
        }
    }
}
