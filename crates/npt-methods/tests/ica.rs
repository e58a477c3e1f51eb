//! Tests of independent components of plain matrices and with kernels, and of the errors.

use approx::assert_abs_diff_eq;
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, s};
use npt_core::{Error as CoreError, Gaussian, KernelizedError, Linear};
use npt_methods::{
    Error, KernelIca,
    linear::{Contrast, FastIca},
};
use std::f64::consts::TAU;

/// A sine, a square wave and a sawtooth.
fn sources() -> Array2<f64> {
    Array2::from_shape_fn((1000, 3), |(i, k)| match k {
        0 => (TAU * 7.0 * i as f64 / 1000.0).sin(),
        1 => 1.0 - 2.0 * ((i / 37) % 2) as f64,
        _ => ((13 * i) % 101) as f64 / 101.0,
    })
}

/// The mixing matrix of four features of rank 3, one column per source.
fn mixing() -> Array2<f64> {
    array![
        [1.0, 1.0, 0.5],
        [0.5, 2.0, 1.0],
        [1.5, 1.0, 2.0],
        [0.2, -1.0, 0.4]
    ]
}

fn mixture() -> Array2<f64> {
    sources().dot(&mixing().t())
}

/// The Amari index of U·A: 0 for a scaled permutation, 1 where all its entries are equal in magnitude (Amari,
/// Cichocki, Yang 1996).
fn amari_index(product: &Array2<f64>) -> f64 {
    let excess = |axis| {
        product
            .map_axis(axis, |v| {
                let largest = v.fold(0.0_f64, |m, v| m.max(v.abs()));
                v.fold(0.0, |sum, v| sum + v.abs()) / largest - 1.0
            })
            .sum()
    };
    let n = product.nrows() as f64;
    (excess(Axis(0)) + excess(Axis(1))) / (2.0 * n * (n - 1.0))
}

/// Returns the rows in the order of `expected`, with its signs.
fn matched(rows: &Array2<f64>, expected: &Array2<f64>) -> Array2<f64> {
    let length = |v: &Array1<f64>| v.dot(v).sqrt();
    let mut found = expected.clone();
    for (mut found, expected) in found.outer_iter_mut().zip(expected.outer_iter()) {
        let cosine = |row: &Array1<f64>| row.dot(&expected) / length(row);
        let rows = rows.outer_iter().map(|row| row.to_owned());
        let nearest = rows.max_by(|a, b| cosine(a).abs().total_cmp(&cosine(b).abs()));
        let nearest = nearest.unwrap();
        let sign = cosine(&nearest).signum();
        found.assign(&(nearest * sign));
    }
    found
}

/// The unmixing is that of scikit-learn 1.9.1, `FastICA(3, fun=…, whiten="unit-variance", tol=1e-15).fit(X).components_`, up
/// to order and sign.
#[test]
fn scikit_learn_has_the_same_unmixing() {
    let data = DatasetBase::from(mixture());
    for (contrast, expected) in [
        (
            Contrast::LogCosh,
            array![
                [
                    1.847_760_810_307_321_8,
                    -1.003_155_992_149_628_3,
                    0.058_937_536_524_780_9,
                    -0.101_848_206_918_287_7
                ],
                [
                    0.089_549_388_195_603_9,
                    0.357_271_513_569_134_9,
                    -0.134_053_688_690_067,
                    -0.330_614_876_633_762_7
                ],
                [
                    -3.324_880_681_602_164_8,
                    1.558_462_130_654_638_2,
                    1.522_728_143_531_807_4,
                    1.308_511_880_367_175_8
                ]
            ],
        ),
        (
            Contrast::Exp,
            array![
                [
                    1.847_857_229_662_915_9,
                    -1.003_200_224_842_897_3,
                    0.058_893_153_925_864_7,
                    -0.101_886_864_603_913_6
                ],
                [
                    0.089_580_102_498_172_3,
                    0.357_257_447_081_845_8,
                    -0.134_069_935_703_233_1,
                    -0.330_628_470_670_316_3
                ],
                [
                    -3.324_826_268_535_54,
                    1.558_436_882_603_207_1,
                    1.522_728_430_327_628_5,
                    1.308_505_436_048_877
                ]
            ],
        ),
        (
            Contrast::Cube,
            array![
                [
                    1.847_618_880_260_898_8,
                    -1.003_155_322_087_027_5,
                    0.059_017_872_549_215_5,
                    -0.101_743_635_322_618_3
                ],
                [
                    0.088_685_566_523_391_6,
                    0.357_653_773_031_336_4,
                    -0.133_508_766_095_453_5,
                    -0.330_171_750_085_430_5
                ],
                [
                    -3.324_982_706_048_096,
                    1.558_374_881_112_755_8,
                    1.522_772_906_201_802,
                    1.308_631_897_472_674_3
                ]
            ],
        ),
    ] {
        let params = FastIca::params().contrast(contrast).tolerance(1e-13);
        let ica = params.fit(&data).unwrap();
        let found = matched(&ica.unmixing().to_owned(), &expected);
        assert_abs_diff_eq!(found, expected, epsilon = 1e-8);
        assert!(amari_index(&ica.unmixing().dot(&mixing())) < 2e-3);
    }
}

/// Sources have variance 1, are uncorrelated, and mix back to the records, whatever the scale, the float type and
/// the seed.
#[test]
fn sources_are_white_and_mix_back() {
    let x = mixture();
    let mean = x.mean_axis(Axis(0)).unwrap();
    for (scale, seed) in [(1.0, 0), (1e-160, 1), (1e160, 2)] {
        let params = FastIca::params().seed(seed).tolerance(1e-10);
        let ica = params.fit(&DatasetBase::from(&x * scale)).unwrap();
        let s: Array2<f64> = ica.transform(&x * scale);
        assert_abs_diff_eq!(s.t().dot(&s) / 1000.0, Array2::eye(3), epsilon = 1e-12);
        let back = s.dot(&ica.mixing().t()) / scale + &mean;
        assert_abs_diff_eq!(back, x, epsilon = 1e-11);
        let unit = ica.unmixing().dot(&ica.mixing());
        assert_abs_diff_eq!(unit, Array2::eye(3), epsilon = 1e-12);
        // The least Gaussian first: square wave, sine and sawtooth by kurtosis −2, −1.5, −1.2.
        let correlation = |k: usize, source: usize| {
            let source = sources().column(source).to_owned();
            let source = &source - source.mean().unwrap();
            s.column(k).dot(&source).abs() / (1000.0 * source.dot(&source)).sqrt()
        };
        assert!(
            correlation(0, 1) > 0.999 && correlation(1, 0) > 0.999 && correlation(2, 2) > 0.999
        );
        for source in s.columns() {
            let (low, high) = source.fold((0.0_f64, 0.0_f64), |(l, h), &v| (l.min(v), h.max(v)));
            assert!(high >= -low * (1.0 - 1e-7));
        }
    }
    let single = DatasetBase::from(x.mapv(|v| v as f32));
    let ica = FastIca::params().tolerance(1e-12).fit(&single).unwrap();
    let product = ica.unmixing().mapv(f64::from).dot(&mixing());
    assert!(amari_index(&product) < 2e-3);
    assert!(ica.iterations() < 100);
}

/// Rotated records have the same sources from the same start.
#[test]
fn rotations_do_not_matter() {
    let (cos, sin) = (0.6, 0.8);
    let mut turned = mixture();
    for mut row in turned.outer_iter_mut() {
        (row[0], row[2]) = (cos * row[0] - sin * row[2], sin * row[0] + cos * row[2]);
    }
    let sources = |x: Array2<f64>| -> Array2<f64> {
        let ica = FastIca::params().fit(&DatasetBase::from(x.clone()));
        ica.unwrap().transform(x)
    };
    assert_abs_diff_eq!(sources(mixture()), sources(turned), epsilon = 1e-10);
}

/// Fewer sources are looked for among the first principal components; the rank of wide records is bounded by
/// their number.
#[test]
fn components_and_rank() {
    let ica = FastIca::params()
        .components(2)
        .fit(&DatasetBase::from(mixture()));
    let s: Array2<f64> = ica.unwrap().transform(mixture());
    assert_abs_diff_eq!(s.t().dot(&s) / 1000.0, Array2::eye(2), epsilon = 1e-12);
    let pca = npt_methods::linear::Pca::params(2).fit(&DatasetBase::from(mixture()));
    let principal: Array2<f64> = pca.unwrap().transform(mixture());
    let fitted = s.dot(&s.t().dot(&principal)) / 1000.0;
    assert_abs_diff_eq!(fitted, principal, epsilon = 1e-10);

    let wide = mixture().slice(s![..400;100, ..]).to_owned();
    let copies = ndarray::concatenate![Axis(1), wide, wide];
    let ica = FastIca::params().fit(&DatasetBase::from(copies)).unwrap();
    assert_eq!(ica.unmixing().dim(), (3, 8));

    let count = |requested, x: Array2<f64>| {
        let ica = FastIca::params()
            .components(requested)
            .fit(&DatasetBase::from(x));
        match ica.err() {
            Some(Error::Components {
                requested,
                available,
            }) => (requested, available),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(count(4, mixture()), (4, 3));
    assert_eq!(count(1, array![[1.0, 2.0]]), (1, 0));
    assert_eq!(count(1, Array2::ones((5, 2))), (1, 0));
    // The entries are equal, but differ from their mean as it is rounded.
    assert_eq!(count(1, Array2::from_elem((12, 2), 0.1)), (1, 0));
}

/// Records are refused if the unmixing, or their differences, leave the range of numbers.
#[test]
fn records_out_of_range() {
    for scale in [1e-312, f64::MAX / 20.0] {
        let data = DatasetBase::from(mixture() * scale);
        let error = FastIca::params().fit(&data).err();
        assert_eq!(error, Some(Error::Overflow { of: "FastIca" }), "{scale:e}");
    }
}

#[test]
fn does_not_converge_silently() {
    let data = DatasetBase::from(mixture());
    let error = FastIca::params().max_iterations(1).fit(&data).err();
    assert!(matches!(
        error,
        Some(Error::NotConverged { method: "FastIca", value, .. }) if value > 1e-4 && value < 2.0
    ));
    // From Gaussian records with little to go by, some starts find no fixed point in 50 steps.
    let x = nearly_gaussian();
    let outcomes = (0..20).map(|seed| {
        let params = FastIca::params().seed(seed).max_iterations(50);
        match params.fit(&DatasetBase::from(x.clone())) {
            Ok(ica) => {
                assert!(ica.unmixing().iter().all(|v| v.is_finite()));
                true
            }
            Err(Error::NotConverged { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    });
    let converged = outcomes.filter(|&converged| converged).count();
    assert!(converged < 20, "{converged}");
}

/// Records of sums of twelve uniform numbers, which are Gaussian for all that one can see.
fn nearly_gaussian() -> Array2<f64> {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_xoshiro::Xoshiro256Plus::seed_from_u64(3);
    Array2::from_shape_simple_fn((200, 6), || (0..12).map(|_| rng.gen_range(-0.5..0.5)).sum())
}

#[test]
fn bad_parameters() {
    let data = DatasetBase::from(mixture());
    let refused = |parameter, value, allowed| {
        let of = "FastIca";
        Some(Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        })
    };
    let error = FastIca::params().components(0).fit(&data).err();
    assert_eq!(error, refused("components", 0.0, "at least 1"));
    let error = FastIca::params().max_iterations(0).fit(&data).err();
    assert_eq!(error, refused("max_iterations", 0.0, "at least 1"));
    for tolerance in [0.0, -1.0, f64::INFINITY] {
        let error = FastIca::params().tolerance(tolerance).fit(&data).err();
        assert_eq!(error, refused("tolerance", tolerance, "finite and above 0"));
    }
    let few = DatasetBase::from(mixture().slice_move(s![..20, ..]));
    let error = KernelIca::params(0, Linear::new()).fit(&few).err();
    let none = refused("components", 0.0, "at least 1");
    assert_eq!(error, none.map(KernelizedError::Method));
    let error = KernelIca::params(20, Gaussian::new(1.0)).fit(&few).err();
    let most = Error::Components {
        requested: 20,
        available: 19,
    };
    assert_eq!(error, Some(KernelizedError::Method(most)));
    let one = DatasetBase::from(array![[1.0, 2.0]]);
    let error = KernelIca::params(1, Gaussian::new(1.0)).fit(&one).err();
    let alone = CoreError::NoVariance { samples: 1 };
    assert_eq!(error, Some(KernelizedError::Space(alone)));
    let mut x = mixture();
    x[[5, 2]] = f64::INFINITY;
    let error = FastIca::params().fit(&DatasetBase::from(x)).err();
    let value = f64::INFINITY;
    let (row, column) = (5, 2);
    let infinite = CoreError::SampleNotFinite { row, column, value };
    assert_eq!(error, Some(Error::Core(infinite)));
}

/// The linear kernel gives the linear method; by kernel values and by coordinates the scores are the same.
#[test]
fn linear_kernel() {
    let x = mixture().slice_move(s![..300, ..]);
    let data = DatasetBase::from(x.clone());
    let linear = FastIca::params().tolerance(1e-10).fit(&data).unwrap();
    let params = KernelIca::params(3, Linear::new()).method(|m| m.tolerance(1e-10));
    let model = params.fit(&data).unwrap();
    let expected: Array2<f64> = linear.transform(x.clone());
    let found: Array2<f64> = model.transform(x.clone());
    assert_abs_diff_eq!(found, expected, epsilon = 1e-9);
    let whole = params.by_coordinates().fit(&data).unwrap();
    let by_coordinates: Array2<f64> = whole.transform(x);
    assert_abs_diff_eq!(by_coordinates, found, epsilon = 1e-9);
}
