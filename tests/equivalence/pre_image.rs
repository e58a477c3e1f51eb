use super::case::{Case, Precision, config};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{methods::pre_image::FixedPoint, prelude::*};
use npt_testkit::{
    data::normal,
    oracles::{self, centering},
};
use proptest::prelude::*;

/// γ of the Gaussian kernel, which replaces the case's own kernel.
const GAMMA: f64 = 0.3;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn fixed_points_minimise_the_distance_in_feature_space(case in Case::any(3)) {
        let problem = Problem::new(&case);
        check::<f64>(&case, &problem);
        check::<f32>(&case, &problem);
    }
}

/// The projections whose pre-images are found, by kernel values alone.
struct Problem {
    x: Rows<f64>,
    gram: Array2<f64>,
    components: usize,
    /// The coefficients of the projections, one row a new sample.
    gamma: Array2<f64>,
}

impl Problem {
    fn new(case: &Case) -> Self {
        let kernel = Gaussian::new(GAMMA);
        let x = Rows::new(case.x::<f64>()).unwrap();
        let new = Rows::new(case.new_samples::<f64>()).unwrap();
        let k = centering::centered_gram(&kernel, &x);
        let k_new = centering::centered_cross(&kernel, &new, &x);
        // There are up to five components, the last of them apart from the next; otherwise the formula is not determined.
        let values = oracles::jacobi::eigh(k.view()).0;
        let apart = |&q: &usize| {
            let next = values.get(q).copied().unwrap_or(0.0);
            values[q - 1] > 1e-2 * values[0] && values[q - 1] - next > f32::GAP * values[0]
        };
        let components = (1..=5.min(values.len())).rev().find(apart).unwrap_or(1);
        Self {
            gamma: oracles::pre_image::projections(k.view(), k_new.view(), components),
            gram: centering::gram(&kernel, &x),
            components,
            x,
        }
    }

    fn kernel_values(&self, z: &Array1<f64>) -> Array1<f64> {
        let z = z.as_slice().expect("contiguous");
        (0..self.x.len())
            .map(|i| Gaussian::new(GAMMA).eval(self.x.get(i), z))
            .collect()
    }

    fn squared_distance(&self, point: usize, z: &Array1<f64>) -> f64 {
        let (gamma, k_z) = (self.gamma.row(point), self.kernel_values(z));
        oracles::pre_image::squared_distance(self.gram.view(), k_z.view(), 1.0, gamma)
    }

    /// The length of the gradient at z, relative to the sum of the lengths of its terms.
    fn gradient(&self, point: usize, z: &Array1<f64>) -> f64 {
        let (gamma, k_z) = (self.gamma.row(point), self.kernel_values(z));
        let (x, k_z) = (self.x.view(), k_z.view());
        let gradient = oracles::pre_image::gaussian_gradient(x, z.view(), k_z, gamma);
        let terms = x.outer_iter().zip(k_z).zip(gamma).map(|((x, k), g)| {
            let d = &x - z;
            2.0 * (g * k).abs() * (d.dot(&d).sqrt() + GAMMA.sqrt().recip())
        });
        gradient.dot(&gradient).sqrt() / terms.sum::<f64>()
    }
}

fn check<F: Precision>(case: &Case, problem: &Problem) {
    let x = case.x::<F>();
    let params = Kpca::params(problem.components, Gaussian::new(F::cast(GAMMA)));
    let params = params.pre_image(FixedPoint::new());
    let model = params.fit(&DatasetBase::from(x)).unwrap();
    let found = model.denoise(&case.new_samples::<F>());
    let found = found.unwrap_or_else(|error| panic!("{}: {error}", case.name));
    for (point, z) in found.outer_iter().enumerate() {
        let z = z.mapv(F::as_f64);
        let gradient = problem.gradient(point, &z);
        assert!(gradient <= F::TOLERANCE, "{}: {gradient:e}", case.name);
        // No input within a tenth of the kernel's width is closer, but for what curvature of 0 and
        // the tolerance of the gradient allow.
        let here = problem.squared_distance(point, &z);
        let around = normal(20, z.len(), point as u64);
        for direction in around.outer_iter() {
            let step = 0.1 / (GAMMA * direction.dot(&direction)).sqrt();
            for share in [1e-3, 1e-1, 1.0] {
                let there = &z + &(&direction * (step * share));
                let there = problem.squared_distance(point, &there);
                let slack = F::TOLERANCE * share + 1e-13;
                assert!(there >= here - slack, "{}: {:e}", case.name, here - there);
            }
        }
    }
}
