//! What is read is looked at before it is believed: parts that disagree are refused.

use crate::Scalar;

/// Implements `Deserialize` for a struct, by its fields and then by its `check_parts`.
///
/// It takes the fields again, as they are, with the attributes of serde that they need; a struct of the same name is derived from
/// them. Every generic parameter has to be `Deserialize`, and `where` says what else they have to be.
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

/// That a number is finite and above 0.
///
/// # Errors
/// Names the number.
pub fn positive<F: Scalar>(what: &str, value: F) -> Result<(), String> {
    if value > F::zero() && value.is_finite() {
        return Ok(());
    }
    Err(format!("{what} is {value}; it must be finite and above 0"))
}

/// That a number is finite and not below 0.
///
/// # Errors
/// Names the number.
pub fn not_negative<F: Scalar>(what: &str, value: F) -> Result<(), String> {
    if value >= F::zero() && value.is_finite() {
        return Ok(());
    }
    Err(format!(
        "{what} is {value}; it must be finite and at least 0"
    ))
}

/// That there is one of a thing at least.
///
/// # Errors
/// Says that there is none.
pub fn some(what: &str, found: usize) -> Result<(), String> {
    if found > 0 {
        return Ok(());
    }
    Err(format!("there are no {what}"))
}

/// That there is a place among so many.
///
/// # Errors
/// Says which there is not.
pub fn place(what: &str, found: usize, count: usize) -> Result<(), String> {
    if found < count {
        return Ok(());
    }
    Err(format!("there is no {what} {found} among {count}"))
}

/// That something was counted: no more than memory has room for, so that more can be added.
///
/// # Errors
/// Says how many there are said to be.
pub fn counted(what: &str, found: usize) -> Result<(), String> {
    if isize::try_from(found).is_ok() {
        return Ok(());
    }
    Err(format!("there cannot have been {found} {what}"))
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

    /// That the number is the type's own; a type of any number takes all.
    ///
    /// # Errors
    /// Those of `deserializer`; where it is another number.
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

/// What a model may know of the method inside it, of which it knows nothing but that it can be read: how many columns its records
/// have, and what it makes of them. A method says it as it is read, the model around it holds it against what it gives to it.
#[cfg(feature = "serde")]
pub mod method {
    use super::agree;
    use serde::{Deserialize, Deserializer};
    use std::{any::TypeId, cell::Cell};

    /// What a method says of itself.
    #[derive(Clone, Copy)]
    struct Widths {
        columns: usize,
        outputs: Option<usize>,
    }

    thread_local! {
        /// The method that was read last on this thread, and its widths. A method of another crate says nothing, and no trait would
        /// tell it from one that does.
        static SAID: Cell<Option<(TypeId, Widths)>> = const { Cell::new(None) };
    }

    fn say<M: 'static>(widths: Widths) {
        SAID.set(Some((TypeId::of::<M>(), widths)));
    }

    /// Says that records of the method `M` have so many columns.
    pub fn takes<M: 'static>(columns: usize) {
        let outputs = None;
        say::<M>(Widths { columns, outputs });
    }

    /// Says that the method `M` transforms records of so many columns to so many.
    pub fn maps<M: 'static>(columns: usize, outputs: usize) {
        let outputs = Some(outputs);
        say::<M>(Widths { columns, outputs });
    }

    /// A method as it is read, with its widths if it said them. What is inside it may say others.
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
        /// The method and another on its outputs, for which `Chain`, that has both inside, says what the two take and give.
        ///
        /// # Errors
        /// Where the second takes other records than those that the first gives.
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

        /// The method, unless it said that it takes other records than those of so many columns.
        ///
        /// # Errors
        /// Says how many it takes.
        pub fn of(self, columns: usize, what: &str) -> Result<M, String> {
            if let Some(widths) = self.widths {
                let expected = widths.columns;
                agree(what, columns, "columns that the method takes", expected)?;
            }
            Ok(self.method)
        }
    }
}
