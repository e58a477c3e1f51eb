//! The program as somebody at a shell runs it: real files, and every exit code.

mod bad_input;
mod examples;
mod formats;
mod interrupted;
mod libsvm;
mod plots;
mod reports;
mod streams;
mod sums;
mod verbs;

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A folder with tables, in which commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// A folder with a table of two rings: an id, two features, a colour by the ring, and the ring.
    fn of_rings(rows: usize) -> Self {
        let folder = Self::new();
        folder.write("rings.csv", &rings(rows));
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a file")
    }

    fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    fn command(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_npt"));
        command
            .args(arguments.words())
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &(impl Words + ?Sized)) -> Ran {
        Ran::of(&self.command(arguments).output().expect("the program runs"))
    }

    /// Runs a command that has to succeed.
    fn done(&self, arguments: &(impl Words + ?Sized)) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{:?}: {}", arguments.words(), ran.talk);
        ran
    }
}

/// The words of a command line, in one text or in a list.
trait Words {
    fn words(&self) -> Vec<String>;
}

/// Words with spaces stand in single quotes, as for a shell.
impl Words for str {
    fn words(&self) -> Vec<String> {
        let parts = self.split('\'').enumerate();
        let words = parts.flat_map(|(k, part)| match k % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        words.map(str::to_owned).collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<String> {
        self[..].words()
    }
}

/// The exit code of a command, and its outputs.
struct Ran {
    code: i32,
    data: String,
    talk: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Self {
            code: output.status.code().unwrap_or(-1),
            data: text(&output.stdout),
            talk: text(&output.stderr),
        }
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.data).expect("JSON")
    }
}

fn rings(rows: usize) -> String {
    let mut text = "id,x,y,colour,ring\n".to_owned();
    for row in 0..rows {
        let angle = 0.7 * row as f64;
        let is_inner = row % 2 == 0;
        let radius = if is_inner { 1.0 } else { 2.0 } + 0.1 * (1.3 * row as f64).sin();
        let (colour, ring) = match (is_inner, row % 3) {
            (true, 0) => ("red", "inner"),
            (true, _) => ("blue", "inner"),
            (false, 0) => ("green", "outer"),
            (false, _) => ("blue", "outer"),
        };
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        writeln!(text, "r{row},{x:.4},{y:.4},{colour},{ring}").expect("a text");
    }
    text
}

/// A column of a csv text.
fn column<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let mut lines = text.lines();
    let names = lines.next().expect("a header").split(',');
    let place = names.into_iter().position(|known| known == name);
    let place = place.unwrap_or_else(|| panic!("no column {name} in {text}"));
    lines
        .map(|line| line.split(',').nth(place).expect("a value"))
        .collect()
}
