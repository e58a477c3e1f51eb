//! Tests sums along linear functions of coordinates that are taken without coordinates.

use super::{blocks, spaces};
use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, array, s};
use npt::{
    LinearForm, Scalar,
    methods::{
        Error,
        streaming::{PassSums, Passes},
    },
    prelude::*,
};
use npt_testkit::data;

/// Numbers without a pattern, from −1 to 1.
fn waves(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, k)| {
        (1.7 * i as f64 + 0.3 * k as f64).sin()
    })
}

fn assert_near(what: &str, found: &Array2<f64>, expected: &Array2<f64>, allowed: f64) {
    let off = (found - expected).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off <= allowed, "{what}: {off:e} > {allowed:e}");
}

/// Linear forms give the coordinates: y(x) = Aᵀg(x) + c, whatever g is.
#[test]
fn they_are_the_coordinates() {
    let (some, new) = (data::normal(40, 3, 1), data::normal(700, 3, 2));
    for (what, space) in spaces(&some) {
        let y = space.coordinates(&new).unwrap();
        let form: LinearForm<'_, _, f64> = space.linear_form().unwrap();
        let x = new.as_samples().unwrap();
        let found = form.sum(
            x.as_ref(),
            || Array2::zeros((0, space.rank())),
            |sum: &mut Array2<f64>, rows, features| {
                assert_eq!(features.nrows(), rows.len());
                let y = features.dot(&form.coefficients()) + form.offsets();
                sum.append(Axis(0), y.view()).unwrap();
            },
            |sum, more| sum.append(Axis(0), more.view()).unwrap(),
        );
        // The coefficients L⁻¹ are of the size of 1/√τ, τ the smallest pivot. The allowed error is the rounding of the kernel values times that.
        let largest = form.coefficients().fold(1.0, |m: f64, v| m.max(v.abs()));
        assert_near(what, &found.unwrap(), &y, 64.0 * f64::EPSILON * largest);
    }
}

/// Passes sum Yᵀu and 1ᵀu, u a function of linear functions and targets, however the samples are cut into blocks.
#[test]
fn passes_are_sums_of_coordinates() {
    let (some, new) = (data::normal(40, 3, 1), data::normal(1500, 3, 2));
    let data = Dataset::new(new.clone(), waves(1500, 2));
    for (what, space) in spaces(&some) {
        let y = space.coordinates(&new).unwrap();
        let (w, b) = (waves(space.rank(), 2), array![0.5, -2.0]);
        let u = (y.dot(&w) + &b).mapv(f64::tanh) * &data.targets;
        for ends in [&[][..], &[1, 600, 600, 1499]] {
            let all = blocks(&data, ends);
            let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
            let mut passes = Passes::new(&space, pass).unwrap();
            assert_eq!(passes.samples(), None);
            let PassSums {
                of_coordinates,
                of_ones,
            } = passes
                .sum(
                    (w.view(), b.view()),
                    |block| Ok(block.targets.clone()),
                    |targets, rows, values| values.mapv(f64::tanh) * targets.slice(s![rows, ..]),
                )
                .unwrap();
            assert_eq!(passes.samples(), Some(1500));
            assert_near(what, &of_coordinates, &y.t().dot(&u), 1e-8);
            let of_ones = of_ones.insert_axis(Axis(0));
            assert_near(
                what,
                &of_ones,
                &u.sum_axis(Axis(0)).insert_axis(Axis(0)),
                1e-8,
            );
        }
    }
}

/// Samples in `f32` lose nothing more to rounding: the coefficients are large, but their sums are not.
#[test]
fn in_single_precision() {
    let some = data::normal(60, 2, 1).mapv(|v| v as f32);
    let new = data::normal(2000, 2, 2).mapv(|v| v as f32);
    let nystrom = Nystrom::new(Gaussian::new(0.1_f32), Pivoting::random(20));
    let space = nystrom.fit_space(&some).unwrap();
    let form = space.linear_form().unwrap();
    let x = new.as_samples().unwrap();
    let features = form.sum(
        x.as_ref(),
        || Array2::zeros((0, 20)),
        |sum: &mut Array2<f64>, _, features| {
            let features = features.mapv(Scalar::as_f64);
            sum.append(Axis(0), features.view()).unwrap();
        },
        |sum, more| sum.append(Axis(0), more.view()).unwrap(),
    );
    let offsets = form.offsets().mapv(Scalar::as_f64);
    let y = features
        .unwrap()
        .dot(&form.coefficients().mapv(Scalar::as_f64))
        + offsets;
    let blocks = [Dataset::new(new, Array1::from_elem(2000, ()))];
    let pass = || Ok::<_, Error>(blocks.iter().cloned().map(Ok));
    let mut passes = Passes::new(&space, pass).unwrap();
    let (w, b) = (Array2::eye(space.rank()), Array1::zeros(space.rank()));
    let sums: Result<_, Error> = passes.sum(
        (w.view(), b.view()),
        |_| Ok(()),
        |(), _, values| values.to_owned(),
    );
    let expected = y.t().dot(&y);
    let largest = form.coefficients().fold(1.0_f32, |m, v| m.max(v.abs()));
    assert!(largest > 10.0, "{largest}");
    let size = 2000.0 * f64::from(largest).powi(2);
    assert_near(
        "YᵀY",
        &sums.unwrap().of_coordinates,
        &expected,
        16.0 * f64::EPSILON * size,
    );
}

/// Sums are the same on any number of threads.
#[test]
fn threads() {
    let (some, new) = (data::normal(40, 3, 1), data::normal(5000, 3, 2));
    let data = Dataset::new(new, waves(5000, 2));
    let space = Nystrom::new(Gaussian::new(0.2), Pivoting::random(25))
        .fit_space(&some)
        .unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut passes = Passes::new(&space, || Ok::<_, Error>([Ok(data.clone())])).unwrap();
            let (w, b) = (waves(space.rank(), 2), array![0.5, -2.0]);
            let sums: Result<_, Error> = passes.sum(
                (w.view(), b.view()),
                |block| Ok(block.targets.clone()),
                |targets, rows, values| values.mapv(f64::sin) * targets.slice(s![rows, ..]),
            );
            sums.unwrap()
        })
    };
    assert_eq!(on(1), on(3));
    assert_eq!(on(1), on(8));
}

/// Errors name rows as counted in all samples, in spaces of other crates, too.
#[test]
fn kernel_values_that_are_no_numbers() {
    let some = data::normal(12, 2, 1);
    let mut new = data::normal(900, 2, 2);
    new[[777, 1]] = 1e200;
    let exact = Exact::new(Polynomial::new(3, 1.0, 1.0))
        .fit_space(&some)
        .unwrap();
    let (space, coordinates, residuals) = exact.into_parts();
    let foreign = npt::Fitted::new(
        super::Foreign(Box::new(space.clone())),
        coordinates,
        residuals,
    );
    let own: &dyn KernelSpace<Samples = Rows<f64>, Scalar = f64> = &space;
    for space in [own, &foreign] {
        let form = space.linear_form().unwrap();
        let x = new.as_samples().unwrap();
        let error = form.sum(x.as_ref(), || (), |(), _, _| {}, |(), ()| {});
        match error.unwrap_err() {
            npt::Error::KernelNotFinite { row, .. } => assert_eq!(row, 777),
            other => panic!("{other}"),
        }
    }
    let form = space.linear_form().unwrap();
    let wide = data::normal(5, 3, 1);
    let x = wide.as_samples().unwrap();
    let refused = Err(npt::Error::ColumnCount {
        expected: 2,
        found: 3,
    });
    let error = form.sum(x.as_ref(), || (), |(), _, _| {}, |(), ()| {});
    assert_eq!(error, refused);
    let waves = RandomFourier::new(Gaussian::new(0.5), 8).fit_space(&some);
    let waves = waves.unwrap();
    let form = waves.space().linear_form().unwrap();
    let error = form.sum(x.as_ref(), || (), |(), _, _| {}, |(), ()| {});
    assert_eq!(error, refused);
}
