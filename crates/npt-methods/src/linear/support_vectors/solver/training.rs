//! The training samples of a method: rows, or their inner products.

use super::Inputs;
use crate::{Error, weights::Weights};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};
use npt_core::{InnerProducts, Scalar};

/// The training samples of a method that trains on several selections of them.
#[derive(Clone, Copy)]
pub(in super::super) enum Training<'a, F> {
    Rows(ArrayView2<'a, F>),
    /// Inner products of some samples, or of all.
    Products(&'a dyn InnerProducts<F>, Option<&'a [usize]>),
}

impl<'a, F: Scalar> Training<'a, F> {
    /// Takes the inner products of samples with positive weight.
    pub(in super::super) fn of_products(
        products: &'a dyn InnerProducts<F>,
        weights: &'a Weights<F>,
    ) -> Self {
        Self::Products(products, weights.rows())
    }

    pub(in super::super) fn samples(&self) -> usize {
        match self {
            Self::Rows(x) => x.nrows(),
            Self::Products(products, some) => some.map_or(products.samples(), <[_]>::len),
        }
    }

    /// Returns all samples, for the solver. Inner products of low rank are taken by their coordinates, and
    /// the plane then has weights besides its dual coefficients.
    pub(in super::super) fn all(&self) -> Inputs<'a> {
        match self {
            Self::Rows(x) => Inputs::centered(x.to_owned()),
            Self::Products(products, None) => match products.coordinates() {
                Some(x) => Inputs::uncentered(x.to_owned()),
                None => Inputs::of_products(*products, (0..products.samples()).collect()),
            },
            Self::Products(products, Some(some)) => selected(*products, some.to_vec()),
        }
    }

    /// Returns the samples `rows`, for the solver.
    pub(in super::super) fn select(&self, rows: &[usize]) -> Inputs<'a> {
        match self {
            Self::Rows(x) => Inputs::centered(x.select(Axis(0), rows)),
            Self::Products(products, some) => selected(*products, named(*some, rows)),
        }
    }

    /// Returns Σ βᵢ⟨xᵢ, xⱼ⟩ of the samples `others`, with one β for each of `rows`.
    pub(in super::super) fn values(
        &self,
        rows: &[usize],
        dual: ArrayView1<'_, F>,
        others: &[usize],
    ) -> Result<Array1<F>, Error> {
        Ok(match self {
            Self::Rows(x) => {
                let weights = x.select(Axis(0), rows).t().dot(&dual);
                x.select(Axis(0), others).dot(&weights)
            }
            Self::Products(products, some) => {
                let (rows, others) = (named(*some, rows), named(*some, others));
                products.block(&others, &rows)?.dot(&dual)
            }
        })
    }
}

/// Returns rows that are counted among `some`, as they are counted among all.
fn named(some: Option<&[usize]>, rows: &[usize]) -> Vec<usize> {
    match some {
        Some(some) => rows.iter().map(|&row| some[row]).collect(),
        None => rows.to_vec(),
    }
}

fn selected<F: Scalar>(products: &dyn InnerProducts<F>, rows: Vec<usize>) -> Inputs<'_> {
    match products.coordinates() {
        Some(x) => Inputs::uncentered(x.select(Axis(0), &rows)),
        None => Inputs::of_products(products, rows),
    }
}
