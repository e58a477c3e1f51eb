//! Public data sets, read from the folder that the environment variable `NPT_DATA` names. They are
//! not part of the project: a test that needs one says that it is skipped if the folder is not given.

use flate2::read::GzDecoder;
use ndarray::{Array1, Array2, Axis, s};
use std::{
    error::Error,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// The folder of the data sets; `None` if `NPT_DATA` is not set.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("NPT_DATA").map(PathBuf::from)
}

/// Zip code digits of *The Elements of Statistical Learning*, from `usps_train.gz` or
/// `usps_test.gz`.
#[derive(Debug, Clone)]
pub struct Digits {
    /// Grey values in [−1, 1], one row a digit of 16×16 pixels, row by row.
    pub pixels: Array2<f64>,
    /// The digits, from 0 to 9.
    pub labels: Array1<usize>,
}

impl Digits {
    /// Reads lines of a label and 256 grey values.
    ///
    /// # Errors
    /// An error if the file cannot be read, or its contents are wrong.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut text = String::new();
        let file = File::open(path).map_err(|error| missing(path, &error))?;
        GzDecoder::new(file).read_to_string(&mut text)?;
        let table = numbers(&text, 257)?;
        let labels = table.column(0);
        let labels: Option<_> = labels
            .iter()
            .map(num_traits::ToPrimitive::to_usize)
            .collect();
        Ok(Self {
            labels: labels.ok_or("a label is negative")?,
            pixels: table.slice_move(s![.., 1..]),
        })
    }
}

/// Reads one of the two-class benchmark sets of Rätsch, Onoda and Müller (2001), from the folder `ida`:
/// samples, and whether their label is +1.
///
/// # Errors
/// An error if the file cannot be read, or its contents are wrong.
pub fn ida(folder: &Path, name: &str) -> Result<(Array2<f64>, Array1<bool>), Box<dyn Error>> {
    let (x, label) = csv(&folder.join("ida").join(name).with_extension("csv"))?;
    Ok((x, label.mapv(|label| label > 0.0)))
}

/// Reads rows of numbers, the last column apart, from a file of comma-separated values without names.
///
/// # Errors
/// An error if the file cannot be read, or its contents are wrong.
pub fn csv(path: &Path) -> Result<(Array2<f64>, Array1<f64>), Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| missing(path, &error))?;
    let columns = text.lines().next().map_or(0, |l| l.split(',').count());
    let table = numbers(&text, columns)?;
    let last = columns.checked_sub(1).ok_or("the file is empty")?;
    let (x, label) = table.view().split_at(Axis(1), last);
    Ok((x.to_owned(), label.column(0).to_owned()))
}

/// Reads the foetal electrocardiogram of DaISy, from `foetal_ecg.dat`: the voltages of eight electrodes,
/// one row an instant.
///
/// # Errors
/// An error if the file cannot be read, or its contents are wrong.
pub fn foetal_ecg(folder: &Path) -> Result<Array2<f64>, Box<dyn Error>> {
    let path = folder.join("foetal_ecg.dat");
    let text = fs::read_to_string(&path).map_err(|error| missing(&path, &error))?;
    // The first column is the time.
    Ok(numbers(&text, 9)?.slice_move(s![.., 1..]))
}

/// The sources of the sets, by the beginning of their names or of their folders' names.
const SOURCES: [(&str, &str); 4] = [
    (
        "usps_",
        "the zip code data of https://hastie.su.domains/ElemStatLearn",
    ),
    (
        "letter.",
        "https://archive.ics.uci.edu/dataset/59, standardised, the letter last as a number from 0",
    ),
    (
        "foetal_ecg.",
        "DaISy, https://homes.esat.kuleuven.be/~smc/daisy",
    ),
    (
        "ida/",
        "the benchmark sets of Rätsch, Onoda and Müller (2001), one row a sample, the label last",
    ),
];

/// The error for a file that cannot be read, with the source of its data set.
fn missing(path: &Path, error: &std::io::Error) -> String {
    let place = path.display();
    let names = [path.parent().and_then(Path::file_name), path.file_name()];
    let [folder, file] = names.map(|name| name.unwrap_or_default().to_string_lossy());
    let in_folder = format!("{folder}/{file}");
    let mut sources = SOURCES.iter();
    let known = sources.find(|(name, _)| file.starts_with(name) || in_folder.starts_with(name));
    let source = known.map_or(String::new(), |(_, source)| {
        format!("; it is from {source}")
    });
    format!("{place}: {error}{source}")
}

/// Reads a table of numbers that are separated by commas or white space.
fn numbers(text: &str, columns: usize) -> Result<Array2<f64>, Box<dyn Error>> {
    let fields = text.split(|c: char| c == ',' || c.is_ascii_whitespace());
    let fields = fields.filter(|field| !field.is_empty());
    let values: Vec<f64> = fields.map(str::parse).collect::<Result<_, _>>()?;
    let rows = values.len() / columns.max(1);
    Ok(Array2::from_shape_vec((rows, columns), values)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error for a missing file names the file, and the source of its data set.
    #[test]
    fn sources_of_missing_files() {
        let message = |path: &str| csv(Path::new(path)).unwrap_err().to_string();
        assert!(message("no/letter.csv").starts_with("no/letter.csv: "));
        assert!(message("no/letter.csv").contains("archive.ics.uci.edu"));
        // The set is of the folder `ida`, which may be anywhere; a parent folder called like another set changes nothing.
        assert!(message("letter/ida/german.csv").contains("Rätsch"));
        assert!(!message("letter/other.csv").contains("it is from"));
        let digits = Digits::read(Path::new("usps_train.gz")).unwrap_err();
        assert!(digits.to_string().contains("zip code data"));
    }
}
