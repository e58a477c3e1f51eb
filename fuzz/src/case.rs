//! Small data sets of any numbers, made of bytes.

use ndarray::{Array1, Array2, Ix1};
use npt::linfa::{Dataset, DatasetBase};

/// Samples, targets and parameters of a fit.
#[derive(Debug, Clone)]
pub struct Case {
    /// Training samples: at most 9, of at most 4 columns.
    pub x: Array2<f64>,
    /// New samples, of the same columns.
    pub x_new: Array2<f64>,
    /// A target for each training sample.
    pub values: Array1<f64>,
    /// One of at most three classes for each training sample.
    pub classes: Array1<usize>,
    /// Positive, of any size.
    pub width: f64,
    /// Positive, of any size.
    pub penalty: f64,
    /// From 1 to 5.
    pub components: usize,
}

/// The bytes of a case, the next one first; of none left, zeros.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        self.0.next().copied().unwrap_or(0).into()
    }

    fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.next() % some.len()]
    }

    /// A small integer, so that many are the same, unless others may be.
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

impl Case {
    /// Of any bytes.
    pub fn of(bytes: &[u8]) -> Self {
        const SIZES: [f64; 8] = [1.0, 0.01, 1e4, 1e-8, 1e12, 1e-150, 1e150, 5e-324];
        // What may be among the small integers: mostly nothing.
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
        // At the end of the range, predictions of linear functions would not be in it.
        const VALUES: [&[f64]; 4] = [&[], &[], &[1e8, 1e-8], &[1e300, -1e300, 1e-160]];
        let mut bytes = Bytes(bytes.iter());
        let (rows, columns, new) = (bytes.next() % 9 + 1, bytes.next() % 4 + 1, 3);
        let (width, penalty) = (bytes.one_of(&SIZES), bytes.one_of(&SIZES));
        let components = bytes.next() % 5 + 1;
        let scale = bytes.one_of(&[1.0, 1.0, 1.0, 1e-3, 1e3, 1e-100, 1e100, 1e-200, 1e200]);
        let (of_x, of_values) = (bytes.one_of(&OTHERS), bytes.one_of(&VALUES));
        let twice = bytes.next() % 4 == 0;
        let mut x = Array2::from_shape_simple_fn((rows, columns), || bytes.number(of_x) * scale);
        if twice {
            let first = x.row(0).to_owned();
            x.row_mut(rows - 1).assign(&first);
        }
        let x_new = Array2::from_shape_simple_fn((new, columns), || bytes.number(of_x) * scale);
        let values = Array1::from_shape_simple_fn(rows, || bytes.number(of_values));
        let classes = Array1::from_shape_simple_fn(rows, || bytes.next() % 3);
        Self {
            x,
            x_new,
            values,
            classes,
            width,
            penalty,
            components,
        }
    }

    /// Whether the training samples are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        self.x.iter().all(|value| value.is_finite())
    }

    /// With values.
    pub(crate) fn with_values(&self) -> Dataset<f64, f64, Ix1> {
        DatasetBase::new(self.x.clone(), self.values.clone())
    }

    /// With three classes, of which some may have no sample.
    pub(crate) fn with_classes(&self) -> Dataset<f64, usize, Ix1> {
        DatasetBase::new(self.x.clone(), self.classes.clone())
    }

    /// With two classes, or one.
    pub(crate) fn with_sides(&self) -> Dataset<f64, bool, Ix1> {
        DatasetBase::new(self.x.clone(), self.classes.mapv(|class| class == 0))
    }

    /// Without targets.
    pub(crate) fn alone(&self) -> DatasetBase<Array2<f64>, Array1<()>> {
        DatasetBase::from(self.x.clone())
    }

    /// What the samples are on the way to histograms: no number is negative.
    pub(crate) fn histograms(&self) -> Array2<f64> {
        self.x.mapv(f64::abs)
    }

    /// Another view of the samples.
    pub(crate) fn squares(&self) -> Array2<f64> {
        &self.x * &self.x
    }
}
