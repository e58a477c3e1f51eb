//! The methods of the test, each by its formula and as the library offers it.

use super::{Given, KernelValues, Line, Method, check};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use npt::{
    Scalar,
    methods::{
        KernelCalibratedSvc, KernelCca, KernelIca, KernelNuSvc, KernelOneClassSvm, KernelSvr,
        linear::{FastIca, PairWeight, Strategy},
    },
    prelude::*,
};
use npt_testkit::oracles::{self, svc};

fn column<T>(values: Array1<T>) -> Array2<T> {
    values.insert_axis(Axis(1))
}

macro_rules! methods {
    ($(
        $name:ident on $sizes:expr;
        formula |$line:ident, $values:ident| $formula:expr;
        run |$line_:ident, $samples:ident: $F:ident| $run:expr;
    )*) => {$(
        mod $name {
            use super::*;

            struct This;

            impl Method for This {
                fn formula($line: &Line, $values: &KernelValues) -> Array2<f64> {
                    $formula
                }

                fn run<$F: Scalar>($line_: &Line, $samples: Given<$F>) -> Array2<$F> {
                    $run
                }
            }

            #[test]
            fn is_its_formula() {
                check::<This>(&$sizes);
            }
        }
    )*};
}

const PENALTY: f64 = 1e-3;

/// The sizes for methods whose oracle does not take too many iterations.
const BOTH: [usize; 2] = [60, 300];

/// The magnitudes of scores whose sign is arbitrary.
fn magnitudes<F: Scalar>(mut scores: Array2<F>) -> Array2<F> {
    scores.mapv_inplace(num_traits::Float::abs);
    scores
}

/// The scores of both views. Each pair of columns has the sign that makes the first score of the first view positive.
fn pairs<F: Scalar>(first: Array2<F>, second: Array2<F>) -> Array2<F> {
    let signs = first.row(0).mapv(num_traits::Float::signum);
    concatenate![Axis(1), first * &signs, second * &signs]
}

/// Two functions of each point, as the second view.
fn curved(x: ArrayView1<'_, f64>) -> Array2<f64> {
    ndarray::stack![Axis(1), x.mapv(|v| (2.0 * v).sin()), x.mapv(|v| v * v)]
}

/// The mean squared distance of the samples from their centre.
fn variance(centered: &KernelValues) -> f64 {
    centered.k.diag().mean().expect("there are samples")
}

methods! {
    ridge on BOTH;
    formula |line, values| {
        let (k, y) = (values.centered(), line.targets());
        let mean = y.mean().unwrap();
        let alpha = oracles::ridge::coefficients(k.k.view(), (&y - mean).view(), PENALTY);
        column(k.k_new.dot(&alpha) + mean)
    };
    run |line, samples: F| {
        let data = Dataset::new(samples.x, line.targets().mapv(F::cast));
        let params = KernelRidge::params(samples.kernel).method(|m| m.penalty(PENALTY));
        column(params.fit(&data).unwrap().predict(&samples.new))
    };

    process on BOTH;
    formula |line, values| {
        let y = line.targets();
        let (k, k_new, k_self) = (values.k.view(), values.k_new.view(), values.k_self.view());
        let found = oracles::gaussian_process::predict(k, k_new, k_self, y.view(), PENALTY);
        ndarray::stack![Axis(1), found.means, found.variances]
    };
    run |line, samples: F| {
        let data = Dataset::new(samples.x, line.targets().mapv(F::cast));
        let model = GaussianProcess::params(samples.kernel).noise(PENALTY).fit(&data).unwrap();
        let (means, variances) = model.predict_with_variance(&samples.new).unwrap();
        ndarray::stack![Axis(1), means, variances]
    };

    components on BOTH;
    formula |_line, values| {
        let k = values.centered();
        magnitudes(oracles::kpca::scores(k.k.view(), k.k_new.view(), 3))
    };
    run |_line, samples: F| {
        let model = Kpca::params(3, samples.kernel).fit(&DatasetBase::from(samples.x)).unwrap();
        magnitudes(model.transform(samples.new))
    };

    discriminants on BOTH;
    formula |line, values| {
        let k = values.centered();
        let (mu, classes) = (0.1 * variance(&k), line.classes());
        let classes = classes.as_slice().unwrap();
        let alpha = oracles::kfd::discriminants(k.k.view(), classes, mu, false, 2).1;
        magnitudes(k.k_new.dot(&alpha))
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.classes());
        let params = Kfd::params(samples.kernel).method(|m| m.ridge(0.1));
        magnitudes(params.fit(&data).unwrap().transform(samples.new))
    };

    regression_discriminants on BOTH;
    formula |line, values| {
        let (k, targets) = (values.centered(), line.targets());
        let targets = targets.as_slice().unwrap();
        let laplacians = oracles::regression_discriminant::laplacians(targets, 0.5, |d| d);
        let trace = (&laplacians.0 * &k.k).sum() + (&laplacians.1 * &k.k).sum();
        let mu = 0.1 * trace / targets.len() as f64;
        let alpha = oracles::regression_discriminant::directions(k.k.view(), &laplacians, mu, 1).1;
        magnitudes(k.k_new.dot(&alpha))
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.targets().mapv(F::cast));
        let params = KernelRegressionDiscriminant::params(1, samples.kernel)
            .method(|m| m.threshold(0.5).weight(PairWeight::Distance).ridge(0.1));
        magnitudes(params.fit(&data).unwrap().transform(samples.new))
    };

    partial_least_squares on BOTH;
    formula |line, values| {
        let (k, y) = (values.centered(), column(line.targets()));
        let mean = y.mean_axis(Axis(0)).unwrap();
        let found = oracles::pls::components(k.k.view(), (&y - &mean).view(), 2);
        k.k_new.dot(&found.coefficients) + &mean
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, column(line.targets()).mapv(F::cast));
        KernelPls::params(2, samples.kernel).fit(&data).unwrap().predict(&samples.new)
    };

    // The second view consists of the same samples, curved.
    correlations on BOTH;
    formula |line, values| {
        let (k, n) = (values.centered(), values.k.nrows() as f64);
        let y = curved(line.x.column(0));
        let mean = y.mean_axis(Axis(0)).unwrap();
        let l = (&y - &mean).dot(&(&y - &mean).t());
        let ridges = (0.1 * variance(&k), 0.1 * l.diag().sum() / n);
        let (_, alpha, beta) = oracles::cca::directions(k.k.view(), l.view(), ridges, 2);
        let new = curved(line.new.column(0));
        let second = (&new - &mean).dot(&(&y - &mean).t()).dot(&beta);
        pairs(k.k_new.dot(&alpha), second)
    };
    run |line, samples: F| {
        let (second, new) = (curved(line.x.column(0)), curved(line.new.column(0)));
        let params = KernelCca::params(2, samples.kernel, Linear::new()).ridge(0.1);
        let model = params.fit(&samples.x, &second.mapv(F::cast)).unwrap();
        let first: Array2<F> = model.first().transform(samples.new);
        let second: Array2<F> = model.second().transform(new.mapv(F::cast));
        pairs(first, second)
    };

    novelty on BOTH;
    formula |_line, values| {
        let k = values.centered();
        let scores = oracles::kpca::scores(k.k.view(), k.k_new.view(), 2);
        column(k.k_self - scores.mapv(|score| score * score).sum_axis(Axis(1)))
    };
    run |_line, samples: F| {
        let params = NoveltyDetector::params(samples.kernel).rank(Rank::Components(2));
        column(params.fit(&DatasetBase::from(samples.x)).unwrap().transform(samples.new))
    };

    // The values are squared distances from the centroids, less the squared distance from the mean.
    clusters on BOTH;
    formula |_line, values| {
        let k = values.centered();
        let (own, k_new, k_self) = (k.k.view(), k.k_new.view(), k.k_self.view());
        oracles::kmeans::squared_distances(own, k_new, k_self, &k.clusters, 3) - column(k.k_self)
    };
    run |line, samples: F| {
        line.clusters::<F>().0.transform(samples.new)
    };

    // The oracle is linear ICA of whitened scores.
    sources on BOTH;
    formula |_line, values| {
        let (k, n) = (values.centered(), values.k.nrows() as f64);
        let (eigenvalues, alpha) = oracles::kpca::axes(k.k.view(), 2);
        let white = |k: &Array2<f64>| k.dot(&alpha) / eigenvalues.mapv(|v| (v / n).sqrt());
        let params = FastIca::params().tolerance(1e-13);
        let ica = params.fit(&DatasetBase::from(white(&k.k))).unwrap();
        magnitudes(ica.transform(white(&k.k_new)))
    };
    run |_line, samples: F| {
        let params = KernelIca::params(2, samples.kernel);
        let params = params.method(|m| m.tolerance(64.0 * F::epsilon().as_f64()));
        magnitudes(params.fit(&DatasetBase::from(samples.x)).unwrap().transform(samples.new))
    };

    // The oracle solves for all classes at once.
    logistic_regression on [60];
    formula |line, values| {
        let (k, classes) = (values.centered(), line.classes());
        let classes = classes.as_slice().unwrap();
        let (alpha, b) = oracles::logistic::coefficients(k.k.view(), classes, 0.1);
        k.k_new.dot(&alpha) + &b
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.classes());
        let params = KernelLogistic::params(samples.kernel).method(|m| m.penalty(0.1));
        params.fit(&data).unwrap().transform(samples.new)
    };

    support_vector_classification on BOTH;
    formula |line, values| {
        let (signed, bias) = svc::dual(values.k.view(), line.sides().as_slice().unwrap(), 10.0, 1e-12);
        column(values.k_new.dot(&signed) + bias)
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.sides());
        let params = KernelSvc::params(samples.kernel).method(|m| m.c(10.0).tolerance(1e-12));
        column(params.fit(&data).unwrap().transform(samples.new))
    };

    support_vector_regression on BOTH;
    formula |line, values| {
        let (beta, bias) = svc::regression_dual(values.k.view(), &line.targets(), 10.0, 0.1, 1e-12);
        column(values.k_new.dot(&beta) + bias)
    };
    run |line, samples: F| {
        let data = Dataset::new(samples.x, line.targets().mapv(F::cast));
        let params = KernelSvr::params(samples.kernel);
        let params = params.method(|m| m.c(10.0).epsilon(0.1).tolerance(1e-12));
        column(params.fit(&data).unwrap().transform(samples.new))
    };

    // The values are those that the sigmoid takes; the sigmoid is that of the first class.
    calibrated_machines on BOTH;
    formula |line, values| {
        let sides = line.sides();
        let (signed, bias) = svc::dual(values.k.view(), sides.as_slice().unwrap(), 10.0, 1e-13);
        -column(values.k_new.dot(&signed) + bias)
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.sides());
        let params = KernelCalibratedSvc::params(samples.kernel);
        let params = params.method(|m| m.c(10.0).tolerance(1e-13));
        params.fit(&data).unwrap().expansion().evaluate(&samples.new).unwrap()
    };

    support_vectors_by_nu on BOTH;
    formula |line, values| {
        let sides = line.sides();
        let (signed, bias, margin) =
            svc::nu_dual(values.k.view(), sides.as_slice().unwrap(), 0.37, 1e-13);
        column((values.k_new.dot(&signed) + bias) / margin)
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.sides());
        let params = KernelNuSvc::params(0.37, samples.kernel).method(|m| m.tolerance(1e-12));
        column(params.fit(&data).unwrap().transform(samples.new))
    };

    one_class on BOTH;
    formula |_line, values| {
        let (alpha, rho) = svc::one_class_dual(values.k.view(), 0.37, 1e-13);
        column(values.k_new.dot(&alpha) - rho)
    };
    run |_line, samples: F| {
        let params = KernelOneClassSvm::params(0.37, samples.kernel);
        let params = params.method(|m| m.tolerance(1e-12));
        column(params.fit(&DatasetBase::from(samples.x)).unwrap().transform(samples.new))
    };

    classes_one_against_rest on BOTH;
    formula |line, values| {
        let classes = line.classes();
        let mut decisions = Array2::zeros((values.k_new.nrows(), 3));
        for (class, mut decisions) in decisions.columns_mut().into_iter().enumerate() {
            let sides: Vec<bool> = classes.iter().map(|&label| label == class).collect();
            let (signed, bias) = svc::dual(values.k.view(), &sides, 10.0, 1e-12);
            decisions.assign(&(values.k_new.dot(&signed) + bias));
        }
        decisions
    };
    run |line, samples: F| {
        let data = DatasetBase::new(samples.x, line.classes());
        let params = KernelSvc::params(samples.kernel);
        let params = params.method(|m| {
            m.c(10.0).tolerance(1e-12).strategy(Strategy::OneAgainstRest)
        });
        params.fit(&data).unwrap().transform(samples.new)
    };
}
