//! A sample of rows, as an aggregate.

use crate::columns::{doubles, texts};
use datafusion::{
    arrow::{
        array::{
            Array, ArrayRef, AsArray as _, Int64Array, ListArray, StructArray, UInt32Array,
            UInt64Array,
        },
        buffer::OffsetBuffer,
        compute::{concat, take},
        datatypes::{DataType, Field, FieldRef, Fields, Int64Type, UInt64Type},
    },
    common::{Result, ScalarValue, internal_err, plan_err},
    logical_expr::{
        Accumulator, AggregateUDFImpl, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
    },
    physical_expr::expressions::Literal,
};
use std::sync::Arc;

/// The field with the number of times that a row occurs. The field [`ORDER`] has the hash by which the row was drawn.
pub(crate) const COPIES: &str = "npt_copies";
const ORDER: &str = "npt_order";

/// The aggregate `npt_sample(rows, seed, columns…)`: `rows` different rows at random, each with the number of times that it occurs.
///
/// The rows with the smallest hashes of their values and the seed are drawn, so that the sample is the same in whatever parts and order
/// the rows come. A row of the sample belongs to the sample of each part that has it, and is counted there each time that it occurs.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sample {
    signature: Signature,
}

impl Sample {
    pub fn new() -> Self {
        Self {
            signature: Signature::variadic_any(Volatility::Immutable),
        }
    }
}

/// The type of a sample: a list of rows of these columns.
fn list_of(columns: &[FieldRef]) -> DataType {
    let kept = columns
        .iter()
        .map(|field| field.as_ref().clone().with_nullable(true));
    let counted = [
        Field::new(COPIES, DataType::Int64, false),
        Field::new(ORDER, DataType::UInt64, false),
    ];
    let fields: Fields = kept.chain(counted).collect();
    DataType::List(Arc::new(Field::new_list_field(
        DataType::Struct(fields),
        true,
    )))
}

impl AggregateUDFImpl for Sample {
    fn name(&self) -> &str {
        "npt_sample"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("the type of the result depends on the names of the columns")
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let Some(columns) = fields.get(2..).filter(|columns| !columns.is_empty()) else {
            return plan_err!("npt_sample takes a number of rows, a seed, and one column or more");
        };
        Ok(Arc::new(Field::new(self.name(), list_of(columns), true)))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let kind = args.return_field.data_type().clone();
        Ok(vec![Arc::new(Field::new(
            format!("{}[rows]", args.name),
            kind,
            true,
        ))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let number = |place: usize| {
            let literal = args.exprs.get(place)?.downcast_ref::<Literal>()?;
            match literal.value().cast_to(&DataType::UInt64).ok()? {
                ScalarValue::UInt64(number) => number,
                _ => None,
            }
        };
        let (Some(rows), Some(seed)) = (number(0), number(1)) else {
            return plan_err!(
                "npt_sample: the number of rows and the seed are whole numbers of the query itself"
            );
        };
        let DataType::List(item) = args.return_type() else {
            return internal_err!("a sample is a list");
        };
        let DataType::Struct(fields) = item.data_type() else {
            return internal_err!("the rows of a sample are structs");
        };
        Ok(Box::new(Drawn {
            rows: usize::try_from(rows).unwrap_or(usize::MAX).max(1),
            seed,
            fields: fields.clone(),
            parts: Vec::new(),
            pending: 0,
            largest: u64::MAX,
        }))
    }
}

/// The rows that are drawn so far, and the rows that came since.
#[derive(Debug)]
struct Drawn {
    rows: usize,
    seed: u64,
    /// The fields of the columns, of the number of copies, and of the order.
    fields: Fields,
    parts: Vec<StructArray>,
    /// The number of rows in the parts.
    pending: usize,
    /// The largest hash that a row may have to be drawn.
    largest: u64,
}

impl Drawn {
    /// Takes rows; rows of equal hashes are one row with more copies.
    fn add(&mut self, part: StructArray) -> Result<()> {
        self.pending += part.len();
        self.parts.push(part);
        if self.pending > 4 * self.rows {
            self.draw()?;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<()> {
        let parts: Vec<&dyn Array> = self.parts.iter().map(|part| part as &dyn Array).collect();
        if parts.is_empty() {
            return Ok(());
        }
        let all = concat(&parts)?;
        let all = all.as_struct();
        let last = all.num_columns() - 1;
        let order = all.column(last).as_primitive::<UInt64Type>().values();
        let copies = all.column(last - 1).as_primitive::<Int64Type>().values();
        let mut places: Vec<usize> = (0..all.len()).collect();
        // The first of equal rows stands for all.
        places.sort_by_key(|&place| order[place]);
        let mut kept: Vec<(u32, i64)> = Vec::with_capacity(self.rows);
        let mut before = None;
        for place in places {
            let is_repeated = before == Some(order[place]);
            let is_full = kept.len() == self.rows;
            match kept.last_mut().filter(|_| is_repeated) {
                Some((_, number)) => *number += copies[place],
                None if is_full => break,
                None => kept.push((u32::try_from(place).unwrap_or(u32::MAX), copies[place])),
            }
            before = Some(order[place]);
        }
        if let Some((place, _)) = kept.last().filter(|_| kept.len() == self.rows) {
            self.largest = order[*place as usize];
        }
        let places: UInt32Array = kept.iter().map(|(place, _)| Some(*place)).collect();
        let columns = all
            .columns()
            .iter()
            .map(|column| take(column, &places, None));
        let mut columns = columns.collect::<Result<Vec<ArrayRef>, _>>()?;
        columns[last - 1] = Arc::new(Int64Array::from_iter_values(
            kept.iter().map(|(_, copies)| *copies),
        ));
        self.pending = kept.len();
        self.parts = vec![StructArray::try_new(self.fields.clone(), columns, None)?];
        Ok(())
    }

    fn list(&mut self) -> Result<ScalarValue> {
        self.draw()?;
        let item = Arc::new(Field::new_list_field(
            DataType::Struct(self.fields.clone()),
            true,
        ));
        let list = match self.parts.first() {
            Some(rows) => {
                let offsets = OffsetBuffer::from_lengths([rows.len()]);
                ListArray::try_new(item, offsets, Arc::new(rows.clone()), None)?
            }
            None => ListArray::new_null(item, 1),
        };
        Ok(ScalarValue::List(Arc::new(list)))
    }
}

impl Accumulator for Drawn {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let columns = &values[2..];
        let mut order = vec![mixed(self.seed); values[0].len()];
        for (array, field) in columns.iter().zip(&self.fields) {
            add(&mut order, field.name(), array)?;
        }
        let places = (0..order.len()).filter(|&place| order[place] <= self.largest);
        let places: UInt32Array = places.map(|place| u32::try_from(place).ok()).collect();
        if places.is_empty() {
            return Ok(());
        }
        let order: ArrayRef = Arc::new(UInt64Array::from(order));
        let copies: ArrayRef = Arc::new(Int64Array::from(vec![1; order.len()]));
        let all = columns.iter().chain([&copies, &order]);
        let all = all
            .map(|array| take(array, &places, None))
            .collect::<Result<Vec<_>, _>>()?;
        self.add(StructArray::try_new(self.fields.clone(), all, None)?)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for rows in states[0].as_list::<i32>().iter().flatten() {
            self.add(rows.as_struct().clone())?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.list()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.list()
    }

    fn size(&self) -> usize {
        let parts = self.parts.iter().map(Array::get_array_memory_size);
        size_of_val(self) + parts.sum::<usize>()
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
