//! Every builder of a space of dense vectors.

use super::{Case, Predicted, Run, c, numbers};
use ndarray::Array2;
use npt::{
    Given, Scalar,
    methods::{Centroids, model_selection::Candidates},
    prelude::*,
};

#[expect(clippy::too_many_lines, reason = "it is a list")]
pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("exact", |case| {
            mapped(&Exact::new(Gaussian::new(case.width)), case)
        }),
        ("exact, not centred", |case| {
            mapped(&Exact::new(Gaussian::new(case.width)).centered(false), case)
        }),
        ("exact on Cholesky axes", |case| {
            mapped(
                &Exact::new(Laplacian::new(case.width)).axes(Axes::Cholesky),
                case,
            )
        }),
        ("exact, of products", |case| {
            mapped(&Exact::new(Linear::new()), case)
        }),
        ("exact, of polynomials", |case| {
            mapped(&Exact::new(Polynomial::new(3, case.width, c(1.0))), case)
        }),
        ("exact, of components", |case| {
            let rank = Rank::Components(case.components);
            mapped(&Exact::new(Gaussian::new(case.width)).rank(rank), case)
        }),
        ("exact, of variance", |case| {
            let rank = Rank::Variance(0.9);
            mapped(&Exact::new(Linear::new()).rank(rank), case)
        }),
        ("exact, to a tolerance", |case| {
            let rank = Rank::Tolerance(1e-3);
            mapped(
                &Exact::new(Polynomial::new(2, case.width, c(0.0))).rank(rank),
                case,
            )
        }),
        ("exact, clipped", |case| {
            let kernel = Sigmoid::new(case.width, c(-1.0));
            mapped(&Exact::new(kernel).indefinite(Indefinite::Clip), case)
        }),
        (
            "exact, of a kernel that is not positive semidefinite",
            |case| mapped(&Exact::new(Sigmoid::new(case.width, c(1.0))), case),
        ),
        ("exact, of a composition", |case| {
            let kernel = Normalized::new(Gaussian::new(case.width) + Linear::new());
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, of ANOVA", |case| {
            mapped(&Exact::new(Anova::new(case.width, 2)), case)
        }),
        ("exact, of cosines", |case| {
            mapped(&Exact::new(Cosine::new()), case)
        }),
        ("exact, of Tanimoto", |case| {
            mapped(&Exact::new(Tanimoto::new()), case)
        }),
        ("exact, of Matérn", |case| {
            mapped(&Exact::new(Matern::five_halves(case.width)), case)
        }),
        ("exact, of Matérn, rough", |case| {
            mapped(&Exact::new(Matern::half(case.width)), case)
        }),
        ("exact, of Matérn, between", |case| {
            mapped(&Exact::new(Matern::three_halves(case.width)), case)
        }),
        ("exact, exponential", |case| {
            mapped(&Exact::new(Exponential::new(case.width)), case)
        }),
        ("exact, of length scales", |case| {
            let scales = (1..=case.x.ncols()).map(|k| case.width / c(k as f64));
            let kernel = LengthScales::new(Matern::five_halves(c(1.0)), scales.collect());
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, of a product", |case| {
            let kernel = Gaussian::new(case.width) * Polynomial::new(2, c(1.0), c(1.0));
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, of columns", |case| {
            let first = Columns::new(Gaussian::new(case.width), 0..1);
            let all = Columns::new(Laplacian::new(c(1.0)), 0..case.x.ncols());
            mapped(&Exact::new(first.plus(all)), case)
        }),
        ("exact, of a weighted sum", |case| {
            let kernels = vec![Gaussian::new(case.width), Gaussian::new(c(1.0))];
            let kernel = WeightedSum::new(kernels, ndarray::array![c(0.25), case.width])?;
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, of a kernel centred on new samples", |case| {
            let kernel = Centered::fit(Gaussian::new(case.width), &case.x_new)?;
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, of Gower", |case| {
            let kernel = Gower::of_samples(&case.x, &[0])?;
            mapped(&Exact::new(kernel), case)
        }),
        ("exact, periodic", |case| {
            mapped(&Exact::new(Periodic::new(case.width, c(1.5))), case)
        }),
        ("exact, rational quadratic", |case| {
            mapped(
                &Exact::new(RationalQuadratic::new(case.width, c(0.5))),
                case,
            )
        }),
        ("exact, of matches", |case| {
            mapped(&Exact::new(SimpleMatching::new()), case)
        }),
        ("exact, of splines", |case| {
            of_histograms(&Exact::new(Spline::new()), case)
        }),
        ("exact, of histograms", |case| {
            of_histograms(&Exact::new(ChiSquared::new(case.width)), case)
        }),
        ("exact, of intersections", |case| {
            of_histograms(&Exact::new(HistogramIntersection::new()), case)
        }),
        ("exact, of additive χ²", |case| {
            of_histograms(&Exact::new(AdditiveChiSquared::new()), case)
        }),
        ("exact, of smaller and larger", |case| {
            of_histograms(&Exact::new(MinMax::new()), case)
        }),
        ("homogeneous features", |case| {
            of_histograms(
                &HomogeneousFeatures::new(AdditiveChiSquared::new(), 2),
                case,
            )
        }),
        ("of a kernel found from the samples", |case| {
            let build = |x: &Rows<F>| Ok(Exact::new(Gaussian::median_heuristic(x)?));
            mapped(&FromSamples::new(build), case)
        }),
        ("of kernels given and found", |case| {
            let spaces = Candidates::new()
                .kernel("given", Gaussian::new(case.width))
                .kernel_from("found", |x: &Rows<F>| Gaussian::median_heuristic(x));
            let [given, found] = spaces.values() else {
                unreachable!("two candidates");
            };
            Ok([mapped(given, case)?, mapped(found, case)?].concat())
        }),
        ("random pivots", |case| {
            mapped(&nystrom(case, Pivoting::random(case.components)), case)
        }),
        ("greedy pivots", |case| {
            let pivots = Pivoting::greedy(case.components).tolerance(0.01);
            mapped(&nystrom(case, pivots), case)
        }),
        ("uniform landmarks", |case| {
            mapped(&nystrom(case, Pivoting::uniform(case.components)), case)
        }),
        ("landmarks by leverage", |case| {
            let pivots = Pivoting::by_leverage(case.components, case.penalty);
            mapped(&nystrom(case, pivots), case)
        }),
        ("centroids", |case| {
            mapped(&nystrom(case, Centroids::new(case.components)), case)
        }),
        ("given landmarks", |case| {
            let landmarks = Given(Rows::new(case.x_new.clone())?);
            mapped(&nystrom(case, landmarks), case)
        }),
        ("random Fourier", |case| {
            mapped(&RandomFourier::new(Gaussian::new(case.width), 3), case)
        }),
        ("random Fourier, of independent frequencies", |case| {
            let waves = RandomFourier::new(Gaussian::new(case.width), 3).orthogonal(false);
            mapped(&waves, case)
        }),
        ("random Fourier, structured", |case| {
            let waves = RandomFourier::new(Laplacian::new(case.width), 3).structured(true);
            mapped(&waves, case)?;
            // From 64 features on, fast transforms replace the frequencies.
            let wide = |x: &Array2<F>| {
                Array2::from_shape_fn((x.nrows(), 64), |(i, k)| x[[i, k % x.ncols()]])
            };
            of_samples(&waves, &wide(&case.x), &wide(&case.x_new))
        }),
        ("tensor sketch", |case| {
            mapped(
                &TensorSketch::new(Polynomial::new(2, case.width, c(1.0)), 4),
                case,
            )
        }),
    ]
}

fn nystrom<F: Scalar, L>(case: &Case<F>, landmarks: L) -> Nystrom<Gaussian<F>, L> {
    Nystrom::new(Gaussian::new(case.width), landmarks)
}

/// Fits a space; returns coordinates, residuals and eigenvalues.
fn mapped<F: Scalar, B>(builder: &B, case: &Case<F>) -> Predicted
where
    B: SpaceBuilder<Rows<F>, Space: KernelSpace<Scalar = F>>,
{
    of_samples(builder, &case.x, &case.x_new)
}

fn of_histograms<F: Scalar, B>(builder: &B, case: &Case<F>) -> Predicted
where
    B: SpaceBuilder<Rows<F>, Space: KernelSpace<Scalar = F>>,
{
    of_samples(
        builder,
        &case.histograms(),
        &case.x_new.mapv(num_traits::Float::abs),
    )
}

/// Fits a space to samples of any type; returns coordinates, residuals and eigenvalues.
pub(super) fn of_samples<F: Scalar, R, B>(builder: &B, x: &R, x_new: &R) -> Predicted
where
    R: AsSamples,
    B: SpaceBuilder<R::Samples, Space: KernelSpace<Samples = R::Samples, Scalar = F>>,
{
    let space = builder.fit_space(x)?;
    let own = space.training_coordinates().to_owned();
    let eigenvalues = space.eigenvalues().to_owned();
    let (coordinates, residuals) = space.coordinates_and_residuals(x_new)?;
    Ok([
        numbers(own),
        numbers(eigenvalues),
        numbers(coordinates),
        numbers(residuals),
    ]
    .concat())
}
