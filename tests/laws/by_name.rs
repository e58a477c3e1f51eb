//! Tests the laws of methods for every method by name: a method does not depend on the axes, is the same by kernel values and by
//! coordinates, and counts a weight of k as k samples.

use ndarray::{Array2, Axis};
use npt::{
    ParameterValue,
    catalogue::Heading,
    estimator::{Ability, Data, Error, Estimator, Model, Predictions, Targets},
};
use npt_testkit::data;

fn matrix() -> Array2<f64> {
    data::normal(20, 3, 7).mapv(f64::abs)
}

fn new_matrix() -> Array2<f64> {
    data::normal(6, 3, 8).mapv(f64::abs)
}

/// The targets that methods may be fitted to, for some of the samples: none, labels, numbers, a second view.
fn targets(rows: &[usize]) -> [Targets; 4] {
    let along = matrix().map_axis(Axis(1), |row| row[0].sin() + 0.5 * row[0]);
    let along = along.select(Axis(0), rows);
    let sides: Vec<bool> = along.iter().map(|&value| value > 0.75).collect();
    let second = matrix().select(Axis(0), rows).mapv(f64::sin);
    let second = Data::from(second);
    [Targets::None, sides.into(), along.into(), second.into()]
}

/// Fits the method to the targets that it takes.
fn fit(estimator: &Estimator, data: &Data, rows: &[usize]) -> Result<Model, Error> {
    let fits = targets(rows).map(|targets| estimator.fit(data, targets));
    let mut fits = fits.into_iter();
    let taken = fits.find(|fit| !matches!(fit, Err(Error::Targets { .. })));
    taken.expect("every method takes some targets")
}

/// The text of a method, with values for its required parameters.
fn with_required(method: &Heading) -> String {
    let entries = method.parameters().iter();
    let given: Vec<String> = entries
        .filter(|entry| entry.is_required())
        .map(|entry| match entry.range().kind() {
            "an integer" => format!("{} = 2", entry.name()),
            _ => format!("{} = 0.5", entry.name()),
        })
        .collect();
    format!("{}({})", method.name(), given.join(", "))
}

/// An estimator that is solved to rounding, and whose solution is unique: its shares are of no whole number of samples.
fn precisely(method: &Heading, more: &[(&str, ParameterValue)]) -> Estimator {
    let estimator = Estimator::new(&with_required(method), "gaussian(gamma = 0.5)").unwrap();
    let of_all = [
        ("tolerance", 1e-12.into()),
        ("nu", 0.31.into()),
        ("quantile", 0.31.into()),
    ];
    let known = |name: &str| method.parameters().iter().any(|entry| entry.name() == name);
    let given = of_all.iter().chain(more).filter(|(name, _)| known(name));
    given.fold(estimator, |estimator, (name, value)| {
        estimator.with(name, value.clone()).unwrap()
    })
}

/// The answers of a model for new samples, as numbers. They are magnitudes where the sign of a direction is a matter of rounding.
fn said(model: &Model) -> Vec<Array2<f64>> {
    let new = Data::from(new_matrix());
    let mut said = Vec::new();
    for ability in model.abilities() {
        match ability {
            Ability::Predict => {
                if let Predictions::Numbers(numbers) = model.predict(&new).unwrap() {
                    said.push(numbers);
                }
            }
            Ability::DecisionFunction => said.push(model.decision_function(&new).unwrap()),
            Ability::Probabilities => said.push(model.predict_probabilities(&new).unwrap()),
            Ability::Variance => {
                let (means, variances) = model.predict_with_variance(&new).unwrap();
                said.push(means.insert_axis(Axis(1)));
                said.push(variances.insert_axis(Axis(1)));
            }
            Ability::Transform => said.push(model.transform(&new).unwrap().mapv(f64::abs)),
            Ability::Residuals => {
                said.push(model.residuals(&new).unwrap().insert_axis(Axis(1)));
            }
            Ability::TransformSecond => {
                said.push(model.transform_second(&new).unwrap().mapv(f64::abs));
            }
            Ability::Reconstruct => said.push(model.reconstruct(&new).unwrap()),
            _ => {}
        }
    }
    said
}

/// The largest difference, as a share of the largest number; for labels alone it is 0 or 1.
fn apart(one: &Model, other: &Model) -> f64 {
    let new = Data::from(new_matrix());
    let (first, second) = (said(one), said(other));
    assert_eq!(first.len(), second.len());
    if first.is_empty() {
        let same = one.predict(&new).unwrap() == other.predict(&new).unwrap();
        return f64::from(u8::from(!same));
    }
    let largest = |values: &Array2<f64>| values.fold(0.0_f64, |most, v| most.max(v.abs()));
    let mut most = 0.0_f64;
    for (a, b) in first.iter().zip(&second) {
        assert!(a.iter().chain(b).all(|value| value.is_finite()));
        most = most.max(largest(&(a - b)) / largest(b).max(f64::MIN_POSITIVE));
    }
    most
}

/// The methods that are no linear method in a space. Two of them take the space of all samples only. Coordinates depend on the axes.
/// The detector asks for the part outside the kept dimensions, which are different ones on other axes.
const OF_SPACES: [&str; 4] = [
    "coordinates",
    "novelty_detector",
    "optimized_gaussian_process",
    "robust_kpca",
];

/// Neither axes nor roads matter. All samples are landmarks here: the space is that of all samples, and the method gets coordinates in it.
#[test]
fn neither_axes_nor_roads_matter() {
    let all: Vec<usize> = (0..20).collect();
    let mut failed = Vec::new();
    for method in Estimator::methods() {
        if OF_SPACES.contains(&method.name()) {
            continue;
        }
        let in_space = |space: &str| {
            let estimator = precisely(method, &[]).space(space).unwrap();
            let model = fit(&estimator, &Data::from(matrix()), &all);
            model.unwrap_or_else(|error| panic!("{estimator}: {error}"))
        };
        let exact = in_space("exact");
        for axes in ["cholesky", "principal"] {
            let landmarks = in_space(&format!(
                "nystrom(landmarks = 20, selection = \"greedy\", axes = \"{axes}\")"
            ));
            let apart = apart(&landmarks, &exact);
            if apart > 1e-6 {
                failed.push(format!("{} on {axes} axes: {apart:e}", method.name()));
            }
        }
    }
    assert_eq!(failed, [""; 0]);
}

/// The methods whose probabilities need folds, each sample being in one. Their laws are tested in `weights/meaning.rs`.
const OF_FOLDS: [&str; 1] = ["calibrated_svc"];

#[test]
fn a_weight_is_so_many_samples_or_refused() {
    let times = |row: usize| row % 4;
    let rows: Vec<usize> = (0..20).flat_map(|row| vec![row; times(row)]).collect();
    let all: Vec<usize> = (0..20).collect();
    let repeated = Data::from(matrix().select(Axis(0), &rows));
    let weighted = Data::from(matrix())
        .with_weights((0..20_u8).map(|row| f32::from(row % 4)).collect::<Vec<_>>());
    let (mut failed, mut refused) = (Vec::new(), Vec::new());
    for method in Estimator::methods() {
        let estimator = precisely(method, &[("starts", 100.into())]);
        let model = match fit(&estimator, &weighted, &all) {
            Ok(model) => model,
            Err(error) => {
                assert!(
                    error.to_string().contains("weights"),
                    "{estimator}: {error}"
                );
                assert!(matches!(error, Error::Fit(_)));
                refused.push(method.name());
                continue;
            }
        };
        let apart = apart(&model, &fit(&estimator, &repeated, &rows).unwrap());
        if (apart > 1e-6) != OF_FOLDS.contains(&method.name()) {
            failed.push(format!("{}: {apart:e}", method.name()));
        }
    }
    assert_eq!(failed, [""; 0]);
    let known = [
        "regression_discriminant",
        "gaussian_process",
        "optimized_gaussian_process",
        "robust_kpca",
        "novelty_detector",
        "cca",
        "coordinates",
    ];
    assert_eq!(refused, known);
}
