//! Kernel partial least squares by the kernel trick.

use super::{jacobi, solve};
use ndarray::{Array2, ArrayView2, Axis, concatenate};

/// The components of centred targets Y under a centred kernel matrix K.
pub struct Components {
    /// The scores T, orthonormal, one column a component.
    pub scores: Array2<f64>,
    /// The coefficients U(TᵀKU)⁻¹: new scores are k(x)ᵀ times this.
    pub score_coefficients: Array2<f64>,
    /// The coefficients U(TᵀKU)⁻¹TᵀY: predictions are ȳ + k(x)ᵀ times this.
    pub coefficients: Array2<f64>,
    /// The clarity of each component, from 0 to 1: the smaller of its squared covariance
    /// relative to the first component's, and the relative distance of the next best to it.
    pub clarity: Vec<f64>,
}

/// Computes the components of kernel PLS. The iteration t = Ku/‖Ku‖, c = Yᵀt, u = Yc/‖Yc‖ ends where c is the leading
/// eigenvector of YᵀKY; then K ← (I − ttᵀ)K(I − ttᵀ) and Y ← Y − ttᵀY.
///
/// # References
/// R. Rosipal, L. J. Trejo, "Kernel Partial Least Squares Regression in Reproducing Kernel Hilbert
/// Space", Journal of Machine Learning Research 2, 2001, section 3 and equation 15.
pub fn components(k: ArrayView2<'_, f64>, y: ArrayView2<'_, f64>, count: usize) -> Components {
    let n = k.nrows();
    let (mut deflated, mut rest) = (k.to_owned(), y.to_owned());
    let (mut t_all, mut u_all) = (Array2::zeros((n, 0)), Array2::zeros((n, 0)));
    let (mut first, mut clarity) = (None, Vec::new());
    for _ in 0..count {
        let (values, vectors) = jacobi::eigh(rest.t().dot(&deflated.dot(&rest)).view());
        let largest = *first.get_or_insert(values[0]);
        let next = values.get(1).map_or(0.0, |v| v.max(0.0));
        clarity.push((values[0] / largest).min((values[0] - next) / values[0]));
        let u = rest.dot(&vectors.column(0));
        let u = &u / u.dot(&u).sqrt();
        let t = deflated.dot(&u);
        let t = (&t / t.dot(&t).sqrt()).insert_axis(Axis(1));
        rest = &rest - &t.dot(&t.t().dot(&rest));
        let outside = Array2::eye(n) - t.dot(&t.t());
        deflated = outside.dot(&deflated).dot(&outside);
        t_all = concatenate![Axis(1), t_all, t];
        u_all = concatenate![Axis(1), u_all, u.insert_axis(Axis(1))];
    }
    let inner = t_all.t().dot(&k.dot(&u_all));
    let score_coefficients = u_all.dot(&solve(inner, Array2::eye(count)));
    Components {
        coefficients: score_coefficients.dot(&t_all.t().dot(&y)),
        scores: t_all,
        score_coefficients,
        clarity,
    }
}
