//! Tests of robust kernel PCA: with missing values, with wrong ones, with neither, and of its errors.

use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array2, array};
use npt_core::{Error as CoreError, Gaussian, KernelizedError, Scalar};
use npt_methods::{
    Error, Kpca, RobustKpca, RobustKpcaModel,
    pre_image::{FixedPoint, PreImageExt},
};

/// Makes a closed curve in eight dimensions: waves of four lengths.
fn curve(n: usize, phase: f64) -> Array2<f64> {
    Array2::from_shape_fn((n, 8), |(i, k)| {
        let turn = (i as f64 + phase) * std::f64::consts::TAU / n as f64;
        let angle = turn * (k / 2 + 1) as f64;
        if k % 2 == 0 { angle.cos() } else { angle.sin() }
    })
}

/// Makes two of eight values wrong, or missing.
fn damaged(x: &Array2<f64>, damage: impl Fn(usize, f64) -> f64) -> Array2<f64> {
    let mut x = x.clone();
    for i in 0..x.nrows() {
        for k in [(i * 3) % 8, (i * 5 + 1) % 8] {
            x[[i, k]] = damage(i, x[[i, k]]);
        }
    }
    x
}

fn wrong(i: usize, value: f64) -> f64 {
    value + if i.is_multiple_of(2) { 1.5 } else { -1.5 }
}

fn off(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).mapv(|v| v * v).mean().unwrap().sqrt()
}

fn fit(x: &Array2<f64>, scale: Option<f64>) -> RobustKpcaModel<f64> {
    let params = RobustKpca::params(16, Gaussian::new(0.1)).fidelity(10.0);
    let params = match scale {
        Some(scale) => params.outlier_scale(scale),
        None => params,
    };
    let model = params.fit(&DatasetBase::from(x.clone())).unwrap();
    let objectives = model.objectives();
    for pair in objectives.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-12 * pair[0].abs(), "{objectives:?}");
    }
    model
}

/// Wrong values of new samples are put right. Kernel PCA and its pre-images spread the errors; a ρ without a bound follows them.
#[test]
fn wrong_values_are_put_right() {
    let (train, truth) = (curve(60, 0.0), curve(40, 0.37));
    let given = damaged(&truth, wrong);
    assert!(off(&given, &truth) > 0.7);

    let model = fit(&train, Some(0.3));
    assert!(off(&model.reconstructions().to_owned(), &train) < 0.005);
    let found = model.reconstruct(&given).unwrap();
    assert!(off(&found, &truth) < 0.03, "{}", off(&found, &truth));

    let unbounded = fit(&train, None).reconstruct(&given).unwrap();
    assert!(off(&unbounded, &truth) > 0.5);
    let kpca = Kpca::params(16, Gaussian::new(0.1)).pre_image(FixedPoint::new());
    let kpca = kpca.fit(&DatasetBase::from(train)).unwrap();
    assert!(off(&kpca.denoise(&given).unwrap(), &truth) > 0.3);
}

/// Missing values of new samples are found, with missing values in the training samples, too.
#[test]
fn missing_values_are_found() {
    let (train, truth) = (curve(60, 0.0), curve(40, 0.37));
    let missing = |x: &Array2<f64>| damaged(x, |_, _| f64::NAN);
    let model = fit(&missing(&train), None);
    let trained = model.reconstructions().to_owned();
    assert!(off(&trained, &train) < 0.03, "{}", off(&trained, &train));
    let found = model.reconstruct(&missing(&truth)).unwrap();
    assert!(off(&found, &truth) < 0.05, "{}", off(&found, &truth));

    // The scores are the scores of the reconstructions.
    let scores: Array2<f64> = model.transform(missing(&truth));
    let of_found: Array2<f64> = model.kpca().transform(found);
    assert_eq!(scores, of_found);
}

/// Samples with nothing missing and a large C stay where they are, and the components are those of kernel PCA.
#[test]
fn complete_samples_are_kernel_pca() {
    let x = curve(40, 0.1);
    let robust = RobustKpca::params(5, Gaussian::new(0.2)).fidelity(1e9);
    let robust = robust.fit(&DatasetBase::from(x.clone())).unwrap();
    let kpca = Kpca::params(5, Gaussian::new(0.2));
    let kpca = kpca.fit(&DatasetBase::from(x.clone())).unwrap();
    assert!(off(&robust.reconstructions().to_owned(), &x) < 1e-7);
    let (a, b) = (
        robust.kpca().inner().eigenvalues(),
        kpca.inner().eigenvalues(),
    );
    assert!((&a - &b).iter().all(|d| d.abs() < 1e-6 * b[0]));
}

/// Units and place of the samples change nothing, nor does `f32` to its precision.
#[test]
fn units_places_and_single_precision() {
    let x = damaged(&curve(30, 0.2), |i, v| {
        if i.is_multiple_of(3) { f64::NAN } else { v }
    });
    let params = RobustKpca::params(8, Gaussian::new(0.1)).outlier_scale(0.5);
    let plain = params.fit(&DatasetBase::from(x.clone())).unwrap();
    for (unit, place) in [(1e-20, 0.0), (1e20, 0.0), (1.0, 1e3)] {
        let moved = x.mapv(|v| (v + place) * unit);
        let kernel = Gaussian::new(0.1 / (unit * unit));
        let params = RobustKpca::params(8, kernel).outlier_scale(0.5 * unit);
        let found = params.fit(&DatasetBase::from(moved)).unwrap();
        let back = found.reconstructions().mapv(|v| v / unit - place);
        assert!(off(&back, &plain.reconstructions().to_owned()) < 1e-4);
    }
    let single = x.mapv(|v| v as f32);
    let found = RobustKpca::params(8, Gaussian::new(0.1_f32)).outlier_scale(0.5);
    let found = found.fit(&DatasetBase::from(single)).unwrap();
    let found = found.reconstructions().mapv(Scalar::as_f64);
    assert!(off(&found, &plain.reconstructions().to_owned()) < 0.02);
}

#[test]
fn new_samples_do_not_depend_on_their_company() {
    let model = fit(&curve(40, 0.0), Some(0.3));
    let new = damaged(&curve(6, 0.4), wrong);
    let together = model.reconstruct(&new).unwrap();
    for (i, row) in new.outer_iter().enumerate() {
        let alone = model
            .reconstruct(&row.insert_axis(ndarray::Axis(0)))
            .unwrap();
        assert_eq!(alone.row(0), together.row(i));
    }
}

/// Kernels so narrow that no sample is near another leave each sample in its place.
#[test]
fn narrow_kernels() {
    let x = curve(10, 0.3);
    for gamma in [1e14, 1e22] {
        let params = RobustKpca::params(3, Gaussian::new(gamma)).fidelity(1e3);
        let model = params.fit(&DatasetBase::from(x.clone())).unwrap();
        // Equal to the rounding of a change of units.
        assert!(off(&model.reconstructions().to_owned(), &x) < 1e-14);
        assert!(off(&model.reconstruct(&x).unwrap(), &x) < 1e-14);
    }
}

#[test]
fn widths_and_samples_out_of_range() {
    let x = curve(10, 0.3);
    let fit = |gamma, x: &Array2<f64>| {
        let params = RobustKpca::params(3, Gaussian::new(gamma));
        params.fit(&DatasetBase::from(x.clone())).err()
    };
    for bad in [0.0, -1.0, f64::INFINITY] {
        match fit(bad, &x) {
            Some(KernelizedError::Space(CoreError::Parameter {
                parameter, value, ..
            })) => {
                assert_eq!((parameter, value), ("gamma", bad));
            }
            other => panic!("{other:?}"),
        }
    }
    let error = Error::Overflow { of: "RobustKpca" };
    assert_eq!(
        fit(1e300, &(&x * 1e200)),
        Some(KernelizedError::Method(error.clone()))
    );
    let model = RobustKpca::params(3, Gaussian::new(1e20));
    let model = model.fit(&DatasetBase::from(x.clone())).unwrap();
    assert_eq!(model.reconstruct(&(&x * 1e300)).err(), Some(error));
}

/// Samples that are far from all others stay where they are, as nothing pulls them.
#[test]
fn samples_far_from_everything_stay() {
    let model = fit(&curve(40, 0.0), None);
    let far = Array2::from_elem((1, 8), 1e9);
    assert_eq!(model.reconstruct(&far).unwrap(), far);
}

#[test]
fn refused() {
    let x = curve(12, 0.0);
    let new = || RobustKpca::params(3, Gaussian::new(0.1));
    let of = |params: npt_methods::RobustKpcaParams<f64>| match params
        .fit(&DatasetBase::from(x.clone()))
        .err()
    {
        Some(KernelizedError::Method(Error::Parameter {
            of: "RobustKpca",
            parameter,
            value,
            ..
        })) => (parameter, value),
        other => panic!("{other:?}"),
    };
    for bad in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(of(new().fidelity(bad)), ("fidelity", bad));
        assert_eq!(of(new().outlier_scale(bad)), ("outlier_scale", bad));
        assert_eq!(of(new().tolerance(bad)), ("tolerance", bad));
    }
    assert_eq!(of(new().max_iterations(0)), ("max_iterations", 0.0));

    let fit = |x: &Array2<f64>| new().fit(&DatasetBase::from(x.clone())).err();
    let mut column = x.clone();
    column.column_mut(2).fill(f64::NAN);
    let error = Error::NoValues { column: 2 };
    assert_eq!(fit(&column), Some(KernelizedError::Method(error)));
    let mut infinite = x.clone();
    infinite[[4, 1]] = f64::INFINITY;
    let error = CoreError::SampleNotFinite {
        row: 4,
        column: 1,
        value: f64::INFINITY,
    };
    let infinite_at = error.clone();
    assert_eq!(fit(&infinite), Some(KernelizedError::Space(error)));
    assert_eq!(
        fit(&Array2::zeros((0, 2))),
        Some(KernelizedError::Space(CoreError::NoSamples))
    );
    for equal in [Array2::ones((5, 2)), array![[1.0, 2.0]]] {
        let error = CoreError::NoVariance {
            samples: equal.nrows(),
        };
        assert_eq!(fit(&equal), Some(KernelizedError::Space(error)));
    }
    let weighted = DatasetBase::from(x.clone()).with_weights(ndarray::Array1::ones(12));
    let error = new().fit(&weighted).err();
    assert!(matches!(
        error,
        Some(KernelizedError::Method(Error::Weights { .. }))
    ));

    let model = new().fit(&DatasetBase::from(x.clone())).unwrap();
    assert_eq!(
        model.reconstruct(&infinite).err(),
        Some(Error::Core(infinite_at.clone()))
    );
    let narrow = model.reconstruct(&Array2::zeros((1, 3))).err();
    let error = CoreError::ColumnCount {
        expected: 8,
        found: 3,
    };
    assert_eq!(narrow, Some(Error::Core(error)));
    let mut nothing = x.clone();
    nothing.row_mut(5).fill(f64::NAN);
    let error = model.reconstruct(&nothing).err();
    assert!(matches!(
        error,
        Some(Error::Core(CoreError::SampleNotFinite {
            row: 5,
            column: 0,
            ..
        }))
    ));
    let none = Array2::zeros((0, 8));
    assert_eq!(model.reconstruct(&none).unwrap().dim(), (0, 8));
    assert_eq!(model.try_transform(&none).unwrap().dim(), (0, 3));
}

/// Many samples give the same as few, where the components are found by coordinates of low rank, from some of the samples, and
/// where some samples have no part in the components.
#[test]
fn many_samples_of_low_rank() {
    let three = Array2::from_shape_fn((1200, 1), |(i, _)| (i % 3) as f64 - 1.0);
    let params = RobustKpca::params(1, Gaussian::new(1.0)).fidelity(1e6);
    let model = params.fit(&DatasetBase::from(three.clone())).unwrap();
    assert!(off(&model.reconstructions().to_owned(), &three) < 1e-3);
    assert!(off(&model.reconstruct(&three).unwrap(), &three) < 1e-3);

    let many = curve(1500, 0.0).slice_move(ndarray::s![.., ..2]);
    let params = RobustKpca::params(4, Gaussian::new(0.1)).fidelity(10.0);
    let model = params.fit(&DatasetBase::from(many.clone())).unwrap();
    let few = curve(300, 0.0).slice_move(ndarray::s![.., ..2]);
    let of_few = params.fit(&DatasetBase::from(few.clone())).unwrap();
    let (a, b) = (
        model.reconstruct(&few).unwrap(),
        of_few.reconstruct(&few).unwrap(),
    );
    assert!(off(&a, &b) < 1e-4, "{:e}", off(&a, &b));
}

/// One enormous value moves nothing else: a value far from everything does not disturb the other values.
#[test]
fn one_enormous_value() {
    let x = curve(60, 0.0);
    let mut wrong = x.clone();
    wrong[[5, 0]] = 1e20;
    let model = fit(&wrong, Some(0.3));
    let (found, truth) = (model.reconstructions().to_owned(), x);
    for i in (0..60).filter(|&i| i != 5) {
        let away = &found.row(i) - &truth.row(i);
        assert!(away.dot(&away) < 1e-3, "sample {i}");
    }
    let clean = fit(&truth, Some(0.3));
    let put_right = clean.reconstruct(&wrong).unwrap();
    assert!(
        off(&put_right, &truth) < 0.05,
        "{}",
        off(&put_right, &truth)
    );
}
