//! Every method on a smooth kernel, against its formula in kernel values.
//!
//! What a formula can know depends on the rounding of the kernel values that go into it. That is
//! measured: how far does its result move when each of them does by a few ε of the precision?

use super::{FACTOR, largest};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use npt::{
    FoldedModel, Scalar,
    methods::{
        KernelCalibratedSvc, KernelCca, KernelIca, KernelMulticlassSvc, KernelNuSvc,
        KernelOneClassSvm, KernelSvr,
        linear::{FastIca, NearestCentroid, PairWeight, Strategy},
    },
    prelude::*,
};
use npt_testkit::oracles::{self, centring, svc};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// n points from −1 to 1, and five in and beside that range.
struct Line {
    x: Array2<f64>,
    new: Array2<f64>,
}

const GAMMA: f64 = 0.5;

/// Kernel values are known to two ε, one of the exponent and one of the exponential.
const KNOWN: f64 = 2.0;

impl Line {
    fn new(n: usize) -> Self {
        Self {
            x: Array2::from_shape_fn((n, 1), |(i, _)| 2.0 * i as f64 / (n - 1) as f64 - 1.0),
            new: Array2::from_shape_vec((5, 1), vec![-0.97, 0.13, 0.5, 1.5, -3.0]).unwrap(),
        }
    }

    fn targets(&self) -> Array1<f64> {
        self.x.column(0).mapv(|v| (3.0 * v).sin() + v * v)
    }

    /// Sides that alternate, and are not equally large.
    fn sides(&self) -> Array1<bool> {
        self.x.column(0).mapv(|v| (4.0 * v + 0.5).sin() > 0.2)
    }

    /// Three intervals.
    fn classes(&self) -> Array1<usize> {
        self.x
            .column(0)
            .mapv(|v| usize::from(v > -0.4) + usize::from(v > 0.5))
    }

    /// Three clusters, and which of them each point is in.
    fn clusters<F: Scalar>(&self) -> (Clusters<F>, Vec<usize>) {
        let data = DatasetBase::from(self.x.mapv(F::cast));
        let kernel = Gaussian::new(F::cast(GAMMA));
        let model = KernelKMeans::params(3, kernel).fit(&data).unwrap();
        let clusters: Array1<usize> = model.predict(&data);
        (model, clusters.to_vec())
    }

    fn kernel_values<F: Scalar>(&self) -> KernelValues {
        let kernel = Gaussian::new(GAMMA);
        let rows = |x: &Array2<f64>| Rows::new(x.mapv(|v| F::cast(v).as_f64())).unwrap();
        let (x, new) = (rows(&self.x), rows(&self.new));
        KernelValues {
            k: centring::gram(&kernel, &x),
            k_new: centring::cross(&kernel, &new, &x),
            k_self: centring::diag(&kernel, &new),
            clusters: self.clusters::<F>().1,
        }
    }
}

type Clusters<F> = FoldedModel<NearestCentroid<F>, Rows<F>, Gaussian<F>, F>;

/// What a formula is made of.
struct KernelValues {
    k: Array2<f64>,
    k_new: Array2<f64>,
    k_self: Array1<f64>,
    /// Where k-means of the same precision has ended: there are many places.
    clusters: Vec<usize>,
}

impl KernelValues {
    /// Each value moved by `epsilon` of its size, up or down.
    fn moved(&self, epsilon: f64, seed: u64) -> Self {
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let mut factor = || {
            if rng.r#gen() {
                1.0 + epsilon
            } else {
                1.0 - epsilon
            }
        };
        let mut moved = Self {
            k: self.k.mapv(|v| v * factor()),
            k_new: self.k_new.mapv(|v| v * factor()),
            k_self: self.k_self.clone(),
            clusters: self.clusters.clone(),
        };
        for i in 0..moved.k.nrows() {
            for j in 0..i {
                moved.k[[j, i]] = moved.k[[i, j]];
            }
        }
        moved
    }

    fn centered(&self) -> Self {
        let means = self.k.mean_axis(Axis(0)).expect("there are samples");
        let mean = means.mean().expect("there are samples");
        let new_means = self.k_new.mean_axis(Axis(1)).expect("there are samples");
        let columns = |means: &Array1<f64>| means.clone().insert_axis(Axis(1));
        Self {
            k: &self.k - &means - &columns(&means) + mean,
            k_new: &self.k_new - &means - &columns(&new_means) + mean,
            k_self: &self.k_self - 2.0 * &new_means + mean,
            clusters: self.clusters.clone(),
        }
    }
}

/// A method by its formula, and as it is offered; what either says of the new samples.
trait Method {
    fn formula(line: &Line, values: &KernelValues) -> Array2<f64>;
    fn run<F: Scalar>(line: &Line, data: Given<F>) -> Array2<F>;
}

struct Given<F> {
    x: Array2<F>,
    new: Array2<F>,
    kernel: Gaussian<F>,
}

fn check<M: Method>(sizes: &[usize]) {
    for &n in sizes {
        check_in::<f64, M>(n);
        check_in::<f32, M>(n);
    }
}

fn check_in<F: Scalar, M: Method>(n: usize) {
    let line = Line::new(n);
    let values = line.kernel_values::<F>();
    let expected = M::formula(&line, &values);
    let epsilon = KNOWN * F::epsilon().as_f64();
    let moves = (0..3).map(|seed| M::formula(&line, &values.moved(epsilon, seed)));
    let moved = moves.map(|moved| largest(&moved - &expected));
    let known = moved.fold(epsilon * largest(expected.iter().copied()), f64::max);

    let samples = Given {
        x: line.x.mapv(F::cast),
        new: line.new.mapv(F::cast),
        kernel: Gaussian::new(F::cast(GAMMA)),
    };
    let found = M::run::<F>(&line, samples).mapv(F::as_f64);
    assert_eq!(found.dim(), expected.dim());
    let off = largest(&found - &expected);
    let (method, precision) = (std::any::type_name::<M>(), std::any::type_name::<F>());
    println!("{method} {n} {precision}: {:.2} of {known:e}", off / known);
    assert!(
        off <= FACTOR * known,
        "{method} of {n} points in {precision}: {off:e}, known to {known:e}"
    );
}

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

/// Where the number of iterations of an oracle allows.
const BOTH: [usize; 2] = [60, 300];

/// Absolute values where the sign is a matter of taste.
fn magnitudes<F: Scalar>(mut scores: Array2<F>) -> Array2<F> {
    scores.mapv_inplace(num_traits::Float::abs);
    scores
}

/// Scores of both views, up to the sign of a pair.
fn pairs<F: Scalar>(first: Array2<F>, second: Array2<F>) -> Array2<F> {
    let signs = first.row(0).mapv(num_traits::Float::signum);
    concatenate![Axis(1), first * &signs, second * &signs]
}

/// Two functions of each point.
fn curved(x: ArrayView1<'_, f64>) -> Array2<f64> {
    ndarray::stack![Axis(1), x.mapv(|v| (2.0 * v).sin()), x.mapv(|v| v * v)]
}

/// Σ of the squared distances from the centre, by the number of samples.
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

    // The second view is of the same samples, curved.
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

    // Squared distances, less that from the mean.
    clusters on BOTH;
    formula |_line, values| {
        let k = values.centered();
        let (own, k_new, k_self) = (k.k.view(), k.k_new.view(), k.k_self.view());
        oracles::kmeans::squared_distances(own, k_new, k_self, &k.clusters, 3) - column(k.k_self)
    };
    run |line, samples: F| {
        line.clusters::<F>().0.transform(samples.new)
    };

    // Linear, of whitened scores.
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

    // What the sigmoid is of; it is of the first class.
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
        let params = KernelMulticlassSvc::params(samples.kernel);
        let params = params.method(|m| {
            m.c(10.0).tolerance(1e-12).strategy(Strategy::OneAgainstRest)
        });
        params.fit(&data).unwrap().transform(samples.new)
    };
}
