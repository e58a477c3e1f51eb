//! Kernels of any type, given or found from the samples, in one search.

use super::Candidates;
use npt_core::{
    Error, Exact, ExactSpace, FromSamples, Kernel, NamedKernel, Samples, Scalar, SpaceBuilder,
};
use std::sync::Arc;

/// A builder of exact spaces of kernels of any type. A kernel is given, or found from the training samples of each fold
/// ([`Candidates::kernel_from`]).
pub type AnyExact<S, F> = Arc<dyn SpaceBuilder<S, Space = ExactSpace<S, NamedKernel<S, F>>>>;

impl<T> Candidates<T> {
    /// Adds the exact space of a kernel that is found from the samples, in each fold from the training samples alone. Kernels that are
    /// [given](Self::kernel) come first, and their ranks and axes are set before this call. Where no kernel is given,
    /// [`FromSamples`](npt_core::FromSamples) is the builder.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Linear, Rows};
    /// use npt_methods::model_selection::Candidates;
    ///
    /// let spaces = Candidates::new()
    ///     .kernel("linear", Linear::new())
    ///     .kernels("gaussian γ", [0.01, 0.1], Gaussian::new)
    ///     .kernel_from("gaussian, median distance", |x: &Rows<f64>| Gaussian::median_heuristic(x));
    /// assert_eq!(spaces.names().len(), 4);
    /// ```
    pub fn kernel_from<S, F, K>(
        self,
        name: impl Into<String>,
        find: impl Fn(&S) -> Result<K, Error> + Send + Sync + 'static,
    ) -> Candidates<AnyExact<S, F>>
    where
        S: Samples,
        F: Scalar,
        T: SpaceBuilder<S, Space = ExactSpace<S, NamedKernel<S, F>>> + 'static,
        K: Kernel<S, Scalar = F> + Clone + 'static,
    {
        let found = FromSamples::new(move |x: &S| Ok(Exact::new(NamedKernel::new(find(x)?))));
        let given = self.map(|builder| Arc::new(builder) as AnyExact<S, F>);
        given.and(name, Arc::new(found))
    }
}
