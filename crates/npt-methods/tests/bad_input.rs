//! Tests of the errors of the methods, by variant and fields.

use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, array};
use npt_core::{Gaussian, KernelizedError, Linear};
use npt_methods::{
    Error, KernelSvc, Kfd, Kpca, KpcaL1,
    linear::{Lda, Pca, PcaL1, Svc},
};

fn points() -> Array2<f64> {
    array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.5], [4.0, 3.0]]
}

fn parameter(
    of: &'static str,
    parameter: &'static str,
    value: f64,
    allowed: &'static str,
) -> Error {
    Error::Parameter {
        of,
        parameter,
        value,
        allowed,
    }
}

#[test]
fn no_components() {
    let data = DatasetBase::from(points());
    let refused = |of| Some(parameter(of, "components", 0.0, "at least 1"));
    assert_eq!(Pca::params(0).fit(&data).err(), refused("Pca"));
    assert_eq!(PcaL1::params(0).fit(&data).err(), refused("PcaL1"));
    let method = |error: Option<Error>| error.map(KernelizedError::Method);
    assert_eq!(
        Kpca::params(0, Linear::new()).fit(&data).err(),
        method(refused("Pca"))
    );
    assert_eq!(
        KpcaL1::params(0, Linear::new()).fit(&data).err(),
        method(refused("PcaL1"))
    );
    let labelled = Dataset::new(points(), array![0, 0, 1, 1]);
    let none = Kfd::params(Linear::new())
        .method(|m| m.components(0))
        .fit(&labelled);
    assert_eq!(none.err(), method(refused("Lda")));
}

#[test]
fn more_components_than_there_are() {
    let data = DatasetBase::from(points());
    let too_many = |requested, available| {
        Some(KernelizedError::Method(Error::Components {
            requested,
            available,
        }))
    };
    assert_eq!(
        Kpca::params(3, Linear::new()).fit(&data).err(),
        too_many(3, 2)
    );
    assert_eq!(
        Kpca::params(4, Gaussian::new(0.5)).fit(&data).err(),
        too_many(4, 3)
    );
    assert_eq!(
        KpcaL1::params(3, Linear::new()).fit(&data).err(),
        too_many(3, 2)
    );
    let labelled = Dataset::new(points(), array![0, 0, 1, 1]);
    assert_eq!(
        Kfd::params(Linear::new())
            .method(|m| m.components(2))
            .fit(&labelled)
            .err(),
        too_many(2, 1)
    );
}

#[test]
fn parameters_of_pca_l1() {
    let data = DatasetBase::from(points());
    let none = PcaL1::params(1).starts(0).fit(&data);
    assert_eq!(
        none.err(),
        Some(parameter("PcaL1", "starts", 0.0, "at least 1"))
    );
    let none = PcaL1::params(1).max_iterations(0).fit(&data);
    assert_eq!(
        none.err(),
        Some(parameter("PcaL1", "max_iterations", 0.0, "at least 1"))
    );
    let one = PcaL1::params(1).max_iterations(1).fit(&data);
    assert!(matches!(one, Err(Error::NotConverged { method: "PcaL1", value, .. }) if value > 0.0));
}

#[test]
fn ridge_of_the_discriminant() {
    let data = Dataset::new(points(), array![0, 0, 1, 1]);
    for ridge in [-1.0, f64::INFINITY] {
        let error = Kfd::params(Linear::new())
            .method(|m| m.ridge(ridge))
            .fit(&data)
            .err();
        let refused = parameter("Lda", "ridge", ridge, "finite and at least 0");
        assert_eq!(error, Some(KernelizedError::Method(refused)));
    }
    let error = Lda::params().ridge(f64::NAN).fit(&data).err();
    assert!(matches!(
        error,
        Some(Error::Parameter { of: "Lda", parameter: "ridge", value, .. }) if value.is_nan()
    ));
    // Without a ridge, and with classes of one sample, nothing bounds the criterion.
    let alone = Dataset::new(points(), array![0, 1, 2, 3]);
    let error = Lda::params().ridge(0.0).fit(&alone).err();
    let singular = |least| Error::Singular {
        of: "Lda",
        parameter: "ridge",
        value: 0.0,
        least,
    };
    assert_eq!(error, Some(singular(0.0)));
    // The third feature is a sum of the other two, but for rounding.
    let x = Array2::from_shape_fn((12, 3), |(i, j)| {
        let at = |j: usize| (1.0 + (7 * i + 4 * j) as f64).sin();
        if j < 2 {
            at(j)
        } else {
            0.1 * at(0) + 0.3 * at(1)
        }
    });
    let dependent = Dataset::new(x, Array1::from_shape_fn(12, |i| i % 4));
    let error = Lda::params().ridge(0.0).fit(&dependent).err();
    assert!(matches!(
        error,
        Some(Error::Singular { of: "Lda", value: 0.0, least, .. }) if least > 0.0 && least < 1e-13
    ));
}

#[test]
fn discriminants_out_of_range() {
    let labels = array![0, 0, 1, 1];
    for scale in [1e-200, 1e200] {
        let data = Dataset::new(points() * scale, labels.clone());
        let error = Lda::params().fit(&data).err();
        assert_eq!(error, Some(Error::Overflow { of: "Lda" }));
    }
    let same = Dataset::new(Array2::from_elem((4, 2), 0.1), labels);
    let error = Lda::params().fit(&same).err();
    let none = npt_core::Error::NoVariance { samples: 4 };
    assert_eq!(error, Some(Error::Core(none)));
}

#[test]
fn one_class() {
    let same = Dataset::new(points(), Array1::from_elem(4, 3_usize));
    let error = Kfd::params(Gaussian::new(1.0)).fit(&same).err();
    assert_eq!(
        error,
        Some(KernelizedError::Method(Error::Classes { found: 1 }))
    );
    for label in [false, true] {
        let same = Dataset::new(points(), Array1::from_elem(4, label));
        let error = KernelSvc::params(Gaussian::new(1.0)).fit(&same).err();
        assert_eq!(
            error,
            Some(KernelizedError::Method(Error::Classes { found: 1 }))
        );
    }
}

#[test]
fn parameters_of_svc() {
    let data = Dataset::new(points(), array![false, true, false, true]);
    let allowed = "finite and above 0";
    for bad in [0.0, -1.0, f64::INFINITY] {
        let error = Svc::params().c(bad).fit(&data).err();
        assert_eq!(error, Some(parameter("Svc", "c", bad, allowed)));
        for (class, positive, negative) in [("positive", bad, 1.0), ("negative", 1.0, bad)] {
            let params = Svc::params().class_c(positive, negative);
            let error = params.fit(&data).err();
            let Some(Error::Parameter { parameter, .. }) = error else {
                panic!("{bad} of the {class} class is refused");
            };
            assert_eq!(parameter, format!("class_c ({class})"));
        }
        let error = KernelSvc::params(Linear::new())
            .method(|m| m.tolerance(bad))
            .fit(&data)
            .err();
        let refused = parameter("Svc", "tolerance", bad, allowed);
        assert_eq!(error, Some(KernelizedError::Method(refused)));
    }
    let error = Svc::params().c(f64::NAN).fit(&data).err();
    assert!(
        matches!(error, Some(Error::Parameter { parameter: "c", value, .. }) if value.is_nan())
    );
}

/// The linear methods check their records themselves: they are used without a kernel, too.
#[test]
fn records_of_linear_methods() {
    let mut x = points();
    x[[2, 1]] = f64::NAN;
    let error = Pca::params(1).fit(&DatasetBase::from(x)).err();
    assert!(matches!(
        error,
        Some(Error::Core(npt_core::Error::SampleNotFinite {
            row: 2,
            column: 1,
            ..
        }))
    ));
    let empty = Dataset::new(Array2::<f64>::zeros((0, 2)), Array1::<usize>::zeros(0));
    let error = Lda::params().fit(&empty).err();
    assert_eq!(error, Some(Error::Core(npt_core::Error::NoSamples)));
    let short = Dataset::new(points(), array![true, false]);
    let error = Svc::params().fit(&short).err();
    let count = npt_core::Error::TargetCount {
        samples: 4,
        targets: 2,
    };
    assert_eq!(error, Some(Error::Core(count)));
    let equal = DatasetBase::from(Array2::<f64>::ones((4, 2)));
    let error = PcaL1::params(1).fit(&equal).err();
    assert_eq!(
        error,
        Some(Error::Components {
            requested: 1,
            available: 0
        })
    );
    let error = Pca::params(1).fit(&equal).err();
    assert_eq!(
        error,
        Some(Error::Components {
            requested: 1,
            available: 0
        })
    );
}
