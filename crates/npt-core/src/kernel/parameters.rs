//! Values of parameters as data, and their conversion from and to the fields of a kernel.

use crate::Scalar;
use ndarray::Array1;
use std::fmt;

/// The value of a parameter. Real numbers are `f64`, whatever the scalar of the kernel.
///
/// # Example
/// ```
/// use npt_core::ParameterValue;
///
/// assert_eq!(ParameterValue::from(0.5), ParameterValue::Real(0.5));
/// assert_eq!(ParameterValue::List(vec![1.0, 0.25, 1e-9]).to_string(), "[1, 0.25, 1e-9]");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ParameterValue {
    /// A real number, such as γ.
    Real(f64),
    /// A whole number, such as a degree.
    Integer(usize),
    /// Yes or no.
    Boolean(bool),
    /// A list of real numbers, such as the length scales of all features.
    List(Vec<f64>),
    /// A text, such as an alphabet.
    Text(String),
}

impl ParameterValue {
    /// The real numbers of the value: one for a real number, all numbers of a list, none for any other value.
    ///
    /// ```
    /// use npt_core::ParameterValue;
    ///
    /// assert_eq!(ParameterValue::Real(0.5).reals(), [0.5]);
    /// assert!(ParameterValue::Integer(3).reals().is_empty());
    /// ```
    pub fn reals(&self) -> &[f64] {
        match self {
            Self::Real(value) => std::slice::from_ref(value),
            Self::List(values) => values,
            Self::Integer(_) | Self::Boolean(_) | Self::Text(_) => &[],
        }
    }

    /// The value as a real number. A whole number up to 2⁵³ is one, too.
    ///
    /// ```
    /// use npt_core::ParameterValue;
    ///
    /// assert_eq!(ParameterValue::Integer(3).real(), Some(3.0));
    /// assert_eq!(ParameterValue::Integer((1 << 53) + 1).real(), None);
    /// ```
    pub fn real(&self) -> Option<f64> {
        match *self {
            Self::Real(value) => Some(value),
            Self::Integer(value) if value as u64 <= 1 << f64::MANTISSA_DIGITS => Some(value as f64),
            _ => None,
        }
    }

    /// Returns whether the value is of this kind. A whole number is taken for a real one, and a number for a list.
    pub(crate) fn is_of(&self, kind: &str) -> bool {
        let of_numbers = [Self::Real(0.0).kind(), Self::List(Vec::new()).kind()];
        self.kind() == kind || (of_numbers.contains(&kind) && self.real().is_some())
    }

    /// The kind of the value, in the words of an error message.
    fn kind(&self) -> &'static str {
        match self {
            Self::Real(_) => "a real number",
            Self::Integer(_) => "an integer",
            Self::Boolean(_) => "true or false",
            Self::List(_) => "a list",
            Self::Text(_) => "text",
        }
    }

    /// The error of a parameter that takes values of the kind `expected`, and not this one.
    pub fn wrong_kind(&self, parameter: &str, expected: &'static str) -> ParameterError {
        ParameterError::Kind {
            parameter: parameter.to_owned(),
            expected,
            found: self.kind(),
        }
    }
}

impl From<f64> for ParameterValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<usize> for ParameterValue {
    fn from(value: usize) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for ParameterValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<Vec<f64>> for ParameterValue {
    fn from(values: Vec<f64>) -> Self {
        Self::List(values)
    }
}

impl From<&str> for ParameterValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{}", Number(*value)),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(|&v| Number(v).to_string()).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// A number that is printed as a person would type it: 1 for 1.0, and 1e-9 instead of a row of zeros.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        // From 2⁵³ on, digits without an exponent would be read as a whole number, which is not taken for a real one.
        let plain = 1e-4..(1_u64 << f64::MANTISSA_DIGITS) as f64;
        if value == 0.0 || !value.is_finite() || plain.contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// The error of setting a parameter. The kernel is unchanged.
///
/// A number out of range is no such error: it is set, and refused by [`Kernel::check`](crate::Kernel::check) at fit, like a
/// number that was given to a constructor.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, ParameterError, ParameterValue};
///
/// let mut kernel = Gaussian::new(0.5);
/// let error = kernel.set_parameter("sigma", ParameterValue::Real(1.0)).unwrap_err();
/// assert_eq!(error.to_string(), "gaussian has no parameter sigma");
/// let error = kernel.set_parameter("gamma", "wide".into()).unwrap_err();
/// assert_eq!(error.to_string(), "the parameter gamma takes a real number, not text");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// There is no parameter of this name.
    #[error("{of} has no parameter {parameter}")]
    Unknown {
        /// The name of the kernel, method or space.
        of: String,
        /// The name that was given.
        parameter: String,
    },
    /// The value is of another kind than the parameter takes.
    #[error("the parameter {parameter} takes {expected}, not {found}")]
    Kind {
        /// The name of the parameter.
        parameter: String,
        /// The kind of value that the parameter takes.
        expected: &'static str,
        /// The kind of value that was given.
        found: &'static str,
    },
    /// The kernel cannot hold the value at all.
    #[error("the parameter {parameter} was set to {value}; it must be {allowed}")]
    Value {
        /// The name of the parameter.
        parameter: String,
        /// The value.
        value: ParameterValue,
        /// The values that are allowed.
        allowed: &'static str,
    },
    /// The kernel is behind a reference, or behind an `Arc` that others share.
    #[error("the parameter {parameter} cannot be set: its kernel is shared")]
    Shared {
        /// The name of the parameter.
        parameter: String,
    },
}

/// A type of parameters, whose values are read and set as a [`ParameterValue`].
///
/// It is implemented for the types of the fields of kernels: scalars, `u32`, `u64`, `usize`, `bool`, `String`, and lists of
/// scalars. A scalar takes whole numbers as well; a `Vec` takes a number as a list of one. Implement it for a parameter of
/// another type.
///
/// # Example
/// ```
/// use npt_core::{ParameterError, ParameterType, ParameterValue};
///
/// #[derive(Debug, PartialEq)]
/// enum Case {
///     Matters,
///     Ignored,
/// }
///
/// impl ParameterType for Case {
///     fn value(&self) -> ParameterValue {
///         ParameterValue::from(if *self == Self::Matters { "matters" } else { "ignored" })
///     }
///
///     fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
///         *self = match &value {
///             ParameterValue::Text(text) if text == "matters" => Self::Matters,
///             ParameterValue::Text(text) if text == "ignored" => Self::Ignored,
///             _ => return Err(value.wrong_kind(name, "matters or ignored")),
///         };
///         Ok(())
///     }
/// }
///
/// let mut case = Case::Matters;
/// case.set("case", "ignored".into())?;
/// assert_eq!(case.value(), "ignored".into());
/// # Ok::<(), ParameterError>(())
/// ```
pub trait ParameterType {
    /// The value.
    fn value(&self) -> ParameterValue;

    /// Sets the value. `name` is the name of the parameter, for errors.
    ///
    /// # Errors
    /// [`ParameterError::Kind`], and [`ParameterError::Value`] for a value that the type cannot hold.
    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError>;
}

impl<F: Scalar> ParameterType for F {
    fn value(&self) -> ParameterValue {
        ParameterValue::Real(self.as_f64())
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let Some(real) = value.real() else {
            return Err(value.wrong_kind(name, "a real number"));
        };
        *self = F::cast(real);
        Ok(())
    }
}

/// Implements [`ParameterType`] for types that a variant of [`ParameterValue`] holds as they are.
macro_rules! held {
    ($($type:ty: $variant:ident, $kind:literal;)+) => {
        $(impl ParameterType for $type {
            fn value(&self) -> ParameterValue {
                ParameterValue::$variant(*self)
            }

            fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
                let ParameterValue::$variant(value) = value else {
                    return Err(value.wrong_kind(name, $kind));
                };
                *self = value;
                Ok(())
            }
        })+
    };
}

held! {
    usize: Integer, "an integer";
    bool: Boolean, "true or false";
}

impl ParameterType for String {
    fn value(&self) -> ParameterValue {
        ParameterValue::Text(self.clone())
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterValue::Text(value) = value else {
            return Err(value.wrong_kind(name, "text"));
        };
        *self = value;
        Ok(())
    }
}

impl ParameterType for u32 {
    /// The value as a whole number: a `usize` has at least 32 bits wherever there is memory for a kernel matrix.
    fn value(&self) -> ParameterValue {
        ParameterValue::Integer(*self as usize)
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterValue::Integer(given) = value else {
            return Err(value.wrong_kind(name, "an integer"));
        };
        *self = u32::try_from(given).map_err(|_| ParameterError::Value {
            parameter: name.to_owned(),
            value,
            allowed: "below 2³²",
        })?;
        Ok(())
    }
}

/// A seed. On systems with 32-bit addresses only seeds below 2³² can be set.
impl ParameterType for u64 {
    fn value(&self) -> ParameterValue {
        let seed = usize::try_from(*self);
        seed.map_or_else(|_| ParameterValue::Real(*self as f64), ParameterValue::from)
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterValue::Integer(given) = value else {
            return Err(value.wrong_kind(name, "an integer"));
        };
        *self = given as u64;
        Ok(())
    }
}

/// A list of any length: `check` compares the length with the samples. A number is a list of one.
impl<F: Scalar> ParameterType for Vec<F> {
    fn value(&self) -> ParameterValue {
        ParameterValue::List(self.iter().map(|v| v.as_f64()).collect())
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        *self = match (value.real(), value) {
            (Some(real), _) => vec![F::cast(real)],
            (None, ParameterValue::List(values)) => values.into_iter().map(F::cast).collect(),
            (None, other) => return Err(other.wrong_kind(name, "a list")),
        };
        Ok(())
    }
}

/// A list that keeps its length.
impl<F: Scalar> ParameterType for Array1<F> {
    fn value(&self) -> ParameterValue {
        ParameterValue::List(self.iter().map(|v| v.as_f64()).collect())
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        match value {
            ParameterValue::List(values) if values.len() == self.len() => {
                *self = values.into_iter().map(F::cast).collect();
                Ok(())
            }
            ParameterValue::List(_) => Err(ParameterError::Value {
                parameter: name.to_owned(),
                value,
                allowed: "as long as it was",
            }),
            other => Err(other.wrong_kind(name, "a list")),
        }
    }
}

/// Implements [`ParameterType`] for an enum whose variants are words, and lists the words as `WORDS`.
///
/// # Example
/// ```
/// use npt_core::{ParameterType, words_of_parameter};
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Case {
///     Matters,
///     Ignored,
/// }
/// words_of_parameter!(Case { Matters: "matters", Ignored: "ignored" });
///
/// let mut case = Case::Matters;
/// case.set("case", "ignored".into())?;
/// assert_eq!((case, case.value(), Case::WORDS), (Case::Ignored, "ignored".into(), &["matters", "ignored"][..]));
/// # Ok::<(), npt_core::ParameterError>(())
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! words_of_parameter {
    ($type:ident { $($variant:ident: $word:literal),+ $(,)? }) => {
        impl $type {
            /// The words by which a variant is chosen.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::ParameterType for $type {
            fn value(&self) -> $crate::ParameterValue {
                let word = match self {
                    $(Self::$variant => $word,)+
                };
                word.into()
            }

            fn set(
                &mut self,
                name: &str,
                value: $crate::ParameterValue,
            ) -> ::std::result::Result<(), $crate::ParameterError> {
                let word = match &value {
                    $crate::ParameterValue::Text(word) => word.as_str(),
                    other => return Err(other.wrong_kind(name, "text")),
                };
                *self = match word {
                    $($word => Self::$variant,)+
                    _ => {
                        return Err($crate::ParameterError::Value {
                            parameter: name.to_owned(),
                            allowed: concat!("one of", $(" ", $word),+),
                            value,
                        });
                    }
                };
                Ok(())
            }
        }
    };
}
