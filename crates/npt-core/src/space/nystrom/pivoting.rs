//! Landmarks as pivots of a Cholesky factor.

use super::{
    LandmarkSelection, Selected,
    landmark_factor::{Known, at_places, factor_of_landmarks, independent},
    leverage_scores::ridge_leverage_scores,
};
use crate::{
    Error, Kernel, Parameter, ParameterType as _, Rank, Samples,
    error::at_least_one,
    space::factor::{PivotRule, RoundingLevel, Stop, factor_by},
};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;

/// A selection of landmarks that are the pivots of a partial Cholesky factor of the kernel matrix 𝒦. Each is chosen
/// by the residuals sᵢ = κ(xᵢ, xᵢ) − ‖f(xᵢ)‖² that the landmarks before it leave of the samples.
///
/// | | the next landmark | |
/// |---|---|---|
/// | [`random`](Self::random) | xᵢ with probability sᵢ / Σs | near to the best that this many landmarks can do, on any data |
/// | [`greedy`](Self::greedy) | the xᵢ with (about) the largest sᵢ | misled by outliers |
/// | [`uniform`](Self::uniform) | any xᵢ, all alike | cheapest; misses rare samples |
/// | [`by_leverage`](Self::by_leverage) | xᵢ by its leverage in ridge regression, whatever was drawn before | finds rare samples, but some twice |
///
/// The selection evaluates n kernel values for each landmark, the diagonal, and the values among up to 128 candidates
/// at a time. It takes n·m memory and n·m² time for m landmarks. Leverage scores take n more values for each of some
/// eight times Σℓᵢ samples, and as many again each time that the penalty is halved below eight times the largest
/// κ(x, x). With so small a penalty they may take more than all n² values.
///
/// A sample that the landmarks before it explain to rounding is no landmark, so duplicates are passed over. Uniform
/// landmarks and landmarks by leverage may span fewer dimensions than there are landmarks: see [`Selected`].
///
/// Random candidates are drawn in blocks. Each is accepted with the probability that the candidates before it in its
/// block leave it, as if candidates were drawn one by one. A candidate is not accepted if so little is left of it,
/// compared with other samples, that rounding would reach these.
///
/// # Errors
/// [`Error::Parameter`] for no landmarks, or a tolerance or penalty out of range; [`Error::Landmarks`] if fewer
/// samples than landmarks are independent and there is no tolerance; [`Error::Indefinite`].
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, KernelSpace, Nystrom, Pivoting, SpaceBuilder};
///
/// let x = Array2::from_shape_fn((500, 2), |(i, j)| ((i * (j + 1)) as f64).sin());
/// let landmarks = Pivoting::random(200).tolerance(1e-3).seed(7);
/// let space = Nystrom::new(Gaussian::new(0.5), landmarks).fit_space(&x)?;
/// // Fewer do, as they leave no more than a thousandth of the trace.
/// assert!(space.rank() < 50 && space.training_residuals().sum() <= 1e-3 * 500.0);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// Y. Chen, E. N. Epperly, J. A. Tropp, R. J. Webber, "Randomly pivoted Cholesky: Practical approximation
/// of a kernel matrix with few entry evaluations", Communications on Pure and Applied Mathematics 78(5),
/// 2025. arXiv:2207.06503
///
/// E. N. Epperly, J. A. Tropp, R. J. Webber, "Embrace rejection: Kernel matrix approximation by accelerated
/// randomly pivoted Cholesky", 2024. arXiv:2410.03969
///
/// A. Rudi, D. Calandriello, L. Carratino, L. Rosasco, "On Fast Leverage Score Sampling and Optimal
/// Learning", NeurIPS 31, 2018. arXiv:1810.13258
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pivoting {
    rule: Rule,
    landmarks: usize,
    tolerance: Option<f64>,
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Rule {
    Random,
    Greedy,
    Uniform,
    Leverage { penalty: f64 },
}

impl Pivoting {
    /// Selects `landmarks` landmarks, each at random by what is left of the samples.
    pub fn random(landmarks: usize) -> Self {
        Self::new(Rule::Random, landmarks)
    }

    /// Selects `landmarks` landmarks, each where most is left.
    pub fn greedy(landmarks: usize) -> Self {
        Self::new(Rule::Greedy, landmarks)
    }

    /// Selects `landmarks` landmarks, at random among all samples.
    pub fn uniform(landmarks: usize) -> Self {
        Self::new(Rule::Uniform, landmarks)
    }

    /// Selects `landmarks` landmarks, at random by their ridge leverage scores [𝒦(𝒦 + λI)⁻¹]ᵢᵢ. The penalty λ is that of
    /// the ridge regression to be fitted. The scores are estimated, not computed.
    pub fn by_leverage(landmarks: usize, penalty: f64) -> Self {
        Self::new(Rule::Leverage { penalty }, landmarks)
    }

    fn new(rule: Rule, landmarks: usize) -> Self {
        Self {
            rule,
            landmarks,
            tolerance: None,
            seed: 0,
        }
    }

    /// Allows fewer landmarks, if these leave at most the share t of the trace: Σsᵢ ≤ t·Σκ(xᵢ, xᵢ), t in [0, 1).
    /// With t = 0, there may be as few landmarks as there are independent samples. By default there have to be as
    /// many as were asked for. Of uniform landmarks and landmarks by leverage, those that explain most are kept.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = Some(tolerance);
        self
    }

    /// Sets the seed of the random choice; 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

impl Pivoting {
    /// The number of landmarks and the rule of their choice, as parameters. Spaces in a catalogue have neither a selection by
    /// leverage nor a least residual.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let (rule, penalty) = match self.rule {
            Rule::Random => ("random", None),
            Rule::Greedy => ("greedy", None),
            Rule::Uniform => ("uniform", None),
            Rule::Leverage { penalty } => ("leverage", Some(penalty)),
        };
        let mut parameters = vec![
            Parameter::new("landmarks", self.landmarks),
            Parameter::new("selection", rule),
            Parameter::new("seed", self.seed.value()),
        ];
        let others = [("penalty", penalty), ("least_residual", self.tolerance)];
        for (name, value) in others {
            parameters.extend(value.map(|value| Parameter::new(name, value)));
        }
        parameters
    }

    fn check_count(&self, available: usize) -> Result<(), Error> {
        if self.tolerance.is_some() || available >= self.landmarks {
            return Ok(());
        }
        Err(Error::Landmarks {
            requested: self.landmarks,
            available,
        })
    }

    /// Selects the first samples of an order, as many as it takes to have enough that do not explain each other.
    fn first_of<S: Samples, K: Kernel<S>>(
        &self,
        order: &[usize],
        kernel: &K,
        x: &S,
    ) -> Result<Selected<S, K::Scalar>, Error> {
        let mut drawn = self.landmarks.min(order.len());
        let mut found = loop {
            let rows = &order[..drawn];
            let found = independent(kernel, &x.select(rows));
            let found = found.map_err(|error| at_places(error, rows))?.pivots;
            if found.len() >= self.landmarks || drawn == order.len() {
                break found;
            }
            drawn = (2 * drawn).min(order.len());
        };
        self.check_count(found.len())?;
        found.sort_unstable();
        found.truncate(self.landmarks);
        let rows: Vec<usize> = found.into_iter().map(|k| order[k]).collect();
        let mut factor = factor_of_landmarks(kernel, x, &Known::Rows(&rows))?;
        factor.cut(Rank::Tolerance(self.tolerance.unwrap_or(0.0)));
        Ok(Selected::of_factor(factor))
    }
}

impl<S: Samples> LandmarkSelection<S> for Pivoting {
    fn select<K: Kernel<S>>(&self, kernel: &K, x: &S) -> Result<Selected<S, K::Scalar>, Error> {
        let of = "Pivoting";
        at_least_one(of, "landmarks", self.landmarks)?;
        let tolerance = self.tolerance.unwrap_or(0.0);
        if !(0.0..1.0).contains(&tolerance) {
            return Err(Error::Parameter {
                of,
                parameter: "tolerance",
                value: tolerance,
                allowed: "at least 0 and below 1",
            });
        }
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let stop = Stop {
            level: RoundingLevel::Highest,
            tolerance,
            most: self.landmarks,
        };
        let factor = match self.rule {
            Rule::Random => factor_by(kernel, x, &stop, PivotRule::Random(Box::new(rng)))?,
            Rule::Greedy => factor_by(kernel, x, &stop, PivotRule::Largest)?,
            Rule::Uniform => {
                let mut order: Vec<usize> = (0..x.len()).collect();
                order.shuffle(&mut rng);
                return self.first_of(&order, kernel, x);
            }
            Rule::Leverage { penalty } => {
                let scores = ridge_leverage_scores(kernel, x, penalty, &mut rng)?;
                // The order in which samples come if they are drawn by their scores and not put back.
                let keys = scores.mapv(|score| rng.r#gen::<f64>().ln() / score);
                let mut order: Vec<usize> = (0..x.len()).collect();
                order.sort_by(|&i, &j| keys[j].total_cmp(&keys[i]));
                return self.first_of(&order, kernel, x);
            }
        };
        self.check_count(factor.pivots.len())?;
        Ok(Selected::of_factor(factor))
    }
}
