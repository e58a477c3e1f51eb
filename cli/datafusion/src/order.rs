//! A random order of rows that their values decide.

use crate::columns::{doubles, texts};
use datafusion::{
    arrow::{
        array::{ArrayRef, UInt64Array},
        datatypes::DataType,
    },
    common::{Result, plan_err},
    logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility},
};
use std::sync::Arc;

/// A hash of a seed and of the values of a row, the same on any machine.
#[derive(Debug, PartialEq, Eq, std::hash::Hash)]
pub(crate) struct RandomOrder {
    signature: Signature,
}

impl RandomOrder {
    pub fn new() -> Self {
        Self {
            signature: Signature::variadic_any(Volatility::Immutable),
        }
    }
}

impl ScalarUDFImpl for RandomOrder {
    fn name(&self) -> &str {
        "npt_random_order"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        if types.len() < 2 || !types[0].is_integer() {
            return plan_err!(
                "npt_random_order takes a seed, a whole number, and one column or more"
            );
        }
        Ok(DataType::UInt64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = args.args.into_iter();
        let arrays = arrays.map(|value| value.into_array(args.number_rows));
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_>>()?;
        let mut hashes = vec![0; args.number_rows];
        for (array, field) in arrays.iter().zip(&args.arg_fields) {
            add(&mut hashes, field.name(), array)?;
        }
        Ok(ColumnarValue::Array(Arc::new(UInt64Array::from(hashes))))
    }
}

/// Mixes the values of a column into the hashes of their rows.
fn add(hashes: &mut [u64], name: &str, array: &ArrayRef) -> Result<()> {
    let kind = array.data_type();
    if kind.is_floating() || matches!(kind, DataType::Boolean | DataType::Null) {
        for (hash, value) in hashes.iter_mut().zip(doubles(name, array)?) {
            // 0 and −0 are equal, and have one hash.
            *hash = mixed(*hash ^ (value + 0.0).to_bits());
        }
        return Ok(());
    }
    for (hash, text) in hashes.iter_mut().zip(texts(name, array)?) {
        let bytes = text.as_deref().unwrap_or_default().as_bytes();
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            *hash = mixed(*hash ^ u64::from_le_bytes(word));
        }
        *hash = mixed(*hash ^ bytes.len() as u64);
    }
    Ok(())
}

/// The last step of SplitMix64, by which each bit of the result depends on all bits.
fn mixed(hash: u64) -> u64 {
    let hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
