//! Tests dual coefficients. They are more accurate than coordinates where the rank was cut, and are used only where they
//! are right.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, array, s};
use npt::{
    Error, ExpansionMethod, ExpansionModel, KernelMethod,
    methods::{
        Error as MethodError,
        linear::{Lda, LdaParams, Pls},
    },
    prelude::*,
};
use npt_testkit::data::normal;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// A discriminant that scales its dual coefficients by a factor, or has none.
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

impl ExpansionMethod<f64, Array1<usize>, MethodError> for Claiming {
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

/// Dual coefficients are used where they hold: they restore what coordinates of new samples lost where the rank was cut at rounding
/// level. Where the rank was cut for another reason, or they are wrong, they are not used.
#[test]
fn dual_coefficients_are_used_where_they_hold() {
    let x = Array2::from_shape_fn((60, 1), |(i, _)| 2.0 * i as f64 / 59.0 - 1.0);
    let classes = x
        .column(0)
        .mapv(|v| usize::from(v > -0.4) + usize::from(v > 0.5));
    let data = DatasetBase::new(x, classes);
    let new = array![[0.13], [-3.0]];
    let scores = |claim, space: Exact<Gaussian<f64>>| -> [f64; 2] {
        let method = Claiming(Lda::params().ridge(0.1), claim);
        let model = KernelMethod::new(method, space).fit(&data).unwrap();
        let scores: Array2<f64> = model.transform(new.clone());
        [scores[[0, 0]].abs(), scores[[1, 0]].abs()]
    };
    let full = || Exact::new(Gaussian::new(0.5));
    // The exact values come from 50 digits (mpmath).
    let exact = [0.078_414_560_161_632_65, 0.212_055_379_301_428_7];
    let off = |found: [f64; 2], k: usize| (found[k] - exact[k]).abs();
    for space in [full(), full().axes(Axes::Cholesky)] {
        let found = scores(Some(1.0), space.clone());
        assert!(off(found, 0) < 1e-12 && off(found, 1) < 1e-11, "{found:?}");
        // Coordinates have 7 digits far from the samples.
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
        // If the dual coefficients were used, they would make a difference of 1e-7 far from the samples. Rounding may make two
        // spaces of the same one.
        assert!((with[0] - without[0]).abs() < 1e-12 && (with[1] - without[1]).abs() < 1e-11);
    }
    // The space is not centred here: the origin is a point of its own, and Σ αᵢ need not be 0.
    let space = full().centered(false);
    let (with, without) = (scores(Some(1.0), space.clone()), scores(None, space));
    assert!((with[0] - without[0]).abs() < 1e-9 && (with[1] - without[1]).abs() < 1e-5);
}

/// Components beyond the rank of the features are refused: none is made of rounding.
#[test]
fn components_beyond_the_rank_are_refused() {
    fn check<F: npt::Scalar>() {
        // The space from which dual coefficients are found takes some rounding for data.
        let mut rng = Xoshiro256Plus::seed_from_u64(1);
        let mut x = Array2::from_shape_simple_fn((600, 50), || rng.gen_range(-1.0..1.0));
        x.column_mut(0).mapv_inplace(|v| 100.0 * v);
        let wider = Exact::new(Linear::new()).fit_for_expansion(&x).unwrap();
        assert!(wider.rank() > 50);
        let landmarks = Exact::new(Linear::new()).landmarks_only(true);
        let cut = Rank::Tolerance(1e-30);
        let cholesky = Exact::new(Linear::new()).axes(Axes::Cholesky).rank(cut);
        for builder in [landmarks, cholesky] {
            let own = builder.fit_space(&x).unwrap().rank();
            assert_eq!(builder.fit_for_expansion(&x).unwrap().rank(), own);
        }
        // There are many targets, so that they do not run out before the components do.
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

/// Wrong dual coefficients of one function are found although directions differ in size: each is compared on its own scale. With targets
/// of 10⁹, the directions of the scores are 10⁻⁹ of those of the predictions.
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
        let expanded = ExpansionModel::of_fitted(&model, &space, mapped.records(), dual);
        expanded.map(|expanded| expanded.expansion().coefficients().to_owned())
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
