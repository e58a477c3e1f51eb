//! Entries that are chosen from a list, with their parameters.

use crate::Error;
use npt_core::{
    Description, Parameter, ParameterValue,
    catalogue::{DescriptionError, Heading},
};
use std::fmt;

/// An entry of a list, and the values that are given to its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen {
    pub(super) position: usize,
    pub(crate) name: &'static str,
    pub(crate) given: Vec<Parameter>,
}

impl Chosen {
    /// Reads a text that names an entry of the list.
    pub(crate) fn read<'a>(
        of: &'static str,
        list: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
        text: &str,
    ) -> Result<Self, Error> {
        let list = list.into_iter();
        Self::found(of, list.clone(), Heading::read(of, list, text))
    }

    /// Finds the entry of the list that a description names.
    pub(super) fn described<'a>(
        of: &'static str,
        list: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
        description: &Description,
    ) -> Result<Self, Error> {
        let list = list.into_iter();
        Self::found(of, list.clone(), Heading::described(of, list, description))
    }

    fn found<'a>(
        of: &'static str,
        mut list: impl Iterator<Item = &'a Heading>,
        found: Result<(usize, Vec<Parameter>), DescriptionError>,
    ) -> Result<Self, Error> {
        let (position, given) = found.map_err(|error| Error::description(of, error))?;
        Ok(Self {
            position,
            name: list.nth(position).map_or("", Heading::name),
            given,
        })
    }

    /// A copy with another value of one parameter.
    pub(super) fn with<'a>(
        &self,
        of: &'static str,
        list: impl IntoIterator<Item = &'a Heading, IntoIter: Clone>,
        name: &str,
        value: ParameterValue,
    ) -> Result<Self, Error> {
        let mut description = self.description();
        description
            .parameters
            .retain(|parameter| parameter.name != name);
        let name = name.to_owned();
        description.parameters.push(Parameter { name, value });
        Self::described(of, list, &description)
    }

    pub(super) fn description(&self) -> Description {
        let mut description = Description::new(self.name);
        description.parameters.clone_from(&self.given);
        description
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.description().fmt(f)
    }
}
