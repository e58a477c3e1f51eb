//! Tests streams of comma-separated values.

use super::{all, by_last, read};
use linfa::DatasetBase;
use ndarray::array;
use npt::{
    methods::streaming::Moments,
    tables::{CsvBlocks, SourceError},
};
use npt_testkit::data;
use std::fmt::Write;

/// Blocks of any size have the values of the file, to the last bit.
#[test]
fn blocks_are_the_rows() {
    let (x, t) = (data::normal(100, 3, 1), data::normal(100, 1, 2));
    let mut text = String::from("a,target,b,c\n");
    for (x, t) in x.outer_iter().zip(&t) {
        writeln!(text, "{},{t},{},{:e}", x[0], x[1], x[2]).unwrap();
    }
    for rows in [0, 1, 7, 100, 1000] {
        let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
        let blocks = blocks.target("target").unwrap().rows(rows);
        assert_eq!(blocks.features().collect::<Vec<_>>(), ["a", "b", "c"]);
        let blocks: Result<Vec<_>, SourceError> = blocks.collect();
        let blocks = blocks.unwrap();
        assert!(
            blocks
                .iter()
                .all(|block| block.records.nrows() <= rows.max(1))
        );
        assert_eq!(blocks.len(), 100_usize.div_ceil(rows.max(1)));
        assert_eq!(all(&blocks), (x.clone(), t.column(0).to_owned()));
    }
    let mut moments = Moments::new(3);
    for block in by_last(CsvBlocks::new(text.as_bytes())) {
        moments.add(&block.unwrap()).unwrap();
    }
    assert_eq!(moments.count(), 100);
    assert!((moments.target_mean()[0] - x.column(2).mean().unwrap()).abs() < 1e-14);
}

/// Files are read as they are written: with quotes, spaces, line ends of either kind, none after the last line.
#[test]
fn as_files_are_written() {
    let text = "\"x\", y\r\n\"1\", 2e0\r\n\"3.5\",-4\n\n5,.5";
    let (x, y) = read(by_last(CsvBlocks::new(text.as_bytes()))).unwrap();
    assert_eq!(
        (x, y),
        (array![[1.0], [3.5], [5.0]], array![2.0, -4.0, 0.5])
    );
}

#[test]
fn from_a_file() {
    let Some(folder) = npt_testkit::datasets::folder() else {
        return;
    };
    let file = std::fs::File::open(folder.join("higgs.csv")).unwrap();
    let (mut rows, mut positive) = (0, 0.0);
    for block in CsvBlocks::new(file).unwrap().target("label").unwrap() {
        let DatasetBase {
            records, targets, ..
        } = block.unwrap();
        assert_eq!(records.ncols(), 28);
        rows += records.nrows();
        positive += targets.sum();
    }
    assert_eq!(rows, 10_984);
    assert!(positive > 5000.0 && positive < 6500.0);
}

/// Columns that are not selected may contain anything.
#[test]
fn columns_that_are_selected() {
    let text = "id,x,name,y,z\nr1,1,one,2,3\nr2,4,two,5,6\n";
    let blocks = CsvBlocks::new(text.as_bytes()).unwrap();
    let blocks = blocks.select(&["z", "x"]).unwrap().target("y").unwrap();
    assert_eq!(blocks.features().collect::<Vec<_>>(), ["z", "x"]);
    let (x, y) = read(blocks).unwrap();
    assert_eq!((x, y), (array![[3.0, 1.0], [6.0, 4.0]], array![2.0, 5.0]));
}
