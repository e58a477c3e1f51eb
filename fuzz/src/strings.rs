//! Kernels of strings.

use npt::{Kernel, Samples, prelude::*};

/// Reads the bytes as parameters and strings: kernels that take them are symmetric and finite, and their spaces are fitted or refused.
///
/// # Panics
/// If one of these does not hold.
pub fn run(bytes: &[u8]) {
    let Some((&[which, first, second], text)) = bytes.split_first_chunk() else {
        return;
    };
    let text = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
    let strings: Vec<String> = text.split('\n').take(8).map(str::to_owned).collect();
    let length = usize::from(first % 6);
    let share = f64::from(second) / 128.0;
    let Ok(strings) = Items::new(strings) else {
        return;
    };
    match which % 4 {
        0 => check(&Spectrum::new(length), &strings),
        1 => check(
            &Mismatch::new(length, usize::from(second % 4), "abcdé"),
            &strings,
        ),
        2 => check(&Subsequence::new(length, share), &strings),
        _ => check(&Normalized::new(Spectrum::new(length)), &strings),
    }
}

/// Checks a kernel on samples, if it takes them.
pub(crate) fn check<T, K>(kernel: &K, x: &Items<T>)
where
    T: Clone + Send + Sync + 'static,
    K: Kernel<Items<T>, Scalar = f64> + Clone + 'static,
{
    if kernel.check(x).is_err() {
        return;
    }
    let (gram, cross, diagonal) = (kernel.gram(x), kernel.cross(x, x), kernel.diag(x));
    assert_eq!(gram.dim(), (x.len(), x.len()));
    let largest = gram
        .iter()
        .fold(0.0_f64, |most, value| most.max(value.abs()));
    for ((i, j), &value) in gram.indexed_iter() {
        assert!(
            value.is_finite() && value == gram[[j, i]],
            "{value} at {i}, {j}"
        );
        let others = [cross[[i, j]], if i == j { diagonal[i] } else { value }];
        let near = others
            .iter()
            .all(|other| (value - other).abs() <= 1e-12 * largest);
        assert!(near, "{value} at {i}, {j}, not {others:?}");
    }
    if let Ok(space) = Exact::new(kernel.clone()).centered(false).fit_space(x) {
        let own = space.training_coordinates();
        let error = (own.dot(&own.t()) - &gram).fold(0.0_f64, |most, v| most.max(v.abs()));
        assert!(
            error <= 1e-8 * largest,
            "inner products are off by {error} of {largest}"
        );
    }
}
