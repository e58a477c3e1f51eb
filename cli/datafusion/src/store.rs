//! Models and sums by the texts that name them.

use crate::Error;
use datafusion::{arrow::datatypes::DataType, common::ScalarValue};
use npt_estimator::{Model, Sums};
use std::{
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The number of files that are kept in memory once they were read.
const KEPT: usize = 8;

/// The bytes of a model's or sums' file, as an argument that stands in the plan of a query: the machines that run the query need no file.
pub fn literal(bytes: Vec<u8>) -> ScalarValue {
    let bytes = ScalarValue::LargeBinary(Some(bytes));
    // A literal becomes an array with a value for each row of a batch. As a dictionary, that array has the bytes once.
    ScalarValue::Dictionary(Box::new(DataType::Int32), Box::new(bytes))
}

/// A model or sums, which are read from a file or from its bytes.
pub(crate) trait Kept: Sized {
    fn load(path: &Path) -> Result<Self, Error>;
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;
}

impl Kept for Model {
    fn load(path: &Path) -> Result<Self, Error> {
        Ok(Self::load(path)?)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_bytes(bytes)?)
    }
}

impl Kept for Sums {
    fn load(path: &Path) -> Result<Self, Error> {
        Ok(Self::load(path)?)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_bytes(bytes)?)
    }
}

/// The coarsest step of the times that file systems write, which FAT has. A file that was read within this time after it was written may
/// be written anew at what looks like the same time, so it is not kept.
const STEP: Duration = Duration::from_secs(2);

/// The thing that a literal names.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    /// A file, by its path, the time at which it was written, and its length.
    File(PathBuf, Option<SystemTime>, u64),
    Bytes(Vec<u8>),
}

impl Key {
    /// Returns whether the value that is read now is that of the key for good.
    fn is_settled(&self) -> bool {
        match self {
            Self::File(_, written, _) => {
                written.is_some_and(|written| written.elapsed().is_ok_and(|since| since > STEP))
            }
            Self::Bytes(_) => true,
        }
    }
}

/// Files that were read, the last one at the end.
type Read<T> = Vec<(Key, Arc<T>)>;

/// Values by name, and values of files. The values of the files that were read last stay in memory.
pub(crate) struct Store<T> {
    named: BTreeMap<String, Arc<T>>,
    reads_files: bool,
    read: Arc<Mutex<Read<T>>>,
}

/// Prints the names alone, as errors of a plan print whole functions.
impl<T> fmt::Debug for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.named.keys()).finish()
    }
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self {
            named: self.named.clone(),
            reads_files: self.reads_files,
            read: Arc::clone(&self.read),
        }
    }
}

/// Two stores are equal if they share the very same values. A planner compares functions by this.
impl<T> PartialEq for Store<T> {
    fn eq(&self, other: &Self) -> bool {
        let of_other = |(name, value): (&String, &Arc<T>)| {
            let found = other.named.get(name);
            found.is_some_and(|found| Arc::ptr_eq(found, value))
        };
        Arc::ptr_eq(&self.read, &other.read)
            && self.named.len() == other.named.len()
            && self.named.iter().all(of_other)
    }
}

impl<T> Eq for Store<T> {}

impl<T> Hash for Store<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.read).hash(state);
    }
}

impl<T> Store<T> {
    pub fn files() -> Self {
        Self {
            reads_files: true,
            ..Self::named()
        }
    }

    pub fn named() -> Self {
        Self {
            named: BTreeMap::new(),
            reads_files: false,
            read: Arc::default(),
        }
    }

    pub fn insert(&mut self, name: String, value: T) {
        self.named.insert(name, Arc::new(value));
    }
}

impl<T: Kept> Store<T> {
    /// The value that a literal names, or whose bytes it has; `None` for any other literal.
    pub fn get(&self, literal: &ScalarValue) -> Result<Option<Arc<T>>, Error> {
        let key = match literal {
            ScalarValue::Utf8(Some(name))
            | ScalarValue::LargeUtf8(Some(name))
            | ScalarValue::Utf8View(Some(name)) => {
                if let Some(value) = self.named.get(name) {
                    return Ok(Some(Arc::clone(value)));
                }
                if !self.reads_files {
                    return Err(Error::Unknown {
                        name: name.clone(),
                        known: self.named.keys().cloned().collect(),
                    });
                }
                let found = std::fs::metadata(name).ok();
                let written = found.as_ref().and_then(|found| found.modified().ok());
                let length = found.map_or(0, |found| found.len());
                Key::File(PathBuf::from(name), written, length)
            }
            ScalarValue::Dictionary(_, value) => match &**value {
                ScalarValue::LargeBinary(Some(bytes)) => Key::Bytes(bytes.clone()),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = read.iter().find(|(known, _)| *known == key) {
            return Ok(Some(Arc::clone(value)));
        }
        // Before the file is read: it may be written anew meanwhile.
        let is_settled = key.is_settled();
        let value: Arc<T> = Arc::new(match &key {
            Key::File(path, ..) => T::load(path)?,
            Key::Bytes(bytes) => T::from_bytes(bytes)?,
        });
        if !is_settled {
            return Ok(Some(value));
        }
        if read.len() == KEPT {
            read.remove(0);
        }
        read.push((key, Arc::clone(&value)));
        Ok(Some(value))
    }
}
