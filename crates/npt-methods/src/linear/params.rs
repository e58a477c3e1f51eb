//! Parameters of linear methods: one list per method gives the fields, the setters, the checks of `fit`, and the values by name.

/// Compiles only for types that can be sent to other threads, seen by them, and copied for each.
pub(super) const fn is_shared<T: Clone + Send + Sync>() {}

/// Defines linfa's pair of unchecked and checked parameters.
macro_rules! guarded_params {
    ($method:ident, $params:ident, $valid:ident) => {
        #[doc = concat!("The parameters of [`", stringify!($method), "`]; `fit` checks them.")]
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $params($valid);

        // Parameters go to other threads, and are seen by them.
        const _: () = crate::linear::params::is_shared::<$params>();

        impl linfa::ParamGuard for $params {
            type Checked = $valid;
            type Error = crate::Error;

            fn check_ref(&self) -> Result<&$valid, crate::Error> {
                self.0.validate()?;
                Ok(&self.0)
            }

            fn check(self) -> Result<$valid, crate::Error> {
                self.0.validate()?;
                Ok(self.0)
            }
        }
    };
}
pub(super) use guarded_params;

/// Defines the parameters of a method. `required` parameters are arguments of its `params`, `default` ones have a value where none is
/// set, `optional` ones may have no value. Each has its range, and a line with which the documentation of its setter begins. The
/// setters of `held` and `held_optional` are written by hand. A function after `check` refuses what no range does. The macro also
/// writes a test of all this: values by name, ranges, setters, and a file of each method's parameters.
macro_rules! parameters {
    (
        $method:ident: $params:ident, $valid:ident;
        $(required { $($given:ident: $of_given:ty, $given_range:expr, $given_summary:literal;)* })?
        $(default { $(
            $(#[$of_field_doc:meta])*
            $field:ident: $of_field:ty = $default:expr, $range:expr, $summary:literal;
        )* })?
        $(held { $($held:ident: $of_held:ty = $held_default:expr, $held_range:expr, $held_summary:literal;)* })?
        $(optional { $(
            $(#[$of_option_doc:meta])*
            $option:ident: $of_option:ty, $option_range:expr, $option_summary:literal;
        )* })?
        $(held_optional { $(
            $unset:ident: $of_unset:ty, $unset_range:expr, $unset_summary:literal;
        )* })?
        $(check $check:ident;)?
    ) => {
        crate::linear::params::guarded_params!($method, $params, $valid);

        #[doc = concat!("Parameters of [`", stringify!($method), "`].")]
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $valid {
            $($(pub(in crate::linear) $given: $of_given,)*)?
            $($(pub(in crate::linear) $field: $of_field,)*)?
            $($(pub(in crate::linear) $held: $of_held,)*)?
            $($(pub(in crate::linear) $option: Option<$of_option>,)*)?
            $($(pub(in crate::linear) $unset: Option<$of_unset>,)*)?
        }

        impl $valid {
            /// Makes parameters with the required values as given, and all others at their defaults.
            fn new($($($given: $of_given),*)?) -> Self {
                Self {
                    $($($given,)*)?
                    $($($field: $default,)*)?
                    $($($held: $held_default,)*)?
                    $($($option: None,)*)?
                    $($($unset: None,)*)?
                }
            }

            fn validate(&self) -> Result<(), crate::Error> {
                use npt_core::Parameters;
                $(self.$check()?;)?
                for entry in Self::parameter_entries() {
                    if let Some(value) = self.parameter(entry.name()) {
                        crate::error::require_in(stringify!($method), entry.name(), entry.range(), &value)?;
                    }
                }
                Ok(())
            }
        }

        npt_core::parameters_by_name! {
            impl Parameters for $valid, stringify!($method); {
                $(required { $($given: $of_given, $given_range, $given_summary;)* })?
                $(default { $($field: $of_field = $default, $range, $summary;)* })?
                $(default { $($held: $of_held = $held_default, $held_range, $held_summary;)* })?
                $(optional { $($option: $of_option, $option_range, $option_summary;)* })?
                $(optional { $($unset: $of_unset, $unset_range, $unset_summary;)* })?
            }
        }

        impl npt_core::Parameters for $params {
            fn parameter_entries() -> Vec<npt_core::catalogue::ParameterEntry> {
                // Only one of the parameters with hand-written setters may be given.
                const ONE_OF: &[&str] = &[
                    $($(stringify!($held),)*)?
                    $($(stringify!($unset),)*)?
                ];
                let entries = <$valid as npt_core::Parameters>::parameter_entries().into_iter();
                entries
                    .map(|entry| if ONE_OF.contains(&entry.name()) { entry.one_of(ONE_OF) } else { entry })
                    .collect()
            }

            fn parameter(&self, name: &str) -> Option<npt_core::ParameterValue> {
                self.0.parameter(name)
            }

            fn set_parameter(
                &mut self,
                name: &str,
                value: npt_core::ParameterValue,
            ) -> Result<(), npt_core::ParameterError> {
                self.0.set_parameter(name, value)
            }
        }

        impl $params {
            $($(
                #[doc = $summary]
                #[doc = concat!("`", stringify!($default), "` by default.")]
                #[doc = ""]
                $(#[$of_field_doc])*
                pub fn $field(mut self, $field: $of_field) -> Self {
                    self.0.$field = $field;
                    self
                }
            )*)?
            $($(
                #[doc = $option_summary]
                #[doc = ""]
                $(#[$of_option_doc])*
                pub fn $option(mut self, $option: $of_option) -> Self {
                    self.0.$option = Some($option);
                    self
                }
            )*)?
        }

        #[cfg(test)]
        #[test]
        fn parameters_by_name_are_those_of_setters() {
            use crate::linear::params::tests as harness;
            $(
                /// Returns parameters that are made with the same arguments.
                fn made(of: &$params) -> $params {
                    $method::params($(Clone::clone(&of.0.$given)),*)
                }
            )?
            $($(let $given: $of_given = harness::given(stringify!($given), $given_range);)*)?
            let setters: &[harness::Setter<$params>] = &[
                $($((stringify!($given), |_, of| made(of)),)*)?
                $($((stringify!($field), |params, of| params.$field(Clone::clone(&of.0.$field))),)*)?
                $($((stringify!($option), |params, of| {
                    params.$option(Clone::clone(of.0.$option.as_ref().expect("it is set")))
                }),)*)?
            ];
            let held: &[&str] = &[
                $($(stringify!($held),)*)?
                $($(stringify!($unset),)*)?
            ];
            let params = $method::params($($($given),*)?);
            harness::Case { params: &params, refusal: &harness::by_check }.check(setters, held);
            #[cfg(feature = "serde")]
            harness::keeps(stringify!($params), &params);
        }
    };
}
pub(super) use parameters;

#[cfg(test)]
pub(super) mod tests;
