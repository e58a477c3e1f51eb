//! Logistic regression on the coordinates of samples that are read again for every iteration.

use super::{
    Logistic, LogisticParams, LogisticValidParams,
    hessians::{Hessians, PART},
    likelihood::{curve, loss, probabilities, slopes},
    newton::{Objective, Point, most_iterations, stacked, take_common_summand},
};
use crate::{
    Error,
    error::{require_finite, require_positive},
    magnitude::rounding,
    streaming::{Classes, Passes, classes_of, members},
    weights::Weights,
};
use linfa::{
    DatasetBase, Float as _, Label, ParamGuard,
    dataset::{AsSingleTargets, Records},
};
use ndarray::{Array1, Array2, Axis, concatenate, s};
use npt_core::{AsSamples, Fitted, KernelSpace, Samples, linalg, require_memory};
use std::ops::Range;

/// The least number of samples per axis from which a whole Hessian is estimated; from fewer, only its diagonal is.
const SAMPLES_AN_AXIS: usize = 2;

/// The most iterations of conjugate gradients in a step with Hessians of some of the samples. Where a step takes as many,
/// these Hessians tell too little of all samples, and one pass that computes coordinates pays.
const ITERATIONS_BY_SOME: usize = 10;

impl LogisticParams {
    /// Fits logistic regression on the coordinates in a space to samples that come in blocks, and come again for each
    /// iteration. `pass` gives an iterator over the same blocks whenever it is called ([`Passes`]).
    ///
    /// # Definition
    /// The model is the minimum of [`Logistic`]'s objective on the coordinates of all samples, for λ > 0. Neither coordinates nor
    /// probabilities of all samples are kept. A step of Newton's method takes one pass for value and gradient, and one for
    /// each iteration of the conjugate gradients that solve for the step. A pass takes the kernel values of all samples with those
    /// of the space, and a few operations per class for each value.
    ///
    /// The preconditioner is the Hessian without the terms that tie classes to each other. It is estimated from the coordinates of
    /// the samples that the space was fitted to, which should be drawn from all samples at random: the more of them for each
    /// landmark, the fewer passes. From fewer than two samples per axis only the diagonal is estimated. After a step of 10
    /// iterations, which small penalties and unequal classes cause, the preconditioner is the Hessian of all samples, by a pass in
    /// each step that computes their coordinates. It takes r² numbers for each function, r the rank of the space.
    ///
    /// Blocks may have sample weights. The space, and the samples that it was fitted to, take no part in these.
    ///
    /// # Errors
    /// The errors of `pass` and its blocks. The errors of a block, with rows counted from the first of all blocks: errors of
    /// the records, [`npt_core::Error::Weight`], [`Error::Block`] where it has other columns, or not one target and weight per row,
    /// [`Error::LaterClass`]. [`Error::TooFewSamples`] if all weights are 0. [`npt_core::Error::NoSamples`]
    /// without any samples, [`Error::OtherPass`] where a later pass has more or fewer samples. [`npt_core::Error::Memory`] for the
    /// preconditioner. The errors of the fit itself are those of [`Logistic`], and [`Error::Parameter`] for λ = 0.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Predict};
    /// use ndarray::{Array2, array};
    /// use npt_core::{Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{Error, linear::Logistic, streaming::Reservoir};
    ///
    /// /// 1000 numbers at a time, and whether their sines are positive.
    /// let block = |k: usize| {
    ///     let x = Array2::from_shape_fn((1000, 1), |(i, _)| ((1000 * k + i) as f64 * 0.618).fract() * 6.0);
    ///     let sides = x.column(0).mapv(|x| if x.sin() > 0.0 { "above" } else { "below" });
    ///     Dataset::new(x, sides)
    /// };
    /// let mut some = Reservoir::new(500);
    /// (0..20).try_for_each(|k| some.add(&block(k).records))?;
    /// let landmarks = Pivoting::random(30).tolerance(1e-9);
    /// let space = Nystrom::new(Gaussian::new(0.5), landmarks).fit_space(&some.into_samples()?)?;
    ///
    /// let params = Logistic::params().penalty(1e-3);
    /// let logistic = params.fit_blocks(&space, || Ok::<_, Error>((0..20).map(|k| Ok(block(k)))))?;
    /// let model = KernelizedModel::new(logistic, space.into_parts().0).expand()?;
    /// assert_eq!(model.predict(&array![[3.1], [3.2]]), array!["above", "below"]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # References
    /// U. Marteau-Ferey, F. Bach, A. Rudi, "Globally Convergent Newton Methods for Ill-conditioned Generalized
    /// Self-concordant Losses", NeurIPS 2019. arXiv:1907.01771
    pub fn fit_blocks<P, L, R, T, B, E>(
        &self,
        space: &Fitted<P>,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<Logistic<P::Scalar, L>, E>
    where
        P: KernelSpace,
        L: Label,
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsSingleTargets<Elem = L>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        let params = self.check_ref()?;
        require_positive("Logistic", "penalty", params.penalty)?;
        let mut passes = Passes::of("blocks of Logistic", space.space(), pass)?.with_weights();
        let Classes {
            labels: classes,
            weights,
            ..
        } = classes_of(&mut passes)?;
        let functions = if classes.len() == 2 { 1 } else { classes.len() };
        let size = space.rank() + 1;
        require_memory::<f64>("the preconditioner", functions * size, size).map_err(Error::from)?;
        let mut objective = OfBlocks {
            space,
            passes,
            factors: params.factors(&weights),
            samples: weights.iter().sum(),
            classes,
            functions,
            penalty: params.penalty,
            iterations: 0,
            by_all: false,
        };
        let (solution, iterations) = params.minimise(&mut objective)?;
        let solution = solution.mapv(P::Scalar::cast);
        require_finite("Logistic", solution.iter())?;
        let (weights, offsets) = solution.view().split_at(Axis(0), space.rank());
        Ok(Logistic {
            mean: Array1::zeros(space.rank()),
            weights: weights.to_owned(),
            offsets: offsets.row(0).to_owned(),
            classes: objective.classes,
            iterations,
        })
    }
}

struct OfBlocks<'a, P: KernelSpace, L, N> {
    space: &'a Fitted<P>,
    passes: Passes<'a, P::Samples, P::Scalar, N>,
    classes: Vec<L>,
    /// The factor of the logarithms of each class.
    factors: Vec<f64>,
    /// The number of samples that all samples stand for by their weights.
    samples: f64,
    functions: usize,
    penalty: f64,
    /// The iterations of the conjugate gradients in the last step.
    iterations: usize,
    /// True if preconditioners are made of all samples.
    by_all: bool,
}

impl LogisticValidParams {
    /// Returns the factors of the logarithms of the classes, from their weights.
    fn factors(&self, weights: &[f64]) -> Vec<f64> {
        let share = weights.iter().sum::<f64>() / weights.len() as f64;
        let factor = |&weight: &f64| if self.balanced { share / weight } else { 1.0 };
        weights.iter().map(factor).collect()
    }
}

impl<P: KernelSpace, L, N> OfBlocks<'_, P, L, N> {
    /// Returns λW, with 0 for the intercepts.
    fn penalised(&self, w: &Array2<f64>) -> Array2<f64> {
        let mut penalised = w * self.penalty;
        penalised.row_mut(w.nrows() - 1).fill(0.0);
        penalised
    }

    /// Estimates the Hessians of all samples from those of the space.
    fn hessians_of_some<'w>(&self, w: &'w Array2<f64>) -> Hessians<'w> {
        let some = self.space.training_coordinates();
        let mut hessians = Hessians::at(w);
        // Their classes are not known.
        hessians.add(some, &Array1::ones(some.nrows()));
        let hessians = hessians.times(self.samples / some.nrows() as f64);
        if some.nrows() < SAMPLES_AN_AXIS * some.ncols() {
            // Along directions that these samples do not see, their Hessian would be 0.
            return hessians.diagonal();
        }
        hessians
    }
}

impl<P, L, N, I, R, T, E> Objective<f64> for OfBlocks<'_, P, L, N>
where
    P: KernelSpace,
    L: Label,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = P::Samples>,
    T: AsSingleTargets<Elem = L>,
    E: From<Error>,
{
    type Error = E;
    type State = ();
    /// L with LLᵀ nearly the Hessian, one for each function.
    type Preconditioner = Vec<Array2<f64>>;

    fn shape(&self) -> (usize, usize) {
        (self.space.rank() + 1, self.functions)
    }

    fn rounding(&self) -> f64 {
        rounding(self.passes.samples().unwrap_or_default())
    }

    fn at(&mut self, w: Array2<f64>) -> Result<Point<f64, ()>, E> {
        let (classes, factors, functions) = (&self.classes, &self.factors, self.functions);
        let (weights, offsets) = w.view().split_at(Axis(0), w.nrows() - 1);
        let sums = self.passes.sum(
            (weights, offsets.row(0)),
            |block| Members::of(block, classes, factors),
            |members, rows, scores| {
                let p = probabilities(scores);
                let mut u = Array2::zeros((rows.len(), functions + 1));
                for (i, (class, factor)) in members.at(rows).enumerate() {
                    if factor > 0.0 {
                        slopes(p.row(i), class, u.slice_mut(s![i, ..functions]));
                        u[[i, functions]] = loss(scores.row(i), class);
                        u.row_mut(i).mapv_inplace(|v| v * factor);
                    }
                }
                u
            },
        )?;
        let mut gradient =
            stacked(&sums.of_coordinates, &sums.of_ones).slice_move(s![.., ..functions]);
        gradient += &self.penalised(&w);
        take_common_summand(&mut gradient);
        let penalised = &self.penalised(&w) * &w;
        Ok(Point {
            value: sums.of_ones[functions] + penalised.sum() / 2.0,
            gradient,
            w,
            state: (),
        })
    }

    fn curvature(&mut self, point: &Point<f64, ()>, v: &Array2<f64>) -> Result<Array2<f64>, E> {
        self.iterations += 1;
        let (classes, factors, functions) = (&self.classes, &self.factors, self.functions);
        // The scores, and their changes along V.
        let both = concatenate![Axis(1), point.w, *v];
        let (weights, offsets) = both.view().split_at(Axis(0), v.nrows() - 1);
        let sums = self.passes.sum(
            (weights, offsets.row(0)),
            |block| Members::of(block, classes, factors),
            |members, rows, values| {
                let p = probabilities(values.slice(s![.., ..functions]));
                let mut along = values.slice(s![.., functions..]).to_owned();
                let of_rows = along.outer_iter_mut().zip(members.at(rows));
                for ((mut along, (_, factor)), p) in of_rows.zip(p.outer_iter()) {
                    if factor > 0.0 {
                        curve(p, along.view_mut());
                    }
                    along *= factor;
                }
                along
            },
        )?;
        let mut image = stacked(&sums.of_coordinates, &sums.of_ones) + self.penalised(v);
        take_common_summand(&mut image);
        Ok(image)
    }

    fn preconditioner(&mut self, point: &Point<f64, ()>) -> Result<Vec<Array2<f64>>, E> {
        self.by_all |= self.iterations >= ITERATIONS_BY_SOME;
        self.iterations = 0;
        if !self.by_all {
            return Ok(self.hessians_of_some(&point.w).factors(self.penalty)?);
        }
        let (space, classes, factors) = (self.space.space(), &self.classes, &self.factors);
        let mut hessians = Hessians::at(&point.w);
        self.passes.for_each_block(|block| {
            let members = Members::of(block, classes, factors)?;
            let x = block.records.as_samples()?;
            for first in (0..x.len()).step_by(PART) {
                let rows: Vec<usize> = (first..x.len().min(first + PART)).collect();
                let y = space.coordinates(&x.select(&rows));
                let y = y.map_err(|error| error.after_rows(first))?;
                let weights = members.at(first..first + rows.len());
                hessians.add(y.view(), &weights.map(|(_, factor)| factor).collect());
            }
            Ok(())
        })?;
        Ok(hessians.factors(self.penalty)?)
    }

    fn most_iterations(&self) -> usize {
        if self.by_all {
            most_iterations(self.shape())
        } else {
            ITERATIONS_BY_SOME
        }
    }

    fn precondition(&self, factors: &Vec<Array2<f64>>, residual: &Array2<f64>) -> Array2<f64> {
        let mut solution = residual.clone();
        for (factor, column) in factors
            .iter()
            .zip(solution.axis_chunks_iter_mut(Axis(1), 1))
        {
            let mut column = column;
            let half = linalg::solve_lower(factor.view(), column.view());
            column.assign(&linalg::solve_lower_transposed(factor.view(), half.view()));
        }
        take_common_summand(&mut solution);
        solution
    }

    fn is_settled(&self, _: &Point<f64, ()>, _: &Point<f64, ()>) -> bool {
        true
    }
}

/// The class of each sample of a block, by its position among all classes, and the factor of its logarithm.
struct Members {
    classes: Vec<usize>,
    factors: Vec<f64>,
}

impl Members {
    fn of<R: Records, L: Label, T: AsSingleTargets<Elem = L>>(
        block: &DatasetBase<R, T>,
        classes: &[L],
        of_classes: &[f64],
    ) -> Result<Self, Error> {
        let weights: Weights<f64> = Weights::of_block(block)?;
        let classes = members(block, classes, &weights)?;
        let weights = weights.of_all().into_iter().zip(&classes);
        let factors = weights.map(|(weight, &class)| weight * of_classes[class]);
        Ok(Self {
            factors: factors.collect(),
            classes,
        })
    }

    fn at(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, f64)> {
        let factors = self.factors[rows.clone()].iter();
        self.classes[rows].iter().copied().zip(factors.copied())
    }
}
