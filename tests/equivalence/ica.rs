use super::case::{Case, Precision, assert_close, assert_close_on, config, double};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::{methods::Error, prelude::*};
use npt_testkit::oracles;
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    /// Sources have no formula, but properties: they are white, in the span of the first kernel principal components, and
    /// a fixed point of the iteration.
    #[test]
    fn ica_is_a_fixed_point_among_principal_components(case in Case::any(12), most in 2..5_usize) {
        let values = case.eigenvalues();
        let apart = |i: usize| {
            values[i - 1] > 0.01 * values[0] && values[i - 1] - values[i] > f32::GAP * values[0]
        };
        let components = (1..=most).rev().find(|&i| apart(i));
        prop_assume!(components.is_some());
        let components = components.unwrap();
        // The iteration may have no fixed point within reach for a few samples.
        prop_assume!(check::<f64>(&case, components, 1e-11));
        prop_assume!(check::<f32>(&case, components, 1e-5));
    }
}

fn check<F: Precision>(case: &Case, components: usize, tolerance: f64) -> bool {
    let params = KernelIca::params(components, F::kernel(case)).method(|m| m.tolerance(tolerance));
    let model = match params.fit(&DatasetBase::from(case.x::<F>())) {
        Ok(model) => model,
        Err(KernelizedError::Method(Error::NotConverged { .. })) => return false,
        Err(error) => panic!("{}: {error}", case.name),
    };
    let n = case.len() as f64;
    let sources = double(&model.transform(case.x::<F>()));

    let (values, alpha) = oracles::kpca::axes(case.k.view(), components);
    let white = |scores: Array2<f64>| scores / values.mapv(|v| (v / n).sqrt());
    let z = white(case.k.dot(&alpha));
    let products = sources.dot(&sources.t()).mapv(F::cast);
    assert_close(&case.name, &products, &z.dot(&z.t()));
    let covariance = (sources.t().dot(&sources) / n).mapv(F::cast);
    assert_close(&case.name, &covariance, &Array2::eye(components));

    assert_fixed_point::<F>(case, &sources);

    let new = model.transform(case.new_samples::<F>());
    let z_new = white(case.k_new.dot(&alpha));
    let expected = z_new.dot(&(z.t().dot(&sources) / n));
    assert_close(&case.name, &new, &expected);
    true
}

/// Asserts that sources are a fixed point of the iteration. With B = E g(s)sᵀ − diag(E g′(s)), g = tanh, the next W is (BBᵀ)^-½BW:
/// W itself but for signs where B times the signs of its diagonal is symmetric.
fn assert_fixed_point<F: Precision>(case: &Case, sources: &Array2<f64>) {
    let n = case.len() as f64;
    let g = sources.mapv(f64::tanh);
    let slopes = g.mapv(|g| 1.0 - g * g).mean_axis(Axis(0)).unwrap();
    let b = g.t().dot(sources) / n - Array2::from_diag(&slopes);
    let signs: Array1<f64> = b.diag().mapv(f64::signum);
    let signed = b * &signs;
    let transposed = signed.t().to_owned();
    assert_close_on(&case.name, &signed.mapv(F::cast), &transposed, 1.0);
}
