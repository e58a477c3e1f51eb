//! Kernel canonical correlation by the kernel trick.

use super::{jacobi, solve};
use ndarray::{Array1, Array2, ArrayView2, Axis, s};

/// The leading canonical correlations λ, descending, and the coefficients α, β (columns) of
///
/// KLβ/n = λ(K²/n + κK)α and LKα/n = λ(L²/n + μL)β, αᵀ(K²/n + κK)α = βᵀ(L²/n + μL)β = 1,
///
/// for centred kernel matrices K, L and ridges κ, μ > 0.
///
/// With H = K(K + nκI)⁻¹ and G = L(L + nμI)⁻¹ the fitted values f = Kα are eigenvectors,
/// HGf = λ²f, and z = H^-½f are eigenvectors of the symmetric H^½GH^½.
///
/// # References
/// D. R. Hardoon, S. Szedmak, J. Shawe-Taylor, "Canonical Correlation Analysis: An Overview with
/// Application to Learning Methods", Neural Computation 16(12), 2004, section 4.
/// doi:10.1162/0899766042321814
pub fn directions(
    k: ArrayView2<'_, f64>,
    l: ArrayView2<'_, f64>,
    ridges: (f64, f64),
    components: usize,
) -> (Array1<f64>, Array2<f64>, Array2<f64>) {
    let n = k.nrows() as f64;
    let plus = |matrix: ArrayView2<'_, f64>, ridge: f64| {
        let mut sum = matrix.to_owned();
        sum.diag_mut().mapv_inplace(|v| v + n * ridge);
        sum
    };
    let (values, vectors) = jacobi::eigh(k);
    let shrinkage = values.mapv(|v| v.max(0.0) / (v.max(0.0) + n * ridges.0));
    let root = (&vectors * &shrinkage.mapv(f64::sqrt)).dot(&vectors.t());
    let g = solve(plus(l, ridges.1), l.to_owned());
    let (squares, z) = jacobi::eigh(root.dot(&g).dot(&root).view());
    let correlations = squares.slice(s![..components]).mapv(|v| v.max(0.0).sqrt());
    let fitted = root.dot(&z.slice(s![.., ..components]));
    let beta = solve(plus(l, ridges.1), fitted.clone()) / &correlations;
    let alpha = solve(plus(k, ridges.0), l.dot(&beta)) / &correlations;
    let unit = |mut coefficients: Array2<f64>, matrix: ArrayView2<'_, f64>, ridge: f64| {
        let fitted = matrix.dot(&coefficients);
        let squares =
            (&fitted * &fitted / n + &(&fitted * &coefficients) * ridge).sum_axis(Axis(0));
        coefficients /= &squares.mapv(f64::sqrt);
        coefficients
    };
    (
        correlations,
        unit(alpha, k, ridges.0),
        unit(beta, l, ridges.1),
    )
}
