//! The support vector methods by their duals, on kernel matrices.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

/// Solves equation 18: maximise Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ C, Σ αᵢyᵢ = 0. Returns
/// the signed coefficients yᵢαᵢ and the bias b of the decision function Σ yᵢαᵢκ(xᵢ, x) + b.
///
/// # Panics
/// Panics if ten million moves are not enough, as do all functions here.
pub fn dual(k: ArrayView2<'_, f64>, labels: &[bool], c: f64, tolerance: f64) -> (Array1<f64>, f64) {
    let y = signs(labels);
    let program = Program {
        linear: -&y,
        lower: y.mapv(|y| if y > 0.0 { 0.0 } else { -c }),
        upper: y.mapv(|y| if y > 0.0 { c } else { 0.0 }),
        group: vec![0; labels.len()],
    };
    let (signed, levels) = program.solve(k, Array1::zeros(labels.len()), tolerance);
    (signed, levels[0])
}

/// Solves the dual by ν: minimise ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ 1, Σ αᵢyᵢ = 0, Σ αᵢ = νn.
/// Returns the signed coefficients, the bias and the margin ρ.
pub fn nu_dual(
    k: ArrayView2<'_, f64>,
    labels: &[bool],
    nu: f64,
    tolerance: f64,
) -> (Array1<f64>, f64, f64) {
    let y = signs(labels);
    let of_class = nu * y.len() as f64 / 2.0;
    let members = |y: f64| signs(labels).iter().filter(|&&other| other == y).count() as f64;
    let program = Program {
        linear: Array1::zeros(y.len()),
        lower: y.mapv(|y| y.min(0.0)),
        upper: y.mapv(|y| y.max(0.0)),
        group: labels.iter().map(|&side| usize::from(!side)).collect(),
    };
    let start = y.mapv(|y| y * of_class / members(y));
    // For entries between the bounds, Σ + b is ρ in one class, and −ρ in the other.
    let (signed, levels) = program.solve(k, start, tolerance);
    let bias = f64::midpoint(levels[0], levels[1]);
    (signed, bias, (levels[1] - levels[0]) / 2.0)
}

/// Solves the dual of regression: maximise Σ yᵢ(αᵢ − αᵢ*) − ε Σ (αᵢ + αᵢ*) −
/// ½ Σ (αᵢ − αᵢ*)(αⱼ − αⱼ*)κ(xᵢ, xⱼ) over 0 ≤ αᵢ, αᵢ* ≤ C, Σ (αᵢ − αᵢ*) = 0. Returns the αᵢ − αᵢ* and
/// the bias.
pub fn regression_dual(
    k: ArrayView2<'_, f64>,
    y: &Array1<f64>,
    c: f64,
    epsilon: f64,
    tolerance: f64,
) -> (Array1<f64>, f64) {
    let n = y.len();
    let program = Program {
        linear: concatenate![Axis(0), epsilon - y, -epsilon - y],
        lower: Array1::from_shape_fn(2 * n, |t| if t < n { 0.0 } else { -c }),
        upper: Array1::from_shape_fn(2 * n, |t| if t < n { c } else { 0.0 }),
        group: vec![0; 2 * n],
    };
    let (both, levels) = program.solve(doubled(k).view(), Array1::zeros(2 * n), tolerance);
    (&both.slice(s![..n]) + &both.slice(s![n..]), levels[0])
}

/// Solves the dual of quantile regression: minimise ½ Σ βᵢβⱼκ(xᵢ, xⱼ) − Σ tᵢβᵢ over C(τ − 1) ≤ βᵢ ≤ Cτ, Σ βᵢ = 0 (Takeuchi, Le,
/// Sears, Smola 2006). Returns the βᵢ and the bias.
pub fn quantile_dual(
    k: ArrayView2<'_, f64>,
    targets: &Array1<f64>,
    c: f64,
    quantile: f64,
    tolerance: f64,
) -> (Array1<f64>, f64) {
    let n = targets.len();
    let program = Program {
        linear: -targets,
        lower: Array1::from_elem(n, c * (quantile - 1.0)),
        upper: Array1::from_elem(n, c * quantile),
        group: vec![0; n],
    };
    let (beta, levels) = program.solve(k, Array1::zeros(n), tolerance);
    (beta, levels[0])
}

/// Solves the dual of one class: minimise ½ Σ αᵢαⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ 1/(νn), Σ αᵢ = 1. Returns
/// the αᵢ and ρ.
pub fn one_class_dual(k: ArrayView2<'_, f64>, nu: f64, tolerance: f64) -> (Array1<f64>, f64) {
    let n = k.nrows();
    let program = Program {
        linear: Array1::zeros(n),
        lower: Array1::zeros(n),
        upper: Array1::from_elem(n, 1.0 / (nu * n as f64)),
        group: vec![0; n],
    };
    let start = Array1::from_elem(n, 1.0 / n as f64);
    let (alpha, levels) = program.solve(k, start, tolerance);
    (alpha, -levels[0])
}

fn signs(labels: &[bool]) -> Array1<f64> {
    let sign = |&label: &bool| if label { 1.0 } else { -1.0 };
    labels.iter().map(sign).collect()
}

fn doubled(k: ArrayView2<'_, f64>) -> Array2<f64> {
    let beside = concatenate![Axis(1), k, k];
    concatenate![Axis(0), beside, beside]
}

/// The problem: minimise ½ vᵀKv + pᵀv between bounds, with the sum over each group fixed.
struct Program {
    linear: Array1<f64>,
    lower: Array1<f64>,
    upper: Array1<f64>,
    group: Vec<usize>,
}

impl Program {
    /// Solves the problem by moving again and again the pair of a group that violates optimality most, until no violation
    /// is above `tolerance`. Returns the point, and for each group the value that −(Kv + p)ᵢ has
    /// between the bounds; if no entry is between them, the middle of the optimal values.
    fn solve(
        &self,
        k: ArrayView2<'_, f64>,
        start: Array1<f64>,
        tolerance: f64,
    ) -> (Array1<f64>, Vec<f64>) {
        let groups = 1 + self.group.iter().max().expect("there are entries");
        let mut v = start;
        // The gain of raising each entry.
        let mut gain = -&self.linear - k.dot(&v);
        for _ in 0..10_000_000 {
            let pairs = (0..groups).filter_map(|group| self.worst_pair(group, &v, &gain));
            let violation = |&(i, j): &(usize, usize)| gain[i] - gain[j];
            let worst = pairs.max_by(|a, b| violation(a).total_cmp(&violation(b)));
            let Some((i, j)) = worst.filter(|pair| violation(pair) > tolerance) else {
                let levels = (0..groups).map(|group| self.level(group, &v, &gain));
                let levels = levels.collect();
                return (v, levels);
            };
            let curvature = (k[[i, i]] + k[[j, j]] - 2.0 * k[[i, j]]).max(1e-300);
            let (above, below) = (self.upper[i] - v[i], v[j] - self.lower[j]);
            let step = ((gain[i] - gain[j]) / curvature).min(above).min(below);
            // An entry that reaches its bound is put there exactly.
            v[i] = if step < above {
                v[i] + step
            } else {
                self.upper[i]
            };
            v[j] = if step < below {
                v[j] - step
            } else {
                self.lower[j]
            };
            gain.scaled_add(-step, &k.column(i));
            gain.scaled_add(step, &k.column(j));
        }
        panic!("the dual did not converge");
    }

    /// Returns the entry of a group that gains most by rising, and the one that loses least by falling.
    fn worst_pair(
        &self,
        group: usize,
        v: &Array1<f64>,
        gain: &Array1<f64>,
    ) -> Option<(usize, usize)> {
        let members = || (0..v.len()).filter(|&i| self.group[i] == group);
        let by_gain = |a: &usize, b: &usize| gain[*a].total_cmp(&gain[*b]);
        let i = members()
            .filter(|&i| v[i] < self.upper[i])
            .max_by(by_gain)?;
        let j = members()
            .filter(|&j| v[j] > self.lower[j])
            .min_by(by_gain)?;
        Some((i, j))
    }

    fn level(&self, group: usize, v: &Array1<f64>, gain: &Array1<f64>) -> f64 {
        let members = || (0..v.len()).filter(|&i| self.group[i] == group);
        let free: Vec<f64> = members()
            .filter(|&i| self.lower[i] < v[i] && v[i] < self.upper[i])
            .map(|i| gain[i])
            .collect();
        if !free.is_empty() {
            return free.iter().sum::<f64>() / free.len() as f64;
        }
        let up = members().filter(|&i| v[i] < self.upper[i]).map(|i| gain[i]);
        let down = members().filter(|&i| v[i] > self.lower[i]).map(|i| gain[i]);
        match (up.reduce(f64::max), down.reduce(f64::min)) {
            (Some(up), Some(down)) => f64::midpoint(up, down),
            (up, down) => up.or(down).expect("the group has members"),
        }
    }
}
