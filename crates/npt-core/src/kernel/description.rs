//! Names and parameters of kernels as data, for code that works with kernels of any type: saving them, command lines,
//! bindings to other languages, fitting parameters.

use super::{ParameterType, ParameterValue};
use std::fmt;

/// A parameter of a kernel: its name and its value.
///
/// In a composed kernel the name is a path that leads through the parts to the parameter: `first.gamma` is γ of the first
/// term of a sum.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Parameter, ParameterValue, Polynomial};
///
/// let parameters = Polynomial::new(3, 0.5, 1.0).parameters();
/// let degree = Parameter { name: "degree".to_owned(), value: ParameterValue::Integer(3) };
/// assert_eq!(parameters[0], degree);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The value.
    pub value: ParameterValue,
}

impl Parameter {
    /// A parameter of this name and value.
    pub fn new(name: impl Into<String>, value: impl Into<ParameterValue>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// The description of a kernel: its name, its own parameters, and the kernels that it is composed of.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Linear, Rows};
///
/// let kernel = Gaussian::new(0.5) + Linear::new().scaled(0.1);
/// let description = Kernel::<Rows<f64>>::describe(&kernel);
/// assert_eq!(description.name, "sum");
/// assert_eq!(description.parts[0].1.name, "gaussian");
/// assert_eq!(description.to_string(), "sum(gaussian(gamma = 0.5), scaled(factor = 0.1, linear))");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Description {
    /// The name: one word in lower case for the kernels of this crate.
    pub name: String,
    /// The parameters of the kernel itself, not those of its parts.
    pub parameters: Vec<Parameter>,
    /// The kernels that it is composed of, each with the path under which its parameters are found.
    pub parts: Vec<(String, Description)>,
}

impl Description {
    /// A description without parameters and parts.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            parameters: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a parameter.
    pub fn parameter(mut self, name: &str, value: &impl ParameterType) -> Self {
        self.parameters.push(Parameter {
            name: name.to_owned(),
            value: value.value(),
        });
        self
    }

    /// Adds a part.
    pub fn part(mut self, path: impl Into<String>, part: Description) -> Self {
        self.parts.push((path.into(), part));
        self
    }

    /// The parameters of the kernel and of all its parts, named by their paths.
    pub fn all_parameters(&self) -> Vec<Parameter> {
        let mut all = self.parameters.clone();
        for (path, part) in &self.parts {
            all.extend(part.all_parameters().into_iter().map(|inner| Parameter {
                name: format!("{path}.{}", inner.name),
                value: inner.value,
            }));
        }
        all
    }

    /// A description with the name of a type: the last word of its path, without type parameters.
    pub(super) fn of_type<T: ?Sized>() -> Self {
        let path = std::any::type_name::<T>();
        let path = path.split('<').next().unwrap_or(path);
        Self::new(path.rsplit(':').next().unwrap_or(path))
    }
}

/// Writes the kernel as a text: `polynomial(degree = 2, gamma = 0.5, constant = 1)`.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let own = self
            .parameters
            .iter()
            .map(|p| format!("{} = {}", p.name, p.value));
        let parts = self.parts.iter().map(|(_, part)| part.to_string());
        let inside: Vec<String> = own.chain(parts).collect();
        if inside.is_empty() {
            return Ok(());
        }
        write!(f, "({})", inside.join(", "))
    }
}

/// Writes [`Kernel::describe`](crate::Kernel::describe) and
/// [`Kernel::set_parameter`](crate::Kernel::set_parameter), for use inside an `impl Kernel`.
///
/// # Parameters
/// The name of the kernel; the fields that are its parameters, each of a [`ParameterType`]; after a
/// semicolon, the fields that are kernels.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Rows, parameters};
///
/// /// κ₁ where both samples are within a distance of the origin, else 0.
/// struct Within<K> {
///     radius: f64,
///     kernel: K,
/// }
///
/// impl<K: Kernel<Rows<f64>, Scalar = f64>> Kernel<Rows<f64>> for Within<K> {
///     type Scalar = f64;
///
///     parameters!("within", radius; kernel);
///
///     fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
///         let inside = |x: &[f64]| x.iter().all(|v| v.abs() <= self.radius);
///         if inside(a) && inside(b) { self.kernel.eval(a, b) } else { 0.0 }
///     }
/// }
///
/// let mut kernel = Within { radius: 2.0, kernel: npt_core::Gaussian::new(0.5) };
/// assert_eq!(kernel.describe().to_string(), "within(radius = 2, gaussian(gamma = 0.5))");
/// kernel.set_parameter("kernel.gamma", 0.25.into())?;
/// assert_eq!(kernel.kernel.gamma(), 0.25);
/// # Ok::<(), npt_core::ParameterError>(())
/// ```
#[macro_export]
macro_rules! parameters {
    ($name:literal $(, $parameter:ident)* $(; $($part:ident),+)?) => {
        fn describe(&self) -> $crate::Description {
            $crate::Description::new($name)
                $(.parameter(stringify!($parameter), &self.$parameter))*
                $($(.part(stringify!($part), $crate::Kernel::describe(&self.$part)))+)?
        }

        fn set_parameter(
            &mut self,
            name: &str,
            value: $crate::ParameterValue,
        ) -> ::std::result::Result<(), $crate::ParameterError> {
            $(if name == stringify!($parameter) {
                return $crate::ParameterType::set(&mut self.$parameter, name, value);
            })*
            $($(if let Some(of_part) = name.strip_prefix(concat!(stringify!($part), ".")) {
                return $crate::Kernel::set_parameter(&mut self.$part, of_part, value);
            })+)?
            let _ = value;
            Err($crate::ParameterError::Unknown {
                of: $name.to_owned(),
                parameter: name.to_owned(),
            })
        }
    };
}
