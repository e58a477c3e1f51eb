//! Law 1: the conditions that every kernel has to satisfy.

use super::tolerance::{Tolerance, assert_close, epsilon, largest, widen};
use crate::oracles::{centering, jacobi};
use ndarray::Array2;
use npt_core::{Kernel, Product, Samples, Scalar, Scaled, Sum, linalg::Spare};
use std::sync::Arc;

/// The number of roundings by which a block may differ from `eval`, relative to the largest κ(x, x): a block adds its
/// terms in another order, and a power multiplies their error by its degree.
const BLOCK_ROUNDINGS: f64 = 256.0;

/// The largest number of samples for which the smallest eigenvalue is looked for: the solver is slow.
const MOST_FOR_EIGENVALUES: usize = 100;

/// Checks that κ is symmetric, that blocks have the values of `eval`, whatever memory they are made in, that
/// pointers forward, and that no eigenvalue is negative if [`Kernel::is_positive_semidefinite`] says so.
///
/// # Panics
/// If one of these does not hold, or `check` refuses the samples.
pub fn check_kernel<S: Samples, K: Kernel<S>>(kernel: &K, x: &S) {
    if let Err(error) = kernel.check(x) {
        panic!("the kernel refuses the samples: {error}");
    }
    let expected = centering::gram(kernel, x);
    assert!(
        expected.iter().all(|v| v.is_finite()),
        "eval gives values that are not finite"
    );
    let rounding = epsilon::<K::Scalar>() * BLOCK_ROUNDINGS * largest(&expected);

    let gram = kernel.gram(x);
    assert_eq!(gram.dim(), (x.len(), x.len()), "shape of gram");
    compare("gram", &widen(gram.view()), &expected, rounding);
    compare("eval(b, a)", &expected, &expected.t().to_owned(), rounding);
    compare(
        "gram transposed",
        &widen(gram.t()),
        &widen(gram.view()),
        rounding,
    );

    let diag = kernel.diag(x);
    assert_eq!(diag.len(), x.len(), "length of diag");
    for (i, value) in diag.iter().enumerate() {
        let what = format!("diag[{i}]");
        assert_close(&what, value.as_f64(), expected[[i, i]], rounding);
    }

    // Every second sample is taken, backwards: the block is not square, not symmetric, and in another order.
    let some: Vec<usize> = (0..x.len()).rev().step_by(2).collect();
    let selected = x.select(&some);
    let cross = kernel.cross(&selected, x);
    assert_eq!(cross.dim(), (some.len(), x.len()), "shape of cross");
    compare(
        "cross",
        &widen(cross.view()),
        &centering::cross(kernel, &selected, x),
        rounding,
    );

    check_memory(kernel, x);
    check_forwarding(kernel, x);
    if kernel.is_positive_semidefinite() && x.len() <= MOST_FOR_EIGENVALUES {
        check_positive_semidefinite(kernel, x);
    }
}

/// Checks that no eigenvalue of the kernel matrix is below rounding level.
fn check_positive_semidefinite<S: Samples, K: Kernel<S>>(kernel: &K, x: &S) {
    let gram = centering::gram(kernel, x);
    let tolerance = Tolerance::of::<K::Scalar>(&gram, []).entry();
    let values = jacobi::eigenvalues(&gram);
    let smallest = values[values.len() - 1];
    assert!(
        smallest >= -tolerance,
        "the kernel says that it is positive semidefinite, but its matrix has the eigenvalue \
         {smallest:e}, the largest being {:e}",
        values[0]
    );
}

/// Checks that blocks have the same values, to the bit, in memory that holds others.
fn check_memory<S: Samples, K: Kernel<S>>(kernel: &K, x: &S) {
    let (gram, cross) = (kernel.gram(x), kernel.cross(x, x));
    let nan = <K::Scalar as num_traits::Float>::nan();
    let leave = || Spare::give_back(Array2::from_elem(gram.dim(), nan));
    Spare::of_matrices_from(0).over(|| {
        // A kernel that is made of others makes several matrices.
        (0..4).for_each(|_| leave());
        assert!(kernel.gram(x) == gram, "gram in memory that was used");
        (0..4).for_each(|_| leave());
        assert!(kernel.cross(x, x) == cross, "cross in memory that was used");
    });
}

/// Checks that pointers to a kernel have the values of the kernel, to the bit.
fn check_forwarding<S: Samples, K: Kernel<S>>(kernel: &K, x: &S) {
    check_same(kernel, &kernel, x, "&K");
    check_same(kernel, &Arc::new(kernel), x, "Arc<K>");
    let boxed: Box<dyn Kernel<S, Scalar = K::Scalar> + '_> = Box::new(kernel);
    check_same(kernel, &boxed, x, "Box<dyn Kernel>");
}

fn check_same<S, K, P>(kernel: &K, pointer: &P, x: &S, what: &str)
where
    S: Samples,
    K: Kernel<S>,
    P: Kernel<S, Scalar = K::Scalar>,
{
    let (a, b) = (x.get(0), x.get(x.len() - 1));
    assert!(kernel.eval(a, b) == pointer.eval(a, b), "eval of {what}");
    assert!(kernel.cross(x, x) == pointer.cross(x, x), "cross of {what}");
    assert!(kernel.gram(x) == pointer.gram(x), "gram of {what}");
    assert!(kernel.diag(x) == pointer.diag(x), "diag of {what}");
    assert_eq!(kernel.check(x), pointer.check(x), "check of {what}");
    assert_eq!(
        kernel.is_positive_semidefinite(),
        pointer.is_positive_semidefinite(),
        "is_positive_semidefinite of {what}"
    );
}

/// Checks that sums, products and multiples of two kernels are pointwise, and kernels again.
///
/// # Panics
/// If one of these does not hold.
pub fn check_composition<S, K, L>(first: &K, second: &L, factor: K::Scalar, x: &S)
where
    S: Samples,
    K: Kernel<S>,
    L: Kernel<S, Scalar = K::Scalar>,
{
    let (sum, product) = (Sum::new(first, second), Product::new(first, second));
    let scaled = Scaled::new(first, factor);
    check_kernel(&sum, x);
    check_kernel(&product, x);
    check_kernel(&scaled, x);
    for (i, j) in (0..x.len()).zip((0..x.len()).rev()) {
        let (a, b) = (x.get(i), x.get(j));
        let (f, s) = (first.eval(a, b), second.eval(a, b));
        assert!(sum.eval(a, b) == f + s, "sum at ({i}, {j})");
        assert!(product.eval(a, b) == f * s, "product at ({i}, {j})");
        assert!(scaled.eval(a, b) == factor * f, "multiple at ({i}, {j})");
    }
}

#[track_caller]
fn compare(what: &str, found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    for ((i, j), &value) in found.indexed_iter() {
        let what = format!("{what}[{i}, {j}]");
        assert_close(&what, value, expected[[i, j]], tolerance);
    }
}
