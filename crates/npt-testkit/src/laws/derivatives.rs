//! The derivatives that a kernel has by its parameters.

use super::tolerance::largest;
use crate::{data, oracles::centering};
use ndarray::Array2;
use npt_core::{Kernel, ParameterValue, Samples};

/// The step of ln θ, for which its square and the rounding divided by it are about as large.
const STEP: f64 = 6e-6;

/// The tolerance for derivatives, in units of the kernel's largest value for each weight. The error is the squared step
/// times the third derivative; a cube has the largest third derivative here.
const TOLERANCE: f64 = 1e-8;

/// Checks the derivatives of a kernel by its real parameters against differences of kernel values. Returns the
/// names of the parameters whose derivatives the kernel does not know.
///
/// # Panics
/// If a derivative is off, or there are more or fewer derivatives than real parameters.
pub fn check_derivatives<S: Samples, K: Kernel<S, Scalar = f64> + ?Sized>(
    kernel: &mut K,
    x: &S,
) -> Vec<String> {
    let weights = data::normal(x.len(), x.len(), 17);
    let weights = &weights + &weights.t();
    let found = kernel.parameter_derivatives(x, weights.view());
    let scale = weights.mapv(f64::abs).sum() * largest(&centering::gram(kernel, x));
    let mut found = found.into_iter();
    let mut unknown = Vec::new();
    for parameter in kernel.parameters() {
        for (k, &value) in parameter.value.reals().iter().enumerate() {
            let name = &parameter.name;
            let Some(derivative) = found.next().expect("one a real parameter") else {
                unknown.push(name.clone());
                continue;
            };
            let mut sum_at = |value: f64| {
                let mut moved = parameter.value.clone();
                match &mut moved {
                    ParameterValue::List(values) => values[k] = value,
                    other => *other = value.into(),
                }
                kernel.set_parameter(name, moved).expect("a real number");
                weighted_sum(&*kernel, x, &weights)
            };
            // The step is in ln θ, and in θ itself if that is 0.
            let (above, below, by) = if value == 0.0 {
                (STEP, -STEP, 1.0)
            } else {
                (value * STEP.exp(), value * (-STEP).exp(), value)
            };
            let expected = (sum_at(above) - sum_at(below)) / (2.0 * STEP);
            sum_at(value);
            let off = (by * derivative - expected).abs();
            assert!(
                off <= TOLERANCE * scale,
                "by {name}: {derivative:e}, off by {off:e} of {scale:e}"
            );
        }
    }
    assert_eq!(found.next(), None, "one a real parameter");
    unknown
}

/// The sum Σᵢⱼ wᵢⱼκ(xᵢ, xⱼ).
fn weighted_sum<S: Samples, K: Kernel<S, Scalar = f64> + ?Sized>(
    kernel: &K,
    x: &S,
    weights: &Array2<f64>,
) -> f64 {
    (centering::gram(kernel, x) * weights).sum()
}
