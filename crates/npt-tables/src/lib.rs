//! Tables that are read in blocks of rows.
//!
//! [`Blocks`] makes datasets of a table: all of it at once ([`Blocks::read`]), or block by block, as an iterator, so that
//! no more than a block is in memory. Columns are chosen by name: features, targets, labels, sample weights, texts of a few
//! categories. A malformed row is a [`SourceError`] with its place; [`Blocks::skip_bad_rows`] leaves malformed rows out, and
//! counts them.
//!
//! | of | blocks | with the feature |
//! |---|---|---|
//! | comma-separated values | `CsvBlocks`, with another delimiter or encoding `CsvFormat` | `csv` |
//! | NumPy's arrays | `NpyBlocks` | `npy` |
//! | Parquet files | `ParquetBlocks` | `parquet` |
//! | anything that has rows | [`Blocks::of`] a [`Source`] of your own | none |
//!
//! Every method that takes a dataset takes these datasets, in any crate; the `streaming` module of `npt-methods` fits to blocks.
//!
//! # Example
//! ```
//! # #[cfg(feature = "csv")] {
//! use npt_tables::CsvBlocks;
//!
//! let table = "size,animal\n1,mouse\n50,cat\n2,mouse\n60,cat\n";
//! let data = CsvBlocks::new(table.as_bytes())?.labels("animal")?.read()?;
//! assert_eq!(data.records, ndarray::array![[1.0], [50.0], [2.0], [60.0]]);
//! assert_eq!(data.targets[1], "cat");
//!
//! let blocks = CsvBlocks::new(table.as_bytes())?.labels("animal")?.rows(3);
//! let rows: Result<Vec<_>, _> = blocks.map(|block| Ok(block?.records.nrows())).collect();
//! assert_eq!(rows?, [3, 1]);
//! # }
//! # Ok::<(), npt_tables::SourceError>(())
//! ```
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

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

pub use self::blocks::Blocks;
pub use self::categories::Categories;
#[cfg(feature = "csv")]
pub use self::csv::{CsvBlocks, CsvFormat, CsvRows, Encoding};
pub use self::error::{Place, SourceError};
#[cfg(feature = "npy")]
pub use self::npy::{NpyBlocks, NpyRows};
#[cfg(feature = "parquet")]
pub use self::parquet::{ParquetBlocks, ParquetRows, check_parquet_pages};
pub use self::source::{Column, Row, Source};
pub use self::targets::TableTargets;
