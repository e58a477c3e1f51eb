//! The kernels of LIBSVM.

use ndarray::{Array1, Array2};
use npt_core::{
    Description, Error, Gaussian, Kernel, Linear, ParameterError, ParameterValue, Polynomial, Rows,
    Sigmoid, Sparse, SparseRow, SparseRows,
};

/// A kernel that LIBSVM has, of dense or sparse vectors: which of them a file says, and so it is known only when the file
/// is read.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Rows};
/// use npt_export::libsvm::LibsvmKernel;
///
/// let kernel = LibsvmKernel::Rbf(Gaussian::new(0.5));
/// let value = Kernel::<Rows<f64>>::eval(&kernel, &[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (-0.5 * (2.0_f64.powi(2) + 1.0)).exp());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LibsvmKernel {
    /// ⟨a, b⟩
    Linear(Linear),
    /// (γ⟨a, b⟩ + c)ᵈ
    Polynomial(Polynomial<f64>),
    /// exp(−γ‖a − b‖²)
    Rbf(Gaussian<f64>),
    /// tanh(γ⟨a, b⟩ + c)
    Sigmoid(Sigmoid<f64>),
}

impl LibsvmKernel {
    /// The kernel of LIBSVM that is described; `None` if it has none like it.
    pub(super) fn of(description: &Description) -> Option<Self> {
        let real = |name: &str| match parameter(description, name)? {
            ParameterValue::Real(value) => Some(*value),
            _ => None,
        };
        Some(match description.name.as_str() {
            "linear" => Self::Linear(Linear::new()),
            "gaussian" => Self::Rbf(Gaussian::new(real("gamma")?)),
            "sigmoid" => Self::Sigmoid(Sigmoid::new(real("gamma")?, real("constant")?)),
            "polynomial" => {
                let Some(&ParameterValue::Integer(degree)) = parameter(description, "degree")
                else {
                    return None;
                };
                // LIBSVM's is a C int.
                let degree = u32::try_from(degree)
                    .ok()
                    .filter(|&d| i32::try_from(d).is_ok())?;
                Self::Polynomial(Polynomial::new(degree, real("gamma")?, real("constant")?))
            }
            "sparse" => Self::of(&description.parts.first()?.1)?,
            _ => return None,
        })
    }
}

fn parameter<'a>(description: &'a Description, name: &str) -> Option<&'a ParameterValue> {
    let parameters = &description.parameters;
    parameters.iter().find(|p| p.name == name).map(|p| &p.value)
}

/// An expression of whichever kernel it is.
macro_rules! each {
    ($this:expr, $kernel:ident => $of_kernel:expr) => {
        match $this {
            LibsvmKernel::Linear($kernel) => $of_kernel,
            LibsvmKernel::Polynomial($kernel) => $of_kernel,
            LibsvmKernel::Rbf($kernel) => $of_kernel,
            LibsvmKernel::Sigmoid($kernel) => $of_kernel,
        }
    };
}

impl Kernel<Rows<f64>> for LibsvmKernel {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        each!(self, kernel => kernel.eval(a, b))
    }

    fn cross(&self, a: &Rows<f64>, b: &Rows<f64>) -> Array2<f64> {
        each!(self, kernel => kernel.cross(a, b))
    }

    fn gram(&self, x: &Rows<f64>) -> Array2<f64> {
        each!(self, kernel => kernel.gram(x))
    }

    fn diag(&self, x: &Rows<f64>) -> Array1<f64> {
        each!(self, kernel => kernel.diag(x))
    }

    fn check(&self, x: &Rows<f64>) -> Result<(), Error> {
        each!(self, kernel => kernel.check(x))
    }

    fn is_positive_semidefinite(&self) -> bool {
        each!(self, kernel => Kernel::<Rows<f64>>::is_positive_semidefinite(kernel))
    }

    fn describe(&self) -> Description {
        each!(self, kernel => Kernel::<Rows<f64>>::describe(kernel))
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        each!(self, kernel => Kernel::<Rows<f64>>::set_parameter(kernel, name, value))
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    fn gaussian_gamma(&self) -> Option<f64> {
        each!(self, kernel => Kernel::<Rows<f64>>::gaussian_gamma(kernel))
    }
}

impl Kernel<SparseRows<f64>> for LibsvmKernel {
    type Scalar = f64;

    fn eval(&self, a: &SparseRow<f64>, b: &SparseRow<f64>) -> f64 {
        Sparse::new(*self).eval(a, b)
    }

    fn check(&self, x: &SparseRows<f64>) -> Result<(), Error> {
        Sparse::new(*self).check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        Kernel::<Rows<f64>>::is_positive_semidefinite(self)
    }

    fn describe(&self) -> Description {
        Sparse::new(*self).describe()
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        Kernel::<Rows<f64>>::set_parameter(self, name, value)
    }

    fn gaussian_gamma(&self) -> Option<f64> {
        Kernel::<Rows<f64>>::gaussian_gamma(self)
    }
}
