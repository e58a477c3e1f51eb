//! Centred kernel matrices of several kernels.

use crate::Error;
use ndarray::{Array2, ArrayView1, Axis};
use npt_core::{
    AsSamples, Kernel, Samples, Scalar, gram_to_center,
    watch::{Progress, check},
};

/// The centred matrix K = (I − E)𝒦(I − E) of each kernel, for as many samples as `targets`.
pub(super) fn centered_grams<R, K, F>(
    kernels: &[K],
    records: &R,
    targets: usize,
) -> Result<Vec<Array2<F>>, Error>
where
    R: AsSamples,
    F: Scalar,
    K: Kernel<R::Samples, Scalar = F>,
{
    let x = records.as_samples().map_err(Error::Core)?;
    if targets != x.len() {
        let samples = x.len();
        return Err(Error::Core(npt_core::Error::TargetCount {
            samples,
            targets,
        }));
    }
    let mut progress = Progress::start("kernel matrices", kernels.len());
    let grams = kernels.iter().enumerate().map(|(number, kernel)| {
        progress.at(number);
        kernel.check(&x)?;
        let gram = gram_to_center(kernel, x.as_ref());
        require_finite(&gram)?;
        Ok(centered(gram))
    });
    grams.collect()
}

fn require_finite<F: Scalar>(gram: &Array2<F>) -> Result<(), npt_core::Error> {
    for (row, values) in gram.outer_iter().enumerate() {
        check();
        let bad = values.indexed_iter().find(|(_, value)| !value.is_finite());
        if let Some((column, value)) = bad {
            return Err(npt_core::Error::KernelNotFinite {
                row,
                column,
                value: value.as_f64(),
            });
        }
    }
    Ok(())
}

/// The centred matrix (I − E)𝒦(I − E), exactly 0 where only rounding is left.
pub(super) fn centered<F: Scalar>(mut gram: Array2<F>) -> Array2<F> {
    let before = norm(&gram);
    let count = F::cast(gram.nrows());
    let means = gram.sum_axis(Axis(0)) / count;
    let mean = means.sum() / count;
    for (mut row, &of_row) in gram.outer_iter_mut().zip(&means) {
        check();
        row.zip_mut_with(&means, |value, &of_column| {
            *value += mean - of_row - of_column;
        });
    }
    let rounding = (gram.nrows() + 8) as f64 * F::epsilon().as_f64();
    if norm(&gram) <= rounding * before {
        gram.fill(F::zero());
    }
    gram
}

/// The sum of the products of entries.
pub(super) fn inner_product<F: Scalar>(a: &Array2<F>, b: &Array2<F>) -> f64 {
    let of_row = |(a, b): (ArrayView1<'_, F>, ArrayView1<'_, F>)| -> f64 {
        check();
        let products = a.iter().zip(b).map(|(a, b)| a.as_f64() * b.as_f64());
        products.sum()
    };
    a.outer_iter().zip(b.outer_iter()).map(of_row).sum()
}

pub(super) fn norm<F: Scalar>(a: &Array2<F>) -> f64 {
    inner_product(a, a).sqrt()
}

/// Returns the ratio of a value to a scale, or 0 if the scale is 0.
pub(super) fn ratio(value: f64, scale: f64) -> f64 {
    if scale > 0.0 { value / scale } else { 0.0 }
}
