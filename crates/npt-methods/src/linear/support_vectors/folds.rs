//! Support vector classification of many selections of the same samples.

use super::{
    plane::Plane,
    solver::{self, Inputs, Solution},
    svc::{Svc, SvcValidParams, weighed_signs},
};
use crate::{Error, linear::Weights};
use linfa::dataset::AsSingleTargets;
use ndarray::{Array1, Array2, ArrayView1};
use npt_core::{CrossValidator, InnerProducts, Scalar, memory_limit};

/// Numbers in a kernel matrix that is held, 256 MB of them.
const LARGEST: usize = 1 << 25;

/// Several [`Svc`], to be fitted to selections of samples whose inner products are in memory once.
///
/// A selection is the problem of all samples, in which the others have no room to move; their values are
/// in the gradient when it is solved. The penalties come one after the other, from below: the solution
/// of one, times their ratio, is where the next begins, and most of its support vectors at their bound
/// stay there.
pub(super) struct SvcFolds<'a> {
    methods: Vec<Result<SvcValidParams, Error>>,
    /// By penalty.
    order: Vec<usize>,
    inputs: Inputs<'a>,
    /// Times weights, 0 of samples that weigh nothing.
    signs: Array1<f64>,
}

impl<'a> SvcFolds<'a> {
    /// `None` where the inner products do not fit into memory.
    pub(super) fn new<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        methods: Vec<Result<SvcValidParams, Error>>,
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Self>, Error> {
        let weights = Weights::<F>::new(weights, products.samples())?;
        let numbers = products.samples() * products.samples();
        // And as much for what two threads put together of it.
        let bytes = (3 * numbers * size_of::<f64>()) as u64;
        let inputs = match products.coordinates() {
            Some(x) => Inputs::uncentered(x.to_owned()),
            None if numbers > LARGEST || memory_limit().is_some_and(|limit| bytes > limit) => {
                return Ok(None);
            }
            None => Inputs::of_matrix(products.gram()?),
        };
        let signs = weights.spread(weighed_signs(targets, &weights)?.into());
        let mut order: Vec<usize> = (0..methods.len()).collect();
        let penalty = |i: usize| methods[i].as_ref().map_or(0.0, |m| m.penalties()[0].1);
        order.sort_by(|&i, &j| penalty(i).total_cmp(&penalty(j)));
        Ok(Some(Self {
            methods,
            order,
            inputs,
            signs,
        }))
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
        let solution = solver::minimise(&self.inputs, &problem, params.tolerance(), "Svc")?;
        let plane = Plane::new(
            "Svc",
            &self.inputs,
            &solution.scores.dual,
            solution.levels[0],
        )?;
        // The linear term of those held out is 0.
        let values = held_out
            .iter()
            .map(|&i| F::cast(solution.gradient[i]) + plane.bias);
        let values = Array2::from_shape_vec((held_out.len(), 1), values.collect());
        let values = values.expect("one a sample");
        let plane = plane.folded();
        Ok((solution, (Svc { plane }, values)))
    }
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

    /// Inner products of so many samples that nobody asks for.
    struct Untouched(usize);

    impl InnerProducts<f64> for Untouched {
        fn samples(&self) -> usize {
            self.0
        }

        fn diag(&self) -> Array1<f64> {
            unreachable!("nobody asks for it")
        }

        fn block(&self, _: &[usize], _: &[usize]) -> Result<Array2<f64>, npt_core::Error> {
            unreachable!("nobody asks for it")
        }
    }

    /// 5792² numbers are 256 MB.
    #[test]
    fn larger_matrices_are_not_held() {
        let targets = Array1::from_shape_fn(5793, |i| i % 2 == 0);
        let products = Untouched(5793);
        let folds = SvcFolds::new::<f64, _>(methods(), &products, &targets, None);
        assert!(folds.is_ok_and(|folds| folds.is_none()));
    }

    #[test]
    fn a_class_without_weight_is_none() {
        let x = array![[1.0], [2.0], [3.0], [4.0]];
        let gram = Gram(x.dot(&x.t()));
        for side in [false, true] {
            let targets = array![side, side, !side, !side];
            let weights = array![1.0_f32, 1.0, 1.0, 0.0];
            let folds = SvcFolds::new::<f64, _>(methods(), &gram, &targets, Some(weights.view()));
            let folds = folds.expect("two classes").expect("few samples");
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
