use super::case::{Case, Claim, Precision, config, double};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{methods::linear::Scatter, prelude::*};
use npt_testkit::oracles;
use proptest::prelude::*;

/// The claim in the README's table.
const CLAIM: Claim = Claim {
    f64: 5e-11,
    f32: 3e-4,
};

/// The ridge, relative to the scatter of the samples.
const RIDGE: f64 = 0.7;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn kfd_is_equation_24(case in Case::any(6), classes in 2..4_usize, total in any::<bool>()) {
        let problem = Problem::new(&case, classes, total);
        problem.oracle_solves_equation_24();
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

struct Problem<'a> {
    case: &'a Case,
    labels: Array1<usize>,
    mu: f64,
    total: bool,
    theta: Array1<f64>,
    alpha: Array2<f64>,
}

impl<'a> Problem<'a> {
    fn new(case: &'a Case, classes: usize, total: bool) -> Self {
        let labels = case.classes(classes);
        let mu = RIDGE * case.variance();
        let discriminants = |components| {
            let labels = labels.as_slice().unwrap();
            oracles::kfd::discriminants(case.k.view(), labels, mu, total, components)
        };
        // A space of low rank may have fewer discriminants than classes less one.
        let all = discriminants(classes - 1).0;
        let possible = all.iter().take(case.rank());
        let components = possible.filter(|&&v| v > 1e-4 * all[0]).count();
        let (theta, alpha) = discriminants(components);
        Problem {
            case,
            labels,
            mu,
            total,
            theta,
            alpha,
        }
    }

    fn oracle_solves_equation_24(&self) {
        let labels = self.labels.as_slice().unwrap();
        let k = self.case.k.view();
        let (m, within) = oracles::kfd::matrices(k, labels, self.mu, self.total);
        let (left, right) = (m.dot(&self.alpha), within.dot(&self.alpha) * &self.theta);
        CLAIM.assert_close(&self.case.name, &left, &right);
    }

    /// The scores of the new samples; each axis points to where the class mean of largest magnitude
    /// is positive.
    fn scores(&self) -> Array2<f64> {
        let mut scores = self.case.k_new.dot(&self.alpha);
        for (i, mut column) in scores.columns_mut().into_iter().enumerate() {
            column *= oracles::sign_of_largest(self.class_means(i).view());
        }
        scores
    }

    /// The mean training score of each class.
    fn class_means(&self, component: usize) -> Array1<f64> {
        let training = self.case.k.dot(&self.alpha.column(component));
        let classes = self.labels.iter().max().unwrap() + 1;
        Array1::from_shape_fn(classes, |class| {
            let members = self.labels.iter().zip(&training);
            let scores: Vec<f64> = members.filter(|m| *m.0 == class).map(|m| *m.1).collect();
            scores.iter().sum::<f64>() / scores.len() as f64
        })
    }

    fn check<F: Precision>(&self) {
        let name = &self.case.name;
        let scatter = if self.total {
            Scatter::Total
        } else {
            Scatter::Between
        };
        let params = Kfd::params(F::kernel(self.case))
            .method(|m| m.ridge(RIDGE).scatter(scatter).components(self.theta.len()));
        let data = DatasetBase::new(self.case.x::<F>(), self.labels.clone());
        let model = params.fit(&data).unwrap();
        CLAIM.assert_close(name, &model.inner().eigenvalues().to_owned(), &self.theta);
        // Discriminants of nearly equal strength, in units of the ridge, are arbitrary.
        let apart = |pair: &[f64]| pair[0] - pair[1] > F::GAP * self.theta[0].max(1.0);
        if self.theta.as_slice().unwrap().windows(2).all(apart) {
            let scores: Array2<F> = model.transform(self.case.new_samples());
            let mut expected = self.scores();
            // Where means of either sign are equally large, rounding decides the sign. The sign taken is the one that
            // agrees with more of the scores, by their size.
            for i in 0..self.theta.len() {
                if oracles::sign_margin(self.class_means(i).view()) < F::TOLERANCE {
                    let mut expected = expected.column_mut(i);
                    if double(&scores.column(i).to_owned()).dot(&expected) < 0.0 {
                        expected *= -1.0;
                    }
                }
            }
            CLAIM.assert_close(name, &scores, &expected);
        }
    }
}
