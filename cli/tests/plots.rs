//! Pictures: the words that they have, and the number of shapes that they draw.

use super::Folder;

const FIT: [&str; 6] = ["fit", "rings.csv", "-t", "ring", "--ignore", "id"];

fn count(svg: &str, tag: &str) -> usize {
    svg.matches(&format!("<{tag}")).count()
}

#[test]
fn pictures_of_classes() {
    let folder = Folder::of_rings(90);
    folder.done(
        &[
            &FIT[..],
            &[
                "-m",
                "logistic:penalty=0.01",
                "-k",
                "gaussian:gamma=0.5",
                "-o",
                "m.npt",
            ],
        ]
        .concat(),
    );
    let drawn = |kind: &str, more: &[&str]| {
        let plot = [&["plot", kind, "m.npt", "rings.csv", "-o", "x.svg"], more].concat();
        let said = folder.done(&plot).talk;
        (said, folder.read("x.svg"))
    };
    let (said, svg) = drawn("confusion", &[]);
    assert_eq!(said, "x.svg: 90 of 90 right\n");
    // Two classes of 45: the numbers, and the names at both axes.
    assert_eq!(svg.matches("\n45\n").count(), 2, "{svg}");
    assert_eq!(svg.matches("\nouter\n").count(), 2, "{svg}");
    let (said, svg) = drawn("roc", &[]);
    assert_eq!(said, "x.svg: outer: area under the curve 1.0000\n");
    assert!(count(&svg, "polyline") >= 1);
    let (_, svg) = drawn("calibration", &[]);
    assert!(
        svg.contains("share of rows in which the class holds"),
        "{svg}"
    );
    // The colour has its most frequent value; 80 × 80 cells, 90 rows.
    let (_, svg) = drawn("regions", &["--features", "x,y"]);
    assert!(count(&svg, "rect") > 6400, "{}", count(&svg, "rect"));
    assert!(count(&svg, "circle") >= 90, "{}", count(&svg, "circle"));
    for (plot, words) in [
        ("plot regions m.npt rings.csv -o y.svg", "--features names"),
        (
            "plot residuals m.npt rings.csv -o y.svg",
            "confusion is the picture of classes",
        ),
        ("plot scree m.npt -o y.svg", "kpca and coordinates have"),
        ("plot roc m.npt -o y.svg", "no table is given"),
        ("plot roc m.npt rings.csv -o y.png", "x.svg"),
    ] {
        let refused = folder.run(plot);
        assert_eq!(refused.code, 2, "{}", refused.talk);
        assert!(refused.talk.contains(words), "{}", refused.talk);
        assert!(!folder.has("y.svg"));
    }
}

#[test]
fn pictures_of_components_and_numbers() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv --ignore id,ring,colour -m kpca:components=4 -o kpca.npt");
    folder.done("plot scree kpca.npt -o scree.svg");
    assert!(folder.read("scree.svg").contains("4 components"));
    folder.done("plot scores kpca.npt rings.csv -t ring -o scores.svg");
    let svg = folder.read("scores.svg");
    // Sixty rows, and a dot for each of two names.
    assert_eq!(count(&svg, "circle"), 62, "{svg}");
    assert!(
        svg.contains("\ninner\n") && svg.contains("\nouter\n"),
        "{svg}"
    );

    folder.done("fit rings.csv -t x --ignore id,ring,colour -m ridge:penalty=1 -k gaussian:gamma=1 -o x.npt");
    let said = folder
        .done("plot residuals x.npt rings.csv -o residuals.svg")
        .talk;
    assert!(
        said.starts_with("residuals.svg: residuals, root mean square "),
        "{said}"
    );
    assert_eq!(count(&folder.read("residuals.svg"), "circle"), 60);
}

/// Pictures show the scores of the candidates, and of fits to fewer rows.
#[test]
fn pictures_of_a_choice() {
    let folder = Folder::of_rings(120);
    let task = "rings.csv -t ring --ignore id,colour -o m.npt";
    folder.done(&format!(
        "cv {task} -m svc:c=0.1,10 -k gaussian:gamma=0.01,0.1,1"
    ));
    let said = folder.done("plot path m.npt -o x.svg").talk;
    assert_eq!(said, "x.svg: accuracy by 5 folds of 120 rows\n");
    let svg = folder.read("x.svg");
    // Three widths, a line for each penalty.
    assert!(
        svg.contains("gamma, log₁₀") && svg.contains("c = 0.1") && svg.contains("c = 10"),
        "{svg}"
    );
    assert!(count(&svg, "circle") >= 6, "{}", count(&svg, "circle"));
    let said = folder.done("plot learning m.npt rings.csv -o x.svg").talk;
    assert_eq!(said, "x.svg: accuracy by 5 folds of 120 rows\n");
    let svg = folder.read("x.svg");
    assert!(
        svg.contains("other rows") && count(&svg, "polyline") >= 2,
        "{svg}"
    );
    folder.done(&format!("fit {task} -m svc:c=1 -k gaussian:gamma=1"));
    let refused = folder.run("plot path m.npt -o y.svg");
    assert_eq!(refused.code, 2, "{}", refused.talk);
    assert!(
        refused
            .talk
            .contains("npt cv -o keep those that they compared"),
        "{}",
        refused.talk
    );
}
