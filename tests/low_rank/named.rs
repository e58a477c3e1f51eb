//! Tests spaces of kernels that are chosen by name.

use npt::{Error, NamedKernel, ReadyKernels, prelude::*};
use npt_testkit::data;

type Named = NamedKernel<Rows<f64>, f64>;

/// The kernels of the catalogue, with values for their required parameters.
fn kernels() -> Vec<Named> {
    let catalogue = Rows::<f64>::ready_kernels();
    let plain = catalogue.entries().iter().map(|entry| {
        let parameters = entry.parameters().iter();
        let missing = parameters.filter(|parameter| parameter.default().is_none());
        let given: Vec<String> = missing
            .map(|parameter| match parameter.range().kind() {
                "a list" => format!("{} = [0.5, 2]", parameter.name()),
                "an integer" => format!("{} = 1", parameter.name()),
                _ => format!("{} = 0.5", parameter.name()),
            })
            .collect();
        format!("{}({})", entry.name(), given.join(", "))
    });
    let of_others = [
        "length_scales(length_scales = [0.5, 2], matern(smoothness = 1.5, length_scale = 1))",
        "length_scales(length_scales = [0.5, 2], laplacian(gamma = 0.3))",
        "gaussian(gamma = 0.5) * gaussian(gamma = 1)",
        "0.5 * additive_chi_squared",
    ];
    let texts = plain.chain(of_others.map(str::to_owned));
    texts
        .filter_map(|text| catalogue.read(&text).ok())
        .collect()
}

/// Returns the names of the kernels whose space can be built, and checks that all others are refused by their names.
fn accepted<B: SpaceBuilder<Rows<f64>>>(
    of: &'static str,
    build: impl Fn(Named) -> B,
) -> Vec<String> {
    let x = Rows::new(data::normal(12, 2, 1).mapv(f64::abs)).unwrap();
    let mut accepted = Vec::new();
    for kernel in kernels() {
        let text = kernel.to_string();
        match build(kernel).fit_space(&x) {
            Ok(_) => accepted.push(text),
            Err(Error::UnsuitableKernel {
                of: found, kernel, ..
            }) => {
                assert_eq!((found, kernel), (of, text));
            }
            Err(error) => panic!("{text}: {error}"),
        }
    }
    accepted
}

#[test]
fn kernels_without_frequencies_are_refused() {
    assert!(kernels().len() > 20);
    let waves = accepted("RandomFourier", |kernel| RandomFourier::new(kernel, 5));
    assert_eq!(
        waves,
        [
            "gaussian(gamma = 0.5)",
            "laplacian(gamma = 0.5)",
            "exponential(gamma = 0.5)",
            "matern(smoothness = 0.5, length_scale = 0.5)",
            "rational_quadratic(length_scale = 0.5, alpha = 1)",
            "length_scales(length_scales = [0.5, 2], matern(smoothness = 1.5, length_scale = 1))",
            "length_scales(length_scales = [0.5, 2], laplacian(gamma = 0.3))",
            "product(gaussian(gamma = 0.5), gaussian(gamma = 1))",
        ]
    );
    let histograms = accepted("HomogeneousFeatures", |kernel| {
        HomogeneousFeatures::new(kernel, 2)
    });
    assert_eq!(
        histograms,
        ["additive_chi_squared", "histogram_intersection"]
    );
}

/// Checks that coordinates of new samples in the space of a named kernel are those of the typed one, to the bit.
fn check<T, N>(text: &str, typed: &T, named: impl Fn(Named) -> N)
where
    T: SpaceBuilder<Rows<f64>, Space: KernelSpace<Scalar = f64>>,
    N: SpaceBuilder<Rows<f64>, Space: KernelSpace<Scalar = f64>>,
{
    let [x, new] = [1, 2].map(|seed| data::normal(20, 2, seed).mapv(f64::abs));
    let expected = typed.fit_space(&x).unwrap().coordinates(&new).unwrap();
    let kernel = Rows::<f64>::ready_kernels().read(text).unwrap();
    let found = named(kernel).fit_space(&x).unwrap();
    assert_eq!(found.coordinates(&new).unwrap(), expected, "{text}");
}

#[test]
fn spaces_are_those_of_the_typed_kernels() {
    fn waves<K: Kernel<Rows<f64>, Scalar = f64>>(text: &str, kernel: K) {
        check(text, &RandomFourier::new(kernel, 30).seed(3), |named| {
            RandomFourier::new(named, 30).seed(3)
        });
    }
    waves("gaussian(gamma = 0.5)", Gaussian::new(0.5));
    waves("laplacian(gamma = 0.5)", Laplacian::new(0.5));
    waves("exponential(gamma = 0.5)", Exponential::new(0.5));
    let matern = Matern::three_halves(2.0);
    waves("matern(smoothness = 1.5, length_scale = 2)", matern);
    let text =
        "length_scales(length_scales = [0.5, 2], matern(smoothness = 1.5, length_scale = 2))";
    waves(text, LengthScales::new(matern, vec![0.5, 2.0]));
    let product = Gaussian::new(0.5) * Gaussian::new(1.0);
    waves("gaussian(gamma = 0.5) * gaussian(gamma = 1)", product);
    // A product of Gaussians is a Gaussian.
    waves(
        "gaussian(gamma = 0.5) * gaussian(gamma = 1)",
        Gaussian::new(1.5),
    );
    let typed = HomogeneousFeatures::new(HistogramIntersection::new(), 3);
    check("histogram_intersection", &typed, |named| {
        HomogeneousFeatures::new(named, 3)
    });
}
