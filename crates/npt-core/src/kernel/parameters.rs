//! Values of parameters as data, and how the fields of a kernel take them.

use crate::Scalar;
use ndarray::Array1;
use std::fmt;

/// The value of a parameter. Reals are `f64` whatever the scalar of the kernel.
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
    /// A real number, as γ.
    Real(f64),
    /// A whole number, as a degree.
    Integer(usize),
    /// Yes or no.
    Boolean(bool),
    /// Real numbers, as the length scales of all features.
    List(Vec<f64>),
    /// Text, as an alphabet.
    Text(String),
}

impl ParameterValue {
    /// The real numbers of the value: one, those of a list, none of an integer or text.
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

    /// The value as a real number: a whole number is one, too, up to 2⁵³.
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

    /// Returns whether it is of this kind, or a whole number where a real one is meant, or a number where a list is.
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

    /// The error of a parameter that takes another kind of value, `expected`.
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

/// A number as it would be typed: 1 for 1.0, and 1e-9 instead of a row of zeros.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        // From 2⁵³ on, digits alone would be read as a whole number that is no real one.
        let plain = 1e-4..(1_u64 << f64::MANTISSA_DIGITS) as f64;
        if value == 0.0 || !value.is_finite() || plain.contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// Why a parameter was not set. The kernel is as it was.
///
/// Ranges are none of these: a number out of range is set, and refused by
/// [`Kernel::check`](crate::Kernel::check) at fit, as one that a constructor was given.
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
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: &'static str,
    },
    /// The kernel cannot hold the value at all.
    #[error("the parameter {parameter} is to be {value}; it must be {allowed}")]
    Value {
        /// The name of the parameter.
        parameter: String,
        /// The value.
        value: ParameterValue,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The kernel is behind a reference, or behind an `Arc` that is not the only one.
    #[error("the parameter {parameter} is of a kernel that is shared, and cannot be set")]
    Shared {
        /// The name of the parameter.
        parameter: String,
    },
}

/// A type of parameters: read and set as a [`ParameterValue`].
///
/// Implemented for the types of which fields of kernels are: scalars, which take whole numbers as well, `u32`, `usize`, `bool`, and
/// lists of scalars, of which a `Vec` takes a number as a list of one. Implement it for a parameter of another type.
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

    /// Takes another value; `name` is that of the parameter, for errors.
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

/// Types that a variant of [`ParameterValue`] holds as they are.
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
    /// 32 bits fit into every `usize` that there is memory for a kernel matrix with.
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

/// A seed. Where memory has 32-bit addresses, only seeds below 2³² are values.
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

/// A list of any length: `check` compares it with the samples. A number is a list of one.
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

/// Implements [`ParameterType`] for an enum of which each variant is a word, and lists the words as `WORDS`.
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
            /// The words by which it is chosen.
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
