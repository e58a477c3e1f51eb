//! Entries of a catalogue.

use super::{Catalogue, DescriptionError, Fault, NamedKernel, text::Written};
use crate::{Kernel, ParameterValue, Samples, Scalar};
use std::{fmt, sync::Arc};

/// The values that a parameter takes.
///
/// # Example
/// ```
/// use npt_core::catalogue::Range;
///
/// assert!(Range::Positive.holds(&2.into()) && !Range::Positive.holds(&0.0.into()));
/// assert_eq!(Range::Positive.to_string(), "finite and above 0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Range {
    /// A finite number.
    Real,
    /// A finite number above 0.
    Positive,
    /// A number above 0 and at most 1.
    Share,
    /// One of these numbers.
    OneOf(&'static [f64]),
    /// A whole number, at least this one.
    AtLeast(usize),
    /// A list of finite numbers above 0.
    Positives,
    /// A list of finite numbers, none below 0.
    NotNegatives,
    /// Any text.
    Text,
}

impl Range {
    /// Returns whether the value is in the range. A whole number is a real one, too.
    pub fn holds(&self, value: &ParameterValue) -> bool {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        match (self, value) {
            (Self::AtLeast(least), ParameterValue::Integer(value)) => value >= least,
            (Self::Text, ParameterValue::Text(_)) => true,
            (Self::Positives, ParameterValue::List(values)) => values.iter().all(|&v| positive(v)),
            (Self::NotNegatives, ParameterValue::List(values)) => {
                values.iter().all(|&v| v >= 0.0 && v.is_finite())
            }
            _ => value.real().is_some_and(|value| match self {
                Self::Real => value.is_finite(),
                Self::Positive => positive(value),
                Self::Share => value > 0.0 && value <= 1.0,
                Self::OneOf(values) => values.contains(&value),
                _ => false,
            }),
        }
    }

    /// The kind of its values, in the words of an error message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Real | Self::Positive | Self::Share | Self::OneOf(_) => "a real number",
            Self::AtLeast(_) => "an integer",
            Self::Positives | Self::NotNegatives => "a list",
            Self::Text => "text",
        }
    }
}

/// Names what is allowed, in the words of an error message.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real => f.write_str("finite"),
            Self::Positive => f.write_str("finite and above 0"),
            Self::Share => f.write_str("above 0 and at most 1"),
            Self::OneOf(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "one of {}", values.join(", "))
            }
            Self::AtLeast(least) => write!(f, "at least {least}"),
            Self::Positives => f.write_str("finite numbers above 0"),
            Self::NotNegatives => f.write_str("finite numbers, none below 0"),
            Self::Text => f.write_str("text"),
        }
    }
}

/// A parameter of a kernel in a catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterEntry {
    name: &'static str,
    summary: &'static str,
    range: Range,
    default: Option<ParameterValue>,
}

impl ParameterEntry {
    /// The name, that of [`Kernel::set_parameter`](crate::Kernel::set_parameter).
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A line of documentation.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The values that it takes.
    pub fn range(&self) -> Range {
        self.range
    }

    /// The value where none is given; `None` where one must be.
    pub fn default(&self) -> Option<&ParameterValue> {
        self.default.as_ref()
    }
}

/// The number of kernels that a kernel is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parts {
    /// Exactly this number.
    Exactly(usize),
    /// This number or more.
    AtLeast(usize),
}

impl Parts {
    /// Returns whether a kernel may be made of `count` kernels.
    pub fn allows(&self, count: usize) -> bool {
        match *self {
            Self::Exactly(expected) => count == expected,
            Self::AtLeast(least) => count >= least,
        }
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(0) => f.write_str("no other kernel"),
            Self::Exactly(1) => f.write_str("one other kernel"),
            Self::Exactly(count) => write!(f, "{count} other kernels"),
            Self::AtLeast(1) => f.write_str("one other kernel or more"),
            Self::AtLeast(count) => write!(f, "{count} other kernels or more"),
        }
    }
}

type Make<S, F> = dyn Fn(&Catalogue<S, F>, &[Written], Option<usize>) -> Made<S, F> + Send + Sync;
type Made<S, F> = Result<NamedKernel<S, F>, DescriptionError>;

/// A kernel in a catalogue: its name, its formula, its parameters, how many kernels it is made of, and how.
///
/// Kernels are made with some values of their parameters; then each is [set](Kernel::set_parameter) by its name.
pub struct Entry<S, F> {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<ParameterEntry>,
    /// The part whose parameters these are, if they are not the kernel's own.
    part: Option<&'static str>,
    parts: Parts,
    make: Arc<Make<S, F>>,
}

impl<S: Samples, F: Scalar> Entry<S, F> {
    /// A kernel that `make` makes, with any values of its parameters.
    pub fn new<K>(
        name: &'static str,
        summary: &'static str,
        make: impl Fn() -> K + Send + Sync + 'static,
    ) -> Self
    where
        K: Kernel<S, Scalar = F> + Clone + 'static,
    {
        Self::of_parts(name, summary, Parts::Exactly(0), move |_| Ok(make()))
    }

    /// A kernel that `make` makes of other kernels on the same samples, with any values of its own parameters.
    pub fn of_parts<K>(
        name: &'static str,
        summary: &'static str,
        parts: Parts,
        make: impl Fn(Vec<NamedKernel<S, F>>) -> Result<K, crate::Error> + Send + Sync + 'static,
    ) -> Self
    where
        K: Kernel<S, Scalar = F> + Clone + 'static,
    {
        Self::written(name, summary, parts, move |catalogue, parts, at| {
            let parts = parts.iter().map(|part| catalogue.make(part));
            let kernel = make(parts.collect::<Result<_, _>>()?);
            let kernel = kernel.map_err(|error| Fault::Kernel(error.to_string()).at(at))?;
            Ok(NamedKernel::new(kernel))
        })
    }

    /// A kernel that is made of whatever is written in its brackets.
    pub(super) fn written(
        name: &'static str,
        summary: &'static str,
        parts: Parts,
        make: impl Fn(&Catalogue<S, F>, &[Written], Option<usize>) -> Made<S, F> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            summary,
            parameters: Vec::new(),
            part: None,
            parts,
            make: Arc::new(make),
        }
    }

    /// With one more parameter. Without a default it must be given.
    pub fn parameter(
        mut self,
        name: &'static str,
        summary: &'static str,
        range: Range,
        default: Option<ParameterValue>,
    ) -> Self {
        self.parameters.push(ParameterEntry {
            name,
            summary,
            range,
            default,
        });
        self
    }

    /// With the parameters of a part, which the kernel has under the path of the part.
    pub(super) fn parameters_of_part(
        mut self,
        part: &'static str,
        parameters: &[ParameterEntry],
    ) -> Self {
        self.part = Some(part);
        self.parameters.extend_from_slice(parameters);
        self
    }

    /// The name by which the kernel knows a parameter.
    pub(super) fn path(&self, parameter: &ParameterEntry) -> String {
        let of_part = self.part.map(|part| format!("{part}."));
        of_part.unwrap_or_default() + parameter.name
    }

    pub(super) fn make(
        &self,
        catalogue: &Catalogue<S, F>,
        parts: &[Written],
        at: Option<usize>,
    ) -> Made<S, F> {
        (self.make)(catalogue, parts, at)
    }

    /// Refuses parameters that the kernel has not, and what is given twice.
    pub(super) fn require_known(&self, written: &Written) -> Result<(), DescriptionError> {
        for (i, (at, given)) in written.parameters.iter().enumerate() {
            let names = || self.parameters.iter().map(|known| known.name);
            if !names().any(|name| name == given.name) {
                return Err(Fault::unknown_parameter(self.name, &given.name, names()).at(*at));
            }
            if written.parameters[..i]
                .iter()
                .any(|(_, earlier)| earlier.name == given.name)
            {
                let (kernel, parameter) = (self.name.to_owned(), given.name.clone());
                return Err(Fault::Repeated { kernel, parameter }.at(*at));
            }
        }
        Ok(())
    }

    /// The value that a parameter is given, or its default, and where it is written.
    pub(super) fn value(
        &self,
        parameter: &ParameterEntry,
        written: &Written,
    ) -> Result<(Option<usize>, ParameterValue), DescriptionError> {
        let mut all = written.parameters.iter();
        let Some((at, given)) = all.find(|(_, given)| given.name == parameter.name) else {
            let default = parameter.default.clone();
            let (kernel, name) = (self.name.to_owned(), parameter.name.to_owned());
            let missing = Fault::Missing {
                kernel,
                parameter: name,
            };
            return Ok((written.at, default.ok_or_else(|| missing.at(written.at))?));
        };
        let range = parameter.range;
        if !range.holds(&given.value) {
            let fault = if given.value.is_of(range.kind()) {
                Fault::OutOfRange {
                    kernel: self.name.to_owned(),
                    parameter: given.name.clone(),
                    value: given.value.clone(),
                    allowed: range,
                }
            } else {
                Fault::Parameter(given.value.wrong_kind(&given.name, range.kind()))
            };
            return Err(fault.at(*at));
        }
        Ok((*at, given.value.clone()))
    }
}

impl<S, F> Entry<S, F> {
    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The formula, or what it is, in a line.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Its own parameters, in the order in which they are printed.
    pub fn parameters(&self) -> &[ParameterEntry] {
        &self.parameters
    }

    /// The number of kernels that it is made of.
    pub fn parts(&self) -> Parts {
        self.parts
    }
}

impl<S, F> Clone for Entry<S, F> {
    fn clone(&self) -> Self {
        Self {
            name: self.name,
            summary: self.summary,
            parameters: self.parameters.clone(),
            part: self.part,
            parts: self.parts,
            make: Arc::clone(&self.make),
        }
    }
}

impl<S, F> fmt::Debug for Entry<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("parameters", &self.parameters)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}
