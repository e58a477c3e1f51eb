//! A chain is its two methods, one after the other.

use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis};
use npt_core::{Axes, Exact, Gaussian, Kernelized, KernelizedError, LinearFunctions, SpaceBuilder};
use npt_methods::{
    Error, Kfd, Kpca, KpcaLda,
    linear::{Chain, Lda, LdaParams, Pca, PcaParams, Svc, SvcParams},
};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256Plus;

fn rings() -> Dataset<f64, bool, ndarray::Ix1> {
    let mut rng = Xoshiro256Plus::seed_from_u64(5);
    let x = Array2::from_shape_simple_fn((40, 3), || StandardNormal.sample(&mut rng));
    let y = x.map_axis(Axis(1), |row| row[0] * row[0] + row[1] * row[1] > 1.5);
    Dataset::new(x, y)
}

fn discriminant() -> LdaParams {
    Lda::params().ridge(0.1)
}

fn threshold() -> SvcParams {
    Svc::params().c(100.0)
}

fn components() -> PcaParams {
    Pca::params(5)
}

#[test]
fn a_chain_is_one_after_the_other() {
    let data = rings();
    let chain = Chain::new(discriminant(), threshold()).fit(&data).unwrap();

    let first = discriminant().fit(&data).unwrap();
    let scores = first.transform(data.records.clone());
    let second = threshold().fit(&Dataset::new(scores.clone(), data.targets.clone()));
    let second = second.unwrap();
    assert_eq!(chain.first(), &first);
    assert_eq!(chain.second(), &second);
    assert_eq!(chain.predict(&data), second.predict(&scores));
    let values: Array1<f64> = chain.transform(data.records);
    assert_eq!(values, second.transform(scores));
}

/// Chains can be chained, in kernel coordinates too, and written as an expansion.
#[test]
fn a_kernelized_chain_is_an_expansion() {
    let data = rings();
    let chain = Chain::new(components(), Chain::new(discriminant(), threshold()));
    let space = Exact::new(Gaussian::new(0.3)).axes(Axes::Cholesky);
    let model = Kernelized::new(chain, space.clone()).fit(&data).unwrap();

    let expansion = model.expansion().unwrap();
    let (directions, offsets) = model.inner().linear_functions();
    let fitted = space.fit_space(data.records()).unwrap();
    let by_functions = fitted.training_coordinates().dot(&directions) + offsets;
    let values: Array1<f64> = model.transform(data.records.clone());
    let largest = values.fold(0.0_f64, |m, v| m.max(v.abs()));
    let close = |found: Array2<f64>| {
        let off = &found.column(0) - &values;
        assert!(off.iter().all(|d| d.abs() < 1e-10 * largest));
    };
    close(by_functions);
    close(expansion.evaluate(&data.records).unwrap());
    let labels = model.predict(&data.records);
    let expanded = model.expand().unwrap();
    let values: Array1<f64> = expanded.transform(data.records.clone());
    close(values.insert_axis(Axis(1)));
    assert_eq!(expanded.predict(&data.records), labels);
}

#[test]
fn either_method_can_fail() {
    let data = rings();
    let fit = |first, second| Chain::new(first, second).fit(&data).err();
    let negative = discriminant().ridge(-1.0);
    let of_first = fit(negative, threshold());
    assert!(matches!(of_first, Some(Error::Parameter { of: "Lda", .. })));
    let of_second = fit(discriminant(), threshold().c(f64::NAN));
    assert!(matches!(
        of_second,
        Some(Error::Parameter { of: "Svc", .. })
    ));

    let short = DatasetBase::new(data.records.clone(), Array1::from_elem(3, true));
    let counts = npt_core::Error::TargetCount {
        samples: 40,
        targets: 3,
    };
    let chain = Chain::new(discriminant(), threshold());
    assert_eq!(chain.fit(&short).err(), Some(Error::Core(counts.clone())));
    let kernelized = Kernelized::new(chain, Exact::new(Gaussian::new(1.0)));
    let error = kernelized.fit(&short).err();
    assert_eq!(error, Some(KernelizedError::Space(counts)));
}

/// The discriminant of all kernel principal components is Fisher's in the feature space. With few components, it is LDA on the
/// scores of kernel PCA, and needs no ridge.
#[test]
fn discriminants_of_kernel_principal_components() {
    let data = rings();
    let kernel = Gaussian::new(0.3);
    let new = rings().records * 1.1;
    let ridge = |lda: LdaParams| lda.ridge(0.05);
    let of_all = KpcaLda::params(39, kernel).method(|chain| chain.map_second(ridge));
    let of_all: Array2<f64> = of_all.fit(&data).unwrap().transform(new.clone());
    let kfd = Kfd::params(kernel).method(ridge).fit(&data).unwrap();
    let kfd: Array2<f64> = kfd.transform(new.clone());
    let sign = (of_all[[0, 0]] * kfd[[0, 0]]).signum();
    let scale = kfd.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!((of_all - kfd * sign).iter().all(|d| d.abs() < 1e-9 * scale));

    let few = KpcaLda::params(6, kernel).method(|chain| chain.map_second(|lda| lda.ridge(0.0)));
    let few = few.fit(&data).unwrap();
    let scores = Kpca::params(6, kernel).fit(&DatasetBase::from(data.records.clone()));
    let scores = scores.unwrap();
    let of_data: Array2<f64> = scores.transform(data.records.clone());
    let lda = Lda::params().ridge(0.0);
    let lda = lda
        .fit(&Dataset::new(of_data, data.targets.clone()))
        .unwrap();
    let of_new: Array2<f64> = scores.transform(new.clone());
    assert_eq!(few.predict(&new), lda.predict(&of_new));
    let (a, b): (Array2<f64>, Array2<f64>) = (few.transform(new), lda.transform(of_new));
    let sign = (a[[0, 0]] * b[[0, 0]]).signum();
    assert!((a - b * sign).iter().all(|d| d.abs() < 1e-9));

    let error = KpcaLda::params(40, kernel).fit(&data).err();
    assert!(matches!(
        error,
        Some(KernelizedError::Method(Error::Components {
            requested: 40,
            ..
        }))
    ));
}
