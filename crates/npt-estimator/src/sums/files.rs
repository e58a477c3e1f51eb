//! Sums in files.

use super::{Parts, Sums, fit::FromSums, view::View};
use crate::{Error, Estimator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

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
