//! Lists every positive semidefinite kernel of dense vectors, and compositions: a new kernel has a line here.

use npt::{
    Scalar,
    model_file::{Contents, from_bytes, to_bytes},
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};

/// A scalar that files hold.
pub(crate) trait KeptScalar: Scalar + Serialize + DeserializeOwned {}

impl<F: Scalar + Serialize + DeserializeOwned> KeptScalar for F {}

/// A kernel of dense vectors, of any type.
pub(crate) type AnyKernel<F> = Box<dyn Kernel<Rows<F>, Scalar = F>>;

/// A kernel, and its description.
pub(crate) struct Entry<F> {
    pub(crate) name: &'static str,
    /// The description without values.
    pub(crate) signature: &'static str,
    pub(crate) kernel: AnyKernel<F>,
    /// A kernel of the same type with another value of every parameter.
    pub(crate) other: AnyKernel<F>,
    /// The kernel after it was written to a file and read again.
    pub(crate) kept: AnyKernel<F>,
    /// The kernel's name in the file.
    pub(crate) name_in_file: String,
}

fn entry<F: Scalar, K>(name: &'static str, signature: &'static str, kernel: K, other: K) -> Entry<F>
where
    K: Kernel<Rows<F>, Scalar = F> + Serialize + DeserializeOwned + 'static,
{
    let file = to_bytes(&kernel).unwrap_or_else(|error| panic!("{name}: {error}"));
    let contents = Contents::from_bytes(&file).unwrap();
    Entry {
        name,
        signature,
        kept: Box::new(from_bytes::<K>(&file).unwrap()),
        name_in_file: contents.model().name().unwrap_or_default().to_owned(),
        kernel: Box::new(kernel),
        other: Box::new(other),
    }
}

pub(crate) fn table<F: KeptScalar>() -> Vec<Entry<F>> {
    [vectors(), histograms(), compositions()]
        .into_iter()
        .flatten()
        .collect()
}

fn vectors<F: KeptScalar>() -> Vec<Entry<F>> {
    let c = |v: f64| F::cast(v);
    let polynomial = |degree, gamma, constant| Polynomial::new(degree, c(gamma), c(constant));
    let gaussian = |gamma| Gaussian::new(c(gamma));
    let of_polynomial = "polynomial(degree, gamma, constant)";
    let (of_gaussian, of_matern) = ("gaussian(gamma)", "matern(smoothness, length_scale)");
    let (half, three_halves) = (Matern::half(c(1.5)), Matern::three_halves(c(1.5)));
    let five_halves = Matern::five_halves(c(1.5));
    let other_matern = |matern: fn(F) -> Matern<F>| matern(c(0.8));
    let periodic = |length_scale, period| Periodic::new(c(length_scale), c(period));
    vec![
        entry("linear", "linear", Linear::new(), Linear::new()),
        entry(
            "homogeneous",
            of_polynomial,
            Polynomial::homogeneous(2),
            polynomial(3, 0.5, 0.5),
        ),
        entry(
            "polynomial",
            of_polynomial,
            polynomial(3, 0.3, 1.0),
            polynomial(2, 0.6, 0.2),
        ),
        entry("tanimoto", "tanimoto", Tanimoto::new(), Tanimoto::new()),
        entry("gaussian", of_gaussian, gaussian(0.5), gaussian(0.4)),
        entry("narrow", of_gaussian, gaussian(50.0), gaussian(20.0)),
        entry("wide", of_gaussian, gaussian(1e-3), gaussian(1e-2)),
        entry(
            "laplacian",
            "laplacian(gamma)",
            Laplacian::new(c(0.7)),
            Laplacian::new(c(0.4)),
        ),
        entry(
            "exponential",
            "exponential(gamma)",
            Exponential::new(c(0.7)),
            Exponential::new(c(0.4)),
        ),
        entry(
            "matérn ½",
            of_matern,
            half,
            other_matern(Matern::five_halves),
        ),
        entry(
            "matérn 3⁄2",
            of_matern,
            three_halves,
            other_matern(Matern::half),
        ),
        entry(
            "matérn 5⁄2",
            of_matern,
            five_halves,
            other_matern(Matern::three_halves),
        ),
        entry(
            "rational quadratic",
            "rational_quadratic(length_scale, alpha)",
            RationalQuadratic::new(c(1.5), c(0.8)),
            RationalQuadratic::new(c(0.7), c(2.0)),
        ),
        entry(
            "periodic",
            "periodic(length_scale, period)",
            periodic(0.9, 2.7),
            periodic(0.5, 3.1),
        ),
        entry(
            "narrow periodic",
            "periodic(length_scale, period)",
            periodic(0.01, 2.7),
            periodic(0.5, 3.1),
        ),
        entry(
            "bessel",
            "bessel(order, degree, gamma)",
            // This Bessel kernel takes up to 30 features.
            Bessel::new(14, 1, c(0.8)),
            Bessel::new(16, 3, c(1.3)),
        ),
        entry(
            "anova",
            "anova(gamma, degree)",
            Anova::new(c(0.5), 2),
            Anova::new(c(0.3), 3),
        ),
        entry("spline", "spline", Spline::new(), Spline::new()),
        entry(
            "simple matching",
            "simple_matching",
            SimpleMatching::new(),
            SimpleMatching::new(),
        ),
    ]
}

fn histograms<F: KeptScalar>() -> Vec<Entry<F>> {
    let chi_squared = |gamma| ChiSquared::new(F::cast(gamma));
    let intersection = HistogramIntersection::new();
    vec![
        entry(
            "χ²",
            "chi_squared(gamma)",
            chi_squared(0.5),
            chi_squared(0.2),
        ),
        entry(
            "additive χ²",
            "additive_chi_squared",
            AdditiveChiSquared::new(),
            AdditiveChiSquared::new(),
        ),
        entry(
            "intersection",
            "histogram_intersection",
            intersection,
            intersection,
        ),
        entry("min-max", "min_max", MinMax::new(), MinMax::new()),
    ]
}

fn compositions<F: KeptScalar>() -> Vec<Entry<F>> {
    let c = |v: f64| F::cast(v);
    let normalized =
        |degree, gamma, constant| Normalized::new(Polynomial::new(degree, c(gamma), c(constant)));
    // The kernels of columns take the first one, which all samples have.
    let part = |gamma, matern: fn(F) -> Matern<F>, length_scale| {
        Gaussian::new(c(gamma)) * Columns::new(matern(c(length_scale)), 0..1)
    };
    let gower =
        |gamma, range| Gaussian::new(c(gamma)) + Columns::new(Gower::new(vec![c(range)]), 0..1);
    let sum = |gamma, factor| Gaussian::new(c(gamma)) + Linear::new().scaled(c(factor));
    let product = |gamma, degree, of_product, constant| {
        Laplacian::new(c(gamma)) * Polynomial::new(degree, c(of_product), c(constant))
    };
    let scaled = |gamma, factor| Gaussian::new(c(gamma)).scaled(c(factor));
    vec![
        entry(
            "normalized",
            "normalized(polynomial(degree, gamma, constant))",
            normalized(2, 0.5, 1.0),
            normalized(3, 0.2, 0.7),
        ),
        entry(
            "part",
            "product(gaussian(gamma), columns(start, end, matern(smoothness, length_scale)))",
            part(0.2, Matern::half, 1.5),
            part(0.3, Matern::five_halves, 1.1),
        ),
        entry(
            "gower",
            "sum(gaussian(gamma), columns(start, end, gower(ranges)))",
            gower(0.3, 2.0),
            gower(0.2, 1.5),
        ),
        entry(
            "sum",
            "sum(gaussian(gamma), scaled(factor, linear))",
            sum(0.5, 0.1),
            sum(0.3, 0.7),
        ),
        entry(
            "product",
            "product(laplacian(gamma), polynomial(degree, gamma, constant))",
            product(0.2, 2, 0.5, 0.5),
            product(0.4, 1, 0.7, 0.3),
        ),
        entry(
            "product of Gaussians",
            "product(gaussian(gamma), normalized(gaussian(gamma)))",
            Gaussian::new(c(0.2)) * Normalized::new(Gaussian::new(c(0.3))),
            Gaussian::new(c(0.1)) * Normalized::new(Gaussian::new(c(0.7))),
        ),
        entry(
            "scaled",
            "scaled(factor, gaussian(gamma))",
            scaled(0.5, 1e3),
            scaled(0.3, 10.0),
        ),
    ]
}
