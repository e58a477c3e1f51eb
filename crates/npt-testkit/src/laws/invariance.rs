//! Laws 8 and 9: a space depends neither on the order of its samples nor on the threads, and copies of samples agree.

use super::{
    case::Case,
    coordinates::{check_new_coordinates, check_training_coordinates},
    eigenvalues::check_eigenvalues,
    residuals::check_residuals,
    tolerance::{assert_close, epsilon, widen},
};
use npt_core::{Fitted, Kernel, KernelSpace, Samples, Scalar, SpaceBuilder};
use rayon::ThreadPoolBuilder;

/// Checks that the order of the training samples does not matter.
///
/// # Panics
/// If the order changes a result.
pub fn check_permutation<S, K, B>(builder: &B, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    B: SpaceBuilder<S>,
    B::Space: KernelSpace<Scalar = K::Scalar>,
{
    // The order is: odd rows backwards, then the even ones.
    let n = case.x.len();
    let order: Vec<usize> = (0..n)
        .rev()
        .filter(|i| i % 2 == 1)
        .chain((0..n).step_by(2))
        .collect();
    let permuted = case.x.select(&order);
    let other = fit(builder, &permuted, "permuted");
    let other_case = Case::new(case.kernel, case.centered, &permuted, case.x_new);
    check_training_coordinates(&other, &other_case);
    check_new_coordinates(&other, &other_case);

    let space = fit(builder, case.x, "ordered");
    let (y, z) = (
        widen(space.training_coordinates()),
        widen(other.training_coordinates()),
    );
    let (products, permuted) = (y.dot(&y.t()), z.dot(&z.t()));
    for ((i, j), &product) in permuted.indexed_iter() {
        let (a, b) = (order[i], order[j]);
        let what = format!("⟨y{a}, y{b}⟩ in another order");
        assert_close(&what, product, products[[a, b]], case.tolerance.entry());
    }
    for k in 0..space.rank().min(other.rank()) {
        assert_close(
            &format!("eigenvalue {k} in another order"),
            other.eigenvalues()[k].as_f64(),
            space.eigenvalues()[k].as_f64(),
            case.tolerance.entry(),
        );
    }
}

/// Checks a space of samples two of which occur twice: it is the space of the larger K, and copies have
/// the same coordinates.
///
/// # Panics
/// If one of these does not hold.
pub fn check_duplicates<S, K, B>(builder: &B, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    B: SpaceBuilder<S>,
    B::Space: KernelSpace<Scalar = K::Scalar>,
{
    let n = case.x.len();
    let twice = [0, n / 2];
    let rows: Vec<usize> = (0..n).chain(twice).collect();
    let larger = case.x.select(&rows);
    let space = fit(builder, &larger, "duplicated");
    let larger_case = Case::new(case.kernel, case.centered, &larger, case.x_new);
    check_training_coordinates(&space, &larger_case);
    check_new_coordinates(&space, &larger_case);
    check_residuals(&space, &larger_case, true);
    check_eigenvalues(&space, &larger_case);

    let y = widen(space.training_coordinates());
    for (copy, &original) in twice.iter().enumerate() {
        let apart = (&y.row(n + copy) - &y.row(original)).mapv(|v| v * v).sum();
        let what = format!("‖y − y′‖² of sample {original} and its copy");
        assert_close(&what, apart, 0.0, larger_case.tolerance.entry());
    }
}

/// Checks that a second fit to the same samples gives the same bits.
///
/// # Panics
/// If the second fit differs from the first.
pub fn check_refit<S, B>(builder: &B, x: &S, x_new: &S)
where
    S: Samples,
    B: SpaceBuilder<S>,
{
    let (first, second) = (fit(builder, x, "first"), fit(builder, x, "second"));
    let same = first.training_coordinates() == second.training_coordinates()
        && first.eigenvalues() == second.eigenvalues()
        && first.coordinates_and_residuals(x_new) == second.coordinates_and_residuals(x_new);
    assert!(
        same,
        "a second fit of the same samples differs from the first"
    );
}

/// Checks that coordinates of training and new samples do not depend on the number of threads by
/// more than 1e-10 of the length of the longest (or by more than a few roundings, if these are larger).
///
/// # Panics
/// If they do.
pub fn check_threads<S, K, B>(builder: &B, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    B: SpaceBuilder<S> + Sync,
    B::Space: KernelSpace<Scalar = K::Scalar>,
{
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a pool of a few threads");
        pool.install(|| {
            let space = fit(builder, case.x, "threaded");
            let (y, residuals) = super::residuals::map(&space, case.x_new);
            (widen(space.training_coordinates()), y, residuals)
        })
    };
    let (one, many) = (on(1), on(3));
    let relative = 1e-10_f64.max(8.0 * epsilon::<K::Scalar>());
    let tolerance = relative * case.tolerance.scale().sqrt();
    assert_eq!(one.0.dim(), many.0.dim(), "shape with more threads");
    let pairs = one.0.iter().zip(&many.0).chain(one.1.iter().zip(&many.1));
    for (&a, &b) in pairs {
        assert_close("coordinate with more threads", b, a, tolerance);
    }
    for (&a, &b) in one.2.iter().zip(&many.2) {
        let tolerance = relative * case.tolerance.scale();
        assert_close("residual with more threads", b, a, tolerance);
    }
}

pub(super) fn fit<S: Samples, B: SpaceBuilder<S>>(
    builder: &B,
    x: &S,
    what: &str,
) -> Fitted<B::Space> {
    builder
        .fit_space(x)
        .unwrap_or_else(|error| panic!("the {what} samples have no space: {error}"))
}
