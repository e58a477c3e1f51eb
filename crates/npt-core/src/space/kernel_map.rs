//! Features from kernel values.

mod all_samples;
mod landmarks;

pub use all_samples::AllSamples;
pub use landmarks::Landmarks;

use super::{LinearForm, RawFeatures, RawMap, factor::Factor};
use crate::{Error, Kernel, Samples, Scalar, kernel::About, require_memory};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Zip};
use std::{fmt, sync::Arc};

/// Features from the kernel values of a sample with training samples: with all of them, or with the
/// landmarks among them.
///
/// With landmarks S and LLᵀ = 𝒦 on them, the features of a sample are f(x) = L⁻¹κ(S, x). Where the
/// landmarks represent all n training samples X to rounding, with features F, the same features are
/// (FᵀF)⁻¹Fᵀκ(X, x): theorem 2 of the paper, but for a rotation. All samples are the better basis.
/// The part that the cut at rounding level takes from the landmarks' span (see
/// [`KernelSpace`](super::KernelSpace), on accuracy) is then missing along the shortest directions
/// only, not along all. If a [`Rank`](crate::Rank) leaves axes out, and the q axes that are kept are far above
/// rounding, the q coordinates themselves are the features: Λ⁻¹Yᵀk(x), theorem 2 to the letter.
///
/// | from | kernel values a new sample | products a new sample | numbers kept besides samples |
/// |---|---|---|---|
/// | s landmarks | s | s²/2 | s²/2 |
/// | all n samples | n | n·s | n·s |
/// | all n samples, leading axes | n | n·q | n·q |
///
/// [`Exact`](super::Exact) takes all samples, with leading axes or not, if the landmarks represent them to
/// rounding and there are no more than [`MOST_SAMPLES`](Self::MOST_SAMPLES). It takes more samples if all of them are
/// landmarks, and axes are left out or, on principal axes, all axes are far above rounding. Otherwise it takes the
/// landmarks, and also if [`landmarks_only`](super::Exact::landmarks_only) says so.
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, theorem 2.
/// doi:10.1109/TNNLS.2013.2272292
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        deserialize = "S: Samples + serde::Deserialize<'de>, K: Kernel<S, Scalar = F> + serde::Deserialize<'de>, F: Scalar + serde::Deserialize<'de>"
    ))
)]
pub enum KernelMap<S, K, F> {
    /// From landmarks.
    Landmarks(Landmarks<S, K, F>),
    /// From all training samples.
    AllSamples(AllSamples<S, K, F>),
}

impl<S, K, F> KernelMap<S, K, F> {
    /// The largest number of training samples that [`Exact`](super::Exact) evaluates for a new sample where the
    /// landmarks alone would do, to fewer digits. At this number a new sample of ten features takes 0.2 ms on a core, and
    /// 0.03 ms by landmarks.
    pub const MOST_SAMPLES: usize = 8192;
}

impl<S: Samples, K: Kernel<S>> KernelMap<S, K, K::Scalar> {
    /// Creates the map whose features of the training samples x are those of the factor.
    pub(super) fn of_factor(
        kernel: Arc<K>,
        origin: Option<S>,
        x: &S,
        factor: &mut Factor<K::Scalar>,
        landmarks_only: bool,
    ) -> Result<Self, Error> {
        let fewer = factor.pivots.len() < x.len();
        if fewer && Self::takes_all(factor, landmarks_only) {
            let map = AllSamples::of_factor(kernel, origin, x, factor)?;
            Ok(Self::AllSamples(map))
        } else {
            let map = Landmarks::of_factor(kernel, origin, x, factor);
            Ok(Self::Landmarks(map))
        }
    }

    /// Returns whether all training samples may map new ones.
    pub(super) fn takes_all(factor: &Factor<K::Scalar>, landmarks_only: bool) -> bool {
        let (samples, landmarks) = factor.features.dim();
        let affordable = samples <= Self::MOST_SAMPLES || samples == landmarks;
        factor.is_complete && affordable && !landmarks_only
    }

    /// The samples whose kernel values the features are made of.
    pub fn samples(&self) -> &S {
        match self {
            Self::Landmarks(map) => &map.samples,
            Self::AllSamples(map) => &map.samples,
        }
    }

    /// Returns whether the features are made of the kernel values of all training samples, in their order.
    pub(super) fn is_of_all_samples(&self) -> bool {
        matches!(self, Self::AllSamples(_))
    }

    /// Returns whether the features are made of values of the centred kernel k.
    pub(super) fn is_centered(&self) -> bool {
        matches!(self, Self::AllSamples(map) if map.is_centered())
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        self.shared_kernel()
    }

    pub(super) fn shared_kernel(&self) -> &Arc<K> {
        match self {
            Self::Landmarks(map) => &map.kernel,
            Self::AllSamples(map) => &map.kernel,
        }
    }

    /// The origin o, one sample, if the kernel values are about one.
    pub(super) fn origin_of_values(&self) -> Option<&S> {
        match self {
            Self::Landmarks(map) => map.origin.as_ref(),
            Self::AllSamples(map) => map.origin.as_ref(),
        }
    }

    /// Returns, for linear functions ⟨β, f(x)⟩ of the features, one β a column, the coefficients α, shape
    /// (samples, functions), and the constants c with ⟨β, f(x)⟩ = Σ αᵢκ(xᵢ, x) + c. The kernel values are about the
    /// [`origin_of_values`](Self::origin_of_values).
    pub(super) fn expand(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        match self {
            Self::Landmarks(map) => map.expand(directions),
            Self::AllSamples(map) => map.expand(directions),
        }
    }

    /// Returns the coefficients γ of the point Σ γᵢφ(xᵢ) from which shifted features are measured, with μ the shift that
    /// a space takes off the features. With values about an origin o, the point is φ(o) + Σ γᵢ(φ(xᵢ) − φ(o)).
    pub(super) fn origin(&self, shift: ArrayView1<'_, K::Scalar>) -> Array1<K::Scalar> {
        match self {
            Self::AllSamples(map) if map.is_centered() => map.mean(),
            _ => self
                .expand(shift.insert_axis(ndarray::Axis(1)))
                .0
                .column(0)
                .to_owned(),
        }
    }
}

impl<S: Samples, K: Kernel<S>> RawMap for KernelMap<S, K, K::Scalar> {
    type Samples = S;
    type Scalar = K::Scalar;

    fn dimension(&self) -> usize {
        match self {
            Self::Landmarks(map) => map.dimension(),
            Self::AllSamples(map) => map.dimension(),
        }
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.samples().check_compatible(x)?;
        self.kernel().check(x)
    }

    fn features(&self, x: &S, rows: &[usize], rest: bool) -> Result<RawFeatures<K::Scalar>, Error> {
        match self {
            Self::Landmarks(map) => map.features(x, rows, rest),
            Self::AllSamples(map) => map.features(x, rows, rest),
        }
    }

    /// Returns the functions as linear functions of the kernel values.
    fn linear_form(
        &self,
        directions: Array2<K::Scalar>,
    ) -> Result<LinearForm<'_, S, K::Scalar>, Error> {
        let (samples, functions) = (self.samples(), directions.ncols());
        require_memory::<K::Scalar>("the coefficients of coordinates", samples.len(), functions)?;
        let (coefficients, offsets) = self.expand(directions.view());
        let kernel = About::new(self.kernel(), self.origin_of_values());
        Ok(LinearForm::of_kernel_values(
            kernel,
            samples,
            coefficients,
            offsets,
        ))
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Clone, K, F: Clone> Clone for KernelMap<S, K, F> {
    fn clone(&self) -> Self {
        match self {
            Self::Landmarks(map) => Self::Landmarks(map.clone()),
            Self::AllSamples(map) => Self::AllSamples(map.clone()),
        }
    }
}

/// Shows the sizes; neither kernel nor samples need be `Debug`.
impl<S, K, F> fmt::Debug for KernelMap<S, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Landmarks(map) => map.fmt(f),
            Self::AllSamples(map) => map.fmt(f),
        }
    }
}

/// Returns the κ(x, x) of the samples `x`, which are the `rows` of other samples. It refuses values that are not finite.
fn finite_diagonal<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &S,
    rows: &[usize],
) -> Result<Array1<K::Scalar>, Error> {
    let diagonal = kernel.diag(x);
    match diagonal
        .iter()
        .zip(rows)
        .find(|(value, _)| !value.as_f64().is_finite())
    {
        None => Ok(diagonal),
        Some((value, &row)) => Err(Error::KernelNotFinite {
            row,
            column: row,
            value: value.as_f64(),
        }),
    }
}

/// Computes a − b, where b ≤ a but for rounding, and replaces negative differences by 0.
pub(super) fn clamped_difference<F: Scalar>(mut a: Array1<F>, b: &Array1<F>) -> Array1<F> {
    Zip::from(&mut a)
        .and(b)
        .for_each(|a, &b| *a = (*a - b).max(F::zero()));
    a
}
