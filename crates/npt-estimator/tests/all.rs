//! Estimators and models by name, in one program.

mod bad_input;
mod categories;
mod every;
mod export;
mod kinds;
mod names;
mod pre_images;
mod search;
mod sums;
mod typed;
mod typed_files;

use ndarray::{Array1, Array2, s};
use npt_core::catalogue::Heading;
use npt_estimator::{Data, Estimator, Label, TargetKind, Targets};
use npt_testkit::data;

/// Twenty samples of three positive features.
fn matrix() -> Array2<f64> {
    data::normal(20, 3, 7).mapv(f64::abs)
}

fn new_matrix() -> Array2<f64> {
    data::normal(6, 3, 8).mapv(f64::abs)
}

/// A target along the first feature.
fn numbers() -> Array1<f64> {
    matrix().slice(s![.., 0]).mapv(|v| v.sin() + 0.5 * v)
}

/// The class of each sample, as a position among `classes`, along the first feature.
fn positions(classes: usize) -> Vec<usize> {
    let x = matrix();
    let mut order: Vec<usize> = (0..x.nrows()).collect();
    order.sort_by(|&a, &b| x[[a, 0]].total_cmp(&x[[b, 0]]));
    let mut positions = vec![0; x.nrows()];
    for (place, &row) in order.iter().enumerate() {
        positions[row] = place * classes / x.nrows();
    }
    positions
}

/// The classes as numbers.
fn labels(classes: usize) -> Vec<i64> {
    let label = |position| i64::try_from(position).expect("few classes");
    positions(classes).into_iter().map(label).collect()
}

/// Targets of the kind that a method takes.
fn targets_of(method: &str) -> Targets {
    let estimator = Estimator::new(method, "linear").expect("a method of the list");
    match estimator.targets().expect("a method of the list") {
        TargetKind::None => Targets::None,
        TargetKind::Labels => labels(2).into(),
        TargetKind::View => Data::from(matrix().slice(s![.., 1..]).to_owned()).into(),
        _ => numbers().into(),
    }
}

/// The text of a method, with values for the parameters that it requires.
fn with_required(heading: &Heading) -> String {
    let required = heading
        .parameters()
        .iter()
        .filter(|entry| entry.is_required());
    let given: Vec<String> = required
        .map(|entry| match entry.name() {
            "nu" => "nu = 0.5".to_owned(),
            name @ ("landmarks" | "frequencies" | "features") => format!("{name} = 8"),
            name => format!("{name} = 2"),
        })
        .collect();
    format!("{}({})", heading.name(), given.join(", "))
}

/// The classes as words.
fn texts(positions: &[usize]) -> Vec<Label> {
    let words = ["low", "middle", "top"];
    positions
        .iter()
        .map(|&position| words[position].into())
        .collect()
}
