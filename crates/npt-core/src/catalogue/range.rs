//! Ranges of parameters.

use crate::ParameterValue;
use std::fmt;

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
    /// A finite number that is not below 0.
    NotNegative,
    /// A number above 0 and at most 1.
    Share,
    /// A number above 0 and below 1.
    ProperFraction,
    /// One of these numbers.
    OneOf(&'static [f64]),
    /// A whole number, at least this one.
    AtLeast(usize),
    /// A list of finite numbers above 0, or one such number.
    Positives,
    /// A list of finite numbers, none below 0, or one such number.
    NotNegatives,
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Boolean,
}

impl Range {
    /// Returns whether the value is in the range. A whole number is a real one, too.
    pub fn holds(&self, value: &ParameterValue) -> bool {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        match (self, value) {
            (Self::AtLeast(least), ParameterValue::Integer(value)) => value >= least,
            (Self::Text, ParameterValue::Text(_)) | (Self::Boolean, ParameterValue::Boolean(_)) => {
                true
            }
            (Self::Word(words), ParameterValue::Text(word)) => words.contains(&word.as_str()),
            (Self::Positives, ParameterValue::List(values)) => values.iter().all(|&v| positive(v)),
            (Self::NotNegatives, ParameterValue::List(values)) => {
                values.iter().all(|&v| not_negative(v))
            }
            _ => value.real().is_some_and(|value| match self {
                Self::Real => value.is_finite(),
                Self::Positive | Self::Positives => positive(value),
                Self::NotNegative | Self::NotNegatives => not_negative(value),
                Self::Share => value > 0.0 && value <= 1.0,
                Self::ProperFraction => value > 0.0 && value < 1.0,
                Self::OneOf(values) => values.contains(&value),
                _ => false,
            }),
        }
    }

    /// The value converted to the kind of the range: a whole number to a real one, a number to a list of one.
    pub(super) fn canonical(&self, value: &ParameterValue) -> ParameterValue {
        match (value.real(), self.kind()) {
            (Some(value), "a real number") => value.into(),
            (Some(value), "a list") => vec![value].into(),
            _ => value.clone(),
        }
    }

    /// The kind of the values, in the words of an error message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Real
            | Self::Positive
            | Self::NotNegative
            | Self::Share
            | Self::ProperFraction
            | Self::OneOf(_) => "a real number",
            Self::AtLeast(_) => "an integer",
            Self::Positives | Self::NotNegatives => "a list",
            Self::Text | Self::Word(_) => "text",
            Self::Boolean => "true or false",
        }
    }

    /// The words of an error message for what is allowed; `None` where they depend on the values that the range holds.
    #[doc(hidden)]
    pub fn words(&self) -> Option<&'static str> {
        Some(match self {
            Self::Real => "finite",
            Self::Positive => "finite and above 0",
            Self::NotNegative => "finite and at least 0",
            Self::Share => "above 0 and at most 1",
            Self::ProperFraction => "above 0 and below 1",
            Self::AtLeast(0) => "at least 0",
            Self::AtLeast(1) => "at least 1",
            Self::AtLeast(2) => "at least 2",
            Self::Positives => "finite numbers above 0",
            Self::NotNegatives => "finite numbers, none below 0",
            Self::Text => "text",
            Self::Boolean => "true or false",
            Self::OneOf(_) | Self::AtLeast(_) | Self::Word(_) => return None,
        })
    }
}

/// Names what is allowed, in the words of an error message.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = self.words() {
            return f.write_str(words);
        }
        let listed = |values: Vec<String>| format!("one of {}", values.join(", "));
        match self {
            Self::OneOf(values) => {
                f.write_str(&listed(values.iter().map(ToString::to_string).collect()))
            }
            Self::Word(words) => f.write_str(&listed(
                words.iter().map(|word| format!("{word:?}")).collect(),
            )),
            Self::AtLeast(least) => write!(f, "at least {least}"),
            _ => Ok(()),
        }
    }
}
