//! Gaussian process regression by the kernel matrix.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// The results of the textbook's algorithm.
pub struct Prediction {
    /// The coefficients α = (𝒦 + σ²I)⁻¹t.
    pub alpha: Array1<f64>,
    /// The means of f at new samples.
    pub means: Array1<f64>,
    /// The variances of f at new samples.
    pub variances: Array1<f64>,
    /// The log marginal likelihood of the targets.
    pub log_marginal_likelihood: f64,
}

/// Predicts by algorithm 2.1, line by line, for the mean function 0: from the kernel matrix (not centred), the
/// kernel values of new with training samples (m, n) and of new samples with themselves (m).
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006.
pub fn predict(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    k_self: ArrayView1<'_, f64>,
    targets: ArrayView1<'_, f64>,
    noise: f64,
) -> Prediction {
    let n = targets.len();
    let lower = cholesky(&(&k + &(Array2::<f64>::eye(n) * noise)));
    let alpha = backward(&lower, forward(&lower, targets.to_owned()));
    let means = k_new.dot(&alpha);
    let variances = Array1::from_shape_fn(k_self.len(), |i| {
        let v = forward(&lower, k_new.row(i).to_owned());
        k_self[i] - v.dot(&v)
    });
    let log_determinant = 2.0 * lower.diag().mapv(f64::ln).sum();
    let constant = n as f64 * std::f64::consts::TAU.ln();
    Prediction {
        log_marginal_likelihood: -0.5 * (targets.dot(&alpha) + log_determinant + constant),
        alpha,
        means,
        variances,
    }
}

/// The mean and the variance of each target, noise included, that [`predict`] finds from all other targets.
pub fn leave_one_out(
    k: ArrayView2<'_, f64>,
    targets: ArrayView1<'_, f64>,
    noise: f64,
) -> (Array1<f64>, Array1<f64>) {
    let n = targets.len();
    let (mut means, mut variances) = (Array1::zeros(n), Array1::zeros(n));
    for i in 0..n {
        let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        let rows = k.select(ndarray::Axis(0), &others);
        let found = predict(
            rows.select(ndarray::Axis(1), &others).view(),
            rows.select(ndarray::Axis(1), &[i]).t(),
            Array1::from_elem(1, k[[i, i]]).view(),
            targets.select(ndarray::Axis(0), &others).view(),
            noise,
        );
        means[i] = found.means[0];
        variances[i] = found.variances[0] + noise;
    }
    (means, variances)
}

/// The lower triangular L with A = LLᵀ, column by column.
fn cholesky(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    let mut l = Array2::<f64>::zeros((n, n));
    for j in 0..n {
        for i in j..n {
            let explained: f64 = (0..j).map(|k| l[[i, k]] * l[[j, k]]).sum();
            let left = a[[i, j]] - explained;
            l[[i, j]] = if i == j {
                left.sqrt()
            } else {
                left / l[[j, j]]
            };
        }
    }
    l
}

/// The solution L⁻¹b.
fn forward(l: &Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    for i in 0..b.len() {
        let known: f64 = (0..i).map(|k| l[[i, k]] * b[k]).sum();
        b[i] = (b[i] - known) / l[[i, i]];
    }
    b
}

/// The solution L⁻ᵀb.
fn backward(l: &Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    for i in (0..b.len()).rev() {
        let known: f64 = (i + 1..b.len()).map(|k| l[[k, i]] * b[k]).sum();
        b[i] = (b[i] - known) / l[[i, i]];
    }
    b
}
