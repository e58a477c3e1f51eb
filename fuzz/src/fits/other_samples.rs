//! Spaces of samples that are no dense vectors.

use super::{Case, Run, c, numbers, spaces::of_samples};
use ndarray::Array2;
use npt::{Error, Scalar, prelude::*};
use sprs::TriMat;

pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("precomputed", |case| {
            let gram = case.x.dot(&case.x.t());
            let space = Exact::new(npt::Precomputed::new())
                .fit_space(&KernelRows::training(gram.view())?)?;
            Ok(numbers(space.training_coordinates().to_owned()))
        }),
        ("exact, of sparse vectors", |case| {
            let kernel = Sparse::new(Gaussian::new(case.width));
            of_samples(
                &Exact::new(kernel),
                &sparse(&case.x)?,
                &sparse(&case.x_new)?,
            )
        }),
        ("exact, of products of sparse vectors", |case| {
            let kernel = Sparse::new(Polynomial::new(2, case.width, c(1.0)));
            of_samples(
                &Exact::new(kernel),
                &sparse(&case.x)?,
                &sparse(&case.x_new)?,
            )
        }),
        ("random pivots of sparse vectors", |case| {
            let kernel = Sparse::new(Laplacian::new(case.width));
            let landmarks = Nystrom::new(kernel, Pivoting::random(case.components));
            of_samples(&landmarks, &sparse(&case.x)?, &sparse(&case.x_new)?)
        }),
        ("exact, of pairs", |case| {
            let width = case.width;
            let near = FnKernel::new(move |a: &Vec<F>, b: &Vec<F>| (-width * between(a, b)).exp());
            let same = FnKernel::new(|a: &usize, b: &usize| c(if a == b { 1.0 } else { 0.5 }));
            let kernel = Tensor::new(
                near.assume_positive_semidefinite(),
                same.assume_positive_semidefinite(),
            );
            let (x, x_new) = pairs(case)?;
            of_samples(&Exact::new(kernel), &x, &x_new)
        }),
    ]
}

/// Makes sparse vectors: zeros are not stored, but numbers that are not finite are.
fn sparse<F: Scalar>(x: &Array2<F>) -> Result<SparseRows<F>, Error> {
    let mut entries = TriMat::new(x.dim());
    for ((row, column), &value) in x.indexed_iter().filter(|(_, value)| **value != F::zero()) {
        entries.add_triplet(row, column, value);
    }
    SparseRows::new(&entries.to_csr::<usize>())
}

/// The sum of the magnitudes of the differences.
fn between<F: Scalar>(a: &[F], b: &[F]) -> F {
    let differences = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| num_traits::Float::abs(a - b));
    differences.sum()
}

type Pairs<F> = Items<(Vec<F>, usize)>;

/// Pairs of each sample with its class; the class of new samples is the first.
fn pairs<F: Scalar>(case: &Case<F>) -> Result<(Pairs<F>, Pairs<F>), Error> {
    let rows = |x: &Array2<F>| x.outer_iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let own = rows(&case.x).into_iter().zip(case.classes.iter().copied());
    let new = rows(&case.x_new).into_iter().map(|row| (row, 0));
    Ok((Items::new(own.collect())?, Items::new(new.collect())?))
}
