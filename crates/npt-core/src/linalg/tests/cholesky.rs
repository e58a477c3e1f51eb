//! Cholesky factors.

use super::*;

#[test]
fn cholesky_crosses_its_blocks_and_names_the_bad_pivot() {
    let a = random(400, 150, 5);
    let mut c = symmetric_rank_k(a.view());
    let l = cholesky(&c).unwrap();
    assert!(largest(&(l.dot(&l.t()) - &c)) < 1e-12 * largest(&c));
    let mut in_place = c.clone();
    cholesky_in_place(&mut in_place).unwrap();
    assert_eq!(in_place, l);
    c[[130, 130]] = -1.0;
    assert!(matches!(
        cholesky(&c),
        Err(Error::NotPositiveDefinite { pivot: 130, value }) if value < 0.0
    ));
}

/// A singular matrix is refused. It is A = LLᵀ with whole numbers, so that nothing is rounded; the diagonal of L
/// is 1 but for one 0, in the first block of columns or the second.
#[test]
fn cholesky_refuses_what_is_singular() {
    fn same<F: Scalar>((a, b): (&F, &F)) -> bool {
        a == b || (a.is_nan() && b.is_nan())
    }
    fn check<F: Scalar>() {
        for at in [0, 1, 40, 64, 70, 89] {
            let l = random(90, 90, at as u64).mapv(|v| F::cast((1.4 * v).round()));
            let l = Array2::from_shape_fn((90, 90), |(i, j)| match i.cmp(&j) {
                std::cmp::Ordering::Less => F::zero(),
                std::cmp::Ordering::Equal => F::cast(u8::from(i != at)),
                std::cmp::Ordering::Greater if j == at => F::zero(),
                std::cmp::Ordering::Greater => l[[i, j]],
            });
            let pivot = at;
            let cholesky = |a: &Array2<F>| {
                let (l, mut in_place) = (cholesky(a), a.clone());
                let done = cholesky_in_place(&mut in_place);
                match &l {
                    Ok(l) => assert_eq!((done, &in_place), (Ok(()), l)),
                    Err(_) => assert!(done.is_err() && in_place.iter().zip(a).all(same)),
                }
                l
            };
            let refused = |value| Err(Error::NotPositiveDefinite { pivot, value });
            let mut a = l.dot(&l.t());
            assert_eq!(cholesky(&a), refused(0.0));
            a[[at, at]] -= F::one();
            assert_eq!(cholesky(&a), refused(-1.0));
            a[[at, at]] = F::infinity();
            assert_eq!(cholesky(&a), refused(f64::INFINITY));
            a[[at, at]] = F::nan();
            let not_finite = cholesky(&a);
            assert!(matches!(
                not_finite,
                Err(Error::NotPositiveDefinite { pivot, value }) if pivot == at && value.is_nan()
            ));
            // With the 1 that is missing on the diagonal put back, the factor is L.
            a = l.dot(&l.t());
            a[[at, at]] += F::one();
            let mut whole = l;
            whole[[at, at]] = F::one();
            assert_eq!(cholesky(&a), Ok(whole));
        }
    }
    check::<f64>();
    check::<f32>();
}
