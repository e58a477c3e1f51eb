//! Bad input is an error that names what is wrong, with its value; `fit` never panics.

mod classes;
mod false_claims;
mod foreign;
mod iterative_ridge;
mod kernels;
mod landmarks;
mod matrices;
mod parameters;
mod predict;
mod samples;
mod scales;
mod streaming;

use linfa_linear::LinearRegression;
use ndarray::Array2;
use npt::{Error, prelude::*};

fn fit<K: Kernel<Rows<f64>, Scalar = f64>>(kernel: K, x: &Array2<f64>) -> Result<usize, Error> {
    Exact::new(kernel).fit_space(x).map(|space| space.rank())
}

fn fit_rank(rank: Rank, axes: Axes, x: &Array2<f64>) -> Result<usize, Error> {
    let exact = Exact::new(Linear::new()).rank(rank).axes(axes);
    exact.fit_space(x).map(|space| space.rank())
}

const AXES: [Axes; 2] = [Axes::Principal, Axes::Cholesky];

fn regression() -> Kernelized<LinearRegression, Exact<Gaussian<f64>>> {
    Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5)))
}

/// Checks the owner and the name of a refused parameter. Its value is compared by itself, as NaN equals nothing.
#[track_caller]
fn assert_parameter<T: std::fmt::Debug>(
    result: Result<T, Error>,
    owner: &str,
    name: &str,
    refused: f64,
) {
    match result {
        Err(Error::Parameter {
            of,
            parameter,
            value,
            ..
        }) => {
            assert_eq!((of, parameter), (owner, name));
            assert!(value.total_cmp(&refused).is_eq(), "{value}");
        }
        other => panic!("{other:?} instead of the parameter {name} of {owner}"),
    }
}
