//! Tests random frequencies in place of a kernel.

use ndarray::{Array2, Axis};
use npt::prelude::*;
use npt::{Error, FourierMap, Scalar};
use npt_testkit::{data, laws};

fn rows<F: Scalar>(x: &Array2<f64>) -> Rows<F> {
    Rows::new(x.mapv(|v| F::cast(v))).expect("finite samples")
}

/// Checks that the space is that of the kernel that the frequencies make, under all laws.
fn check<F: Scalar>(x: &Array2<f64>, frequencies: usize) {
    let kernel = Gaussian::new(F::cast(0.3));
    let new = rows::<F>(&data::normal(7, x.ncols(), 5));
    let x = rows::<F>(x);
    for (orthogonal, structured) in [(true, false), (false, false), (true, true)] {
        let builder = RandomFourier::new(kernel, frequencies).orthogonal(orthogonal);
        let builder = builder.structured(structured);
        for centered in [true, false] {
            let builder = builder.clone().centered(centered);
            let represented: FourierMap<Gaussian<F>, F> =
                builder.fit_space(&x).unwrap().space().raw_map().clone();
            laws::check_kernel(&represented, &x);
            laws::check_space(&builder, &represented, centered, &x, &new);
        }
    }
}

#[test]
fn laws_of_the_represented_kernel() {
    for (x, frequencies) in [
        (data::normal(60, 3, 1), 10),
        (data::normal(20, 3, 1), 40),
        (data::duplicates(8, 3, 2, 3), 30),
        (data::normal(6, 30, 2), 7),
        (data::normal(30, 70, 2) * 0.2, 20),
    ] {
        check::<f64>(&x, frequencies);
        check::<f32>(&x, frequencies);
    }
}

const SEEDS: u64 = 150;

/// The mean squared difference of the represented kernel and κ, over pairs of samples and draws; and the mean squared difference
/// of the mean over draws.
fn errors<K>(builder: &RandomFourier<K>, x: &Rows<f64>) -> (f64, f64)
where
    K: Kernel<Rows<f64>, Scalar = f64>,
{
    let builder = builder.clone().axes(Axes::Cholesky).centered(false);
    let gram = builder.kernel().gram(x);
    let (mut squares, mut mean) = (0.0, Array2::<f64>::zeros(gram.dim()));
    for seed in 0..SEEDS {
        let space = builder.clone().seed(seed).fit_space(x).unwrap();
        let y = space.training_coordinates();
        let off = y.dot(&y.t()) - &gram;
        squares += off.mapv(|d| d * d).mean().unwrap() / SEEDS as f64;
        mean += &(off / SEEDS as f64);
    }
    (squares, mean.mapv(|d| d * d).mean().unwrap())
}

/// Checks the errors of waves. A wave cos⟨ω, δ⟩ has the mean κ(δ), and its square the mean ½ + ½κ(2δ). So independent frequencies have
/// an error of this variance divided by their number, and orthogonal ones a smaller error.
fn check_measure<K>(kernel: K, is_isotropic: bool)
where
    K: Kernel<Rows<f64>, Scalar = f64> + Clone,
{
    let x = data::normal(40, 8, 1) * 0.6;
    let doubled = kernel.gram(&rows(&(&x * 2.0)));
    let x = rows::<f64>(&x);
    let variance = 0.5 + doubled * 0.5 - kernel.gram(&x).mapv(|k| k * k);
    let variance = variance.mean().unwrap();
    for frequencies in [16, 256] {
        let builder = RandomFourier::new(kernel.clone(), frequencies);
        let independent = errors(&builder.clone().orthogonal(false), &x).0;
        let ratio = independent * frequencies as f64 / variance;
        // A few directions make most of an error, so its accuracy is about an eighth.
        assert!((0.6..1.6).contains(&ratio), "{frequencies}: {ratio}");
        let orthogonal = errors(&builder, &x).0;
        if is_isotropic {
            assert!(orthogonal < independent, "{orthogonal} {independent}");
        } else {
            assert_eq!(orthogonal, independent);
        }
    }
}

/// The frequencies of each kernel have its spectral measure.
#[test]
fn errors_are_those_of_random_waves() {
    check_measure(Gaussian::new(0.2), true);
    // Features with deviations of their own allow no right angles.
    check_measure(Laplacian::new(0.1), false);
    check_measure(Exponential::new(0.3), true);
    check_measure(Matern::half(3.0), true);
    check_measure(Matern::three_halves(2.0), true);
    check_measure(Matern::five_halves(2.0), true);
    check_measure(RationalQuadratic::new(2.0, 0.7), true);
    check_measure(Gaussian::new(0.05) * Gaussian::new(0.15), true);
    let scales = (1..=8).map(|k| 0.5 * f64::from(k)).collect();
    check_measure(LengthScales::new(Exponential::new(0.3), scales), true);
}

/// Angles that are computed by transforms are those of the frequencies, in blocks of any size.
#[test]
fn structured_frequencies() {
    for (features, count) in [(1, 3), (64, 64), (65, 20), (100, 300)] {
        let x = data::normal(9, features, 1);
        let kernel = Matern::three_halves(2.0);
        let builder = RandomFourier::new(kernel, count).structured(true).seed(7);
        let space = builder.fit_space(&x).unwrap();
        let map = space.space().raw_map();
        let frequencies = map.frequencies();
        assert_eq!(frequencies.dim(), (count, features));
        let found = map.gram(&rows(&x));
        let expected = Array2::from_shape_fn((9, 9), |(i, k)| {
            let angles = frequencies.dot(&(&x.row(i) - &x.row(k)));
            angles.mapv(f64::cos).mean().unwrap()
        });
        assert!((found - expected).iter().all(|d| d.abs() < 1e-12));
    }
}

/// Structured frequencies are at least as near to the kernel as orthogonal ones, as their blocks are larger. Their mean is as near as
/// so many draws can be, also where there are few more features than a power of two.
#[test]
fn errors_of_structured_frequencies() {
    fn check<K>(kernel: K, features: usize)
    where
        K: Kernel<Rows<f64>, Scalar = f64> + Clone,
    {
        let x = rows::<f64>(&(data::normal(24, features, 1) * (1.8 / features as f64).sqrt()));
        let builder = RandomFourier::new(kernel, 128);
        let independent = errors(&builder.clone().orthogonal(false), &x).0;
        let orthogonal = errors(&builder, &x).0;
        let (structured, of_mean) = errors(&builder.structured(true), &x);
        assert!(
            structured < 1.2 * orthogonal && structured > 0.05 * independent,
            "{features}: {structured} {orthogonal} {independent}"
        );
        assert!(structured < independent, "{features}: {independent}");
        let bias = of_mean * SEEDS as f64 / structured;
        assert!((0.2..3.0).contains(&bias), "{features}: {bias}");
    }
    for features in [64, 65, 100] {
        check(Gaussian::new(0.2), features);
        check(Exponential::new(0.3), features);
        check(RationalQuadratic::new(2.0, 1.5), features);
    }
}

/// Frequencies are structured only where features are many: with less than 64, fast transforms gain nothing.
#[test]
fn frequencies_are_structured_where_features_are_many() {
    for (features, is_structured) in [(63, false), (64, true)] {
        let x = data::normal(5, features, 1);
        let frequencies = |structured| {
            let builder = RandomFourier::new(Gaussian::new(0.1), 10).structured(structured);
            builder
                .fit_space(&x)
                .unwrap()
                .training_coordinates()
                .to_owned()
        };
        assert_eq!(frequencies(true) != frequencies(false), is_structured);
    }
}

/// Structured frequencies are finite for heavy tails, where the deviations of half of all frequencies vanish to rounding.
#[test]
fn structured_frequencies_of_heavy_tails() {
    let x = data::normal(20, 70, 1);
    for seed in 0..6 {
        let builder = RandomFourier::new(RationalQuadratic::new(1.0, 1e-3), 200).seed(seed);
        let space = builder.structured(true).fit_space(&x).unwrap();
        let y = space.training_coordinates();
        assert!(y.iter().all(|v| v.is_finite()));
    }
}

/// Length scales divide frequencies, each feature by its own scale.
#[test]
fn length_scales_divide_frequencies() {
    let x = data::normal(20, 70, 1);
    let scales: Vec<f64> = (0..70).map(|k| f64::from(k % 5 * 2) + 1.5).collect();
    let scaled = &x / &ndarray::Array1::from(scales.clone());
    for structured in [false, true] {
        let apart = RandomFourier::new(LengthScales::new(Gaussian::new(0.3), scales.clone()), 50);
        let apart = apart.structured(structured).fit_space(&x).unwrap();
        let of_scaled = RandomFourier::new(Gaussian::new(0.3), 50).structured(structured);
        let of_scaled = of_scaled.fit_space(&scaled).unwrap();
        let (a, b) = (
            apart.training_coordinates(),
            of_scaled.training_coordinates(),
        );
        assert!(
            (a.dot(&a.t()) - b.dot(&b.t()))
                .iter()
                .all(|d| d.abs() < 1e-13)
        );
    }
}

/// Angles are measured from the mean of the samples, which may be far from the origin.
#[test]
fn far_from_the_origin() {
    let x = data::normal(30, 3, 1).mapv(|v| (v * 64.0).round() / 64.0);
    let far = &x + 1e6;
    let coordinates = |x: &Array2<f64>| {
        let space = RandomFourier::new(Gaussian::new(0.3), 40)
            .fit_space(x)
            .unwrap();
        let y = space.training_coordinates();
        y.dot(&y.t())
    };
    let off = coordinates(&x) - coordinates(&far);
    assert!(off.iter().all(|d| d.abs() < 1e-8));
}

#[test]
fn ranks_and_errors() {
    let x = data::normal(100, 3, 1);
    let builder = RandomFourier::new(Gaussian::new(0.3), 30);
    let space = builder
        .clone()
        .rank(Rank::Components(5))
        .fit_space(&x)
        .unwrap();
    assert_eq!(space.rank(), 5);
    let features = builder
        .clone()
        .axes(Axes::Cholesky)
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let lengths = features
        .training_coordinates()
        .map_axis(Axis(1), |f| f.dot(&f));
    assert!(features.rank() == 60 && lengths.iter().all(|l| (l - 1.0).abs() < 1e-14));
    let found = features.coordinates(&data::normal(3, 2, 1));
    assert_eq!(
        found,
        Err(Error::ColumnCount {
            expected: 3,
            found: 2
        })
    );

    let none = RandomFourier::new(Gaussian::new(0.3), 0)
        .fit_space(&x)
        .err();
    assert!(matches!(
        none,
        Some(Error::Parameter {
            parameter: "frequencies",
            ..
        })
    ));
    let negative = RandomFourier::new(Gaussian::new(-0.3), 10)
        .fit_space(&x)
        .err();
    assert!(matches!(
        negative,
        Some(Error::Parameter {
            parameter: "gamma",
            ..
        })
    ));
    for (rank, name) in [
        (Rank::Components(0), "components"),
        (Rank::Tolerance(1.5), "tolerance"),
        (Rank::Variance(f64::NAN), "variance"),
    ] {
        let found = builder.clone().rank(rank).fit_space(&x).err();
        assert!(matches!(found, Some(Error::Parameter { parameter, .. }) if parameter == name));
    }
    let narrow = RandomFourier::new(Gaussian::new(0.5_f32), 1000);
    let near = narrow.fit_space(&ndarray::array![[0.0_f32], [3e-5]]).err();
    assert_eq!(near, Some(Error::NoVariance { samples: 2 }));
    let fitted = narrow.fit_space(&x.mapv(|v| v as f32)).unwrap();
    let far = fitted.coordinates(&ndarray::array![[0.0_f32, 0.0, 0.0], [3e38, 3e38, 3e38]]);
    assert!(
        matches!(far, Err(Error::Overflow { row: 1, .. })),
        "{far:?}"
    );
    let one = RandomFourier::new(Gaussian::new(0.3), 10).fit_space(&data::normal(1, 3, 1));
    assert_eq!(one.err(), Some(Error::NoVariance { samples: 1 }));
    let alike = builder.fit_space(&data::duplicates(1, 5, 3, 1)).err();
    assert_eq!(alike, Some(Error::NoVariance { samples: 5 }));
}
