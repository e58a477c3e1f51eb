//! Files that are no models, and files that cannot be written as a whole.

use super::refused;
use crate::Folder;
use std::fs;

#[test]
fn models() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv -t ring --ignore id -m svc:c=1 -k gaussian:gamma=0.5 -o kept.npt");
    let bytes = fs::read(folder.path().join("kept.npt")).unwrap();
    fs::write(folder.path().join("cut.npt"), &bytes[..bytes.len() / 2]).unwrap();
    // The number of the format stands behind eight bytes.
    let mut newer = bytes.clone();
    newer[8] = 2;
    fs::write(folder.path().join("newer.npt"), &newer).unwrap();
    folder.write("none.npt", "no model");
    folder.write("new.csv", "x,y,colour\n1,2,violet\n");
    folder.write("less.csv", "x,colour\n1,red\n");
    folder.write("texts.csv", "x,y,colour\n1,much,red\n2,3,red\n");
    refused(
        &folder,
        &[
            ("predict cut.npt rings.csv", 1, "cut.npt: "),
            ("predict none.npt rings.csv", 1, "none.npt: "),
            ("predict newer.npt rings.csv", 1, "newer.npt: "),
            ("predict newer.npt rings.csv", 1, "format 2"),
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

/// An old file stays if a new one cannot be written as a whole.
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

/// No file may be larger than a few kilobytes, as if the disk were full: old files stay, and no part of a new file does.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full() {
    let folder = Folder::of_rings(2000);
    folder.done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k linear -o kept.npt");
    let before = || fs::read_dir(folder.path()).unwrap().count();
    let files = before();
    for (command, output) in [
        ("predict kept.npt rings.csv --keep all", "out.csv"),
        ("predict kept.npt rings.csv --keep all", "out.parquet"),
        (
            "fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k gaussian:gamma=50",
            "m.npt",
        ),
        ("plot regions kept.npt rings.csv", "x.svg"),
        ("report kept.npt rings.csv", "x.html"),
    ] {
        let program = env!("CARGO_BIN_EXE_npt");
        let limited = format!("trap '' XFSZ; ulimit -f 8; exec {program} {command} -o {output}");
        let ran = std::process::Command::new("bash")
            .args(["-c", &limited])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&ran.stderr).into_owned();
        let errors: Vec<&str> = talk
            .lines()
            .filter(|line| line.starts_with("npt: "))
            .collect();
        assert_eq!(ran.status.code(), Some(1), "{command}: {talk}");
        assert!(
            errors.len() == 1 && errors[0].contains(output),
            "{command}: {talk}"
        );
        assert_eq!(before(), files, "{command}");
    }
}
