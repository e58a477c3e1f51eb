//! Names, summaries and parameters of things that are made by name.

use super::{DescriptionError, Fault, Range, text, text::Written};
use crate::{Description, Parameter, ParameterValue};

/// A parameter of a kernel, a method or a space in a catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterEntry {
    name: &'static str,
    summary: &'static str,
    range: Range,
    default: Option<ParameterValue>,
    is_required: bool,
    /// The parameters of which only one may be given.
    one_of: &'static [&'static str],
}

impl ParameterEntry {
    /// A parameter that must be given.
    pub fn required(name: &'static str, summary: &'static str, range: Range) -> Self {
        Self {
            name,
            summary,
            range,
            default: None,
            is_required: true,
            one_of: &[],
        }
    }

    /// A parameter that need not be given; its summary says what holds without it.
    pub fn optional(name: &'static str, summary: &'static str, range: Range) -> Self {
        Self {
            is_required: false,
            ..Self::required(name, summary, range)
        }
    }

    /// A parameter with a default: the value that it has where none is given.
    pub fn with_default(
        name: &'static str,
        summary: &'static str,
        range: Range,
        default: ParameterValue,
    ) -> Self {
        Self::optional(name, summary, range).default_to(default)
    }

    /// Gives the parameter another default.
    pub fn default_to(self, default: ParameterValue) -> Self {
        Self {
            default: Some(default),
            is_required: false,
            ..self
        }
    }

    /// Takes the default away: the parameter must be given.
    pub fn without_default(self) -> Self {
        Self {
            default: None,
            is_required: true,
            ..self
        }
    }

    /// Puts the parameter in a group of several parameters of which only one may be given.
    pub fn one_of(self, parameters: &'static [&'static str]) -> Self {
        Self {
            one_of: parameters,
            ..self
        }
    }

    /// The name by which the parameter is given and set.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A line of documentation.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The values that the parameter takes.
    pub fn range(&self) -> Range {
        self.range
    }

    /// The default: the value where none is given.
    pub fn default(&self) -> Option<&ParameterValue> {
        self.default.as_ref()
    }

    /// Returns whether the parameter must be given.
    pub fn is_required(&self) -> bool {
        self.is_required
    }

    /// Refuses the parameter if another one of its group is given, too.
    fn check_alone(&self, of: &str, written: &Written) -> Result<(), Fault> {
        let given = self.one_of.iter().filter(|name| written.gives(name));
        let given: Vec<String> = given.map(ToString::to_string).collect();
        if given.len() < 2 {
            return Ok(());
        }
        Err(Fault::Exclusive {
            of: of.to_owned(),
            parameters: self.one_of,
            given,
        })
    }

    /// Refuses a value of another kind, or out of range.
    fn check(&self, of: &str, value: &ParameterValue) -> Result<(), Fault> {
        if self.range.holds(value) {
            return Ok(());
        }
        if !value.is_of(self.range.kind()) {
            let kind = self.range.kind();
            return Err(Fault::Parameter(value.wrong_kind(self.name, kind)));
        }
        Err(Fault::OutOfRange {
            of: of.to_owned(),
            parameter: self.name.to_owned(),
            value: value.clone(),
            allowed: self.range,
        })
    }
}

/// The heading of a kernel, a method or a space in a catalogue: its name, a line of documentation, and its parameters.
///
/// # Example
/// ```
/// use npt_core::catalogue::{Heading, ParameterEntry, Range};
///
/// let penalty = ParameterEntry::with_default("penalty", "The penalty λ.", Range::Positive, 1.0.into());
/// let ridge = Heading::new("ridge", "Ridge regression.").parameter(penalty);
/// let (position, given) = Heading::read("method", [&ridge], "ridge(penalty = 0.5)")?;
/// assert_eq!((position, given[0].value.clone()), (0, 0.5.into()));
///
/// let error = Heading::read("method", [&ridge], "ridge(penality = 0.5)").unwrap_err();
/// assert_eq!(error.to_string(), "character 7: ridge has no parameter penality; the nearest name is penalty");
/// let error = Heading::read("method", [&ridge], "ridge(penalty = 0)").unwrap_err();
/// assert_eq!(error.to_string(), "character 7: penalty of ridge is 0; it must be finite and above 0");
/// # Ok::<(), npt_core::catalogue::DescriptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<ParameterEntry>,
}

impl Heading {
    /// A heading without parameters.
    pub fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            parameters: Vec::new(),
        }
    }

    /// Adds a parameter.
    pub fn parameter(mut self, parameter: ParameterEntry) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The formula, or a description, in one line.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The parameters, in the order in which they are printed.
    pub fn parameters(&self) -> &[ParameterEntry] {
        &self.parameters
    }

    /// Reads a text such as `svc(c = 10)`. Returns the position of its heading among `headings`, and the values that the
    /// text gives to parameters, each in its range. `kind` names in errors the kind of thing that is read.
    ///
    /// # Errors
    /// [`DescriptionError`], with the position in the text.
    pub fn read<'a>(
        kind: &'static str,
        headings: impl IntoIterator<Item = &'a Self, IntoIter: Clone>,
        text: &str,
    ) -> Result<(usize, Vec<Parameter>), DescriptionError> {
        Self::found(kind, headings, &text::read(text)?)
    }

    /// Reads a description, as [`read`](Self::read) reads a text.
    ///
    /// # Errors
    /// [`DescriptionError`], without a position.
    pub fn described<'a>(
        kind: &'static str,
        headings: impl IntoIterator<Item = &'a Self, IntoIter: Clone>,
        description: &Description,
    ) -> Result<(usize, Vec<Parameter>), DescriptionError> {
        Self::found(kind, headings, &Written::of(description, 0)?)
    }

    fn found<'a>(
        kind: &'static str,
        headings: impl IntoIterator<Item = &'a Self, IntoIter: Clone>,
        written: &Written,
    ) -> Result<(usize, Vec<Parameter>), DescriptionError> {
        let headings = headings.into_iter();
        let position = headings.clone().position(|it| it.name == written.name);
        let names = headings.clone().map(|heading| heading.name);
        let unknown = || Fault::unknown_name(kind, &written.name, names).at(written.at);
        let position = position.ok_or_else(unknown)?;
        let heading = headings.clone().nth(position).expect("it was found");
        if !written.parts.is_empty() {
            let of = heading.name.to_owned();
            return Err(Fault::NoParts { of, kind }.at(written.at));
        }
        let mut given = Vec::new();
        for (parameter, (_, value)) in heading.values(written)? {
            if written.gives(parameter.name) {
                let name = parameter.name.to_owned();
                given.push(Parameter { name, value });
            }
        }
        Ok((position, given))
    }

    /// The value of each parameter that is given or has a default, and where it is written.
    pub(super) fn values(&self, written: &Written) -> Result<Vec<Valued<'_>>, DescriptionError> {
        self.require_known(written)?;
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let mut given = written.parameters.iter();
            match given.find(|(_, given)| given.name == parameter.name) {
                Some((at, given)) => {
                    let checked = parameter.check(self.name, &given.value);
                    let checked = checked.and_then(|()| parameter.check_alone(self.name, written));
                    checked.map_err(|fault| fault.at(*at))?;
                    values.push((parameter, (*at, parameter.range.canonical(&given.value))));
                }
                None if parameter.is_required => {
                    let (of, parameter) = (self.name.to_owned(), parameter.name.to_owned());
                    return Err(Fault::Missing { of, parameter }.at(written.at));
                }
                None => {
                    let default = parameter.default.iter();
                    values.extend(default.map(|value| (parameter, (None, value.clone()))));
                }
            }
        }
        Ok(values)
    }

    /// Refuses parameters that the heading does not have, and parameters that are given twice.
    fn require_known(&self, written: &Written) -> Result<(), DescriptionError> {
        for (i, (at, given)) in written.parameters.iter().enumerate() {
            let names = self.parameters.iter().map(|known| known.name);
            if !names.clone().any(|name| name == given.name) {
                return Err(Fault::unknown_parameter(self.name, &given.name, names).at(*at));
            }
            let mut earlier = written.parameters[..i].iter();
            if earlier.any(|(_, earlier)| earlier.name == given.name) {
                let (of, parameter) = (self.name.to_owned(), given.name.clone());
                return Err(Fault::Repeated { of, parameter }.at(*at));
            }
        }
        Ok(())
    }
}

/// A parameter, the place where its value is written, and the value.
pub(super) type Valued<'a> = (&'a ParameterEntry, (Option<usize>, ParameterValue));
