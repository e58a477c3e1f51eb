//! Entries of a catalogue.

use super::{
    Catalogue, DescriptionError, Fault, Heading, NamedKernel, ParameterEntry, Range, text::Written,
};
use crate::{Kernel, ParameterValue, Samples, Scalar};
use std::{fmt, sync::Arc};

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

/// An entry of a catalogue: a kernel's name, its formula, its parameters, the number of kernels that it is made of, and a
/// maker.
///
/// The maker gives the kernel with some values of its parameters; each parameter is then [set](Kernel::set_parameter) by its
/// name.
pub struct Entry<S, F> {
    heading: Heading,
    /// The path of the part that has the parameters; `None` if the kernel has them itself.
    part: Option<&'static str>,
    parts: Parts,
    make: Arc<Make<S, F>>,
}

impl<S: Samples, F: Scalar> Entry<S, F> {
    /// An entry for a kernel without parts. `make` returns the kernel, with any values of its parameters.
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

    /// An entry for a kernel that is made of other kernels on the same samples. `make` takes those kernels and returns the
    /// kernel, with any values of its own parameters.
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

    /// An entry for a kernel whose parts `make` reads itself, from what is written in the brackets.
    pub(super) fn written(
        name: &'static str,
        summary: &'static str,
        parts: Parts,
        make: impl Fn(&Catalogue<S, F>, &[Written], Option<usize>) -> Made<S, F> + Send + Sync + 'static,
    ) -> Self {
        Self {
            heading: Heading::new(name, summary),
            part: None,
            parts,
            make: Arc::new(make),
        }
    }

    /// Adds a parameter. A parameter without a default must be given.
    pub fn parameter(
        mut self,
        name: &'static str,
        summary: &'static str,
        range: Range,
        default: Option<ParameterValue>,
    ) -> Self {
        let parameter = match default {
            Some(value) => ParameterEntry::with_default(name, summary, range, value),
            None => ParameterEntry::required(name, summary, range),
        };
        self.heading = self.heading.parameter(parameter);
        self
    }

    /// Adds the parameters of a part. The kernel has them under the path of the part.
    pub(super) fn parameters_of_part(
        mut self,
        part: &'static str,
        parameters: &[ParameterEntry],
    ) -> Self {
        self.part = Some(part);
        let parameters = parameters.iter().cloned();
        self.heading = parameters.fold(self.heading, Heading::parameter);
        self
    }

    /// The name by which the kernel knows a parameter.
    pub(super) fn path(&self, parameter: &ParameterEntry) -> String {
        let of_part = self.part.map(|part| format!("{part}."));
        of_part.unwrap_or_default() + parameter.name()
    }

    pub(super) fn make(
        &self,
        catalogue: &Catalogue<S, F>,
        parts: &[Written],
        at: Option<usize>,
    ) -> Made<S, F> {
        (self.make)(catalogue, parts, at)
    }
}

impl<S, F> Entry<S, F> {
    /// The name, the summary and the parameters.
    pub fn heading(&self) -> &Heading {
        &self.heading
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.heading.name()
    }

    /// The formula of the kernel, or a description, in one line.
    pub fn summary(&self) -> &'static str {
        self.heading.summary()
    }

    /// The kernel's own parameters, in the order in which they are printed.
    pub fn parameters(&self) -> &[ParameterEntry] {
        self.heading.parameters()
    }

    /// The number of kernels that the kernel is made of.
    pub fn parts(&self) -> Parts {
        self.parts
    }
}

impl<S, F> Clone for Entry<S, F> {
    fn clone(&self) -> Self {
        Self {
            heading: self.heading.clone(),
            part: self.part,
            parts: self.parts,
            make: Arc::clone(&self.make),
        }
    }
}

impl<S, F> fmt::Debug for Entry<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("heading", &self.heading)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}
