//! The functions in queries, compared with the answers of models and sums about the same samples.

mod functions;
mod moments;
mod refused;

use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray as _, Float64Array, RecordBatch, StringArray},
        compute::concat_batches,
        datatypes::{Float64Type, Schema},
    },
    datasource::MemTable,
    prelude::{SessionConfig, SessionContext},
};
use npt_datafusion::Functions;
use npt_estimator::{Column, Data};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256Plus;
use std::sync::Arc;

/// Rows with two numbers, a colour, a class and a wave.
pub struct Rows {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub colour: Vec<&'static str>,
    pub wave: Vec<f64>,
    pub class: Vec<&'static str>,
}

impl Rows {
    pub fn made(rows: usize, seed: u64) -> Self {
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let x: Vec<f64> = (0..rows).map(|_| rng.r#gen::<f64>() * 4.0).collect();
        let y: Vec<f64> = (0..rows).map(|_| rng.r#gen::<f64>() * 100.0).collect();
        let colour: Vec<&str> = (0..rows)
            .map(|_| ["red", "blue", "green"][rng.gen_range(0..3)])
            .collect();
        let bend = |colour: &str| if colour == "red" { 0.5 } else { 0.0 };
        let wave: Vec<f64> = (0..rows)
            .map(|i| (x[i] * 1.5).sin() + y[i] / 50.0 + bend(colour[i]))
            .collect();
        let class = wave
            .iter()
            .map(|wave| if *wave > 1.2 { "high" } else { "low" });
        Self {
            class: class.collect(),
            x,
            y,
            colour,
            wave,
        }
    }

    pub fn data(&self) -> Data {
        Data::from_columns([
            ("x", Column::from(self.x.clone())),
            ("y", Column::from(self.y.clone())),
            ("colour", Column::from(self.colour.clone())),
        ])
        .unwrap()
    }

    pub fn numbers(&self) -> Data {
        self.data().select(&["x", "y"]).unwrap()
    }

    pub fn batch(&self) -> RecordBatch {
        let numbers = |values: &Vec<f64>| Arc::new(Float64Array::from(values.clone())) as ArrayRef;
        let texts =
            |values: &Vec<&'static str>| Arc::new(StringArray::from(values.clone())) as ArrayRef;
        let weights = (0..self.x.len()).map(|row| (row % 3) as f64).collect();
        RecordBatch::try_from_iter([
            ("x", numbers(&self.x)),
            ("y", numbers(&self.y)),
            ("colour", texts(&self.colour)),
            ("wave", numbers(&self.wave)),
            ("class", texts(&self.class)),
            ("weight", numbers(&weights)),
        ])
        .unwrap()
    }
}

/// A session with the rows as the table `samples`, in this number of partitions.
pub fn session(functions: &Functions, batch: &RecordBatch, partitions: usize) -> SessionContext {
    let config = SessionConfig::new()
        .with_target_partitions(partitions)
        .with_batch_size(100);
    let mut context = SessionContext::new_with_config(config);
    functions.register(&mut context).unwrap();
    let rows = batch.num_rows();
    let part = |k: usize| {
        let (from, to) = (k * rows / partitions, (k + 1) * rows / partitions);
        vec![batch.slice(from, to - from)]
    };
    let table = MemTable::try_new(batch.schema(), (0..partitions).map(part).collect()).unwrap();
    context.register_table("samples", Arc::new(table)).unwrap();
    context
}

/// All rows of a query, or its error in words.
pub async fn rows(context: &SessionContext, query: &str) -> Result<RecordBatch, String> {
    let frame = context.sql(query).await;
    let frame = frame.map_err(|error| error.find_root().to_string())?;
    let batches = frame.collect().await;
    let batches = batches.map_err(|error| error.find_root().to_string())?;
    let schema = batches
        .first()
        .map_or(Arc::new(Schema::empty()), RecordBatch::schema);
    concat_batches(&schema, &batches).map_err(|error| error.to_string())
}

/// The one column of numbers of a query.
pub async fn numbers(context: &SessionContext, query: &str) -> Vec<Option<f64>> {
    let batch = rows(context, query).await.unwrap();
    batch
        .column(0)
        .as_primitive::<Float64Type>()
        .iter()
        .collect()
}
