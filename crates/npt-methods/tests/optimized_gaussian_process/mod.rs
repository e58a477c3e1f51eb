//! Tests of kernels whose parameters are found by the marginal likelihood.

mod peers;
mod refused;

use linfa::{Dataset, traits::Fit};
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, array};
use npt_core::{
    Gaussian, Items, Kernel, LengthScales, Linear, Matern, Polynomial, Rows, Scalar, Subsequence,
    parameters,
};
use npt_methods::{GaussianProcess, OptimizerRun};

fn line(n: usize) -> Array2<f64> {
    Array::linspace(0.0, 6.0, n).insert_axis(Axis(1))
}

/// The samples of a sine with a disturbance of variance 0.005.
fn wave() -> Dataset<f64, f64, ndarray::Ix1> {
    let x = line(30);
    let y = x.column(0).mapv(|x| x.sin() + 0.1 * (50.0 * x).sin());
    Dataset::new(x, y)
}

fn likelihood<K: Kernel<Rows<f64>, Scalar = f64>>(
    kernel: K,
    noise: f64,
    data: &Dataset<f64, f64, ndarray::Ix1>,
) -> f64 {
    let params = GaussianProcess::params(kernel).noise(noise);
    params.fit(data).unwrap().log_marginal_likelihood()
}

fn last(run: &OptimizerRun) -> f64 {
    run.path().last().unwrap().log_marginal_likelihood
}

/// Any parameter that is moved from the found value, either way, makes the likelihood of a fit less.
#[test]
fn nothing_nearby_is_likelier() {
    let data = wave();
    let kernel = Gaussian::new(10.0).scaled(1.0) + Linear::new().scaled(0.1);
    let model = GaussianProcess::optimized(kernel).fit(&data).unwrap();
    let (found, noise) = (model.kernel(), model.noise());
    let best = likelihood(*found, noise, &data);
    assert_eq!(best, model.log_marginal_likelihood());
    assert!((best - last(&model.runs()[0])).abs() < 1e-9);
    assert!(best > likelihood(kernel, 1.0, &data) + 10.0);
    for parameter in Kernel::<Rows<f64>>::parameters(found) {
        let value = parameter.value.reals()[0];
        // There are no linear targets: the linear part is at its lower bound, and below the bound it is likelier.
        let at_bound = parameter.name == "second.factor";
        assert_eq!(at_bound, value < 1.01e-6);
        for factor in [0.98, 1.02] {
            let moved =
                Kernel::<Rows<f64>>::with_parameter(*found, &parameter.name, value * factor);
            let less = best - likelihood(moved.unwrap(), noise, &data);
            let least = if at_bound { 0.0 } else { 1e-5 };
            let expected = less > least || at_bound && factor < 1.0;
            assert!(expected, "{}: {less:e}", parameter.name);
        }
    }
    for factor in [0.98, 1.02] {
        assert!(best - likelihood(*found, noise * factor, &data) > 1e-5);
    }
}

/// The kernel exp(−γ‖a − b‖²), which does not know its derivative.
#[derive(Clone)]
struct Unknown {
    gamma: f64,
}

impl Kernel<Rows<f64>> for Unknown {
    type Scalar = f64;

    parameters!("unknown", gamma);

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        Kernel::<Rows<f64>>::eval(&Gaussian::new(self.gamma), a, b)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// Differences of kernel values find what derivatives find.
#[test]
fn unknown_derivatives() {
    let data = wave();
    let known = GaussianProcess::optimized(Gaussian::new(3.0))
        .fit(&data)
        .unwrap();
    let unknown = GaussianProcess::optimized(Unknown { gamma: 3.0 })
        .fit(&data)
        .unwrap();
    let (expected, found) = (known.kernel().gamma(), unknown.kernel().gamma);
    assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    assert!((unknown.noise() / known.noise() - 1.0).abs() < 1e-5);
    let off = unknown.log_marginal_likelihood() - known.log_marginal_likelihood();
    assert!(off.abs() < 1e-9, "{off:e}");
}

/// A kernel that gives too many or too few derivatives is taken to know none, alone and as a part;
/// the other parts keep their derivatives.
#[test]
fn wrong_numbers_of_derivatives() {
    #[derive(Clone)]
    struct Wrong {
        gamma: f64,
        count: usize,
    }

    impl Kernel<Rows<f64>> for Wrong {
        type Scalar = f64;

        parameters!("wrong", gamma);

        fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
            Kernel::<Rows<f64>>::eval(&Gaussian::new(self.gamma), a, b)
        }

        fn parameter_derivatives(&self, _: &Rows<f64>, _: ArrayView2<'_, f64>) -> Vec<Option<f64>> {
            vec![Some(1e9); self.count]
        }

        fn is_positive_semidefinite(&self) -> bool {
            true
        }
    }

    let data = wave();
    let expected = GaussianProcess::optimized(Gaussian::new(3.0))
        .fit(&data)
        .unwrap();
    let other = Gaussian::new(3.0).plus(Gaussian::new(0.01).scaled(2.0));
    let expected_sum = GaussianProcess::optimized(other).fit(&data).unwrap();
    for count in [0, 2, 5] {
        let wrong = Wrong { gamma: 3.0, count };
        let model = GaussianProcess::optimized(wrong.clone())
            .fit(&data)
            .unwrap();
        let off = model.log_marginal_likelihood() - expected.log_marginal_likelihood();
        assert!(off.abs() < 1e-9, "{count}: {off:e}");
        let sum = Kernel::<Rows<f64>>::plus(wrong, Gaussian::new(0.01).scaled(2.0));
        let model = GaussianProcess::optimized(sum).fit(&data).unwrap();
        let off = model.log_marginal_likelihood() - expected_sum.log_marginal_likelihood();
        assert!(off.abs() < 1e-7, "{count}: {off:e}");
    }
}

/// Targets a thousand times as large as the kernel at the start suggests lead to no step across the whole range.
#[test]
fn targets_of_another_scale() {
    let data = wave();
    let large = Dataset::new(data.records.clone(), &data.targets * 1e3);
    let fit = |data, scale: f64| {
        let search = GaussianProcess::optimized(Gaussian::new(0.5).scaled(scale));
        search
            .noise(scale)
            .bounds("noise", 1e-8, 1e8)
            .fit(data)
            .unwrap()
    };
    let (plain, model) = (fit(&data, 1.0), fit(&large, 1.0));
    let off = model.log_marginal_likelihood() + 30.0 * 1e3_f64.ln();
    let off = off - plain.log_marginal_likelihood();
    // The factor, at 10⁶, is beyond its bound of 10⁵.
    assert_eq!(model.runs()[0].at_bounds(), ["factor"]);
    assert!((-10.0..0.0).contains(&off), "{off}");
    let near = fit(&large, 1e3);
    let off = near.log_marginal_likelihood() + 30.0 * 1e3_f64.ln();
    let off = off - plain.log_marginal_likelihood();
    assert!(off.abs() < 1e-8, "{off:e}");
    for run in model.runs().iter().chain(near.runs()) {
        assert!(run.has_converged());
        for pair in run.path()[..2].windows(2) {
            for (a, b) in pair[0].parameters.iter().zip(&pair[1].parameters) {
                assert!((b / a).ln().abs() < 4.0, "{run}");
            }
        }
    }
}

/// More samples than the number up to which kernel values are taken as they are, of low rank, have the model
/// of the search, in f32 too, where coordinates would be singular.
#[test]
fn many_samples_of_low_rank() {
    let x = line(1500);
    let y = x.column(0).mapv(|x| x.sin() + 0.1 * (50.0 * x).sin());
    let narrow = Dataset::new(x.mapv(|v| v as f32), y.mapv(|v| v as f32));
    let search = GaussianProcess::optimized(Gaussian::new(1.0_f32).scaled(1.0)).noise(0.1);
    let model = search.keep("kernel.gamma").fit(&narrow).unwrap();
    let off = (f64::from(model.log_marginal_likelihood()) - last(&model.runs()[0])).abs();
    assert!(off < 1.0, "{off}");
    assert!((0.004..0.006).contains(&model.noise()), "{}", model.noise());
}

/// The mean of the targets as m gives the model of targets of mean 0.
#[test]
fn mean_of_targets() {
    let data = wave();
    let search = GaussianProcess::optimized(Gaussian::new(3.0).scaled(2.0));
    let shifted = Dataset::new(data.records.clone(), &data.targets + 50.0);
    let mean = data.targets.mean().unwrap();
    let less = Dataset::new(data.records.clone(), &data.targets - mean);
    let (expected, model) = (
        search.fit(&less).unwrap(),
        search.clone().mean_of_targets(true).fit(&shifted).unwrap(),
    );
    assert!((model.prior_mean() - mean - 50.0).abs() < 1e-12);
    let off = model.log_marginal_likelihood() - expected.log_marginal_likelihood();
    assert!(off.abs() < 1e-9, "{off:e}");
}

/// Kept parameters stay to the bit; bounded ones stay within their bounds, and end at a bound that they would leave.
#[test]
fn kept_and_bounded() {
    let data = wave();
    let search = || GaussianProcess::optimized(Gaussian::new(3.0).scaled(2.0));
    let model = search()
        .keep("factor")
        .bounds("noise", 0.05, 2.0)
        .fit(&data)
        .unwrap();
    assert_eq!(model.runs()[0].names(), ["kernel.gamma", "noise"]);
    assert_eq!(model.kernel().factor(), 2.0);
    assert!(
        (model.noise() / 0.05 - 1.0).abs() < 1e-6,
        "{}",
        model.noise()
    );
    assert!(model.runs()[0].has_converged());
    assert_eq!(model.runs()[0].at_bounds(), ["noise"]);
    let kept = search().keep("noise").fit(&data).unwrap();
    assert_eq!(kept.noise(), 1.0);
    // From the bound itself there is a way back.
    let from_bound = search().bounds("noise", 1e-6, 1.0).fit(&data).unwrap();
    let free = search().fit(&data).unwrap();
    let off = from_bound.log_marginal_likelihood() - free.log_marginal_likelihood();
    assert!(off.abs() < 1e-9, "{off:e}");
    // With all parameters kept there is nothing to do, and the search has converged.
    let all = search().keep("factor").keep("kernel.gamma").keep("noise");
    let model = all.fit(&data).unwrap();
    assert_eq!(model.runs()[0].path().len(), 1);
    assert_eq!(
        model.log_marginal_likelihood(),
        likelihood(*model.kernel(), 1.0, &data)
    );
}

/// Parameters that are integers, a smoothness of few values, or 0 are not moved; the numbers of a list are, each by
/// itself.
#[test]
fn what_is_moved() {
    let x = Array2::from_shape_fn((25, 2), |(i, k)| ((3 * i + 7 * k) as f64).sin());
    let y = x.map_axis(Axis(1), |row| row[0] + 0.01 * (40.0 * row[1]).sin());
    let data = Dataset::new(x, y);
    let of_features = LengthScales::new(Matern::five_halves(1.0), vec![1.0, 1.0]);
    let kernel = of_features + Polynomial::new(2, 0.5, 0.0);
    let search = GaussianProcess::optimized(kernel)
        .keep("first.kernel.length_scale")
        .bounds("first.length_scales", 1e-2, 1e2)
        .bounds("first.length_scales[1]", 1e-2, 50.0);
    let model = search.fit(&data).unwrap();
    let expected = [
        "first.length_scales[0]",
        "first.length_scales[1]",
        "second.gamma",
        "noise",
    ];
    assert_eq!(model.runs()[0].names(), expected);
    for step in model.runs()[0].path() {
        assert!(step.parameters[1] <= 50.0 * (1.0 + 1e-12));
    }
    // The second feature matters little.
    let scales = model.kernel().first().length_scales();
    assert!(scales[1] > 3.0 * scales[0], "{scales:?}");
}

/// A search that starts where all is noise ends at "all is noise"; drawn starts find the wave. The same seed draws
/// the same starts.
#[test]
fn restarts() {
    let data = wave();
    let search = || GaussianProcess::optimized(Gaussian::new(2e4).scaled(1e-4)).noise(1.0);
    let once = search().fit(&data).unwrap();
    assert!(once.noise() > 0.3, "{}", once.noise());
    let model = search().restarts(8).fit(&data).unwrap();
    assert_eq!(model.runs().len(), 9);
    assert_eq!(model.runs()[0], once.runs()[0]);
    let best = model
        .runs()
        .iter()
        .map(last)
        .fold(f64::NEG_INFINITY, f64::max);
    assert!((model.log_marginal_likelihood() - best).abs() < 1e-9);
    assert!(best > last(&once.runs()[0]) + 20.0);
    assert!(model.noise() < 0.01, "{}", model.noise());
    assert_eq!(
        search().restarts(8).fit(&data).unwrap().runs(),
        model.runs()
    );
    let other = search().restarts(8).seed(1).fit(&data).unwrap();
    assert_ne!(other.runs()[1].path()[0], model.runs()[1].path()[0]);
}

/// Paths go up, begin at the given start, and print as a table.
#[test]
fn paths() {
    let search = GaussianProcess::optimized(Gaussian::new(3.0).scaled(2.0)).noise(0.5);
    let model = search.fit(&wave()).unwrap();
    let run = &model.runs()[0];
    for (k, value) in [2.0, 3.0, 0.5].into_iter().enumerate() {
        assert!((run.path()[0].parameters[k] / value - 1.0).abs() < 1e-14);
    }
    let steps = run.path().windows(2);
    assert!(steps.len() > 3);
    assert!(run.evaluations() >= run.path().len());
    for pair in steps {
        assert!(pair[1].log_marginal_likelihood > pair[0].log_marginal_likelihood);
    }
    let text = run.to_string();
    let first = text.lines().next().unwrap();
    let names: Vec<&str> = first.split_whitespace().collect();
    assert_eq!(names, ["ln", "p(t)", "factor", "kernel.gamma", "noise"]);
    assert_eq!(text.lines().count(), 1 + run.path().len());
    let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|&width| width == widths[0]), "{text}");
}

/// A search in f32 agrees to the precision of the likelihood in f32.
#[test]
fn single_precision() {
    let data = wave();
    let wide = GaussianProcess::optimized(Gaussian::new(3.0).scaled(2.0))
        .fit(&data)
        .unwrap();
    let narrow = Dataset::new(
        data.records.mapv(|v| v as f32),
        data.targets.mapv(|v| v as f32),
    );
    let kernel = Gaussian::new(3.0_f32).scaled(2.0);
    let model = GaussianProcess::optimized(kernel).fit(&narrow).unwrap();
    let off = model.log_marginal_likelihood().as_f64() - wide.log_marginal_likelihood();
    assert!(off.abs() < 1e-2, "{off:e}");
    let ratio = f64::from(model.kernel().inner().gamma()) / wide.kernel().inner().gamma();
    assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
}

/// Samples may be of any type: the decay of a string kernel is found, by differences alone.
#[test]
fn strings() {
    let words = [
        "kernel", "colonel", "ernest", "nelson", "elk", "kern", "keel", "lone",
    ];
    let targets: Array1<f64> = words
        .map(|w| w.matches("el").count() as f64)
        .to_vec()
        .into();
    let records = Items::new(words.to_vec()).unwrap();
    let data = linfa::DatasetBase::new(records, targets);
    let search = GaussianProcess::optimized(Subsequence::new(2, 0.5)).bounds("decay", 0.01, 1.0);
    let model = search.restarts(3).fit(&data).unwrap();
    assert_eq!(model.runs()[0].names(), ["decay", "noise"]);
    // No point of a grid is likelier, and one point is almost as likely.
    let mut best = f64::NEG_INFINITY;
    for k in 1..=40 {
        for l in -40..=20 {
            let kernel = Subsequence::new(2, f64::from(k) / 40.0);
            let params = GaussianProcess::params(kernel).noise((f64::from(l) / 5.0).exp());
            best = best.max(params.fit(&data).unwrap().log_marginal_likelihood());
        }
    }
    let found = model.log_marginal_likelihood();
    assert!((0.0..0.02).contains(&(found - best)), "{found} {best}");
}

/// Scales of the targets move the factor and the noise by their squares, and nothing else.
#[test]
fn scales_of_targets() {
    let data = wave();
    let fit = |scale: f64| {
        let data = Dataset::new(data.records.clone(), &data.targets * scale);
        let kernel = Gaussian::new(3.0).scaled(scale * scale);
        let search = GaussianProcess::optimized(kernel).noise(scale * scale);
        search.fit(&data).unwrap()
    };
    let plain = fit(1.0);
    for exponent in [-200, -30, 30, 200] {
        let scale = 2.0_f64.powi(exponent);
        let model = fit(scale);
        let ratio = model.kernel().inner().gamma() / plain.kernel().inner().gamma();
        assert!((ratio - 1.0).abs() < 1e-5, "2^{exponent}: {ratio}");
        let ratio = model.noise() / scale / scale / plain.noise();
        assert!((ratio - 1.0).abs() < 1e-5, "2^{exponent}: {ratio}");
    }
}

/// Searches end at the bounds where there is nothing to find: targets that are all 0, one sample, samples that are all the same.
#[test]
fn where_nothing_is_to_be_found() {
    let fit = |x: Array2<f64>, y: Array1<f64>| {
        let search = GaussianProcess::optimized(Gaussian::new(1.0).scaled(1.0));
        search.restarts(2).fit(&Dataset::new(x, y)).unwrap()
    };
    let zeros = fit(line(10), Array1::zeros(10));
    assert!(zeros.noise() < 2e-5);
    let one = fit(array![[1.0]], array![2.0]);
    // C = f + σ² = t² is likeliest.
    assert!((one.noise() + one.kernel().factor() - 4.0).abs() < 1e-4);
    let same = fit(Array2::ones((5, 2)), array![1.0, 2.0, 1.0, 3.0, 1.0]);
    // Equal samples have a mean, and the variance around it: (Σ(t − t̄)²)/(n − 1) is likeliest.
    assert!((same.noise() - 0.8).abs() < 1e-3, "{}", same.noise());
}
