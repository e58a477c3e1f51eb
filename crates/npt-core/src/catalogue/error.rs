//! Errors of descriptions of which nothing can be made.

use super::{Parts, Range};
use crate::{ParameterError, ParameterValue, wording::nearest};
use std::fmt;

/// The error of a description of which nothing can be made, with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct DescriptionError {
    /// The character of the text, counted from 1; `None` of what was not read from a text.
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
        /// What stands there.
        found: String,
        /// What could.
        expected: &'static str,
    },
    /// Kernels are inside of kernels deeper than any text that a person writes.
    #[error("kernels are nested more than {most} deep")]
    Depth {
        /// The deepest that is allowed.
        most: usize,
    },
    /// There is nothing of this name.
    #[error("there is no {kind} {name}; {}", instead(.nearest.as_deref(), .known))]
    UnknownName {
        /// The kind of thing that was looked for: a kernel, a method, a space.
        kind: &'static str,
        /// The name that was given.
        name: String,
        /// The name that differs least, if any is similar.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The kernel, method or space has no parameter of this name.
    #[error("{of} has no parameter {parameter}; {}", instead(.nearest.as_deref(), .known))]
    UnknownParameter {
        /// Its name.
        of: String,
        /// The name that was given.
        parameter: String,
        /// The name that differs least, if any is similar.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// A parameter without a default is not given.
    #[error("{of} needs a value for {parameter}")]
    Missing {
        /// Its name.
        of: String,
        /// The parameter.
        parameter: String,
    },
    /// A parameter is given twice.
    #[error("{parameter} of {of} is given twice")]
    Repeated {
        /// Its name.
        of: String,
        /// The parameter.
        parameter: String,
    },
    /// Parameters are given that stand in each other's place.
    #[error("{of} takes one of {}, not {}", .parameters.join(", "), .given.join(" and "))]
    Exclusive {
        /// Its name.
        of: String,
        /// The parameters of which one may be given.
        parameters: &'static [&'static str],
        /// The parameters that are given.
        given: Vec<String>,
    },
    /// The value of a parameter is of the right kind, and not allowed.
    #[error("{parameter} of {of} is {value}; it must be {allowed}")]
    OutOfRange {
        /// Its name.
        of: String,
        /// The parameter.
        parameter: String,
        /// Its value.
        value: ParameterValue,
        /// What is allowed.
        allowed: Range,
    },
    /// A parameter does not take a value.
    #[error(transparent)]
    Parameter(ParameterError),
    /// The kernel is made of another number of kernels.
    #[error("{of} is made of {expected}, not {found}")]
    Parts {
        /// Its name.
        of: String,
        /// How many it is made of.
        expected: Parts,
        /// How many were given.
        found: usize,
    },
    /// A method or space is written with something in its brackets that is no parameter.
    #[error("{of} takes parameters alone; a {kind} is made of no kernel")]
    NoParts {
        /// Its name.
        of: String,
        /// The kind of thing that it is: a method, a space.
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
