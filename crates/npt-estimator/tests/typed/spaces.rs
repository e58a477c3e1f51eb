//! Spaces by name, compared with their builders.

use super::*;

#[test]
fn spaces() {
    let estimator = Estimator::new("ridge", "gaussian(gamma = 0.5)").unwrap();
    let new = Data::from(new_matrix());
    let data = DatasetBase::new(matrix(), numbers().insert_axis(Axis(1)));
    let check = |space: &str, expected: Array2<f64>| {
        let model = estimator
            .clone()
            .space(space)
            .unwrap()
            .fit(&Data::from(matrix()), numbers())
            .unwrap();
        assert_eq!(predicted(&model, &new), expected, "{space}");
    };
    let exact = KernelRidge::params(Gaussian::new(0.5)).space(|s| {
        s.rank(npt_core::Rank::Components(4))
            .centered(false)
            .axes(Axes::Principal)
    });
    let typed = exact.fit(&data).unwrap();
    check(
        "exact(components = 4, centered = false, axes = \"principal\")",
        typed.try_predict(&new_matrix()).unwrap(),
    );
    let nystrom = KernelRidge::params(Gaussian::new(0.5)).space(|_| {
        Nystrom::new(Gaussian::new(0.5), Pivoting::greedy(6).seed(3)).axes(Axes::Cholesky)
    });
    let typed = nystrom.fit(&data).unwrap();
    check(
        "nystrom(landmarks = 6, selection = \"greedy\", seed = 3)",
        typed.try_predict(&new_matrix()).unwrap(),
    );
}

#[test]
fn spaces_of_features() {
    let new = Data::from(new_matrix());
    let data = Data::from(matrix());
    let estimator = |method: &str, kernel: &str, space: &str| {
        Estimator::new(method, kernel)
            .unwrap()
            .space(space)
            .unwrap()
    };
    let both = DatasetBase::new(matrix(), column(numbers()));

    let fourier = RandomFourier::new(Gaussian::new(0.5), 12)
        .seed(3)
        .axes(Axes::Cholesky);
    let space = "random_fourier(frequencies = 12, seed = 3)";
    let model = estimator("ridge", "gaussian(gamma = 0.5)", space)
        .fit(&data, numbers())
        .unwrap();
    let typed = Kernelized::new(linear::Ridge::params(), fourier.clone())
        .fit(&both)
        .unwrap();
    let expected: Array2<f64> = typed.try_predict(&new_matrix()).unwrap();
    assert_eq!(predicted(&model, &new), expected);

    let model = estimator("kmeans(clusters = 3)", "gaussian(gamma = 0.5)", space)
        .fit(&data, ())
        .unwrap();
    let typed = Kernelized::new(linear::KMeans::params(3).resolution(8.0), fourier.clone())
        .fit(&both)
        .unwrap();
    let clusters: Array1<usize> = typed.try_predict(&new_matrix()).unwrap();
    assert_eq!(
        model.predict(&new).unwrap(),
        Predictions::Clusters(clusters.to_vec())
    );

    let model = estimator(
        "gaussian_process(noise = 0.1)",
        "gaussian(gamma = 0.5)",
        space,
    );
    let model = model.fit(&data, numbers()).unwrap();
    let typed = GaussianProcess::params(Gaussian::new(0.5)).noise(0.1);
    let typed = typed
        .space(|_| fourier.clone().centered(false))
        .by_coordinates();
    let typed = typed.fit(&DatasetBase::new(matrix(), numbers())).unwrap();
    let expected = typed.predict_with_variance(&new_matrix()).unwrap();
    assert_eq!(model.predict_with_variance(&new).unwrap(), expected);

    let polynomial = "polynomial(degree = 2, gamma = 0.5, constant = 1)";
    let sketch = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 16)
        .seed(1)
        .axes(Axes::Cholesky);
    let model = estimator("kfd", polynomial, "tensor_sketch(features = 16, seed = 1)");
    let model = model.fit(&data, labels(3)).unwrap();
    let typed = Kernelized::new(linear::Lda::params(), sketch);
    let typed = typed.fit(&DatasetBase::new(matrix(), three())).unwrap();
    assert_eq!(
        decided(&model, &new),
        typed.decision_function(&new_matrix()).unwrap()
    );

    let homogeneous = HomogeneousFeatures::new(AdditiveChiSquared::new(), 2).axes(Axes::Cholesky);
    let model = estimator(
        "kpca_lda(components = 4)",
        "additive_chi_squared",
        "homogeneous_features(frequencies = 2)",
    );
    let model = model.fit(&data, labels(3)).unwrap();
    let chain = linear::Chain::new(linear::Pca::params(4), linear::Lda::params());
    let typed = Kernelized::new(chain, homogeneous)
        .fit(&DatasetBase::new(matrix(), three()))
        .unwrap();
    assert_eq!(
        decided(&model, &new),
        typed.decision_function(&new_matrix()).unwrap()
    );
}
