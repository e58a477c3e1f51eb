//! Sums in files and on their way to other machines. As for models, the code that writes and reads is compiled in this crate alone.

use super::{PartialSums, Parts, Sums, fit::FromSums, view::View};
use crate::{Error, Estimator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::path::Path;

/// The parts of sums in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Sums")]
struct Kept<E, V> {
    estimator: E,
    first: V,
    second: Option<V>,
    folds: usize,
    moments: Option<Parts>,
}

/// Writes the moments of all samples so far.
impl Serialize for Sums {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let part = self.part().map_err(ser::Error::custom)?;
        let kept = Kept {
            estimator: &self.estimator,
            first: &self.first,
            second: self.second.as_ref(),
            folds: self.folds,
            moments: part.moments,
        };
        kept.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Sums {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kept: Kept<Estimator, View> = Kept::deserialize(deserializer)?;
        Self::of_parts(kept).map_err(de::Error::custom)
    }
}

impl Sums {
    /// Saves the sums at `path`, and replaces a file that is there.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_at(path.as_ref())
    }

    fn save_at(&self, path: &Path) -> Result<(), Error> {
        Ok(npt_model_file::save(self, path)?)
    }

    /// Loads the sums at `path`.
    ///
    /// # Errors
    /// [`Error::File`] for a file that is damaged, or holds something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_from(path.as_ref())
    }

    fn load_from(path: &Path) -> Result<Self, Error> {
        Ok(npt_model_file::load(path)?)
    }

    /// Returns the bytes of the file that [`save`](Self::save) writes.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(npt_model_file::to_bytes(self)?)
    }

    /// Reads sums from the bytes of a file.
    ///
    /// # Errors
    /// [`Error::File`] for bytes that are damaged, or hold something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(npt_model_file::from_bytes(bytes)?)
    }

    /// Makes sums of the parts of a file; refuses parts that disagree.
    fn of_parts(kept: Kept<Estimator, View>) -> Result<Self, Error> {
        let from_sums = FromSums::of(&kept.estimator)?;
        from_sums.second_kernel(&kept.estimator, kept.second.is_some())?;
        let folds = kept.folds;
        if folds == 0 {
            return Err(Error::Folds { folds });
        }
        let sums = Self {
            estimator: kept.estimator,
            first: kept.first,
            second: kept.second,
            folds,
            fingerprint: 0,
            label: kept.moments.as_ref().and_then(Parts::label),
            running: None,
            merged: None,
        };
        let sums = sums.with_fingerprint()?;
        if let Some(moments) = &kept.moments {
            moments.check(&sums)?;
        }
        let merged = kept.moments;
        Ok(Self { merged, ..sums })
    }
}

impl PartialSums {
    /// Returns the bytes that one machine sends to another.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(npt_model_file::to_bytes(self)?)
    }

    /// Reads the sums that another machine sent.
    ///
    /// # Errors
    /// [`Error::File`] for bytes that are damaged, or hold something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(npt_model_file::from_bytes(bytes)?)
    }
}
