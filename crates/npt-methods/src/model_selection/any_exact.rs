//! Kernels of any type, given or found from the samples, in one search.

use super::{
    Candidates, SubsetBuilder, SubsetsOf,
    subsets::{KernelMatrixOf, Refitted},
};
use npt_core::{
    AsSamples, Error, Exact, ExactSpace, Fitted, Foldable, Kernel, NamedKernel, ProductsOf,
    Samples, Scalar, SpaceBuilder,
};
use std::{fmt, sync::Arc};

/// The exact space of a kernel of any type, which is given, or found from the training samples of each fold
/// ([`Candidates::kernel_from`]).
pub struct AnyExact<S, F>(Choice<S, F>);

enum Choice<S, F> {
    Given(Exact<NamedKernel<S, F>>),
    Found(Arc<Find<S, F>>),
}

type Find<S, F> = dyn Fn(&S) -> Result<NamedKernel<S, F>, Error> + Send + Sync;

impl<T> Candidates<T> {
    /// The exact space of a kernel that is found from the samples, those of each fold alone, beside kernels that are
    /// [given](Self::kernel), which come first. Ranks and axes of those are set before. Where no kernel is given, [`FromSamples`](npt_core::FromSamples) is the builder.
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
        T: Into<AnyExact<S, F>>,
        K: Kernel<S, Scalar = F> + Clone + 'static,
    {
        let find = move |x: &S| Ok(NamedKernel::new(find(x)?));
        let found = AnyExact(Choice::Found(Arc::new(find)));
        self.map(Into::into).and(name, found)
    }
}

impl<S, F> From<Exact<NamedKernel<S, F>>> for AnyExact<S, F> {
    fn from(given: Exact<NamedKernel<S, F>>) -> Self {
        Self(Choice::Given(given))
    }
}

impl<S, F> Clone for AnyExact<S, F> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Choice::Given(exact) => Choice::Given(exact.clone()),
            Choice::Found(find) => Choice::Found(Arc::clone(find)),
        })
    }
}

impl<S, F> fmt::Debug for AnyExact<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Choice::Given(_) => "AnyExact (given)",
            Choice::Found(_) => "AnyExact (found)",
        })
    }
}

impl<S: Samples, F: Scalar> AnyExact<S, F> {
    fn of(&self, x: &S) -> Result<Exact<NamedKernel<S, F>>, Error> {
        match &self.0 {
            Choice::Given(exact) => Ok(exact.clone()),
            Choice::Found(find) => Ok(Exact::new(find(x)?)),
        }
    }
}

impl<S: Samples, F: Scalar> SpaceBuilder<S> for AnyExact<S, F> {
    type Space = ExactSpace<S, NamedKernel<S, F>>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        self.of(&*records.as_samples()?)?.fit_space(records)
    }

    fn fit_for_expansion(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        self.of(&*records.as_samples()?)?.fit_for_expansion(records)
    }

    fn inner_products<'a>(
        &self,
        x: &'a S,
        centered: bool,
    ) -> Result<Option<ProductsOf<'a, S, Self::Space>>, Error>
    where
        Self::Space: Foldable,
    {
        self.of(x)?.inner_products(x, centered)
    }
}

impl<S: Samples, F: Scalar> SubsetBuilder<S> for AnyExact<S, F> {
    fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, Self>, Error> {
        match &self.0 {
            Choice::Given(exact) => exact.subsets(x),
            Choice::Found(_) => Ok(Box::new(Refitted::new(self, x))),
        }
    }

    fn has_one_kernel(&self) -> bool {
        matches!(self.0, Choice::Given(_))
    }

    fn kernel_matrix(&self, x: &S) -> Result<Option<KernelMatrixOf<S, Self>>, Error> {
        match &self.0 {
            Choice::Given(exact) => exact.kernel_matrix(x),
            Choice::Found(_) => Ok(None),
        }
    }
}
