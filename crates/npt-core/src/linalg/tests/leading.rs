//! The leading eigenpairs.

use super::*;

/// Returns a symmetric matrix with these eigenvalues, and axes without a pattern.
fn with_eigenvalues<F: Scalar>(values: &[f64], scale: f64) -> Array2<F> {
    let n = values.len();
    let noise = random(n, n, 8);
    let (_, axes) = eigh(&(&noise + &noise.t())).unwrap();
    let a = (&axes * &Array1::from(values.to_vec())).dot(&axes.t());
    let a = (&a + &a.t()) * (scale / 2.0);
    a.mapv(F::cast)
}

/// The leading eigenpairs are those that the matrix was made of: with decay, clusters, low rank, a bulk without
/// gaps (restarts), no eigenvalue but 0, and at the ends of the range.
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
