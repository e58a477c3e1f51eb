//! Sample weights: the number of samples that a sample stands for.

mod inner_products;

pub(crate) use inner_products::WeighedProducts;

use crate::{
    Error,
    error::require_no_weights,
    magnitude::largest,
    records::{center, center_by, checked_records},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::{
    Array, Array1, Array2, ArrayBase, ArrayView1, Axis, CowArray, Data, Ix2, RemoveAxis,
};
use npt_core::{Scalar, linalg};
use num_traits::Zero;
use std::collections::BTreeMap;

/// Returns the checked records, for a method that takes no sample weights.
pub(crate) fn unweighted_records<F, D, T>(
    of: &'static str,
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<Array2<F>, Error>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
{
    require_no_weights(of, dataset)?;
    checked_records(dataset)
}

/// Returns the checked records of the samples of weight above 0, and the weights.
pub(crate) fn weighed_records<F, D, T>(
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<(Array2<F>, Weights<F>), Error>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
{
    let x = checked_records(dataset)?;
    let weights = Weights::of_dataset(dataset)?;
    Ok((weights.select(x), weights))
}

/// The samples of weight above 0, and their weights.
#[derive(Debug, Clone)]
pub(crate) struct Weights<F> {
    /// The number of all samples.
    samples: usize,
    /// `None` where each sample counts once.
    weighed: Option<Weighed<F>>,
}

#[derive(Debug, Clone)]
struct Weighed<F> {
    /// The positions of the samples of weight above 0.
    rows: Vec<usize>,
    /// The weights of these samples.
    weights: Array1<F>,
}

impl<F: Scalar> Weights<F> {
    /// Checks weights: one per sample, finite, not negative, some above 0.
    pub(crate) fn new(weights: Option<ArrayView1<'_, f32>>, samples: usize) -> Result<Self, Error> {
        let Some(weights) = weights else {
            return Ok(Self::none(samples));
        };
        let weights = Self::of_some(weights, samples)?;
        if weights.count() == 0 {
            return Err(npt_core::Error::NoWeight { samples }.into());
        }
        Ok(weights)
    }

    /// Checks weights of some of all samples, which may all be 0.
    fn of_some(weights: ArrayView1<'_, f32>, samples: usize) -> Result<Self, Error> {
        if weights.len() != samples {
            let weights = weights.len();
            return Err(npt_core::Error::WeightCount { samples, weights }.into());
        }
        for (row, &value) in weights.iter().enumerate() {
            if !(value >= 0.0 && value.is_finite()) {
                let value = f64::from(value);
                return Err(npt_core::Error::Weight { row, value }.into());
            }
        }
        let rows: Vec<usize> = (0..samples).filter(|&i| weights[i] > 0.0).collect();
        let weights = rows.iter().map(|&row| F::cast(weights[row])).collect();
        let weighed = Some(Weighed { rows, weights });
        Ok(Self { samples, weighed })
    }

    /// Returns the weights of a block, which may all be 0.
    pub(crate) fn of_block<R: Records, T>(block: &DatasetBase<R, T>) -> Result<Self, Error> {
        let samples = block.records().nsamples();
        match &block.weights {
            none if none.is_empty() => Ok(Self::none(samples)),
            weights => Self::of_some(weights.view(), samples),
        }
    }

    /// Returns weights with which each sample counts once.
    pub(crate) fn none(samples: usize) -> Self {
        let weighed = None;
        Self { samples, weighed }
    }

    /// Returns the weights of a dataset.
    pub(crate) fn of_dataset<R: Records, T>(dataset: &DatasetBase<R, T>) -> Result<Self, Error> {
        // Asks the field, as the method panics on weights that are not contiguous.
        let weights = &dataset.weights;
        let given = (!weights.is_empty()).then(|| weights.view());
        Self::new(given, dataset.records().nsamples())
    }

    /// Scales the weights so that all classes count equally. A class is given by its members among the samples of weight above 0.
    fn balanced<'c>(self, classes: impl ExactSizeIterator<Item = &'c [usize]>) -> Self {
        let share = self.sum() / classes.len() as f64;
        let mut weights = Array1::zeros(self.count());
        for members in classes {
            let of_class = self.sum_of(members);
            for &i in members {
                weights[i] = F::cast(self.of(i).as_f64() / of_class * share);
            }
        }
        let rows = self
            .rows()
            .map_or_else(|| (0..self.samples).collect(), <[_]>::to_vec);
        Self {
            samples: self.samples,
            weighed: Some(Weighed { rows, weights }),
        }
    }

    /// Balances the weights between classes if `balanced` is true.
    pub(crate) fn balanced_if<L>(self, balanced: bool, classes: &BTreeMap<L, Vec<usize>>) -> Self {
        if balanced {
            self.balanced(classes.values().map(Vec::as_slice))
        } else {
            self
        }
    }

    /// The weights of all samples.
    pub(crate) fn of_all(&self) -> Array1<F> {
        match &self.weighed {
            Some(weighed) => self.spread(weighed.weights.clone()),
            None => Array1::ones(self.samples),
        }
    }

    /// The weights above 0; `None` if each sample counts once.
    pub(crate) fn given(&self) -> Option<&Array1<F>> {
        self.weighed.as_ref().map(|weighed| &weighed.weights)
    }

    /// The positions of the samples of weight above 0; `None` if each sample counts once.
    pub(crate) fn rows(&self) -> Option<&[usize]> {
        self.weighed.as_ref().map(|weighed| &weighed.rows[..])
    }

    /// The number of samples of weight above 0.
    pub(crate) fn count(&self) -> usize {
        self.rows().map_or(self.samples, <[_]>::len)
    }

    /// The sum of the weights. It is summed in `f64`, as `f32` would lose some of many small weights.
    pub(crate) fn sum(&self) -> f64 {
        let sum = |weights: &Array1<F>| weights.iter().map(|weight| weight.as_f64()).sum();
        self.given().map_or(self.samples as f64, sum)
    }

    /// The sum of the weights in the type of the records.
    pub(crate) fn total(&self) -> F {
        F::cast(self.sum())
    }

    /// The weight of a sample, by its position among the samples of weight above 0.
    pub(crate) fn of(&self, sample: usize) -> F {
        self.given().map_or(F::one(), |weights| weights[sample])
    }

    /// The sum of the weights of some samples, by their positions among the samples of weight above 0.
    pub(crate) fn sum_of(&self, samples: &[usize]) -> f64 {
        match self.given() {
            Some(weights) => samples.iter().map(|&i| weights[i].as_f64()).sum(),
            None => samples.len() as f64,
        }
    }

    /// Returns the weights in a unit near the largest, and this unit: for results that a common factor of all weights does not change.
    pub(crate) fn in_unit(&self) -> (Self, F) {
        let mut scaled = self.clone();
        let mut unit = F::one();
        if let Some(weighed) = &mut scaled.weighed {
            unit = linalg::power_of_two_near(largest(&weighed.weights));
            weighed.weights /= unit;
        }
        (scaled, unit)
    }

    /// The weighted mean of some rows.
    pub(crate) fn mean_of(&self, x: &Array2<F>, samples: &[usize]) -> Array1<F> {
        let rows = x.select(Axis(0), samples);
        let Some(weights) = self.given() else {
            return rows.mean_axis(Axis(0)).expect("there are some");
        };
        let sum = self.sum_of(samples);
        let share = |&i: &usize| F::cast(weights[i].as_f64() / sum);
        samples.iter().map(share).collect::<Array1<F>>().dot(&rows)
    }

    /// Selects the values of samples of weight above 0 from the values of all samples.
    pub(crate) fn select<A: Clone, I: RemoveAxis>(&self, all: Array<A, I>) -> Array<A, I> {
        match self.rows() {
            Some(rows) => all.select(Axis(0), rows),
            None => all,
        }
    }

    /// Selects the rows of samples of weight above 0; copies nothing if all weights are above 0.
    pub(crate) fn select_rows<'a>(&self, all: CowArray<'a, F, Ix2>) -> CowArray<'a, F, Ix2> {
        match self.rows() {
            Some(rows) if rows.len() < self.samples => all.select(Axis(0), rows).into(),
            _ => all,
        }
    }

    /// Spreads the numbers of samples of weight above 0 over all samples, with 0 for samples of weight 0.
    pub(crate) fn spread<A: Clone + Zero, I: RemoveAxis>(
        &self,
        numbers: Array<A, I>,
    ) -> Array<A, I> {
        let Some(rows) = self.rows() else {
            return numbers;
        };
        let mut shape = numbers.raw_dim();
        shape[0] = self.samples;
        let mut all = Array::zeros(shape);
        for (&row, numbers) in rows.iter().zip(numbers.axis_iter(Axis(0))) {
            all.index_axis_mut(Axis(0), row).assign(&numbers);
        }
        all
    }

    /// Multiplies numbers, one per sample, by the roots of the weights.
    pub(crate) fn times_root_each(&self, numbers: Array1<F>) -> Array1<F> {
        match self.given() {
            Some(weights) => numbers * weights.mapv(F::sqrt),
            None => numbers,
        }
    }

    /// Multiplies numbers, one per sample, by the weights.
    pub(crate) fn times_each(&self, numbers: Array1<F>) -> Array1<F> {
        match self.given() {
            Some(weights) => numbers * weights,
            None => numbers,
        }
    }

    /// Multiplies rows of numbers by the weights.
    pub(crate) fn times(&self, rows: Array2<F>) -> Array2<F> {
        match self.given() {
            Some(weights) => rows * weights.view().insert_axis(Axis(1)),
            None => rows,
        }
    }

    /// Multiplies rows of numbers by the roots of the weights, so that their squares are weighted squares.
    pub(crate) fn times_roots(&self, rows: Array2<F>) -> Array2<F> {
        match self.given() {
            Some(weights) => rows * weights.mapv(F::sqrt).insert_axis(Axis(1)),
            None => rows,
        }
    }

    /// Divides numbers by the roots of the weights.
    pub(crate) fn over_roots(&self, numbers: Array1<F>) -> Array1<F> {
        match self.given() {
            Some(weights) => numbers / weights.mapv(F::sqrt),
            None => numbers,
        }
    }

    /// Subtracts the weighted mean of the rows, and returns it.
    pub(crate) fn center(&self, x: &mut Array2<F>) -> Array1<F> {
        self.center_exactly(x).0
    }

    /// Subtracts the weighted mean of the rows; returns the mean, and what rounding lost of it.
    pub(crate) fn center_exactly(&self, x: &mut Array2<F>) -> (Array1<F>, Array1<F>) {
        match self.shares() {
            Some(shares) => center_by(x, |x| shares.dot(x)),
            None => center_by(x, |x| {
                x.mean_axis(Axis(0)).expect("some samples weigh something")
            }),
        }
    }

    /// Centres rows that are times the roots of the weights: subtracts a constant times these roots from each column, and returns
    /// the constants.
    pub(crate) fn take_constant(&self, x: &mut Array2<F>) -> Array1<F> {
        let Some(weights) = self.given() else {
            return center(x);
        };
        // The roots of weights near 1, whose squares stay in range.
        let unit = linalg::power_of_two_near(largest(weights)).sqrt();
        let roots = weights.mapv(|weight| weight.sqrt() / unit);
        let constants = roots.dot(x) / roots.dot(&roots);
        for (mut row, &root) in x.outer_iter_mut().zip(&roots) {
            row.scaled_add(-root, &constants);
        }
        constants / unit
    }

    /// Turns dual coefficients αᵢ for the samples less their weighted mean into coefficients for the samples.
    pub(crate) fn of_uncentered(&self, dual: &mut Array2<F>) {
        let sums = dual.sum_axis(Axis(0));
        match self.shares() {
            Some(shares) => {
                let columns = dual.columns_mut().into_iter().zip(sums);
                columns.for_each(|(mut column, sum)| column.scaled_add(-sum, &shares));
            }
            None => *dual -= &(sums / F::cast(self.samples)),
        }
    }

    /// The share of each weight in the sum of all weights.
    fn shares(&self) -> Option<Array1<F>> {
        let sum = self.sum();
        let share = |weight: &F| F::cast(weight.as_f64() / sum);
        self.given().map(|weights| weights.map(share))
    }
}
