//! All laws of a space at once.

use super::{
    axes::{check_axis_signs, check_rotation},
    case::Case,
    coordinates::{check_new_coordinates, check_training_coordinates},
    directions::check_directions,
    eigenvalues::check_eigenvalues,
    invariance::{check_duplicates, check_permutation, check_refit, check_threads, fit},
    rank::{check_products_within_residuals, check_reduced_rank},
    residuals::{check_residuals, map},
};
use crate::oracles::centering;
use npt_core::{
    Axes, Error, Exact, Fitted, Kernel, KernelSpace, Rank, Samples, Scalar, SpaceBuilder,
};

/// Checks every law that does not depend on the axes for a builder of spaces of full rank, on a
/// kernel with training and new samples.
///
/// # Panics
/// If a law does not hold, or the samples have no space.
pub fn check_space<S, K, B>(builder: &B, kernel: &K, centered: bool, x: &S, x_new: &S)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    B: SpaceBuilder<S> + Sync,
    B::Space: KernelSpace<Scalar = K::Scalar>,
{
    check_space_of(builder, &Case::new(kernel, centered, x, x_new));
}

fn check_space_of<S, K, B>(builder: &B, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S> + ?Sized,
    B: SpaceBuilder<S> + Sync,
    B::Space: KernelSpace<Scalar = K::Scalar>,
{
    let space = fit(builder, case.x, "training");
    check_training_coordinates(&space, case);
    check_new_coordinates(&space, case);
    check_residuals(&space, case, true);
    check_eigenvalues(&space, case);
    check_directions(&space, case);
    check_permutation(builder, case);
    check_duplicates(builder, case);
    check_refit(builder, case.x, case.x_new);
    check_threads(builder, case);
}

/// Checks every law there is: the laws of the kernel ([`check_kernel`](super::check_kernel)), and those of its
/// exact space, centred and not ([`check_exact`]).
///
/// # Panics
/// If a law does not hold, or the samples have no space.
pub fn check_all<S: Samples, K: Kernel<S>>(kernel: &K, x: &S, x_new: &S) {
    super::check_kernel(kernel, x);
    check_exact(kernel, true, x, x_new);
    check_exact(kernel, false, x, x_new);
}

/// Checks every law for [`Exact`] with a kernel, training and new samples: on both axes, at full
/// and at reduced rank.
///
/// # Panics
/// If a law does not hold, or the samples have no space.
pub fn check_exact<S: Samples, K: Kernel<S>>(kernel: &K, centered: bool, x: &S, x_new: &S) {
    let case = Case::new(kernel, centered, x, x_new);
    let principal = Exact::new(kernel).centered(centered);
    let cholesky = principal.clone().axes(Axes::Cholesky);
    check_space_of(&principal, &case);
    check_space_of(&cholesky, &case);

    let full = fit(&principal, x, "training");
    check_axis_signs(&full, &case);
    check_rotation(&full, &fit(&cholesky, x, "training"), &case);
    check_ranks(&principal, &full, &case);
    check_few_landmarks(&cholesky, full.rank(), &case);
}

/// Checks that a Cholesky factor that stops early is a projection on fewer landmarks, whose residuals are the part that it
/// leaves. If the space is centred, the residuals are those of the uncentred space, because the mean of the samples is itself outside
/// the span of the landmarks.
fn check_few_landmarks<S, K>(builder: &Exact<&K>, rank: usize, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S>,
{
    for count in [1, rank.div_ceil(2)] {
        let cut = builder.clone().rank(Rank::Components(count));
        let space = match cut.fit_space(case.x) {
            // A few landmarks may be unable to tell samples apart that all landmarks do tell apart.
            Err(Error::NoVariance { .. }) => continue,
            // A space that stops early takes the kernel values as they are, and not their values about an origin. Rounding may leave fewer
            // dimensions of the former than of the latter, and the mean takes at most one of these.
            Err(Error::Rank { available, .. }) => {
                let uncut = fit(&builder.clone().centered(false), case.x, "training");
                assert!(
                    uncut.rank() < rank && uncut.rank() <= available + 1,
                    "{available} of {} dimensions, {rank} about an origin",
                    uncut.rank()
                );
                continue;
            }
            other => other.expect("the training samples have a space"),
        };
        assert_eq!(
            space.rank(),
            count,
            "rank of Rank::Components on Cholesky axes"
        );
        let uncentered = fit(&cut.centered(false), case.x, "training");
        let uncentered_case = Case::new(case.kernel, false, case.x, case.x_new);
        check_residuals(&uncentered, &uncentered_case, false);
        check_products_within_residuals(&uncentered, &uncentered_case);
        assert_eq!(
            map(&space, case.x_new).1,
            map(&uncentered, case.x_new).1,
            "centring changes residuals from the span of {count} landmarks"
        );
    }
    // The remaining trace is at most the share that was asked for, up to rounding.
    let share = 0.05;
    let space = fit(
        &builder.clone().centered(false).rank(Rank::Tolerance(share)),
        case.x,
        "training",
    );
    let left = map(&space, case.x).1.sum();
    let trace = centering::diag(case.kernel, case.x).sum();
    assert!(
        left <= share * trace + case.tolerance.entry(),
        "Rank::Tolerance({share}) leaves {left:e} of the trace {trace:e}"
    );
}

/// Checks that each way to choose a rank keeps the axes that it promises.
fn check_ranks<S, K, P>(builder: &Exact<&K>, full: &Fitted<P>, case: &Case<'_, S, K>)
where
    S: Samples,
    K: Kernel<S>,
    P: KernelSpace<Samples = S, Scalar = K::Scalar>,
{
    let fit_rank = |rank| fit(&builder.clone().rank(rank), case.x, "training");
    let values = full.eigenvalues().mapv(Scalar::as_f64);
    for count in [1, values.len().div_ceil(2), values.len()] {
        let space = fit_rank(Rank::Components(count));
        assert_eq!(space.rank(), count, "rank of Rank::Components");
        check_axis_signs(&space, case);
        check_reduced_rank(full, &space, case);
    }
    let total = values.sum();
    for share in [0.5, 0.95] {
        let space = fit_rank(Rank::Variance(share));
        let (kept, last) = (space.eigenvalues().mapv(Scalar::as_f64), space.rank() - 1);
        let rounding = case.tolerance.entry();
        assert!(
            kept.sum() >= share * total - rounding,
            "Rank::Variance({share}) keeps too few"
        );
        assert!(
            kept.sum() - kept[last] < share * total + rounding,
            "Rank::Variance({share}) keeps too many"
        );
        check_reduced_rank(full, &space, case);
    }
    let share = 1e-2;
    let space = fit_rank(Rank::Tolerance(share));
    let kept = values.iter().filter(|&&v| v > share * values[0]).count();
    assert_eq!(space.rank(), kept, "rank of Rank::Tolerance({share})");
    check_reduced_rank(full, &space, case);
}
