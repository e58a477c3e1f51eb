//! Support vector classification of many selections of the same samples.

use super::{
    plane::Plane,
    solver::{self, Inputs, Solution},
    svc::{Svc, SvcValidParams, weighed_signs},
};
use crate::{Error, weights::Weights};
use linfa::dataset::AsSingleTargets;
use ndarray::{Array1, Array2, ArrayView1};
use npt_core::{CrossValidator, InnerProducts, Scalar, memory_limit};

/// Several [`Svc`] that are fitted to selections of the same samples. The inner products are in memory once, where they fit.
///
/// A selection is the problem of all samples, in which the samples outside the selection have no room to move; their values are
/// in the gradient when the problem is solved. The penalties come one after the other, from below. The solution
/// of one penalty, times the ratio of the penalties, is where the next begins, and most of its support vectors at their bound
/// stay there.
pub(super) struct SvcFolds<'a> {
    methods: Vec<Result<SvcValidParams, Error>>,
    /// The positions of the methods, by ascending penalty.
    order: Vec<usize>,
    inputs: Inputs<'a>,
    /// The signs of the samples times their weights; 0 for samples of weight 0.
    signs: Array1<f64>,
}

impl<'a> SvcFolds<'a> {
    pub(super) fn new<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        methods: Vec<Result<SvcValidParams, Error>>,
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Self, Error> {
        Self::within(memory_limit(), methods, products, targets, weights)
    }

    /// Makes the folds with `limit` bytes for the inner products. Where these do not fit, the solver asks for those of samples that move.
    fn within<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        limit: Option<u64>,
        methods: Vec<Result<SvcValidParams, Error>>,
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Self, Error> {
        let samples = products.samples();
        let weights = Weights::<F>::new(weights, samples)?;
        let inputs = match products.coordinates() {
            Some(x) => Inputs::uncentered(x.to_owned()),
            None if fits(samples, limit) => Inputs::of_matrix(products.gram()?),
            None => Inputs::of_products(products, (0..samples).collect()),
        };
        let signs = weights.spread(weighed_signs(targets, &weights)?.into());
        let mut order: Vec<usize> = (0..methods.len()).collect();
        let penalty = |i: usize| methods[i].as_ref().map_or(0.0, |m| m.penalties()[0].1);
        order.sort_by(|&i, &j| penalty(i).total_cmp(&penalty(j)));
        Ok(Self {
            methods,
            order,
            inputs,
            signs,
        })
    }

    fn solve<F: Scalar>(
        &self,
        params: &SvcValidParams,
        signs: &[f64],
        before: Option<(&SvcValidParams, &Solution)>,
        held_out: &[usize],
    ) -> Result<(Solution, (Svc<F>, Array2<F>)), Error> {
        let mut problem = params.problem(&self.inputs, signs)?;
        if let Some((smaller, solution)) = before {
            params.begin_at(smaller, solution, &self.inputs, &mut problem);
        }
        let solution = solver::minimise(&self.inputs, &problem, params.tolerance(), "Svc")
            .map_err(solver::in_units::<F>(1.0))?;
        let plane = Plane::new(
            "Svc",
            &self.inputs,
            &solution.scores.dual,
            solution.levels[0],
        )?;
        // The linear term of samples that are held out is 0.
        let values = held_out
            .iter()
            .map(|&i| F::cast(solution.gradient[i]) + plane.bias);
        let values = Array2::from_shape_vec((held_out.len(), 1), values.collect());
        let values = values.expect("one a sample");
        let plane = plane.expanded();
        Ok((solution, (Svc { plane }, values)))
    }
}

/// Gives the memory of the inner products back, for the folds of the next kernel.
impl Drop for SvcFolds<'_> {
    fn drop(&mut self) {
        self.inputs.give_back();
    }
}

/// Returns whether all inner products of `samples` samples fit into `limit` bytes, with what two threads put together of them.
fn fits(samples: usize, limit: Option<u64>) -> bool {
    let numbers = (samples as u64).saturating_mul(samples as u64);
    let bytes = numbers.saturating_mul(3 * size_of::<f64>() as u64);
    limit.is_none_or(|limit| bytes <= limit)
}

impl<F: Scalar> CrossValidator<Svc<F>, F, Error> for SvcFolds<'_> {
    fn fit(
        &self,
        training: &[usize],
        held_out: &[usize],
    ) -> Vec<Result<(Svc<F>, Array2<F>), Error>> {
        let mut of_training = vec![0.0; self.signs.len()];
        for &i in training {
            of_training[i] = self.signs[i];
        }
        let has = |side: f64| training.iter().any(|&i| side * self.signs[i] > 0.0);
        let error = match (has(1.0), has(-1.0)) {
            (false, false) => {
                let samples = training.len();
                npt_core::Error::NoWeight { samples }.into()
            }
            _ => Error::Classes { found: 1 },
        };
        let both = has(1.0) && has(-1.0);
        let mut results: Vec<_> = std::iter::repeat_with(|| Err(error.clone()))
            .take(self.methods.len())
            .collect();
        let mut before = None;
        for &i in &self.order {
            results[i] = match &self.methods[i] {
                Err(error) => Err(error.clone()),
                Ok(_) if !both => Err(error.clone()),
                Ok(params) => {
                    let from = before
                        .as_ref()
                        .map(|(smaller, solution)| (*smaller, solution));
                    self.solve(params, &of_training, from, held_out)
                        .map(|(solution, result)| {
                            before = Some((params, solution));
                            result
                        })
                }
            };
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inner_products::Gram;
    use linfa::ParamGuard;
    use ndarray::array;

    fn methods() -> Vec<Result<SvcValidParams, Error>> {
        vec![Svc::<f64>::params().check()]
    }

    /// Inner products take 24 n² bytes; no number of samples is too large by itself.
    #[test]
    fn what_fits_depends_on_the_memory() {
        assert!(fits(5793, None) && fits(100_000, None));
        assert!(fits(5793, Some(24 * 5793 * 5793)));
        assert!(!fits(5793, Some(24 * 5793 * 5793 - 1)));
        assert!(!fits(usize::MAX, Some(u64::MAX - 1)));
    }

    /// Machines of all penalties are the same, whether the inner products are held or not.
    #[test]
    fn inner_products_that_do_not_fit_are_asked_for() {
        let n = 700;
        let x = Array2::from_shape_fn((n, 3), |(i, j)| {
            ((i * (j + 2)) as f64 * 0.618).fract() - 0.5
        });
        let targets = x.map_axis(ndarray::Axis(1), |row| {
            row[0] * row[1] + 0.05 * row[2] > 0.01
        });
        let norms = x.map_axis(ndarray::Axis(1), |row| row.dot(&row));
        let gram = Gram(Array2::from_shape_fn((n, n), |(i, j)| {
            (-3.0 * (norms[i] + norms[j] - 2.0 * x.row(i).dot(&x.row(j)))).exp()
        }));
        let methods = || {
            let penalties = [10.0, 0.1, 1.0, 100.0];
            let method = |c| Svc::<f64>::params().c(c).tolerance(1e-8).check();
            penalties.map(method).to_vec()
        };
        let (training, held_out): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| i % 5 != 0);
        let values = |limit| {
            let folds = SvcFolds::within::<f64, _>(limit, methods(), &gram, &targets, None);
            let folds = folds.unwrap();
            assert_eq!(folds.inputs.has_all(), limit.is_none());
            let fits: Vec<Result<(Svc<f64>, _), _>> = folds.fit(&training, &held_out);
            fits.into_iter()
                .map(|fit| fit.unwrap().1)
                .collect::<Vec<_>>()
        };
        for (held, asked) in values(None).iter().zip(&values(Some(1 << 20))) {
            let off = (held - asked).fold(0.0, |m: f64, v| m.max(v.abs()));
            assert!(off < 1e-6, "{off:e}");
        }
    }

    #[test]
    fn a_class_without_weight_is_none() {
        let x = array![[1.0], [2.0], [3.0], [4.0]];
        let gram = Gram(x.dot(&x.t()));
        for side in [false, true] {
            let targets = array![side, side, !side, !side];
            let weights = array![1.0_f32, 1.0, 1.0, 0.0];
            let folds = SvcFolds::new::<f64, _>(methods(), &gram, &targets, Some(weights.view()));
            let folds = folds.expect("two classes");
            let error = |training: &[usize]| {
                let fitted: Vec<Result<(Svc<f64>, _), _>> = folds.fit(training, &[2]);
                fitted[0].as_ref().err().cloned()
            };
            assert_eq!(error(&[0, 1, 2]), None);
            assert_eq!(error(&[0, 1, 3]), Some(Error::Classes { found: 1 }));
            let nothing = npt_core::Error::NoWeight { samples: 1 };
            assert_eq!(error(&[3]), Some(nothing.into()));
        }
    }
}
