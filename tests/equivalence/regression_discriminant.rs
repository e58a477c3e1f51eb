use super::case::{Case, Precision, assert_close, assert_close_on, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, s};
use npt::{methods::linear::PairWeight, prelude::*};
use npt_testkit::oracles::{self, regression_discriminant as oracle};
use proptest::prelude::*;

const RIDGE: f64 = 0.7;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn regression_discriminant_is_its_kernel_trick(
        case in Case::any(4),
        threshold in 0.2..1.0_f64,
        weight in 0..3_usize,
    ) {
        let weight = [PairWeight::Distance, PairWeight::Root, PairWeight::Equal][weight];
        let problem = Problem::new(&case, threshold, weight);
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

struct Problem<'a> {
    case: &'a Case,
    threshold: f64,
    weight: PairWeight,
    targets: Array1<f64>,
    components: usize,
    /// The strengths of the directions, one more than there are components.
    theta: Array1<f64>,
    alpha: Array2<f64>,
}

impl<'a> Problem<'a> {
    fn new(case: &'a Case, threshold: f64, weight: PairWeight) -> Self {
        // The targets have at least four values, exact in f32, so that a pair is near or distant in both precisions.
        let x = case.x::<f64>();
        let targets = Array1::from_shape_fn(case.len(), |i| {
            (4.0 * x[[i, 0]].sin()).round() / 4.0 + (i % 3) as f64
        });
        let laplacians =
            oracle::laplacians(targets.as_slice().unwrap(), threshold, |d| match weight {
                PairWeight::Distance => d,
                PairWeight::Root => d.sqrt(),
                PairWeight::Equal => 1.0,
                other => unreachable!("{other:?} has no formula here"),
            });
        let trace = (&laplacians.0 * &case.k).sum() + (&laplacians.1 * &case.k).sum();
        let mu = RIDGE * trace / case.len() as f64;
        let components = case.rank().min(3);
        let (theta, alpha) = oracle::directions(case.k.view(), &laplacians, mu, components + 1);
        let problem = Problem {
            case,
            threshold,
            weight,
            targets,
            components,
            alpha: alpha.slice_move(s![.., ..components]),
            theta,
        };
        problem.oracle_solves_its_equation(&laplacians, mu);
        problem
    }

    fn oracle_solves_its_equation(&self, (b, w): &(Array2<f64>, Array2<f64>), mu: f64) {
        let k = &self.case.k;
        let left = k.dot(b).dot(k).dot(&self.alpha);
        let right = (k.dot(w).dot(k) + &(k * mu)).dot(&self.alpha) * &self.leading();
        assert_close(&self.case.name, &left, &right);
    }

    fn leading(&self) -> Array1<f64> {
        self.theta.slice(s![..self.components]).to_owned()
    }

    fn check<F: Precision>(&self) {
        let (name, case) = (&self.case.name, self.case);
        let components = self.components;
        let data = DatasetBase::new(case.x::<F>(), self.targets.mapv(F::cast));
        for axes in [Axes::Principal, Axes::Cholesky] {
            let model = KernelRegressionDiscriminant::params(components, F::kernel(case))
                .space(|s| s.axes(axes))
                .method(|m| m.threshold(self.threshold).weight(self.weight).ridge(RIDGE))
                .fit(&data)
                .unwrap();
            assert_close(
                name,
                &model.inner().eigenvalues().to_owned(),
                &self.leading(),
            );
            let scores: Array2<F> = model.transform(case.new_samples());
            let expected = case.k_new.dot(&self.alpha);
            let training = case.k.dot(&self.alpha);
            let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
            for i in 0..components {
                // Directions of nearly equal strength are arbitrary, and so is the sign where the largest positive and
                // negative scores are equally large.
                let apart = |j: usize| {
                    (self.theta[i] - self.theta[j]).abs() > F::GAP * self.theta[0].max(1.0)
                };
                let clear = oracles::sign_margin(training.column(i)) > F::TOLERANCE;
                if clear && (0..=components).all(|j| i == j || apart(j)) {
                    let sign = oracles::sign_of_largest(training.column(i));
                    let (found, expected) =
                        (scores.column(i).to_owned(), &expected.column(i) * sign);
                    assert_close_on(name, &found, &expected, largest);
                }
            }
        }
    }
}
