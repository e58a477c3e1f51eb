//! Fits to small matrices of any numbers.

mod blocks;
mod kernel_methods;
mod linear_methods;
mod spaces;

use crate::Case;
use ndarray::{Array, Dimension};
use npt::{
    Scalar,
    watch::{CancellationToken, Interrupted},
};
use std::{error::Error, time::Duration};

/// What a fit predicts of new samples, or its typed error.
pub type Predicted = Result<Vec<f64>, Box<dyn Error>>;

/// Fits something to a case.
pub type Run<F> = fn(&Case<F>) -> Predicted;

/// Every space, every linear method, every kernel method and every fit to blocks, by name.
pub fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    [
        spaces::all(),
        linear_methods::all(),
        kernel_methods::all(),
        blocks::all(),
    ]
    .concat()
}

/// How long a fit may take that gets nowhere: a solver may go through its millions of iterations.
const PATIENCE: Duration = Duration::from_millis(500);

/// How a fit to a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It predicted numbers.
    Predicted,
    /// It refused with a typed error.
    Refused,
    /// It went on for longer than it may.
    OutOfTime,
}

/// What holds of every fit: it ends without a panic, also if it is ended; samples that are no numbers are refused; what is predicted are
/// numbers.
///
/// # Panics
/// If it does not hold.
pub fn check<F: Scalar>(name: &str, run: Run<F>, case: &Case<F>) -> End {
    let token = CancellationToken::new().cancel_after(PATIENCE);
    let predicted = match token.run(|| run(case)) {
        Ok(predicted) => predicted,
        Err(Interrupted::Failed(_)) => return End::Refused,
        Err(_) => return End::OutOfTime,
    };
    assert!(
        case.is_finite(),
        "{name} takes samples that are no numbers: {case:?}"
    );
    let wrong = predicted.iter().find(|value| !value.is_finite());
    assert!(wrong.is_none(), "{name} predicts {wrong:?} of {case:?}");
    End::Predicted
}

/// One fit to one case, both from the bytes: two of them say which fit, in `f64` first.
///
/// # Panics
/// If it is wrong.
pub fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first_chunk() else {
        return;
    };
    let (double, single) = (all::<f64>(), all::<f32>());
    let which = usize::from(u16::from_le_bytes(*which)) % (double.len() + single.len());
    if let Some((name, fit)) = double.get(which) {
        check(name, *fit, &Case::of(bytes));
    } else {
        let (name, fit) = single[which - double.len()];
        check(name, fit, &Case::of(bytes));
    }
}

/// A parameter of a kernel.
fn c<F: Scalar>(value: f64) -> F {
    F::cast(value)
}

/// The entries of an array of numbers.
fn numbers<F: Scalar, D: Dimension>(array: Array<F, D>) -> Vec<f64> {
    array.into_iter().map(Scalar::as_f64).collect()
}

/// As many numbers as there are entries of an array, each 0: labels need only be there.
fn counted<T, D: Dimension>(array: &Array<T, D>) -> Vec<f64> {
    vec![0.0; array.len()]
}
