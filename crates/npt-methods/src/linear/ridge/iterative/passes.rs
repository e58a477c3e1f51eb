//! Sums over samples that come in blocks, pass by pass.

use crate::{
    Error,
    linear::{centre, ridge::Centre, targets::checked_targets},
    streaming::counted_on,
};
use linfa::{
    DatasetBase, Float as _,
    dataset::{AsTargets, Records},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, concatenate, s};
use npt_core::{AsSamples, Expansion, Kernel, Samples, Scalar, linalg};
use std::borrow::Cow;

/// Rows of coefficients that are there in `f64` at a time.
const PART: usize = 1024;

/// Samples that come anew with each pass, and the coordinates in which they are seen.
pub(super) struct Passes<'a, S, K, F, N> {
    pub(super) functions: &'a Expansion<S, K, F>,
    pub(super) pass: N,
    /// As many as came with the first pass.
    pub(super) samples: Option<usize>,
    /// Columns of their targets, since the first block.
    pub(super) targets: Option<usize>,
}

/// Sums over all samples: Kᵀu for their kernel values K, and 1ᵀu. In `f64` whatever the samples are: coefficients of
/// coordinates are large, and what they are summed to is small.
pub(super) struct Sums {
    of_kernel_values: Array2<f64>,
    of_ones: Array1<f64>,
}

impl Sums {
    fn zeros(samples: usize, columns: usize) -> Self {
        Self {
            of_kernel_values: Array2::zeros((samples, columns)),
            of_ones: Array1::zeros(columns),
        }
    }

    fn add(&mut self, cross: ArrayView2<'_, f64>, u: ArrayView2<'_, f64>) {
        self.of_kernel_values += &linalg::product(cross.t(), u);
        self.of_ones += &u.sum_axis(Axis(0));
    }

    fn merge(&mut self, other: &Self) {
        self.of_kernel_values += &other.of_kernel_values;
        self.of_ones += &other.of_ones;
    }

    /// Yᵀu for coordinates that are functions with these coefficients and offsets of the kernel values.
    pub(super) fn of_coordinates<F: Scalar>(
        &self,
        coefficients: ArrayView2<'_, F>,
        offsets: ArrayView1<'_, F>,
    ) -> Array2<f64> {
        let wide = offsets.mapv(Scalar::as_f64).insert_axis(Axis(1));
        let mut sum = wide.dot(&self.of_ones.view().insert_axis(Axis(0)));
        let parts = coefficients.axis_chunks_iter(Axis(0), PART);
        for (part, values) in parts.zip(self.of_kernel_values.axis_chunks_iter(Axis(0), PART)) {
            let part = part.mapv(Scalar::as_f64);
            sum += &linalg::product(part.t(), values);
        }
        sum
    }
}

/// The coefficients of functions ⟨w, y⟩ for coordinates y that have these coefficients.
pub(super) fn coefficients_along<F: Scalar>(
    coefficients: ArrayView2<'_, F>,
    w: ArrayView2<'_, f64>,
) -> Array2<f64> {
    let mut along = Array2::zeros((coefficients.nrows(), w.ncols()));
    let parts = coefficients.axis_chunks_iter(Axis(0), PART);
    for (part, mut along) in parts.zip(along.axis_chunks_iter_mut(Axis(0), PART)) {
        along.assign(&linalg::product(part.mapv(Scalar::as_f64).view(), w));
    }
    along
}

impl<S, K, N, I, R, T, E> Passes<'_, S, K, K::Scalar, N>
where
    S: Samples,
    K: Kernel<S>,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = S>,
    T: AsTargets<Elem = K::Scalar>,
    E: From<Error>,
{
    /// The sums of a pass, with u made of kernel values of some samples and their targets, these as `prepare` leaves
    /// them.
    pub(super) fn sum(
        &mut self,
        mut prepare: impl FnMut(Array2<K::Scalar>) -> Array2<K::Scalar>,
        u: impl Fn(ArrayView2<'_, f64>, ArrayView2<'_, K::Scalar>) -> Array2<f64> + Sync,
    ) -> Result<Sums, E> {
        let (mut count, mut sums) = (0, None);
        for block in (self.pass)()? {
            let block = block?;
            let counted = |error| counted_on(error, count);
            let Some((samples, targets)) = checked(&block).map_err(counted)? else {
                continue;
            };
            let (expected, found) = (
                *self.targets.get_or_insert(targets.ncols()),
                targets.ncols(),
            );
            if expected != found {
                return Err(Error::TargetColumns { expected, found }.into());
            }
            let targets = prepare(targets);
            let zero = || Sums::zeros(self.functions.samples().len(), targets.ncols());
            let sum = self.functions.sum_kernel_values(
                &samples,
                zero,
                |sum, rows, cross| {
                    let cross = cross.mapv(Scalar::as_f64);
                    let u = u(cross.view(), targets.slice(s![rows, ..]));
                    sum.add(cross.view(), u.view());
                },
                Sums::merge,
            );
            let sum = sum.map_err(|error| counted(error.into()))?;
            sums.get_or_insert_with(zero).merge(&sum);
            count += samples.len();
        }
        let first = *self.samples.get_or_insert(count);
        if first != count {
            return Err(Error::OtherPass {
                first,
                later: count,
            }
            .into());
        }
        sums.ok_or_else(|| Error::from(npt_core::Error::NoSamples).into())
    }

    /// The means, and Yᵀt of coordinates and targets without them; without an intercept as they are.
    pub(super) fn right_side(
        &mut self,
        intercept: bool,
    ) -> Result<(Centre<K::Scalar>, Array2<K::Scalar>), E> {
        // Near the mean, so that nothing is lost to large targets.
        let mut near: Option<Array1<K::Scalar>> = None;
        let with_ones = |mut targets: Array2<K::Scalar>| {
            if intercept {
                // Of equal numbers it is their value: nothing must be left of them.
                targets -= &*near.get_or_insert_with(|| centre(&mut targets.clone()));
            }
            concatenate![Axis(1), targets, Array2::ones((targets.nrows(), 1))]
        };
        let sums = self.sum(with_ones, |_, targets| targets.mapv(Scalar::as_f64))?;
        let of_coordinates =
            sums.of_coordinates(self.functions.coefficients(), self.functions.offsets());
        let targets = of_coordinates.ncols() - 1;
        let (right, sum) = of_coordinates.view().split_at(Axis(1), targets);
        let narrow = |values: &Array1<f64>| values.mapv(K::Scalar::cast);
        if !intercept {
            return Ok((
                Centre::none(sum.len(), targets),
                right.mapv(K::Scalar::cast),
            ));
        }
        let count = sums.of_ones[targets];
        let mean = sum.column(0).to_owned() / count;
        let beside = sums.of_ones.slice(s![..targets]).to_owned();
        let of_means = (mean.view().insert_axis(Axis(1))).dot(&beside.view().insert_axis(Axis(0)));
        let centre = Centre {
            records: narrow(&mean),
            targets: near.unwrap_or_default() + narrow(&(beside / count)),
        };
        Ok((centre, (&right - &of_means).mapv(K::Scalar::cast)))
    }
}

/// The samples and targets of a block; none of one that is empty.
fn checked<R, T, F>(
    block: &DatasetBase<R, T>,
) -> Result<Option<(Cow<'_, R::Samples>, Array2<F>)>, Error>
where
    F: Scalar,
    R: Records + AsSamples,
    T: AsTargets<Elem = F>,
{
    if block.weights().is_some() {
        return Err(Error::Weights {
            of: "blocks of IterativeRidge",
        });
    }
    let (samples, targets) = (block.records.nsamples(), block.as_targets().len_of(Axis(0)));
    if samples != targets {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    if samples == 0 {
        return Ok(None);
    }
    let samples = block.records.as_samples()?;
    Ok(Some((samples, checked_targets(&block.targets)?)))
}
