//! Kernels of a distance, with features divided by length scales and without.

use super::distance::Scales;
use crate::{
    Description, Kernel, Rows, Samples, Scalar,
    kernels::{FAR, mean_of},
    linalg::fill_rows,
};
use ndarray::{Array1, Array2, ArrayView2};

/// A kernel that is a function of one number for each pair, a distance d, with the value 1 for d = 0. The distance is
/// computed from the differences aₖ − bₖ; by default it is the squared Euclidean distance.
pub(super) trait OfDistance<F: Scalar>: Kernel<Rows<F>, Scalar = F> {
    /// The distance d of one pair.
    fn distance(&self, a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        scales.squared_distance(a, b)
    }

    /// The distances d of all pairs, each to a few ε of its own size.
    fn distances(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        scales.squared_distances(a, b)
    }

    /// The kernel value at a distance.
    fn value(&self, distance: F) -> F;

    /// Replaces distances by kernel values.
    fn values(&self, distances: &mut [F]);

    /// Replaces distances by values κ − 1, each to a few ε of its own size: for near samples κ itself is 1 less very little.
    fn values_less_one(&self, distances: &mut [F]);

    /// The cross kernel matrix.
    fn block(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let mut matrix = self.distances(a, b, scales);
        fill_rows(&mut matrix, |_, row| self.values(row));
        matrix
    }

    /// The kernel matrix.
    fn symmetric_block(&self, x: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        self.block(x, x, scales)
    }

    /// The cross kernel matrix less 1.
    fn block_less_one(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let mut matrix = self.distances(a, b, scales);
        fill_rows(&mut matrix, |_, row| self.values_less_one(row));
        matrix
    }

    /// The origin, as [`Kernel::origin`] defines it: the mean of the samples, if their images are much nearer to its image
    /// than to 0.
    fn origin_near(&self, x: &Rows<F>, scales: Scales<'_, F>) -> Option<Rows<F>> {
        let mean = mean_of(x)?;
        // ‖φ(x) − φ(o)‖² = 2(1 − κ(x, o)), where ‖φ(o)‖² = 1.
        // One sample after the other: for few samples, threads would take longer to wake.
        let distance = |row| self.distance(x.get(row), mean.get(0), scales);
        let mut less_one: Vec<F> = (0..x.len()).map(distance).collect();
        self.values_less_one(&mut less_one);
        let halves: f64 = less_one.iter().map(|v| -v.as_f64()).sum();
        let variation = 2.0 * halves / x.len() as f64;
        (FAR * variation < 1.0).then_some(mean)
    }

    /// The value about an origin, as [`Kernel::eval_about`] defines it.
    fn value_about(&self, origin: &[F], a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        let pairs = [(a, b), (a, origin), (origin, b)];
        let mut less_one = pairs.map(|(a, b)| self.distance(a, b, scales));
        self.values_less_one(&mut less_one);
        let [of_both, of_a, of_b] = less_one;
        of_both - of_a - of_b
    }

    /// The cross kernel matrix about an origin, as [`Kernel::cross_about`] defines it.
    fn block_about(
        &self,
        origin: &Rows<F>,
        a: &Rows<F>,
        b: &Rows<F>,
        scales: Scales<'_, F>,
    ) -> Array2<F> {
        let mut matrix = self.block_less_one(a, b, scales);
        matrix -= &self.block_less_one(a, origin, scales);
        matrix -= &self.block_less_one(origin, b, scales);
        matrix
    }

    /// The values of samples with themselves about an origin, as [`Kernel::diag_about`] defines them.
    fn own_values_about(&self, origin: &Rows<F>, x: &Rows<F>, scales: Scales<'_, F>) -> Array1<F> {
        let less_one = self.block_less_one(x, origin, scales);
        less_one.column(0).mapv(|v| F::cast(-2) * v)
    }

    /// The derivatives by the parameters, as [`Kernel::parameter_derivatives`] defines them.
    fn derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, F>,
        scales: Scales<'_, F>,
    ) -> Vec<Option<F>>;

    /// The derivative ∂κ/∂d, if d is the squared Euclidean distance.
    fn slope(&self, distance: F) -> Option<F> {
        let _ = distance;
        None
    }

    /// The derivatives by squared distances, as [`Kernel::squared_distance_derivatives`] defines them.
    fn slopes(&self, x: &Rows<F>, scales: Scales<'_, F>) -> Option<Array2<F>> {
        self.slope(F::zero())?;
        let mut matrix = self.distances(x, x, scales);
        matrix.mapv_inplace(|distance| self.slope(distance).unwrap_or(F::zero()));
        Some(matrix)
    }
}

/// The kernel with features divided by length scales ℓ: κ(a/ℓ, b/ℓ).
struct Divided<'a, K, F> {
    kernel: &'a K,
    length_scales: &'a [F],
}

/// The kernel with features divided by length scales, one a feature.
pub(super) fn divided<'a, F: Scalar, K: OfDistance<F>>(
    kernel: &'a K,
    length_scales: &'a [F],
) -> Box<dyn Kernel<Rows<F>, Scalar = F> + 'a> {
    Box::new(Divided {
        kernel,
        length_scales,
    })
}

/// Writes the methods of [`Kernel`] for a kernel of a distance, with length scales or without.
macro_rules! of_distance {
    ($this:ident => $kernel:expr, $scales:expr) => {
        fn eval(&self, a: &[F], b: &[F]) -> F {
            let $this = self;
            $kernel.value($kernel.distance(a, b, $scales))
        }

        fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> ndarray::Array2<F> {
            let $this = self;
            $kernel.block(a, b, $scales)
        }

        fn gram(&self, x: &Rows<F>) -> ndarray::Array2<F> {
            let $this = self;
            $kernel.symmetric_block(x, $scales)
        }

        fn diag(&self, x: &Rows<F>) -> ndarray::Array1<F> {
            ndarray::Array1::ones($crate::Samples::len(x))
        }

        fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
            let $this = self;
            $kernel.origin_near(x, $scales)
        }

        fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> F {
            let $this = self;
            $kernel.value_about(origin, a, b, $scales)
        }

        fn cross_about(
            &self,
            origin: &Rows<F>,
            a: &Rows<F>,
            b: &Rows<F>,
        ) -> ndarray::Array2<F> {
            let $this = self;
            $kernel.block_about(origin, a, b, $scales)
        }

        fn diag_about(&self, origin: &Rows<F>, x: &Rows<F>) -> ndarray::Array1<F> {
            let $this = self;
            $kernel.own_values_about(origin, x, $scales)
        }

        fn is_positive_semidefinite(&self) -> bool {
            true
        }

        fn parameter_derivatives(
            &self,
            x: &Rows<F>,
            weights: ndarray::ArrayView2<'_, F>,
        ) -> Vec<Option<F>> {
            let $this = self;
            $kernel.derivatives(x, weights, $scales)
        }

        fn squared_distance_derivatives(&self, x: &Rows<F>) -> Option<ndarray::Array2<F>> {
            let $this = self;
            $kernel.slopes(x, $scales)
        }
    };
    () => {
        $crate::kernels::stationary::of_distance::of_distance!(
            this => this, $crate::kernels::stationary::distance::Scales::NONE
        );

        fn with_length_scales<'a>(
            &'a self,
            length_scales: &'a [F],
        ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = F> + 'a>>
        where
            Rows<F>: 'a,
        {
            Some($crate::kernels::stationary::of_distance::divided(
                self,
                length_scales,
            ))
        }

        fn ignores_common_zeros(&self) -> bool {
            true
        }
    };
}

pub(super) use of_distance;

impl<F: Scalar, K: OfDistance<F>> Kernel<Rows<F>> for Divided<'_, K, F> {
    type Scalar = F;

    of_distance!(this => this.kernel, Scales::new(this.length_scales));

    fn describe(&self) -> Description {
        self.kernel.describe()
    }
}
