//! Kernels whose values are 1 less something small, evaluated about an origin.

use super::{AnyKernel, noise, off, rows};
use crate::{
    Exact, Exponential, Gaussian, Kernel, KernelSpace, Laplacian, LengthScales, Matern, Periodic,
    RationalQuadratic, Samples, Scalar, SpaceBuilder, kernels::stationary::of_distance::OfDistance,
};
use ndarray::{Array2, Axis};

/// The values κ(d) − 1 at distances d, for the kernels below in their order, computed by mpmath 1.3 at 50 digits.
const LESS_ONE: [(f64, [f64; 8]); 7] = [
    (
        1e-12,
        [
            -4.999_999_999_998_75e-13,
            -6.999_997_550_000_571e-7,
            -6.999_999_999_997_549e-13,
            -6.666_664_444_444_938e-7,
            -6.666_661_534_666_496e-13,
            -3.703_703_703_701_646e-13,
            -2.222_222_222_221_666_6e-13,
            -6.172_839_506_170_934e-13,
        ],
    ),
    (
        1e-5,
        [
            -4.999_987_500_020_834e-6,
            -0.002_211_146_168_886_620_6,
            -6.999_975_500_057_167e-6,
            -0.002_105_964_445_352_597,
            -6.650_460_050_748_246e-6,
            -3.703_683_179_227_525_6e-6,
            -2.222_216_666_681_07e-6,
            -6.172_820_454_238_257e-6,
        ],
    ),
    (
        0.01,
        [
            -0.004_987_520_807_317_688,
            -0.067_606_180_094_051_77,
            -0.006_975_557_066_764_895,
            -0.064_493_014_968_382_26,
            -0.006_175_020_523_094_99,
            -0.003_684_689_789_719_806,
            -0.002_216_681_032_051_245,
            -0.006_153_826_673_558_83,
        ],
    ),
    (
        0.3,
        [
            -0.139_292_023_574_942_2,
            -0.318_463_717_615_312_5,
            -0.189_415_754_029_812_87,
            -0.305_906_340_597_799_64,
            -0.132_699_868_281_005_47,
            -0.098_932_410_452_54,
            -0.062_027_047_930_834_78,
            -0.169_049_610_098_708,
        ],
    ),
    (
        0.9,
        [
            -0.362_371_848_378_226_7,
            -0.485_252_252_315_159_67,
            -0.467_408_198_993_102_8,
            -0.468_714_390_867_032_2,
            -0.299_302_575_207_509_86,
            -0.250_986_459_532_919_2,
            -0.163_488_357_926_981_4,
            -0.426_246_579_262_567_2,
        ],
    ),
    (
        2.5,
        [
            -0.713_495_203_139_809_9,
            -0.669_383_829_120_029_5,
            -0.826_226_056_549_554_9,
            -0.651_491_463_251_298_5,
            -0.544_778_389_928_067_4,
            -0.506_710_377_018_803,
            -0.344_189_852_073_71,
            -0.786_305_932_205_336_5,
        ],
    ),
    (
        40.0,
        [
            -0.999_999_997_938_846_4,
            -0.988_051_968_285_275_8,
            -0.999_999_999_999_308_6,
            -0.985_247_905_607_402_4,
            -0.994_407_643_142_673,
            -0.996_778_051_572_429_5,
            -0.864_026_959_418_433,
            -0.999_999_999_981_090_5,
        ],
    ),
];

fn check_less_one<F: Scalar>() {
    let c = |v: f64| F::cast(v);
    let kernels: [Box<dyn OfDistance<F>>; 8] = [
        Box::new(Gaussian::new(c(0.5))),
        Box::new(Exponential::new(c(0.7))),
        Box::new(Laplacian::new(c(0.7))),
        Box::new(Matern::half(c(1.5))),
        Box::new(Matern::three_halves(c(1.5))),
        Box::new(Matern::five_halves(c(1.5))),
        Box::new(RationalQuadratic::new(c(1.5), c(0.8))),
        Box::new(Periodic::new(c(0.9), c(2.0))),
    ];
    for (distance, expected) in LESS_ONE {
        for (k, (kernel, expected)) in kernels.iter().zip(expected).enumerate() {
            let mut found = [c(distance); 3];
            kernel.values_less_one(&mut found);
            // The parameter and the distance are rounded once, and the numbers made of them some six times.
            let off = (found[1].as_f64() / expected - 1.0).abs() / F::epsilon().as_f64();
            assert!(off <= 8.0, "kernel {k} at {distance:e}: {off} roundings");
        }
    }
}

#[test]
fn values_less_one() {
    check_less_one::<f64>();
    check_less_one::<f32>();
}

/// Equal samples have a distance of 0 and a value of exactly 1.
#[test]
fn nothing_less_one() {
    let kernel = Matern::five_halves(1.5);
    let mut values = [0.0_f64];
    kernel.values_less_one(&mut values);
    assert_eq!(values, [0.0]);
}

fn kernels<F: Scalar>(small: f64) -> Vec<(&'static str, AnyKernel<F>)> {
    let c = |v: f64| F::cast(v);
    let gaussian = Gaussian::new(c(small));
    let long = c(small.sqrt().recip());
    vec![
        ("gaussian", Box::new(gaussian)),
        (
            "scales",
            Box::new(LengthScales::new(
                Gaussian::new(F::one()),
                vec![long, long * c(2.0), long * c(3.0)],
            )),
        ),
        ("exponential", Box::new(Exponential::new(long.recip()))),
        ("laplacian", Box::new(Laplacian::new(c(small)))),
        ("matérn 3⁄2", Box::new(Matern::three_halves(long))),
        ("matérn 5⁄2", Box::new(Matern::five_halves(long))),
        (
            "rational quadratic",
            Box::new(RationalQuadratic::new(long, c(2.0))),
        ),
        ("periodic", Box::new(Periodic::new(long, c(3.0)))),
        (
            "sum",
            Box::new(gaussian.scaled(c(3.0)) + Laplacian::new(c(small))),
        ),
    ]
}

/// Values that vary by a millionth are the same in f32 about an origin as in f64 without one, in all four forms.
#[test]
fn small_variation_in_f32() {
    for offset in [0.0, 30.0] {
        let x = rows::<f32>(&(noise(60, 3) + offset));
        let exact = rows::<f64>(&x.view().mapv(f64::from));
        let pairs = kernels::<f32>(1e-6).into_iter().zip(kernels::<f64>(1e-6));
        for ((name, kernel), (_, in_f64)) in pairs {
            let origin = kernel.origin(&x).expect("values near 1");
            let o = rows::<f64>(&origin.view().mapv(f64::from));
            let few = x.select(&[5, 9]);
            let expected =
                in_f64.cross(&exact, &exact) - in_f64.cross(&exact, &o) - in_f64.cross(&o, &exact)
                    + in_f64.diag(&o)[0];
            let largest = expected.diag().fold(0.0_f64, |m, &v| m.max(v));
            let assert_small = |which: &str, off: f64| {
                let share = off / largest;
                // The tolerance is some ten roundings of f32, and 1e-16 in f64 beside 1e-6.
                assert!(share <= 2e-6, "{name} at {offset}, {which}: {share:e}");
            };
            let found = kernel.cross_about(&origin, &x, &x);
            assert_small("cross", off(&found, &expected));
            let found = kernel.cross_about(&origin, &few, &x);
            let of_few = expected.select(Axis(0), &[5, 9]);
            assert_small("few", off(&found, &of_few));
            let found = kernel.diag_about(&origin, &x).insert_axis(Axis(0));
            let diagonal = expected.diag().to_owned().insert_axis(Axis(0));
            assert_small("diag", off(&found, &diagonal));
            let found = kernel.eval_about(origin.get(0), x.get(3), x.get(8));
            assert_small("eval", f64::from(found) - expected[[3, 8]]);
        }
    }
}

/// Kernels whose values differ by as much as their size gain nothing by an origin, and have none.
#[test]
fn large_variation_has_no_origin() {
    let x = rows::<f64>(&noise(60, 3));
    for (name, kernel) in kernels::<f64>(10.0) {
        assert!(kernel.origin(&x).is_none(), "{name}");
    }
}

/// Compares the centred inner products of `Exact`, which leave out up to (n + 8)ε of the trace, with expm1(−γd²) of the
/// standard library, centred in f64. The latter are exact to some ε of the largest.
fn check_exact<F: Scalar>(gamma: f64, most: f64) {
    let x = rows::<F>(&noise(80, 3));
    let values = Array2::from_shape_fn((80, 80), |(i, j)| {
        let pairs = x.get(i).iter().zip(x.get(j));
        let squares = pairs.map(|(a, b)| (a.as_f64() - b.as_f64()).powi(2));
        (-F::cast(gamma).as_f64() * squares.sum::<f64>()).exp_m1()
    });
    let means = values.mean_axis(Axis(0)).unwrap();
    let mean = means.mean().unwrap();
    let expected = values - &means - (means.clone().insert_axis(Axis(1)) - mean);
    let largest = expected.diag().fold(0.0_f64, |m, &v| m.max(v));
    let space = Exact::new(Gaussian::new(F::cast(gamma))).fit_space(&x.view().to_owned());
    let space = space.unwrap();
    let y = space.training_coordinates().mapv(Scalar::as_f64);
    let found = off(&y.dot(&y.t()), &expected) / largest;
    assert!(found <= most, "γ = {gamma:e}: {found:e}");
    let again = space.coordinates(&x.view().to_owned()).unwrap();
    let again = again.mapv(Scalar::as_f64);
    let found = off(&again.dot(&again.t()), &expected) / largest;
    assert!(found <= 10.0 * most, "γ = {gamma:e}, again: {found:e}");
}

/// `Exact` keeps its digits at small γ. If the values themselves were centred, the errors at γ = 1e-6 would be 4e-3 in f32,
/// and 5e-10 in f64.
#[test]
fn exact_at_small_widths() {
    for gamma in [1e-3, 1e-6, 1e-9] {
        check_exact::<f32>(gamma, 1e-5);
        check_exact::<f64>(gamma, 1e-12);
    }
}

/// Samples of size 1e-150 have Gaussian values of 1 − 1e-300, and the rank of the features. If squares of differences
/// vanish, there is no variance.
#[test]
fn tiny_samples() {
    let fit = |scale: f64| Exact::new(Gaussian::new(1.0)).fit_space(&(noise(8, 2) * scale));
    assert_eq!(fit(1e-150).unwrap().rank(), 2);
    assert_eq!(
        fit(1e-200).err(),
        Some(crate::Error::NoVariance { samples: 8 })
    );
}
