//! Kernel k-means by the kernel trick.

use ndarray::{Array2, ArrayView1, ArrayView2};

/// The squared feature-space distances of new samples from the means of clusters,
///
/// κ(x, x) − 2/|c| Σ_{i∈c} κ(x, xᵢ) + 1/|c|² Σ_{i,j∈c} κ(xᵢ, xⱼ),
///
/// shape (m, clusters), from the kernel matrix (n, n), the kernel values of new with training
/// samples (m, n) and of new samples with themselves (m), and the training samples' clusters.
///
/// # References
/// I. Dhillon, Y. Guan, B. Kulis, "Kernel k-means: spectral clustering and normalized cuts", KDD
/// 2004. doi:10.1145/1014052.1014118
pub fn squared_distances(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    k_self: ArrayView1<'_, f64>,
    clusters: &[usize],
    count: usize,
) -> Array2<f64> {
    Array2::from_shape_fn((k_new.nrows(), count), |(row, cluster)| {
        let members: Vec<usize> = (0..clusters.len())
            .filter(|&i| clusters[i] == cluster)
            .collect();
        let size = members.len() as f64;
        let cross: f64 = members.iter().map(|&i| k_new[[row, i]]).sum();
        let inner: f64 = members
            .iter()
            .flat_map(|&i| members.iter().map(move |&j| k[[i, j]]))
            .sum();
        k_self[row] - 2.0 * cross / size + inner / (size * size)
    })
}
