//! Fits to small matrices with any numbers.

mod batches;
mod blocks;
mod kernel_methods;
mod linear_methods;
mod missing_values;
mod other_samples;
mod selection;
mod spaces;

use crate::Case;
use ndarray::{Array, Dimension};
use npt::{
    Scalar,
    watch::{CancellationToken, Interrupted},
};
use std::{error::Error, time::Duration};

/// The predictions of a fit for new samples, or its typed error.
pub type Predicted = Result<Vec<f64>, Box<dyn Error>>;

/// A function that fits something to a case.
pub type Run<F> = fn(&Case<F>) -> Predicted;

/// Something that is fitted to cases.
#[derive(Debug)]
pub struct Fit<F> {
    /// The name of the fit.
    pub name: &'static str,
    /// Fits to a case, and predicts.
    pub run: Run<F>,
    /// Is true if the fit takes the incomplete samples, in which NaN is a missing value.
    pub takes_missing_values: bool,
}

/// Lists every space, every linear method, every kernel method, every search and every fit to blocks or batches.
pub fn all<F: Scalar>() -> Vec<Fit<F>> {
    let complete = [
        spaces::all(),
        other_samples::all(),
        linear_methods::all(),
        kernel_methods::all(),
        selection::all(),
        blocks::all(),
        batches::all(),
    ];
    let of = |takes_missing_values| {
        move |(name, run)| Fit {
            name,
            run,
            takes_missing_values,
        }
    };
    let complete = complete.concat().into_iter().map(of(false));
    let incomplete = missing_values::all().into_iter().map(of(true));
    complete.chain(incomplete).collect()
}

/// The longest time of a fit that gets nowhere: a solver may go through its millions of iterations.
const PATIENCE: Duration = Duration::from_millis(500);

/// The end of a fit to a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It predicted numbers.
    Predicted,
    /// It refused with a typed error.
    Refused,
    /// It went on for longer than it may.
    OutOfTime,
}

/// Checks a fit: it ends without a panic, also if it is cancelled; it refuses samples that are no numbers, unless they are NaN and the fit
/// takes missing values; and its predictions are finite.
///
/// # Panics
/// If one of these does not hold.
pub fn check<F: Scalar>(fit: &Fit<F>, case: &Case<F>) -> End {
    let name = fit.name;
    let token = CancellationToken::new().cancel_after(PATIENCE);
    let predicted = match token.run(|| (fit.run)(case)) {
        Ok(predicted) => predicted,
        Err(Interrupted::Failed(_)) => return End::Refused,
        Err(_) => return End::OutOfTime,
    };
    let takes = if fit.takes_missing_values {
        case.is_finite_or_missing()
    } else {
        case.is_finite()
    };
    assert!(takes, "{name} takes samples that are no numbers: {case:?}");
    let wrong = predicted.iter().find(|value| !value.is_finite());
    assert!(wrong.is_none(), "{name} predicts {wrong:?} of {case:?}");
    End::Predicted
}

/// Runs one fit on one case, both from the bytes: two bytes choose the fit, first among those in `f64`.
///
/// # Panics
/// If the check fails.
pub fn run(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first_chunk() else {
        return;
    };
    let (double, single) = (all::<f64>(), all::<f32>());
    let which = usize::from(u16::from_le_bytes(*which)) % (double.len() + single.len());
    if let Some(fit) = double.get(which) {
        check(fit, &Case::of(bytes));
    } else {
        check(&single[which - double.len()], &Case::of(bytes));
    }
}

/// A number as the type of the kernel's parameters.
fn c<F: Scalar>(value: f64) -> F {
    F::cast(value)
}

/// The entries of an array of numbers.
fn numbers<F: Scalar, D: Dimension>(array: Array<F, D>) -> Vec<f64> {
    array.into_iter().map(Scalar::as_f64).collect()
}

/// Zeros, one for each entry of an array: labels need only be there.
fn counted<T, D: Dimension>(array: &Array<T, D>) -> Vec<f64> {
    vec![0.0; array.len()]
}
