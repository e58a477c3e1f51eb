//! Pages on models: what they say, and that they load nothing.

use super::Folder;

fn has(page: &str, words: &[&str]) {
    for word in words {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn a_page_on_classes() {
    let folder = Folder::of_rings(120);
    folder.done("fit rings.csv -t ring --ignore id,colour -m logistic:penalty=0.01,1 -k gaussian:gamma=0.5 -o m.npt");
    let said = folder.done("report m.npt rings.csv -o m.html").talk;
    assert_eq!(said, "m.html: m.npt on rings.csv\n");
    let page = folder.read("m.html");
    has(
        &page,
        &[
            "default-src 'none'",
            "logistic(penalty = 0.01)",
            "2 candidates that could be fitted were compared by 5 folds of 120 rows",
            "<td>accuracy</td><td class=\"number\">1.0000</td><td class=\"number\">0.9690</td>",
            "area_under_curve",
            "log_loss",
            "120 of 120 right",
            "calibration",
            "rings.csv, row ",
            "memory at the peak",
        ],
    );
    for outside in ["<script", "src=", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    // Confusion, curve, calibration, path, regions.
    assert_eq!(page.matches("<figure>").count(), 5);
}

#[test]
fn pages_on_numbers_novelty_and_components() {
    let folder = Folder::of_rings(120);
    folder.done("fit rings.csv -t y --ignore id,colour,ring -m ridge:penalty=0.01 -k gaussian:gamma=0.5 -o n.npt");
    folder.done("report n.npt rings.csv -o n.html");
    let page = folder.read("n.html");
    has(
        &page,
        &[
            "<td>r2</td>",
            "mean_squared_error",
            "residuals, root mean square",
            "The worst rows",
        ],
    );
    assert!(!page.contains("How it was chosen"));
    folder.done("fit rings.csv --ignore id,colour,ring -m one_class_svm:nu=0.1 -k gaussian:gamma=0.5 -o o.npt");
    folder.done("report o.npt rings.csv -o o.html");
    has(
        &folder.read("o.html"),
        &["The most novel rows", "novelty, above 0 for what is novel"],
    );
    folder.done(
        "fit rings.csv --ignore id,colour,ring -m kpca:components=2 -k gaussian:gamma=0.5 -o c.npt",
    );
    folder.done("report c.npt rings.csv -o c.html");
    let page = folder.read("c.html");
    has(
        &page,
        &["2 components", "The first two components of the rows."],
    );
    assert!(!page.contains("The worst rows"));
}

/// Names and values are texts, whatever they are made of.
#[test]
fn texts_are_no_markup() {
    let folder = Folder::new();
    let mut text = "a<b>,\"x \"\"&\",class\n".to_owned();
    for k in 0..40 {
        let class = if k % 2 == 0 {
            "<script>alert(1)</script>"
        } else {
            "b & c"
        };
        text += &format!("{},{},{class}\n", k % 2, f64::from(k) * 0.1);
    }
    folder.write("t.csv", &text);
    folder.done("fit t.csv -t class -m svc:c=1 -k gaussian:gamma=1 -o m.npt");
    folder.done("report m.npt t.csv -o m.html");
    let page = folder.read("m.html");
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    assert!(page.contains("a&lt;b&gt;") && page.contains("b &amp; c"));
}

#[test]
fn what_has_no_page() {
    let folder = Folder::of_rings(60);
    folder
        .done("fit rings.csv -t ring --ignore id,colour -m svc:c=1 -k gaussian:gamma=0.5 -o m.npt");
    for (code, command, words) in [
        (
            2,
            "report m.npt rings.csv -o m.pdf",
            "a report is written as x.html",
        ),
        (2, "report m.npt -o m.html", "no table is given"),
        (1, "report no.npt rings.csv -o m.html", "no.npt"),
        (
            1,
            "report m.npt rings.csv -t rung -o m.html",
            "the nearest name is ring",
        ),
        (
            1,
            "report m.npt rings.csv -t colour -o m.html",
            "does not know the class",
        ),
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.code, code, "{command}: {}", ran.talk);
        assert!(ran.talk.contains(words), "{command}: {}", ran.talk);
        assert!(!folder.has("m.html"));
    }
}
