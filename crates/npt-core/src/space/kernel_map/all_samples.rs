//! Features from the kernel values with all training samples.

use super::finite_diagonal;
use crate::{
    Error, Kernel, RawFeatures, Samples, Scalar,
    kernel::About,
    linalg::{self, Means, PANEL},
    space::{
        factor::{Factor, check_finite},
        rows::{center_columns, squared_lengths},
    },
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use num_traits::One as _;
use std::{fmt, sync::Arc};

/// The features f(x) = Wᵀκ(X, x), or Wᵀk(x) with k centred, from all training samples X.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AllSamples<S, K, F> {
    pub(super) kernel: Arc<K>,
    /// The origin that kernel values are about, one sample, where a shift of the samples' images changes nothing.
    pub(super) origin: Option<S>,
    /// The training samples X.
    pub(super) samples: S,
    /// The weights W, one row a sample, one column a feature.
    weights: Array2<F>,
    /// The means that centring subtracts from κ(X, x), if the features are made of the centred kernel k.
    means: Option<Means<F>>,
}

impl<S: Samples, K: Kernel<S>> AllSamples<S, K, K::Scalar> {
    /// Creates the map from kernel values about an `origin`, if there is one.
    pub(crate) fn new(
        kernel: Arc<K>,
        origin: Option<S>,
        samples: S,
        weights: Array2<K::Scalar>,
        means: Option<Means<K::Scalar>>,
    ) -> Self {
        Self {
            kernel,
            origin,
            samples,
            weights,
            means,
        }
    }

    /// Creates the map with W = F(FᵀF)⁻¹, from the features F of the training samples, whose rows at the landmarks are L.
    /// There are fewer landmarks than samples.
    ///
    /// # Errors
    /// [`Error::Eigensolver`].
    pub(super) fn of_factor(
        kernel: Arc<K>,
        origin: Option<S>,
        x: &S,
        factor: &Factor<K::Scalar>,
    ) -> Result<Self, Error> {
        let mut is_landmark = vec![false; x.len()];
        factor
            .pivots
            .iter()
            .for_each(|&pivot| is_landmark[pivot] = true);
        let others: Vec<usize> = (0..x.len()).filter(|&i| !is_landmark[i]).collect();
        let weights = least_squares(factor, &others)?;
        Ok(Self::new(kernel, origin, x.clone(), weights, None))
    }

    pub(super) fn dimension(&self) -> usize {
        self.weights.ncols()
    }

    pub(super) fn is_centered(&self) -> bool {
        self.means.is_some()
    }

    /// Returns the coefficients of the mean of all φ(xᵢ).
    pub(super) fn mean(&self) -> Array1<K::Scalar> {
        let n = self.samples.len();
        Array1::from_elem(n, K::Scalar::one() / K::Scalar::cast(n))
    }

    pub(super) fn features(
        &self,
        x: &S,
        rows: &[usize],
        rest: bool,
    ) -> Result<RawFeatures<K::Scalar>, Error> {
        let x = x.select(rows);
        let kernel = About::new(&*self.kernel, self.origin.as_ref());
        let mut block = kernel.cross(&x, &self.samples);
        let all: Vec<usize> = (0..self.samples.len()).collect();
        check_finite(block.view(), rows, &all)?;
        let mut lengths = if rest {
            Some(finite_diagonal(&kernel, &x, rows)?)
        } else {
            None
        };
        if let Some(Means { of_rows, of_all }) = &self.means {
            let mean = block.mean_axis(Axis(1)).expect("there are samples");
            if let Some(lengths) = &mut lengths {
                *lengths -= &(&mean * K::Scalar::cast(2) - *of_all);
            }
            // Wᵀ1 = 0 takes the mean out as well, but only to the rounding of the weights, which is that of the
            // largest eigenvalue.
            block -= of_rows;
            block -= &(mean - *of_all).insert_axis(Axis(1));
        }
        let values = linalg::product(block.view(), self.weights.view());
        let rest = lengths.map(|lengths| lengths - squared_lengths(values.view()));
        Ok(RawFeatures { values, rest })
    }

    pub(super) fn expand(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        let mut alpha = linalg::product(self.weights.view(), directions);
        let Some(Means { of_rows, .. }) = &self.means else {
            let none = Array1::zeros(alpha.ncols());
            return (alpha, none);
        };
        center_columns(&mut alpha);
        let constants = -of_rows.dot(&alpha);
        (alpha, constants)
    }
}

/// Computes W = F(FᵀF)⁻¹, where the rows of F at the pivots are L, and the rows at the `others` are R.
///
/// FᵀF has the square of F's condition number. But F = TL, with T the identity at the pivots and
/// B = RL⁻¹ at the others. B writes the features of the other samples by those of the landmarks; its entries are of
/// moderate size, because L comes from pivots. So W = T(TᵀT)⁻¹L⁻ᵀ, in which TᵀT = I + BᵀB is well
/// conditioned. Its inverse takes an equation of the size of L, or of R if that has fewer rows:
/// (I + BᵀB)⁻¹ = I − Bᵀ(I + BBᵀ)⁻¹B.
///
/// # Errors
/// [`Error::Eigensolver`] where BᵀB leaves the range.
fn least_squares<F: Scalar>(factor: &Factor<F>, others: &[usize]) -> Result<Array2<F>, Error> {
    let landmarks = factor.lower.size();
    // This holds B, which W overwrites, so that there is no second matrix of this size.
    let mut weights = Array2::zeros(factor.features.dim());
    let mut scatter = Array2::zeros((landmarks, landmarks));
    for rows in others.chunks(PANEL) {
        let features = factor.features.select(Axis(0), rows);
        let b = factor.lower.solve_transposed(features.t());
        for (&row, b) in rows.iter().zip(b.columns()) {
            weights.row_mut(row).assign(&b);
        }
        if landmarks <= others.len() {
            scatter += &linalg::product(b.view(), b.t());
        }
    }
    let identity = Array2::eye(landmarks);
    let inverse = factor.lower.solve_transposed(identity.view());
    let of_landmarks = if landmarks <= others.len() {
        solve_with_identity(&scatter, inverse.view())?
    } else {
        let b = weights.select(Axis(0), others);
        let known = linalg::product(b.view(), inverse.view());
        let solved = solve_with_identity(&linalg::symmetric_rank_k(b.t()), known.view())?;
        inverse - linalg::product(b.t(), solved.view())
    };
    for mut rows in weights.axis_chunks_iter_mut(Axis(0), PANEL) {
        let product = linalg::product(rows.view(), of_landmarks.view());
        rows.assign(&product);
    }
    for (&pivot, row) in factor.pivots.iter().zip(of_landmarks.outer_iter()) {
        weights.row_mut(pivot).assign(&row);
    }
    Ok(weights)
}

/// Computes (I + S)⁻¹R for a scatter matrix S.
fn solve_with_identity<F: Scalar>(
    scatter: &Array2<F>,
    right: ArrayView2<'_, F>,
) -> Result<Array2<F>, Error> {
    let mut sum = scatter.clone();
    sum.diag_mut().mapv_inplace(|v| v + F::one());
    if let Ok(root) = linalg::cholesky(&sum) {
        let half = linalg::solve_lower(root.view(), right);
        return Ok(linalg::solve_lower_transposed(root.view(), half.view()));
    }
    // S is so large that its rounding outweighs I; none of its eigenvalues is below 0.
    let (values, vectors) = linalg::eigh(scatter)?;
    let inverse = values.mapv_into(|value| (value.max(F::zero()) + F::one()).recip());
    let along = linalg::product(vectors.t(), right);
    Ok(linalg::product((vectors * inverse).view(), along.view()))
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Clone, K, F: Clone> Clone for AllSamples<S, K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            origin: self.origin.clone(),
            samples: self.samples.clone(),
            weights: self.weights.clone(),
            means: self.means.clone(),
        }
    }
}

/// Shows the size; neither kernel nor samples need be `Debug`.
impl<S, K, F> fmt::Debug for AllSamples<S, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllSamples")
            .field("samples", &self.weights.nrows())
            .field("features", &self.weights.ncols())
            .finish_non_exhaustive()
    }
}

crate::checked! {
    #[serde(bound(
        deserialize = "S: serde::Deserialize<'de>, K: serde::Deserialize<'de>, F: serde::Deserialize<'de>"
    ))]
    AllSamples<S, K, F> {
        kernel: Arc<K>,
        origin: Option<S>,
        samples: S,
        weights: Array2<F>,
        means: Option<Means<F>>,
    }
    where S: Samples, K: Kernel<S, Scalar = F>, F: Scalar
}

#[cfg(feature = "serde")]
impl<S: Samples, K: Kernel<S, Scalar = F>, F: Scalar> AllSamples<S, K, F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::{
            kernel::check_origin,
            serial::{agree, finite},
        };
        let samples = self.samples.len();
        agree("rows of weights", self.weights.nrows(), "samples", samples)?;
        finite("the weights", &self.weights)?;
        if let Some(Means { of_rows, of_all }) = &self.means {
            agree("means", of_rows.len(), "samples", samples)?;
            finite("the means", of_rows.iter().chain([of_all]))?;
        }
        check_origin(&*self.kernel, self.origin.as_ref(), &self.samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::without_pattern;

    fn apart(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
        (a - b).fold(0.0, |most, d| most.max(d.abs()))
    }

    /// The solution with the identity on the right is the inverse of I + S, where nothing is large.
    #[test]
    fn a_scatter_of_moderate_size() {
        let b: Array2<f64> = without_pattern(5, 3);
        let identity = Array2::eye(3);
        let scatter = linalg::symmetric_rank_k(b.view());
        let found = solve_with_identity(&scatter, identity.view()).unwrap();
        assert!(apart(&found.dot(&(&scatter + &identity)), &identity) < 1e-14);
    }

    /// If I is less than the rounding of S, a vector along S becomes 0, and a vector across S stays as it was.
    #[test]
    fn a_scatter_beside_which_one_is_nothing() {
        let v = Array2::from_shape_vec((3, 1), vec![0.6, 0.0, 0.8]).unwrap();
        let scatter = v.dot(&v.t()) * 1e40;
        let across = Array2::from_shape_vec((3, 1), vec![0.0, 1.0, 0.0]).unwrap();
        let along = solve_with_identity(&scatter, v.view()).unwrap();
        assert!(apart(&along, &Array2::zeros((3, 1))) < 1e-15);
        let found = solve_with_identity(&scatter, across.view()).unwrap();
        assert!(apart(&found, &across) < 1e-15, "{found}");
    }

    /// If I is less than the rounding of S, a vector along S becomes 0, and another becomes no longer, also where S has no
    /// Cholesky factor for that reason.
    #[test]
    fn scatters_without_a_factor() {
        let mut without_factor = 0;
        for angle in 1..50 {
            let (sin, cos) = (f64::from(angle) * 0.03).sin_cos();
            let column =
                |values: [f64; 3]| Array2::from_shape_vec((3, 1), values.to_vec()).unwrap();
            let v = column([cos, 0.0, sin]);
            let scatter = v.dot(&v.t()) * 1e40;
            let has_factor = linalg::cholesky(&(&scatter + &Array2::<f64>::eye(3))).is_ok();
            without_factor += usize::from(!has_factor);
            let along = solve_with_identity(&scatter, v.view()).unwrap();
            assert!(apart(&along, &Array2::zeros((3, 1))) < 1e-15, "{along}");
            let across = column([0.0, 1.0, 0.0]);
            let found = solve_with_identity(&scatter, across.view()).unwrap();
            // An eigenvalue of S that is 0 is known only to the rounding of S, beside which 1 is nothing.
            assert!((0.0..=1.0 + 1e-15).contains(&found[[1, 0]]), "{found}");
            let exact = if has_factor {
                &across
            } else {
                &(&across * found[[1, 0]])
            };
            assert!(apart(&found, exact) < 1e-15, "{found}");
            let left = solve_with_identity(&scatter, column([-sin, 0.0, cos]).view()).unwrap();
            assert!(left.iter().all(|v| v.abs() <= 1.0 + 1e-15), "{left}");
        }
        assert!(without_factor > 0);
    }
}
