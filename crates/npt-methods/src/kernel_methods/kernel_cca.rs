//! Kernel canonical correlation analysis.

use crate::{
    Error,
    error::View,
    linear::{Cca, CcaParams, CcaView},
};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, ArrayView1};
use npt_core::{
    AsSamples, Axes, Exact, KernelSpace, KernelizedModel, Samples, Scalar, SpaceBuilder,
};

/// Kernel canonical correlation analysis: [`Cca`] in the coordinates of two kernel spaces, one a
/// view. The views may be of different types: vectors and strings, say.
///
/// # Definition
/// Pairs of directions w = Σ αᵢφ(xᵢ) and v = Σ βᵢψ(yᵢ) of two feature spaces that maximise, one
/// after the other, with C the covariances in feature space,
///
/// ⟨w, C_xy v⟩ / √((⟨w, C_xx w⟩ + κ_x‖w‖²)(⟨v, C_yy v⟩ + κ_y‖v‖²)).
///
/// In the kernel-trick form, with centred kernel matrices K and L, that is the generalised
/// eigenproblem KLβ/n = λ(K²/n + κ_x K)α, LKα/n = λ(L²/n + κ_y L)β. κ = ρ·tr/n of each view's matrix,
/// so that ρ is in units of the mean squared distance from the mean, 0.01 by default. Without a
/// ridge, kernels of full rank find correlations of 1 between any two views.
///
/// # Errors
/// [`Error::View`] for the samples and the kernel of one view, [`Error::Core`] with `TargetCount` if the
/// second view has another number of samples, and as [`Cca`] documents.
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
    /// `components` pairs of directions in the exact spaces of one kernel a view, with a ridge of
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

/// Parameters of [`KernelCca`]: of its linear method and of the two spaces.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelCcaParams<B, C> {
    linear: CcaParams,
    first: B,
    second: C,
}

impl<B, C> KernelCcaParams<B, C> {
    /// See [`CcaParams::ridge`]; 0.01 by default.
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.linear = self.linear.ridge(ridge);
        self
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
    /// order. Two types of samples are no dataset of linfa's: hence no [`Fit`].
    ///
    /// # Errors
    /// As [`KernelCca`] documents.
    pub fn fit<F, R, Q>(
        &self,
        first: &R,
        second: &Q,
    ) -> Result<KernelCcaModel<F, B::Space, C::Space>, Error>
    where
        F: Scalar,
        R: AsSamples,
        Q: AsSamples,
        B: SpaceBuilder<R::Samples>,
        C: SpaceBuilder<Q::Samples>,
        B::Space: KernelSpace<Scalar = F>,
        C::Space: KernelSpace<Scalar = F>,
    {
        let of = |view| move |error| Error::View { view, error };
        let first = first.as_samples().map_err(of(View::First))?;
        let second = second.as_samples().map_err(of(View::Second))?;
        let (samples, targets) = (first.len(), second.len());
        if samples != targets {
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        let first = self.first.fit_space(first.as_ref());
        let first = first.map_err(of(View::First))?;
        let second = self.second.fit_space(second.as_ref());
        let second = second.map_err(of(View::Second))?;
        let (first, of_first, _) = first.into_parts();
        let (second, of_second, _) = second.into_parts();
        let coordinates = DatasetBase::new(of_first, of_second);
        let (correlations, of_first, of_second) = self.linear.fit(&coordinates)?.into_parts();
        Ok(KernelCcaModel {
            correlations,
            first: KernelizedModel::new(of_first, first),
            second: KernelizedModel::new(of_second, second),
        })
    }
}

/// A fitted [`KernelCca`]: two kernelized projections and their correlations.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelCcaModel<F, P, Q> {
    correlations: Array1<F>,
    first: KernelizedModel<CcaView<F>, P>,
    second: KernelizedModel<CcaView<F>, Q>,
}

impl<F: Scalar, P, Q> KernelCcaModel<F, P, Q> {
    /// The canonical correlations, descending.
    pub fn correlations(&self) -> ArrayView1<'_, F> {
        self.correlations.view()
    }

    /// The first view: `transform` gives its scores.
    pub fn first(&self) -> &KernelizedModel<CcaView<F>, P> {
        &self.first
    }

    /// The second view: `transform` gives its scores.
    pub fn second(&self) -> &KernelizedModel<CcaView<F>, Q> {
        &self.second
    }
}
