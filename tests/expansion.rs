//! Linear models folded back to sums of kernel values: the same predictions without coordinates.

use linfa::{Dataset, DatasetBase};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis, Ix1, array, s};
use npt::{
    Error, Expansion, FoldableMethod, FoldedModel, KernelMethod, KernelRows,
    methods::{
        Error as MethodError, KernelRegressionDiscriminant,
        linear::{Lda, LdaParams, Pls},
    },
    prelude::*,
};
use npt_testkit::data::{circles, duplicates, low_rank, normal};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

const TOLERANCE: f64 = 1e-10;

/// Coordinates of samples beside the span of the training samples are known to √ε, kernel values to ε.
const ROADS: f64 = 1e-8;

/// Where two roads are compared, the solver of support vector methods goes to its end.
const SOLVER: f64 = 1e-13;

fn assert_close(what: &str, found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    let scale = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (found - expected).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(
        off <= tolerance * scale,
        "{what}: off by {off:e} of {scale:e}"
    );
}

/// The values of a ready-made method, which predicts by its expansion, and of the same method by
/// coordinates.
macro_rules! assert_folded {
    ($what:expr, $params:expr, $data:expr, $new:expr, $values:ty) => {{
        let params = $params;
        let by_kernel_values: $values = params.fit($data).unwrap().transform($new.clone());
        let whole = params.by_coordinates().fit($data).unwrap();
        let by_coordinates: $values = whole.transform($new.clone());
        let folded: $values = whole.fold().unwrap().transform($new.clone());
        let columns = |values: $values| {
            let shape = ($new.nrows(), values.len() / $new.nrows());
            values.into_shape_with_order(shape).unwrap()
        };
        let by_coordinates = columns(by_coordinates);
        assert_close($what, &columns(folded), &by_coordinates, TOLERANCE);
        assert_close($what, &columns(by_kernel_values), &by_coordinates, ROADS);
        whole
    }};
}

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

/// Every method of ours that is linear, in a space.
macro_rules! assert_all_folded {
    ($what:expr, $sets:expr, $space:expr) => {{
        let (what, sets) = ($what, $sets);
        let params = Kpca::params(2, kernel()).space($space);
        assert_folded!(&what("KPCA"), params, &sets.plain, sets.new, Array2<f64>);
        let params = KpcaL1::params(2, kernel()).space($space);
        assert_folded!(&what("KPCA-L1"), params, &sets.plain, sets.new, Array2<f64>);
        let params = Kfd::params(kernel()).space($space);
        assert_folded!(&what("KFD"), params, &sets.classes, sets.new, Array2<f64>);
        let params = KernelRegressionDiscriminant::params(1, kernel()).space($space);
        assert_folded!(&what("KDAr"), params, &sets.values, sets.new, Array2<f64>);
        let params = KernelIca::params(1, kernel()).space($space);
        assert_folded!(&what("ICA"), params, &sets.plain, sets.new, Array2<f64>);
        let params = KernelPls::params(2, kernel()).space($space);
        assert_folded!(&what("PLS"), params, &sets.values, sets.new, Array2<f64>);
        let params = KernelLogistic::params(kernel()).space($space);
        assert_folded!(
            &what("logistic"),
            params,
            &sets.classes,
            sets.new,
            Array2<f64>
        );
        let params = KernelSvc::params(kernel())
            .space($space)
            .method(|m| m.tolerance(SOLVER));
        assert_folded!(&what("SVC"), params, &sets.sides, sets.new, Array1<f64>);
        let params = KernelNuSvc::params(0.2, kernel())
            .space($space)
            .method(|m| m.tolerance(SOLVER));
        assert_folded!(&what("ν-SVC"), params, &sets.sides, sets.new, Array1<f64>);
        let params = KernelMulticlassSvc::params(kernel())
            .space($space)
            .method(|m| m.tolerance(SOLVER));
        assert_folded!(
            &what("classes"),
            params,
            &sets.classes,
            sets.new,
            Array2<f64>
        );
        let params = KernelCalibratedSvc::params(kernel())
            .space($space)
            .method(|m| m.folds(2).tolerance(SOLVER));
        assert_folded!(
            &what("calibrated"),
            params,
            &sets.classes,
            sets.new,
            Array2<f64>
        );
        let params = KernelSvr::params(kernel())
            .space($space)
            .method(|m| m.tolerance(SOLVER));
        assert_folded!(&what("SVR"), params, &sets.values, sets.new, Array1<f64>);
        let params = KernelOneClassSvm::params(0.5, kernel())
            .space($space)
            .space(|s| s.centered(false))
            .method(|m| m.tolerance(SOLVER));
        assert_folded!(
            &what("one class"),
            params,
            &sets.plain,
            sets.new,
            Array1<f64>
        );

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
            assert_all_folded!(what, sets, |s| s.axes(axes));
        }
    }
}

/// The space of a few landmarks, fewer than the samples span dimensions.
#[test]
fn methods_predict_by_landmarks() {
    for (name, sets) in &sets() {
        for axes in [Axes::Principal, Axes::Cholesky] {
            let what = |method: &str| format!("{method}, {name}, {axes:?}, landmarks");
            let landmarks = Pivoting::random(6);
            assert_all_folded!(what, sets, |_| Nystrom::new(kernel(), landmarks).axes(axes));
        }
    }
}

/// Either view of a canonical correlation.
#[test]
fn views_are_folded_back() {
    let x = normal(30, 3, 1);
    let kernel = Gaussian::new(0.3);
    let (params, y) = (KernelCca::params(2, kernel, kernel), x.mapv(f64::sin));
    let model = params.fit(&x, &y).unwrap();
    let view = params.fit_by_coordinates(&x, &y).unwrap().second().clone();
    let new = normal(9, 3, 2);
    let by_coordinates: Array2<f64> = view.transform(new.clone());
    let folded: Array2<f64> = view.fold().unwrap().transform(new.clone());
    assert_close("CCA", &folded, &by_coordinates, TOLERANCE);
    let by_kernel_values: Array2<f64> = model.second().transform(new);
    assert_close("CCA", &by_kernel_values, &by_coordinates, ROADS);
}

/// Labels and scores, in all forms that linfa has, and those without panic.
#[test]
fn a_folded_model_predicts_in_all_forms() {
    let (x, labels) = circles(60, 1);
    let data = DatasetBase::new(x, labels);
    let params = Kfd::params(Gaussian::new(0.5));
    let model = params.fit(&data).unwrap();
    let new = normal(20, 2, 2);
    let by_coordinates = params.by_coordinates().fit(&data).unwrap();
    let expected: Array1<usize> = by_coordinates.predict(&new);
    assert!(expected.iter().any(|&l| l == 0) && expected.iter().any(|&l| l == 1));

    assert_eq!(model.predict(&new), expected);
    assert_eq!(model.predict(new.clone()).targets, expected);
    let rows = Rows::new(new.clone()).unwrap();
    assert_eq!(model.predict(&rows), expected);
    assert_eq!(model.try_predict(&new), Ok(expected.clone()));
    let mut in_place = Array1::zeros(20);
    model.try_predict_inplace(&rows, &mut in_place).unwrap();
    assert_eq!(in_place, expected);

    let scores: Array2<f64> = model.transform(rows.clone());
    assert_eq!(model.try_transform(&new), Ok(scores));
    let wide: Result<Array1<usize>, Error> = model.try_predict(&normal(2, 5, 1));
    let (expected, found) = (2, 5);
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
    let wide: Result<Array2<f64>, Error> = model.try_transform(&normal(2, 5, 1));
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
}

/// Any linear model, by its weights: linfa's, in a space of few components.
#[test]
fn a_regression_of_linfa_is_folded_back_by_its_weights() {
    let x = normal(60, 2, 1);
    let y = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1]);
    let space = Exact::new(Gaussian::new(0.5)).rank(Rank::Components(15));
    let estimator = Kernelized::new(LinearRegression::new(), space);
    let model = estimator.fit(&DatasetBase::new(x, y)).unwrap();
    let weights = model.inner().params().view().insert_axis(Axis(1));
    let offset = array![model.inner().intercept()];
    let expansion = model.space().fold(weights, offset.view()).unwrap();
    let new = normal(300, 2, 2);
    let expected: Array1<f64> = model.predict(&new);
    let found = expansion.evaluate(&new).unwrap();
    assert_close(
        "regression",
        &found,
        &expected.insert_axis(Axis(1)),
        TOLERANCE,
    );
}

/// An indefinite kernel whose negative part is clipped, centred and not.
#[test]
fn clipped_spaces_are_folded_back() {
    let x = normal(25, 3, 1);
    for centered in [true, false] {
        let space = Exact::new(Sigmoid::new(0.8, -0.5))
            .indefinite(Indefinite::Clip)
            .centered(centered)
            .fit_space(&x)
            .unwrap();
        let directions = normal(space.rank(), 2, 3);
        let offsets = array![0.3, -1.0];
        let expansion = space
            .space()
            .fold(directions.view(), offsets.view())
            .unwrap();
        let new = normal(9, 3, 2);
        let expected = space.coordinates(&new).unwrap().dot(&directions) + &offsets;
        assert_close(
            "clipped",
            &expansion.evaluate(&new).unwrap(),
            &expected,
            TOLERANCE,
        );
    }
}

/// Of axes with small eigenvalues the coefficients are large, and eigenvectors are free of the mean only
/// to what rounding leaves beside them.
#[test]
fn every_axis_of_a_clipped_space_is_folded_to_rounding() {
    let x = Array1::linspace(-1.0, 1.0, 40).insert_axis(Axis(1));
    let space = Exact::new(Sigmoid::new(1.0, 1.0))
        .indefinite(Indefinite::Clip)
        .fit_space(&x)
        .unwrap();
    let rank = space.rank();
    assert!(space.eigenvalues()[rank - 1] < 1e-10 * space.eigenvalues()[0]);
    let (axes, none) = (Array2::eye(rank), Array1::zeros(rank));
    let expansion = space.space().fold(axes.view(), none.view()).unwrap();
    let new = array![[-0.93], [0.11], [1.5]];
    let off = expansion.evaluate(&new).unwrap() - space.coordinates(&new).unwrap();
    // Kernel values are at most 1.
    let terms = expansion
        .coefficients()
        .map_axis(Axis(0), |alpha| alpha.mapv(f64::abs).sum());
    for (axis, terms) in terms.iter().enumerate() {
        let off = off.column(axis).fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(
            off <= 8.0 * f64::EPSILON * terms,
            "{axis}: {off:e} of {terms:e}"
        );
    }
}

/// The expansion of a support vector machine is over its support vectors.
#[test]
fn samples_without_weight_are_dropped() {
    let (x, labels) = circles(80, 1);
    let data = DatasetBase::new(x, labels.mapv(|label| label == 1));
    let params = KernelSvc::params(Laplacian::new(1.0)).method(|m| m.c(10.0));
    let model = params.fit(&data).unwrap();
    let support = model.inner().dual().iter().filter(|&&v| v != 0.0).count();
    let expansion: &Expansion<_, _, _> = model.expansion();
    assert!(support < 80, "some samples are no support vectors");
    assert_eq!(expansion.samples().len(), support);
    let whole = assert_folded!("SVC", params, &data, data.records(), Array1<f64>);
    assert_eq!(whole.expansion().unwrap().samples().len(), support);
}

#[test]
fn samples_that_are_no_vectors() {
    let gram = Gaussian::new(0.3).gram(&Rows::new(normal(20, 3, 1)).unwrap());
    let rows = KernelRows::training(gram.view()).unwrap();
    let data = DatasetBase::from(rows.clone());
    let params = Kpca::params(3, Precomputed::new());
    let by_kernel_values: Array2<f64> = params.fit(&data).unwrap().transform(rows.clone());
    let whole = params.by_coordinates().fit(&data).unwrap();
    let by_coordinates: Array2<f64> = whole.transform(rows);
    assert_close("precomputed", &by_kernel_values, &by_coordinates, TOLERANCE);
}

#[test]
fn wrong_shapes_and_records_are_refused() {
    let x = normal(12, 3, 1);
    let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x).unwrap();
    let space = fitted.space();
    let rank = space.rank();
    let refused = |rows: usize, columns: usize| {
        let directions = Array2::<f64>::ones((rows, columns));
        space.fold(directions.view(), array![0.0].view()).err()
    };
    let error = |expected, found| Some(Error::CoefficientCount { expected, found });
    assert_eq!(refused(rank - 1, 1), error(rank, rank - 1));
    assert_eq!(refused(rank, 2), error(1, 2));

    let directions = Array2::ones((rank, 1));
    let expansion = space.fold(directions.view(), array![0.0].view()).unwrap();
    let (expected, found) = (3, 4);
    assert_eq!(
        expansion.evaluate(&normal(2, 4, 1)).err(),
        Some(Error::ColumnCount { expected, found })
    );
    let mut not_finite = normal(2, 3, 1);
    not_finite[[1, 2]] = f64::INFINITY;
    let (row, column, value) = (1, 2, f64::INFINITY);
    assert_eq!(
        expansion.evaluate(&not_finite).err(),
        Some(Error::SampleNotFinite { row, column, value })
    );
}

/// A discriminant that says what it likes of its dual coefficients.
#[derive(Clone)]
struct Claiming(LdaParams, Option<f64>);

impl Fit<Array2<f64>, Array1<usize>, MethodError> for Claiming {
    type Object = Lda<f64, usize>;

    fn fit(
        &self,
        data: &DatasetBase<Array2<f64>, Array1<usize>>,
    ) -> Result<Self::Object, MethodError> {
        self.0.fit(data)
    }
}

impl FoldableMethod<f64, Array1<usize>, MethodError> for Claiming {
    fn has_dual_coefficients(&self) -> bool {
        self.1.is_some()
    }

    fn dual_coefficients(
        &self,
        model: &Self::Object,
        data: &DatasetBase<Array2<f64>, Array1<usize>>,
    ) -> Option<Array2<f64>> {
        Some(self.0.dual_coefficients(model, data)? * self.1?)
    }
}

/// Dual coefficients say what coordinates of new samples lost where the rank was cut at rounding
/// level; where it was cut for another reason, or they are wrong, they are not used.
#[test]
fn dual_coefficients_are_used_where_they_hold() {
    let x = Array2::from_shape_fn((60, 1), |(i, _)| 2.0 * i as f64 / 59.0 - 1.0);
    let classes = x
        .column(0)
        .mapv(|v| usize::from(v > -0.4) + usize::from(v > 0.5));
    let data = DatasetBase::new(x, classes);
    let new = array![[0.13], [-3.0]];
    let scores = |claim, space: Exact<Gaussian<f64>>| -> [f64; 2] {
        let method = Claiming(Lda::<f64, usize>::params().ridge(0.1), claim);
        let model = KernelMethod::new(method, space).fit(&data).unwrap();
        let scores: Array2<f64> = model.transform(new.clone());
        [scores[[0, 0]].abs(), scores[[1, 0]].abs()]
    };
    let full = || Exact::new(Gaussian::new(0.5));
    // In 50 digits (mpmath).
    let exact = [0.078_414_560_161_632_65, 0.212_055_379_301_428_7];
    let off = |found: [f64; 2], k: usize| (found[k] - exact[k]).abs();
    for space in [full(), full().axes(Axes::Cholesky)] {
        let found = scores(Some(1.0), space.clone());
        assert!(off(found, 0) < 1e-12 && off(found, 1) < 1e-11, "{found:?}");
        // Far from the samples, coordinates know 7 digits.
        for claim in [None, Some(0.0), Some(1.001), Some(f64::NAN)] {
            let found = scores(claim, space.clone());
            let far = off(found, 1);
            assert!(
                off(found, 0) < 1e-9 && far > 1e-9 && far < 1e-5,
                "{claim:?}: {found:?}"
            );
        }
    }
    for space in [
        full().rank(Rank::Components(5)),
        full().landmarks_only(true),
    ] {
        let (with, without) = (scores(Some(1.0), space.clone()), scores(None, space));
        // Used, they would make a difference of 1e-7 far from the samples. Of the same space rounding
        // may make two.
        assert!((with[0] - without[0]).abs() < 1e-12 && (with[1] - without[1]).abs() < 1e-11);
    }
    // Not centred, the origin is a point of its own, and Σ αᵢ need not be 0.
    let space = full().centered(false);
    let (with, without) = (scores(Some(1.0), space.clone()), scores(None, space));
    assert!((with[0] - without[0]).abs() < 1e-9 && (with[1] - without[1]).abs() < 1e-5);
}

/// Where the rank is that of the features, no component is made of rounding.
#[test]
fn components_beyond_the_rank_are_refused() {
    fn check<F: npt::Scalar>() {
        // Where dual coefficients are found, some rounding is taken for data.
        let mut rng = Xoshiro256Plus::seed_from_u64(1);
        let mut x = Array2::from_shape_simple_fn((600, 50), || rng.gen_range(-1.0..1.0));
        x.column_mut(0).mapv_inplace(|v| 100.0 * v);
        let wider = Exact::new(Linear::new()).fit_for_expansion(&x).unwrap();
        assert!(wider.rank() > 50);
        // Many targets, so that components are not exhausted before.
        let y = normal(600, 60, 2);
        let data = DatasetBase::new(x.mapv(F::cast), y.mapv(F::cast));
        let beyond = Some(MethodError::Components {
            requested: 51,
            available: 50,
        });
        let method = |error| match error {
            Some(npt::KernelizedError::Method(error)) => Some(error),
            _ => None,
        };
        let error = KernelPls::params(51, Linear::new()).fit(&data).err();
        assert_eq!(method(error), beyond);
        let params = KpcaL1::params(51, Linear::new()).method(|m| m.starts(1));
        let error = params.fit(&data).err();
        assert_eq!(method(error), beyond);
    }
    check::<f64>();
    check::<f32>();
}

/// Directions of different size are each looked at in their own: with targets of 10⁹, those of the
/// scores are 10⁻⁹ of those of the predictions.
#[test]
fn wrong_dual_coefficients_of_one_function_are_found() {
    let x = Array1::linspace(-1.0, 1.0, 40).insert_axis(Axis(1));
    let y = x.mapv(|v: f64| (3.0 * v).sin() + v * v) * 1e9;
    let data = DatasetBase::new(x.clone(), y);
    let fitted = Exact::new(Gaussian::new(0.3)).fit_space(&x).unwrap();
    let (space, coordinates, _) = fitted.into_parts();
    let mapped = DatasetBase::new(coordinates, data.targets().clone());
    let params = Pls::params(2);
    let model: Pls<f64, ndarray::Ix2> = params.fit(&mapped).unwrap();
    let dual = params.dual_coefficients(&model, &mapped).unwrap();
    let of = |dual: Option<Array2<f64>>| {
        let folded = FoldedModel::of_fitted(&model, &space, mapped.records(), dual);
        folded.map(|folded| folded.expansion().coefficients().to_owned())
    };
    let (right, plain) = (of(Some(dual.clone())).unwrap(), of(None).unwrap());
    assert_ne!(right, plain);
    let mut wrong = dual.clone();
    wrong.slice_mut(s![.., 1..]).mapv_inplace(|v| v * 1.001);
    assert_eq!(of(Some(wrong)).unwrap(), plain);
    let (expected, found) = (3, 2);
    let short = dual.slice(s![.., ..2]).to_owned();
    assert_eq!(
        of(Some(short)),
        Err(Error::CoefficientCount { expected, found })
    );
    let (expected, found) = (40, 39);
    let short = dual.slice(s![..39, ..]).to_owned();
    assert_eq!(
        of(Some(short)),
        Err(Error::CoefficientCount { expected, found })
    );
}
