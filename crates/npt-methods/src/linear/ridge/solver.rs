//! The eigendecomposition that serves all penalties.

use super::{Array1, Array2, ArrayView2, Axis, Error, Scalar, linalg, require_finite, rounding};
use ndarray::{Zip, s};
use npt_core::watch::Carrier;

/// The eigendecomposition of XXᵀ, on the complement of the constant vector 1 if X is centred. It gives
/// the action of (XXᵀ + λI)⁻¹ for any λ.
///
/// With P the projection on that complement (or all of the space), H = X(XᵀX + λI)⁻¹Xᵀ there, and
/// M = P − H = λP(XXᵀ + λI)⁻¹P:
///
/// * tall X: XᵀX = VSVᵀ, Z = XV, so that M = P − Z(S + λ)⁻¹Zᵀ and w = V(S + λ)⁻¹Zᵀy;
/// * otherwise: XXᵀ = USUᵀ with U all of the complement, so that M = λU(S + λ)⁻¹Uᵀ, in which
///   nothing cancels however small λ is, and w = XᵀU(S + λ)⁻¹Uᵀy.
///
/// In both cases w = R(S + λ)⁻¹Lᵀy.
pub(crate) struct RidgeSolver<F> {
    /// S, at least 0.
    values: Array1<F>,
    /// L: Z or U.
    left: Array2<F>,
    /// R: V or XᵀU.
    right: Array2<F>,
    tall: bool,
    /// True if XXᵀ is taken on the complement of 1.
    centered: bool,
    /// The method, and its name for λ (`parameter`), for errors.
    of: &'static str,
    parameter: &'static str,
}

/// Targets, one per column, and Lᵀy, which all penalties take of them.
pub(crate) struct Projected<'a, F> {
    y: ArrayView2<'a, F>,
    along: Array2<F>,
}

impl<'a, F> Projected<'a, F> {
    /// The targets.
    pub(crate) fn y(&self) -> ArrayView2<'a, F> {
        self.y
    }
}

impl<F: Scalar> RidgeSolver<F> {
    /// Makes the solver of rows that are `centered`, or not, for a method that calls λ its `parameter`.
    pub(crate) fn new(
        x: ArrayView2<'_, F>,
        centered: bool,
        of: &'static str,
        parameter: &'static str,
    ) -> Result<Self, Error> {
        let (samples, features) = x.dim();
        let tall = features + usize::from(centered) < samples;
        let matrix = linalg::symmetric_rank_k(if tall { x } else { x.reversed_axes() });
        let mut solver = Self::decompose(matrix, tall, centered, of, parameter)?;
        if tall {
            solver.left = linalg::product(x, solver.right.view());
        } else {
            solver.right = linalg::product(x.t(), solver.left.view());
        }
        Ok(solver)
    }

    /// Makes the solver of inner products, of rows that are `centered` or not. In place of w it gives the
    /// dual coefficients α = U(S + λ)⁻¹Uᵀy with w = Xᵀα.
    pub(crate) fn of_gram(
        gram: Array2<F>,
        centered: bool,
        of: &'static str,
        parameter: &'static str,
    ) -> Result<Self, Error> {
        Self::decompose(gram, false, centered, of, parameter)
    }

    /// Decomposes a matrix; L and R are both its eigenvectors.
    fn decompose(
        mut matrix: Array2<F>,
        tall: bool,
        centered: bool,
        of: &'static str,
        parameter: &'static str,
    ) -> Result<Self, Error> {
        let samples = matrix.nrows();
        let trace: F = matrix.diag().sum();
        let first = usize::from(centered && !tall);
        if first > 0 {
            // 1 is an eigenvector of XXᵀ with eigenvalue 0. Lifted above all others it is an eigenvector by
            // itself, and can be left out.
            let lift = if trace > F::zero() {
                trace / F::cast(samples) * F::cast(2)
            } else {
                F::one()
            };
            matrix.mapv_inplace(|v| v + lift);
        }
        require_finite(of, matrix.iter())?;
        let (values, vectors) = linalg::eigh(&matrix)?;
        let values = values.slice(s![first..]).mapv(|v| v.max(F::zero()));
        let vectors = linalg::row_major(vectors.slice_move(s![.., first..]));
        Ok(Self {
            values,
            left: vectors.clone(),
            right: vectors,
            tall,
            centered,
            of,
            parameter,
        })
    }

    /// Returns the level below which λ is rounding of XXᵀ.
    fn least(&self) -> F {
        let largest = self.values.first().copied().unwrap_or_else(F::zero);
        rounding::<F>(self.left.nrows()) * largest
    }

    /// Refuses λ that leaves XᵀX + λI singular to rounding.
    pub(crate) fn check_scatter(&self, value: f64) -> Result<(), Error> {
        self.check(value, self.right.nrows())
    }

    /// Returns whether λ alone makes XXᵀ + λI regular to rounding.
    pub(crate) fn is_regular(&self, value: f64) -> bool {
        F::cast(value) > self.least()
    }

    /// Refuses λ that leaves XXᵀ + λI singular to rounding, on the complement.
    pub(crate) fn check_gram(&self, value: f64) -> Result<(), Error> {
        self.check(value, self.left.nrows() - usize::from(self.centered))
    }

    /// Checks λ for a matrix of this size: the eigenvalues that are not among S are 0.
    fn check(&self, value: f64, size: usize) -> Result<(), Error> {
        let smallest = if size > self.values.len() {
            F::zero()
        } else {
            self.values.iter().fold(F::infinity(), |m, &v| m.min(v))
        };
        let lambda = F::cast(value);
        require_finite(self.of, [lambda].iter())?;
        if smallest + lambda > self.least() {
            return Ok(());
        }
        Err(Error::Singular {
            of: self.of,
            parameter: self.parameter,
            value,
            least: self.least().as_f64(),
        })
    }

    fn inverse(&self, penalty: F) -> Array1<F> {
        self.values.mapv(|v| F::one() / (v + penalty))
    }

    /// Projects targets, one per column.
    pub(crate) fn project<'a>(&self, y: ArrayView2<'a, F>) -> Projected<'a, F> {
        let along = linalg::product(self.left.t(), y);
        Projected { y, along }
    }

    /// Returns (S + λ)⁻¹Lᵀy, one column per target.
    fn solved(&self, targets: &Projected<'_, F>, penalty: F) -> Array2<F> {
        &targets.along * &self.inverse(penalty).insert_axis(Axis(1))
    }

    /// Returns w, one column per target.
    pub(crate) fn weights(&self, targets: &Projected<'_, F>, penalty: F) -> Array2<F> {
        linalg::product(self.right.view(), self.solved(targets, penalty).view())
    }

    /// Returns My and the diagonal of M, both up to one common factor: divided by λ unless X is tall.
    pub(crate) fn residuals(
        &self,
        targets: &Projected<'_, F>,
        penalty: F,
    ) -> (Array2<F>, Array1<F>) {
        let fitted = linalg::product(self.left.view(), self.solved(targets, penalty).view());
        let inverse = self.inverse(penalty);
        let mut diagonal = Array1::zeros(self.left.nrows());
        let _no_tokens = Carrier::new();
        Zip::from(&mut diagonal)
            .and(self.left.rows())
            .par_for_each(|sum, row| {
                let terms = row.iter().zip(&inverse);
                *sum = terms.map(|(&l, &i)| l * l * i).sum();
            });
        if !self.tall {
            return (fitted, diagonal);
        }
        let mut whole = F::one();
        if self.centered {
            whole -= F::one() / F::cast(self.left.nrows());
        }
        (&targets.y - &fitted, diagonal.mapv_into(|h: F| whole - h))
    }

    /// Returns the factor that makes [`residuals`](Self::residuals) those of (XXᵀ + λI)⁻¹.
    pub(crate) fn inverse_scale(&self, penalty: F) -> F {
        if self.tall { penalty.recip() } else { F::one() }
    }

    /// Returns the residuals of predictions without the sample itself, one column per target: eᵢ/(1 − hᵢᵢ).
    pub(crate) fn leave_one_out(
        &self,
        targets: &Projected<'_, F>,
        value: f64,
    ) -> Result<Array2<F>, Error> {
        let (mut residuals, diagonal) = self.residuals(targets, F::cast(value));
        let floor = if self.tall {
            rounding(self.left.nrows())
        } else {
            F::zero()
        };
        for (row, &d) in diagonal.iter().enumerate() {
            if !(d > floor) {
                return Err(Error::LeaveOneOut {
                    row,
                    parameter: self.parameter,
                    value,
                });
            }
        }
        residuals /= &diagonal.insert_axis(Axis(1));
        Ok(residuals)
    }

    /// Returns tr H, with 1 for the intercept.
    pub(crate) fn degrees_of_freedom(&self, penalty: F) -> F {
        self.values.dot(&self.inverse(penalty)) + F::cast(usize::from(self.centered))
    }

    /// Returns log det(XXᵀ + λI) of rows that are not centred.
    pub(crate) fn log_determinant(&self, penalty: F) -> F {
        let of_values: F = self.values.iter().map(|&v| (v + penalty).ln()).sum();
        let rest = self.left.nrows() - self.values.len();
        if rest == 0 {
            of_values
        } else {
            of_values + F::cast(rest) * penalty.ln()
        }
    }
}
