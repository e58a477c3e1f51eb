//! Command lines that are wrong, or ask for more memory than there is.

use crate::Folder;

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

/// A method may be given by its name alone. Parameters that the user gives go together with those that the program chooses.
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
    // Without a given space the program takes landmarks, and says so.
    let done = folder.done(&[&fit[..], &["-o", "m.npt"]].concat());
    assert!(
        done.talk.contains("the space is nystrom with"),
        "{}",
        done.talk
    );
}
