//! Small data sets with any numbers, made from bytes.

use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{
    Scalar,
    linfa::{Dataset, DatasetBase},
};

/// Samples, targets and parameters of a fit.
#[derive(Debug, Clone)]
pub struct Case<F> {
    /// The training samples: at most 9, with at most 4 columns.
    pub x: Array2<F>,
    /// New samples with the same columns.
    pub x_new: Array2<F>,
    /// A target for each training sample.
    pub values: Array1<F>,
    /// One of at most three classes for each training sample.
    pub classes: Array1<usize>,
    /// A parameter of kernels: a positive number of any size.
    pub width: F,
    /// A parameter of methods: a positive number of any size.
    pub penalty: f64,
    /// The number of components, from 1 to 5.
    pub components: usize,
    /// A weight for each training sample, or none.
    pub weights: Array1<f32>,
    /// The training samples, some of whose numbers may be missing and are then NaN.
    pub incomplete: Array2<F>,
    /// The new samples, some of whose numbers may be missing.
    pub incomplete_new: Array2<F>,
}

/// The bytes of a case, the next one first; after the last byte come zeros.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        self.0.next().copied().unwrap_or(0).into()
    }

    fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.next() % some.len()]
    }

    /// Returns a small integer, so that many are the same, or sometimes one of `others`.
    fn number(&mut self, others: &[f64]) -> f64 {
        let byte = self.next();
        let small = (byte % 16) as f64 - 4.0;
        match byte / 16 {
            0..=9 => small,
            10..=12 => (small + 0.37).sin(),
            place => others.get(place - 13).copied().unwrap_or(small),
        }
    }
}

/// Returns the samples, of which on average `missing` in eight numbers are missing.
fn with_holes<F: Scalar>(x: &Array2<F>, missing: usize, bytes: &mut Bytes<'_>) -> Array2<F> {
    x.mapv(|value| {
        let is_missing = missing > 0 && bytes.next() % 8 < missing;
        if is_missing { F::nan() } else { value }
    })
}

/// Converts a number to `F`; very large and very small ones become about as large or small in the range of `F` as they are in that of `f64`.
fn in_range<F: Scalar>(value: f64) -> F {
    let largest = F::max_value().as_f64();
    let size = value.abs();
    if !size.is_finite() || (1e-20..=1e20).contains(&size) {
        return F::cast(value);
    }
    let share = largest.ln() / f64::MAX.ln();
    F::cast(size.powf(share).min(largest).copysign(value))
}

impl<F: Scalar> Case<F> {
    /// Makes a case from any bytes.
    pub fn of(bytes: &[u8]) -> Self {
        const SIZES: [f64; 8] = [1.0, 0.01, 1e4, 1e-8, 1e12, 1e-150, 1e150, 5e-324];
        // The numbers that may be among the small integers; half of the cases have none.
        const OTHERS: [&[f64]; 8] = [
            &[],
            &[],
            &[],
            &[],
            &[1e8, 1e-8],
            &[1e160, 1e-160, f64::MAX],
            &[f64::MIN_POSITIVE / 8.0, -0.0, -f64::MAX],
            &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
        ];
        // Predictions of linear functions must stay in the range of numbers, so that targets stay away from its end by the factor `ROOM`.
        const VALUES: [&[f64]; 4] = [&[], &[], &[1e8, 1e-8], &[1e300, -1e300, 1e-160]];
        const ROOM: f64 = 1e-8;
        // Half of the cases have no weights.
        const WEIGHTS: [&[f32]; 4] = [
            &[],
            &[],
            &[1.0, 2.0, 0.5, 0.0],
            &[
                1.0,
                0.0,
                1e-30,
                1e30,
                f32::MAX,
                f32::MIN_POSITIVE,
                -1.0,
                f32::NAN,
            ],
        ];
        let mut bytes = Bytes(bytes.iter());
        let (rows, columns, new) = (bytes.next() % 9 + 1, bytes.next() % 4 + 1, 3);
        let (width, penalty) = (bytes.one_of(&SIZES), bytes.one_of(&SIZES));
        let components = bytes.next() % 5 + 1;
        let scale = bytes.one_of(&[1.0, 1.0, 1.0, 1e-3, 1e3, 1e-100, 1e100, 1e-200, 1e200]);
        let (of_x, of_values) = (bytes.one_of(&OTHERS), bytes.one_of(&VALUES));
        let twice = bytes.next() % 4 == 0;
        let mut x =
            Array2::from_shape_simple_fn((rows, columns), || in_range(bytes.number(of_x) * scale));
        if twice {
            let first = x.row(0).to_owned();
            x.row_mut(rows - 1).assign(&first);
        }
        let x_new =
            Array2::from_shape_simple_fn((new, columns), || in_range(bytes.number(of_x) * scale));
        let most = F::max_value() * F::cast(ROOM);
        let values = Array1::from_shape_simple_fn(rows, || {
            num_traits::clamp(in_range(bytes.number(of_values)), -most, most)
        });
        let classes = Array1::from_shape_simple_fn(rows, || bytes.next() % 3);
        let of_weights = bytes.one_of(&WEIGHTS);
        let weighed = if of_weights.is_empty() { 0 } else { rows };
        let weights = Array1::from_shape_simple_fn(weighed, || bytes.one_of(of_weights));
        // Missing values come last, so that bytes that were found before stand for the same samples as before, without missing values.
        let missing = bytes.one_of(&[0, 1, 2, 4]);
        let incomplete = with_holes(&x, missing, &mut bytes);
        let incomplete_new = with_holes(&x_new, missing, &mut bytes);
        Self {
            x,
            x_new,
            values,
            classes,
            width: in_range(width),
            penalty,
            components,
            weights,
            incomplete,
            incomplete_new,
        }
    }

    /// Returns whether the training samples are finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.x.iter().all(|value| value.is_finite())
    }

    /// Returns whether some numbers of the incomplete training samples are missing.
    pub fn has_missing_values(&self) -> bool {
        self.incomplete.iter().any(|value| value.is_nan())
    }

    /// Returns whether the incomplete training samples are finite where they are not missing.
    pub(crate) fn is_finite_or_missing(&self) -> bool {
        !self.incomplete.iter().any(|value| value.is_infinite())
    }

    /// The samples with values as targets.
    pub(crate) fn with_values(&self) -> Dataset<F, F, Ix1> {
        DatasetBase::new(self.x.clone(), self.values.clone()).with_weights(self.weights.clone())
    }

    /// The samples with three classes, some of which may have no sample.
    pub(crate) fn with_classes(&self) -> Dataset<F, usize, Ix1> {
        DatasetBase::new(self.x.clone(), self.classes.clone()).with_weights(self.weights.clone())
    }

    /// The samples with two classes, or one.
    pub(crate) fn with_sides(&self) -> Dataset<F, bool, Ix1> {
        DatasetBase::new(self.x.clone(), self.classes.mapv(|class| class == 0))
            .with_weights(self.weights.clone())
    }

    /// The samples without targets.
    pub(crate) fn alone(&self) -> DatasetBase<Array2<F>, Array1<()>> {
        DatasetBase::from(self.x.clone()).with_weights(self.weights.clone())
    }

    /// The incomplete samples, without targets.
    pub(crate) fn incomplete_alone(&self) -> DatasetBase<Array2<F>, Array1<()>> {
        DatasetBase::from(self.incomplete.clone()).with_weights(self.weights.clone())
    }

    /// The incomplete samples, with values as targets.
    pub(crate) fn incomplete_with_values(&self) -> Dataset<F, F, Ix1> {
        DatasetBase::new(self.incomplete.clone(), self.values.clone())
            .with_weights(self.weights.clone())
    }

    /// The training samples whose weight is above 0.
    pub(crate) fn seen(&self) -> Array2<F> {
        let weighed = |&row: &usize| self.weights.get(row).is_none_or(|&weight| weight > 0.0);
        let rows: Vec<usize> = (0..self.x.nrows()).filter(weighed).collect();
        self.x.select(Axis(0), &rows)
    }

    /// The samples with the magnitudes of their numbers, as histograms need them.
    pub(crate) fn histograms(&self) -> Array2<F> {
        self.x.mapv(num_traits::Float::abs)
    }

    /// The squares of the samples' numbers, as another view of the samples.
    pub(crate) fn squares(&self) -> Array2<F> {
        &self.x * &self.x
    }
}
