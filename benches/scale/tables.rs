//! Times the reading of rows from tables, beside rows that are made on the fly.

use super::{BLOCK, Numbers, timed};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Ix1, concatenate};
use npt::{
    methods::{
        linear::{Pca, Ridge},
        streaming::{CoordinateMoments, FitMoments, Reservoir},
    },
    prelude::*,
    tables::{Blocks, CsvBlocks, ParquetBlocks, Source},
};
use npt_testkit::data;
use parquet::{
    basic::Compression,
    data_type::DoubleType,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};
use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The number of features in a row of the stream; the target is one column more.
const FEATURES: usize = 28;

/// The number of blocks in a row group of a Parquet file.
const BLOCKS_OF_A_GROUP: usize = 25;

type Block = Dataset<f64, f64, Ix1>;

/// The k-th block of a stream of `rows` rows in all.
fn made_block(rows: usize, features: usize, k: usize) -> Block {
    let x = data::normal(BLOCK.min(rows - k * BLOCK), features, k as u64);
    let target = |row: ArrayView1<'_, f64>| row[0] * row[1] + row[2].abs() + row[3].sin();
    let targets: Array1<f64> = x.map_axis(Axis(1), target);
    Dataset::new(x, targets)
}

/// All blocks of a stream of `rows` rows.
fn made(rows: usize, features: usize) -> impl Iterator<Item = Block> {
    (0..rows.div_ceil(BLOCK)).map(move |k| made_block(rows, features, k))
}

/// A file of made rows, with features and the target.
struct Table {
    rows: usize,
    columns: usize,
    path: PathBuf,
}

impl Table {
    fn new(folder: &Path, rows: usize, columns: usize, format: &str) -> Self {
        let path = folder.join(format!("stream-{rows}-{columns}.{format}"));
        Self {
            rows,
            columns,
            path,
        }
    }

    /// Matrices whose first columns are the features of a block; the last column is the target.
    fn matrices(&self) -> impl Iterator<Item = Array2<f64>> {
        made(self.rows, self.columns - 1).map(|block| {
            let target = block.targets.view().insert_axis(Axis(1));
            concatenate(Axis(1), &[block.records.view(), target]).expect("as many rows")
        })
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let features = (1..self.columns).map(|column| format!("x{column}"));
        features.chain(["y".to_owned()])
    }

    fn megabytes(&self) -> f64 {
        let file = fs::metadata(&self.path).expect("it was written before");
        file.len() as f64 / 1e6
    }

    fn file(&self) -> File {
        File::open(&self.path).expect("it was written before")
    }

    fn csv(&self) -> CsvBlocks<File> {
        let blocks = CsvBlocks::new(self.file()).expect("names");
        blocks
            .target("y")
            .expect("a column of this name")
            .rows(BLOCK)
    }

    fn parquet(&self) -> ParquetBlocks<File> {
        let blocks = ParquetBlocks::new(self.file()).expect("a Parquet file");
        blocks
            .target("y")
            .expect("a column of this name")
            .rows(BLOCK)
    }

    fn write_csv(&self) {
        let mut file = BufWriter::new(File::create(&self.path).expect("a file"));
        let names: Vec<String> = self.names().collect();
        writeln!(file, "{}", names.join(",")).expect("room");
        for matrix in self.matrices() {
            for row in matrix.rows() {
                let values: Vec<String> = row.iter().map(f64::to_string).collect();
                writeln!(file, "{}", values.join(",")).expect("room");
            }
        }
        file.flush().expect("room");
    }

    fn write_parquet(&self) {
        let columns = self.names().map(|name| format!("required double {name};"));
        let schema = format!("message table {{ {} }}", columns.collect::<String>());
        let schema = parse_message_type(&schema).expect("a schema");
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let file = File::create(&self.path).expect("a file");
        let mut writer =
            SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))
                .expect("a header");
        let mut matrices = self.matrices().peekable();
        while matrices.peek().is_some() {
            let some: Vec<Array2<f64>> = matrices.by_ref().take(BLOCKS_OF_A_GROUP).collect();
            let some: Vec<ArrayView2<'_, f64>> = some.iter().map(Array2::view).collect();
            let some = concatenate(Axis(0), &some).expect("as many columns");
            let mut group = writer.next_row_group().expect("a row group");
            for column in some.columns() {
                let mut writer = group.next_column().expect("room").expect("a column");
                let typed = writer.typed::<DoubleType>();
                typed
                    .write_batch(&column.to_vec(), None, None)
                    .expect("room");
                writer.close().expect("room");
            }
            group.close().expect("room");
        }
        writer.close().expect("room");
    }
}

/// Writes a table of made rows, and returns the seconds and its size in MB.
pub(super) fn write(folder: &Path, rows: usize, columns: usize, format: &str) -> Numbers {
    let table = Table::new(folder, rows, columns, format);
    let (seconds, ()) = timed(|| match format {
        "csv" => table.write_csv(),
        _ => table.write_parquet(),
    });
    vec![("seconds", seconds), ("size", table.megabytes())]
}

/// Reads a table block by block and sums its values, no more.
pub(super) fn read(folder: &Path, rows: usize, columns: usize, format: &str) -> Numbers {
    fn sum<S: Source>(blocks: Blocks<S>) -> (usize, f64) {
        let blocks = blocks.map(|block| block.expect("a block"));
        blocks.fold((0, 0.0), |(rows, sum), block| {
            (rows + block.records.nrows(), sum + block.records.sum())
        })
    }
    let table = Table::new(folder, rows, columns, format);
    let before = cpu_seconds();
    let (seconds, (found, sum)) = timed(|| match format {
        "csv" => sum(table.csv()),
        _ => sum(table.parquet()),
    });
    let cpu = cpu_seconds() - before;
    assert_eq!(found, rows);
    vec![
        ("seconds", seconds),
        ("cpu", cpu),
        ("speed", table.megabytes() / cpu),
        ("size", table.megabytes()),
        ("sum", sum),
    ]
}

/// The time that all threads of this process have computed, in seconds. Other processes that run at the same time lengthen it less than they
/// lengthen the time that passes.
fn cpu_seconds() -> f64 {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
    let nanoseconds = threads.flatten().map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let first = text.split_whitespace().next().map(super::number);
        first.unwrap_or(f64::NAN)
    });
    nanoseconds.sum::<f64>() / 1e9
}

/// One pass over rows that are made on the fly or come from a table, and two fits by the moments of the pass: ridge regression and 20 components.
pub(super) fn stream(folder: &Path, rows: usize, landmarks: usize, format: &str) -> Numbers {
    let table = Table::new(folder, rows, FEATURES + 1, format);
    let before = cpu_seconds();
    let (seconds, ()) = timed(|| match format {
        "made" => fit(|| made(rows, FEATURES), landmarks),
        "csv" => fit(
            || table.csv().map(|block| block.expect("a block")),
            landmarks,
        ),
        _ => fit(
            || table.parquet().map(|block| block.expect("a block")),
            landmarks,
        ),
    });
    vec![("seconds", seconds), ("cpu", cpu_seconds() - before)]
}

/// Chooses landmarks from the first block, sums the moments of all blocks, and fits by them.
fn fit<I: Iterator<Item = DatasetBase<Array2<f64>, Array1<f64>>>>(
    blocks: impl Fn() -> I,
    landmarks: usize,
) {
    let mut some = Reservoir::new(5000);
    let first = blocks().next().expect("some rows");
    some.add(&first.records).expect("finite rows");
    let builder = Nystrom::new(Gaussian::new(0.02), Pivoting::random(landmarks));
    let builder = builder.axes(Axes::Cholesky).centered(false);
    let sample = some.into_samples().expect("some rows");
    let space = builder.fit_space(&sample).expect("a space").into_parts().0;
    let mut sums = CoordinateMoments::new(&space).expect("room for sums");
    for block in blocks() {
        sums.add(&block).expect("moments");
    }
    let moments = sums.into_moments().expect("numbers");
    let _: Ridge<f64> = Ridge::params().fit_moments(&moments).expect("a regression");
    let _: Pca<f64> = Pca::params(20).fit_moments(&moments).expect("components");
}
