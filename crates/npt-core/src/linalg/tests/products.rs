//! Products, and the tiles that they are made of.

use super::*;

/// The product is that of ndarray, for sizes around the panel width and in every memory layout.
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

/// Products over no rows are 0, although tiles lie in memory that was used before.
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

/// Whatever is made in memory that was used before is written as a whole: nothing of the NaN that fills it is left.
#[test]
fn memory_that_was_used_leaves_nothing() {
    let by_values: fn(usize, usize) -> Array2<f64> = |rows, columns| {
        fill_tiles(rows, columns, &|rows, columns, tile| {
            for (i, mut row) in rows.zip(tile.outer_iter_mut()) {
                for (j, entry) in columns.clone().zip(&mut row) {
                    *entry = (i * j) as f64;
                }
            }
        })
    };
    let symmetric: fn(usize, usize) -> Array2<f64> = |size, _| {
        fill_symmetric(size, &|rows, columns, tile| {
            for (i, mut row) in rows.zip(tile.outer_iter_mut()) {
                for (j, entry) in columns.clone().zip(&mut row) {
                    *entry = (i + j) as f64;
                }
            }
        })
    };
    let of_few: fn(usize, usize) -> Array2<f64> =
        |m, n| product(random(m, 3, 1).view(), random(3, n, 2).view());
    let of_none: fn(usize, usize) -> Array2<f64> =
        |m, n| product(random(m, 0, 1).view(), random(0, n, 2).view());
    for make in [by_values, symmetric, of_few, of_none] {
        for (rows, columns) in [(1, 1), (3, 4), (257, 300), (600, 513)] {
            let expected = make(rows, columns);
            let made = Spare::of_matrices_from(0).over(|| {
                Spare::give_back(Array2::from_elem(expected.dim(), f64::NAN));
                make(rows, columns)
            });
            assert_eq!(made, expected);
        }
    }
}

/// Duplicate rows and large blocks of exact zeros have made a parallel product silently wrong
/// (faer issue 273). The full size is tried with `NPT_FULL=1`; a few hundred rows are always tried.
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

/// Tiles cover every entry of a matrix, for sizes around that of a tile.
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

/// Long sums, which are added up part by part so that they can be cancelled in between, are right.
#[test]
fn products_in_stretches() {
    for (terms, stretch) in [(0, 5), (5, 5), (6, 5), (23, 5)] {
        let (a, b) = (random(7, terms, 1), random(terms, 4, 2));
        let mut c = random(7, 4, 3);
        multiply_in_stretches(&mut c.view_mut(), a.view(), b.view(), stretch);
        assert!(
            largest(&(c - a.dot(&b))) <= 1e-15 * (terms as f64),
            "{terms}"
        );
    }
    assert_eq!(stretch((256, 256)), 1 << 15);
    assert_eq!(stretch((256, 1 << 20)), PANEL);
}
