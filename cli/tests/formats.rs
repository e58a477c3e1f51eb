//! Tables in every format, and queries over them.

use super::{Folder, column, rings};
use std::{io::Write as _, process::Stdio};

/// The predictions of one model are the same from any format of the same table.
#[test]
fn formats_hold_the_same_table() {
    let folder = Folder::of_rings(60);
    folder.done("fit rings.csv -t ring --ignore id -m svc:c=10 -k gaussian:gamma=0.5 -o m.npt");
    let expected = folder.done("predict m.npt rings.csv --decision").data;
    for end in ["tsv", "parquet", "arrow"] {
        let file = format!("rings_.{end}");
        folder.done(&[
            "predict",
            "m.npt",
            "rings.csv",
            "--keep",
            "all",
            "-o",
            &file,
        ]);
        assert_eq!(
            folder.done(&["predict", "m.npt", &file, "--decision"]).data,
            expected,
            "{end}"
        );
    }
    let mut child = folder.command(&["predict", "m.npt", "-", "--decision"]);
    let mut child = child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(rings(60).as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn columns_are_found_by_name() {
    let folder = Folder::of_rings(40);
    folder.done(
        "fit rings.csv -t ring --ignore id,colour -m svc:c=10 -k gaussian:gamma=0.5 -o m.npt",
    );
    let text = rings(40);
    let (x, y) = (column(&text, "x"), column(&text, "y"));
    let rows: String = x
        .iter()
        .zip(&y)
        .map(|(x, y)| format!("{y},other,{x}\n"))
        .collect();
    folder.write("turned.csv", &format!("y,z,x\n{rows}"));
    let turned = folder.done("predict m.npt turned.csv").data;
    assert_eq!(turned, folder.done("predict m.npt rings.csv").data);
}

#[test]
fn several_files_are_one_table() {
    let folder = Folder::new();
    let text = rings(90);
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    for (k, part) in rows.chunks(30).enumerate() {
        folder.write(
            &format!("part-{k}.csv"),
            &format!("{header}\n{}\n", part.join("\n")),
        );
    }
    let inspected = folder.done("inspect part-*.csv").data;
    assert!(
        inspected.starts_with("part-0.csv and 2 other files: 90 rows\n"),
        "{inspected}"
    );
    let fit = folder
        .done("fit part-*.csv -t ring --ignore id -m svc:c=10 -k gaussian:gamma=0.5 -o m.npt");
    assert!(fit.talk.contains("90 rows"), "{}", fit.talk);
    folder.write("part-3.csv", "id,x\na,1\n");
    let refused = folder.run("inspect part-*.csv");
    assert_eq!(refused.code, 1);
    assert!(
        refused.talk.contains("part-3.csv has 2 columns"),
        "{}",
        refused.talk
    );
}

#[test]
fn queries_join_and_choose() {
    let folder = Folder::of_rings(50);
    folder.write("sizes.csv", "colour,size\nred,1\ngreen,2\nblue,3\n");
    let query = "select r.id, x, y, size, ring from rings r join sizes s on r.colour = s.colour where x > -1.9 order by r.id";
    let inspected = folder
        .done(&["inspect", "rings.csv", "sizes.csv", "--sql", query])
        .data;
    assert!(
        inspected.contains("size  whole numbers, 1 to 3"),
        "{inspected}"
    );
    folder.done(&[
        "fit",
        "rings.csv",
        "sizes.csv",
        "--sql",
        query,
        "-t",
        "ring",
        "--ignore",
        "id",
        "-m",
        "svc:c=10",
        "-k",
        "gaussian:gamma=0.5",
        "-o",
        "m.npt",
    ]);
    let predicted = folder
        .done(&[
            "predict",
            "m.npt",
            "rings.csv",
            "sizes.csv",
            "--sql",
            query,
            "--keep",
            "id",
        ])
        .data;
    assert_eq!(column(&predicted, "id")[0], "r0");

    // The rows are the same from a file in another format.
    folder.done(&[
        "predict",
        "m.npt",
        "rings.csv",
        "sizes.csv",
        "--sql",
        query,
        "--keep",
        "all",
        "-o",
        "joined.parquet",
    ]);
    let counted = folder
        .done("inspect joined.parquet --sql 'select ring, avg(x) as x from joined group by ring'")
        .data;
    assert!(counted.starts_with("the query: 2 rows\n"), "{counted}");

    for (query, told) in [
        ("select nothing from rings", "nothing"),
        ("select * from ring", "tables: rings"),
        ("selec x from rings", "selec"),
        ("select x from rings where x > 1000", "no rows"),
    ] {
        let refused = folder.run(&["inspect", "rings.csv", "--sql", query]);
        assert_eq!(refused.code, 1, "{query}: {}", refused.talk);
        assert!(
            refused.talk.contains(told) && refused.talk.lines().count() == 1,
            "{query}: {}",
            refused.talk
        );
    }
}

#[test]
fn lines_of_libsvm_and_arrays_of_numpy() {
    let folder = Folder::new();
    let lines: String = (0..40)
        .map(|k| {
            format!(
                "{} 1:{} 3:{}\n",
                if k % 2 == 0 { 1 } else { -1 },
                k % 2,
                k % 5
            )
        })
        .collect();
    folder.write("two.libsvm", &lines);
    let inspected = folder.done("inspect two.libsvm").data;
    assert!(
        inspected.contains("target  whole numbers, -1 to 1")
            && inspected.contains("2       whole numbers, 0 to 0"),
        "{inspected}"
    );
    folder.done("fit two.libsvm -t target --classes -m svc:c=1 -k linear --scale none -o two.npt");
    let score = folder.done("score two.npt two.libsvm").data;
    assert_eq!(score, "accuracy\t1.000000\n");

    // An array of shape (3, 2), as numpy.save writes it.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
    let padded = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded.len() as u16).to_le_bytes());
    bytes.extend(padded.as_bytes());
    for value in [1.0_f64, 2.5, 3.0, 4.5, f64::NAN, 6.5] {
        bytes.extend(value.to_le_bytes());
    }
    std::fs::write(folder.path().join("x.npy"), bytes).unwrap();
    let inspected = folder.done("inspect x.npy").data;
    assert!(
        inspected.contains("0  whole numbers, 1 missing, 1 to 3")
            && inspected.contains("1  numbers, 2.5 to 6.5"),
        "{inspected}"
    );
}

/// A first line of numbers is no header. This is an error; the program does not guess.
#[test]
fn tables_without_names() {
    let folder = Folder::new();
    let rows: String = (0..40)
        .map(|k| format!("{}.5,{},{}\n", k, k % 3, k % 2))
        .collect();
    folder.write("bare.csv", &rows);
    let refused = folder.run("inspect bare.csv");
    assert_eq!(refused.code, 1);
    assert!(refused.talk.contains("--no-header"), "{}", refused.talk);
    let inspected = folder.done("inspect bare.csv --no-header").data;
    assert!(
        inspected.starts_with("bare.csv: 40 rows\n  0  numbers, 0.5 to 39.5\n"),
        "{inspected}"
    );
    let query = "select \"1\", count(*) as rows from bare group by \"1\" order by 1";
    let counted = folder
        .done(&["inspect", "bare.csv", "--no-header", "--sql", query])
        .data;
    assert!(counted.starts_with("the query: 3 rows\n"), "{counted}");
}
