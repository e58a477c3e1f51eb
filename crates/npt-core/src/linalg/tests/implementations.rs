//! Comparisons of the two implementations.

use super::*;

#[test]
fn implementations_agree() {
    let a = random(60, 40, 3);
    let c = symmetric_rank_k(a.view());
    assert!(largest(&(&c - &a.t().dot(&a))) < 1e-13 * 60.0);

    let (values, vectors) = eigh(&c).unwrap();
    let (mut other, vectors_of_other) = linfa::eigh(c.clone()).unwrap();
    let vectors_of_other = vectors_of_other.reversed_axes();
    let rebuilt = (&vectors_of_other * &other).dot(&vectors_of_other.t());
    assert!(largest(&(rebuilt - &c)) < 1e-13 * values[0]);
    other
        .as_slice_mut()
        .unwrap()
        .sort_by(|a, b| b.partial_cmp(a).unwrap());
    assert!(
        (&values - &other)
            .iter()
            .all(|d| d.abs() < 1e-13 * values[0])
    );
    let rebuilt = (&vectors * &values).dot(&vectors.t());
    assert!(largest(&(rebuilt - &c)) < 1e-13 * values[0]);

    for turned in [a.view(), a.t()] {
        let (rows, b) = (turned.nrows() - 7, turned.t());
        let [mut found, mut other] = [Array2::zeros((5, b.ncols())), Array2::ones((5, b.ncols()))];
        f64::multiply_rows(found.view_mut(), turned, rows, b);
        linfa::multiply_rows(other.view_mut(), turned, rows, b);
        assert!(largest(&(found - other)) < 1e-13 * values[0]);
    }

    let l = cholesky(&c).unwrap();
    assert!(largest(&(l.dot(&l.t()) - &c)) < 1e-13 * values[0]);
    let b = random(40, 300, 4);
    let mut expected = b.clone();
    linfa::solve_lower(l.view(), &mut expected);
    let solved = solve_lower(l.view(), b.view());
    assert!(largest(&(&solved - &expected)) < 1e-10 * largest(&expected));
    let mut expected = b.clone();
    linfa::solve_upper(l.t(), &mut expected);
    let solved = solve_lower_transposed(l.view(), b.view());
    assert!(largest(&(&solved - &expected)) < 1e-10 * largest(&expected));
    let mut expected = solved.clone();
    linfa::multiply(expected.view_mut(), true, -2.0, l.view(), b.view());
    let mut found = solved;
    f64::multiply(found.view_mut(), true, -2.0, l.view(), b.view());
    assert!(largest(&(&found - &expected)) < 1e-12 * largest(&expected));
}

/// The second implementation is exact to rounding in f32, where it is hard: at low rank, so that most
/// eigenvalues are rounding, and almost at the identity, so that the squares of the other entries vanish.
#[test]
fn second_implementation_in_single_precision() {
    let check = |c: Array2<f32>| {
        let n = c.nrows();
        let (values, vectors) = linfa::eigh(c.clone()).unwrap();
        let vectors = vectors.reversed_axes();
        let orthogonality = vectors.t().dot(&vectors) - Array2::<f32>::eye(n);
        let rebuilt = (&vectors * &values).dot(&vectors.t()) - &c;
        let wide = |m: &Array2<f32>| largest(&m.mapv(f64::from));
        assert!(wide(&orthogonality) < 1e-5, "{n}: {}", wide(&orthogonality));
        assert!(wide(&rebuilt) < 1e-5 * wide(&c), "{n}: {}", wide(&rebuilt));
    };
    for (n, rank) in [(5, 2), (12, 3), (30, 4), (30, 30)] {
        let a = random(n, rank, 9).mapv(|v| v as f32);
        check(a.dot(&a.t()));
    }
    for seed in 0..20 {
        let exponents = random(13, 13, seed).mapv(|v| 30.0 + 12.0 * v);
        let a = exponents.mapv(|e| 10_f64.powf(-e) as f32);
        check(&a + &a.t() + Array2::<f32>::eye(13));
    }
}
