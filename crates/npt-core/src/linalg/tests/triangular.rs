//! Triangular solves, by blocks of rows.

use super::*;
use crate::watch::{CancellationToken, Interrupted};
use std::time::Duration;

/// Returns a lower triangular matrix that is far from singular.
fn lower(rows: usize) -> Array2<f64> {
    let a = random(rows, rows, 5) / rows as f64;
    Array2::from_shape_fn((rows, rows), |(i, j)| match i.cmp(&j) {
        Ordering::Less => 0.0,
        Ordering::Equal => 1.0 + a[[i, j]].abs(),
        Ordering::Greater => a[[i, j]],
    })
}

/// Solutions solve their equations, for sizes around that of a block and in either layout.
#[test]
fn solutions_are_solutions() {
    for (rows, columns) in [(1, 3), (255, 2), (256, 300), (257, 1), (700, 40)] {
        let (l, b) = (lower(rows), random(rows, columns, 6));
        let columns_first = l.t().as_standard_layout().into_owned();
        for l in [l.view(), columns_first.t()] {
            let x = solve_lower(l, b.view());
            assert!(largest(&(l.dot(&x) - &b)) < 1e-13 * largest(&x), "{rows}");
            let x = solve_lower_transposed(l, b.view());
            assert!(
                largest(&(l.t().dot(&x) - &b)) < 1e-13 * largest(&x),
                "{rows}"
            );
        }
    }
}

/// A solve of a single panel is cancelled on its way, not only between panels of right-hand sides. A billion
/// multiplications take longer than a millisecond.
#[test]
fn a_solve_ends_on_its_way() {
    type Solve = fn(ArrayView2<'_, f64>, &mut Array2<f64>);
    let solves: [Solve; 4] = [
        f64::solve_lower,
        f64::solve_upper,
        linfa::solve_lower,
        linfa::solve_upper,
    ];
    let l = Array2::eye(3000);
    for solve in solves {
        let mut b = Array2::ones((3000, PANEL));
        let token = CancellationToken::new().cancel_after(Duration::from_millis(1));
        let ended = token.run(|| {
            solve(l.view(), &mut b);
            Ok::<_, ()>(())
        });
        assert!(matches!(ended, Err(Interrupted::DeadlineExceeded { .. })));
    }
}
