//! Laws 5, 7 and 11: the conditions under which a linear method is a kernel method.

use super::tolerance::assert_close;
use crate::{
    data,
    oracles::{centering, jacobi::eigh},
};
use ndarray::Array2;
use npt_core::{Axes, Exact, Gaussian, KernelSpace, Linear, Rows, SpaceBuilder};
use std::{fmt::Debug, sync::Arc};

type AnyKernel = Arc<dyn npt_core::Kernel<Rows<f64>, Scalar = f64>>;

/// Training samples on which methods may fail, each set with new samples.
fn hard_samples() -> Vec<(&'static str, Array2<f64>, Array2<f64>)> {
    let plain = data::normal(30, 3, 1);
    let sets = [
        ("two samples", data::normal(2, 3, 2)),
        ("plain", plain),
        ("more features than samples", data::normal(8, 20, 3)),
        ("duplicates", data::duplicates(12, 3, 2, 4)),
        ("on a line", data::low_rank(25, 4, 1, 5)),
        ("constant columns", data::constant_columns(20, 4, 2, 6)),
    ];
    let with_new = sets.map(|(name, x)| {
        let new = data::normal(7, x.ncols(), 7);
        (name, x, new)
    });
    with_new.to_vec()
}

fn kernels() -> [(&'static str, AnyKernel); 2] {
    [
        ("Linear", Arc::new(Linear::new())),
        ("Gaussian", Arc::new(Gaussian::new(0.3))),
    ]
}

/// Checks that a method does not depend on the axes. It is fitted on the coordinates of one space, once on Cholesky axes and once turned to
/// principal axes, and must give the same values for new samples. The check does so for every set of hard samples (two samples,
/// duplicates, more features than samples, low rank, constant columns), centred and not.
///
/// `run(x, y, y_new)` fits the method to coordinates y of the samples x, with targets that it may make
/// of x. It returns the method's values for samples with coordinates `y_new`, one row each, or its error;
/// an error has to come on both axes. `tolerance` is relative to the largest value.
///
/// # Panics
/// If a value depends on the axes.
///
/// # Example
/// ```
/// use ndarray::Axis;
/// use npt_testkit::laws::check_rotation_invariance;
///
/// // Inner products with the first sample.
/// check_rotation_invariance(1e-7, |_, y, y_new| {
///     Ok::<_, ()>(y_new.dot(&y.row(0)).insert_axis(Axis(1)))
/// });
/// ```
///
/// Lengths of new samples, and their distances from the mean of the training samples, do not depend on the axes either:
/// ```
/// use ndarray::{Array2, Axis};
/// use npt_testkit::laws::check_rotation_invariance;
///
/// let squares = |y: Array2<f64>| y.map_axis(Axis(1), |row| row.dot(&row)).insert_axis(Axis(1));
/// check_rotation_invariance(1e-12, |_, _, y_new| Ok::<_, ()>(squares(y_new.clone())));
/// check_rotation_invariance(1e-12, |_, y, y_new| {
///     Ok::<_, ()>(squares(y_new - &y.mean_axis(Axis(0)).unwrap()))
/// });
/// ```
///
/// The sum of magnitudes depends on the axes:
/// ```should_panic
/// use ndarray::Axis;
/// npt_testkit::laws::check_rotation_invariance(1e-7, |_, _, y_new| {
///     Ok::<_, ()>(y_new.mapv(f64::abs).sum_axis(Axis(1)).insert_axis(Axis(1)))
/// });
/// ```
///
/// The first coordinate depends on the axes, too:
/// ```should_panic
/// use ndarray::s;
/// npt_testkit::laws::check_rotation_invariance(1e-7, |_, _, y_new| {
///     Ok::<_, ()>(y_new.slice(s![.., ..1]).to_owned())
/// });
/// ```
pub fn check_rotation_invariance<E: Debug>(
    tolerance: f64,
    run: impl Fn(&Array2<f64>, &Array2<f64>, &Array2<f64>) -> Result<Array2<f64>, E>,
) {
    for_each_space(|what, x, _, [principal, cholesky]| {
        let (first, second) = (
            run(x, &principal.0, &principal.1),
            run(x, &cholesky.0, &cholesky.1),
        );
        assert_same(&what, first, second, tolerance);
    });
}

/// Checks that a method on coordinates is a kernel-trick formula, `formula(x, k, k_new)`: k is the kernel
/// matrix, shape (n, n), centred if the space is, and `k_new` are the kernel values of new samples with training samples, shape
/// (m, n). The samples and the form of the values are those of [`check_rotation_invariance`]. Where the formula has an
/// error, the method has to have one.
///
/// # Panics
/// If a value differs.
///
/// # Example
/// ```
/// use ndarray::Axis;
/// use npt_testkit::laws::check_kernel_trick;
///
/// // Inner products with the first sample.
/// check_kernel_trick(
///     1e-7,
///     |_, y, y_new| Ok::<_, ()>(y_new.dot(&y.row(0)).insert_axis(Axis(1))),
///     |_, _, k_new| Ok::<_, ()>(k_new.column(0).to_owned().insert_axis(Axis(1))),
/// );
/// ```
pub fn check_kernel_trick<E: Debug, F: Debug>(
    tolerance: f64,
    run: impl Fn(&Array2<f64>, &Array2<f64>, &Array2<f64>) -> Result<Array2<f64>, E>,
    formula: impl Fn(&Array2<f64>, &Array2<f64>, &Array2<f64>) -> Result<Array2<f64>, F>,
) {
    for_each_space(|what, x, [k, k_new], [_, (y, y_new)]| {
        let expected = formula(x, k, k_new).map_err(|error| format!("{error:?}"));
        let found = run(x, &y, &y_new).map_err(|error| format!("{error:?}"));
        assert_same(&what, found, expected, tolerance);
    });
}

/// Checks that two ways to a kernel method agree, such as a [`KernelMethod`](npt_core::KernelMethod) and
/// the same method `by_coordinates`: each gets training samples and new ones, and returns its values for the new ones.
///
/// # Panics
/// If a value differs by more than `tolerance` of the largest.
pub fn check_roads<E: Debug, F: Debug>(
    tolerance: f64,
    one: impl Fn(&Array2<f64>, &Array2<f64>) -> Result<Array2<f64>, E>,
    other: impl Fn(&Array2<f64>, &Array2<f64>) -> Result<Array2<f64>, F>,
) {
    for (name, x, new) in hard_samples() {
        let one = one(&x, &new).map_err(|error| format!("{error:?}"));
        let other = other(&x, &new).map_err(|error| format!("{error:?}"));
        assert_same(name, one, other, tolerance);
    }
}

/// Calls `check` with the name of every space, its samples, the oracle's kernel values, and the coordinates of
/// training and new samples on principal and on Cholesky axes.
fn for_each_space(
    mut check: impl FnMut(String, &Array2<f64>, [&Array2<f64>; 2], [(Array2<f64>, Array2<f64>); 2]),
) {
    for (set, x, new) in hard_samples() {
        for (kernel_name, kernel) in kernels() {
            for centered in [true, false] {
                let rows = |x: &Array2<f64>| Rows::new(x.clone()).expect("finite samples");
                let (samples, new_samples) = (rows(&x), rows(&new));
                let (k, k_new) = if centered {
                    (
                        centering::centered_gram(&kernel, &samples),
                        centering::centered_cross(&kernel, &new_samples, &samples),
                    )
                } else {
                    (
                        centering::gram(&kernel, &samples),
                        centering::cross(&kernel, &new_samples, &samples),
                    )
                };
                let builder = Exact::new(Arc::clone(&kernel))
                    .centered(centered)
                    .axes(Axes::Cholesky);
                let fitted = builder.fit_space(&samples).expect("samples with a space");
                let (space, y, _) = fitted.into_parts();
                let y_new = space.coordinates(&new_samples).expect("samples like these");
                // Both have the same coordinates, turned: a separate space on principal axes may cut other directions at rounding level, along
                // which new samples extend.
                let (_, axes) = eigh(y.t().dot(&y).view());
                let principal = (y.dot(&axes), y_new.dot(&axes));
                let what = format!("{kernel_name}, {set}, centred: {centered}");
                check(what, &x, [&k, &k_new], [principal, (y, y_new)]);
            }
        }
    }
}

fn assert_same<E: Debug, F: Debug>(
    what: &str,
    found: Result<Array2<f64>, E>,
    expected: Result<Array2<f64>, F>,
    tolerance: f64,
) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.dim(), expected.dim(), "{what}: shape of the values");
            let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
            for ((index, &value), &other) in found.indexed_iter().zip(&expected) {
                assert_close(
                    &format!("{what}: value {index:?}"),
                    value,
                    other,
                    tolerance * largest,
                );
            }
        }
        (Err(_), Err(_)) => {}
        (found, expected) => panic!("{what}: {found:?} beside {expected:?}"),
    }
}
