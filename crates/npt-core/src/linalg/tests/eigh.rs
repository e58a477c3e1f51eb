//! Eigendecompositions of whole matrices.

use super::*;

/// Returns the residual of all eigenpairs in units of ε·‖A‖, and their error of orthogonality in units of ε.
fn eigen_errors<F: Scalar>(a: &Array2<F>) -> (f64, f64) {
    let (values, vectors) = eigh(a).unwrap();
    assert!(values.windows(2).into_iter().all(|pair| pair[0] >= pair[1]));
    let wide = |m: &Array2<F>| m.mapv(Scalar::as_f64);
    let (a, vectors) = (wide(a), wide(&vectors));
    let values = values.mapv(Scalar::as_f64);
    let rest = a.dot(&vectors) - &vectors * &values;
    let size = values[0].abs().max(values[values.len() - 1].abs());
    let epsilon = F::epsilon().as_f64();
    let off = vectors.t().dot(&vectors) - Array2::<f64>::eye(a.nrows());
    (
        largest(&rest) / (epsilon * size.max(f64::MIN_POSITIVE)),
        largest(&off) / epsilon,
    )
}

/// The eigendecomposition is exact to rounding, at and around the sizes of its panels and tasks, in both
/// precisions. The matrices are without a pattern, of low rank, over the whole range, with zeros between blocks,
/// with all eigenvalues but one equal, and with all equal.
#[test]
fn eigh_across_its_blocks() {
    let sizes = [
        1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 161, 257, 300,
    ];
    for n in sizes {
        let a = random(n, n, 100 + n as u64);
        let symmetric = &a + &a.t();
        let few = random(n, 3.min(n), 7);
        let graded = Array2::from_shape_fn((n, n), |(i, j)| {
            symmetric[[i, j]] * 10_f64.powf(-60.0 * (i.max(j) as f64) / n as f64)
        });
        let blocks = Array2::from_shape_fn((n, n), |(i, j)| {
            let same = (2 * i / n) == (2 * j / n);
            if same { symmetric[[i, j]] } else { 0.0 }
        });
        let of_ones = Array2::from_shape_fn((n, n), |(i, j)| if i == j { 2.0 } else { 1.0 });
        let root = (n as f64).sqrt();
        // The solver of tridiagonal matrices leaves eigenvectors that are orthogonal to some 150 ε.
        let is_good =
            |(rest, off): (f64, f64)| rest < 3.0 * root + 10.0 && off < 20.0 * root + 10.0;
        let all = [
            symmetric,
            few.dot(&few.t()),
            graded,
            blocks,
            of_ones,
            Array2::eye(n),
        ];
        for (kind, a) in all.into_iter().enumerate() {
            let found = eigen_errors(&a);
            assert!(is_good(found), "{n}, {kind}: {found:?}");
            let found = eigen_errors(&a.mapv(|v| v as f32));
            assert!(is_good(found), "f32, {n}, {kind}: {found:?}");
        }
    }
}

#[test]
fn eigh_at_the_ends_of_the_range() {
    let c = symmetric_rank_k(random(20, 12, 6).view());
    let (values, _) = eigh(&c).unwrap();
    for scale in [1e-300, 1e-150, 1e150, 1e300] {
        let (scaled, vectors) = eigh(&(&c * scale)).unwrap();
        assert!(
            (&scaled / scale - &values)
                .iter()
                .all(|d| d.abs() < 1e-13 * values[0])
        );
        assert!(vectors.iter().all(|v| v.is_finite()));
    }
    assert_eq!(
        eigh(&Array2::<f64>::zeros((3, 3))).unwrap().0,
        Array1::<f64>::zeros(3)
    );
}

/// A small block beside a large one, coupled by nothing, is decomposed to its own rounding.
#[test]
fn eigh_of_a_small_block() {
    let mut a = Array2::<f32>::zeros((3, 3));
    a[[0, 0]] = 1.225e7;
    a.slice_mut(s![1.., 1..])
        .assign(&ndarray::array![[3.61, 0.189], [0.189, 0.0199]]);
    let (values, _) = eigh(&a).unwrap();
    // The roots of λ² − 3.6299λ + 0.036118.
    assert!(
        (values[1] - 3.619_922).abs() < 1e-5 && (values[2] - 0.009_978).abs() < 1e-5,
        "{values}"
    );
}

/// An entry that is not finite is refused wherever it is: none may be taken for 0, or for an entry that the
/// others outweigh.
#[test]
fn eigh_refuses_what_is_no_number() {
    for n in [1, 2, 5, 70, 300] {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (i, j) in [(0, 0), (n - 1, n - 1), (0, n - 1), (n / 2, n / 3)] {
                let mut a = Array2::from_elem((n, n), 1.0);
                a[[i, j]] = value;
                a[[j, i]] = value;
                assert_eq!(eigh(&a).err(), Some(Error::Eigensolver { size: n }));
            }
        }
    }
}

#[test]
#[should_panic(expected = "square")]
fn eigh_of_what_is_not_square() {
    let _ = eigh(&Array2::<f64>::zeros((2, 3)));
}

/// The result does not depend on the number of threads (law 9), where there are many tasks.
#[test]
fn eigh_by_any_number_of_threads() {
    let a = random(400, 400, 5);
    let symmetric = &a + &a.t();
    let by = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| eigh(&symmetric).unwrap())
    };
    let one = by(1);
    assert_eq!(one, by(2));
    assert_eq!(one, by(3));
}
