use super::regular_cholesky;
use ndarray::{Array2, array};
use npt_core::{Scalar, linalg};

/// Checks the level of rounding. The second pivot of [[1, 1], [1, 1 + kε]] is kε exactly, and the level is 10 ε(1 + kε).
fn check_level<F: Scalar>() {
    let one = F::one();
    let of = |k: i32| array![[one, one], [one, one + F::cast(k) * F::epsilon()]];
    for (k, regular) in [(-4, false), (0, false), (4, false), (8, false), (16, true)] {
        let a = of(k);
        let found = regular_cholesky(&mut a.clone(), &a.diag().to_owned());
        assert_eq!(found, Ok(regular), "{k} ε");
        // A pivot above 0 would be divided by, were it not for its size.
        assert_eq!(linalg::cholesky(&a).is_ok(), k > 0, "{k} ε");
    }
    // The sums of a matrix may have been larger than what is left of its diagonal.
    let mut a = of(16);
    let larger = &a.diag() * F::cast(2);
    assert_eq!(regular_cholesky(&mut a, &larger), Ok(false));
}

#[test]
fn a_pivot_of_rounding_is_singular() {
    check_level::<f64>();
    check_level::<f32>();
    let mut a: Array2<f64> = array![[4.0, 2.0], [2.0, 5.0]];
    assert_eq!(regular_cholesky(&mut a, &array![4.0, 5.0]), Ok(true));
    assert_eq!(a, array![[2.0, 0.0], [1.0, 2.0]]);
}
