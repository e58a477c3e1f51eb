//! LIBSVM's flags and files.

use super::Folder;
use std::{fmt::Write as _, process::Command};

fn lines(rows: usize) -> String {
    let mut lines = String::new();
    for k in 0..rows {
        let (x, y) = ((k as f64 * 0.37).sin(), (k as f64 * 0.73).cos());
        let class = 1 + usize::from(x * y > 0.1) + 2 * usize::from(x * y < -0.2);
        write!(lines, "{class} 1:{x:.5}").unwrap();
        if k % 5 != 0 {
            write!(lines, " 2:{y:.5}").unwrap();
        }
        writeln!(lines).unwrap();
    }
    lines
}

#[test]
fn trained_and_asked() {
    let folder = Folder::new();
    folder.write("three.libsvm", &lines(150));
    folder.done("svm-train -c 100 -g 2 -q three.libsvm");
    let model = folder.read("three.libsvm.model");
    assert!(
        model.starts_with("svm_type c_svc\nkernel_type rbf\ngamma 2\nnr_class 3\n"),
        "{model}"
    );
    let said = folder
        .done("svm-predict three.libsvm three.libsvm.model out.txt")
        .data;
    let accuracy = said
        .strip_prefix("Accuracy = ")
        .and_then(|rest| rest.split('%').next());
    let accuracy: f64 = accuracy.and_then(|text| text.parse().ok()).unwrap();
    assert!((85.0..=100.0).contains(&accuracy), "{said}");
    assert_eq!(folder.read("out.txt").lines().count(), 150);
    let validated = folder.done("svm-train -v 5 -c 100 -g 2 three.libsvm").data;
    assert!(
        validated.starts_with("Cross Validation Accuracy = "),
        "{validated}"
    );
    folder.done("svm-train -t 3 -g 0.1 three.libsvm sigmoid.model");
    assert!(
        folder
            .read("sigmoid.model")
            .contains("kernel_type sigmoid\n")
    );
    for machine in ["2", "3", "4"] {
        folder.done(&[
            "svm-train",
            "-s",
            machine,
            "-n",
            "0.2",
            "three.libsvm",
            "m.model",
        ]);
        folder.done("svm-predict three.libsvm m.model out.txt");
    }
    for (arguments, words) in [
        ("svm-train -x 1 three.libsvm", "no flag -x"),
        ("svm-train -b 1 three.libsvm", "calibrated_svc"),
        ("svm-train -c", "-c takes a value"),
        (
            "svm-train -c many three.libsvm",
            "-c takes a number, not many",
        ),
    ] {
        let refused = folder.run(arguments);
        assert_eq!(refused.code, 2, "{}", refused.talk);
        assert!(refused.talk.contains(words), "{}", refused.talk);
    }
    folder.write("wrong.libsvm", "1 1:0.5\n2 2:x\n");
    let refused = folder.run("svm-train wrong.libsvm");
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .talk
            .contains("wrong.libsvm: line 2: 2:x is no pair"),
        "{}",
        refused.talk
    );
}

/// A class of weight 2 has the penalty 2C.
#[test]
fn classes_have_weights() {
    let folder = Folder::new();
    folder.write("two.libsvm", &lines(100));
    folder.done("svm-train -c 2 -g 2 -e 1e-8 two.libsvm c.model");
    folder.done("svm-train -c 1 -w1 2 -w2 2 -w3 2 -g 2 -e 1e-8 two.libsvm w.model");
    let numbers = |text: &str| {
        let words = text
            .split_ascii_whitespace()
            .filter_map(|word| word.parse::<f64>().ok());
        words.collect::<Vec<f64>>()
    };
    let (c, w) = (
        numbers(&folder.read("c.model")),
        numbers(&folder.read("w.model")),
    );
    assert_eq!(c.len(), w.len());
    assert!(c.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-5));
}

/// LIBSVM's own programs read and write the same files, if they are installed.
#[test]
fn the_peer_reads_the_same_files() {
    if Command::new("svm-train").output().is_err() {
        eprintln!("skipped: there is no svm-train here");
        return;
    }
    let folder = Folder::new();
    folder.write("three.libsvm", &lines(200));
    for kernel in ["0", "1", "2"] {
        let flags = [
            "-t", kernel, "-c", "10", "-g", "0.5", "-r", "1", "-e", "1e-6",
        ];
        folder.done(&[&["svm-train"], &flags[..], &["three.libsvm", "ours.model"]].concat());
        let theirs = Command::new("svm-train")
            .args(flags)
            .args(["-q", "three.libsvm", "theirs.model"])
            .current_dir(folder.path())
            .status();
        assert!(theirs.unwrap().success());
        // Each program asks both models.
        for model in ["ours.model", "theirs.model"] {
            folder.done(&["svm-predict", "three.libsvm", model, "by-us.txt"]);
            let by_them = Command::new("svm-predict")
                .args(["three.libsvm", model, "by-them.txt"])
                .current_dir(folder.path())
                .status();
            assert!(by_them.unwrap().success());
            assert_eq!(
                folder.read("by-us.txt"),
                folder.read("by-them.txt"),
                "{kernel} {model}"
            );
            folder.write(&format!("{model}.txt"), &folder.read("by-us.txt"));
        }
        let differ = folder
            .read("ours.model.txt")
            .lines()
            .zip(folder.read("theirs.model.txt").lines())
            .filter(|(a, b)| a != b)
            .count();
        assert!(differ <= 1, "kernel {kernel}: {differ} of 200 differ");
    }
}
