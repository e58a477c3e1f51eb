//! Ridge regression on the coordinates of samples that are read again for every iteration: FALKON.

use super::{
    IterativeRidge, IterativeRidgeParams, Ridge,
    conjugate_gradients::{System, solve},
    preconditioner::factor,
};
use crate::{
    Error,
    error::require_positive,
    linear::ridge::Center,
    records::center,
    streaming::{PassSums, Passes},
    targets::checked_targets,
    weights::Weights,
};
use linfa::{
    DatasetBase, Float as _, ParamGuard,
    dataset::{AsTargets, Records},
};
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use npt_core::{AsSamples, Fitted, KernelSpace, Samples, Scalar, linalg, require_memory};

/// The number of rows of coordinates that are centred at a time.
const PART: usize = 4096;

impl IterativeRidgeParams {
    /// Fits ridge regression on the coordinates in a space to samples that come in blocks, and come again for each
    /// iteration. `pass` gives an iterator over the same blocks whenever it is called
    /// ([`Passes`]).
    ///
    /// # Definition
    /// w = (YᵀY + λI)⁻¹Yᵀt, with coordinates Y and targets t centred if there is an intercept. This is the model of
    /// [`Ridge`] from [`Moments`](crate::streaming::Moments), without the n·r² operations that moments take. An iteration
    /// takes the n·s kernel values with the space's s samples, and about four operations for each value.
    ///
    /// The fit saves time, not memory. Besides a block, and the coordinates of the samples that the space was fitted to, about
    /// 2r² + r·s numbers are kept, and as many for a while at the start.
    ///
    /// The preconditioner is YᵀY + λI, estimated from the coordinates of the samples that the space was fitted
    /// to. These should be drawn from all samples at random: the more of them for each landmark, and the larger λ, the fewer
    /// iterations. With 200 landmarks and a residual of 10⁻⁶, a fit with five samples per landmark took 16 (λ = 5·10⁻⁵n) to 201
    /// (λ = 5·10⁻⁹n) iterations, one with fifty took 6 to 23. `pivots` and `seed` are not used.
    ///
    /// Blocks may have sample weights; the preconditioner is made without them.
    ///
    /// The tolerance is that of ‖Yᵀt − (YᵀY + λI)w‖, as a share of ‖Yᵀt‖; in `f32` 10⁻⁶ can be reached.
    ///
    /// # Errors
    /// The errors of `pass` and its blocks. The errors of a block, with rows counted from the first of all blocks:
    /// errors of the records, [`Error::Block`] where it has other columns, or not one target and weight per row,
    /// [`npt_core::Error::TargetNotFinite`], [`Error::NoTargets`], [`npt_core::Error::Weight`]. [`Error::TooFewSamples`] if all
    /// weights are 0. [`npt_core::Error::NoSamples`] without any samples, [`Error::OtherPass`] where a later pass has more or fewer
    /// samples. The errors of the fit itself are those of [`IterativeRidge`].
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Predict};
    /// use ndarray::{Array1, Array2, array};
    /// use npt_core::{Axes, Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{Error, linear::IterativeRidge, streaming::Reservoir};
    ///
    /// /// 1000 numbers and their sines at a time.
    /// let block = |k: usize| {
    ///     let x = Array2::from_shape_fn((1000, 1), |(i, _)| ((1000 * k + i) as f64 * 0.618).fract() * 6.0);
    ///     let waves = x.column(0).mapv(f64::sin);
    ///     Dataset::new(x, waves)
    /// };
    /// let mut some = Reservoir::new(500);
    /// (0..20).try_for_each(|k| some.add(&block(k).records))?;
    /// let landmarks = Pivoting::random(50).tolerance(1e-9);
    /// let builder = Nystrom::new(Gaussian::new(0.5), landmarks).axes(Axes::Cholesky);
    /// let space = builder.fit_space(&some.into_samples()?)?;
    ///
    /// let params = IterativeRidge::params().penalty(1e-3);
    /// let ridge = params.fit_blocks(&space, || Ok::<_, Error>((0..20).map(|k| Ok(block(k)))))?;
    /// let model = KernelizedModel::new(ridge, space.into_parts().0).expand()?;
    ///
    /// let found: Array1<f64> = model.predict(&array![[1.0], [4.5]]);
    /// assert!((found[0] - 1.0_f64.sin()).abs() < 1e-4 && (found[1] - 4.5_f64.sin()).abs() < 1e-4);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # References
    /// A. Rudi, L. Carratino, L. Rosasco, "FALKON: An Optimal Large Scale Kernel Method", 2017. arXiv:1705.10958
    pub fn fit_blocks<P, R, T, B, E>(
        &self,
        space: &Fitted<P>,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<IterativeRidge<P::Scalar, T::Ix>, E>
    where
        P: KernelSpace,
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsTargets<Elem = P::Scalar>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        let params = self.check_ref()?;
        let penalty = P::Scalar::cast(params.penalty);
        require_positive("IterativeRidge", "penalty", penalty.as_f64())?;
        let rank = space.rank();
        require_memory::<P::Scalar>("the preconditioner", rank, rank).map_err(Error::from)?;
        let mut passes =
            Passes::of("blocks of IterativeRidge", space.space(), pass)?.with_weights();
        let RightSide {
            center,
            right,
            weight,
        } = right_side(&mut passes, rank, params.intercept)?;
        let scatter = second_moment(space, &center.records, weight);
        let factor = factor(scatter, P::Scalar::cast(params.penalty))?;
        let mut system = OfBlocks {
            mean: center.records.mapv(Scalar::as_f64),
            passes,
            penalty,
            factor,
        };
        let mut solution = solve(&mut system, &right, params.stop())?;
        let weights = std::mem::take(&mut solution.x);
        let ridge = Ridge::new(center, weights, params.penalty)?;
        Ok(IterativeRidge::of_solution(ridge, &solution))
    }
}

/// The result of a first pass.
struct RightSide<F> {
    /// The (weighted) means; 0 without an intercept.
    center: Center<F>,
    /// Yᵀt of coordinates and targets less these means, weighted if samples are.
    right: Array2<F>,
    /// The sum of the weights of all samples.
    weight: f64,
}

fn right_side<S, F, N, I, R, T, E>(
    passes: &mut Passes<'_, S, F, N>,
    rank: usize,
    intercept: bool,
) -> Result<RightSide<F>, E>
where
    S: Samples,
    F: Scalar,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = S>,
    T: AsTargets<Elem = F>,
    E: From<Error>,
{
    let mut near = NearMean {
        intercept,
        columns: None,
        near: None,
    };
    let none = (Array2::zeros((rank, 0)), Array1::zeros(0));
    let PassSums {
        of_coordinates,
        of_ones,
    } = passes.sum(
        (none.0.view(), none.1.view()),
        |block| near.targets(block),
        |targets, rows, _| targets.slice(s![rows, ..]).to_owned(),
    )?;
    let targets = of_ones.len() - 1;
    let (right, sum) = of_coordinates.view().split_at(Axis(1), targets);
    let weight = of_ones[targets];
    if !(weight > 0.0) {
        let (found, needed) = (0, 1);
        return Err(Error::TooFewSamples { found, needed }.into());
    }
    if !intercept {
        return Ok(RightSide {
            center: Center::none(rank, targets),
            right: right.mapv(F::cast),
            weight,
        });
    }
    let mean = sum.column(0).to_owned() / weight;
    let beside = of_ones.slice(s![..targets]).to_owned();
    let right = &right - &outer(&mean, &beside);
    let center = Center {
        records: mean.mapv(F::cast),
        targets: near.near.unwrap_or_default() + (beside / weight).mapv(F::cast),
    };
    Ok(RightSide {
        center,
        right: right.mapv(F::cast),
        weight,
    })
}

/// Shifts targets to near their mean, so that large targets lose no digits.
struct NearMean<F> {
    intercept: bool,
    /// The number of target columns of the first block.
    columns: Option<usize>,
    /// The mean of the targets of the first block, if there is an intercept.
    near: Option<Array1<F>>,
}

impl<F: Scalar> NearMean<F> {
    /// Returns the shifted targets of a block, and a column of ones, times the weights.
    fn targets<R: Records, T: AsTargets<Elem = F>>(
        &mut self,
        block: &DatasetBase<R, T>,
    ) -> Result<Array2<f64>, Error> {
        let mut targets = block_targets(block)?;
        let (expected, found) = (
            *self.columns.get_or_insert(targets.ncols()),
            targets.ncols(),
        );
        if expected != found {
            return Err(Error::TargetColumns { expected, found });
        }
        let weights = Weights::<F>::of_block(block)?;
        // The targets of samples of weight 0 may be any numbers.
        targets = weights.spread(weights.select(targets));
        if self.intercept && weights.count() > 0 {
            // The mean of equal numbers is their value: nothing must be left of them.
            let near = || center(&mut weights.select(targets.clone()));
            targets -= &*self.near.get_or_insert_with(near);
        }
        let ones = Array2::ones((targets.nrows(), 1));
        let wide = concatenate![Axis(1), targets, ones].mapv(Scalar::as_f64);
        let factors = weights.of_all().mapv(Scalar::as_f64);
        Ok(wide * factors.insert_axis(Axis(1)))
    }
}

/// Returns the weight of each sample of a block.
fn factors<R: Records, T>(block: &DatasetBase<R, T>) -> Result<Array1<f64>, Error> {
    Ok(Weights::<f64>::of_block(block)?.of_all())
}

/// Returns the targets of a block, which must be as many as its samples.
fn block_targets<R: Records, T: AsTargets<Elem = F>, F: Scalar>(
    block: &DatasetBase<R, T>,
) -> Result<Array2<F>, Error> {
    let (samples, targets) = (block.records.nsamples(), block.as_targets().len_of(Axis(0)));
    if samples != targets {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    checked_targets(&block.targets)
}

/// Returns abᵀ.
fn outer(a: &Array1<f64>, b: &Array1<f64>) -> Array2<f64> {
    let (a, b) = (a.view().insert_axis(Axis(1)), b.view().insert_axis(Axis(0)));
    a.dot(&b)
}

/// Estimates YᵀY of samples of total weight `weight` from the samples of the space, around the mean of all.
fn second_moment<P: KernelSpace>(
    space: &Fitted<P>,
    mean: &Array1<P::Scalar>,
    weight: f64,
) -> Array2<P::Scalar> {
    let training = space.training_coordinates();
    let mut sum = Array2::zeros((mean.len(), mean.len()));
    for part in training.axis_chunks_iter(Axis(0), PART) {
        sum += &linalg::symmetric_rank_k((&part - mean).view());
    }
    sum * P::Scalar::cast(weight / training.nrows() as f64)
}

/// The equations (YᵀY + λI)w = Yᵀt.
struct OfBlocks<'a, S, F, N> {
    passes: Passes<'a, S, F, N>,
    /// The mean of the coordinates; 0 if they are not centred.
    mean: Array1<f64>,
    penalty: F,
    /// L with LLᵀ nearly YᵀY + λI.
    factor: Array2<F>,
}

impl<S, F, N, I, R, T, E> System<F> for OfBlocks<'_, S, F, N>
where
    S: Samples,
    F: Scalar,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = S>,
    T: AsTargets<Elem = F>,
    E: From<Error>,
{
    type Error = E;

    fn apply(&mut self, w: ArrayView2<'_, F>) -> Result<(Array2<F>, Array1<F>), E> {
        let wide = w.mapv(Scalar::as_f64);
        let constants = -self.mean.dot(&wide);
        let sums = self.passes.sum(
            (wide.view(), constants.view()),
            factors,
            |factors, rows, values| &values * &factors.slice(s![rows]).insert_axis(Axis(1)),
        )?;
        let image = sums.of_coordinates - outer(&self.mean, &sums.of_ones);
        let mut image = image.mapv(F::cast);
        image.scaled_add(self.penalty, &w);
        Ok((image, Array1::zeros(w.ncols())))
    }

    fn center(&self, columns: &mut Array2<F>) -> Array1<F> {
        Array1::zeros(columns.ncols())
    }

    fn precondition(&self, residuals: ArrayView2<'_, F>) -> Array2<F> {
        let half = linalg::solve_lower(self.factor.view(), residuals);
        linalg::solve_lower_transposed(self.factor.view(), half.view())
    }
}
