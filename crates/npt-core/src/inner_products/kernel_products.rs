//! Inner products of samples in the feature space of a kernel.

use super::{
    DualForm, InnerProducts, apply_by_blocks,
    tiles::{self, TILE},
};
use crate::{
    Error, Expansion, ExpansionModel, Kernel, KernelizedError, Samples,
    kernel::About,
    linalg::{self, Backend as _, Means, PANEL},
    memory_limit, parallel, require_memory,
    space::{center_columns, column_means, factor, finite_gram, require_digits},
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use num_traits::{Float as _, One as _, Zero as _};
use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of samples up to which no low rank is looked for: a fit takes some milliseconds either way (`docs/growth.md`).
const FEW_SAMPLES: usize = 1024;

/// The number of samples whose distances from all samples are looked at, before it is believed that samples differ.
const REFERENCES: usize = 8;

/// A rank is low if it is at most one part in `LOW_RANK` of the number of samples. At that rank kernel PCA takes as long by
/// kernel values as by coordinates, and ridge regression twice as long (`docs/growth.md`).
const LOW_RANK: usize = 20;

/// A matrix is kept if it takes at most one part in `SHARE_KEPT` of [`memory_limit`], as a method needs memory of its own.
/// The matrix is that of all inner products, which centring needs, or that of coordinates of low rank.
const SHARE_KEPT: u64 = 8;

/// The memory, in bytes, that is assumed where the system does not tell how much it has.
const UNKNOWN_MEMORY: u64 = 1 << 30;

/// Returns how many numbers may be kept.
fn numbers_kept<F>() -> usize {
    let bytes = memory_limit().unwrap_or(UNKNOWN_MEMORY) / SHARE_KEPT;
    usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<F>()
}

/// The place of the origin of the feature space.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The kernel's own origin.
    Own,
    /// Any origin: a shift changes nothing.
    Any,
    /// The mean of the samples.
    Mean,
}

/// Inner products of samples in the feature space of a kernel: κ(xᵢ, xⱼ), or κ centred at the
/// samples.
///
/// For more than 1024 samples, coordinates are found as well, if the kernel matrix has a rank of a twentieth of the number
/// of samples or less, and if an eighth of the memory limit holds them. With coordinates a method does in n·r steps what
/// takes n² otherwise. They serve only to find the α: predictions are sums of kernel values all the same.
///
/// A linear or polynomial kernel has the rank of its features. Its coordinates are exact to rounding: they are
/// [`coordinates`](InnerProducts::coordinates). The eigenvalues of a smooth kernel decay through rounding level. The
/// eigenvalues that are cut there add up to more than rounding does, n times in place of √n times, and a small penalty sees
/// that. The coordinates of such a kernel are [`approximate_coordinates`](InnerProducts::approximate_coordinates), for a
/// method that can mend what they leave out.
#[derive(Debug, Clone)]
pub struct KernelProducts<'a, S, K, F> {
    kernel: Arc<K>,
    samples: &'a S,
    /// The origin that kernel values are taken about, where a shift changes nothing: one sample.
    origin: Option<S>,
    means: Option<Means<F>>,
    coordinates: Option<Array2<F>>,
    /// True if the coordinates leave out no more than rounding.
    are_exact: bool,
    /// True if the origin is a point of its own, not the mean of the samples.
    origin_counts: bool,
    /// All inner products, computed for the means, and kept until `gram` gives them away.
    gram: Arc<Mutex<Option<Array2<F>>>>,
}

/// Returns whether a few of the samples have a higher rank than `rank` already, which is cheap to see.
fn exceeds<S: Samples, K: Kernel<S>>(kernel: &K, samples: &S, rank: usize) -> Result<bool, Error> {
    let some: Vec<usize> = (0..samples.len())
        .step_by(samples.len() / (2 * rank))
        .collect();
    let stop = factor::Stop {
        level: factor::RoundingLevel::Highest,
        tolerance: 0.0,
        most: rank,
    };
    let factor = factor::factor(kernel, &samples.select(&some), &stop)?;
    Ok(factor.is_some_and(|factor| !factor.is_complete))
}

/// The number of samples on which it is measured what coordinates leave out.
const LOOKED_AT: usize = 512;

/// The norm that a matrix of rounding errors may have, in units of ε times the largest κ(x, x) times the root of the number
/// of samples.
const NOISE: f64 = 32.0;

/// Returns whether the kernel matrix less FFᵀ is as small as a matrix of independent rounding errors, judged on some of the
/// samples. The part that is cut from a decaying spectrum has one sign, and is larger.
fn leave_rounding<S: Samples, K: Kernel<S>>(
    kernel: &K,
    samples: &S,
    features: ArrayView2<'_, K::Scalar>,
) -> Result<bool, Error> {
    const ITERATIONS: usize = 6;
    let n = samples.len();
    let some: Vec<usize> = (0..n).step_by(n.div_ceil(LOOKED_AT)).collect();
    let mut rest = finite_gram(kernel, &samples.select(&some))?;
    let largest = linalg::largest_magnitude(rest.view());
    let features = features.select(Axis(0), &some);
    let minus = -K::Scalar::one();
    K::Scalar::multiply(rest.view_mut(), true, minus, features.view(), features.t());
    let mut vector = linalg::without_pattern(some.len(), 1);
    let mut norm = K::Scalar::zero();
    for _ in 0..ITERATIONS {
        norm = factor::normalize(&mut vector);
        vector = linalg::product(rest.view(), vector.view());
    }
    let noise = K::Scalar::cast(NOISE * (some.len() as f64).sqrt()) * K::Scalar::epsilon();
    // Negated, so that NaN counts as small: if nothing is left, the norm is 0/0.
    Ok(!(norm > noise * largest))
}

impl<'a, S: Samples, K: Kernel<S>> KernelProducts<'a, S, K, K::Scalar> {
    /// The inner products of samples that are known to be valid for the kernel; `None` if the kernel is not positive
    /// semidefinite on them. A kernel that declares itself positive semidefinite is believed.
    pub(crate) fn new(
        kernel: Arc<K>,
        samples: &'a S,
        origin: Origin,
    ) -> Result<Option<Self>, Error> {
        let n = samples.len();
        if n == 0 {
            return Err(Error::NoSamples);
        }
        let known = kernel.is_positive_semidefinite();
        let about = match origin {
            Origin::Own => None,
            Origin::Any | Origin::Mean => kernel.origin(samples),
        };
        let values = About::new(&*kernel, about.as_ref());
        let mut low = 0;
        if n > FEW_SAMPLES {
            low = (n / LOW_RANK).min(numbers_kept::<K::Scalar>() / n);
        }
        let mut coordinates = None;
        let may_be_low = low > 0 && !exceeds(&values, samples, low)?;
        if !known || may_be_low {
            let most = if known { low } else { n };
            let stop = factor::Stop {
                level: factor::RoundingLevel::Highest,
                tolerance: 0.0,
                most,
            };
            let Some(factor) = factor::factor(&values, samples, &stop)? else {
                return Ok(None);
            };
            if factor.is_complete && factor.pivots.len() <= low && may_be_low {
                coordinates = Some(factor.features);
            }
        }
        let are_exact = match &coordinates {
            Some(features) => leave_rounding(&values, samples, features.view())?,
            None => false,
        };
        let mut products = Self {
            kernel,
            samples,
            origin: about,
            means: None,
            coordinates,
            are_exact,
            origin_counts: false,
            gram: Arc::default(),
        };
        if origin == Origin::Mean {
            products.means = Some(products.find_means()?);
            if let Some(coordinates) = &mut products.coordinates {
                center_columns(coordinates);
            }
        }
        Ok(Some(products))
    }

    /// The kernel κ, about the origin if there is one.
    fn values(&self) -> About<'_, S, K> {
        About::new(&*self.kernel, self.origin.as_ref())
    }

    /// Makes these the products of a space that is not centred: the origin is a point of its own, not the mean of the
    /// samples.
    pub(crate) fn of_uncentered_space(mut self) -> Self {
        self.origin_counts = true;
        self
    }

    /// Refuses a selection of the samples if all of them are one point. Where the origin is a point of its own, a selection
    /// is refused only if all of its samples are at the origin.
    ///
    /// # Errors
    /// [`Error::NoVariance`], [`Error::KernelNotFinite`], [`Error::TraceOverflow`].
    pub fn require_variance(&self, rows: &[usize]) -> Result<(), Error> {
        let selected = self.samples.select(rows);
        let mut squares = self.values().diag(&selected);
        factor::check_diagonal(&squares)?;
        if !self.origin_counts {
            let first = self
                .values()
                .cross(&self.samples.select(&rows[..1]), &selected);
            factor::check_finite(first.view(), &rows[..1], rows)?;
            let of_first = squares[0];
            let known = K::Scalar::cast(16) * K::Scalar::epsilon();
            Zip::from(&mut squares).and(first.row(0)).for_each(|d, &k| {
                let size = *d + of_first;
                *d = size - k - k - known * size;
            });
        }
        if squares.iter().any(|&d| d > K::Scalar::zero()) {
            return Ok(());
        }
        let samples = rows.len();
        Err(Error::NoVariance { samples })
    }

    /// Refuses samples if centring leaves too much rounding in their kernel values. Where the origin is a point of its own,
    /// nothing is refused.
    ///
    /// The variance that centring leaves is at most the mean squared distance of the samples from any one of them, and about
    /// half of it for most samples.
    ///
    /// # Errors
    /// [`Error::Cancellation`]
    pub(crate) fn require_digits(&self) -> Result<(), Error> {
        if self.origin_counts {
            return Ok(());
        }
        let n = self.samples.len();
        let squares = self.values().diag(self.samples);
        let size = column_means(squares.view().insert_axis(Axis(1)))[0];
        let some: Vec<usize> = (0..n).step_by(n.div_ceil(REFERENCES)).collect();
        let values = self
            .values()
            .cross(&self.samples.select(&some), self.samples);
        let of_values = column_means(values.t());
        let distances = some.iter().zip(&of_values).map(|(&of, &mean)| {
            let two = K::Scalar::cast(2);
            (size + squares[of] - two * mean).max(K::Scalar::zero())
        });
        let least = distances.fold(K::Scalar::infinity(), num_traits::Float::min);
        require_digits(size, least)
    }

    fn find_means(&self) -> Result<Means<K::Scalar>, Error> {
        let n = self.samples.len();
        let fits = || require_memory::<K::Scalar>("the kernel matrix", n, n).is_ok();
        let may_be_kept = || n <= FEW_SAMPLES || n.saturating_mul(n) <= numbers_kept::<K::Scalar>();
        if self.coordinates.is_none() && may_be_kept() && fits() {
            let mut gram = finite_gram(&self.values(), self.samples)?;
            let means = linalg::center(&mut gram);
            *self.gram.lock().unwrap_or_else(PoisonError::into_inner) = Some(gram);
            return Ok(means);
        }
        let all: Vec<usize> = (0..n).collect();
        let mut of_rows = Array1::zeros(n);
        for (rows, mut means) in all
            .chunks(PANEL)
            .zip(of_rows.axis_chunks_iter_mut(Axis(0), PANEL))
        {
            let block = self.block(rows, &all)?;
            means.assign(&block.mean_axis(Axis(1)).expect("there are samples"));
        }
        let of_all = column_means(of_rows.view().insert_axis(Axis(1)))[0];
        Ok(Means { of_rows, of_all })
    }

    /// The kernel κ.
    pub fn kernel(&self) -> &Arc<K> {
        &self.kernel
    }

    /// The origin that kernel values are taken about, if there is one.
    pub(crate) fn origin(&self) -> Option<&S> {
        self.origin.as_ref()
    }

    /// Returns whether κ is centred at the samples.
    pub fn is_centered(&self) -> bool {
        self.means.is_some()
    }

    /// The expansion of the functions Σᵢ αᵢₖ⟨φ(xᵢ), φ(x)⟩ + bₖ in values of κ itself. If κ is centred, the coefficients and
    /// offsets change, as k(xᵢ, x) = κ(xᵢ, x) − κ̄(xᵢ) − κ̄(x) + κ̄.
    ///
    /// # Errors
    /// As [`Expansion::new`].
    pub fn expansion(
        &self,
        mut coefficients: Array2<K::Scalar>,
        mut offsets: Array1<K::Scalar>,
    ) -> Result<Expansion<S, K, K::Scalar>, Error> {
        if let Some(Means { of_rows, .. }) = &self.means {
            center_columns(&mut coefficients);
            offsets -= &of_rows.dot(&coefficients);
        }
        Expansion::about(
            Arc::clone(&self.kernel),
            self.origin.as_ref(),
            self.samples,
            coefficients.view(),
            offsets,
        )
    }
}

impl<S: Samples, K: Kernel<S>> KernelProducts<'_, S, K, K::Scalar> {
    /// Fits a method in its dual form, with sample weights if there are any. Returns `None` where the dual form is singular
    /// to rounding.
    ///
    /// # Errors
    /// Those of the method, of the kernel, and of [`expansion`](Self::expansion).
    pub fn fit<T, E, Q>(
        &self,
        form: &dyn DualForm<K::Scalar, T, E, Expanded = Q>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<ExpansionModel<Q, S, K, K::Scalar>>, KernelizedError<E>>
    where
        E: std::error::Error,
    {
        let Some(dual) = form
            .fit_dual(self, targets, weights)
            .map_err(KernelizedError::Method)?
        else {
            return Ok(None);
        };
        let expansion = self.expansion(dual.coefficients, dual.offsets)?;
        Ok(Some(ExpansionModel::new(dual.method, expansion)))
    }
}

impl<S: Samples, K: Kernel<S>> InnerProducts<K::Scalar> for KernelProducts<'_, S, K, K::Scalar> {
    fn samples(&self) -> usize {
        self.samples.len()
    }

    fn diag(&self) -> Array1<K::Scalar> {
        let mut diagonal = self.values().diag(self.samples);
        if let Some(Means { of_rows, of_all }) = &self.means {
            let two = K::Scalar::cast(2);
            Zip::from(&mut diagonal).and(of_rows).for_each(|d, &mean| {
                let centered = *d - two * mean + *of_all;
                *d = if centered > K::Scalar::zero() {
                    centered
                } else {
                    K::Scalar::zero()
                };
            });
        }
        diagonal
    }

    fn block(&self, rows: &[usize], columns: &[usize]) -> Result<Array2<K::Scalar>, Error> {
        let mut block = if rows == columns {
            self.values().gram(&self.samples.select(rows))
        } else {
            let (a, b) = (self.samples.select(rows), self.samples.select(columns));
            self.values().cross(&a, &b)
        };
        factor::check_finite(block.view(), rows, columns)?;
        if let Some(Means { of_rows, of_all }) = &self.means {
            block -= &(of_rows.select(Axis(0), rows) - *of_all).insert_axis(Axis(1));
            block -= &of_rows.select(Axis(0), columns);
        }
        Ok(block)
    }

    fn gram(&self) -> Result<Array2<K::Scalar>, Error> {
        let kept = self
            .gram
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(gram) = kept {
            return Ok(gram);
        }
        let mut gram = finite_gram(&self.values(), self.samples)?;
        if self.means.is_some() {
            linalg::center(&mut gram);
        }
        Ok(gram)
    }

    /// The product with a matrix a. If κ is centred, it is (I − E)𝒦(I − E) times a: the means are taken out of the columns
    /// of a, and out of the columns of the product.
    fn apply(&self, a: ArrayView2<'_, K::Scalar>) -> Result<Array2<K::Scalar>, Error> {
        if self.are_exact {
            return apply_by_blocks(self, a);
        }
        assert_eq!(a.nrows(), self.samples(), "one row a sample");
        let mut centered = a.to_owned();
        if self.is_centered() {
            center_columns(&mut centered);
        }
        let all: Vec<usize> = (0..self.samples()).collect();
        let panels = all.chunks(TILE).map(|rows| self.samples.select(rows));
        let panels: Vec<S> = panels.collect();
        let tile = |rows: Range<usize>, columns: Range<usize>| {
            let of = |range: &Range<usize>| &panels[range.start / TILE];
            Ok(if rows == columns {
                self.values().gram(of(&rows))
            } else {
                self.values().cross(of(&rows), of(&columns))
            })
        };
        let mut product = tiles::multiply(&tile, centered.view())?;
        if self.is_centered() {
            center_columns(&mut product);
        }
        // If a kernel value is not finite, neither is the product. The product by blocks then tells which value it is.
        if parallel::all_finite(product.view()) {
            Ok(product)
        } else {
            apply_by_blocks(self, a)
        }
    }

    fn coordinates(&self) -> Option<ArrayView2<'_, K::Scalar>> {
        self.approximate_coordinates().filter(|_| self.are_exact)
    }

    fn approximate_coordinates(&self) -> Option<ArrayView2<'_, K::Scalar>> {
        self.coordinates.as_ref().map(Array2::view)
    }
}
