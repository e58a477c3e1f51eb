//! Passes over blocks that are read anew each time.

use super::counted_on;
use crate::Error;
use linfa::{DatasetBase, dataset::Records};
use npt_core::watch::Progress;

/// Passes over blocks; each has as many samples as the first.
pub(super) struct BlockPasses<N> {
    /// The name of the fit, for errors.
    of: &'static str,
    pass: N,
    /// True if blocks may have sample weights.
    pub(super) takes_weights: bool,
    /// The number of samples of the first pass, once it is over.
    samples: Option<usize>,
}

impl<N> BlockPasses<N> {
    pub(super) fn of(of: &'static str, pass: N) -> Self {
        Self {
            of,
            pass,
            takes_weights: false,
            samples: None,
        }
    }

    pub(super) fn samples(&self) -> Option<usize> {
        self.samples
    }

    /// Calls `each` with the blocks of a pass that are not empty.
    pub(super) fn for_each<I, R, T, E>(
        &mut self,
        mut each: impl FnMut(&DatasetBase<R, T>) -> Result<(), Error>,
    ) -> Result<(), E>
    where
        N: FnMut() -> Result<I, E>,
        I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        R: Records,
        E: From<Error>,
    {
        let mut count = 0;
        let mut progress = Progress::start("a pass over blocks", self.samples);
        for block in (self.pass)()? {
            progress.at(count);
            let block = block?;
            if !self.takes_weights && !block.weights.is_empty() {
                return Err(Error::Weights { of: self.of }.into());
            }
            let rows = block.records.nsamples();
            // Samples beyond the number of the first pass are counted, but `each` does not see them.
            let is_more = self.samples.is_some_and(|first| count + rows > first);
            if rows > 0 && !is_more {
                each(&block).map_err(|error| counted_on(error, count))?;
            }
            count += rows;
        }
        let first = *self.samples.get_or_insert(count);
        if first != count {
            let later = count;
            return Err(Error::OtherPass { first, later }.into());
        }
        if count == 0 {
            return Err(Error::from(npt_core::Error::NoSamples).into());
        }
        Ok(())
    }
}
