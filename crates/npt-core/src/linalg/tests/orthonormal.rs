//! Orthonormal bases.

use super::*;

/// Of rows that are independent, dependent, all 0, hardly any; in both implementations.
#[test]
fn orthonormal_rows_span_the_rows() {
    let mut equal = random(20, 50, 1);
    equal.slice_mut(s![7.., ..]).fill(0.25);
    let mut small = random(20, 50, 2);
    small.slice_mut(s![3..9, ..]).mapv_inplace(|v| v * 1e-14);
    let cases = [
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
                assert!(largest(&off) <= 1e-13 * largest(&a), "{:?}", a.dim());
            };
            within(orthonormal_rows(a.view()));
            if scale == 1.0 {
                within(linfa::orthonormal_rows(a.clone()));
            }
        }
    }
}
