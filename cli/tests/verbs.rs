//! Every verb, on tables whose answer is known.

use super::{Folder, column};

#[test]
fn a_model_from_table_to_predictions() {
    let folder = Folder::of_rings(200);
    let fit = folder.done("fit rings.csv -t ring --ignore id -o rings.npt");
    assert_eq!(fit.data, "");
    assert!(
        fit.talk
            .starts_with("rings.csv: 200 rows, 2 numbers and 1 category → ring (2 classes)\n"),
        "{}",
        fit.talk
    );
    assert!(
        fit.talk.contains("one_hot, standard_scaler, svc("),
        "{}",
        fit.talk
    );
    assert!(
        fit.talk.contains("by cross-validation") && fit.talk.contains("support vectors"),
        "{}",
        fit.talk
    );

    let predicted = folder.done("predict rings.npt rings.csv --keep id,ring");
    assert_eq!(predicted.data.lines().next(), Some("id,ring,prediction"));
    assert_eq!(column(&predicted.data, "id")[199], "r199");
    assert_eq!(
        column(&predicted.data, "ring"),
        column(&predicted.data, "prediction")
    );

    let score = folder.done("score rings.npt rings.csv --metric accuracy,area_under_curve");
    assert_eq!(
        score.data,
        "accuracy\t1.000000\narea_under_curve\t1.000000\n"
    );

    // A class that the model has not seen is never predicted.
    let rows: Vec<String> = folder
        .read("rings.csv")
        .lines()
        .map(str::to_owned)
        .collect();
    let last = rows[200].rsplit_once(',').unwrap().0;
    folder.write("rare.csv", &format!("{}\n{last},middle\n", rows.join("\n")));
    let score = folder.done("score rings.npt rare.csv");
    assert_eq!(score.data, "accuracy\t0.995025\n");
    let told = "row 201: the model does not know the class middle; it knows inner, outer; rows of such classes, which count as wrong: 1";
    assert!(score.talk.contains(told), "{}", score.talk);

    let inspected = folder.done("inspect rings.npt").data;
    assert!(
        inspected.contains("targets       ring\n")
            && inspected.contains("colour (red, blue, green)"),
        "{inspected}"
    );

    let decisions = folder.done("predict rings.npt rings.csv --decision").data;
    for (decision, ring) in column(&decisions, "decision")
        .iter()
        .zip(column(&predicted.data, "ring"))
    {
        let decision: f64 = decision.parse().unwrap();
        assert_eq!(decision > 0.0, ring == "outer");
    }
}

#[test]
fn numbers_are_regressed() {
    let folder = Folder::new();
    let line = |k: usize| format!("{},{}\n", k as f64 / 20.0, (k as f64 / 20.0).sin());
    let rows: String = (0..120).map(line).collect();
    folder.write("wave.csv", &format!("x,y\n{rows}"));
    let fit = folder.done("fit wave.csv -t y -o wave.npt --json");
    assert_eq!(fit.json()["rows"], 120);
    assert!(fit.json()["estimator"].as_str().unwrap().contains("ridge("));
    let score = folder.done("score wave.npt wave.csv --json").json();
    assert!(score["r2"].as_f64().unwrap() > 0.9999, "{score}");
    assert!(
        score["mean_squared_error"].as_f64().unwrap() < 1e-4,
        "{score}"
    );

    folder.done("fit wave.csv -t y -m optimized_gaussian_process -o process.npt");
    let predicted = folder.done("predict process.npt wave.csv --variance").data;
    assert_eq!(predicted.lines().next(), Some("prediction,variance"));
    let variances = column(&predicted, "variance");
    assert!(
        variances
            .iter()
            .all(|variance| variance.parse::<f64>().unwrap() > 0.0)
    );
}

#[test]
fn candidates_are_compared() {
    let folder = Folder::of_rings(90);
    let cv = [
        "cv",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-m",
        "svc:c=0.1,10",
        "-k",
        "gaussian:gamma=0.001..1:3",
    ];
    let table = folder.done(&cv).data;
    assert_eq!(table.lines().count(), 1 + 2 * 3);
    assert_eq!(table.lines().next(), Some("accuracy\tcandidate"));
    assert!(
        table
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("1.0000 ± 0.0000\tstandard_scaler, svc(c = "),
        "{table}"
    );
    assert!(
        table.lines().last().unwrap().contains("gamma = 0.001"),
        "{table}"
    );

    let all = folder
        .done(&[&cv[..], &["--json", "--nested", "-o", "best.npt"]].concat())
        .json();
    assert_eq!(all["candidates"].as_array().unwrap().len(), 6);
    assert_eq!(all["nested"].as_array().unwrap().len(), 5);
    assert_eq!(all["candidates"][0]["scores"].as_array().unwrap().len(), 5);
    assert!(folder.has("best.npt"));

    // The same folds, the same scores; other folds, other scores.
    assert_eq!(folder.done(&cv).data, table);
    let linear = [
        "cv",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-k",
        "linear",
        "-m",
        "svc:c=1",
    ];
    let seeded = [&linear[..], &["--seed", "3"]].concat();
    assert_ne!(folder.done(&linear).data, folder.done(&seeded).data);
}

#[test]
fn components_and_clusters() {
    let folder = Folder::of_rings(80);
    folder.done("fit rings.csv --ignore id,ring,colour -m kpca:components=3 -o kpca.npt");
    let components = folder
        .done("transform kpca.npt rings.csv -n 2 --keep id")
        .data;
    assert_eq!(
        components.lines().next(),
        Some("id,component_1,component_2")
    );
    assert_eq!(components.lines().count(), 81);
    // Centred: the mean of the training scores is 0.
    let first: f64 = column(&components, "component_1")
        .iter()
        .map(|value| value.parse::<f64>().unwrap())
        .sum();
    assert!(first.abs() < 1e-9, "{first}");

    folder.done("fit rings.csv --ignore id,ring,colour -m kmeans:clusters=2 -o kmeans.npt");
    let clusters = folder.done("predict kmeans.npt rings.csv").data;
    assert!(
        column(&clusters, "cluster")
            .iter()
            .all(|cluster| ["0", "1"].contains(cluster))
    );

    folder.done("fit rings.csv --ignore id,ring,colour -m novelty_detector -o novelty.npt");
    folder.write("far.csv", "x,y\n0.5,0.8\n40,-30\n");
    let novel = folder.done("predict novelty.npt far.csv").data;
    assert_eq!(column(&novel, "novel")[1], "true");
}

#[test]
fn probabilities_add_up() {
    let folder = Folder::of_rings(100);
    folder.done("fit rings.csv -t ring --ignore id -m logistic -o logistic.npt");
    let predicted = folder
        .done("predict logistic.npt rings.csv --probabilities")
        .data;
    assert_eq!(predicted.lines().next(), Some("prediction,p_inner,p_outer"));
    let both = column(&predicted, "p_inner")
        .into_iter()
        .zip(column(&predicted, "p_outer"));
    for (inner, outer) in both {
        let sum = inner.parse::<f64>().unwrap() + outer.parse::<f64>().unwrap();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn weights_missing_values_and_classes() {
    let folder = Folder::new();
    let mut table = "x,w,class\n".to_owned();
    for k in 0..40 {
        table += &format!("{},{},{}\n", k % 20, 1 + k % 2, i32::from(k % 20 >= 10));
    }
    folder.write("steps.csv", &(table.clone() + "NA,1,1\n"));
    let fit = [
        "fit",
        "steps.csv",
        "-t",
        "class",
        "--classes",
        "--weights",
        "w",
        "-o",
        "steps.npt",
    ];
    let refused = folder.run(&fit);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .talk
            .contains("steps.csv, row 41: there is no value in the column x; --missing mean"),
        "{}",
        refused.talk
    );
    let dropped = folder.done(&[&fit[..], &["--missing", "drop"]].concat());
    assert!(dropped.talk.contains("1 row left out"), "{}", dropped.talk);
    folder.done(&[&fit[..], &["--missing", "mean"]].concat());
    let predicted = folder.done("predict steps.npt steps.csv --keep class").data;
    let right = column(&predicted, "class")
        .into_iter()
        .zip(column(&predicted, "prediction"))
        .filter(|(a, b)| a == b)
        .count();
    assert!(right >= 40, "{right}");

    // Whole numbers are numbers, unless they are said to be classes.
    let regression = folder.done("fit steps.csv -t class --missing drop -o numbers.npt");
    assert!(
        regression.talk.contains("→ class (numbers)"),
        "{}",
        regression.talk
    );
    // By default penalties are compared in one fit, which takes no weights: with weights there is a fit for each.
    folder.write(
        "weighted.csv",
        &(0..60).fold("x,w,y\n".to_owned(), |text, k| {
            format!("{text}{k},{},{}\n", k % 3, (f64::from(k) * 0.2).sin())
        }),
    );
    let told = folder
        .done("fit weighted.csv -t y --weights w -o w.npt")
        .talk;
    assert!(told.contains("by cross-validation"), "{told}");
}

#[test]
fn other_programs_read_models() {
    let folder = Folder::of_rings(60);
    let fit = [
        "fit",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-m",
        "svc:c=10",
        "-k",
        "gaussian:gamma=0.5",
    ];
    folder.done(&[&fit[..], &["-o", "scaled.npt"]].concat());
    folder.done("export scaled.npt -o rings.onnx");
    assert!(
        std::fs::metadata(folder.path().join("rings.onnx"))
            .unwrap()
            .len()
            > 500
    );
    let refused = folder.run("export scaled.npt -o rings.libsvm");
    assert_eq!(refused.code, 2);
    assert!(refused.talk.contains("standard_scaler"), "{}", refused.talk);
    folder.done(&[&fit[..], &["--scale", "none", "-o", "plain.npt"]].concat());
    folder.done("export plain.npt -o rings.libsvm");
    assert!(
        folder
            .read("rings.libsvm")
            .starts_with("svm_type c_svc\nkernel_type rbf\ngamma 0.5\n")
    );
}
