//! Kernel models as functions of SQL, for any program with [DataFusion](datafusion).
//!
//! | function | result |
//! |---|---|
//! | `npt_predict(model, columns…)` | the prediction: a class, a number, the number of a cluster, whether a row is novel; several targets as a struct |
//! | `npt_probabilities(model, columns…)` | a struct with the probability of each class: `npt_probabilities(…)['wide']` |
//! | `npt_transform(model, columns…)` | an array of the components: `npt_transform(…)[1]` is the first |
//! | `npt_novelty(model, columns…)` | how unlike the training samples a row is: for a detector the negated decision, above 0 if the row is novel; for kernel coordinates the squared distance from their space |
//! | `kernel_moments(sums, target, columns…)` | an aggregate: the bytes of sums of kernel coordinates, from which ridge, components and discriminants [follow](npt_estimator::Sums::merge) |
//! | `kernel_moments_weighted(sums, weight, target, columns…)` | the same for rows with weights |
//! | `npt_sample(rows, seed, columns…)` | an aggregate: a list of `rows` different rows at random, as structs of the columns and of `npt_copies`, the number of times that the row occurs. The values of a row and the seed decide, so that the sample is the same in whatever parts and order the rows come |
//!
//! # Arguments
//! `model` is the path of a model's file, or a name that the program has given to a [model](Functions::model); `sums` is the path of the file
//! of [`Sums`](npt_estimator::Sums) without samples, such a name, or [a literal](literal) with the file's bytes.
//!
//! The columns stand in the model's order; or they are one struct, from which the model takes its columns by name, as in
//! `npt_predict('m.npt', named_struct('width', w, 'height', h))`. A column that stands in the place of another column of the model is
//! refused. If a value of a row is missing, its prediction is missing too, unless the model takes missing values; an aggregate refuses
//! such rows.
//!
//! # Example
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use datafusion::{arrow::util::pretty::pretty_format_batches, prelude::SessionContext};
//! use npt_datafusion::Functions;
//! use npt_estimator::{Column, Data, Estimator};
//!
//! let width = Column::from(vec![0.0, 1.0, 4.0, 5.0]);
//! let data = Data::from_columns([("width", width)])?;
//! let model = Estimator::new("svc", "gaussian(gamma = 1)")?.fit(&data, vec!["narrow", "narrow", "wide", "wide"])?;
//!
//! let mut context = SessionContext::new();
//! Functions::named().model("widths", model).register(&mut context)?;
//! let rows = context
//!     .sql("select w, npt_predict('widths', w) as class from (values (0.5), (4.5), (null)) as rows(w)")
//!     .await?
//!     .collect()
//!     .await?;
//! let expected = "\
//! +-----+--------+
//! | w   | class  |
//! +-----+--------+
//! | 0.5 | narrow |
//! | 4.5 | wide   |
//! |     |        |
//! +-----+--------+";
//! assert_eq!(pretty_format_batches(&rows)?.to_string(), expected);
//! # Ok(())
//! # }
//! ```

mod columns;
mod error;
mod moments;
mod question;
mod results;
mod sample;
mod store;

pub use columns::{doubles, words_of_type};
pub use error::Error;
pub use store::literal;

use datafusion::{common::Result, execution::FunctionRegistry, logical_expr::ScalarUDF};
use moments::KernelMoments;
use npt_estimator::{Model, Sums};
use question::{ModelFunction, Question};
use sample::Sample;
use std::sync::Arc;
use store::Store;

/// The functions, and the models that they know by name.
#[derive(Debug, Clone)]
pub struct Functions {
    models: Store<Model>,
    sums: Store<Sums>,
}

impl Functions {
    /// Functions that read models from files by their paths. Whoever writes the query may name any file that the program can read.
    pub fn of_files() -> Self {
        Self {
            models: Store::files(),
            sums: Store::files(),
        }
    }

    /// Functions that know the models and sums they are given, and open no file.
    pub fn named() -> Self {
        Self {
            models: Store::named(),
            sums: Store::named(),
        }
    }

    /// Adds a model under a name, which goes before a file of that path.
    pub fn model(mut self, name: impl Into<String>, model: Model) -> Self {
        self.models.insert(name.into(), model);
        self
    }

    /// Adds sums without samples under a name, which goes before a file of that path.
    pub fn sums(mut self, name: impl Into<String>, sums: Sums) -> Self {
        self.sums.insert(name.into(), sums);
        self
    }

    /// Registers all functions, for example in a `SessionContext`.
    ///
    /// # Errors
    /// The errors of the registry.
    pub fn register(&self, registry: &mut dyn FunctionRegistry) -> Result<()> {
        for question in Question::ALL {
            let function = ModelFunction::new(question, self.models.clone());
            registry.register_udf(Arc::new(ScalarUDF::new_from_impl(function)))?;
        }
        registry.register_udaf(Arc::new(Sample::new().into()))?;
        for is_weighted in [false, true] {
            let aggregate = KernelMoments::new(is_weighted, self.sums.clone());
            registry.register_udaf(Arc::new(aggregate.into()))?;
        }
        Ok(())
    }
}
