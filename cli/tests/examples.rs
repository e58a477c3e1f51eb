//! The examples of the manual and of the pages are commands that work.

use super::{Folder, rings};
use std::fmt::Write as _;

/// A folder with tables of the names that the examples have.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut magic = "id,day,length,width,class\n".to_owned();
    let mut houses = "area,rooms,price\n".to_owned();
    let mut letters = "letter,a,b\n".to_owned();
    let mut lines = String::new();
    for k in 0..100 {
        let (x, y) = ((f64::from(k) * 0.37).sin(), (f64::from(k) * 0.73).cos());
        let is_gamma = x * y > 0.0;
        writeln!(
            magic,
            "{k},{},{x:.4},{y:.4},{}",
            k % 7,
            if is_gamma { "g" } else { "h" }
        )
        .unwrap();
        writeln!(
            houses,
            "{:.1},{},{:.1}",
            80.0 + 40.0 * x,
            1 + k % 5,
            100.0 + 30.0 * x + y
        )
        .unwrap();
        writeln!(
            letters,
            "{},{x:.3},{y:.3}",
            if is_gamma { "A" } else { "B" }
        )
        .unwrap();
        writeln!(lines, "{} 1:{x:.4} 2:{y:.4}", i32::from(is_gamma)).unwrap();
    }
    for name in ["magic.csv", "new.csv", "held-out.csv"] {
        folder.write(name, &magic);
    }
    folder.write("houses.csv", &houses);
    for name in ["letter.csv", "letters.csv"] {
        folder.write(name, &letters);
    }
    for name in ["letters.libsvm", "new.libsvm"] {
        folder.write(name, &lines);
    }
    folder.write("rings.csv", &rings(60));
    folder.done("fit houses.csv -t price -m ridge:penalty=1 -k linear -o houses.npt");
    for name in ["trips-1.parquet", "trips-2.parquet"] {
        folder.done(&[
            "predict",
            "houses.npt",
            "houses.csv",
            "--keep",
            "area,rooms,price",
            "-o",
            name,
        ]);
    }
    std::fs::create_dir(folder.path().join("years")).unwrap();
    std::fs::copy(
        folder.path().join("trips-1.parquet"),
        folder.path().join("years/1.parquet"),
    )
    .unwrap();
    folder.done("fit magic.csv -t class -m logistic:penalty=1 -k gaussian:gamma=0.5 -o magic.npt");
    folder.done("predict magic.npt new.csv --keep all -o new.parquet");
    folder.done(
        "cv magic.csv -t class --ignore id -m svc:c=1,10 -k gaussian:gamma=0.5 -o chosen.npt",
    );
    folder
}

#[test]
fn every_example_runs() {
    let folder = folder();
    let page = folder.done("page man").data;
    let page = page
        .replace("\\-", "-")
        .replace("\\*(Aq", "'")
        .replace("\\(aq", "'");
    let examples: Vec<&str> = page
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("npt ") && !line.starts_with("npt -"))
        // Clusters have a test program of their own.
        .filter(|line| !line.contains("--cluster"))
        .collect();
    // Most verbs have two examples.
    assert!(examples.len() >= 17, "{}", examples.len());
    for example in examples {
        run(&folder, example);
    }
}

/// Runs a line as a shell does.
fn run(folder: &Folder, line: &str) {
    let program = env!("CARGO_BIN_EXE_npt");
    let command = line.replacen("npt ", &format!("{program} "), 1);
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{line}: {told}");
}

/// The lines for the program within the blocks of code of a page, but those for a cluster.
fn lines_of_page(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let joined: String = blocks.collect::<String>().replace("\\\n", " ");
    let lines = joined.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("npt ") && !line.contains("--cluster"))
        .map(str::to_owned)
        .collect()
}

/// A table of numbers with these names.
fn table(names: &str, rows: u32, value: impl Fn(u32, u32) -> f64) -> String {
    let columns = names.split(',').count() as u32;
    let mut table = format!("{names}\n");
    for row in 0..rows {
        let values = (0..columns).map(|column| value(row, column).to_string());
        let values: Vec<String> = values.collect();
        writeln!(table, "{}", values.join(",")).unwrap();
    }
    table
}

#[test]
fn every_line_of_the_pages_runs() {
    let folder = folder();
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap();
    let read = |name: &str| std::fs::read_to_string(repository.join(name)).unwrap();

    // The letters of the first page, fewer of them.
    std::fs::create_dir_all(folder.path().join("examples/data")).unwrap();
    let letters = read("examples/data/letters.csv");
    let some: Vec<&str> = letters.lines().take(600).collect();
    folder.write("examples/data/letters.csv", &some.join("\n"));

    let wave = |row: u32, column: u32| (f64::from(row) * (0.37 + 0.11 * f64::from(column))).sin();
    folder.write("sensors.csv", &table("a,b,c,d,e,f", 800, wave));
    folder.write("sample.csv", &table("area,rooms", 17, wave));
    let count = |row: u32, column: u32| f64::from(row * (column + 3) % 17 + 1);
    folder.write("trips.csv", &table("zone,length,fare", 60, count));
    let zones: String = (1..=17)
        .map(|zone| format!("{zone},b{}\n", zone % 3))
        .collect();
    folder.write("zones.csv", &format!("id,borough\n{zones}"));

    for (page, least) in [("README.md", 3), ("cli/README.md", 10)] {
        let lines = lines_of_page(&read(page));
        assert!(lines.len() >= least, "{page}: {}", lines.len());
        for line in lines {
            // A query names a table without its end.
            run(&folder, &line.replace("trips.parquet", "trips.csv"));
        }
    }
}

#[test]
fn the_manual_and_completions() {
    let folder = Folder::new();
    let page = folder.done("page man").data;
    for verb in [
        "fit",
        "cv",
        "predict",
        "transform",
        "score",
        "inspect",
        "export",
        "svm\\-train",
        "svm\\-predict",
    ] {
        assert!(page.contains(verb), "{verb}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            folder.done(&["page", shell]).data.contains("npt"),
            "{shell}"
        );
    }
    let help = folder.done("--help").data;
    assert!(
        help.contains("130  interrupted by Ctrl-C: no file was written"),
        "{help}"
    );
}
