//! Pre-images: where they are known exactly, against scikit-learn, and what they refuse.

use approx::assert_abs_diff_eq;
use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array2, Axis, array, concatenate, s};
use npt_core::{
    Axes, Exact, Gaussian, Kernel, KernelSpace, Laplacian, Linear, Polynomial, Rank, Rows, Scalar,
    SpaceBuilder,
};
use npt_methods::{
    Error, KernelKMeans, Kpca,
    linear::Pca,
    pre_image::{
        DistanceConstraints, FixedPoint, KpcaPreImages, PreImage, PreImageRidge, Prototypes,
        Training,
    },
};

/// The same numbers in every language: xᵢⱼ = sin(3i + 2j + 0.7·i·j).
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let (i, j) = (i as f64, j as f64);
        (3.0 * i + 2.0 * j + 0.7 * i * j).sin()
    })
}

/// At full rank φ(xᵢ) is a point of the space, and xᵢ its pre-image, whatever axes and origin.
fn training_samples_return<F: Scalar, M>(method: &M, x: &Array2<F>, gamma: f64, tolerance: f64)
where
    M: PreImage<F, Gaussian<F>>,
{
    for (axes, centered) in [
        (Axes::Principal, true),
        (Axes::Cholesky, true),
        (Axes::Principal, false),
        (Axes::Cholesky, false),
    ] {
        let builder = Exact::new(Gaussian::new(F::cast(gamma)))
            .axes(axes)
            .centered(centered);
        let space = builder.fit_space(x).unwrap();
        let training = Training::new(&space, x).unwrap();
        let z = method
            .pre_images(&training, space.training_coordinates())
            .unwrap();
        let width = gamma.sqrt().recip();
        let off = (z - x).iter().fold(0.0_f64, |m, d| m.max(d.as_f64().abs()));
        assert!(
            off <= tolerance * width,
            "{axes:?}, centred {centered}: {off:e} of {width:e}"
        );
    }
}

/// To the tolerance of the iteration in f64 and, as −ln κ takes the root of the rounding of
/// distances in feature space, to about √ε for the constraints.
#[test]
fn training_samples_are_their_own_pre_images() {
    let copies = concatenate![Axis(0), waves(12, 3), waves(12, 3)];
    for x in [waves(30, 4), waves(5, 12), copies] {
        for scale in [1e-100, 1.0, 1e100] {
            let (x, gamma) = (&x * scale, 0.7 / scale / scale);
            training_samples_return(&FixedPoint::new(), &x, gamma, 1e-7);
            training_samples_return(&DistanceConstraints::new(), &x, gamma, 1e-7);
        }
        let single = x.mapv(|v| v as f32);
        training_samples_return(&FixedPoint::new(), &single, 0.7, 5e-3);
        training_samples_return(&DistanceConstraints::new(), &single, 0.7, 5e-3);
    }
}

/// With the linear kernel the nearest input to a point is the point, which linear PCA knows: to the
/// rounding of axes, which is larger by a gap between eigenvalues of a few hundredths.
#[test]
fn with_the_linear_kernel_pre_images_are_projections() {
    let (x, new) = (
        waves(20, 4) + 3.0,
        waves(26, 4).slice_move(s![20.., ..]) + 2.0,
    );
    let data = DatasetBase::from(x.clone());
    for components in 1..=4 {
        let pca = Pca::params(components).fit(&data).unwrap();
        let expected = pca.inverse_transform(&pca.transform(new.clone())).unwrap();
        let model = Kpca::params(components, Linear::new()).fit(&data).unwrap();
        let found = model.denoise(&FixedPoint::new(), &x, &new).unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
        let found = model
            .denoise(&DistanceConstraints::new().neighbours(20), &x, &new)
            .unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 1e-11);
        // The penalty shrinks by α/λ, which is most along the last axis.
        let alpha = 1e-6;
        let shrunk = alpha / pca.eigenvalues()[components - 1];
        let ridge = PreImageRidge::new(Linear::new(), alpha);
        let found = model.denoise(&ridge, &x, &new).unwrap();
        assert_abs_diff_eq!(found, expected, epsilon = 10.0 * shrunk);
    }
}

/// scikit-learn 1.9.1 on samples of mean 0 (it loses the mean):
/// `KernelPCA(n_components=3, kernel=…, fit_inverse_transform=True, alpha=0.1).fit(x)`, then
/// `inverse_transform(transform(new))`.
#[test]
fn ridge_is_that_of_scikit_learn() {
    fn check<K>(kernel: K, expected: &Array2<f64>)
    where
        K: Kernel<Rows<f64>, Scalar = f64> + Copy,
    {
        let mut x = waves(12, 3);
        let mean = x.mean_axis(Axis(0)).unwrap();
        x -= &mean;
        let new = waves(15, 3).slice_move(s![12.., ..]);
        let data = DatasetBase::from(x.clone());
        let model = Kpca::params(3, kernel).fit(&data).unwrap();
        let ridge = PreImageRidge::new(kernel, 0.1);
        let found = model.denoise(&ridge, &x, &new).unwrap();
        assert_abs_diff_eq!(found, *expected, epsilon = 1e-12);
        // The mean comes back: the same samples elsewhere have the same pre-images there.
        let model = Kpca::params(3, Linear::new())
            .fit(&DatasetBase::from(&x + 5.0))
            .unwrap();
        let ridge = PreImageRidge::new(Linear::new(), 0.1);
        let there = model.denoise(&ridge, &(&x + 5.0), &(&new + 5.0)).unwrap();
        let model = Kpca::params(3, Linear::new()).fit(&data).unwrap();
        let here = model.denoise(&ridge, &x, &new).unwrap();
        assert_abs_diff_eq!(there, here + 5.0, epsilon = 1e-12);
    }
    check(
        Linear::new(),
        &array![
            [
                -0.975_351_170_739_092,
                0.650_960_039_603_233,
                0.239_850_660_398_470
            ],
            [
                0.946_118_756_902_045,
                -0.158_397_920_313_554,
                -0.978_815_186_148_138
            ],
            [
                -0.900_069_074_417_410,
                -0.377_071_468_122_239,
                0.358_886_613_128_205
            ],
        ],
    );
    let scores = array![
        [
            -0.864_303_594_455_213,
            0.589_693_936_809_222,
            0.174_389_030_178_054
        ],
        [
            0.700_814_963_685_417,
            -0.137_306_281_363_790,
            -0.663_848_115_851_204
        ],
        [
            -0.911_007_393_280_309,
            -0.352_398_111_427_838,
            0.356_335_457_936_387
        ],
    ];
    check(Gaussian::new(0.4), &scores);
    let scores = array![
        [
            -0.955_394_151_586_564,
            0.640_450_036_815_147,
            0.248_738_429_391_896
        ],
        [
            0.919_733_461_901_595,
            -0.147_023_642_073_095,
            -0.946_038_420_639_744
        ],
        [
            -0.904_411_274_480_102,
            -0.390_943_638_282_258,
            0.353_358_994_074_659
        ],
    ];
    check(Polynomial::new(2, 0.5, 1.0), &scores);
}

/// A batch of points has the pre-images of its points one by one, and the same seed the same bits.
#[test]
fn points_do_not_depend_on_their_company() {
    let x = waves(60, 3);
    let data = DatasetBase::from(x.clone());
    let model = Kpca::params(4, Gaussian::new(1.0)).fit(&data).unwrap();
    let method = FixedPoint::new().seed(7);
    let all = model.denoise(&method, &x, &x).unwrap();
    assert_eq!(all, model.denoise(&method, &x, &x).unwrap());
    for i in 0..x.nrows() {
        let alone = x.slice(s![i..=i, ..]);
        let alone = model.denoise(&method, &x, &alone).unwrap();
        assert_abs_diff_eq!(alone.row(0), all.row(i), epsilon = 1e-7);
    }
}

/// The centroids of clusters far apart, one of them of one sample: its second neighbour is farther
/// than the kernel can tell.
#[test]
fn prototypes_are_inputs() {
    let x = array![
        [0.0, 0.0],
        [1.0, 0.0],
        [50.0, 3.0],
        [-40.0, 9.0],
        [-40.0, 10.0]
    ];
    let data = DatasetBase::from(x.clone());
    let model = KernelKMeans::params(3, Gaussian::new(0.1))
        .fit(&data)
        .unwrap();
    for prototypes in [
        model.prototypes(&FixedPoint::new(), &x).unwrap(),
        model
            .prototypes(&DistanceConstraints::new().neighbours(2), &x)
            .unwrap(),
    ] {
        for expected in [[0.5_f64, 0.0], [50.0, 3.0], [-40.0, 9.5]] {
            let nearest = prototypes.outer_iter().map(|row| {
                let d = &row - &array![expected[0], expected[1]];
                d.dot(&d).sqrt()
            });
            assert!(nearest.fold(f64::INFINITY, f64::min) < 1e-7, "{prototypes}");
        }
    }
}

/// A sample that no landmark is near to, even one beyond the numbers in units of the kernel's width, is
/// no start: the iteration goes on from landmarks.
#[test]
fn samples_far_from_everything() {
    let x = waves(30, 2);
    let data = DatasetBase::from(x.clone());
    let model = Kpca::params(3, Gaussian::new(4.0)).fit(&data).unwrap();
    for far in [1e3, 1e200, 1e308] {
        let far = array![[far, 0.0]];
        let found = model.denoise(&FixedPoint::new(), &x, &far).unwrap();
        let scores: Array2<f64> = model.unfolded().transform(far);
        let expected = model
            .inverse_transform(&FixedPoint::new(), &x, &scores)
            .unwrap();
        // Scores by coordinates and by the expansion differ by rounding, what is found from them by the
        // tolerance of the iteration.
        assert_abs_diff_eq!(found, expected, epsilon = 1e-8);
        assert!(found.iter().all(|v| v.abs() < 2.0));
    }
}

#[test]
fn points_without_pre_image() {
    let x = array![[0.0], [1.0]];
    let space = Exact::new(Gaussian::new(1.0))
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let training = Training::new(&space, &x).unwrap();
    // The second is −φ(0): the farther an input is, the nearer.
    let points = concatenate![
        Axis(0),
        space.training_coordinates(),
        -space.coordinates(&array![[0.0]]).unwrap()
    ];
    let Err(Error::NoPreImage {
        point,
        iterate,
        residual,
    }) = FixedPoint::new().pre_images(&training, points.view())
    else {
        panic!("there is none");
    };
    assert_eq!((point, iterate), (2, vec![1.0]));
    assert_abs_diff_eq!(residual, 2.0 + 2.0 * (-1.0_f64).exp(), epsilon = 1e-13);
    let far = DistanceConstraints::new().pre_images(&training, points.view());
    assert!(matches!(far, Err(Error::NoPreImage { point: 2, residual, .. }) if residual > 2.0));

    // One evaluation is too few anywhere but at a maximum.
    let between = space.coordinates(&array![[0.3]]).unwrap();
    let one = FixedPoint::new()
        .max_iterations(1)
        .pre_images(&training, between.view());
    assert!(matches!(one, Err(Error::NoPreImage { point: 0, residual, .. }) if residual > 0.0));
}

#[test]
fn bad_input() {
    let x = waves(10, 2);
    let space = Exact::new(Gaussian::new(1.0))
        .rank(Rank::Components(3))
        .fit_space(&x)
        .unwrap();
    let training = Training::new(&space, &x).unwrap();
    let (expected, found) = (3, 2);
    let wide = Some(Error::Core(npt_core::Error::ColumnCount {
        expected,
        found,
    }));
    let two = Array2::zeros((1, 2));
    let ridge = PreImageRidge::new(Laplacian::new(1.0), 1.0);
    assert_eq!(
        FixedPoint::new().pre_images(&training, two.view()).err(),
        wide
    );
    assert_eq!(
        DistanceConstraints::new()
            .pre_images(&training, two.view())
            .err(),
        wide
    );
    assert_eq!(ridge.pre_images(&training, two.view()).err(), wide);

    let nan = array![[0.0, f64::NAN, 0.0]];
    let is_nan = |error| {
        let Some(Error::Core(npt_core::Error::SampleNotFinite { row, column, .. })) = error else {
            return false;
        };
        (row, column) == (0, 1)
    };
    assert!(is_nan(
        FixedPoint::new().pre_images(&training, nan.view()).err()
    ));
    assert!(is_nan(
        DistanceConstraints::new()
            .pre_images(&training, nan.view())
            .err()
    ));
    assert!(is_nan(ridge.pre_images(&training, nan.view()).err()));
    let none = Array2::zeros((0, 3));
    let none = FixedPoint::new().pre_images(&training, none.view()).err();
    assert_eq!(none, Some(Error::Core(npt_core::Error::NoSamples)));

    let short = waves(9, 2);
    let (samples, targets) = (9, 10);
    let count = npt_core::Error::TargetCount { samples, targets };
    assert_eq!(
        Training::new(&space, &short).err(),
        Some(Error::Core(count))
    );
    let mut other = x.clone();
    other[[4, 1]] += 1.0;
    assert_eq!(
        Training::new(&space, &other).err(),
        Some(Error::OtherSamples { row: 4 })
    );
    let wide = waves(10, 3);
    let (expected, found) = (2, 3);
    let columns = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(
        Training::new(&space, &wide).err(),
        Some(Error::Core(columns))
    );

    let model = Kpca::params(2, Gaussian::new(1.0))
        .fit(&DatasetBase::from(x.clone()))
        .unwrap();
    let scores = model.inverse_transform(&ridge, &x, &Array2::zeros((1, 3)));
    let (expected, found) = (2, 3);
    let columns = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(scores.err(), Some(Error::Core(columns)));
}

#[test]
fn bad_parameters() {
    let x = waves(10, 2);
    let space = Exact::new(Gaussian::new(1.0)).fit_space(&x).unwrap();
    let training = Training::new(&space, &x).unwrap();
    let points = space.training_coordinates();
    let refused = |of, parameter, value, allowed| {
        Some(Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        })
    };
    let none = FixedPoint::new().starts(0).pre_images(&training, points);
    assert_eq!(
        none.err(),
        refused("FixedPoint", "starts", 0.0, "at least 1")
    );
    let none = FixedPoint::new()
        .max_iterations(0)
        .pre_images(&training, points);
    assert_eq!(
        none.err(),
        refused("FixedPoint", "max_iterations", 0.0, "at least 1")
    );
    let none = DistanceConstraints::new()
        .neighbours(0)
        .pre_images(&training, points);
    assert_eq!(
        none.err(),
        refused("DistanceConstraints", "neighbours", 0.0, "at least 1")
    );
    for bad in [0.0, -1.0, f64::INFINITY] {
        let none = FixedPoint::new()
            .tolerance(bad)
            .pre_images(&training, points);
        assert_eq!(
            none.err(),
            refused("FixedPoint", "tolerance", bad, "finite and above 0")
        );
    }
    for bad in [-1.0, f64::INFINITY] {
        let none = PreImageRidge::new(Linear::new(), bad).pre_images(&training, points);
        assert_eq!(
            none.err(),
            refused("PreImageRidge", "alpha", bad, "finite, at least 0")
        );
    }
    let nan = PreImageRidge::new(Linear::new(), f64::NAN).pre_images(&training, points);
    assert!(matches!(nan, Err(Error::Parameter { value, .. }) if value.is_nan()));
    // Ten points on a plane of nine dimensions: without a penalty the map is not determined.
    let none = PreImageRidge::new(Linear::new(), 0.0).pre_images(&training, points);
    assert!(matches!(
        none,
        Err(Error::Singular { of: "PreImageRidge", parameter: "alpha", value: 0.0, least })
            if least > 0.0
    ));
    let bad = PreImageRidge::new(Gaussian::new(-1.0), 1.0).pre_images(&training, points);
    assert!(matches!(
        bad,
        Err(Error::Core(npt_core::Error::Parameter { .. }))
    ));
}

/// Points of which the squares, or the points themselves as inputs, are no numbers.
#[test]
fn points_out_of_range() {
    let x = waves(10, 2) * 100.0;
    let overflow = |of| Some(Error::Overflow { of });
    let ridge = PreImageRidge::new(Linear::new(), 1.0);
    let constraints = DistanceConstraints::new();

    let space = Exact::new(Linear::new()).fit_space(&x).unwrap();
    let training = Training::new(&space, &x).unwrap();
    for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]] {
        let far = array![signs] * 1.7e308;
        let found = FixedPoint::new().pre_images(&training, far.view());
        // Along an axis of the space they may still be inputs.
        assert!(
            found.is_ok_and(|z| z.iter().all(|v| v.is_finite())) || {
                FixedPoint::new().pre_images(&training, far.view()).err() == overflow("FixedPoint")
            }
        );
        let found = constraints.pre_images(&training, far.view());
        assert_eq!(found.err(), overflow("DistanceConstraints"));
        let found = ridge.pre_images(&training, far.view());
        assert_eq!(found.err(), overflow("PreImageRidge"));
    }
    let space = Exact::new(Gaussian::new(1e-8)).fit_space(&x).unwrap();
    let training = Training::new(&space, &x).unwrap();
    let far = Array2::from_elem((1, space.rank()), 1e308);
    let found = FixedPoint::new().pre_images(&training, far.view());
    assert_eq!(found.err(), overflow("FixedPoint"));
    let found = constraints.pre_images(&training, far.view());
    assert_eq!(found.err(), overflow("DistanceConstraints"));
}

/// Distances of points near the mean of a Gaussian space differ less than those of φ(x), and draw the
/// pre-images to the middle of the neighbours.
#[test]
fn constraints_shrink_inside_the_sphere() {
    let x = waves(40, 2);
    let space = Exact::new(Gaussian::new(1.0)).fit_space(&x).unwrap();
    let training = Training::new(&space, &x).unwrap();
    let method = DistanceConstraints::new().neighbours(40);
    let spread = |share: f64| {
        let points = &space.training_coordinates() * share;
        let z = method.pre_images(&training, points.view()).unwrap();
        z.std_axis(Axis(0), 0.0).sum()
    };
    let whole = x.std_axis(Axis(0), 0.0).sum();
    assert_abs_diff_eq!(spread(1.0), whole, epsilon = 1e-6);
    assert!(spread(0.3) < 0.6 * whole, "{}", spread(0.3) / whole);
}

/// One sample spans an uncentred space of one dimension.
#[test]
fn one_sample() {
    let x = array![[3.0, -2.0]];
    let space = Exact::new(Gaussian::new(1.0))
        .centered(false)
        .fit_space(&x)
        .unwrap();
    let training = Training::new(&space, &x).unwrap();
    let points = array![[1.0], [0.3]];
    let same = concatenate![Axis(0), x, x];
    let z = FixedPoint::new()
        .pre_images(&training, points.view())
        .unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
    let z = DistanceConstraints::new()
        .pre_images(&training, points.view())
        .unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
    let z = PreImageRidge::new(Linear::new(), 1.0)
        .pre_images(&training, points.view())
        .unwrap();
    assert_abs_diff_eq!(z, same, epsilon = 1e-12);
}
