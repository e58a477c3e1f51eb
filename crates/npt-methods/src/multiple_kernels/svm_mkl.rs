//! Weights of kernels by the margin of a support vector machine.

use super::grams::centered_grams;
use crate::{
    Error,
    error::{require, require_finite, require_no_weights, require_positive},
    inner_products::Gram,
    linear::{Svc, SvcLabel, SvcParams},
};
use linfa::{
    DatasetBase,
    dataset::{AsSingleTargets, Records},
};
use ndarray::{Array1, Array2, Zip};
use npt_core::{AsSamples, DualForm, Kernel, Scalar, WeightedSum, watch::Progress};

/// Multiple kernel learning: the weights of several kernels with which a support vector machine reaches the best value of
/// its own objective.
///
/// # Definition
/// With the kernels κₘ in units of their variance vₘ among the samples (the mean of ‖φₘ(xᵢ)‖² about the mean), and J(d) the
/// optimum of ½‖w‖² + C Σ ξᵢ of [`Svc`] with the kernel Σ dₘκₘ/vₘ (several classes: the sum over its machines), the
/// weights minimise J over d ≥ 0, Σ dₘᵖ ≤ 1: a convex problem. With p = 1, the default, most weights are 0; the larger p, the
/// more alike they are.
///
/// The fitted [`WeightedSum`] has the weights dₘ/vₘ. It is a kernel again, for any method. [`Svc`] with this kernel and the same C
/// reaches the optimum over weights and machines.
///
/// # Algorithm
/// The fit alternates between machines for given weights, with dual coefficients β, and the best weights for given
/// ‖wₘ‖² = dₘ²βᵀKₘβ, dₘ ∝ ‖wₘ‖^(2/(p+1)). As long as J falls, more than one step of the weights is taken at once. The fit ends where the
/// duality gap is within the tolerance: J(d) − (Σ |βᵢ| − ½‖(βᵀKₘβ)ₘ‖_q) ≤ tolerance·J(d), with 1/p + 1/q = 1; J is known to the
/// machines' own tolerance, a tenth of this one. Weights that can be 0 within the same
/// bound are set to 0. All kernel matrices are held at once: n² numbers per kernel.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`c`](Self::c) | 1 | C > 0 |
/// | [`norm`](Self::norm) | 1 | p ≥ 1 |
/// | [`tolerance`](Self::tolerance) | 10⁻³ | the relative duality gap, > 0 and < 1 |
/// | [`max_iterations`](Self::max_iterations) | 1000 | the most machines to train |
///
/// # Errors
/// [`Error::NoKernels`], [`Error::Parameter`], [`Error::NotConverged`], [`Error::Weights`] for samples with weights, the errors
/// of [`Svc`]; [`Error::Core`] for samples that a kernel refuses, for a number of targets that is not the number of samples, and if no
/// kernel tells any sample from another.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::Array2;
/// use npt_core::{Columns, Gaussian};
/// use npt_methods::{KernelSvc, SvmMkl};
///
/// // A class inside the other by the first feature; the second says nothing.
/// let x = Array2::from_shape_fn((40, 2), |(i, k)| if k == 0 { i as f64 / 4.0 - 5.0 } else { (i as f64).sin() });
/// let inside = x.column(0).mapv(|v: f64| v.abs() < 2.0);
/// let data = Dataset::new(x, inside);
/// let kernels = (0..2).map(|k| Columns::new(Gaussian::new(0.3), k..k + 1)).collect();
///
/// let learned = SvmMkl::new(kernels).c(10.0).fit_classes(&data)?;
/// assert!(learned.weights()[0] > learned.weights()[1]);
/// let model = KernelSvc::params(learned).method(|m| m.c(10.0)).fit(&data).unwrap();
/// assert_eq!(&model.predict(&data), data.targets());
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// A. Rakotomamonjy, F. Bach, S. Canu, Y. Grandvalet, "SimpleMKL", JMLR 9, 2008: the problem for p = 1, and its duality
/// gap.
///
/// M. Kloft, U. Brefeld, S. Sonnenburg, A. Zien, "ℓp-Norm Multiple Kernel Learning", JMLR 12, 2011: any p, the weights
/// in closed form, and kernels in units of their variance.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SvmMkl<K> {
    kernels: Vec<K>,
    c: f64,
    norm: f64,
    tolerance: f64,
    max_iterations: usize,
}

impl<K> SvmMkl<K> {
    /// Parameters with the defaults of the table.
    pub fn new(kernels: Vec<K>) -> Self {
        Self {
            kernels,
            c: 1.0,
            norm: 1.0,
            tolerance: 1e-3,
            max_iterations: 1000,
        }
    }

    /// The penalty C > 0 of margin violations; 1 by default.
    pub fn c(mut self, c: f64) -> Self {
        self.c = c;
        self
    }

    /// The p ≥ 1 of the norm that bounds the weights; 1 by default.
    pub fn norm(mut self, norm: f64) -> Self {
        self.norm = norm;
        self
    }

    /// The duality gap, relative to the objective, at which the fit ends; above 0 and below 1, 10⁻³ by default.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// The most machines to train, at least 1, 1000 by default; the machines of several classes count as one.
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Fits the combination to targets that are classes, two or more, as [`Svc`] takes them.
    ///
    /// # Errors
    /// See [`SvmMkl`].
    pub fn fit_classes<R, T, L, F>(
        &self,
        dataset: &DatasetBase<R, T>,
    ) -> Result<WeightedSum<K, F>, Error>
    where
        R: Records + AsSamples,
        T: AsSingleTargets<Elem = L>,
        L: SvcLabel,
        F: Scalar,
        K: Kernel<R::Samples, Scalar = F> + Clone,
    {
        self.validate()?;
        require_no_weights("fits of SvmMkl", dataset)?;
        let targets = dataset.targets();
        let grams = centered_grams(&self.kernels, dataset.records(), targets.as_targets().len())?;
        let grams: Vec<Array2<f64>> = grams
            .into_iter()
            .map(|gram| gram.mapv_into_any(F::as_f64))
            .collect();
        let of_samples = |gram: &Array2<f64>| gram.diag().mean().expect("checked samples");
        let variances: Array1<f64> = grams.iter().map(of_samples).collect();
        let learner = Learner {
            grams: grams
                .into_iter()
                .zip(&variances)
                .map(|(gram, &v)| in_units(gram, v))
                .collect(),
            machine: Svc::params().c(self.c).tolerance(0.1 * self.tolerance),
            targets,
            norm: self.norm,
        };
        let weights = self.search(&learner)?;
        let weights = Zip::from(&weights)
            .and(&variances)
            .map_collect(|&d, &v| F::cast(if d > 0.0 { d / v } else { 0.0 }));
        require_finite("SvmMkl", weights.iter())?;
        Ok(WeightedSum::new(self.kernels.clone(), weights)?)
    }

    fn validate(&self) -> Result<(), Error> {
        let of = "SvmMkl";
        if self.kernels.is_empty() {
            return Err(Error::NoKernels);
        }
        require_positive(of, "c", self.c)?;
        let norm = self.norm;
        let holds = norm >= 1.0 && norm.is_finite();
        require(holds, of, "norm", norm, "at least 1, and finite")?;
        let tolerance = self.tolerance;
        let holds = tolerance > 0.0 && tolerance < 1.0;
        require(holds, of, "tolerance", tolerance, "above 0 and below 1")?;
        let some = self.max_iterations > 0;
        require(some, of, "max_iterations", 0.0, "at least 1")
    }

    fn search<T, L>(&self, learner: &Learner<'_, T>) -> Result<Array1<f64>, Error>
    where
        T: AsSingleTargets<Elem = L>,
        L: SvcLabel,
    {
        let mut at = learner.solve(learner.uniform()?)?;
        let mut steps = 1.0;
        let mut progress = Progress::start("weights of kernels", None);
        let mut finished = false;
        for done in 1..self.max_iterations {
            finished = progress.should_finish(done, "the relative duality gap", at.gap);
            if finished || at.gap <= self.tolerance {
                break;
            }
            let next = learner.solve(learner.step(&at, steps))?;
            if next.objective <= at.objective || steps == 1.0 {
                at = next;
                steps *= 1.5;
            } else {
                steps = 1.0;
            }
        }
        if finished || at.gap <= self.tolerance {
            return Ok(learner.sparse(at, self.tolerance));
        }
        Err(Error::NotConverged {
            method: "SvmMkl",
            measure: "the relative duality gap",
            value: at.gap,
        })
    }
}

/// Divides a kernel matrix by its variance. The matrix of a kernel under which all samples are alike is set to 0, and gets no weight.
fn in_units(mut gram: Array2<f64>, variance: f64) -> Array2<f64> {
    if variance > 0.0 {
        gram /= variance;
    } else {
        gram.fill(0.0);
    }
    gram
}

/// The parts of the problem that are the same at all weights.
struct Learner<'a, T> {
    /// The centred kernel matrices, of variance 1 or 0.
    grams: Vec<Array2<f64>>,
    machine: SvcParams,
    targets: &'a T,
    norm: f64,
}

/// The solution of the machines at given weights.
struct Solved {
    weights: Array1<f64>,
    /// The objective J.
    objective: f64,
    /// The squares βᵀKₘβ, summed over the machines.
    squares: Array1<f64>,
    /// The duality gap, relative to J.
    gap: f64,
}

impl<T, L> Learner<'_, T>
where
    T: AsSingleTargets<Elem = L>,
    L: SvcLabel,
{
    /// Returns the same weight for each kernel that tells samples from each other, and 0 for each that does not.
    fn uniform(&self) -> Result<Array1<f64>, Error> {
        let tells = |gram: &Array2<f64>| gram.diag().iter().any(|&v| v > 0.0);
        let weights: Array1<f64> = self
            .grams
            .iter()
            .map(|g| f64::from(u8::from(tells(g))))
            .collect();
        if weights.sum() == 0.0 {
            let samples = self.grams[0].nrows();
            return Err(npt_core::Error::NoVariance { samples }.into());
        }
        Ok(self.normalised(weights))
    }

    /// Scales weights to the boundary Σ dₘᵖ = 1.
    fn normalised(&self, weights: Array1<f64>) -> Array1<f64> {
        let largest = weights.fold(0.0_f64, |m, &d| m.max(d));
        let scaled = weights / largest;
        let length = scaled
            .mapv(|d| d.powf(self.norm))
            .sum()
            .powf(1.0 / self.norm);
        scaled / length
    }

    fn solve(&self, weights: Array1<f64>) -> Result<Solved, Error> {
        let mut sum = Array2::zeros(self.grams[0].dim());
        for (gram, &weight) in self.grams.iter().zip(&weights).filter(|(_, d)| **d > 0.0) {
            sum.scaled_add(weight, gram);
        }
        let dual =
            DualForm::<f64, T, Error>::fit_dual(&self.machine, &Gram(sum), self.targets, None)?;
        let beta = dual.expect("support vectors have a dual form").coefficients;
        let squares: Array1<f64> = self
            .grams
            .iter()
            .map(|k| (&beta * &k.dot(&beta)).sum())
            .collect();
        let total: f64 = beta.iter().map(|b| b.abs()).sum();
        let here = weights.dot(&squares);
        let objective = total - here / 2.0;
        // Machines that were told to finish may not have begun.
        let gap = if objective > 0.0 {
            (self.dual_norm(&squares) - here) / 2.0 / objective
        } else {
            f64::INFINITY
        };
        Ok(Solved {
            weights,
            objective,
            squares,
            gap,
        })
    }

    /// The dual norm ‖·‖_q, the largest value of dᵀ· over the allowed weights d.
    fn dual_norm(&self, squares: &Array1<f64>) -> f64 {
        let largest = squares.fold(0.0_f64, |m, &s| m.max(s));
        if self.norm == 1.0 || largest == 0.0 {
            return largest;
        }
        let q = self.norm / (self.norm - 1.0);
        largest
            * squares
                .mapv(|s| (s.max(0.0) / largest).powf(q))
                .sum()
                .powf(1.0 / q)
    }

    /// Moves the weights: in one step to the best weights for the ‖wₘ‖ of the machines, in more steps past these.
    fn step(&self, from: &Solved, steps: f64) -> Array1<f64> {
        let largest = from.squares.fold(0.0_f64, |m, &s| m.max(s));
        if largest == 0.0 {
            return from.weights.clone();
        }
        let weights = Zip::from(&from.weights)
            .and(&from.squares)
            .map_collect(|&d, &s| {
                let target = (d * d * s.max(0.0) / largest).powf(1.0 / (self.norm + 1.0));
                if d > 0.0 {
                    d * (target / d).powf(steps)
                } else {
                    0.0
                }
            });
        self.normalised(weights)
    }

    /// Sets small weights to 0, if the duality gap stays within the tolerance without them.
    fn sparse(&self, solved: Solved, tolerance: f64) -> Array1<f64> {
        let largest = solved.weights.fold(0.0_f64, |m, &d| m.max(d));
        let small = |d: f64| d < tolerance * largest;
        if !solved.weights.iter().any(|&d| d > 0.0 && small(d)) {
            return solved.weights;
        }
        let fewer = solved.weights.mapv(|d| if small(d) { 0.0 } else { d });
        match self.solve(self.normalised(fewer)) {
            Ok(fewer) if fewer.gap <= tolerance => fewer.weights,
            _ => solved.weights,
        }
    }
}
