//! Kernels of typed models, and samples of other types than dense vectors.

use super::*;
use std::collections::BTreeSet;

/// Every kernel of dense vectors gives the results of the typed kernel: by name, in two methods, and from the file of a typed model.
#[test]
fn kernels_are_those_of_the_catalogue() {
    fn check(
        kernel: impl Kernel<Rows<f64>, Scalar = f64> + Clone + npt_model_file::Keepable + 'static,
    ) {
        let text = kernel.describe().to_string();
        let by_name = |method: &str| {
            let estimator = Estimator::new(method, &text).unwrap();
            let model = estimator.fit(&Data::from(matrix()), numbers()).unwrap();
            model.predict(&new()).unwrap()
        };
        let data = Dataset::new(matrix(), numbers());

        let typed = KernelSvr::params(kernel.clone()).fit(&data).unwrap();
        let expected: Array1<f64> = typed.try_predict(&new_matrix()).unwrap();
        let expected = Predictions::Numbers(column(expected));
        assert_eq!(by_name("svr"), expected, "{text}");

        let typed = KernelRidge::params(kernel).fit(&data).unwrap();
        let expected: Array1<f64> = typed.try_predict(&new_matrix()).unwrap();
        let expected = Predictions::Numbers(column(expected));
        assert_eq!(by_name("ridge"), expected, "{text}");
        let model = loaded(&typed).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(model.kernel(), text);
        assert_eq!(model.predict(&new()).unwrap(), expected, "{text}");
    }
    use npt_core::*;
    let gaussian = Gaussian::new(0.5);
    check(Linear::new());
    check(Polynomial::new(2, 0.5, 1.0));
    check(Cosine::new());
    check(Tanimoto::new());
    check(Laplacian::new(0.5));
    check(Exponential::new(0.5));
    check(Matern::half(1.0));
    check(Matern::three_halves(1.0));
    check(Matern::five_halves(1.0));
    check(RationalQuadratic::new(1.0, 2.0));
    check(ChiSquared::new(0.5));
    check(AdditiveChiSquared::new());
    check(HistogramIntersection::new());
    check(MinMax::new());
    check(Anova::new(0.5, 2));
    check(Gower::new(vec![3.0, 3.0, 3.0]));
    check(SimpleMatching::new());
    check(LengthScales::new(gaussian, vec![0.5, 1.0, 2.0]));
    check(gaussian * Linear::new());
    check(
        gaussian
            .scaled(2.0)
            .plus(Matern::half(1.0))
            .times(Cosine::new()),
    );
    check(WeightedSum::new(vec![gaussian, Gaussian::new(2.0)], array![0.3, 0.7]).unwrap());
    check(Normalized::new(Polynomial::new(2, 0.5, 1.0)));
    check(NamedKernel::new(gaussian));
    check(Sum::new(NamedKernel::new(gaussian), Linear::new()));
    let by_name = Rows::<f64>::ready_kernels();
    check(
        by_name
            .read("spline + periodic(length_scale = 1, period = 2)")
            .unwrap(),
    );
}

#[test]
fn samples_of_other_types() {
    let two = array![false, false, true, true];
    let strings = ["banana", "ananas", "kiwi", "kiwano"]
        .map(str::to_owned)
        .to_vec();
    let strings = Items::new(strings).unwrap();
    let set = |text: &String| text.chars().map(String::from).collect::<BTreeSet<_>>();
    let sets = Items::new(strings.as_slice().iter().map(set).collect()).unwrap();
    let sparse = sprs::CsMat::csr_from_dense(matrix().slice(ndarray::s![..4, ..]), 0.5);
    let sparse = SparseRows::new(&sparse).unwrap();
    macro_rules! same {
        ($kernel:expr, $samples:expr) => {
            let typed = KernelSvc::params($kernel);
            let typed = typed
                .fit(&DatasetBase::new($samples.clone(), two.clone()))
                .unwrap();
            let model = loaded(&typed).unwrap();
            let expected = column(typed.decision_function(&$samples).unwrap());
            let found = model
                .decision_function(&Data::new($samples.clone()))
                .unwrap();
            assert_eq!(found, expected);
        };
    }
    same!(Spectrum::new(2), strings);
    same!(Mismatch::new(2, 1, "abiknosw"), strings);
    same!(Jaccard::new(), sets);
    same!(Sparse::new(Gaussian::new(0.5)), sparse);
}

#[test]
fn two_views_of_two_types() {
    let strings = ["banana", "ananas", "kiwi", "kiwano", "papaya", "mango"];
    let strings = Items::new(strings.map(str::to_owned).to_vec()).unwrap();
    let first = matrix().slice(ndarray::s![..6, ..]).to_owned();
    let typed = KernelCca::params(2, kernel(), Spectrum::new(1));
    let typed = typed.fit(&first, &strings).unwrap();
    let model = loaded(&typed).unwrap();
    assert_eq!(model.kernel(), KERNEL);
    let expected: Array2<f64> = typed.first().transform(new_matrix());
    assert_eq!(model.transform(&new()).unwrap(), expected);
    let expected: Array2<f64> = typed.second().transform(strings.clone());
    assert_eq!(
        model.transform_second(&Data::new(strings)).unwrap(),
        expected
    );
    assert_eq!(loaded(&model).unwrap().to_string(), model.to_string());
}
