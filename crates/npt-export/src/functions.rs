//! The functions of a model in f64, for every scalar of the model.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView1};
use npt_core::{Expansion, Kernel, Samples, Scalar, require_memory};

/// Functions Σ αᵢκ(xᵢ, ·) + b: coefficients α, shape (samples, functions), and offsets b.
pub(crate) struct Functions {
    pub(crate) coefficients: Array2<f64>,
    pub(crate) offsets: Array1<f64>,
}

impl Functions {
    pub(crate) fn of<S, K>(expansion: &Expansion<S, K, K::Scalar>) -> Result<Self, Error>
    where
        S: Samples,
        K: Kernel<S>,
    {
        let offsets = expansion.offsets().mapv(Scalar::as_f64);
        let coefficients = if expansion.is_of_kernel_values() {
            let samples = offsets.len();
            require_memory::<f64>("the kernel values themselves", samples, samples)?;
            Array2::eye(samples)
        } else {
            expansion.coefficients().mapv(Scalar::as_f64)
        };
        let functions = Self {
            coefficients,
            offsets,
        };
        functions.checked()
    }

    /// Makes the linear functions βᵀv + c of the values v of an expansion. `functions` holds the directions β, one a column, and the offsets c.
    /// If it is `None` or the identity, the values stay as they are, bit by bit; a method that was written as an expansion has the identity.
    pub(crate) fn of_method<S, K>(
        expansion: &Expansion<S, K, K::Scalar>,
        functions: Option<(Array2<K::Scalar>, Array1<K::Scalar>)>,
    ) -> Result<Self, Error>
    where
        S: Samples,
        K: Kernel<S>,
    {
        match functions {
            Some((directions, offsets))
                if expansion.is_of_kernel_values()
                    && directions.nrows() == expansion.offsets().len() =>
            {
                let coefficients = directions.mapv(Scalar::as_f64);
                let of_values = expansion.offsets().mapv(Scalar::as_f64);
                let functions = Self {
                    offsets: of_values.dot(&coefficients) + offsets.mapv(Scalar::as_f64),
                    coefficients,
                };
                functions.checked()
            }
            functions => Self::of(expansion)?.then(functions),
        }
    }

    fn then<F: Scalar>(self, functions: Option<(Array2<F>, Array1<F>)>) -> Result<Self, Error> {
        let Some((directions, offsets)) = functions else {
            return Ok(self);
        };
        let (found, expected) = (self.offsets.len(), directions.nrows());
        if found != expected {
            return Err(Error::Functions { found, expected });
        }
        let is_one = |(i, j), value: &F| *value == if i == j { F::one() } else { F::zero() };
        let is_identity = directions.is_square()
            && directions
                .indexed_iter()
                .all(|(place, value)| is_one(place, value));
        if is_identity && offsets.iter().all(F::is_zero) {
            return Ok(self);
        }
        let directions = directions.mapv(F::as_f64);
        let functions = Self {
            offsets: self.offsets.dot(&directions) + offsets.mapv(F::as_f64),
            coefficients: self.coefficients.dot(&directions),
        };
        functions.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        finite("a coefficient", self.coefficients.iter())?;
        finite("an offset", self.offsets.iter())?;
        Ok(self)
    }

    pub(crate) fn count(&self) -> usize {
        self.offsets.len()
    }

    pub(crate) fn of_sample(&self, index: usize) -> ArrayView1<'_, f64> {
        self.coefficients.row(index)
    }
}

pub(crate) fn finite<'a>(
    what: &'static str,
    mut values: impl Iterator<Item = &'a f64>,
) -> Result<(), Error> {
    match values.find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(&value) => Err(Error::NotFinite { what, value }),
    }
}
