//! What a method is trained on: rows, or their inner products.

use super::Inputs;
use crate::Error;
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};
use npt_core::{InnerProducts, Scalar};

/// The training samples of a method that trains on several selections of them.
#[derive(Clone, Copy)]
pub(in super::super) enum Training<'a, F> {
    Rows(ArrayView2<'a, F>),
    Products(&'a dyn InnerProducts<F>),
}

impl<'a, F: Scalar> Training<'a, F> {
    pub(in super::super) fn samples(&self) -> usize {
        match self {
            Self::Rows(x) => x.nrows(),
            Self::Products(products) => products.samples(),
        }
    }

    /// All samples, for the solver. Inner products of low rank are taken by their coordinates, and
    /// the plane then has weights besides its dual coefficients.
    pub(in super::super) fn all(&self) -> Inputs<'a> {
        match self {
            Self::Rows(x) => Inputs::centered(x.to_owned()),
            Self::Products(products) => match products.coordinates() {
                Some(x) => Inputs::uncentered(x.to_owned()),
                None => Inputs::of_products(*products, (0..products.samples()).collect()),
            },
        }
    }

    /// The samples `rows`, for the solver.
    pub(in super::super) fn select(&self, rows: &[usize]) -> Inputs<'a> {
        match self {
            Self::Rows(x) => Inputs::centered(x.select(Axis(0), rows)),
            Self::Products(products) => match products.coordinates() {
                Some(x) => Inputs::uncentered(x.select(Axis(0), rows)),
                None => Inputs::of_products(*products, rows.to_vec()),
            },
        }
    }

    /// Σ βᵢ⟨xᵢ, xⱼ⟩ of the samples `others`, with one β for each of `rows`.
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
            Self::Products(products) => products.block(others, rows)?.dot(&dual),
        })
    }
}
