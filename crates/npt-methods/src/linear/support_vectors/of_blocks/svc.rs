//! Support vector classifiers of two classes, on blocks.

use super::{NUMBERS, OfBlocks};
use crate::{
    Error,
    linear::support_vectors::svc::{Svc, SvcParams},
};
use linfa::{
    DatasetBase, ParamGuard,
    dataset::{AsSingleTargets, Records},
};
use npt_core::{AsSamples, Fitted, KernelSpace};

impl SvcParams {
    /// Fits support vector classification on the coordinates in a space to samples that come in blocks, and come again for
    /// each pass. `pass` gives an iterator over the same blocks whenever it is called.
    ///
    /// # Definition
    /// [`Svc`] of the coordinates of all samples, to the same [`tolerance`](Self::tolerance). Of a sample far from the margin, one byte
    /// is kept: on which side it is. Its α is 0 or C, and all such samples count by one sum. The
    /// other samples are held, with their coordinates: 128 MB of them, or as many samples as twice the rank if that is more. Their α
    /// are found as in memory, and a pass over all samples tells which of them are not where they belong. A pass takes kernel values,
    /// and no coordinates ([`Passes`](crate::streaming::Passes)). Where all samples can be held, there is one solution, and no such pass.
    ///
    /// The first function is that of a random sample. Half a dozen passes are usual where more than
    /// (rn²)^⅓ of the n samples are held, r the rank of the space; with much fewer, a hundred.
    ///
    /// Blocks may have sample weights, four bytes more for each sample.
    ///
    /// [`Svc::dual`] has an entry for each sample, in the order of the blocks.
    ///
    /// # Errors
    /// The errors of `pass` and its blocks. The errors of a block, with rows counted from the first of all blocks: errors of
    /// the records, [`Error::Block`] where it has other columns, or not one target and weight per row, [`npt_core::Error::Weight`].
    /// [`Error::TooFewSamples`] if all weights are 0. [`npt_core::Error::NoSamples`] without any samples,
    /// [`Error::OtherPass`] where a later pass has more or fewer samples. [`npt_core::Error::Memory`] for the samples that are held.
    /// The errors of the fit itself are those of [`Svc`].
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Predict};
    /// use ndarray::{Array2, array};
    /// use npt_core::{Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{Error, linear::Svc, streaming::Reservoir};
    ///
    /// /// 1000 numbers at a time, and whether their sines are positive.
    /// let block = |k: usize| {
    ///     let x = Array2::from_shape_fn((1000, 1), |(i, _)| ((1000 * k + i) as f64 * 0.618).fract() * 6.0);
    ///     let above = x.column(0).mapv(|x| x.sin() > 0.0);
    ///     Dataset::new(x, above)
    /// };
    /// let mut some = Reservoir::new(500);
    /// (0..20).try_for_each(|k| some.add(&block(k).records))?;
    /// let landmarks = Pivoting::random(30).tolerance(1e-9);
    /// let space = Nystrom::new(Gaussian::new(0.5), landmarks).fit_space(&some.into_samples()?)?;
    ///
    /// let params = Svc::params().c(100.0);
    /// let svc = params.fit_blocks(&space, || Ok::<_, Error>((0..20).map(|k| Ok(block(k)))))?;
    /// let model = KernelizedModel::new(svc, space.into_parts().0).expand()?;
    /// assert_eq!(model.predict(&array![[3.1], [3.2]]), array![true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # References
    /// E. Osuna, R. Freund, F. Girosi, "An Improved Training Algorithm for Support Vector Machines", NNSP 1997.
    /// doi:10.1109/NNSP.1997.622408
    pub fn fit_blocks<P, R, T, B, E>(
        &self,
        space: &Fitted<P>,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<Svc<P::Scalar>, E>
    where
        P: KernelSpace,
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsSingleTargets<Elem = bool>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        let params = self.check_ref()?;
        let mut blocks = OfBlocks::new("blocks of Svc", space, pass, NUMBERS)?;
        // The signs of `false` and `true`.
        let mut found = blocks.classifiers(&[(params.clone(), vec![-1.0, 1.0])], true)?;
        Ok(found.remove(0))
    }
}
