use super::*;
use crate::Error;
use ndarray::Array;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::ops::Range;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// Sizes around the panel width, in every memory layout.
#[test]
fn product_is_ndarrays_product() {
    for (m, k, n) in [
        (1, 1, 1),
        (3, 0, 2),
        (255, 7, 3),
        (257, 40, 300),
        (600, 513, 2),
    ] {
        let (a, b) = (random(m, k, 1), random(k, n, 2));
        let expected = a.dot(&b);
        let transposed = (
            a.t().as_standard_layout().into_owned(),
            b.t().as_standard_layout().into_owned(),
        );
        let strided = random(2 * k, n, 2);
        for product in [
            product(a.view(), b.view()),
            product(transposed.0.t(), b.view()),
            product(a.view(), transposed.1.t()),
        ] {
            assert!(largest(&(product - &expected)) <= 1e-13 * (k as f64));
        }
        let every_second = strided.slice(s![..;2, ..]);
        let difference = product(a.view(), every_second) - a.dot(&every_second);
        assert!(largest(&difference) <= 1e-13 * (k as f64));
    }
}

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

/// Whole numbers, so that nothing is rounded: A = LLᵀ with a unit diagonal in L but for a 0, in the
/// first block of columns or the second.
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
            // With what is missing of the diagonal put back, it is L.
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

/// Duplicate rows and large blocks of exact zeros have made a parallel product silently wrong
/// (faer issue 273). Run with `NPT_FULL=1`; a few hundred rows are tried always.
#[test]
fn zero_blocks_and_duplicates_multiply_right() {
    let n = if std::env::var_os("NPT_FULL").is_some() {
        5000
    } else {
        700
    };
    let mut a = random(n, n, 7);
    a.slice_mut(s![n / 3..2 * n / 3, ..]).fill(0.0);
    a.slice_mut(s![.., n / 2..3 * n / 4]).fill(0.0);
    for i in 0..n / 10 {
        let row = a.row(i).to_owned();
        a.row_mut(n - 1 - i).assign(&row);
    }
    let b = random(n, 5, 8);
    let expected = a.t().dot(&a.dot(&b));
    let through = symmetric_rank_k(a.view()).dot(&b);
    assert!(largest(&(&through - &expected)) < 1e-12 * largest(&expected));
    let square = product(a.t(), a.view());
    assert!(largest(&(square.dot(&b) - &expected)) < 1e-12 * largest(&expected));
    if n <= 700 {
        let (values, vectors) = eigh(&square).unwrap();
        let rebuilt = (&vectors * &values).dot(&vectors.t());
        assert!(largest(&(rebuilt - &square)) < 1e-11 * values[0]);
    }
}

/// In f32, where it is hard: low rank, so that most eigenvalues are rounding, and almost the
/// identity, so that the squares of the rest vanish.
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

/// Sizes around the tiles'.
#[test]
fn tiles_cover_a_matrix_once() {
    let value = |i: usize, j: usize| (1 + i * j + i + j) as f64;
    let fill = |rows: Range<usize>, columns: Range<usize>, tile: &mut Array2<f64>| {
        assert_eq!(tile.dim(), (rows.len(), columns.len()));
        for ((i, j), v) in tile.indexed_iter_mut() {
            *v = value(rows.start + i, columns.start + j);
        }
    };
    for (m, n) in [(0, 0), (1, 1), (255, 257), (256, 3), (600, 512), (513, 1)] {
        let expected = Array2::from_shape_fn((m, n), |(i, j)| value(i, j));
        assert_eq!(fill_tiles(m, n, &fill), expected);
        let expected = Array2::from_shape_fn((m, m), |(i, j)| value(i, j));
        assert_eq!(fill_symmetric(m, &fill), expected);
    }
}

/// The residual and the orthogonality of all eigenpairs, in units of ε·‖A‖ and of ε.
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

/// Around the sizes of its panels and tasks, in both precisions, with eigenvalues of all kinds: without a
/// pattern, all equal, a few equal ones, none but a few, over the whole range, and zeros between blocks.
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

/// Wherever they are: none may be taken for 0, or for an entry that the others outweigh.
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

#[test]
#[should_panic(expected = "square")]
fn eigh_of_what_is_not_square() {
    let _ = eigh(&Array2::<f64>::zeros((2, 3)));
}

/// Law 9, where tasks are many.
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

/// Tiles lie in memory that was used before: products of nothing are 0 all the same.
#[test]
fn products_over_no_rows_are_zero() {
    for n in [3, 300, 1100] {
        let warm = random(40, n, 3);
        symmetric_rank_k(warm.view());
        let none = symmetric_rank_k(Array2::<f64>::zeros((0, n)).view());
        assert_eq!(none, Array2::<f64>::zeros((n, n)));
        let none = product(random(n, 0, 1).view(), random(0, n, 2).view());
        assert_eq!(none, Array2::<f64>::zeros((n, n)));
    }
}

/// A symmetric matrix with these eigenvalues, the axes without pattern.
fn with_eigenvalues<F: Scalar>(values: &[f64], scale: f64) -> Array2<F> {
    let n = values.len();
    let noise = random(n, n, 8);
    let (_, axes) = eigh(&(&noise + &noise.t())).unwrap();
    let a = (&axes * &Array1::from(values.to_vec())).dot(&axes.t());
    let a = (&a + &a.t()) * (scale / 2.0);
    a.mapv(F::cast)
}

/// Against what the matrix was made of: decay, clusters, low rank, a bulk without gaps (restarts), none at
/// all, and the ends of the range.
#[test]
fn leading_eigenpairs_of_hard_spectra() {
    fn check<F: Scalar>(scales: &[f64]) {
        let n = 400;
        let of = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
        let near_one = |i: usize| 1.0 - 1e-13 * i as f64;
        let below =
            |i: usize, end: usize, value: f64, rest: f64| if i < end { value } else { rest };
        let spectra = [
            ("decay", of(&|i| 0.9_f64.powf(i as f64))),
            ("copies", of(&|i| below(i, 30, 1.0, 0.5))),
            ("near copies", of(&|i| below(i, 30, near_one(i), 0.5))),
            (
                "small copies",
                of(&|i| below(i, 35, below(i, 5, 1.0, 1e-3), 5e-4)),
            ),
            ("low rank", of(&|i| below(i, 7, 1.0, 0.0))),
            ("bulk", of(&|i| 1.0 - i as f64 / n as f64)),
            ("zero", of(&|_| 0.0)),
        ];
        for (name, spectrum) in &spectra {
            for &scale in scales {
                let a = with_eigenvalues::<F>(spectrum, scale);
                for count in [1, 20, 40] {
                    let (values, vectors) = leading_eigh(&a, count).unwrap();
                    assert_eq!((values.len(), vectors.dim()), (count, (n, count)));
                    let level = F::epsilon().as_f64() * (n as f64).sqrt();
                    for (k, &value) in values.iter().enumerate() {
                        // The entries of A are rounded, too.
                        let off = value.as_f64() / scale - spectrum[k];
                        assert!(off.abs() <= 16.0 * level, "{name}, {scale:e}, {k}: {off:e}");
                    }
                    let products = vectors.t().dot(&vectors) - Array2::<F>::eye(count);
                    let off = products.fold(0.0_f64, |m, v| m.max(v.as_f64().abs()));
                    assert!(off <= 16.0 * level, "{name}, {scale:e}: {off:e}");
                    let rest = a.dot(&vectors) - &vectors * &values;
                    for (k, column) in rest.columns().into_iter().enumerate() {
                        let squares = column.iter().map(|v| (v.as_f64() / scale).powi(2));
                        let off = squares.sum::<f64>().sqrt();
                        assert!(off <= 16.0 * level, "{name}, {scale:e}, {k}: {off:e}");
                    }
                }
            }
        }
    }
    check::<f64>(&[1.0, 1e-200]);
    check::<f32>(&[1e25]);
}

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
