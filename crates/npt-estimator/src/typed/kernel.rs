//! Kernels of typed models: their names, their fields and the kernels inside are those of the catalogue.

use crate::kernel::AnyKernel;
use ndarray::Array1;
use npt_core::{Description, Parameter, ParameterValue};
use npt_model_file::BY_NAME;
use serde::{
    Deserialize, Deserializer,
    de::{self, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor},
};
use std::fmt;

/// Reads a kernel that is kept under the name of its own type, or as its description.
pub(crate) struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = Description;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a kernel")
    }

    /// Reads a kernel in another format, as its description.
    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        kernel: D,
    ) -> Result<Description, D::Error> {
        Description::deserialize(kernel)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Description, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        of_object(&name, object)
    }
}

/// A kernel that is kept as its description.
#[derive(serde::Deserialize)]
#[serde(rename = "NamedKernel")]
struct Named(Description);

fn of_object<'de, A: VariantAccess<'de>>(name: &str, object: A) -> Result<Description, A::Error> {
    match name {
        "Description" => object.newtype_variant(),
        "NamedKernel" => object
            .newtype_variant()
            .map(|Named(description)| description),
        name if AnyKernel::is_known(name) => object.struct_variant(&[], Fields(name)),
        name => Err(de::Error::custom(format!(
            "{name} cannot be read as the kernel of a Model, which is one of those by name"
        ))),
    }
}

/// The fields of a kernel of this name.
struct Fields<'a>(&'a str);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = Description;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of the kernel {}", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Description, A::Error> {
        let mut description = Description::new(self.0);
        while let Some(name) = fields.next_key::<String>()? {
            match fields.next_value()? {
                Value::Parameter(value) => description.parameters.push(Parameter { name, value }),
                Value::Kernel(part) => description.parts.push((name, part)),
                Value::Kernels(parts) => {
                    let named = |(k, part)| (format!("{name}.{k}"), part);
                    description
                        .parts
                        .extend(parts.into_iter().enumerate().map(named));
                }
            }
        }
        Ok(description)
    }
}

/// The value of a field: a parameter, or the kernels that the kernel is made of.
enum Value {
    Parameter(ParameterValue),
    Kernel(Description),
    Kernels(Vec<Description>),
}

/// The letters of an alphabet; a kernel by name has them as one text.
#[derive(serde::Deserialize)]
struct Alphabet(Vec<char>);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(BY_NAME, AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a parameter of a kernel, or a kernel")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Parameter(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        let whole = usize::try_from(value).map_err(E::custom)?;
        Ok(Value::Parameter(ParameterValue::Integer(whole)))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Parameter(ParameterValue::Boolean(value)))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Parameter(ParameterValue::Text(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let (mut numbers, mut kernels) = (Vec::new(), Vec::new());
        while let Some(element) = elements.next_element()? {
            match element {
                Value::Parameter(ParameterValue::Real(number)) => numbers.push(number),
                Value::Kernel(kernel) => kernels.push(kernel),
                _ => {
                    return Err(de::Error::custom("a list has neither numbers nor kernels"));
                }
            }
        }
        match (numbers.is_empty(), kernels.is_empty()) {
            (_, true) => Ok(Value::Parameter(ParameterValue::List(numbers))),
            (true, false) => Ok(Value::Kernels(kernels)),
            (false, false) => Err(de::Error::custom("a list has both numbers and kernels")),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Value, A::Error> {
        let (name, object): (String, _) = object.variant()?;
        let real = |value: f64| Value::Parameter(value.into());
        match name.as_str() {
            "Array" => {
                let numbers: Array1<f64> = object.newtype_variant()?;
                Ok(Value::Parameter(ParameterValue::List(numbers.to_vec())))
            }
            "Alphabet" => {
                let Alphabet(letters) = object.newtype_variant()?;
                let text = letters.into_iter().collect();
                Ok(Value::Parameter(ParameterValue::Text(text)))
            }
            "Smoothness::Half" => object.unit_variant().map(|()| real(0.5)),
            "Smoothness::ThreeHalves" => object.unit_variant().map(|()| real(1.5)),
            "Smoothness::FiveHalves" => object.unit_variant().map(|()| real(2.5)),
            _ => of_object(&name, object).map(Value::Kernel),
        }
    }
}
