//! Weighted sums of any number of kernels.

use crate::{
    Description, Error, Kernel, ParameterError, ParameterType, ParameterValue, Samples, Scalar,
    error,
    kernels::{derivatives_of, weighted_sum},
    linalg::Spare,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use num_traits::Zero as _;

/// A weighted sum of any number of kernels of one type; kernels of different types are wrapped as `Arc<dyn Kernel>`.
///
/// # Definition
/// κ(a, b) = Σₖ wₖ κₖ(a, b)
///
/// # Parameters
/// `weights` wₖ ≥ 0, one a kernel, at least one above 0. Kernels of weight 0 are not evaluated.
///
/// # Errors
/// At construction, [`Error::KernelCount`]. At fit, [`Error::Parameter`] naming `weights`.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Gaussian, Kernel, WeightedSum};
///
/// let kernels = vec![Gaussian::new(0.1), Gaussian::new(1.0)];
/// let sum = WeightedSum::new(kernels, array![0.25, 0.75])?;
/// assert_eq!(sum.eval(&[0.0], &[1.0]), 0.25 * (-0.1_f64).exp() + 0.75 * (-1.0_f64).exp());
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename = "weighted_sum")
)]
pub struct WeightedSum<K, F> {
    kernels: Vec<K>,
    weights: Array1<F>,
}

crate::composable!(impl<K, F> WeightedSum<K, F>);

impl<K, F: Scalar> WeightedSum<K, F> {
    /// The kernel Σ wₖκₖ; the range of the weights is checked at fit.
    ///
    /// # Errors
    /// [`Error::KernelCount`] if there are more or fewer weights than kernels.
    pub fn new(kernels: Vec<K>, weights: Array1<F>) -> Result<Self, Error> {
        if kernels.len() != weights.len() {
            return Err(Error::KernelCount {
                kernels: kernels.len(),
                weights: weights.len(),
            });
        }
        Ok(Self { kernels, weights })
    }

    /// The kernels.
    pub fn kernels(&self) -> &[K] {
        &self.kernels
    }

    /// The weights, one a kernel.
    pub fn weights(&self) -> ArrayView1<'_, F> {
        self.weights.view()
    }

    /// The kernels whose weight is not 0, with their weights.
    fn terms(&self) -> impl Iterator<Item = (&K, F)> {
        let weights = self.weights.iter().copied();
        self.kernels
            .iter()
            .zip(weights)
            .filter(|term| term.1 != F::zero())
    }
}

impl<S: Samples, K: Kernel<S>> Kernel<S> for WeightedSum<K, K::Scalar> {
    type Scalar = K::Scalar;

    /// Describes the parameters of the kernels as `kernels.0.…`, `kernels.1.…`.
    fn describe(&self) -> Description {
        let own = Description::new("weighted_sum").parameter("weights", &self.weights);
        let parts = self.kernels.iter().enumerate();
        parts.fold(own, |whole, (k, kernel)| {
            whole.part(format!("kernels.{k}"), kernel.describe())
        })
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        if name == "weights" {
            return self.weights.set(name, value);
        }
        let path = name
            .strip_prefix("kernels.")
            .and_then(|path| path.split_once('.'));
        let part = path.and_then(|(k, of_part)| {
            let kernel = self.kernels.get_mut(k.parse::<usize>().ok()?)?;
            Some((kernel, of_part))
        });
        match part {
            Some((kernel, of_part)) => kernel.set_parameter(of_part, value),
            None => Err(ParameterError::Unknown {
                of: "weighted_sum".to_owned(),
                parameter: name.to_owned(),
            }),
        }
    }

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.terms()
            .map(|(kernel, weight)| kernel.eval(a, b) * weight)
            .sum()
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        let mut sum = Array2::zeros((a.len(), b.len()));
        for (kernel, weight) in self.terms() {
            sum.scaled_add(weight, &kernel.cross(a, b));
        }
        sum
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        let mut sum = Array2::zeros((x.len(), x.len()));
        for (kernel, weight) in self.terms() {
            let gram = kernel.gram(x);
            sum.scaled_add(weight, &gram);
            Spare::give_back(gram);
        }
        sum
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        let mut sum = Array1::zeros(x.len());
        for (kernel, weight) in self.terms() {
            sum.scaled_add(weight, &kernel.diag(x));
        }
        sum
    }

    fn origin(&self, x: &S) -> Option<S> {
        self.terms().find_map(|(kernel, _)| kernel.origin(x))
    }

    fn eval_about(&self, origin: &S::Sample, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.terms()
            .map(|(kernel, weight)| kernel.eval_about(origin, a, b) * weight)
            .sum()
    }

    fn cross_about(&self, origin: &S, a: &S, b: &S) -> Array2<K::Scalar> {
        let mut sum = Array2::zeros((a.len(), b.len()));
        for (kernel, weight) in self.terms() {
            sum.scaled_add(weight, &kernel.cross_about(origin, a, b));
        }
        sum
    }

    fn diag_about(&self, origin: &S, x: &S) -> Array1<K::Scalar> {
        let mut sum = Array1::zeros(x.len());
        for (kernel, weight) in self.terms() {
            sum.scaled_add(weight, &kernel.diag_about(origin, x));
        }
        sum
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        for &weight in &self.weights {
            error::not_negative("WeightedSum", "weights", weight.as_f64())?;
        }
        error::positive("WeightedSum", "weights", self.weights.sum().as_f64())?;
        self.terms().try_for_each(|(kernel, _)| kernel.check(x))
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.terms()
            .all(|(kernel, _)| kernel.is_positive_semidefinite())
    }

    fn parameter_derivatives(
        &self,
        x: &S,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        // Kernels of weight 0 are not evaluated. The derivatives by their parameters are 0; the derivative by their weight
        // stays unknown.
        let counts = |weight: K::Scalar| weight != K::Scalar::zero();
        let terms = || self.kernels.iter().zip(&self.weights);
        let by_weight = terms().map(|(kernel, &weight)| {
            let matrix = counts(weight).then(|| kernel.gram(x))?;
            weighted_sum(weights, &matrix)
        });
        let mut all: Vec<_> = by_weight.collect();
        for (kernel, &weight) in terms() {
            if counts(weight) {
                let of_kernel = derivatives_of(kernel, x, weights);
                all.extend(of_kernel.into_iter().map(|known| known.map(|d| weight * d)));
            } else {
                let parameters = kernel.parameters();
                let reals = parameters.iter().map(|p| p.value.reals().len()).sum();
                all.extend(vec![Some(K::Scalar::zero()); reals]);
            }
        }
        all
    }

    fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<K::Scalar>> {
        let mut sum = Array2::zeros((x.len(), x.len()));
        for (kernel, weight) in self.terms() {
            sum.scaled_add(weight, &kernel.squared_distance_derivatives(x)?);
        }
        Some(sum)
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a S::Sample,
    ) -> Option<Box<dyn Kernel<S, Scalar = K::Scalar> + 'a>>
    where
        S: 'a,
    {
        let part = |kernel: &'a K| kernel.with_length_scales(length_scales);
        let kernels = self.kernels.iter().map(part).collect::<Option<Vec<_>>>()?;
        Some(Box::new(WeightedSum {
            kernels,
            weights: self.weights.clone(),
        }))
    }

    fn ignores_common_zeros(&self) -> bool {
        self.terms()
            .all(|(kernel, _)| kernel.ignores_common_zeros())
    }
}

crate::checked! {
    #[serde(rename = "weighted_sum")]
    WeightedSum<K, F> { kernels: Vec<K>, weights: Array1<F> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<K, F: Scalar> WeightedSum<K, F> {
    fn check_parts(&self) -> Result<(), String> {
        crate::serial::agree("weights", self.weights.len(), "kernels", self.kernels.len())
    }
}
