//! Tests of the errors of a search.

use super::{line, wave};
use linfa::{Dataset, traits::Fit};
use ndarray::{Array1, array};
use npt_core::{Gaussian, Kernel, KernelizedError, Linear, ParameterError, Rows, Scaled};
use npt_methods::{Error, GaussianProcess, OptimizedGaussianProcessParams};
use std::sync::Arc;

type Params = OptimizedGaussianProcessParams<Scaled<Gaussian<f64>, f64>>;

fn error(change: impl Fn(Params) -> Params) -> Error {
    let search = change(GaussianProcess::optimized(Gaussian::new(3.0).scaled(2.0)));
    match search.fit(&wave()).err() {
        Some(KernelizedError::Method(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn names() {
    for found in [
        error(|p| p.bounds("gamma", 0.1, 10.0)),
        error(|p| p.keep("gamma")),
    ] {
        let known = ["factor", "kernel.gamma", "noise"]
            .map(str::to_owned)
            .to_vec();
        let parameter = "gamma".to_owned();
        assert_eq!(found, Error::UnknownParameter { parameter, known });
    }
    for other in ["factor[0]", "factor.kernel", "sigma"] {
        let found = error(|p| p.keep(other));
        assert!(matches!(found, Error::UnknownParameter { .. }), "{other}");
    }
    // Bounds of a parameter that does not move would be ignored.
    let found = error(|p| p.keep("noise").bounds("noise", 0.1, 10.0));
    assert!(matches!(found, Error::UnknownParameter { .. }));
    // A part of a name is not a name.
    assert!(matches!(
        error(|p| p.keep("kernel")),
        Error::UnknownParameter { .. }
    ));
}

#[test]
fn bounds() {
    for (low, high) in [
        (0.0, 10.0),
        (-1.0, 10.0),
        (f64::NAN, 10.0),
        (0.1, f64::INFINITY),
        (0.1, f64::NAN),
        (3.0, 3.0),
        (10.0, 0.1),
        (0.1, 2.9),
        (3.1, 10.0),
    ] {
        let found = error(|p| p.bounds("kernel.gamma", low, high));
        let Error::Bounds {
            parameter,
            low: l,
            high: h,
            start,
        } = found
        else {
            panic!("{low} {high}: {found:?}");
        };
        assert_eq!((parameter.as_str(), start), ("kernel.gamma", 3.0));
        assert_eq!((l.to_bits(), h.to_bits()), (low.to_bits(), high.to_bits()));
    }
}

#[test]
fn noises() {
    for noise in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = error(|p| p.noise(noise));
        assert!(
            matches!(found, Error::Parameter { parameter: "noise", value, .. }
                if value.to_bits() == noise.to_bits()),
            "{found:?}"
        );
    }
}

/// A 𝒦 of rank 1 is singular where σ² is lost beside it.
#[test]
fn a_singular_start() {
    let search = GaussianProcess::optimized(Linear::new().scaled(1.0)).noise(1e-18);
    let found = search.fit(&wave()).err();
    assert!(
        matches!(
            found,
            Some(KernelizedError::Method(Error::Singular { parameter: "noise", value: 1e-18, least, .. }))
                if (1e-16..1e-10).contains(&least)
        ),
        "{found:?}"
    );
    // Drawn starts may work where the given start does not.
    let search = GaussianProcess::optimized(Linear::new().scaled(1.0)).noise(1e-18);
    let model = search
        .bounds("noise", 1e-18, 10.0)
        .restarts(5)
        .fit(&wave())
        .unwrap();
    assert!(model.runs()[0].path().is_empty());
    assert!(!model.runs()[0].has_converged());
}

#[test]
fn targets_and_weights() {
    let search = GaussianProcess::optimized(Gaussian::new(1.0));
    let error = |data: Dataset<f64, f64, ndarray::Ix1>| search.fit(&data).err().unwrap();
    let found = error(Dataset::new(line(2), array![1.0, f64::NAN]));
    assert!(matches!(
        found,
        KernelizedError::Space(npt_core::Error::TargetNotFinite {
            row: 1,
            column: 0,
            ..
        })
    ));
    let found = error(Dataset::new(line(2), array![1.0, 1e200]));
    let of = "GaussianProcess";
    assert_eq!(found, KernelizedError::Method(Error::Overflow { of }));
    let found = error(Dataset::new(line(3), array![1.0]));
    let counts = npt_core::Error::TargetCount {
        samples: 3,
        targets: 1,
    };
    assert_eq!(found, KernelizedError::Space(counts));
    // Kernel values that are not finite are reported as such.
    let search = GaussianProcess::optimized(Linear::new().scaled(1.0));
    let found = search
        .fit(&Dataset::new(array![[1.0], [1e200]], array![1.0, 2.0]))
        .err();
    let Some(KernelizedError::Method(Error::Core(npt_core::Error::KernelNotFinite {
        row: 1,
        column: 1,
        ..
    }))) = found
    else {
        panic!("{found:?}");
    };
    let weighted = wave().with_weights(Array1::from_elem(30, 2.0));
    assert!(matches!(
        error(weighted),
        KernelizedError::Method(Error::Weights { .. })
    ));
    let search = GaussianProcess::optimized(Gaussian::new(-1.0));
    assert!(matches!(
        search.fit(&wave()).err(),
        Some(KernelizedError::Space(npt_core::Error::Parameter { .. }))
    ));
}

/// A shared kernel cannot be changed; it can be kept.
#[test]
fn shared_kernels() {
    let shared: Arc<dyn Kernel<Rows<f64>, Scalar = f64>> = Arc::new(Gaussian::new(3.0));
    let search = GaussianProcess::optimized(shared);
    let expected = Error::SetParameter(ParameterError::Shared {
        parameter: "gamma".to_owned(),
    });
    let found = search.clone().fit(&wave()).err();
    assert_eq!(found, Some(KernelizedError::Method(expected)));
    let kept = search.keep("gamma").fit(&wave()).unwrap();
    assert_eq!(kept.runs()[0].names(), ["noise"]);
    assert!(kept.noise() < 0.1);
}
