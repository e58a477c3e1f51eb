//! New data on their way to a fitted method.

use crate::{AnySamples, categories::Translation, data::Records, features::rows_of, front::Front};
use ndarray::Array2;
use npt_core::{AsSamples, Error, Rows};
use std::borrow::Cow;

/// The records that a fitted method is asked about, behind the transformers of its model.
///
/// The rows of a matrix are copied, transformed and checked a block at a time.
pub(crate) struct Border<'a> {
    records: &'a Records,
    translations: Vec<Translation>,
    front: &'a [Front],
}

impl<'a> Border<'a> {
    /// The records must be a matrix of the width of the transformers; without transformers they may be anything.
    pub(super) fn new(
        records: &'a Records,
        translations: Vec<Translation>,
        front: &'a [Front],
    ) -> Self {
        Self {
            records,
            translations,
            front,
        }
    }

    /// Gives the categories the numbers of the model, and applies the transformers.
    fn transformed(&self, mut rows: Array2<f64>) -> Array2<f64> {
        for translation in &self.translations {
            translation.apply(&mut rows);
        }
        let front = self.front.iter();
        front.fold(rows, |rows, front| front.transform(rows))
    }

    /// The whole matrix behind the transformers, in which values may be missing; or the samples, if they are no matrix.
    pub(super) fn matrix(&self) -> Result<Array2<f64>, &'a AnySamples> {
        match self.records {
            Records::Dense(matrix) => Ok(self.transformed(matrix.rows(0..matrix.nrows()))),
            Records::Samples(samples) => Err(samples),
        }
    }

    fn samples(&self, rows: Array2<f64>) -> Result<AnySamples, Error> {
        Ok(Rows::new(self.transformed(rows))?.into())
    }
}

impl AsSamples for Border<'_> {
    type Samples = AnySamples;

    fn as_samples(&self) -> Result<Cow<'_, AnySamples>, Error> {
        match self.records {
            Records::Dense(matrix) => self.samples(matrix.rows(0..matrix.nrows())).map(Cow::Owned),
            Records::Samples(samples) => Ok(Cow::Borrowed(samples)),
        }
    }

    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &AnySamples) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let matrix = match self.records {
            Records::Dense(matrix) => matrix,
            Records::Samples(samples) => return samples.visit_blocks(rows, visit),
        };
        let all = matrix.nrows();
        if all == 0 || matrix.ncols() == 0 {
            return Rows::check(matrix.rows(0..all).view());
        }
        let rows = rows.max(1);
        for before in (0..all).step_by(rows) {
            let block = self.samples(matrix.rows(before..all.min(before + rows)));
            let block = block.map_err(|error| error.after_rows(before))?;
            visit(all, before, &block)?;
        }
        Ok(())
    }
}

/// Records of any type, as dense vectors.
pub(crate) struct OnlyRows<'a>(pub(crate) &'a dyn AsSamples<Samples = AnySamples>);

impl AsSamples for OnlyRows<'_> {
    type Samples = Rows<f64>;

    fn as_samples(&self) -> Result<Cow<'_, Rows<f64>>, Error> {
        Ok(match self.0.as_samples()? {
            Cow::Borrowed(samples) => Cow::Borrowed(rows_of(samples)?),
            Cow::Owned(samples) => Cow::Owned(rows_of(&samples)?.clone()),
        })
    }

    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &Rows<f64>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0.visit_blocks(rows, &mut |all, before, block| {
            visit(all, before, rows_of(block)?)
        })
    }
}

/// Dense vectors, as records of any type.
pub(crate) struct OfRows<'a>(pub(crate) &'a dyn AsSamples<Samples = Rows<f64>>);

impl AsSamples for OfRows<'_> {
    type Samples = AnySamples;

    fn as_samples(&self) -> Result<Cow<'_, AnySamples>, Error> {
        Ok(Cow::Owned(self.0.as_samples()?.into_owned().into()))
    }

    fn visit_blocks(
        &self,
        rows: usize,
        visit: &mut dyn FnMut(usize, usize, &AnySamples) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // The rows of a block are shared, and not copied.
        self.0.visit_blocks(rows, &mut |all, before, block| {
            visit(all, before, &block.clone().into())
        })
    }
}
