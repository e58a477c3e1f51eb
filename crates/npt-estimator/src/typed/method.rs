//! Fitted methods by the names of their types.

use super::{AnyExpansion, labels::Plain};
use crate::{AnyKernel, AnySamples, Label, fitted::Fitted};
use npt_core::{ExpansionModel, serial::method::Method as Said};
use npt_export::libsvm::LibsvmMethod;
use npt_methods::linear::Svc;
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{EnumAccess, VariantAccess, Visitor},
};
use std::fmt;

/// A fitted method and its classes.
pub(crate) type Whole = Result<(Fitted, Vec<Label>), String>;

pub(crate) type With = dyn FnOnce(AnyExpansion) -> Whole;

/// A fitted linear method that waits for the expansion on whose values it works.
pub(super) struct Method(Box<With>);

impl Method {
    /// Puts the method on the values of an expansion; refuses an expansion with another number of functions.
    pub(super) fn with(self, expansion: AnyExpansion) -> Whole {
        (self.0)(expansion)
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_newtype_struct(BY_NAME, ByName)
            .map(Self)
    }
}

/// A method in the form that a [`Model`](crate::Model) has, and its classes.
pub(crate) type Finished<T> = (T, Vec<Label>);

pub(crate) type Expanded<T> = ExpansionModel<T, AnySamples, AnyKernel, f64>;

/// Reads a method of the type `Q`, which `finish` brings into the form of a [`Model`](crate::Model).
pub(crate) fn read<'de, Q, T: 'static, A>(
    object: A,
    finish: impl FnOnce(Q) -> Finished<T> + 'static,
    fitted: impl FnOnce(Expanded<T>) -> Fitted + 'static,
) -> Result<Box<With>, A::Error>
where
    Q: Deserialize<'de> + 'static,
    A: VariantAccess<'de>,
{
    let said: Said<Q> = object.newtype_variant()?;
    Ok(Box::new(move |expansion| {
        let functions = expansion.offsets().len();
        let method = said.of(functions, "functions of the expansion")?;
        let (method, classes) = finish(method);
        Ok((fitted(ExpansionModel::new(method, expansion)), classes))
    }))
}

/// A method without classes, as it is.
pub(crate) fn same<Q>(method: Q) -> Finished<Q> {
    (method, Vec::new())
}

/// A classifier whose labels are the positions of its classes.
pub(crate) fn by_position<Q>((classes, method): (Vec<Plain>, Q)) -> Finished<Q> {
    (method, classes.into_iter().map(Plain::label).collect())
}

/// A machine of two sides; the second side is the positive one.
pub(crate) fn sides(machine: Svc<f64>) -> Finished<Svc<f64>> {
    (machine, vec![false.into(), true.into()])
}

/// A machine of LIBSVM, with its labels in its order.
pub(crate) fn of_libsvm(method: LibsvmMethod) -> Finished<LibsvmMethod> {
    let labels = method.labels().iter().map(|&label| i64::from(label).into());
    let labels = labels.collect();
    (method, labels)
}

struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = Box<With>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fitted method")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Box<With>, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        Fitted::read_typed(&name, object)
    }
}
