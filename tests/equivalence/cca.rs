use super::case::{AnyKernel, Case, Precision, assert_close, assert_close_function, config};
use ndarray::{Array1, Array2, ArrayView1, Axis, stack};
use npt::prelude::*;
use npt_testkit::{
    data::normal,
    oracles::{self, centering},
};
use proptest::prelude::*;
use std::sync::Arc;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cca_is_the_generalised_eigenproblem(
        case in Case::any(6),
        ridge in 0.01..1.0_f64,
        gaussian in any::<bool>(),
    ) {
        let problem = Problem::new(&case, ridge, gaussian);
        problem.oracle_solves_its_equations();
        problem.check::<f64>();
        problem.check::<f32>();
    }
}

/// The second view: curved functions of a sample's last feature, with noise.
fn second_view(x: &Array2<f64>, seed: u64) -> Array2<f64> {
    let last = x.column(x.ncols() - 1);
    let curved = stack![Axis(1), last.mapv(f64::cos), last.mapv(f64::sin)];
    curved + 0.3 * normal(x.nrows(), 2, seed)
}

struct Problem<'a> {
    case: &'a Case,
    ridge: f64,
    gaussian: bool,
    y: Array2<f64>,
    new_y: Array2<f64>,
    l: Array2<f64>,
    l_new: Array2<f64>,
    correlations: Array1<f64>,
    /// The squares of the correlations, and of the next one.
    squares: Vec<f64>,
    alpha: Array2<f64>,
    beta: Array2<f64>,
}

impl<'a> Problem<'a> {
    fn new(case: &'a Case, ridge: f64, gaussian: bool) -> Self {
        let (x, new) = (case.x::<f64>(), case.new_samples::<f64>());
        let (y, new_y) = (second_view(&x, 1), second_view(&new, 2));
        let kernel: AnyKernel<f64> = Self::kernel(gaussian);
        let (rows, new_rows) = (
            Rows::new(y.clone()).unwrap(),
            Rows::new(new_y.clone()).unwrap(),
        );
        let l = centering::centered_gram(&*kernel, &rows);
        let l_new = centering::centered_cross(&*kernel, &new_rows, &rows);
        let directions = |components| {
            let ridges = (
                ridge * case.variance(),
                ridge * l.diag().sum() / l.nrows() as f64,
            );
            oracles::cca::directions(case.k.view(), l.view(), ridges, components)
        };
        let all = directions(3).0;
        let most = case.rank().min(2);
        let strong = all.iter().take(most).filter(|&&v| v > 0.03 * all[0]);
        let components = strong.count();
        let (correlations, alpha, beta) = directions(components);
        Problem {
            case,
            squares: all.iter().take(components + 1).map(|v| v * v).collect(),
            ridge,
            gaussian,
            y,
            new_y,
            l,
            l_new,
            correlations,
            alpha,
            beta,
        }
    }

    fn kernel<F: Precision>(gaussian: bool) -> AnyKernel<F> {
        if gaussian {
            Arc::new(Gaussian::new(F::cast(0.4)))
        } else {
            Arc::new(Linear::new())
        }
    }

    fn oracle_solves_its_equations(&self) {
        let (k, l, n) = (&self.case.k, &self.l, self.case.len() as f64);
        let weighted = |matrix: &Array2<f64>, coefficients: &Array2<f64>| {
            let fitted = matrix.dot(coefficients);
            let ridge = self.ridge * matrix.diag().sum() / n;
            matrix.dot(&fitted) / n + fitted * ridge
        };
        let (of_alpha, of_beta) = (weighted(k, &self.alpha), weighted(l, &self.beta));
        let name = &self.case.name;
        let cross = k.dot(&l.dot(&self.beta)) / n;
        assert_close(name, &cross, &(&of_alpha * &self.correlations));
        let cross = l.dot(&k.dot(&self.alpha)) / n;
        assert_close(name, &cross, &(&of_beta * &self.correlations));
        let lengths = |a: &Array2<f64>, b: &Array2<f64>| (a * b).sum_axis(Axis(0));
        let ones = Array1::ones(self.correlations.len());
        assert_close(name, &lengths(&self.alpha, &of_alpha), &ones);
        assert_close(name, &lengths(&self.beta, &of_beta), &ones);
    }

    fn check<F: Precision>(&self) {
        let (case, components) = (self.case, self.correlations.len());
        let kernel = F::kernel(case);
        let model = KernelCca::params(components, kernel, Self::kernel::<F>(self.gaussian))
            .ridge(self.ridge)
            .fit(&case.x::<F>(), &self.y.mapv(F::cast))
            .unwrap();
        let found = model.correlations().to_owned();
        assert_close(&case.name, &found, &self.correlations);

        // The squared correlations are eigenvalues; within a cluster of them the directions are arbitrary.
        let apart = |pair: &[f64]| pair[0] - pair[1] > F::GAP * self.squares[0];
        if !self.squares.windows(2).all(apart) {
            return;
        }
        let first: Array2<F> = model.first().transform(case.new_samples::<F>());
        let second: Array2<F> = model.second().transform(self.new_y.mapv(F::cast));
        let expected = case.k_new.dot(&self.alpha);
        let beside = self.l_new.dot(&self.beta);
        for k in 0..components {
            // Both directions of a pair have one sign.
            let sign = along(first.column(k), expected.column(k)).signum();
            let (found, alpha) = (first.column(k).to_owned(), self.alpha.column(k));
            assert_close_function(case, &found, &(&expected.column(k) * sign), alpha);
            let found = second.column(k).to_owned();
            assert_close(&case.name, &found, &(&beside.column(k) * sign));
        }
    }
}

fn along<F: Precision>(a: ArrayView1<'_, F>, b: ArrayView1<'_, f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.as_f64() * b).sum()
}
