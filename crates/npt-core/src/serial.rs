//! Checks of values that are read from files: parts that disagree are refused.

use crate::Scalar;

/// Implements `Deserialize` for a struct: its fields are read, and then checked by its `check_parts`.
///
/// The macro takes the fields once more, unchanged, with the attributes of serde that they need. It derives the reading for
/// a struct of the same name with these fields. Every generic parameter has to be `Deserialize`; `where` gives further
/// bounds.
#[doc(hidden)]
#[macro_export]
macro_rules! checked {
    (
        $(#[$of_all:meta])*
        $name:ident $(<$($generic:ident),*>)? { $($(#[$of_field:meta])* $field:ident: $type:ty),* $(,)? }
        $(where $($bounds:tt)*)?
    ) => {
        #[cfg(feature = "serde")]
        impl<'de $(, $($generic),*)?> serde::Deserialize<'de> for $name $(<$($generic),*>)?
        where
            $($($generic: serde::Deserialize<'de>,)*)?
            $($($bounds)*)?
        {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = {
                    #[derive(serde::Deserialize)]
                    $(#[$of_all])*
                    struct $name $(<$($generic),*>)?
                    where
                        $($($bounds)*)?
                    {
                        $($(#[$of_field])* $field: $type),*
                    }
                    let $name { $($field),* }: $name $(<$($generic),*>)? =
                        serde::Deserialize::deserialize(deserializer)?;
                    Self { $($field),* }
                };
                read.check_parts().map_err(serde::de::Error::custom)?;
                Ok(read)
            }
        }
    };
}

/// Checks that there are as many of one thing as of another.
///
/// # Errors
/// A message with the number of each.
pub fn agree(one: &str, found: usize, other: &str, expected: usize) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("there are {found} {one} for {expected} {other}"))
}

/// Checks that all numbers are finite.
///
/// # Errors
/// A message with a number that is not finite.
pub fn finite<'a, F: Scalar>(
    what: &str,
    values: impl IntoIterator<Item = &'a F>,
) -> Result<(), String> {
    match values.into_iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(format!("{what} contain {value}; all must be finite")),
    }
}

/// Checks that a number is finite and above 0.
///
/// # Errors
/// A message with the number.
pub fn positive<F: Scalar>(what: &str, value: F) -> Result<(), String> {
    if value > F::zero() && value.is_finite() {
        return Ok(());
    }
    Err(format!("{what} is {value}; it must be finite and above 0"))
}

/// Checks that a number is finite and not below 0.
///
/// # Errors
/// A message with the number.
pub fn not_negative<F: Scalar>(what: &str, value: F) -> Result<(), String> {
    if value >= F::zero() && value.is_finite() {
        return Ok(());
    }
    Err(format!(
        "{what} is {value}; it must be finite and at least 0"
    ))
}

/// Checks that there is at least one of a thing.
///
/// # Errors
/// A message that there is none.
pub fn some(what: &str, found: usize) -> Result<(), String> {
    if found > 0 {
        return Ok(());
    }
    Err(format!("there are no {what}"))
}

/// Checks that the index `found` is below `count`.
///
/// # Errors
/// A message with the index.
pub fn place(what: &str, found: usize, count: usize) -> Result<(), String> {
    if found < count {
        return Ok(());
    }
    Err(format!("there is no {what} {found} among {count}"))
}

/// Checks that a number can be a count: that it is no larger than memory has room for, so that more can be added.
///
/// # Errors
/// A message with the number.
pub fn counted(what: &str, found: usize) -> Result<(), String> {
    if isize::try_from(found).is_ok() {
        return Ok(());
    }
    Err(format!("there cannot have been {found} {what}"))
}

/// Reads and writes values that are computed at first use: they are written if they have been computed.
#[cfg(feature = "serde")]
pub mod once {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::OnceLock;

    /// Writes the value, if there is one.
    ///
    /// # Errors
    /// Those of `serializer`.
    pub fn serialize<T: Serialize, S: Serializer>(
        cell: &OnceLock<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        cell.get().serialize(serializer)
    }

    /// Reads the value that was written, if there was one.
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

/// The number of axes of an array type, kept in files so that targets of one column are not read as a list of columns.
#[cfg(feature = "serde")]
pub mod axes {
    use ndarray::Dimension;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
    use std::marker::PhantomData;

    /// Writes the number of axes; none for a type of any number of axes.
    ///
    /// # Errors
    /// Those of `serializer`.
    pub fn serialize<I: Dimension, S: Serializer>(
        _: &PhantomData<I>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        I::NDIM.serialize(serializer)
    }

    /// Checks that the number of axes is that of the type; a type of any number of axes takes all.
    ///
    /// # Errors
    /// Those of `deserializer`; and an error for another number of axes.
    pub fn deserialize<'de, I: Dimension, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PhantomData<I>, D::Error> {
        let found = Option::<usize>::deserialize(deserializer)?;
        if I::NDIM.is_none() || found == I::NDIM {
            return Ok(PhantomData);
        }
        let text = |axes: Option<usize>| axes.map_or("any".to_owned(), |axes| axes.to_string());
        let (found, expected) = (text(found), text(I::NDIM));
        Err(de::Error::custom(format!(
            "the targets have {found} axes, not {expected}"
        )))
    }
}

/// The widths of a method inside of a model that is read: the number of columns of its records, and the number of its
/// outputs. The model knows nothing of its method but that it can be read. So the method says its widths while it is read,
/// and the model compares them with the records that it gives to the method.
#[cfg(feature = "serde")]
pub mod method {
    use super::agree;
    use serde::{Deserialize, Deserializer};
    use std::{any::TypeId, cell::Cell};

    /// The widths that a method says of itself.
    #[derive(Clone, Copy)]
    struct Widths {
        columns: usize,
        outputs: Option<usize>,
    }

    thread_local! {
        /// The method that was read last on this thread, with its widths. A method of another crate says nothing, and no
        /// trait would tell it from a method that does.
        static SAID: Cell<Option<(TypeId, Widths)>> = const { Cell::new(None) };
    }

    fn say<M: 'static>(widths: Widths) {
        SAID.set(Some((TypeId::of::<M>(), widths)));
    }

    /// Says that records of the method `M` have `columns` columns.
    pub fn takes<M: 'static>(columns: usize) {
        let outputs = None;
        say::<M>(Widths { columns, outputs });
    }

    /// Says that the method `M` transforms records of `columns` columns to `outputs` columns.
    pub fn maps<M: 'static>(columns: usize, outputs: usize) {
        let outputs = Some(outputs);
        say::<M>(Widths { columns, outputs });
    }

    /// A method that was read, with its widths if it said them. The widths of methods inside of it are not taken for its
    /// own.
    pub struct Method<M> {
        method: M,
        widths: Option<Widths>,
    }

    impl<'de, M: Deserialize<'de> + 'static> Deserialize<'de> for Method<M> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            SAID.set(None);
            let method = M::deserialize(deserializer)?;
            let own = SAID
                .take()
                .filter(|(method, _)| *method == TypeId::of::<M>());
            let widths = own.map(|(_, widths)| widths);
            Ok(Self { method, widths })
        }
    }

    impl<M> Method<M> {
        /// Returns this method and a second one, which takes its outputs. The type `Chain` has both inside; it says its
        /// widths, if the first method said its own.
        ///
        /// # Errors
        /// If the second method takes records of another width than the first one returns.
        pub fn chained<Chain: 'static, Second>(
            self,
            second: Method<Second>,
        ) -> Result<(M, Second), String> {
            let outputs = self.widths.and_then(|widths| widths.outputs);
            if let (Some(outputs), Some(widths)) = (outputs, second.widths) {
                let (what, expected) = ("columns that the second takes", widths.columns);
                agree("outputs of the first method", outputs, what, expected)?;
            }
            if let Some(Widths { columns, .. }) = self.widths {
                let outputs = second.widths.and_then(|widths| widths.outputs);
                say::<Chain>(Widths { columns, outputs });
            }
            Ok((self.method, second.method))
        }

        /// Returns the method, unless it said that it takes records of another number of columns than `columns`.
        ///
        /// # Errors
        /// A message with the number of columns that the method takes.
        pub fn of(self, columns: usize, what: &str) -> Result<M, String> {
            if let Some(widths) = self.widths {
                let expected = widths.columns;
                agree(what, columns, "columns that the method takes", expected)?;
            }
            Ok(self.method)
        }
    }
}
