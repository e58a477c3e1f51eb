//! Errors of descriptions from which no kernel, method or space can be made.

use super::{Parts, Range};
use crate::{ParameterError, ParameterValue, wording::nearest};
use std::fmt;

/// The error of a description from which nothing can be made, with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct DescriptionError {
    /// The place of the fault: the character of the text, counted from 1; `None` if no text was read.
    pub position: Option<usize>,
    /// The fault.
    pub fault: Fault,
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "character {position}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for DescriptionError {}

/// A fault of a description.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is no description.
    #[error("found {found}, where {expected} is expected")]
    Text {
        /// The word or sign that stands there, or the end of the text.
        found: String,
        /// The words or signs that are expected there.
        expected: &'static str,
    },
    /// Kernels are nested too deeply: deeper than in any text that a person writes.
    #[error("kernels are nested more than {most} deep")]
    Depth {
        /// The largest depth that is allowed.
        most: usize,
    },
    /// No kernel, method or space has this name.
    #[error("there is no {kind} {name}; {}", instead(.nearest.as_deref(), .known))]
    UnknownName {
        /// The kind of thing that was looked for: a kernel, a method, a space.
        kind: &'static str,
        /// The name that was given.
        name: String,
        /// The name that differs least, if any is similar.
        nearest: Option<String>,
        /// The names of all kernels, methods or spaces.
        known: Vec<String>,
    },
    /// The kernel, method or space has no parameter of this name.
    #[error("{of} has no parameter {parameter}; {}", instead(.nearest.as_deref(), .known))]
    UnknownParameter {
        /// The name of the kernel, method or space.
        of: String,
        /// The name that was given.
        parameter: String,
        /// The name that differs least, if any is similar.
        nearest: Option<String>,
        /// The names of all parameters.
        known: Vec<String>,
    },
    /// A parameter without a default is not given.
    #[error("{of} needs a value for {parameter}")]
    Missing {
        /// The name of the kernel, method or space.
        of: String,
        /// The parameter.
        parameter: String,
    },
    /// A parameter is given twice.
    #[error("{parameter} of {of} is given twice")]
    Repeated {
        /// The name of the kernel, method or space.
        of: String,
        /// The parameter.
        parameter: String,
    },
    /// Several parameters are given of which only one may be.
    #[error("{of} takes one of {}, not {}", .parameters.join(", "), .given.join(" and "))]
    Exclusive {
        /// The name of the kernel, method or space.
        of: String,
        /// The parameters of which one may be given.
        parameters: &'static [&'static str],
        /// The parameters that are given.
        given: Vec<String>,
    },
    /// The value of a parameter is of the right kind, but out of its range.
    #[error("{parameter} of {of} is {value}; it must be {allowed}")]
    OutOfRange {
        /// The name of the kernel, method or space.
        of: String,
        /// The parameter.
        parameter: String,
        /// Its value.
        value: ParameterValue,
        /// The range of allowed values.
        allowed: Range,
    },
    /// A parameter does not take the value that was given.
    #[error(transparent)]
    Parameter(ParameterError),
    /// The kernel takes another number of kernels than were given.
    #[error("{of} is made of {expected}, not {found}")]
    Parts {
        /// The name of the kernel.
        of: String,
        /// The number of kernels that it is made of.
        expected: Parts,
        /// The number of kernels that were given.
        found: usize,
    },
    /// A method or space has a kernel in its brackets, where only parameters may stand.
    #[error("{of} takes parameters only; no kernel is part of a {kind}")]
    NoParts {
        /// The name of the method or space.
        of: String,
        /// The kind of thing: a method, a space.
        kind: &'static str,
    },
    /// The kernel cannot be made of these parts.
    #[error("{0}")]
    Kernel(String),
}

fn instead(nearest: Option<&str>, known: &[String]) -> String {
    match nearest {
        Some(name) => format!("the nearest name is {name}"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", known.join(", ")),
    }
}

impl Fault {
    pub(super) fn at(self, position: Option<usize>) -> DescriptionError {
        DescriptionError {
            position,
            fault: self,
        }
    }

    pub(super) fn unknown_name<'a>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        Self::UnknownName {
            kind,
            name: name.to_owned(),
            nearest: nearest(name, known.clone()).map(str::to_owned),
            known: known.map(str::to_owned).collect(),
        }
    }

    pub(super) fn unknown_parameter<'a>(
        of: &str,
        parameter: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        Self::UnknownParameter {
            of: of.to_owned(),
            parameter: parameter.to_owned(),
            nearest: nearest(parameter, known.clone()).map(str::to_owned),
            known: known.map(str::to_owned).collect(),
        }
    }
}
