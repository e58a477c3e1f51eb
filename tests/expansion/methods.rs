//! Tests every ready-made linear method by its expansion against the method by coordinates.

use super::{ROADS, TOLERANCE, assert_close};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1};
use npt::{methods::KernelRegressionDiscriminant, prelude::*};
use npt_testkit::data::{duplicates, low_rank, normal};

/// The tolerance of support vector methods where two roads are compared: the solver goes to its end.
const SOLVER: f64 = 1e-13;

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

/// Samples with the targets that methods take.
struct Sets {
    new: Array2<f64>,
    plain: DatasetBase<Array2<f64>, Array1<()>>,
    classes: Dataset<f64, usize, Ix1>,
    sides: Dataset<f64, bool, Ix1>,
    values: Dataset<f64, f64, Ix1>,
}

impl Sets {
    fn new(x: &Array2<f64>) -> Self {
        let sums = x.sum_axis(Axis(1));
        let median = sums.mean().unwrap();
        let sides = sums.mapv(|v| v > median);
        Self {
            new: normal(9, x.ncols(), 5),
            plain: DatasetBase::from(x.clone()),
            classes: DatasetBase::new(x.clone(), sides.mapv(usize::from)),
            sides: DatasetBase::new(x.clone(), sides),
            values: DatasetBase::new(x.clone(), sums),
        }
    }
}

/// Plain samples, and degenerate ones.
fn sets() -> [(&'static str, Sets); 4] {
    [
        ("plain", normal(40, 3, 1)),
        ("more features than samples", normal(8, 20, 2)),
        ("duplicates", duplicates(15, 3, 2, 3)),
        ("on a line", low_rank(30, 4, 1, 4)),
    ]
    .map(|(name, x)| (name, Sets::new(&x)))
}

macro_rules! assert_expanded_in {
    ($what:expr, $sets:expr, $space:expr; $($name:literal: $params:expr, $data:ident as $values:ident;)*) => {$(
        let params = $params.space($space);
        assert_expanded!(&$what($name), params, &$sets.$data, $sets.new, $values<f64>);
    )*};
}

/// Checks every ready-made linear method in a space.
macro_rules! assert_all_expanded {
    ($what:expr, $sets:expr, $space:expr) => {{
        let (what, sets) = ($what, $sets);
        assert_expanded_in! { what, sets, $space;
            "KPCA": Kpca::params(2, kernel()), plain as Array2;
            "KPCA-L1": KpcaL1::params(2, kernel()), plain as Array2;
            "KFD": Kfd::params(kernel()), classes as Array2;
            "KDAr": KernelRegressionDiscriminant::params(1, kernel()), values as Array2;
            "ICA": KernelIca::params(1, kernel()), plain as Array2;
            "PLS": KernelPls::params(2, kernel()), values as Array2;
            "logistic": KernelLogistic::params(kernel()), classes as Array2;
            "SVC": KernelSvc::params(kernel()).method(|m| m.tolerance(SOLVER)), sides as Array1;
            "ν-SVC": KernelNuSvc::params(0.2, kernel()).method(|m| m.tolerance(SOLVER)), sides as Array1;
            "classes": KernelSvc::params(kernel()).method(|m| m.tolerance(SOLVER)), classes as Array2;
            "calibrated": KernelCalibratedSvc::params(kernel())
                .method(|m| m.folds(2).tolerance(SOLVER)), classes as Array2;
            "SVR": KernelSvr::params(kernel()).method(|m| m.tolerance(SOLVER)), values as Array1;
        }
        let params = KernelOneClassSvm::params(0.5, kernel())
            .space($space)
            .space(|s| s.centered(false))
            .method(|m| m.tolerance(SOLVER));
        assert_expanded!(&what("one class"), params, &sets.plain, sets.new, Array1<f64>);

        let params = KernelRidge::params(kernel())
            .space($space)
            .space(|s| s.centered(false));
        let model = params.fit(&sets.values).unwrap();
        let by_coordinates = params.by_coordinates().fit(&sets.values).unwrap();
        let (found, expected) = (model.predict(&sets.new), by_coordinates.predict(&sets.new));
        let column = |values: Array1<f64>| values.insert_axis(Axis(1));
        assert_close(&what("ridge"), &column(found), &column(expected), TOLERANCE);
    }};
}

#[test]
fn methods_predict_by_their_expansions() {
    for (name, sets) in &sets() {
        for axes in [Axes::Principal, Axes::Cholesky] {
            let what = |method: &str| format!("{method}, {name}, {axes:?}");
            assert_all_expanded!(what, sets, |s| s.axes(axes));
        }
    }
}

/// Methods predict in the space of a few landmarks, of fewer dimensions than the samples span.
#[test]
fn methods_predict_by_landmarks() {
    for (name, sets) in &sets() {
        for axes in [Axes::Principal, Axes::Cholesky] {
            let what = |method: &str| format!("{method}, {name}, {axes:?}, landmarks");
            let landmarks = Pivoting::random(6);
            assert_all_expanded!(what, sets, |_| Nystrom::new(kernel(), landmarks).axes(axes));
        }
    }
}

/// Both views of a canonical correlation can be written as expansions.
#[test]
fn views_are_expanded() {
    let x = normal(30, 3, 1);
    let kernel = Gaussian::new(0.3);
    let (params, y) = (KernelCca::params(2, kernel, kernel), x.mapv(f64::sin));
    let model = params.fit(&x, &y).unwrap();
    let view = params.fit_by_coordinates(&x, &y).unwrap().second().clone();
    let new = normal(9, 3, 2);
    let by_coordinates: Array2<f64> = view.transform(new.clone());
    let expanded: Array2<f64> = view.expand().unwrap().transform(new.clone());
    assert_close("CCA", &expanded, &by_coordinates, TOLERANCE);
    let by_kernel_values: Array2<f64> = model.second().transform(new);
    assert_close("CCA", &by_kernel_values, &by_coordinates, ROADS);
}
