//! Support vector classifiers of any number of classes, on blocks.

use super::{NUMBERS, OfBlocks};
use crate::{
    Error,
    linear::support_vectors::multiclass::{MulticlassSvc, MulticlassSvcParams, Numbers},
};
use linfa::{
    DatasetBase, Label, ParamGuard,
    dataset::{AsSingleTargets, Records},
};
use npt_core::{AsSamples, Fitted, KernelSpace};

impl MulticlassSvcParams {
    /// Fits support vector classification on the coordinates in a space to samples that come in blocks, and come again for
    /// each pass. `pass` gives an iterator over the same blocks whenever it is called.
    ///
    /// # Definition
    /// [`MulticlassSvc`] of the coordinates of all samples. Each of its functions is found by way of
    /// [`SvcParams::fit_blocks`](crate::linear::SvcParams::fit_blocks). As many functions share the same passes as have room for the
    /// samples near their margins.
    ///
    /// # Errors
    /// The errors of [`SvcParams::fit_blocks`](crate::linear::SvcParams::fit_blocks), [`Error::LaterClass`], and
    /// [`Error::ManyClasses`] after the first pass.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Predict};
    /// use ndarray::{Array2, array};
    /// use npt_core::{Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{Error, linear::MulticlassSvc, streaming::Reservoir};
    ///
    /// /// 1000 numbers at a time, by their whole part.
    /// let block = |k: usize| {
    ///     let x = Array2::from_shape_fn((1000, 1), |(i, _)| ((1000 * k + i) as f64 * 0.618).fract() * 3.0);
    ///     let parts = x.column(0).mapv(|x| x as usize);
    ///     Dataset::new(x, parts)
    /// };
    /// let mut some = Reservoir::new(500);
    /// (0..20).try_for_each(|k| some.add(&block(k).records))?;
    /// let space = Nystrom::new(Gaussian::new(0.5), Pivoting::random(10)).fit_space(&some.into_samples()?)?;
    ///
    /// let params = MulticlassSvc::params().c(100.0);
    /// let svc = params.fit_blocks(&space, || Ok::<_, Error>((0..20).map(|k| Ok(block(k)))))?;
    /// let model = KernelizedModel::new(svc, space.into_parts().0).expand()?;
    /// assert_eq!(model.predict(&array![[0.8], [1.2], [2.4]]), array![0, 1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fit_blocks<P, L, R, T, B, E>(
        &self,
        space: &Fitted<P>,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<MulticlassSvc<P::Scalar, L>, E>
    where
        P: KernelSpace,
        L: Label,
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsSingleTargets<Elem = L>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        let params = self.check_ref()?;
        let mut blocks = OfBlocks::new("blocks of MulticlassSvc", space, pass, NUMBERS)?;
        let room = params.require_room::<f64>(Numbers::Blocks(space.rank()), blocks.classes.len());
        room?;
        let machines: Result<Vec<_>, Error> = params.machines_of(&blocks.class_weights).collect();
        let machines = blocks.classifiers(&machines?, false)?;
        Ok(params.without_support(blocks.classes, space.rank(), &machines))
    }
}
