//! Kernels centred at the mean of fixed samples.

use crate::{
    AsSamples, Description, Error, Kernel, ParameterError, ParameterValue, Samples, Scalar,
    kernel::About, linalg::PANEL,
};
use ndarray::{Array1, Array2, Axis};

/// A kernel whose feature space has its origin at the mean of fixed samples.
///
/// A space centres by itself ([`Exact::centered`](crate::Exact::centered)), faster and more accurately. This kernel is for
/// sums of centred kernels, and for means over other samples than the training samples.
///
/// # Definition
/// With z₁, …, zₘ the fixed samples:
///
/// κ(a, b) = κ₁(a, b) − Σᵢ κ₁(a, zᵢ)/m − Σᵢ κ₁(zᵢ, b)/m + Σᵢⱼ κ₁(zᵢ, zⱼ)/m²
///
/// A block (n, k) costs m(n + k) + nk values of κ₁. Where these values are large and differ little, rounding takes their
/// differences: centre data that are far from 0 before a linear kernel.
///
/// # Errors
/// At fit of a space and for new samples, [`Error::ColumnCount`] and what κ₁ refuses.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Centered, Kernel, Linear};
///
/// let kernel = Centered::fit(Linear::new(), &array![[1.0, 0.0], [3.0, 2.0]])?; // mean (2, 1)
/// let value: f64 = kernel.eval(&[5.0, 1.0], &[4.0, 4.0]);
/// assert_eq!(value, (5.0 - 2.0) * (4.0 - 2.0) + (1.0 - 1.0) * (4.0 - 1.0));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear component analysis as a kernel eigenvalue
/// problem", Neural Computation 10(5), 1998, appendix A. doi:10.1162/089976698300017467
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(
        rename = "centered",
        bound(serialize = "S: serde::Serialize, K: serde::Serialize, K::Scalar: serde::Serialize")
    )
)]
pub struct Centered<S: Samples, K: Kernel<S>> {
    kernel: K,
    /// The origin about which κ₁ is evaluated, where centring would lose digits otherwise: one sample.
    origin: Option<S>,
    samples: S,
    /// The mean of κ₁ over all pairs.
    mean: K::Scalar,
}

crate::composable!(impl<S, K> Centered<S, K> where S: Samples, K: Kernel<S>);

impl<S: Samples, K: Kernel<S>> Centered<S, K> {
    /// The kernel κ₁ centred at the mean of `samples`, which are kept.
    ///
    /// # Errors
    /// What the samples' border and κ₁ refuse, and [`Error::KernelNotFinite`].
    pub fn fit<R>(kernel: K, samples: &R) -> Result<Self, Error>
    where
        R: AsSamples<Samples = S>,
    {
        let samples = samples.as_samples()?.into_owned();
        kernel.check(&samples)?;
        let mut centered = Self {
            origin: kernel.origin(&samples),
            kernel,
            samples,
            mean: num_traits::Zero::zero(),
        };
        let means = centered.means(&centered.samples);
        if let Some(row) = means.iter().position(|mean| !mean.as_f64().is_finite()) {
            return Err(centered.not_finite(row));
        }
        centered.mean = mean(means.iter().copied());
        Ok(centered)
    }

    /// The kernel κ₁, up to a shift of the origin that centring takes away.
    fn values(&self) -> About<'_, S, K> {
        About::new(&self.kernel, self.origin.as_ref())
    }

    /// The kernel κ₁.
    pub fn inner(&self) -> &K {
        &self.kernel
    }

    /// Names the pair that makes the mean of a row infinite or NaN.
    fn not_finite(&self, row: usize) -> Error {
        let of = |i: usize| self.samples.get(i);
        let value = |column| self.kernel.eval(of(row), of(column)).as_f64();
        let found = (0..self.samples.len()).find(|&column| !value(column).is_finite());
        let column = found.unwrap_or(row);
        Error::KernelNotFinite {
            row,
            column,
            value: value(column),
        }
    }

    /// The mean of κ₁(x, zᵢ) over the fixed samples.
    fn mean_of(&self, x: &S::Sample) -> K::Scalar {
        mean((0..self.samples.len()).map(|i| self.values().eval(x, self.samples.get(i))))
    }

    /// The means of κ₁(x, zᵢ) over the fixed samples, for all x. They are computed panel by panel to bound the memory.
    fn means(&self, x: &S) -> Array1<K::Scalar> {
        let ids: Vec<usize> = (0..x.len()).collect();
        let panels = ids.chunks(PANEL).flat_map(|ids| {
            let block = self.values().cross(&x.select(ids), &self.samples);
            block.map_axis(Axis(1), |row| mean(row.iter().copied()))
        });
        panels.collect()
    }

    /// Subtracts the means from a block of values of κ₁.
    fn center(
        &self,
        mut block: Array2<K::Scalar>,
        rows: Array1<K::Scalar>,
        columns: &Array1<K::Scalar>,
    ) -> Array2<K::Scalar> {
        block -= &rows.insert_axis(Axis(1));
        block -= &(columns - self.mean);
        block
    }
}

/// The mean of values. It divides before it adds, so that values near the end of the range do not overflow.
fn mean<F: Scalar>(values: impl ExactSizeIterator<Item = F>) -> F {
    let count = F::cast(values.len());
    values.map(|value| value / count).sum()
}

impl<S: Samples, K: Kernel<S>> Kernel<S> for Centered<S, K> {
    type Scalar = K::Scalar;

    fn describe(&self) -> Description {
        Description::new("centered").part("kernel", self.kernel.describe())
    }

    /// Sets a parameter of κ₁, and finds the mean anew, from m² values of κ₁. If κ₁ with this parameter refuses the fixed
    /// samples, there is no mean, and `check` says why.
    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let Some(of_part) = name.strip_prefix("kernel.") else {
            return Err(ParameterError::Unknown {
                of: "centered".to_owned(),
                parameter: name.to_owned(),
            });
        };
        self.kernel.set_parameter(of_part, value)?;
        self.mean = match self.kernel.check(&self.samples) {
            Ok(()) => mean(self.means(&self.samples).iter().copied()),
            Err(_) => num_traits::Float::nan(),
        };
        Ok(())
    }

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        (self.values().eval(a, b) - self.mean_of(a)) - (self.mean_of(b) - self.mean)
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        self.center(self.values().cross(a, b), self.means(a), &self.means(b))
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        let means = self.means(x);
        self.center(self.values().gram(x), means.clone(), &means)
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        let means = self.means(x);
        self.values().diag(x) - &means - (means - self.mean)
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.samples.check_compatible(x)?;
        if num_traits::Float::is_nan(self.mean) {
            self.kernel.check(&self.samples)?;
        }
        self.kernel.check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}

crate::checked! {
    #[serde(rename = "centered", bound(deserialize = "S: serde::Deserialize<'de>, K: serde::Deserialize<'de>"))]
    Centered<S, K> {
        kernel: K,
        origin: Option<S>,
        samples: S,
        mean: K::Scalar,
    }
    where S: Samples, K: Kernel<S>, K::Scalar: serde::de::DeserializeOwned
}

#[cfg(feature = "serde")]
impl<S: Samples, K: Kernel<S>> Centered<S, K> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::kernel::check_origin;
        crate::serial::finite("the means", [&self.mean])?;
        check_origin(&self.kernel, self.origin.as_ref(), &self.samples)
    }
}
