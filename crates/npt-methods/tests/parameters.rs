//! Every parameter of every method by its name: it is what its entry says, and does what its setter does.

use linfa::{Dataset, ParamGuard, traits::Fit};
use ndarray::{Array1, Array2};
use npt_core::{
    Exact, Gaussian, KernelizedError, ParameterError, ParameterType, ParameterValue, Parameters,
    catalogue::{ParameterEntry, Range},
};
use npt_methods::{
    Error, GaussianProcess, GaussianProcessParams, NoveltyDetector, NoveltyDetectorParams,
    RobustKpca, RobustKpcaParams,
    linear::{
        CalibratedSvc, Cca, Contrast, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda,
        Logistic, MulticlassSvc, NuSvc, OneClassSvm, PairWeight, Pca, PcaL1, Pls,
        QuantileRegression, RegressionDiscriminant, Ridge, Scatter, Strategy, Svc, SvcParams, Svr,
    },
};
use std::fmt::Debug;

/// Values within a range, some of them at its ends.
fn inside(name: &str, range: Range) -> Vec<ParameterValue> {
    let reals = |values: &[f64]| values.iter().map(|&v| v.into()).collect::<Vec<_>>();
    match range {
        Range::Positive => reals(&[1e-9, 1.75, 1e9]),
        Range::NotNegative => reals(&[0.0, 1.75]),
        Range::Share => reals(&[1e-9, 0.625, 1.0]),
        Range::ProperFraction => reals(&[1e-9, 0.625, 1.0 - f64::EPSILON]),
        Range::AtLeast(least) => vec![least.into(), (least + 1).into()],
        // Of two classes.
        Range::Positives if name == "class_c" => vec![vec![1e-9, 1e9].into()],
        Range::NotNegatives => vec![vec![0.0].into(), vec![1.75, 0.25].into()],
        Range::Word(words) => words.iter().map(|&word| word.into()).collect(),
        Range::Boolean => vec![true.into(), false.into()],
        other => panic!("values of {other:?}"),
    }
}

/// Values of the right kind, on either side of a range.
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

/// Values that are of no kind that the range takes.
fn of_other_kinds(range: Range) -> Vec<ParameterValue> {
    match range {
        Range::Word(_) | Range::Boolean => vec![1.5.into(), 2.into(), vec![1.0].into()],
        Range::AtLeast(_) => vec![1.5.into(), true.into(), "many".into(), vec![2.0].into()],
        Range::Positives | Range::NotNegatives => vec![true.into(), "many".into()],
        _ => vec![true.into(), "many".into(), vec![1.0].into()],
    }
}

/// The parameters of a method, as its `params` makes them.
struct Case<'a, P> {
    params: P,
    /// What `params` was given.
    given: &'a [ParameterValue],
    /// Why they are refused.
    refusal: &'a dyn Fn(&P) -> Option<Error>,
}

impl<P: Parameters + Clone + PartialEq + Debug> Case<'_, P> {
    fn with(&self, name: &str, value: ParameterValue) -> Result<P, ParameterError> {
        let mut changed = self.params.clone();
        changed.set_parameter(name, value).map(|()| changed)
    }

    /// The parameter for which the method refuses its parameters.
    fn refused(&self, params: &P) -> Option<&'static str> {
        match (self.refusal)(params) {
            Some(Error::Parameter { parameter, .. }) => Some(parameter),
            _ => None,
        }
    }

    /// `typed` are names, values, and what their setters make of `params`: one each parameter.
    fn check(&self, typed: &[(&str, ParameterValue, P)]) {
        let entries = P::parameter_entries();
        let mut given = self.given.iter();
        for entry in &entries {
            let name = entry.name();
            let expected = if entry.is_required() {
                given.next()
            } else {
                entry.default()
            };
            let found = self.params.parameter(name);
            assert_eq!(found.as_ref(), expected, "{name} of {:?}", self.params);
            assert!(entry.summary().ends_with('.') && !entry.summary().contains(". "));
            self.check_values(entry);
        }
        assert!(given.next().is_none() && self.refused(&self.params).is_none());
        let unknown = self.with("no_such", 1.0.into());
        assert!(
            matches!(unknown, Err(ParameterError::Unknown { parameter, .. }) if parameter == "no_such")
        );
        assert_eq!(self.params.parameter("no_such"), None);
        let (mut names, mut set) = (Vec::new(), Vec::new());
        names.extend(entries.iter().map(ParameterEntry::name));
        for (name, value, typed) in typed {
            assert_ne!(typed, &self.params, "{name}");
            assert_eq!(&self.with(name, value.clone()).unwrap(), typed, "{name}");
            set.push(*name);
        }
        names.sort_unstable();
        set.sort_unstable();
        assert_eq!(names, set);
    }

    fn check_values(&self, entry: &ParameterEntry) {
        let (name, range) = (entry.name(), entry.range());
        for value in inside(name, range) {
            let changed = self.with(name, value.clone()).unwrap();
            assert_eq!(self.refused(&changed), None, "{changed:?}");
            assert_eq!(changed.parameter(name), Some(value));
        }
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

fn by_check<P: ParamGuard<Error = Error>>(params: &P) -> Option<Error> {
    params.check_ref().err()
}

/// Checks `params`: what it takes, with another value of each, and a value of each setter.
macro_rules! check {
    (
        $params:path $([$($of_given:ident = $value:expr, $other:expr);+])?,
        $refusal:expr $(, $setter:ident = $set:expr)* $(,)?
    ) => {{
        let params = $params($($($value),+)?);
        let typed = vec![
            $($((
                stringify!($of_given),
                ParameterType::value(&$other),
                $params($other),
            ),)+)?
            $({
                let value = $set;
                let typed = params.clone().$setter(value);
                (stringify!($setter), ParameterType::value(&value), typed)
            },)*
        ];
        let given: &[ParameterValue] = &[$($(ParameterType::value(&$value)),+)?];
        let case = Case { params, given, refusal: &$refusal };
        case.check(&typed);
    }};
}

#[test]
fn axes_and_clusters() {
    check!(Pca::params[components = 2_usize, 3_usize], by_check);
    check!(Pls::params[components = 2_usize, 3_usize], by_check);
    check!(Cca::params[components = 2_usize, 3_usize], by_check, ridge = 0.5);
    check!(
        PcaL1::params[components = 2_usize, 3_usize],
        by_check,
        starts = 3,
        max_iterations = 7,
        seed = 5
    );
    check!(
        FastIca::params,
        by_check,
        contrast = Contrast::Cube,
        tolerance = 1e-3,
        max_iterations = 7,
        seed = 5,
        components = 2
    );
    check!(
        KMeans::params[clusters = 2_usize, 3_usize],
        by_check,
        starts = 3,
        max_iterations = 7,
        resolution = 8.0,
        tolerance = 1e-4,
        seed = 5
    );
}

#[test]
fn discriminants() {
    check!(
        Lda::params,
        by_check,
        components = 2,
        ridge = 0.5,
        scatter = Scatter::Total,
        balanced = true
    );
    check!(
        RegressionDiscriminant::params[components = 2_usize, 3_usize],
        by_check,
        threshold = 0.25,
        weight = PairWeight::Equal,
        ridge = 0.5
    );
    check!(
        Logistic::params,
        by_check,
        penalty = 0.5,
        balanced = true,
        tolerance = 1e-3,
        max_iterations = 7
    );
}

#[test]
fn ridge_regression() {
    check!(Ridge::params, by_check, penalty = 0.5, intercept = false);
    check!(
        IterativeRidge::params,
        by_check,
        penalty = 0.5,
        intercept = false,
        tolerance = 1e-3,
        iterations = 7,
        pivots = 0,
        seed = 5
    );
    let mut several = Ridge::params();
    several
        .set_parameter("penalty", vec![0.1, 2.0].into())
        .unwrap();
    assert_eq!(several, Ridge::params().penalties(&[0.1, 2.0]));
    // A whole number is a list, too.
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

/// What is wrong with each of the classes' penalties.
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
fn support_vector_classification() {
    let params = Svc::params();
    let of_classes = |values: &[f64]| {
        let mut params = Svc::params();
        params
            .set_parameter("class_c", values.to_vec().into())
            .unwrap();
        params
    };
    let case = Case {
        params: params.clone(),
        given: &[],
        refusal: &by_check,
    };
    case.check(&[
        ("c", 2.0.into(), params.clone().c(2.0)),
        (
            "class_c",
            vec![2.0, 3.0].into(),
            params.clone().class_c(2.0, 3.0),
        ),
        ("balanced", true.into(), params.clone().balanced(true)),
        ("tolerance", 0.1.into(), params.clone().tolerance(0.1)),
        (
            "strategy",
            "one_against_rest".into(),
            params.clone().strategy(Strategy::OneAgainstRest),
        ),
    ]);
    check!(
        QuantileRegression::params,
        by_check,
        quantile = 0.25,
        c = 2.0,
        tolerance = 0.01
    );
    // The last setter has its way, whatever the other was given.
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
fn other_support_vector_methods() {
    check!(
        MulticlassSvc::params,
        by_check,
        c = 2.0,
        balanced = true,
        tolerance = 0.1,
        strategy = Strategy::OneAgainstRest
    );
    check!(
        CalibratedSvc::params,
        by_check,
        c = 2.0,
        balanced = true,
        tolerance = 0.1,
        folds = 3,
        seed = 5
    );
    check!(
        NuSvc::params[nu = 0.25, 0.5],
        by_check,
        balanced = true,
        tolerance = 0.1
    );
    check!(HardMarginSvc::params, by_check, tolerance = 0.1);
    check!(OneClassSvm::params[nu = 0.25, 0.5], by_check, tolerance = 0.1);
    check!(
        Svr::params,
        by_check,
        c = 2.0,
        tolerance = 0.01,
        epsilon = 0.5,
        nu = 0.25
    );
    // The last setter has its way, whatever the other was given.
    let params = Svr::params();
    let last = params.clone().nu(7.0).epsilon(0.5);
    assert_eq!(last, params.clone().epsilon(0.5));
    let last = params.clone().epsilon(-1.0).nu(0.25);
    assert_eq!(last, params.nu(0.25));
}

/// Targets of a curve, and its points.
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

/// Without the builder of a space: builders cannot be compared.
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
    check!(process, refusal, noise = 0.5, mean_of_targets = true);
    let mut several = process();
    several
        .set_parameter("noise", vec![0.1, 2.0].into())
        .unwrap();
    assert_eq!(several, process().noises(&[0.1, 2.0]));
    let refusal = |params: &NoveltyDetectorParams<()>| by_fit(&params.clone().space(|()| space()));
    check!(detector, refusal, quantile = 0.5);
    check!(
        robust[components = 2_usize, 3_usize],
        by_fit,
        fidelity = 2.0,
        outlier_scale = 0.5,
        tolerance = 0.1,
        max_iterations = 7
    );
}
