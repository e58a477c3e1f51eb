//! Orthonormal bases.

use super::*;

/// The basis is orthonormal and spans the rows, in both implementations: rows that are independent, dependent,
/// all 0, or hardly more than 0.
#[test]
fn orthonormal_rows_span_the_rows() {
    let mut equal = random(20, 50, 1);
    equal.slice_mut(s![7.., ..]).fill(0.25);
    let mut small = random(20, 50, 2);
    small.slice_mut(s![3..9, ..]).mapv_inplace(|v| v * 1e-14);
    // Matrices of more rows than a panel: many rows equal, a third of the rows 0, of low rank, 0 in the first
    // columns.
    let mut many_equal = random(300, 300, 7);
    many_equal.slice_mut(s![100..160, ..]).fill(0.25);
    let mut third_zero = random(300, 400, 8);
    third_zero.slice_mut(s![..;3, ..]).fill(0.0);
    let low_rank = random(300, 40, 9).dot(&random(40, 400, 10));
    let mut first_zero = random(300, 400, 11);
    first_zero.slice_mut(s![.., ..200]).fill(0.0);
    let cases = [
        many_equal,
        third_zero,
        low_rank,
        first_zero,
        random(1, 1, 1),
        random(1, 30, 2),
        random(130, 700, 3),
        random(40, 40, 4),
        Array2::zeros((5, 9)),
        equal,
        small,
    ];
    for a in cases {
        for scale in [1.0, 1e200, 1e-200] {
            let (rows, a) = (a.nrows(), &a * scale);
            let within = |basis: Array2<f64>| {
                let off = basis.dot(&basis.t()) - Array2::<f64>::eye(rows);
                assert!(largest(&off) < 1e-13, "{:?}: {:e}", a.dim(), largest(&off));
                let off = &a - &a.dot(&basis.t()).dot(&basis);
                let most = 1e-13 * largest(&a);
                assert!(largest(&off) <= most, "{:?}: {:e}", a.dim(), largest(&off));
            };
            within(orthonormal_rows(a.view()));
            if scale == 1.0 {
                within(linfa::orthonormal_rows(a.clone()));
            }
        }
    }
}

/// The basis does not depend on the number of threads (law 9), across the blocks of reflections.
#[test]
fn orthonormal_rows_by_any_number_of_threads() {
    let a = random(700, 900, 6);
    let by = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| orthonormal_rows(a.view()))
    };
    let one = by(1);
    assert_eq!(one, by(2));
    assert_eq!(one, by(3));
    let off = one.dot(&one.t()) - Array2::<f64>::eye(700);
    assert!(largest(&off) < 1e-13, "{:e}", largest(&off));
    let off = &a - &a.dot(&one.t()).dot(&one);
    assert!(largest(&off) <= 1e-13 * largest(&a), "{:e}", largest(&off));
}
