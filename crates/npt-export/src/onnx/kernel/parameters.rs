//! Access to the description of a kernel.

use crate::Error;
use npt_core::{Description, ParameterValue};

/// The parameters and parts of a kernel.
#[derive(Clone, Copy)]
pub(super) struct Parameters<'a>(pub(super) &'a Description);

impl<'a> Parameters<'a> {
    /// The error of a kernel that has no form here: its name is not known, or its parameters are not those of the name.
    pub(super) fn unknown(self) -> Error {
        Error::Kernel {
            kernel: self.0.to_string(),
            format: "ONNX",
        }
    }

    fn value(self, name: &str) -> Result<&'a ParameterValue, Error> {
        let found = self.0.parameters.iter().find(|p| p.name == name);
        Ok(&found.ok_or_else(|| self.unknown())?.value)
    }

    pub(super) fn real(self, name: &str) -> Result<f64, Error> {
        match self.value(name)? {
            ParameterValue::Real(value) => Ok(*value),
            _ => Err(self.unknown()),
        }
    }

    pub(super) fn integer(self, name: &str) -> Result<usize, Error> {
        match self.value(name)? {
            ParameterValue::Integer(value) => Ok(*value),
            _ => Err(self.unknown()),
        }
    }

    pub(super) fn list(self, name: &str) -> Result<&'a [f64], Error> {
        match self.value(name)? {
            ParameterValue::List(values) => Ok(values),
            _ => Err(self.unknown()),
        }
    }

    pub(super) fn parts(self) -> impl Iterator<Item = &'a Description> {
        self.0.parts.iter().map(|(_, part)| part)
    }

    pub(super) fn part(self, index: usize) -> Result<&'a Description, Error> {
        self.parts().nth(index).ok_or_else(|| self.unknown())
    }
}
