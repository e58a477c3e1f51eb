//! The errors of model files.

use std::{
    fmt::{self, Display, Write},
    io,
    path::Path,
};

/// The reason why a model was not saved or not loaded.
///
/// The page `docs/errors.md` of the repository says what each means, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not begin with the bytes of a model file.
    #[error("this is not a model file: it does not begin with the eight bytes of one")]
    NotAModelFile,
    /// The file has a format that this version does not know.
    #[error(
        "the file has format {found}, written by version {written_by}; this version reads format {newest}"
    )]
    Format {
        /// The format of the file.
        found: u32,
        /// The only format that is read so far.
        newest: u32,
        /// The version of the crate that wrote the file.
        written_by: String,
    },
    /// The file has fewer or more bytes than it says.
    #[error(
        "the file has {found} bytes, but it was written with {expected}: it was cut short, or something was added"
    )]
    Length {
        /// The length that the file states.
        expected: u64,
        /// The length that the file has.
        found: u64,
    },
    /// The file has other bytes than were written.
    #[error("the file is damaged: its checksum is {computed:08x}, not {stored:08x}")]
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the bytes.
        computed: u32,
    },
    /// The file holds another type than the one that was asked for.
    #[error("{}the file holds a {found}, not a {expected}", place(.at))]
    OtherType {
        /// The place, as the names of fields with dots between them; empty for the model itself.
        at: String,
        /// The name of the type that was asked for.
        expected: String,
        /// The name of the type in the file.
        found: String,
    },
    /// A number in the model is NaN. No model can predict with it.
    #[error("{}there is a NaN", place(.at))]
    NotANumber {
        /// The place, as the names of fields with dots between them; empty for the model itself.
        at: String,
    },
    /// A type refuses the contents of the file, or cannot be written to a file.
    #[error("{}{reason}", place(.at))]
    Refused {
        /// The place, as the names of fields with dots between them; empty for the model itself.
        at: String,
        /// The error of the type.
        reason: String,
    },
    /// The bytes do not have the form of a model, although their checksum is right.
    #[error("{}{reason}", place(.at))]
    Malformed {
        /// The place, as the names of fields with dots between them; empty for the model itself.
        at: String,
        /// The form that is wrong.
        reason: &'static str,
    },
    /// The file system refuses to read or write the file.
    #[error("{path}: {reason}")]
    File {
        /// The path of the file.
        path: String,
        /// The kind of refusal.
        kind: io::ErrorKind,
        /// The error of the operating system.
        reason: String,
    },
}

/// Writes the place of an error: "in `space.map`: ", or nothing for the model itself.
fn place(at: &str) -> String {
    if at.is_empty() {
        String::new()
    } else {
        format!("in `{at}`: ")
    }
}

/// The largest number of bytes of a text in an error: a file may contain texts of any length.
const LONGEST: usize = 1000;

/// Returns the text, or its beginning and "…".
fn beginning(text: impl Display) -> String {
    let mut begun = Beginning(String::new());
    // The buffer refuses more text when it is full.
    if write!(begun, "{text}").is_err() {
        begun.0.push('…');
    }
    begun.0
}

struct Beginning(String);

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.0.len() + letter.len_utf8() > LONGEST {
                return Err(fmt::Error);
            }
            self.0.push(letter);
        }
        Ok(())
    }
}

impl Error {
    pub(crate) fn malformed(reason: &'static str) -> Self {
        let at = String::new();
        Self::Malformed { at, reason }
    }

    pub(crate) fn other_type(expected: &str, found: &str) -> Self {
        let at = String::new();
        let (expected, found) = (expected.to_owned(), beginning(found));
        Self::OtherType {
            at,
            expected,
            found,
        }
    }

    pub(crate) fn not_a_number() -> Self {
        let at = String::new();
        Self::NotANumber { at }
    }

    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::File {
            path: path.display().to_string(),
            kind: error.kind(),
            reason: error.to_string(),
        }
    }

    /// Returns this error for a place inside of the field `name`.
    pub(crate) fn within(mut self, name: &str) -> Self {
        if let Self::OtherType { at, .. }
        | Self::NotANumber { at }
        | Self::Refused { at, .. }
        | Self::Malformed { at, .. } = &mut self
        {
            let dot = if at.is_empty() { "" } else { "." };
            at.insert_str(0, dot);
            at.insert_str(0, &beginning(name.escape_debug()));
        }
        self
    }

    fn refused(reason: impl Display) -> Self {
        Self::Refused {
            at: String::new(),
            reason: beginning(reason),
        }
    }
}

impl serde::ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::refused(message)
    }
}

impl serde::de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::refused(message)
    }
}

#[cfg(test)]
mod tests;
