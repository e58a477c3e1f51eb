//! Kernel canonical correlation analysis.

use crate::{
    Error,
    error::View,
    linear::{Cca, CcaParams, CcaView},
};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1};
use npt_core::{
    AsSamples, Axes, Exact, ExpansionModel, ExpansionSpace, KernelSpace, KernelizedModel, Samples,
    Scalar, SpaceBuilder,
};

/// Kernel canonical correlation analysis: [`Cca`] in the coordinates of two kernel spaces, one per
/// view. The views may be of different types, such as vectors and strings.
///
/// # Definition
/// Pairs of directions w = Σ αᵢφ(xᵢ) and v = Σ βᵢψ(yᵢ) of two feature spaces. One pair after the other
/// maximises, with C the covariances in feature space,
///
/// ⟨w, C_xy v⟩ / √((⟨w, C_xx w⟩ + κ_x‖w‖²)(⟨v, C_yy v⟩ + κ_y‖v‖²)).
///
/// In the kernel-trick form, with centred kernel matrices K and L, that is the generalised
/// eigenproblem KLβ/n = λ(K²/n + κ_x K)α, LKα/n = λ(L²/n + κ_y L)β. For each view κ = ρ·tr/n, with the trace of its
/// matrix; so ρ is in units of the mean squared distance from the mean. It is 0.01 by default. Without a
/// ridge, kernels of full rank find correlations of 1 between any two views.
///
/// # Errors
/// [`Error::View`] for the samples and the kernel of one view, [`Error::Core`] with `TargetCount` if the
/// second view has another number of samples, and the errors that [`Cca`] documents.
///
/// # Example
/// ```
/// use linfa::traits::Transformer;
/// use ndarray::{Array2, array};
/// use npt_core::{Items, Polynomial, Spectrum};
/// use npt_methods::KernelCca;
///
/// // Numbers and words: small numbers have few letters a, large ones many, of either sign.
/// let numbers = array![[-2.0], [-1.0], [0.0], [1.0], [2.0]];
/// let words = Items::new(vec!["aaaa", "a", "", "a", "aaaa"])?;
/// let letters = Spectrum::new(1);
/// let model = KernelCca::params(1, Polynomial::homogeneous(2), letters)
///     .ridge(0.0)
///     .fit(&numbers, &words)?;
/// assert!((model.correlations()[0] - 1.0_f64).abs() < 1e-12);
/// // Either view sees a score of n² − 2, of variance 1.
/// let scores: Array2<f64> = model.first().transform(array![[3.0]]);
/// assert!((scores[[0, 0]] - 7.0 / 2.8_f64.sqrt()).abs() < 1e-12);
/// let scores: Array2<f64> = model.second().transform(Items::new(vec!["aaaaaaaaa"])?);
/// assert!((scores[[0, 0]] - 7.0 / 2.8_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// S. Akaho, "A kernel method for canonical correlation analysis", IMPS 2001. arXiv:cs/0609071
///
/// D. R. Hardoon, S. Szedmak, J. Shawe-Taylor, "Canonical Correlation Analysis: An Overview with
/// Application to Learning Methods", Neural Computation 16(12), 2004. doi:10.1162/0899766042321814
#[derive(Debug, Clone, Copy)]
pub struct KernelCca;

impl KernelCca {
    /// Parameters for `components` pairs of directions in the exact spaces of two kernels, one per view, with a ridge of
    /// 0.01.
    pub fn params<K, L>(
        components: usize,
        first: K,
        second: L,
    ) -> KernelCcaParams<Exact<K>, Exact<L>> {
        KernelCcaParams {
            linear: Cca::params(components).ridge(0.01),
            first: Exact::new(first).axes(Axes::Cholesky),
            second: Exact::new(second).axes(Axes::Cholesky),
        }
    }
}

/// Parameters of [`KernelCca`]: its linear method and the builders of its two spaces.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelCcaParams<B, C> {
    linear: CcaParams,
    first: B,
    second: C,
}

impl<B, C> KernelCcaParams<B, C> {
    /// The ridge of [`CcaParams::ridge`]; 0.01 by default.
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.linear = self.linear.ridge(ridge);
        self
    }

    /// Changes the linear method: `.method(|cca| cca.ridge(0.1))`.
    pub fn method(mut self, change: impl FnOnce(CcaParams) -> CcaParams) -> Self {
        self.linear = change(self.linear);
        self
    }

    /// The linear method.
    pub fn inner(&self) -> &CcaParams {
        &self.linear
    }

    /// The builder of the first view's space.
    pub fn first(&self) -> &B {
        &self.first
    }

    /// The builder of the second view's space.
    pub fn second(&self) -> &C {
        &self.second
    }

    /// Takes other kernel spaces than the default exact ones.
    pub fn spaces<Other, Another>(
        self,
        first: Other,
        second: Another,
    ) -> KernelCcaParams<Other, Another> {
        KernelCcaParams {
            linear: self.linear,
            first,
            second,
        }
    }

    /// Fits both spaces and the directions in them to two views of the same samples, in the same
    /// order. Linfa has no dataset of two types of samples, so this is not [`Fit`]. Records have no weights; for samples with
    /// weights, use [`Cca`] in the coordinates of two spaces.
    ///
    /// Either view predicts by sums of kernel values; with a ridge, by the classical formula.
    ///
    /// # Errors
    /// As [`KernelCca`] documents.
    pub fn fit<F, R, Q>(
        &self,
        first: &R,
        second: &Q,
    ) -> Result<KernelCcaModel<F, ExpandedCcaView<B::Space>, ExpandedCcaView<C::Space>>, Error>
    where
        F: Scalar,
        R: AsSamples,
        Q: AsSamples,
        B: SpaceBuilder<R::Samples>,
        C: SpaceBuilder<Q::Samples>,
        B::Space: ExpansionSpace<Scalar = F>,
        C::Space: ExpansionSpace<Scalar = F>,
    {
        let dual = self.linear.has_dual_coefficients();
        let (cca, (first, x), (second, y)) = self.fit_linear(first, second, dual)?;
        let dual = self.linear.dual_coefficients(&cca, &x, &y);
        let (of_first, of_second) = dual.unzip();
        let first = ExpansionModel::of_fitted(cca.first(), &first, &x, of_first);
        let second = ExpansionModel::of_fitted(cca.second(), &second, &y, of_second);
        Ok(KernelCcaModel::new(
            cca.into_parts().0,
            first.map_err(of(View::First))?,
            second.map_err(of(View::Second))?,
        ))
    }

    /// Fits as [`fit`](Self::fit), in spaces that need not be [`ExpansionSpace`]; either view keeps its space
    /// and predicts through it.
    ///
    /// # Errors
    /// As [`KernelCca`] documents.
    pub fn fit_by_coordinates<F, R, Q>(
        &self,
        first: &R,
        second: &Q,
    ) -> Result<KernelCcaModel<F, KernelizedCcaView<B::Space>, KernelizedCcaView<C::Space>>, Error>
    where
        F: Scalar,
        R: AsSamples,
        Q: AsSamples,
        B: SpaceBuilder<R::Samples>,
        C: SpaceBuilder<Q::Samples>,
        B::Space: KernelSpace<Scalar = F>,
        C::Space: KernelSpace<Scalar = F>,
    {
        let (cca, (first, _), (second, _)) = self.fit_linear(first, second, false)?;
        let (correlations, of_first, of_second) = cca.into_parts();
        Ok(KernelCcaModel::new(
            correlations,
            KernelizedModel::new(of_first, first),
            KernelizedModel::new(of_second, second),
        ))
    }

    /// Returns the fitted linear method, and both spaces with the coordinates that it was fitted to.
    fn fit_linear<F, R, Q>(
        &self,
        first: &R,
        second: &Q,
        for_expansion: bool,
    ) -> Result<
        (
            Cca<F>,
            WithCoordinates<B::Space, F>,
            WithCoordinates<C::Space, F>,
        ),
        Error,
    >
    where
        F: Scalar,
        R: AsSamples,
        Q: AsSamples,
        B: SpaceBuilder<R::Samples>,
        C: SpaceBuilder<Q::Samples>,
        B::Space: KernelSpace<Scalar = F>,
        C::Space: KernelSpace<Scalar = F>,
    {
        let first = first.as_samples().map_err(of(View::First))?;
        let second = second.as_samples().map_err(of(View::Second))?;
        let (samples, targets) = (first.len(), second.len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        let first = fit_space(&self.first, first.as_ref(), for_expansion);
        let (first, x) = first.map_err(of(View::First))?;
        let second = fit_space(&self.second, second.as_ref(), for_expansion);
        let (second, y) = second.map_err(of(View::Second))?;
        let views = DatasetBase::new(x, y);
        let cca = self.linear.fit(&views)?;
        Ok((cca, (first, views.records), (second, views.targets)))
    }
}

/// A space, and the coordinates of its training samples.
type WithCoordinates<P, F> = (P, Array2<F>);

fn fit_space<S: Samples, B: SpaceBuilder<S>>(
    builder: &B,
    x: &S,
    for_expansion: bool,
) -> Result<WithCoordinates<B::Space, <B::Space as KernelSpace>::Scalar>, npt_core::Error> {
    let fitted = if for_expansion {
        builder.fit_for_expansion(x)?
    } else {
        builder.fit_space(x)?
    };
    let (space, coordinates, _) = fitted.into_parts();
    Ok((space, coordinates))
}

fn of(view: View) -> impl FnOnce(npt_core::Error) -> Error {
    move |error| Error::View { view, error }
}

/// A view that predicts by sums of kernel values.
pub type ExpandedCcaView<P> = ExpansionModel<
    CcaView<<P as KernelSpace>::Scalar>,
    <P as KernelSpace>::Samples,
    <P as ExpansionSpace>::Kernel,
    <P as KernelSpace>::Scalar,
>;

/// A view that predicts through its space.
pub type KernelizedCcaView<P> = KernelizedModel<CcaView<<P as KernelSpace>::Scalar>, P>;

/// A fitted [`KernelCca`]: two projections, of types `A` and `B`, and their correlations.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelCcaModel<F, A, B> {
    correlations: Array1<F>,
    first: A,
    second: B,
}

impl<F: Scalar, A, B> KernelCcaModel<F, A, B> {
    /// Makes a model of two projections and their correlations. The projections are those of [`Cca`] in the coordinates of the views,
    /// such as it is [fitted to moments](crate::streaming::FitMoments); they may be written as expansions.
    pub fn new(correlations: Array1<F>, first: A, second: B) -> Self {
        Self {
            correlations,
            first,
            second,
        }
    }

    /// The canonical correlations, descending.
    pub fn correlations(&self) -> ArrayView1<'_, F> {
        self.correlations.view()
    }

    /// The first view: `transform` gives its scores.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// The second view: `transform` gives its scores.
    pub fn second(&self) -> &B {
        &self.second
    }
}
