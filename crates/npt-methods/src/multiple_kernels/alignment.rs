//! Weights of kernels by centred alignment with the targets.

use super::{
    grams::{centered, centered_grams, inner_product, norm, ratio},
    non_negative,
};
use crate::{Error, error::require_no_weights};
use linfa::{
    DatasetBase, Label,
    dataset::{AsTargets, Labels, Records},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{AsSamples, Kernel, Scalar, WeightedSum, watch::Progress};

/// Learns the weights of several kernels, so that samples are alike where their targets are.
///
/// # Definition
/// With Kₖ the centred kernel matrices, K_Y = YYᵀ the matrix of the targets (one column per target, or one
/// indicator per class), centred as well, and ⟨·,·⟩ the sum of products of entries, the alignment of two matrices is
/// ρ(K, K′) = ⟨K, K′⟩/(‖K‖‖K′‖). The weights w ≥ 0 of Σ wₖκₖ, of length 1, are
///
/// * [`independent`](Self::independent) (`align`): wₖ ∝ ρ(Kₖ, K_Y), each kernel for itself,
///   negative alignments taken as 0;
/// * [`joint`](Self::joint) (`alignf`): the weights with the largest ρ(Σ wₖKₖ, K_Y), by the quadratic
///   program min wᵀMw − 2wᵀa with Mₖₗ = ⟨Kₖ, Kₗ⟩, aₖ = ⟨Kₖ, K_Y⟩.
///
/// The learned combination is a kernel again. The fit holds the matrices of all p kernels at once: p·n² numbers.
///
/// # Errors
/// [`Error::NoKernels`], [`Error::NotAligned`], [`Error::Weights`] for samples with weights; [`Error::Core`] for samples that a kernel
/// refuses, for a number of targets that is not the number of samples, and for values that are not finite.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{Array1, Array2};
/// use npt_core::Gaussian;
/// use npt_methods::{Alignment, KernelSvc};
///
/// // A class inside the other: narrow kernels see it, wide ones do not.
/// let x = Array2::from_shape_fn((40, 1), |(i, _)| i as f64 / 4.0 - 5.0);
/// let inside = x.column(0).mapv(|v: f64| v.abs() < 2.0);
/// let data = Dataset::new(x, inside);
/// let kernels = vec![Gaussian::new(1e-4), Gaussian::new(0.3), Gaussian::new(1e4)];
///
/// let learned = Alignment::joint(kernels).fit_classes(&data)?;
/// let weights = learned.weights();
/// assert!(weights[1] > 0.9 && weights[0] < 0.1);
/// let model = KernelSvc::params(learned).fit(&data).unwrap();
/// assert_eq!(&model.predict(&data), data.targets());
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// C. Cortes, M. Mohri, A. Rostamizadeh, "Algorithms for Learning Kernels Based on Centered
/// Alignment", JMLR 13, 2012, sections 2 to 4.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Alignment<K> {
    kernels: Vec<K>,
    joint: bool,
}

impl<K> Alignment<K> {
    /// Weights each kernel by its own alignment.
    pub fn independent(kernels: Vec<K>) -> Self {
        let joint = false;
        Self { kernels, joint }
    }

    /// Weights all kernels for the best alignment of their sum.
    pub fn joint(kernels: Vec<K>) -> Self {
        let joint = true;
        Self { kernels, joint }
    }

    /// Fits the combination to targets that are classes.
    ///
    /// # Errors
    /// See [`Alignment`].
    pub fn fit_classes<R, T, F>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<WeightedSum<K, F>, Error>
    where
        R: Records + AsSamples,
        T: AsTargets + Labels<Elem = <T as AsTargets>::Elem>,
        <T as AsTargets>::Elem: Label,
        F: Scalar,
        K: Kernel<R::Samples, Scalar = F> + Clone,
    {
        require_no_weights("fits of Alignment", dataset)?;
        let (labels, targets) = (dataset.labels(), dataset.as_targets());
        let mut indicators = Array2::zeros((targets.len(), labels.len()));
        for (mut row, target) in indicators.outer_iter_mut().zip(&targets) {
            for (value, label) in row.iter_mut().zip(&labels) {
                *value = if target == label { F::one() } else { F::zero() };
            }
        }
        self.fit(dataset.records(), &indicators)
    }

    /// Fits the combination to targets that are numbers, one or several per sample.
    ///
    /// # Errors
    /// See [`Alignment`].
    pub fn fit_values<R, T, F>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<WeightedSum<K, F>, Error>
    where
        R: Records + AsSamples,
        T: AsTargets<Elem = F>,
        F: Scalar,
        K: Kernel<R::Samples, Scalar = F> + Clone,
    {
        require_no_weights("fits of Alignment", dataset)?;
        let targets = dataset.as_targets();
        let samples = targets.len_of(Axis(0));
        let shape = (samples, targets.len() / samples.max(1));
        let values = targets.iter().copied().collect();
        let targets = Array2::from_shape_vec(shape, values).expect("one row a sample");
        self.fit(dataset.records(), &targets)
    }

    fn fit<R, F>(&self, records: &R, targets: &Array2<F>) -> Result<WeightedSum<K, F>, Error>
    where
        R: AsSamples,
        F: Scalar,
        K: Kernel<R::Samples, Scalar = F> + Clone,
    {
        let count = self.kernels.len();
        if count == 0 {
            return Err(Error::NoKernels);
        }
        let grams = centered_grams(&self.kernels, records, targets.nrows())?;
        let target = target_gram(targets);
        let of_target = norm(&target);
        let mut progress = Progress::start("alignment", count);
        let (mut norms, mut alignments) = (Array1::zeros(count), Array1::zeros(count));
        // The matrix M in units of the kernels' own norms, in which it is well scaled.
        let mut m = Array2::eye(count);
        for k in 0..count {
            progress.at(k);
            // A kernel under which all samples are alike has no direction, and gets no weight.
            norms[k] = norm(&grams[k]);
            alignments[k] = ratio(inner_product(&grams[k], &target), norms[k] * of_target);
            let others = if self.joint { k } else { 0 };
            for l in 0..others {
                let between = inner_product(&grams[k], &grams[l]);
                m[[k, l]] = ratio(between, norms[k] * norms[l]);
                m[[l, k]] = m[[k, l]];
            }
        }
        let weights = if self.joint {
            let scaled = non_negative::minimise(&m, alignments.view())?;
            Array1::from_shape_fn(count, |k| ratio(scaled[k], norms[k]))
        } else {
            alignments.mapv(|alignment| alignment.max(0.0))
        };
        let length = weights.dot(&weights).sqrt();
        if !(length > 0.0) {
            return Err(Error::NotAligned { kernels: count });
        }
        let weights = weights.mapv(|weight| F::cast(weight / length));
        Ok(WeightedSum::new(self.kernels.clone(), weights)?)
    }
}

/// The centred alignment ρ of a kernel with targets (one column per target), between −1 and 1.
///
/// # Errors
/// As [`Alignment`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::Linear;
///
/// let x = array![[1.0], [2.0], [4.0]];
/// let alignment = npt_methods::centered_alignment(&Linear::new(), &x, &x)?;
/// assert!((alignment - 1.0_f64).abs() < 1e-15);
/// # Ok::<(), npt_methods::Error>(())
/// ```
pub fn centered_alignment<R, K, F>(
    kernel: &K,
    records: &R,
    targets: &Array2<F>,
) -> Result<f64, Error>
where
    R: AsSamples,
    F: Scalar,
    K: Kernel<R::Samples, Scalar = F>,
{
    let gram = &centered_grams(&[kernel], records, targets.nrows())?[0];
    let target = target_gram(targets);
    let scale = norm(gram) * norm(&target);
    if !(scale > 0.0) {
        return Err(Error::NotAligned { kernels: 1 });
    }
    Ok(inner_product(gram, &target) / scale)
}

fn target_gram<F: Scalar>(targets: &Array2<F>) -> Array2<F> {
    centered(npt_core::linalg::product(targets.view(), targets.t()))
}
