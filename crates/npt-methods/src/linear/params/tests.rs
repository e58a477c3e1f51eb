//! Tests of every parameter of every method by its name: it is what its entry says, and does what its setter does. `parameters!` runs
//! them for each linear method. Here are the setters that the macro does not write, and kernel methods that are no linear method in a space.

use crate::{
    Error, GaussianProcess, GaussianProcessParams, NoveltyDetector, NoveltyDetectorParams,
    RobustKpca, RobustKpcaParams,
    linear::{Ridge, Strategy, Svc, SvcParams, Svr},
};
use linfa::{Dataset, ParamGuard, traits::Fit};
use ndarray::{Array1, Array2};
use npt_core::{
    Exact, Gaussian, KernelizedError, ParameterError, ParameterType, ParameterValue, Parameters,
    catalogue::{ParameterEntry, Range},
};
use std::fmt::Debug;

/// Returns values within a range, some of them at its ends.
fn inside(name: &str, range: Range) -> Vec<ParameterValue> {
    let reals = |values: &[f64]| values.iter().map(|&v| v.into()).collect::<Vec<_>>();
    match range {
        Range::Positive => reals(&[1e-9, 1e9, 1.75]),
        Range::NotNegative => reals(&[0.0, 1.75]),
        Range::Share => reals(&[1e-9, 1.0, 0.625]),
        Range::ProperFraction => reals(&[1e-9, 1.0 - f64::EPSILON, 0.625]),
        Range::AtLeast(least) => vec![least.into(), (least + 1).into()],
        // One penalty for each of two classes.
        Range::Positives if name == "class_c" => vec![vec![1e-9, 1e9].into()],
        Range::NotNegatives => vec![vec![0.0].into(), vec![1.75, 0.25].into()],
        Range::Word(words) => words.iter().map(|&word| word.into()).collect(),
        Range::Boolean => vec![true.into(), false.into()],
        other => panic!("values of {other:?}"),
    }
}

/// Returns values of the right kind outside a range, on either side of it.
fn outside(range: Range) -> Vec<ParameterValue> {
    let reals = |values: &[f64]| values.iter().map(|&v| v.into()).collect::<Vec<_>>();
    match range {
        Range::Positive => reals(&[0.0, -1.0, f64::INFINITY, f64::NAN]),
        Range::NotNegative => reals(&[-1e-300, f64::INFINITY, f64::NAN]),
        Range::Share => reals(&[0.0, -0.5, 1.0 + f64::EPSILON, f64::NAN]),
        Range::ProperFraction => reals(&[0.0, -0.5, 1.0, f64::NAN]),
        Range::AtLeast(least) => least.checked_sub(1).map(Into::into).into_iter().collect(),
        Range::Positives => vec![vec![1.0, 0.0].into(), vec![f64::INFINITY, 1.0].into()],
        Range::NotNegatives => vec![vec![1.0, -1e-300].into(), vec![f64::INFINITY].into()],
        Range::Word(_) | Range::Boolean => Vec::new(),
        other => panic!("values outside of {other:?}"),
    }
}

/// Returns values of a kind that the range does not take.
fn of_other_kinds(range: Range) -> Vec<ParameterValue> {
    match range {
        Range::Word(_) | Range::Boolean => vec![1.5.into(), 2.into(), vec![1.0].into()],
        Range::AtLeast(_) => vec![1.5.into(), true.into(), "many".into(), vec![2.0].into()],
        Range::Positives | Range::NotNegatives => vec![true.into(), "many".into()],
        _ => vec![true.into(), "many".into(), vec![1.0].into()],
    }
}

/// Returns the first value of a range, as an argument of `params`.
fn first(name: &str, range: Range) -> ParameterValue {
    inside(name, range).swap_remove(0)
}

/// Returns the first value of a range, as the type that `params` takes.
pub(in crate::linear) fn given<T: ParameterType + Default>(name: &str, range: Range) -> T {
    let mut given = T::default();
    given.set(name, first(name, range)).unwrap();
    given
}

/// The name of a parameter, and a function that gives its value in the second parameters to the first.
pub(in crate::linear) type Setter<P> = (&'static str, fn(P, &P) -> P);

/// The parameters of a method, as its `params` makes them of the first values of their ranges.
pub(in crate::linear) struct Case<'a, P> {
    pub(in crate::linear) params: &'a P,
    /// The reason for which parameters are refused.
    pub(in crate::linear) refusal: &'a dyn Fn(&P) -> Option<Error>,
}

impl<P: Parameters + Clone + PartialEq + Debug> Case<'_, P> {
    fn with(&self, name: &str, value: ParameterValue) -> Result<P, ParameterError> {
        let mut changed = self.params.clone();
        changed.set_parameter(name, value).map(|()| changed)
    }

    /// Returns the parameter for which the method refuses its parameters.
    fn refused(&self, params: &P) -> Option<&'static str> {
        match (self.refusal)(params) {
            Some(Error::Parameter { parameter, .. }) => Some(parameter),
            _ => None,
        }
    }

    /// Checks all parameters. Each has a setter, except for those of `held`.
    pub(in crate::linear) fn check(&self, setters: &[Setter<P>], held: &[&str]) {
        let entries = P::parameter_entries();
        for entry in &entries {
            let (name, required) = (entry.name(), first_of_required(entry));
            let expected = required.as_ref().or(entry.default());
            let found = self.params.parameter(name);
            assert_eq!(found.as_ref(), expected, "{name} of {:?}", self.params);
            assert!(entry.summary().ends_with('.') && !entry.summary().contains(". "));
            let setter = setters.iter().find(|(of, _)| *of == name);
            assert_ne!(setter.is_some(), held.contains(&name), "{name}");
            self.check_values(entry, setter);
        }
        assert_eq!(entries.len(), setters.len() + held.len());
        assert_eq!(self.refused(self.params), None);
        let unknown = self.with("no_such", 1.0.into());
        assert!(
            matches!(unknown, Err(ParameterError::Unknown { parameter, .. }) if parameter == "no_such")
        );
        assert_eq!(self.params.parameter("no_such"), None);
    }

    fn check_values(&self, entry: &ParameterEntry, setter: Option<&Setter<P>>) {
        let (name, range) = (entry.name(), entry.range());
        let mut others = 0;
        for value in inside(name, range) {
            let changed = self.with(name, value.clone()).unwrap();
            assert_eq!(self.refused(&changed), None, "{changed:?}");
            others += usize::from(self.params.parameter(name).as_ref() != Some(&value));
            assert_eq!(changed.parameter(name), Some(value));
            if let Some((_, set)) = setter {
                assert_eq!(set(self.params.clone(), &changed), changed);
            }
        }
        assert!(others > 0, "{name} has no other value");
        for value in outside(range) {
            let changed = self.with(name, value).unwrap();
            let refused = self.refused(&changed);
            assert!(
                refused.is_some_and(|parameter| parameter.starts_with(name)),
                "{changed:?}: {refused:?}"
            );
        }
        for value in of_other_kinds(range) {
            let error = self.with(name, value).unwrap_err();
            assert!(
                matches!(&error, ParameterError::Kind { parameter, .. } if parameter == name),
                "{error:?}"
            );
        }
        if let Range::Word(_) = range {
            let error = self.with(name, "no such word".into()).unwrap_err();
            assert!(
                matches!(&error, ParameterError::Value { parameter, .. } if parameter == name),
                "{error:?}"
            );
        }
    }
}

fn first_of_required(entry: &ParameterEntry) -> Option<ParameterValue> {
    entry
        .is_required()
        .then(|| first(entry.name(), entry.range()))
}

pub(in crate::linear) fn by_check<P: ParamGuard<Error = Error>>(params: &P) -> Option<Error> {
    params.check_ref().err()
}

/// Checks that parameters, as they are and with another value of each, are what they were when their file was written.
/// `NPT_NEW_GOLDEN=1` writes the files that are missing.
#[cfg(feature = "serde")]
pub(in crate::linear) fn keeps<P>(name: &str, params: &P)
where
    P: Parameters + Clone + PartialEq + Debug + serde::Serialize + serde::de::DeserializeOwned,
{
    let mut changed = params.clone();
    for entry in P::parameter_entries() {
        let mut values = inside(entry.name(), entry.range());
        values.retain(|value| params.parameter(entry.name()).as_ref() != Some(value));
        let value = values.pop().expect("every range has several values");
        changed.set_parameter(entry.name(), value).unwrap();
    }
    let now = vec![params.clone(), changed];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kept");
    let path = std::path::Path::new(folder)
        .join(name)
        .with_extension("npt");
    if !path.exists() && std::env::var_os("NPT_NEW_GOLDEN").is_some() {
        npt_model_file::save(&now, &path).unwrap();
    }
    let then: Vec<P> = npt_model_file::load(&path).unwrap();
    assert_eq!(now, then);
}

#[test]
fn several_penalties_of_ridge_regression() {
    let mut several = Ridge::params();
    several.set_parameter("penalty", 0.5.into()).unwrap();
    assert_eq!(several, Ridge::params().penalty(0.5));
    several
        .set_parameter("penalty", vec![0.1, 2.0].into())
        .unwrap();
    assert_eq!(several, Ridge::params().penalties(&[0.1, 2.0]));
    // A whole number also serves as a list.
    several.set_parameter("penalty", 3.into()).unwrap();
    assert_eq!(several, Ridge::params().penalty(3.0));
    several.set_parameter("penalty", Vec::new().into()).unwrap();
    let none = Error::Parameter {
        of: "Ridge",
        parameter: "number of penalties",
        value: 0.0,
        allowed: "at least 1",
    };
    assert_eq!(several.check_ref().err(), Some(none));
}

/// Returns the name and the value of the penalty that is refused.
fn refused_penalty(params: &SvcParams) -> Option<(&'static str, f64)> {
    match params.check_ref().err()? {
        Error::Parameter {
            of: "Svc",
            parameter,
            value,
            allowed: "finite and above 0",
        } => Some((parameter, value)),
        error => panic!("{error}"),
    }
}

#[test]
fn penalties_of_classes() {
    let params = Svc::params();
    let named = |name: &str, value: ParameterValue| {
        let mut params = Svc::params();
        params.set_parameter(name, value).unwrap();
        params
    };
    let of_classes = |values: &[f64]| named("class_c", values.to_vec().into());
    assert_eq!(named("c", 2.0.into()), params.clone().c(2.0));
    assert_eq!(of_classes(&[2.0, 3.0]), params.clone().class_c(2.0, 3.0));
    let rest = named("strategy", "one_against_rest".into());
    assert_eq!(rest, params.clone().strategy(Strategy::OneAgainstRest));
    // The last setter has its way, whatever the other setter was given.
    let last = params.clone().class_c(-2.0, 3.0).c(4.0);
    assert_eq!(last, params.clone().c(4.0));
    let last = params.clone().c(-1.0).class_c(2.0, 3.0);
    assert_eq!(last, params.clone().class_c(2.0, 3.0));
    for (positive, negative, refused) in [
        (-1.0, 2.0, ("class_c (positive)", -1.0)),
        (2.0, 0.0, ("class_c (negative)", 0.0)),
        (-3.0, -3.0, ("c", -3.0)),
    ] {
        let typed = params.clone().class_c(positive, negative);
        assert_eq!(refused_penalty(&typed), Some(refused));
        let named = of_classes(&[positive, negative]);
        assert_eq!(refused_penalty(&named), Some(refused));
    }
    for count in [0, 1, 3] {
        let error = Error::Parameter {
            of: "Svc",
            parameter: "class_c",
            value: count as f64,
            allowed: "two numbers: of the positive class, and of the negative",
        };
        let named = of_classes(&vec![2.0; count]);
        assert_eq!(named.check_ref().err(), Some(error));
    }
}

#[test]
fn tubes_of_regression() {
    let params = Svr::params();
    for (name, value, typed) in [
        ("epsilon", 0.5, params.clone().epsilon(0.5)),
        ("nu", 0.25, params.clone().nu(0.25)),
    ] {
        let mut named = params.clone();
        named.set_parameter(name, value.into()).unwrap();
        assert_eq!(named, typed);
    }
    // The last setter has its way, whatever the other setter was given.
    let last = params.clone().nu(7.0).epsilon(0.5);
    assert_eq!(last, params.clone().epsilon(0.5));
    let last = params.clone().epsilon(-1.0).nu(0.25);
    assert_eq!(last, params.nu(0.25));
}

/// Returns points of a curve, and their targets.
fn curve() -> Dataset<f64, f64, ndarray::Ix1> {
    let x = Array2::from_shape_fn((12, 2), |(i, k)| {
        let at = i as f64 / 6.0 - 1.0;
        [at, at * at][k] + (i as f64 * 0.618).fract() / 20.0
    });
    let y = Array1::from_iter(x.outer_iter().map(|row| row[0] - row[1]));
    Dataset::new(x, y)
}

fn by_fit<P, M>(params: &P) -> Option<Error>
where
    P: Fit<Array2<f64>, Array1<f64>, KernelizedError<Error>, Object = M>,
{
    match params.fit(&curve()).err()? {
        KernelizedError::Method(error) => Some(error),
        KernelizedError::Space(error) => panic!("{error}"),
    }
}

/// Returns the value that parameters have by name.
fn of<T: ParameterType + Default>(params: &impl Parameters, name: &str) -> T {
    let mut value = T::default();
    value
        .set(name, params.parameter(name).expect("it has a value"))
        .unwrap();
    value
}

/// Returns parameters without the builder of a space: builders cannot be compared.
fn process() -> GaussianProcessParams<()> {
    GaussianProcess::params(Gaussian::new(0.5)).space(|_| ())
}

fn detector() -> NoveltyDetectorParams<()> {
    NoveltyDetector::params(Gaussian::new(0.5)).space(|_| ())
}

fn robust(components: usize) -> RobustKpcaParams<f64> {
    RobustKpca::params(components, Gaussian::new(0.5))
}

#[test]
fn kernel_methods_of_their_own() {
    let space = || Exact::new(Gaussian::new(0.5)).centered(false);
    let refusal = |params: &GaussianProcessParams<()>| by_fit(&params.clone().space(|()| space()));
    let case = Case {
        params: &process(),
        refusal: &refusal,
    };
    case.check(
        &[
            ("noise", |process, set| {
                process.noises(&of::<Vec<f64>>(set, "noise"))
            }),
            ("mean_of_targets", |process, set| {
                process.mean_of_targets(of(set, "mean_of_targets"))
            }),
        ],
        &[],
    );
    let mut one = process();
    one.set_parameter("noise", 0.5.into()).unwrap();
    assert_eq!(one, process().noise(0.5));
    let refusal = |params: &NoveltyDetectorParams<()>| by_fit(&params.clone().space(|()| space()));
    let case = Case {
        params: &detector(),
        refusal: &refusal,
    };
    case.check(
        &[("quantile", |detector, set| {
            detector.quantile(of(set, "quantile"))
        })],
        &[],
    );
    let case = Case {
        params: &robust(1),
        refusal: &by_fit,
    };
    case.check(
        &[
            ("components", |_, set| robust(of(set, "components"))),
            ("fidelity", |robust, set| {
                robust.fidelity(of(set, "fidelity"))
            }),
            ("outlier_scale", |robust, set| {
                robust.outlier_scale(of(set, "outlier_scale"))
            }),
            ("tolerance", |robust, set| {
                robust.tolerance(of(set, "tolerance"))
            }),
            ("max_iterations", |robust, set| {
                robust.max_iterations(of(set, "max_iterations"))
            }),
        ],
        &[],
    );
}
