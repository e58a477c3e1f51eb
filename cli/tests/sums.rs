//! Fits to sums over parts.

use super::{Folder, column};
use std::fmt::Write as _;

/// Waves with gaps between, in `parts` files, and a table of landmarks.
fn folder(rows: usize, parts: usize) -> Folder {
    let folder = Folder::new();
    let row = |k: usize| {
        let x = (k as f64 * 0.618).fract() * 6.0;
        let colour = ["red", "blue"][k % 2];
        format!(
            "{x:.6},{colour},{:.6},{}\n",
            x.sin() + (k % 2) as f64,
            1 + k % 3
        )
    };
    let header = "x,colour,y,w\n";
    let mut all = header.to_owned();
    for part in 0..parts {
        let rows: String = (0..rows).filter(|k| k % parts == part).map(row).collect();
        all += &rows;
        folder.write(&format!("part-{part}.csv"), &(header.to_owned() + &rows));
    }
    folder.write("all.csv", &all);
    let mut landmarks = "x,colour\n".to_owned();
    for k in 0..40 {
        writeln!(
            landmarks,
            "{:.3},{}",
            f64::from(k % 20) * 0.3,
            ["red", "blue"][k as usize / 20]
        )
        .unwrap();
    }
    folder.write("landmarks.csv", &landmarks);
    folder
}

#[test]
fn parts_are_a_fit() {
    let folder = folder(20_000, 3);
    let of = [
        "-t",
        "y",
        "--weights",
        "w",
        "-k",
        "gaussian:gamma=0.5",
        "--landmarks",
        "landmarks.csv",
    ];
    folder.done(&[&["sums", "part-0.csv"], &of[..], &["-o", "0.sums"]].concat());
    for part in ["1", "2"] {
        let (table, file) = (format!("part-{part}.csv"), format!("{part}.sums"));
        folder.done(&[
            "sums",
            &table,
            "-t",
            "y",
            "--weights",
            "w",
            "--like",
            "0.sums",
            "-o",
            &file,
        ]);
    }
    let fit = folder.done("fit *.sums -t y -o parts.npt");
    assert!(fit.talk.starts_with("sums of 20000 rows\n"), "{}", fit.talk);
    folder.done(
        &[
            &["sums", "all.csv"],
            &of[..],
            &["-o", "all-at-once.sum.sums"],
        ]
        .concat(),
    );
    folder.done("fit all-at-once.sum.sums -t y -o once.npt");
    let predicted = |model: &str| {
        let text = folder.done(&["predict", model, "part-1.csv"]).data;
        column(&text, "prediction")
            .iter()
            .map(|value| value.parse().unwrap())
            .collect::<Vec<f64>>()
    };
    let (parts, once) = (predicted("parts.npt"), predicted("once.npt"));
    assert!(parts.iter().zip(&once).all(|(a, b)| (a - b).abs() < 1e-10));
    let score = folder.done("score parts.npt all.csv --json").json();
    assert!(score["r2"].as_f64().unwrap() > 0.9999, "{score}");

    // All files in one process, where each thread sums one file, give the same model as well.
    folder.done(
        &[
            &["sums", "part-0.csv", "part-1.csv", "part-2.csv"],
            &of[..],
            &["-o", "three.of.sums"],
        ]
        .concat(),
    );
    folder.done("fit three.of.sums -t y -o three.npt");
    let three = predicted("three.npt");
    assert!(three.iter().zip(&once).all(|(a, b)| (a - b).abs() < 1e-10));
}

#[test]
fn parts_that_do_not_belong_together() {
    let folder = folder(9000, 2);
    let of = [
        "-t",
        "y",
        "-k",
        "gaussian:gamma=0.5",
        "--landmarks",
        "landmarks.csv",
    ];
    folder.done(&[&["sums", "part-0.csv"], &of[..], &["-o", "a.sums"]].concat());
    let other = [
        "-t",
        "y",
        "-k",
        "gaussian:gamma=0.7",
        "--landmarks",
        "landmarks.csv",
    ];
    folder.done(&[&["sums", "part-1.csv"], &other[..], &["-o", "b.sums"]].concat());
    folder.write("gap.csv", "x,colour,y,w\n1,red,2,1\n2,red,,1\n");
    folder.write("new.csv", "x,colour,y,w\n1,green,2,1\n");
    let cases: [(&str, i32, &str); 6] = [
        (
            "fit a.sums b.sums -o m.npt",
            1,
            "b.sums: the sums are of another space",
        ),
        ("fit a.sums all.csv -o m.npt -t y", 2, "a.sums"),
        (
            "sums gap.csv -t y --like a.sums -o m.sums",
            1,
            "gap.csv, row 2: there is no value in the column y",
        ),
        (
            "sums new.csv -t y --like a.sums -o m.sums",
            1,
            "\"green\" in the column colour",
        ),
        ("sums part-0.csv -t y -o m.sums", 2, "--landmarks"),
        (
            "sums part-0.csv -t y -m svc --landmarks landmarks.csv -o m.sums",
            2,
            "svc",
        ),
    ];
    for (arguments, code, words) in cases {
        let ran = folder.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.talk);
        assert!(ran.talk.contains(words), "{arguments:?}: {}", ran.talk);
        assert!(!folder.has("m.sums") && !folder.has("m.npt"));
    }
}
