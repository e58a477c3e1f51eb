//! Fits to tables that are read twice, and sums of queries.

use super::{Folder, Words, rings};

/// A table of waves in two files of Parquet and as text.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut text = "a,b,weight,wave,class\n".to_owned();
    for k in 0..600 {
        let (a, b) = (
            (f64::from(k) * 0.37).sin() * 3.0,
            (f64::from(k) * 0.73).cos(),
        );
        let wave = a.sin() + b * b;
        let class = if wave > 0.5 { "high" } else { "low" };
        text += &format!("{a:.6},{b:.6},{},{wave:.6},{class}\n", k % 3);
    }
    folder.write("waves.csv", &text);
    folder.done(
        "fit waves.csv -t wave --ignore class,weight -m ridge:penalty=1 -k linear -o linear.npt",
    );
    for (name, sign) in [("part-1", "<"), ("part-2", ">=")] {
        folder.done(&[
            "predict",
            "linear.npt",
            "waves.csv",
            "--sql",
            &format!("select * from waves where a {sign} 0"),
            "--keep",
            "all",
            "-o",
            &format!("{name}.parquet"),
        ]);
    }
    folder
}

fn numbers(folder: &Folder, command: &str) -> Vec<f64> {
    let data = folder.done(command).data;
    data.split([',', '\n'])
        .filter_map(|value| value.parse().ok())
        .collect()
}

/// The one line of a command that has to fail.
#[track_caller]
fn fails(folder: &Folder, code: i32, arguments: &(impl Words + ?Sized)) -> String {
    let ran = folder.run(arguments);
    assert_eq!(ran.code, code, "{:?}: {}", arguments.words(), ran.talk);
    let is_error = |line: &&str| line.starts_with("npt: ") || line.starts_with("error: ");
    let errors = ran.talk.lines().filter(is_error);
    assert_eq!(errors.count(), 1, "{}", ran.talk);
    ran.talk
}

#[track_caller]
fn assert_same(one: &[f64], other: &[f64]) {
    assert!(
        one.len() >= 600 && one.len() == other.len(),
        "{} {}",
        one.len(),
        other.len()
    );
    let apart = one
        .iter()
        .zip(other)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:e}");
}

/// The model of the sums is the same with one file, with two, and by a query.
#[test]
fn sums_of_files_and_of_queries() {
    let folder = folder();
    let task =
        "-t wave --ignore prediction,class,weight -k gaussian:gamma=0.5 -m ridge:penalty=0.01";
    let streamed =
        format!("fit part-1.parquet part-2.parquet {task} --stream -s nystrom:landmarks=40");
    let told = folder.done(&format!("{streamed} -o m.npt")).talk;
    assert!(
        told.contains("the sample: 600 rows") && told.contains("sums of 600 rows in"),
        "{told}"
    );
    let of_files = numbers(&folder, "predict m.npt waves.csv");
    // The model is the same for one file, and for a query.
    folder.done(&format!(
        "{} -o one.npt",
        streamed
            .replace("part-1.parquet part-2.parquet", "waves.csv")
            .replace("prediction,", "")
    ));
    assert_same(&numbers(&folder, "predict one.npt waves.csv"), &of_files);
    let query = "select a, b, wave from (select * from part_1 union all select * from part_2)";
    folder.done(&[
        "fit",
        "part-1.parquet",
        "part-2.parquet",
        "--sql",
        query,
        "-t",
        "wave",
        "-k",
        "gaussian:gamma=0.5",
        "-m",
        "ridge:penalty=0.01",
        "--stream",
        "-s",
        "nystrom:landmarks=40",
        "-o",
        "query.npt",
    ]);
    assert_same(&numbers(&folder, "predict query.npt waves.csv"), &of_files);
    // Sums of one query are added to sums of another.
    let half = |sign: &str, from: &str, output: &str| {
        let query = format!("select a, b, wave from waves where a {sign} 0");
        let mut arguments = vec![
            "sums",
            "waves.csv",
            "--sql",
            &query,
            "-t",
            "wave",
            "-o",
            output,
        ];
        arguments.extend(from.split(' '));
        folder.done(&arguments);
    };
    folder.write(
        "landmarks.csv",
        "a,b\n0,0\n1,0.5\n-1,-0.5\n2,0.1\n-2,0.9\n0.5,-1\n",
    );
    half(
        "<",
        "--landmarks landmarks.csv -k gaussian:gamma=0.5 -m ridge:penalty=0.01",
        "one.sums",
    );
    half(">=", "--like one.sums", "two.sums");
    folder.done("sums waves.csv -t wave --ignore class,weight --like one.sums -o all.sums");
    folder.done("fit one.sums two.sums -t wave -o halves.npt");
    folder.done("fit all.sums -t wave -o all.npt");
    assert_same(
        &numbers(&folder, "predict halves.npt waves.csv"),
        &numbers(&folder, "predict all.npt waves.csv"),
    );
}

/// Classes have discriminants; weights of 0 leave rows out; gaps are dropped or refused.
#[test]
fn classes_weights_and_gaps() {
    let folder = folder();
    folder.done("fit waves.csv -t class --ignore wave,weight --stream -o c.npt");
    let score = folder.done("score c.npt waves.csv").data;
    let accuracy: f64 = score.split(['\t', '\n']).nth(1).unwrap().parse().unwrap();
    assert!(accuracy > 0.95, "{score}");
    let task = "-t wave --ignore class --stream -k gaussian:gamma=0.5 -m ridge:penalty=0.001 -s nystrom:landmarks=30 --scale none";
    folder.done(&format!("fit waves.csv {task} --weights weight -o w.npt"));
    // A row of weight 2 counts twice, and a row of weight 0 not at all: such sums are compared with those of a query that repeats rows.
    let landmarks =
        "--landmarks landmarks.csv -k gaussian:gamma=0.5 -m ridge:penalty=0.01 --scale none";
    folder.write(
        "landmarks.csv",
        "a,b\n0,0\n1,0.5\n-1,-0.5\n2,0.1\n-2,0.9\n0.5,-1\n",
    );
    let weighted = format!(
        "sums waves.csv -t wave --weights weight --ignore class {landmarks} -o weighted.sums"
    );
    folder.done(&weighted);
    let query = "select a, b, wave from waves where weight > 0 union all select a, b, wave from waves where weight > 1";
    let mut repeated = vec![
        "sums",
        "waves.csv",
        "--sql",
        query,
        "-t",
        "wave",
        "-o",
        "repeated.sums",
    ];
    repeated.extend(landmarks.split(' '));
    folder.done(&repeated);
    for name in ["weighted", "repeated"] {
        folder.done(&format!("fit {name}.sums -t wave -o {name}.npt"));
    }
    assert_same(
        &numbers(&folder, "predict weighted.npt waves.csv"),
        &numbers(&folder, "predict repeated.npt waves.csv"),
    );
    let text = std::fs::read_to_string(folder.path().join("waves.csv")).unwrap();
    folder.write("gaps.csv", &format!("{text}1.5,,1,0.2,low\n"));
    let told = fails(
        &folder,
        1,
        "fit gaps.csv -t wave --ignore class,weight --stream -o g.npt",
    );
    assert!(told.contains("there is no value in the column b"), "{told}");
    let told = folder
        .done("fit gaps.csv -t wave --ignore class,weight --stream --missing drop -o g.npt")
        .talk;
    assert!(told.contains("sums of 600 rows"), "{told}");
}

/// Tables that are too large for the memory are streamed even if the user does not ask for it.
#[test]
fn larger_than_the_memory() {
    let folder = folder();
    let told = folder
        .done("fit waves.csv -t wave --ignore class,weight -o m.npt --memory 50kB")
        .talk;
    assert!(
        told.contains("they are streamed") && told.contains("in nystrom"),
        "{told}"
    );
}

#[test]
fn what_is_not_streamed() {
    let folder = folder();
    folder.write("rings.csv", &rings(60));
    for (code, command, error) in [
        (
            2,
            "fit waves.csv -t class --ignore wave -m svc:c=1 --stream -o m.npt",
            "svc is not fitted to sums over streamed tables; ridge, pls, kpca, kfd are",
        ),
        (
            2,
            "fit - -t wave --stream -o m.npt",
            "read twice, which the standard input cannot be",
        ),
        (
            2,
            "fit waves.csv -t wave --ignore class --rows 10 --stream -o m.npt",
            "without --rows",
        ),
        (
            2,
            "fit waves.csv -t wave --ignore class --time 1s --stream -o m.npt",
            "without --time",
        ),
        (
            2,
            "fit waves.csv -t wave --ignore class --tasks 3 -o m.npt",
            "--cluster <URL>",
        ),
        (
            1,
            "fit waves.csv -t wavy --stream -o m.npt",
            "wavy; the nearest name is wave",
        ),
    ] {
        let told = fails(&folder, code, command);
        assert!(told.contains(error), "{command}\n{told}");
    }
}

/// A file with one changed byte is refused because of the manifest.
#[test]
fn manifests() {
    let folder = folder();
    let sums = std::process::Command::new("sha256sum")
        .args(["part-1.parquet", "waves.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    folder.write("sums.sha256", &String::from_utf8(sums.stdout).unwrap());
    let fit = "--manifest sums.sha256 -t wave --ignore class,weight -m ridge:penalty=1 -k gaussian:gamma=0.5 -o m.npt";
    folder.done(&format!("fit waves.csv {fit}"));
    folder.done(&format!("fit waves.csv --stream {fit}"));
    let told = fails(&folder, 1, &format!("fit part-2.parquet {fit}"));
    assert!(
        told.contains("part-2.parquet: sums.sha256 does not have it"),
        "{told}"
    );
    let path = folder.path().join("waves.csv");
    let mut bytes = std::fs::read(&path).unwrap();
    let place = bytes.iter().rposition(|byte| *byte == b'7').unwrap();
    bytes[place] = b'8';
    std::fs::write(&path, bytes).unwrap();
    let told = fails(&folder, 1, &format!("fit waves.csv {fit}"));
    assert!(
        told.contains("waves.csv: its SHA-256 is") && told.contains("the file was changed"),
        "{told}"
    );
    folder.write("sums.sha256", "abc  waves.csv\n");
    let told = fails(&folder, 1, &format!("fit waves.csv {fit}"));
    assert!(told.contains("line 1 is no SHA-256"), "{told}");
}

/// Models answer within queries.
#[test]
fn functions_in_queries() {
    let folder = folder();
    folder.done("fit waves.csv -t wave --ignore class,weight -m ridge:penalty=1 -k gaussian:gamma=0.5 -o m.npt");
    let query =
        "select count(*) as n, avg(abs(wave - npt_predict('m.npt', a, b))) as apart from waves";
    folder.done(&[
        "predict",
        "linear.npt",
        "waves.csv",
        "--sql",
        "select a, b, npt_predict('m.npt', a, b) as p from waves",
        "--keep",
        "p",
        "-o",
        "p.csv",
    ]);
    let of_query = numbers(&folder, "predict m.npt waves.csv");
    let kept = std::fs::read_to_string(folder.path().join("p.csv")).unwrap();
    let kept: Vec<f64> = kept
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert_same(&kept, &of_query);
    let told = fails(
        &folder,
        1,
        &[
            "inspect",
            "waves.csv",
            "--sql",
            &query.replace("a, b)", "b, a)"),
        ],
    );
    assert!(
        told.contains("the columns are b, a, where the model takes a, b"),
        "{told}"
    );
}

/// A stream reads tables as the memory does: repeated rows, other types in other files, signs, gaps in whole numbers.
#[test]
fn streamed_as_in_memory() {
    let folder = folder();
    let mut repeated = "a,b,class\n".to_owned();
    for k in 0..20_000 {
        repeated += &format!(
            "{},{},{}\n",
            k % 9,
            (k / 9) % 6,
            if (k % 9) * ((k / 9) % 6) > 12 {
                "up"
            } else {
                "down"
            }
        );
    }
    folder.write("repeated.csv", &repeated);
    let told = folder
        .done("fit repeated.csv -t class --stream -o r.npt")
        .talk;
    assert!(told.contains("the sample: 10000 rows"), "{told}");
    let score = folder.done("score r.npt repeated.csv").data;
    let accuracy: f64 = score.split(['\t', '\n']).nth(1).unwrap().parse().unwrap();
    assert!(accuracy > 0.97, "{score}");
    // One file has whole numbers in a column, another has none.
    let line =
        |k: usize, b: String| format!("{},{b},{}\n", k as f64 * 0.01, (k as f64 * 0.1).sin());
    let whole: String = (0..100).map(|k| line(k, (k % 5).to_string())).collect();
    let broken: String = (0..100).map(|k| line(k, format!("+{}.5", k % 5))).collect();
    folder.write("whole.csv", &format!("a,b,y\n{whole}"));
    folder.write(
        "broken.csv",
        &format!("a,b,y\n{broken}3.2,?,0.1\n3.3,NA,0.2\n"),
    );
    folder.write(
        "gaps.csv",
        &format!("a,b,y\n{whole}7,NA,0.5\n8, null ,0.5\n"),
    );
    let task =
        "-t y --missing drop -k gaussian:gamma=0.5 -m ridge:penalty=0.01 -s nystrom:landmarks=20";
    for (files, rows) in [
        ("whole.csv broken.csv", 200),
        ("broken.csv whole.csv", 200),
        ("gaps.csv", 100),
    ] {
        let told = folder
            .done(&format!("fit {files} {task} --stream -o s.npt"))
            .talk;
        assert!(
            told.contains(&format!("sums of {rows} rows")) && told.contains("2 numbers → y"),
            "{files}: {told}"
        );
        let score = folder.done("score s.npt whole.csv").data;
        let r2: f64 = score.split(['\t', '\n']).nth(1).unwrap().parse().unwrap();
        assert!(r2 > 0.9, "{files}: {score}");
    }
    folder.write("texts.csv", "a,b,y\n1,red,2\n2,blue,3\n");
    folder.write("less.csv", "a,y\n1,2\n2,3\n");
    for (files, error) in [
        (
            "whole.csv texts.csv",
            "the column b has numbers in whole.csv, and texts in texts.csv",
        ),
        (
            "whole.csv less.csv",
            "whole.csv has 3 columns, less.csv has 2 columns",
        ),
        ("whole.csv whole.csv", "whole.csv is given twice"),
        ("whole.csv --ignore bb", "there is no column bb"),
    ] {
        let code = if error.ends_with("twice") { 2 } else { 1 };
        let told = fails(
            &folder,
            code,
            &format!("fit {files} {task} --stream -o s.npt"),
        );
        assert!(told.contains(error), "{files}: {told}");
    }
    // The values of a row decide its fold: with three different rows, some folds have none.
    let few: String = (0..300)
        .map(|k| format!("{},{}\n", k % 3, (k % 3) * 2))
        .collect();
    folder.write("few.csv", &format!("a,y\n{few}"));
    folder.done("fit few.csv -t y --stream -o f.npt");
}
