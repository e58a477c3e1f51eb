//! Ctrl-C, --time, and readers that go away.

use super::{Folder, Ran};
use std::{
    io::Read as _,
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// A fit that takes minutes; after two seconds it is certain to run.
fn long(folder: &Folder) -> Vec<&'static str> {
    let mut text = "x,y\n".to_owned();
    for k in 0..9000 {
        let x = f64::from(k) * 0.01;
        text += &format!("{x:.2},{}\n", (f64::from(k * 7919 % 1000) * 0.001).sin());
    }
    folder.write("long.csv", &text);
    vec![
        "fit",
        "long.csv",
        "-t",
        "y",
        "-m",
        "svr(c = 100000, epsilon = 0.0001)",
        "-k",
        "gaussian:gamma=0.5",
        "-o",
        "long.npt",
    ]
}

#[cfg(unix)]
#[test]
fn interrupted() {
    let folder = Folder::new();
    let arguments = long(&folder);
    let child = folder
        .command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_secs(2));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let begun = Instant::now();
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.talk);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(
        ran.talk
            .ends_with("npt: interrupted; nothing was written\n"),
        "{}",
        ran.talk
    );
    assert!(!folder.has("long.npt"));
}

#[test]
fn the_best_in_the_time() {
    let folder = Folder::new();
    let mut arguments = long(&folder);
    arguments.extend(["--time", "2s"]);
    let ran = folder.run(&arguments);
    assert_eq!(ran.code, 4, "{}", ran.talk);
    assert!(
        ran.talk
            .contains("the time was over, and this is the best so far"),
        "{}",
        ran.talk
    );
    assert!(folder.has("long.npt"));
}

/// A search ends after the candidates that it had time for.
#[test]
fn a_search_in_the_time() {
    let folder = Folder::of_rings(300);
    let cv = [
        "cv",
        "rings.csv",
        "-t",
        "ring",
        "--ignore",
        "id,colour",
        "-m",
        "svc:c=1",
        "-k",
        "gaussian:gamma=0.01..1:50",
        "--time",
        "1ms",
        "--json",
    ];
    let ran = folder.run(&cv);
    assert_eq!(ran.code, 4, "{}", ran.talk);
    let scored = ran.json()["candidates"].as_array().unwrap().len();
    assert!((1..50).contains(&scored), "{scored}");
    assert_eq!(ran.json()["skipped"], 50 - scored);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away() {
    let folder = Folder::of_rings(20_000);
    let fit = [
        "fit",
        "rings.csv",
        "--ignore",
        "id,colour,ring",
        "-m",
        "kpca:components=1",
        "-k",
        "linear",
        "-o",
        "m.npt",
    ];
    folder.done(&fit);
    let mut child = folder.command(&["transform", "m.npt", "rings.csv", "--keep", "all"]);
    let mut child = child
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    // The reader of the output is closed here.
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.talk.as_str()), (0, ""));
}

/// Ctrl-C ends a program that waits for its standard input.
#[cfg(unix)]
#[test]
fn waiting_for_input() {
    let folder = Folder::new();
    let mut child = folder.command(&["inspect", "-"]);
    let mut child = child
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let open = child.stdin.take();
    sleep(Duration::from_millis(500));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let ran = Ran::of(&child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.talk);
    drop(open);
}
