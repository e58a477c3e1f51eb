//! Parameters of methods and spaces, read and set by name.

use super::ParameterEntry;
use crate::{ParameterError, ParameterValue};

/// Parameters that are read and set by the names of their setters.
///
/// The parameters of a kernel are read and set by the trait [`Kernel`](crate::Kernel).
///
/// # Example
/// ```
/// use npt_core::{Parameters, parameters_by_name};
/// use npt_core::catalogue::Range;
///
/// /// Steps of a walk.
/// struct Walk {
///     length: f64,
///     steps: usize,
///     rest: Option<f64>,
/// }
///
/// parameters_by_name! {
///     impl Parameters for Walk, "walk"; {
///         required { length: f64, Range::Positive, "How long a step is."; }
///         default { steps: usize = 10, Range::AtLeast(1), "How many steps there are."; }
///         optional { rest: f64, Range::Positive, "How long a rest is; without it there is none."; }
///     }
/// }
///
/// let mut walk = Walk { length: 0.5, steps: 3, rest: None };
/// walk.set_parameter("steps", 4.into())?;
/// assert_eq!(walk.steps, 4);
/// assert_eq!(walk.parameter("length"), Some(0.5.into()));
/// assert_eq!(walk.parameter("rest"), None);
/// let entries = Walk::parameter_entries();
/// assert!(entries[0].is_required() && entries[1].default() == Some(&10.into()));
/// let error = walk.set_parameter("pace", 1.0.into()).unwrap_err();
/// assert_eq!(error.to_string(), "walk has no parameter pace");
/// # Ok::<(), npt_core::ParameterError>(())
/// ```
pub trait Parameters {
    /// The parameters, with their ranges, defaults and a line of documentation each.
    fn parameter_entries() -> Vec<ParameterEntry>
    where
        Self: Sized;

    /// The value of a parameter; `None` where there is no such parameter, or it has no value.
    fn parameter(&self, name: &str) -> Option<ParameterValue>;

    /// Sets a parameter. The range of the value is checked by `fit`, as it is for a value that a setter was given.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`], [`ParameterError::Kind`] for a value of another kind.
    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError>;
}

/// Implements [`Parameters`] for a struct whose fields are the parameters. A `required` parameter has to be given, a
/// `default` parameter has a default, and an `optional` parameter is a field of a type `Option` that may have no value.
#[doc(hidden)]
#[macro_export]
macro_rules! parameters_by_name {
    (
        impl$([$($generics:tt)*])? Parameters for $type:ty, $name:expr; {
            $(required { $($given:ident: $of_given:ty, $given_range:expr, $given_summary:literal;)* })*
            $(default { $($field:ident: $of_field:ty = $default:expr, $range:expr, $summary:literal;)* })*
            $(optional { $($option:ident: $of_option:ty, $option_range:expr, $option_summary:literal;)* })*
        }
    ) => {
        impl$(<$($generics)*>)? $crate::Parameters for $type {
            fn parameter_entries() -> ::std::vec::Vec<$crate::catalogue::ParameterEntry> {
                vec![
                    $($($crate::catalogue::ParameterEntry::required(
                        stringify!($given), $given_summary, $given_range,
                    ),)*)*
                    $($({
                        let default: $of_field = $default;
                        let default = $crate::ParameterType::value(&default);
                        $crate::catalogue::ParameterEntry::with_default(
                            stringify!($field), $summary, $range, default,
                        )
                    },)*)*
                    $($($crate::catalogue::ParameterEntry::optional(
                        stringify!($option), $option_summary, $option_range,
                    ),)*)*
                ]
            }

            fn parameter(&self, name: &str) -> ::std::option::Option<$crate::ParameterValue> {
                $($(if name == stringify!($given) {
                    return Some($crate::ParameterType::value(&self.$given));
                })*)*
                $($(if name == stringify!($field) {
                    return Some($crate::ParameterType::value(&self.$field));
                })*)*
                $($(if name == stringify!($option) {
                    return self.$option.as_ref().map($crate::ParameterType::value);
                })*)*
                None
            }

            fn set_parameter(
                &mut self,
                name: &str,
                value: $crate::ParameterValue,
            ) -> ::std::result::Result<(), $crate::ParameterError> {
                $($(if name == stringify!($given) {
                    return $crate::ParameterType::set(&mut self.$given, name, value);
                })*)*
                $($(if name == stringify!($field) {
                    return $crate::ParameterType::set(&mut self.$field, name, value);
                })*)*
                $($(if name == stringify!($option) {
                    let mut inner = <$of_option as ::std::default::Default>::default();
                    $crate::ParameterType::set(&mut inner, name, value)?;
                    self.$option = Some(inner);
                    return Ok(());
                })*)*
                let _ = value;
                Err($crate::ParameterError::Unknown {
                    of: $name.to_owned(),
                    parameter: name.to_owned(),
                })
            }
        }
    };
}
