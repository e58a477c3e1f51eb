//! Typed methods as estimators by name: the same predictions.

use super::*;
use npt_core::{Exact, Indefinite, KernelMethod, Parameters, Rank, Sigmoid};
use npt_estimator::{Error, NamedSpace};

fn fitted<P: Parameters + 'static, B: NamedSpace<Rows<f64>>>(
    typed: &KernelMethod<P, B>,
    targets: impl Into<Targets>,
) -> Model {
    let estimator = Estimator::typed(typed).unwrap();
    // The estimator that is read from its text is the same.
    let text = serde_json::to_string(&estimator).unwrap();
    assert_eq!(serde_json::from_str::<Estimator>(&text).unwrap(), estimator);
    estimator.fit(&Data::from(matrix()), targets).unwrap()
}

#[test]
fn typed_methods_have_estimators() {
    let new = Data::from(new_matrix());
    let kernel = || Gaussian::new(0.5).plus(Linear::new().scaled(0.1));

    let ridge = KernelRidge::params(kernel()).method(|ridge| ridge.penalty(0.3));
    let model = ridge.fit(&DatasetBase::new(matrix(), numbers())).unwrap();
    let full = model.try_predict(&new_matrix()).unwrap();
    assert_eq!(
        predicted(&fitted(&ridge, numbers()), &new),
        column(full.clone())
    );

    let single = ridge.method(|ridge| ridge.precision(linear::Precision::Single));
    let model = single.fit(&DatasetBase::new(matrix(), numbers())).unwrap();
    let expected = model.try_predict(&new_matrix()).unwrap();
    assert_ne!(expected, full);
    assert_eq!(
        predicted(&fitted(&single, numbers()), &new),
        column(expected)
    );

    let svc = KernelSvc::params(kernel())
        .method(|svc| svc.class_c(2.0, 5.0))
        .space(|space| {
            space
                .rank(Rank::Components(7))
                .axes(Axes::Cholesky)
                .centered(false)
        });
    let model = svc
        .fit(&DatasetBase::new(matrix(), Array1::from(two())))
        .unwrap();
    let expected = model.decision_function(&new_matrix()).unwrap();
    assert_eq!(decided(&fitted(&svc, two()), &new), column(expected));

    let kpca = Kpca::params(3, kernel()).space(|space| space.landmarks_only(true));
    let nothing = DatasetBase::new(matrix(), Array1::from_elem(20, ()));
    let expected: Array2<f64> = kpca.fit(&nothing).unwrap().transform(new_matrix());
    assert_eq!(transformed(&fitted(&kpca, ()), &new), expected);
}

#[test]
fn landmarks_have_names() {
    let new = Data::from(new_matrix());
    let data = DatasetBase::new(matrix(), numbers());
    for landmarks in [
        Pivoting::random(7).seed(3),
        Pivoting::greedy(5),
        Pivoting::uniform(6).seed(1),
    ] {
        let ridge = KernelRidge::params(Gaussian::new(0.5));
        let ridge = ridge.space(|space| space.axes(Axes::Cholesky).with_landmarks(landmarks));
        let expected = ridge.fit(&data).unwrap().try_predict(&new_matrix());
        let found = predicted(&fitted(&ridge, numbers()), &new);
        assert_eq!(found, column(expected.unwrap()));
    }
    for (landmarks, error) in [
        (
            Pivoting::by_leverage(5, 0.1),
            "in the space: nystrom has no parameter penalty",
        ),
        (
            Pivoting::greedy(5).tolerance(0.1),
            "in the space: nystrom has no parameter least_residual",
        ),
    ] {
        let ridge = KernelRidge::params(Gaussian::new(0.5));
        let ridge = ridge.space(|space| space.with_landmarks(landmarks));
        let found = Estimator::typed(&ridge).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}");
    }
}

/// A space may clip an indefinite kernel, which the default space refuses.
#[test]
fn an_indefinite_kernel_is_clipped() {
    let sigmoid = || Kpca::params(2, Sigmoid::new(1.0, -3.0));
    let refused = Estimator::typed(&sigmoid()).unwrap();
    assert!(refused.fit(&Data::from(matrix()), ()).is_err());
    let clipped = sigmoid().space(|space| space.indefinite(Indefinite::Clip));
    let nothing = DatasetBase::new(matrix(), Array1::from_elem(20, ()));
    let expected: Array2<f64> = clipped.fit(&nothing).unwrap().transform(new_matrix());
    let model = fitted(&clipped, ());
    assert_eq!(transformed(&model, &Data::from(new_matrix())), expected);
    assert!(
        model.to_string().contains("indefinite = \"clip\""),
        "{model}"
    );
}

#[test]
fn what_has_no_name() {
    /// Parameters that no method of the library has.
    struct Own;
    impl Parameters for Own {
        fn parameter_entries() -> Vec<npt_core::catalogue::ParameterEntry> {
            Vec::new()
        }

        fn parameter(&self, _: &str) -> Option<npt_core::ParameterValue> {
            None
        }

        fn set_parameter(
            &mut self,
            name: &str,
            _: npt_core::ParameterValue,
        ) -> Result<(), npt_core::ParameterError> {
            let (of, parameter) = ("own".to_owned(), name.to_owned());
            Err(npt_core::ParameterError::Unknown { of, parameter })
        }
    }
    let own = KernelMethod::new(Own, Exact::new(Linear::new()));
    assert_eq!(Estimator::typed(&own), Err(Error::NoName));
    let ridge = KernelRidge::params(Linear::new()).method(|ridge| ridge.penalty(-1.0));
    let error = Estimator::typed(&ridge).unwrap_err();
    assert_eq!(
        error.to_string(),
        "in the method: penalty of ridge is [-1]; it must be finite numbers, none below 0"
    );
}
