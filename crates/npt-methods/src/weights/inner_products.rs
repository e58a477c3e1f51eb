//! Inner products of samples of weight above 0.

use super::Weights;
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{InnerProducts, Scalar, apply_by_blocks, linalg, require_memory};

impl<F: Scalar> Weights<F> {
    /// The inner products of the samples of weight above 0.
    pub(crate) fn gram(&self, products: &dyn InnerProducts<F>) -> Result<Array2<F>, Error> {
        let Some(rows) = self.rows() else {
            return Ok(products.gram()?);
        };
        require_memory::<F>("the kernel matrix", rows.len(), rows.len())?;
        Ok(products.block(rows, rows)?)
    }

    /// Centres inner products at the weighted mean; returns the weighted mean of each row of the inner products.
    pub(crate) fn center_gram(&self, k: &mut Array2<F>) -> Array1<F> {
        let Some(shares) = self.shares() else {
            return linalg::center(k).of_rows;
        };
        // In f64, as the rounding of a mean would be in every entry.
        let shares = shares.mapv(Scalar::as_f64);
        let mean = |row: ArrayView1<'_, F>| {
            let terms = row.iter().zip(&shares);
            terms
                .map(|(value, share)| value.as_f64() * share)
                .sum::<f64>()
        };
        let of_rows = k.map_axis(Axis(1), mean);
        let of_all = shares.dot(&of_rows);
        for (mut row, of_row) in k.outer_iter_mut().zip(&of_rows) {
            for (value, of_column) in row.iter_mut().zip(&of_rows) {
                *value = F::cast(value.as_f64() - of_row - (of_column - of_all));
            }
        }
        of_rows.mapv(F::cast)
    }

    /// Turns inner products of rows into those of rows times the roots of the weights.
    pub(crate) fn scale_gram(&self, k: &mut Array2<F>) {
        if let Some(weights) = self.given() {
            let roots = weights.mapv(F::sqrt);
            *k *= &roots;
            *k *= &roots.insert_axis(Axis(1));
        }
    }
}

/// Inner products of the samples of weight above 0, times the roots of their weights.
pub(crate) struct WeighedProducts<'a, F> {
    products: &'a dyn InnerProducts<F>,
    weights: &'a Weights<F>,
    /// The coordinates of the samples times the roots of their weights, if there are weights.
    coordinates: Option<Array2<F>>,
}

impl<'a, F: Scalar> WeighedProducts<'a, F> {
    pub(crate) fn new(products: &'a dyn InnerProducts<F>, weights: &'a Weights<F>) -> Self {
        let coordinates = products
            .approximate_coordinates()
            .filter(|_| weights.given().is_some())
            .map(|x| weights.times_roots(weights.select(x.to_owned())));
        Self {
            products,
            weights,
            coordinates,
        }
    }

    /// The positions of `rows` among all samples.
    fn named(&self, rows: &[usize]) -> Vec<usize> {
        match self.weights.rows() {
            Some(all) => rows.iter().map(|&row| all[row]).collect(),
            None => rows.to_vec(),
        }
    }

    fn roots(&self, rows: &[usize]) -> Array1<F> {
        rows.iter()
            .map(|&row| self.weights.of(row).sqrt())
            .collect()
    }
}

impl<F: Scalar> InnerProducts<F> for WeighedProducts<'_, F> {
    fn samples(&self) -> usize {
        self.weights.count()
    }

    fn diag(&self) -> Array1<F> {
        self.weights
            .times_each(self.weights.select(self.products.diag()))
    }

    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<F>, npt_core::Error> {
        let block = (self.products).block(&self.named(rows), &self.named(columns))?;
        if self.weights.given().is_none() {
            return Ok(block);
        }
        Ok(block * self.roots(rows).insert_axis(Axis(1)) * self.roots(columns))
    }

    fn apply(&self, a: ArrayView2<'_, F>) -> Result<Array2<F>, npt_core::Error> {
        if self.samples() < self.products.samples() {
            // By blocks, which leave out samples of weight 0.
            return apply_by_blocks(self, a);
        }
        let a = self.weights.times_roots(a.to_owned());
        Ok(self.weights.times_roots(self.products.apply(a.view())?))
    }

    fn coordinates(&self) -> Option<ArrayView2<'_, F>> {
        self.products.coordinates()?;
        self.approximate_coordinates()
    }

    fn approximate_coordinates(&self) -> Option<ArrayView2<'_, F>> {
        match self.weights.given() {
            Some(_) => self.coordinates.as_ref().map(Array2::view),
            None => self.products.approximate_coordinates(),
        }
    }
}
