//! Ridge regression by a Cholesky factor in single precision. What it leaves is measured, and taken away, in full precision.

use super::RidgeValidParams;
use crate::{
    Error,
    linear::{
        precision::{Rounded, rounded},
        regular_cholesky,
    },
    magnitude::largest,
    weights::{WeighedProducts, Weights},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate, s};
use npt_core::{InnerProducts, Scalar, linalg};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// The solution x of (K + λI)x = y, of samples times the roots of their weights, and the means of Kx that an intercept takes away.
pub(super) struct Solved<F> {
    pub(super) penalty: f64,
    pub(super) x: Array2<F>,
    pub(super) means: Array1<F>,
}

/// The share of α that may be wrong.
const KNOWN: f64 = 1e-7;

/// The share of [`KNOWN`] that is left to what the rate of convergence is off by.
const SAFE: f64 = 0.25;

/// The largest share of a correction that the next may be. With a larger one, corrections end too late, or never.
const SHRINKS: f64 = 0.1;

impl RidgeValidParams {
    /// Solves by a factor in single precision, and by corrections in full precision, each of which takes all inner products once more.
    /// Returns `None` for several penalties, and where single precision does not suffice.
    ///
    /// # References
    /// N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002, chapter 12: iterative refinement.
    pub(super) fn by_single_factor<F: Scalar>(
        &self,
        products: &dyn InnerProducts<F>,
        y: &Array2<F>,
        weights: &Weights<F>,
    ) -> Result<Option<Solved<F>>, Error> {
        let [penalty] = self.penalty[..] else {
            return Ok(None);
        };
        let products = WeighedProducts::new(products, weights);
        let Some(factor) = Factor::new(&products, F::cast(penalty)) else {
            return Ok(None);
        };
        let constant = weights.times_roots(Array2::ones((weights.count(), 1)));
        let system = System {
            along_constant: self.intercept.then(|| factor.solve(&constant)),
            products: &products,
            constant,
            factor,
            weights,
            penalty: F::cast(penalty),
        };
        let solved = system.solve(y)?;
        Ok(solved.map(|(x, means)| Solved { penalty, x, means }))
    }
}

/// The equations (K + λI)x = y, or those of their parts that are orthogonal to the constant if there is an intercept.
struct System<'a, F> {
    products: &'a WeighedProducts<'a, F>,
    weights: &'a Weights<F>,
    penalty: F,
    factor: Factor<F>,
    /// The roots of the weights, as a column.
    constant: Array2<F>,
    /// The solution for the constant; `None` without an intercept.
    along_constant: Option<Array2<F>>,
}

impl<F: Scalar> System<'_, F> {
    /// Returns x and the means of Kx − y; `None` where corrections do not become small.
    ///
    /// A random right side is solved beside the others. Its x is longest where the factor is worst, so that its first correction tells how
    /// fast corrections become small. The first correction of another x may be small because x is elsewhere.
    fn solve(&self, y: &Array2<F>) -> Result<Option<(Array2<F>, Array1<F>)>, Error> {
        let columns = y.ncols();
        let mut y = concatenate![Axis(1), y.view(), random(y.nrows())];
        let rest = self.center(&mut y);
        let mut x = self.nearly(&y);
        let (mut before, mut rate) = (None, 0.0);
        let mut of_constant = None;
        loop {
            // The image of the constant tells the means of all images.
            let image = self
                .products
                .apply(concatenate![Axis(1), x, self.constant].view())?;
            of_constant.get_or_insert_with(|| image.column(columns + 1).to_owned());
            let mut residual = &y - &image.slice(s![.., ..=columns]);
            residual.scaled_add(-self.penalty, &x);
            self.center(&mut residual);
            let correction = self.nearly(&residual);
            let shares = self.shares(&correction, &x);
            x += &correction;
            let change = largest_or_nan(&shares[..columns]);
            let seen = before.map_or(shares[columns], |before| change / before);
            rate = largest_or_nan(&[rate, seen]);
            // A NaN is no rate.
            if !(rate <= SHRINKS) {
                return Ok(None);
            }
            // The corrections to come shrink at that rate.
            if change * rate <= SAFE * KNOWN {
                break;
            }
            before = Some(change);
        }
        let x = x.slice_move(s![.., ..columns]);
        let rest = rest.slice_move(s![..columns]);
        let means = match of_constant {
            Some(of_constant) if self.along_constant.is_some() => {
                x.t().dot(&of_constant) / self.weights.total() - rest
            }
            _ => Array1::zeros(columns),
        };
        let is_finite = x.iter().chain(&means).all(|v| v.is_finite());
        Ok(is_finite.then_some((x, means)))
    }

    /// The shares that the columns of the one are of those of the other, as coefficients α of the samples.
    fn shares(&self, one: &Array2<F>, other: &Array2<F>) -> Vec<f64> {
        let alpha = |x: &Array2<F>| self.weights.times_roots(x.clone());
        let (one, other) = (alpha(one), alpha(other));
        let columns = one.columns().into_iter().zip(other.columns());
        columns
            .map(|(one, other)| match (length(one), length(other)) {
                (0.0, _) => 0.0,
                (one, other) => one / other,
            })
            .collect()
    }

    /// Returns the solution for a right side, to the rounding of single precision.
    fn nearly(&self, right: &Array2<F>) -> Array2<F> {
        let mut x = self.factor.solve(right);
        if let Some(along) = &self.along_constant {
            // A multiple of the constant on the right side makes x orthogonal to the constant.
            let multiple = self.constant.t().dot(&x) / self.constant.t().dot(along)[[0, 0]];
            x -= &along.dot(&multiple);
            self.center(&mut x);
        }
        x
    }

    /// Takes the constant out of columns if there is an intercept; returns its multiples.
    fn center(&self, columns: &mut Array2<F>) -> Array1<F> {
        if self.along_constant.is_some() {
            self.weights.take_constant(columns)
        } else {
            Array1::zeros(columns.ncols())
        }
    }
}

/// The length of a vector, whose squares may leave the range.
fn length<F: Scalar>(vector: ArrayView1<'_, F>) -> f64 {
    let unit = vector.fold(F::zero(), |most, v| v.abs().max(most)).as_f64();
    let squares = vector.iter().map(|v| (v.as_f64() / unit).powi(2));
    if unit > 0.0 {
        unit * squares.sum::<f64>().sqrt()
    } else {
        0.0
    }
}

/// The largest number; NaN if one is NaN.
fn largest_or_nan(numbers: &[f64]) -> f64 {
    let larger = |most: f64, &number: &f64| {
        if number <= most || most.is_nan() {
            most
        } else {
            number
        }
    };
    numbers.iter().fold(0.0, larger)
}

/// A column of random numbers, the same at each call.
fn random<F: Scalar>(rows: usize) -> Array2<F> {
    let mut rng = Xoshiro256Plus::seed_from_u64(0);
    Array2::from_shape_simple_fn((rows, 1), || F::cast(rng.gen_range(-1.0..1.0)))
}

/// A Cholesky factor of K + λI in single precision.
struct Factor<F> {
    lower: Lower,
    /// The unit of K and λ in the factor.
    unit: F,
}

impl<F: Scalar> Factor<F> {
    /// Returns the factor; `None` where the matrix is singular to rounding, does not fit in memory, or is not finite.
    fn new(products: &dyn InnerProducts<F>, penalty: F) -> Option<Self> {
        let unit = linalg::power_of_two_near(largest(&products.diag()) + penalty);
        let lower = Lower::new(&Rounded::new(products, unit), rounded(penalty / unit))?;
        Some(Self { lower, unit })
    }

    /// Returns (K + λI)⁻¹r of each column r, to the rounding of single precision.
    fn solve(&self, right: &Array2<F>) -> Array2<F> {
        // In units of their own, right sides are in the range.
        let units = right.map_axis(Axis(0), |column| {
            linalg::power_of_two_near(column.fold(F::zero(), |most, v| v.abs().max(most)))
        });
        let solution = self.lower.solve(&(right / &units).mapv(rounded));
        solution.mapv(F::cast) / self.unit * units
    }
}

/// L with LLᵀ = K + λI. It is not generic, so that it is compiled once.
struct Lower(Array2<f32>);

impl Lower {
    fn new(products: &dyn InnerProducts<f32>, penalty: f32) -> Option<Self> {
        let mut lower = products.gram().ok()?;
        lower.diag_mut().mapv_inplace(|v| v + penalty);
        let diagonal = lower.diag().to_owned();
        let is_regular = regular_cholesky(&mut lower, &diagonal).ok()?;
        is_regular.then_some(Self(lower))
    }

    fn solve(&self, right: &Array2<f32>) -> Array2<f32> {
        let half = linalg::solve_lower(self.0.view(), right.view());
        linalg::solve_lower_transposed(self.0.view(), half.view())
    }
}
