//! Tables that are read block by block.

mod blocks;
mod categories;
#[cfg(feature = "csv")]
mod csv;
mod error;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod reading;
mod roles;
mod source;
mod targets;
#[cfg(any(feature = "npy", feature = "parquet"))]
mod value;

pub use blocks::Blocks;
pub use categories::Categories;
#[cfg(feature = "csv")]
pub use csv::{CsvBlocks, CsvFormat, CsvRows, Encoding};
pub use error::{Place, SourceError};
#[cfg(feature = "npy")]
pub use npy::{NpyBlocks, NpyRows};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetBlocks, ParquetRows};
pub use source::{Column, Row, Source};
pub use targets::TableTargets;
