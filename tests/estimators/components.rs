//! Tests components: directions that a matrix of coordinates has by itself.

use super::{
    Row, Verdict,
    tasks::{gaussian, rings, rng},
    verdict::relative_difference,
};
use linfa::DatasetBase;
use linfa_ica::fast_ica::FastIca;
use linfa_reduction::Pca;
use ndarray::{Array2, ArrayView1, Axis, array, s};
use npt::{Axes, Exact, Kernelized, Linear, SpaceBuilder};
use rand::Rng;

pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "Pca",
        from: "linfa-reduction",
        way: "fit",
        check: pca,
    },
    Row {
        name: "FastIca",
        from: "linfa-ica",
        way: "fit",
        check: fast_ica,
    },
];

/// Tests PCA, in double precision only. The sums of squares of its scores are the eigenvalues of the kernel
/// matrix; the signs of its components are arbitrary. linfa 0.8.1 finds the components by an iteration
/// that needs five coordinates a component: with fewer, its components are wrong by up to a half of
/// the variance. (And its `explained_variance` divides by the number of components, not samples.)
fn pca() -> Verdict {
    let task = rings();
    let samples = DatasetBase::from(task.train.records().clone());
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(Pca::params(3), gaussian(axes));
        let model = estimator.fit(&samples).expect("components");
        let scores: Array2<f64> = model.predict(task.train.records());
        let squares = (&scores * &scores).sum_axis(Axis(0));
        let space = gaussian(Axes::Principal).fit_space(task.train.records());
        let space = space.expect("a space");
        let eigenvalues = space.eigenvalues().slice_move(s![..3]);
        let error = (&squares - &eigenvalues) / eigenvalues;
        assert!(error.iter().all(|e| e.abs() < 1e-6), "{error}");
        let scores: Array2<f64> = model.predict(task.new.records());
        assert_eq!(scores.dim(), (80, 3));
        scores.mapv(f64::abs)
    });
    Verdict::of_values(&principal, &cholesky)
}

/// Tests that FastICA finds independent sources whatever the basis of their mixture, in any order and with either
/// sign: here linearly mixed ones, with a linear kernel.
fn fast_ica() -> Verdict {
    let sources = |seed| {
        let mut rng = rng(seed);
        Array2::from_shape_simple_fn((300, 2), || rng.gen_range(-1.0..1.0))
    };
    let mixing = array![[1.0, 0.6, -0.4], [0.3, -1.0, 0.8]];
    let (train, new) = (sources(1).dot(&mixing), sources(2));
    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let method = FastIca::params().random_state(1).tol(1e-10);
        let estimator = Kernelized::new(method, Exact::new(Linear::new()).axes(axes));
        let model = estimator.fit(&DatasetBase::from(train.clone()));
        let found: Array2<f64> = model.expect("sources").predict(&new.dot(&mixing));
        assert_eq!(found.dim(), (300, 2));
        // The component that is most like each source, with the source's sign.
        Array2::from_shape_fn((300, 2), |(i, k)| {
            let source = new.column(k);
            let likeness = [0, 1].map(|j| correlation(found.column(j), source));
            let j = usize::from(likeness[1].abs() > likeness[0].abs());
            assert!(likeness[j].abs() > 0.98, "correlations of {likeness:?}");
            found[[i, j]] * likeness[j].signum()
        })
    });
    Verdict::of(relative_difference(&principal, &cholesky), 1e-3, 1e-2)
}

fn correlation(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    let centered = |v: ArrayView1<'_, f64>| &v - v.mean().expect("values");
    let (a, b) = (centered(a), centered(b));
    a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt()
}
