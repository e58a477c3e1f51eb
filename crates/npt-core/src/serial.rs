//! What is read is looked at before it is believed: parts that disagree are refused.

use crate::Scalar;

/// Implements `Deserialize` for a type with generic parameters, by its fields and then by its `check_parts`.
///
/// It takes the fields again, as they are; a struct of the same name is derived from them.
#[doc(hidden)]
#[macro_export]
macro_rules! checked {
    ($name:ident<$($generic:ident),*> { $($field:ident: $type:ty),* $(,)? } where $($bounds:tt)*) => {
        #[cfg(feature = "serde")]
        impl<'de, $($generic),*> serde::Deserialize<'de> for $name<$($generic),*>
        where
            $($generic: serde::Deserialize<'de>,)*
            $($bounds)*
        {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = {
                    #[derive(serde::Deserialize)]
                    struct $name<$($generic),*>
                    where
                        $($bounds)*
                    {
                        $($field: $type),*
                    }
                    let $name { $($field),* } = serde::Deserialize::deserialize(deserializer)?;
                    Self { $($field),* }
                };
                read.check_parts().map_err(serde::de::Error::custom)?;
                Ok(read)
            }
        }
    };
}

/// That there are as many of one thing as of another.
///
/// # Errors
/// Says how many there are of each.
pub fn agree(one: &str, found: usize, other: &str, expected: usize) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("there are {found} {one} for {expected} {other}"))
}

/// That all numbers are finite.
///
/// # Errors
/// Names one that is not.
pub fn finite<'a, F: Scalar>(
    what: &str,
    values: impl IntoIterator<Item = &'a F>,
) -> Result<(), String> {
    match values.into_iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(format!("{what} contain {value}; all must be finite")),
    }
}

/// What is computed at first use, written if it has been.
#[cfg(feature = "serde")]
pub mod once {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::OnceLock;

    /// The value, if there is one.
    ///
    /// # Errors
    /// Those of `serializer`.
    pub fn serialize<T: Serialize, S: Serializer>(
        cell: &OnceLock<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        cell.get().serialize(serializer)
    }

    /// As it was written.
    ///
    /// # Errors
    /// Those of `deserializer`.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<OnceLock<T>, D::Error> {
        let value = Option::<T>::deserialize(deserializer)?;
        Ok(value.map_or_else(OnceLock::new, OnceLock::from))
    }
}

/// The number of axes of an array that is named by a type alone, so that targets of one column are not read as a list of them.
#[cfg(feature = "serde")]
pub mod axes {
    use ndarray::Dimension;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
    use std::marker::PhantomData;

    /// The number; for any number of axes, none.
    ///
    /// # Errors
    /// Those of `serializer`.
    pub fn serialize<I: Dimension, S: Serializer>(
        _: &PhantomData<I>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        I::NDIM.serialize(serializer)
    }

    /// That the number is the type's own.
    ///
    /// # Errors
    /// Those of `deserializer`; where it is another number.
    pub fn deserialize<'de, I: Dimension, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PhantomData<I>, D::Error> {
        let found = Option::<usize>::deserialize(deserializer)?;
        if found == I::NDIM {
            return Ok(PhantomData);
        }
        let text = |axes: Option<usize>| axes.map_or("any".to_owned(), |axes| axes.to_string());
        let (found, expected) = (text(found), text(I::NDIM));
        Err(de::Error::custom(format!(
            "the targets have {found} axes, not {expected}"
        )))
    }
}
