//! Kernels on samples whose type is chosen at run time.

use crate::{
    own_kernels::kernels,
    samples::{AnySamples, Handle, Kind, with_kinds},
    typed::kernel::ByName,
};
use ndarray::{Array1, Array2, ArrayView2};
use npt_core::{
    Description, Error, HomogeneousKernel, Kernel, NamedKernel, ParameterError, ParameterValue,
    Samples, SpectralMeasure,
    catalogue::{Catalogue, DescriptionError, Fault},
};
use npt_model_file::BY_NAME;
use std::fmt;

/// Makes a kernel from the catalogue of any type of samples.
trait Make {
    fn make<S: Samples>(
        &self,
        of: &Catalogue<S, f64>,
    ) -> Result<NamedKernel<S, f64>, DescriptionError>;
}

impl Make for &str {
    fn make<S: Samples>(
        &self,
        of: &Catalogue<S, f64>,
    ) -> Result<NamedKernel<S, f64>, DescriptionError> {
        of.read(self)
    }
}

impl Make for Description {
    fn make<S: Samples>(
        &self,
        of: &Catalogue<S, f64>,
    ) -> Result<NamedKernel<S, f64>, DescriptionError> {
        of.kernel(self)
    }
}

macro_rules! kernels {
    ($($kind:ident($samples:ty) $field:ident $words:literal;)+) => {
        /// A kernel by its description, on every type of samples that has a kernel of this description.
        #[derive(Clone)]
        pub(crate) struct AnyKernel {
            description: Description,
            $($field: Option<NamedKernel<$samples, f64>>,)+
        }

        impl AnyKernel {
            fn of_each(made: &impl Make) -> Result<Self, DescriptionError> {
                let mut errors = Vec::new();
                let mut description = None;
                $(let $field = match made.make(&kernels::<$samples>()) {
                    Ok(kernel) => {
                        description.get_or_insert_with(|| kernel.describe());
                        Some(kernel)
                    }
                    Err(error) => {
                        errors.push(error);
                        None
                    }
                };)+
                match description {
                    Some(description) => Ok(Self { description, $($field,)+ }),
                    None => Err(telling(errors)),
                }
            }

            /// Returns whether a kernel of some samples has this name.
            pub(crate) fn is_known(name: &str) -> bool {
                false $(|| has_name(&kernels::<$samples>(), name))+
            }

            /// A kernel without a description, on no type of samples.
            fn nowhere() -> Self {
                Self { description: Description::new(""), $($field: None,)+ }
            }

            /// Returns whether there is a kernel of this description on samples of this type.
            pub(crate) fn is_on(&self, samples: &AnySamples) -> bool {
                match samples.kind() {
                    $(Kind::$kind(_) => self.$field.is_some(),)+
                }
            }

            /// The types of samples that this is a kernel on, in the words of an error message.
            pub(crate) fn domains(&self) -> Vec<&'static str> {
                let mut domains = Vec::new();
                $(if self.$field.is_some() {
                    domains.push($words);
                })+
                domains
            }
        }

        impl Kernel<AnySamples> for AnyKernel {
            type Scalar = f64;

            fn eval(&self, a: &Handle, b: &Handle) -> f64 {
                let value = match (a.of(), b.of()) {
                    $(((Kind::$kind(a), i), (Kind::$kind(b), j)) => {
                        self.$field.as_ref().map(|kernel| kernel.eval(a.get(i), b.get(j)))
                    })+
                    _ => None,
                };
                value.unwrap_or(f64::NAN)
            }

            fn cross(&self, a: &AnySamples, b: &AnySamples) -> Array2<f64> {
                let values = match (a.kind(), b.kind()) {
                    $((Kind::$kind(a), Kind::$kind(b)) => {
                        self.$field.as_ref().map(|kernel| kernel.cross(a, b))
                    })+
                    _ => None,
                };
                values.unwrap_or_else(|| undefined(a, b))
            }

            fn gram(&self, x: &AnySamples) -> Array2<f64> {
                let values = match x.kind() {
                    $(Kind::$kind(x) => self.$field.as_ref().map(|kernel| kernel.gram(x)),)+
                };
                values.unwrap_or_else(|| undefined(x, x))
            }

            fn diag(&self, x: &AnySamples) -> Array1<f64> {
                let values = match x.kind() {
                    $(Kind::$kind(x) => self.$field.as_ref().map(|kernel| kernel.diag(x)),)+
                };
                values.unwrap_or_else(|| Array1::from_elem(x.len(), f64::NAN))
            }

            fn origin(&self, x: &AnySamples) -> Option<AnySamples> {
                match x.kind() {
                    $(Kind::$kind(x) => self.$field.as_ref()?.origin(x).map(AnySamples::from),)+
                }
            }

            fn eval_about(&self, origin: &Handle, a: &Handle, b: &Handle) -> f64 {
                let value = match (origin.of(), a.of(), b.of()) {
                    $(((Kind::$kind(o), k), (Kind::$kind(a), i), (Kind::$kind(b), j)) => {
                        let about = |kernel: &NamedKernel<$samples, f64>| {
                            kernel.eval_about(o.get(k), a.get(i), b.get(j))
                        };
                        self.$field.as_ref().map(about)
                    })+
                    _ => None,
                };
                value.unwrap_or(f64::NAN)
            }

            fn cross_about(&self, origin: &AnySamples, a: &AnySamples, b: &AnySamples) -> Array2<f64> {
                let values = match (origin.kind(), a.kind(), b.kind()) {
                    $((Kind::$kind(origin), Kind::$kind(a), Kind::$kind(b)) => {
                        self.$field.as_ref().map(|kernel| kernel.cross_about(origin, a, b))
                    })+
                    _ => None,
                };
                values.unwrap_or_else(|| undefined(a, b))
            }

            fn diag_about(&self, origin: &AnySamples, x: &AnySamples) -> Array1<f64> {
                let values = match (origin.kind(), x.kind()) {
                    $((Kind::$kind(origin), Kind::$kind(x)) => {
                        self.$field.as_ref().map(|kernel| kernel.diag_about(origin, x))
                    })+
                    _ => None,
                };
                values.unwrap_or_else(|| Array1::from_elem(x.len(), f64::NAN))
            }

            fn check(&self, x: &AnySamples) -> Result<(), Error> {
                let checked = match x.kind() {
                    $(Kind::$kind(x) => self.$field.as_ref().map(|kernel| kernel.check(x)),)+
                };
                checked.unwrap_or_else(|| {
                    Err(Error::UnsuitableKernel {
                        of: x.kind().words(),
                        kernel: self.to_string(),
                        needs: "a kernel on these samples",
                    })
                })
            }

            fn is_positive_semidefinite(&self) -> bool {
                true $(&& self.$field.as_ref().is_none_or(Kernel::is_positive_semidefinite))+
            }

            fn describe(&self) -> Description {
                self.description.clone()
            }

            fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
                // The first kernel that there is knows the paths; the kernels on other types of samples follow from its description.
                $(if let Some(kernel) = &self.$field {
                    let mut kernel = kernel.clone();
                    kernel.set_parameter(name, value)?;
                    let description = kernel.describe();
                    *self = match Self::new(&description) {
                        Ok(changed) => changed,
                        // The value is out of range; `check` says so at a fit.
                        Err(_) => Self {
                            description,
                            $field: Some(kernel),
                            ..Self::nowhere()
                        },
                    };
                    return Ok(());
                })+
                let _ = value;
                Err(ParameterError::Unknown {
                    of: self.to_string(),
                    parameter: name.to_owned(),
                })
            }

            fn parameter_derivatives(&self, x: &AnySamples, weights: ArrayView2<'_, f64>) -> Vec<Option<f64>> {
                let derivatives = match x.kind() {
                    $(Kind::$kind(x) => {
                        self.$field.as_ref().map(|kernel| kernel.parameter_derivatives(x, weights))
                    })+
                };
                derivatives.unwrap_or_default()
            }

            fn squared_distance_derivatives(&self, x: &AnySamples) -> Option<Array2<f64>> {
                match x.kind() {
                    $(Kind::$kind(x) => self.$field.as_ref()?.squared_distance_derivatives(x),)+
                }
            }

            fn ignores_common_zeros(&self) -> bool {
                self.rows.as_ref().is_some_and(Kernel::ignores_common_zeros)
            }

            fn squared_distance_of_inputs(&self, squared: f64) -> Option<f64> {
                self.rows.as_ref()?.squared_distance_of_inputs(squared)
            }

            fn gaussian_gamma(&self) -> Option<f64> {
                self.rows.as_ref()?.gaussian_gamma()
            }

            fn linear_factor(&self) -> Option<f64> {
                self.rows.as_ref()?.linear_factor()
            }

            fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
                self.rows.as_ref()?.spectral_measure()
            }

            fn homogeneous(&self) -> Option<&dyn HomogeneousKernel> {
                self.rows.as_ref()?.homogeneous()
            }
        }
    };
}
with_kinds!(kernels);

impl AnyKernel {
    /// Refuses samples that this is no kernel on.
    pub(crate) fn require_on(&self, samples: &AnySamples) -> Result<(), crate::Error> {
        if self.is_on(samples) {
            return Ok(());
        }
        Err(crate::Error::Domain {
            kernel: self.to_string(),
            samples: samples.kind().words(),
            domains: self.domains(),
        })
    }

    /// The kernel on dense vectors, if it is one.
    pub(crate) fn of_rows(&self) -> Option<&NamedKernel<npt_core::Rows<f64>, f64>> {
        self.rows.as_ref()
    }

    /// The kernel on sparse vectors, if it is one.
    pub(crate) fn of_sparse(&self) -> Option<&NamedKernel<npt_core::SparseRows<f64>, f64>> {
        self.sparse.as_ref()
    }

    /// Reads a kernel such as `gaussian(gamma = 0.5) + 0.1 * linear`.
    ///
    /// # Errors
    /// [`DescriptionError`] of the text: the first, in the order dense vectors, sparse vectors, texts, sets, graphs, that says more than
    /// that a name is unknown.
    pub(crate) fn read(text: &str) -> Result<Self, DescriptionError> {
        Self::of_each(&text)
    }

    /// Makes the kernel of a description.
    ///
    /// # Errors
    /// [`DescriptionError`], without a position.
    pub(crate) fn new(description: &Description) -> Result<Self, DescriptionError> {
        Self::of_each(description)
    }
}

fn has_name<S: Samples>(catalogue: &Catalogue<S, f64>, name: &str) -> bool {
    let mut entries = catalogue.entries().iter();
    entries.any(|entry| entry.name() == name)
}

/// Picks one of the errors, of which there is one a type of samples: the first that says more than that a name is unknown; if there is
/// no such error, one that lists all names.
fn telling(mut errors: Vec<DescriptionError>) -> DescriptionError {
    let is_unknown = |error: &DescriptionError| matches!(error.fault, Fault::UnknownName { .. });
    let more = errors.iter().position(|error| !is_unknown(error));
    let all = errors.iter().flat_map(|error| match &error.fault {
        Fault::UnknownName { known, .. } => known.clone(),
        _ => Vec::new(),
    });
    let mut all: Vec<String> = all.collect();
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|name| seen.insert(name.clone()));
    let similar = errors.iter().find_map(|error| match &error.fault {
        Fault::UnknownName { nearest, .. } => nearest.clone(),
        _ => None,
    });
    let mut error = errors.swap_remove(more.unwrap_or(0));
    if let Fault::UnknownName { nearest, known, .. } = &mut error.fault {
        (*nearest, *known) = (similar, all);
    }
    error
}

/// The values where there is no kernel on the samples: NaN, which every fit and every model refuses.
fn undefined(a: &AnySamples, b: &AnySamples) -> Array2<f64> {
    Array2::from_elem((a.len(), b.len()), f64::NAN)
}

impl fmt::Display for AnyKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.description.fmt(f)
    }
}

impl fmt::Debug for AnyKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyKernel({self})")
    }
}

/// Two kernels are equal if their descriptions are.
impl PartialEq for AnyKernel {
    fn eq(&self, other: &Self) -> bool {
        self.description == other.description
    }
}

impl serde::Serialize for AnyKernel {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.description.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for AnyKernel {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let description = if deserializer.is_human_readable() {
            Description::deserialize(deserializer)?
        } else {
            deserializer.deserialize_newtype_struct(BY_NAME, ByName)?
        };
        Self::new(&description).map_err(serde::de::Error::custom)
    }
}
