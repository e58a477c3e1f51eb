//! Files that are no tables, and tables that would be read wrongly in silence.

use super::refused;
use crate::{Folder, column, rings};
use std::fs;

#[test]
fn files_and_columns() {
    let folder = Folder::of_rings(30);
    folder.write("semicolons.csv", "x;y;ring\n1;2;a\n2;3;b\n");
    folder.write("words.csv", "x,y,ring\n1,2,a\n3,five,b\n4,5,a\n2,2,b\n");
    folder.write("one.csv", "x,ring\n1,a\n2,a\n");
    folder.write("days.csv", "day,y\n2026-01-01,1\n2026-01-02,2\n");
    folder.write("empty.csv", "");
    folder.write("header.csv", "x,y\n");
    folder.write("ragged.csv", "x,y\n1,2\n3\n");
    folder.write("large.csv", "user,y\n9007199254740993,1\n2,2\n");
    refused(
        &folder,
        &[
            ("fit none.csv -t y -o m.npt", 1, "none.csv: No such file"),
            (
                "fit none-*.csv -t y -o m.npt",
                1,
                "none-*.csv: no file has such a name",
            ),
            ("fit semicolons.csv -t ring -o m.npt", 1, "--delimiter ';'"),
            (
                "fit words.csv -t ring -o m.npt",
                1,
                "words.csv, row 2: \"five\" in the column y is no number",
            ),
            (
                "fit rings.csv -t rin -o m.npt",
                1,
                "rings.csv: there is no column rin; the nearest name is ring",
            ),
            (
                "fit rings.csv -t ring --ignore idd -o m.npt",
                1,
                "there is no column idd",
            ),
            (
                "fit rings.csv -t ring -o m.npt",
                1,
                "the column id has 30 different texts in 30 rows",
            ),
            (
                "fit one.csv -t ring -o m.npt",
                1,
                "the target ring has one class, a",
            ),
            ("fit days.csv -t y -o m.npt", 1, "the column day has dates"),
            ("fit empty.csv -t y -o m.npt", 1, "empty.csv: "),
            (
                "fit header.csv -t y -o m.npt",
                1,
                "header.csv: there are no rows",
            ),
            ("fit ragged.csv -t y -o m.npt", 1, "ragged.csv: "),
            (
                "fit large.csv -t y -o m.npt",
                1,
                "large.csv: the column user has whole numbers that a double cannot hold",
            ),
            (
                "fit rings.csv -t x -m svc --ignore id,colour,ring -o m.npt",
                1,
                "in the target x is no class",
            ),
            (
                "fit rings.csv -t ring -m ridge --ignore id,colour -o m.npt",
                1,
                "ridge takes",
            ),
            (
                "fit rings.csv -t ring --weights colour --ignore id -o m.npt",
                1,
                "weights are numbers",
            ),
            (
                "fit rings.csv -t ring --ignore id -o nowhere/m.npt",
                1,
                "nowhere/m.npt",
            ),
        ],
    );
}

/// Tables that other programs read wrongly in silence are refused, or read rightly.
#[test]
fn nothing_is_wrong_in_silence() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k linear -o kept.npt");
    folder.write("coded.csv", "x,y,ring\n1,2,0\n0,1,1\n");
    folder.write(
        "spaced.csv",
        "x, y,c\n1, +2,a\n2, NAN,b\n3, 1,a\n4, 2,b\n5, 1,a\n",
    );
    folder.write("[a].csv", "x,y\n1,2\n");
    folder.write("days.csv", "day,x,y\n2026-01-01,1,2\n2026-01-02,2,1\n");
    refused(
        &folder,
        &[
            (
                "score kept.npt coded.csv",
                1,
                "coded.csv, row 1: the model does not know the class 0",
            ),
            (
                "fit rings.csv -t ring --ignore id --numbers -o m.npt",
                1,
                "not numbers",
            ),
            (
                "fit rings.csv -t ring --ignore id -o rings.csv",
                2,
                "is a table that is read",
            ),
            (
                "inspect [a].csv --sql 'select * from _a_'",
                2,
                "no file with *, ? or [",
            ),
            (
                "cv rings.csv -t ring --ignore id,colour -m svc:c=1 --metric log_loss",
                1,
                "could be fitted",
            ),
        ],
    );
    assert!(
        folder
            .done("inspect [a].csv")
            .data
            .starts_with("[a].csv: 1 row")
    );
    folder.write("gap.csv", "x,y\n1,2\n3,\n");
    refused(
        &folder,
        &[
            (
                "predict kept.npt gap.csv",
                1,
                "gap.csv, row 2: there is no value in the column y",
            ),
            ("predict gone.npt gap.csv", 1, "npt: gone.npt: No such file"),
        ],
    );
    folder.done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k linear --missing mean -o filled.npt");
    folder.done("predict filled.npt gap.csv");
    let spaced = folder.done("inspect spaced.csv").data;
    assert!(
        spaced.contains("\n  y  whole numbers, 1 missing, 1 to 2"),
        "{spaced}"
    );
    let fit = [
        "fit",
        "spaced.csv",
        "-t",
        "c",
        "-k",
        "linear",
        "-m",
        "svc:c=1",
        "-o",
        "m.npt",
    ];
    // The gap is in the second row, whatever rows are taken.
    for seed in ["0", "1", "2", "3"] {
        let gap = folder.run(&[&fit[..], &["--rows", "4", "--seed", seed]].concat());
        let is_told = gap
            .talk
            .contains("spaced.csv, row 2: there is no value in the column y");
        assert!(
            is_told || gap.talk.contains("4 rows, 2 numbers"),
            "{}",
            gap.talk
        );
    }
    let kept = folder.done("predict kept.npt days.csv --keep day").data;
    assert_eq!(column(&kept, "day"), ["2026-01-01", "2026-01-02"]);
}

#[test]
fn parquet_that_is_cut() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k linear -o kept.npt");
    folder.done("predict kept.npt rings.csv --keep all -o whole.parquet");
    let bytes = fs::read(folder.path().join("whole.parquet")).unwrap();
    fs::write(
        folder.path().join("cut.parquet"),
        &bytes[..bytes.len() - 20],
    )
    .unwrap();
    fs::write(folder.path().join("none.parquet"), rings(3)).unwrap();
    refused(
        &folder,
        &[
            ("inspect cut.parquet", 1, "cut.parquet: "),
            ("inspect none.parquet", 1, "none.parquet: "),
            (
                "inspect cut.parquet --sql 'select * from cut'",
                1,
                "cut.parquet: ",
            ),
        ],
    );
}
