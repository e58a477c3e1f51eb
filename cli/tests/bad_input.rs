//! What is wrong is told in one line, with its place, and an exit code.

use super::{Folder, column, rings};
use std::fs;

/// Commands that fail: their exit code, and words of the one line.
fn refused(folder: &Folder, cases: &[(&str, i32, &str)]) {
    for (arguments, code, words) in cases {
        let ran = folder.run(*arguments);
        assert_eq!(ran.code, *code, "{arguments:?}: {}", ran.talk);
        let error = ran.talk.lines().last().unwrap_or_default();
        assert!(error.contains(words), "{arguments:?}: {}", ran.talk);
        assert_eq!(ran.data, "", "{arguments:?}");
        assert!(!folder.has("m.npt"), "{arguments:?}");
    }
}

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

#[test]
fn command_lines() {
    let folder = Folder::of_rings(30);
    let fit = [
        "fit",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-o",
        "m.npt",
    ];
    let with = |more: &[&'static str]| [&fit[..], more].concat();
    let cases = [
        (
            with(&["-m", "svm"]),
            "there is no method svm; the nearest name is svc",
        ),
        (with(&["-k", "gauss"]), "no kernel gauss"),
        (
            with(&["-m", "svc:c=-1"]),
            "c of svc is -1; it must be finite and above 0",
        ),
        (with(&["-k", "gaussian:gamma=1..0.1"]), "1..0.1 is no range"),
        (
            with(&["-k", "sigmoid:gamma=median"]),
            "gamma of sigmoid takes a number",
        ),
        (with(&["-s", "nystrom"]), "landmarks"),
        (with(&["--memory", "2XB"]), "XB is no unit"),
        (with(&["--time", "soon"]), "--time"),
        (
            vec!["fit", "rings.csv", "-o", "m.npt"],
            "-t names the column to be predicted",
        ),
        (
            vec!["fit", "rings.csv", "-m", "kmeans", "-o", "m.npt"],
            "kmeans needs clusters",
        ),
        (
            vec!["fit", "rings.txt2", "-t", "ring", "-o", "m.npt"],
            "--format is one of",
        ),
        (
            vec!["cv", "rings.csv", "-t", "ring", "--metric", "acuracy"],
            "there is no score acuracy",
        ),
        (
            vec![
                "cv",
                "rings.csv",
                "-m",
                "kpca",
                "--ignore",
                "id,colour,ring",
            ],
            "nothing to score",
        ),
        (vec!["nothing"], "nothing"),
    ];
    for (arguments, words) in &cases {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.talk);
        assert!(ran.talk.contains(words), "{arguments:?}: {}", ran.talk);
        assert!(!folder.has("m.npt"));
    }
}

/// What a method or a kernel has of its own goes with what is chosen for the user.
#[test]
fn every_method_by_its_name_alone() {
    let folder = Folder::of_rings(40);
    for method in [
        "svc",
        "logistic",
        "calibrated_svc",
        "kfd",
        "kpca_lda",
        "svc(tolerance=0.001..0.1:2)",
        "svc(class_c=[1,2])",
        "nu_svc",
    ] {
        let fit = [
            "fit",
            "rings.csv",
            "-t",
            "ring",
            "--ignore",
            "id,colour",
            "-m",
            method,
            "-o",
            "by-name.npt",
        ];
        folder.done(&fit);
    }
    for method in [
        "ridge",
        "svr",
        "pls",
        "iterative_ridge",
        "regression_discriminant",
        "quantile_regression",
        "gaussian_process",
    ] {
        let fit = [
            "fit",
            "rings.csv",
            "-t",
            "x",
            "--ignore",
            "id,colour,ring",
            "-m",
            method,
            "-o",
            "by-name.npt",
        ];
        let ran = folder.run(&fit);
        // Directions alone cannot be scored, so that widths cannot be compared.
        assert!(
            ran.code == 0 || method == "regression_discriminant",
            "{method}: {}",
            ran.talk
        );
        assert!(!ran.talk.contains("character"), "{method}: {}", ran.talk);
    }
    for kernel in [
        "laplacian",
        "matern:smoothness=1.5",
        "gaussian:gamma=median * 4",
        "matern(smoothness = 0.5,1.5)",
    ] {
        let fit = [
            "fit",
            "rings.csv",
            "-t",
            "ring",
            "--ignore",
            "id,colour",
            "-m",
            "svc:c=1",
            "-k",
            kernel,
            "-o",
            "by-name.npt",
        ];
        assert!(!folder.done(&fit).talk.contains("scaled"), "{kernel}");
    }
}

/// What is silently wrong elsewhere is an error, or right, here.
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
fn models() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv -t ring --ignore id -m svc:c=1 -k gaussian:gamma=0.5 -o kept.npt");
    let bytes = fs::read(folder.path().join("kept.npt")).unwrap();
    fs::write(folder.path().join("cut.npt"), &bytes[..bytes.len() / 2]).unwrap();
    folder.write("none.npt", "no model");
    folder.write("new.csv", "x,y,colour\n1,2,violet\n");
    folder.write("less.csv", "x,colour\n1,red\n");
    folder.write("texts.csv", "x,y,colour\n1,much,red\n2,3,red\n");
    refused(
        &folder,
        &[
            ("predict cut.npt rings.csv", 1, "cut.npt: "),
            ("predict none.npt rings.csv", 1, "none.npt: "),
            ("predict gone.npt rings.csv", 1, "gone.npt: "),
            (
                "predict kept.npt less.csv",
                1,
                "less.csv: there is no column y",
            ),
            (
                "predict kept.npt new.csv",
                1,
                "\"violet\" in the column colour, which the model has not seen",
            ),
            (
                "predict kept.npt texts.csv",
                1,
                "texts.csv, row 1: \"much\" in the column y",
            ),
            (
                "predict kept.npt rings.csv --probabilities",
                2,
                "svc has no predict_probabilities",
            ),
            ("transform kept.npt rings.csv", 2, "svc has no transform"),
            ("export kept.npt -o kept.doc", 2, "x.onnx or x.libsvm"),
            ("score kept.npt new.csv", 1, "no column ring"),
        ],
    );
    folder.done("predict kept.npt new.csv --accept-unseen");
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

#[test]
fn too_little_memory() {
    let folder = Folder::of_rings(2000);
    let fit = [
        "fit",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-m",
        "logistic:penalty=1",
        "-k",
        "gaussian:gamma=2000",
        "--memory",
        "4MB",
    ];
    let refused = folder.run(&[&fit[..], &["-s", "exact", "-o", "m.npt"]].concat());
    assert_eq!(refused.code, 3, "{}", refused.talk);
    assert!(
        refused
            .talk
            .contains("would take 4.1 MB where 4.0 MB are allowed"),
        "{}",
        refused.talk
    );
    assert!(!folder.has("m.npt"));
    // By itself the program takes landmarks, and says so.
    let done = folder.done(&[&fit[..], &["-o", "m.npt"]].concat());
    assert!(
        done.talk.contains("the space is nystrom with"),
        "{}",
        done.talk
    );
}

/// What was there stays, where a new file cannot be written as a whole.
#[test]
fn nothing_is_written_half() {
    let folder = Folder::of_rings(30);
    folder.done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k linear -o kept.npt");
    folder.write("out.csv", "kept");
    let before = fs::read_dir(folder.path()).unwrap().count();
    let refused = folder.run("predict kept.npt rings.csv --keep none -o out.csv");
    assert_eq!(refused.code, 1);
    let refused = folder.run("predict kept.npt rings.csv -o out.npy");
    assert_eq!(refused.code, 2);
    assert!(
        refused.talk.contains("csv, tsv, parquet or arrow"),
        "{}",
        refused.talk
    );
    assert_eq!(folder.read("out.csv"), "kept");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
}
