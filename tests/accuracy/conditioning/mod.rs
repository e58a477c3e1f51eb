//! Checks every method on a smooth kernel against its formula in kernel values.
//!
//! The accuracy of a formula depends on the rounding of the kernel values that go into it. The test measures it: how far does the
//! result move when each kernel value moves by a few ε of the precision?

mod table;

use super::{FACTOR, largest};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis};
use npt::{ExpansionModel, Scalar, methods::linear::NearestCentroid, prelude::*};
use npt_testkit::oracles::centering;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// A line of n points from −1 to 1, and five new points in and beside that range.
struct Line {
    x: Array2<f64>,
    new: Array2<f64>,
}

const GAMMA: f64 = 0.5;

/// Kernel values are exact to two ε: one from the exponent and one from the exponential.
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

    /// Two classes that alternate along the line and differ in size.
    fn sides(&self) -> Array1<bool> {
        self.x.column(0).mapv(|v| (4.0 * v + 0.5).sin() > 0.2)
    }

    /// Three classes, each an interval.
    fn classes(&self) -> Array1<usize> {
        self.x
            .column(0)
            .mapv(|v| usize::from(v > -0.4) + usize::from(v > 0.5))
    }

    /// A model of three clusters, and the cluster of each point.
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
            k: centering::gram(&kernel, &x),
            k_new: centering::cross(&kernel, &new, &x),
            k_self: centering::diag(&kernel, &new),
            clusters: self.clusters::<F>().1,
        }
    }
}

type Clusters<F> = ExpansionModel<NearestCentroid<F>, Rows<F>, Gaussian<F>, F>;

/// The kernel values that a formula is made of.
struct KernelValues {
    k: Array2<f64>,
    k_new: Array2<f64>,
    k_self: Array1<f64>,
    /// The clusters at which k-means of the same precision has ended, as it may end in many places.
    clusters: Vec<usize>,
}

impl KernelValues {
    /// The kernel values, each moved by `epsilon` of its size, up or down.
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

/// A method by its formula, and as the library offers it. Both return values for the new samples.
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
