//! Tests logistic regression on blocks.

use super::{Labelled, blocks, labelled, spaces};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, array};
use npt::{
    KernelizedModel, Scalar, Spectrum,
    methods::{
        Error,
        linear::{Logistic, LogisticParams},
    },
    prelude::*,
};
use npt_testkit::data;

fn params() -> LogisticParams {
    Logistic::params().penalty(0.1)
}

/// The largest distance of two solutions' weights if each may lower its objective by τ² at most: H ≥ λI beside the intercepts, and the
/// objective is less than its value at 0.
fn allowed(tolerance: f64, penalty: f64, samples: usize, classes: usize) -> f64 {
    let objective = samples as f64 * (classes as f64).ln();
    2.0 * tolerance * (2.0 * objective / penalty).sqrt()
}

#[test]
fn the_model_is_that_of_all_coordinates() {
    let some = data::normal(40, 3, 1);
    for (classes, balanced) in [(2, false), (5, false), (2, true), (5, true)] {
        let data = labelled(800, classes);
        let params = || params().balanced(balanced);
        for (what, space) in spaces(&some) {
            let y = space.coordinates(&data.records).unwrap();
            let whole = DatasetBase::new(y.clone(), data.targets.clone());
            let expected = params().fit(&whole).unwrap();
            let all = blocks(&data, &[1, 300, 300, 799]);
            let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
            let found = params().fit_blocks(&space, pass).unwrap();
            assert_eq!(found.classes(), expected.classes());
            let allowed = allowed(1e-8, 0.1, 800, classes);
            let off = (&found.weights() - &expected.weights()).mapv(|v| v * v);
            let off = off.sum().sqrt();
            assert!(off <= allowed, "{what}, {classes}: {off:e} > {allowed:e}");
            let off = found.predict_probabilities(&y) - expected.predict_probabilities(&y);
            assert!(off.iter().all(|v| v.abs() < 1e-6), "{what}, {classes}");
        }
    }
}

/// A fit takes few steps and few passes if the samples of its preconditioner represent the rest.
#[test]
fn passes_are_few() {
    let data = labelled(8000, 2);
    for penalty in [1.0, 1e-2] {
        let passes = [300, 2000, 8000].map(|samples| {
            let some = data.records.slice(ndarray::s![..samples, ..]).to_owned();
            let builder = Nystrom::new(Gaussian::new(0.2), Pivoting::uniform(40));
            let space = builder.fit_space(&some).unwrap();
            let mut count = 0;
            let pass = || {
                count += 1;
                Ok::<_, Error>([Ok(data.clone())])
            };
            params()
                .penalty(penalty)
                .tolerance(1e-4)
                .fit_blocks(&space, pass)
                .unwrap();
            count
        });
        let [few, many, all] = passes;
        assert!(all <= many && many <= few, "{penalty}: {passes:?}");
        // The passes are: one for the classes, one for the value at 0, and in each of six steps one for a value and, as the preconditioner is the
        // Hessian itself, one or two for iterations.
        assert!(all <= 18 && few <= 50, "{penalty}: {passes:?}");
    }
}

/// Classes may be rare (one sample in a hundred) or separable from all others, and labels may be words.
#[test]
fn unequal_and_separable_classes() {
    let x = data::normal(1000, 2, 5);
    let label = |(i, row): (usize, ndarray::ArrayView1<'_, f64>)| {
        if i % 100 == 0 {
            "rare"
        } else if row[0] > 0.0 {
            "right"
        } else {
            "left"
        }
    };
    let labels = x.outer_iter().enumerate().map(label).collect();
    let data = DatasetBase::new(x.clone(), labels);
    let some = data::normal(60, 2, 1);
    let space = Nystrom::new(Gaussian::new(0.3), Pivoting::random(20));
    let space = space.fit_space(&some).unwrap();
    let all = blocks(&data, &[400, 600]);
    // Hardly one of the 60 samples stands for the few that are not certain: from some step on all samples are asked.
    for (penalty, most) in [(1e-6, 800), (1e-3, 200), (1.0, 80), (1e6, 30)] {
        let mut passes = 0;
        let pass = || {
            passes += 1;
            Ok::<_, Error>(all.iter().cloned().map(Ok))
        };
        let params = Logistic::params().penalty(penalty);
        let found = params.fit_blocks(&space, pass).unwrap();
        assert!(passes <= most, "{penalty}: {passes}");
        assert_eq!(found.classes(), ["left", "rare", "right"]);
        let y = space.coordinates(&x).unwrap();
        let p = found.predict_probabilities(&y);
        // Intercepts carry no penalty: the expected number of samples of a class is their number.
        for (class, label) in found.classes().iter().enumerate() {
            let there = data.targets.iter().filter(|l| *l == label).count() as f64;
            let expected = p.column(class).sum();
            assert!(
                (expected - there).abs() < 1e-3 * there,
                "{penalty}, {label}: {expected}"
            );
        }
    }
}

#[test]
fn in_single_precision() {
    let data = labelled(2000, 3);
    let narrow = DatasetBase::new(data.records.mapv(|v| v as f32), data.targets.clone());
    let some = data::normal(60, 3, 1);
    let of = Pivoting::uniform(20);
    let wide = Nystrom::new(Gaussian::new(0.2), of)
        .fit_space(&some)
        .unwrap();
    let nystrom = Nystrom::new(Gaussian::new(0.2_f32), of);
    let space = nystrom.fit_space(&some.mapv(|v| v as f32)).unwrap();
    let expected = params()
        .fit_blocks(&wide, || Ok::<_, Error>([Ok(data.clone())]))
        .unwrap();
    let found = params()
        .fit_blocks(&space, || Ok::<_, Error>([Ok(narrow.clone())]))
        .unwrap();
    let expected = expected.predict_probabilities(&wide.coordinates(&data.records).unwrap());
    let found = found.predict_probabilities(&space.coordinates(&narrow.records).unwrap());
    let off = found.mapv(Scalar::as_f64) - expected;
    assert!(
        off.iter().all(|v| v.abs() < 1e-3),
        "{:e}",
        off.fold(0.0, |m: f64, v| m.max(v.abs()))
    );
}

/// Preconditioners work with more landmarks than the space has samples, with a penalty at rounding, and with kernel values of 10¹².
#[test]
fn preconditioners_of_few_samples() {
    let data = labelled(600, 2);
    let landmarks = Rows::new(data::normal(20, 3, 4)).unwrap();
    let few = Nystrom::new(Gaussian::new(0.2), npt::Given(landmarks)).axes(Axes::Cholesky);
    let few = few
        .centered(false)
        .fit_space(&data::normal(5, 3, 1))
        .unwrap();
    let pass = || Ok::<_, Error>([Ok(data.clone())]);
    let y = few.coordinates(&data.records).unwrap();
    for penalty in [1.0, 1e-6] {
        let params = params().penalty(penalty);
        let found = params.fit_blocks(&few, pass).unwrap();
        let whole = DatasetBase::new(y.clone(), data.targets.clone());
        let expected = params.fit(&whole).unwrap();
        let off = found.predict_probabilities(&y) - expected.predict_probabilities(&y);
        let off = off.fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(off < 1e-4, "{penalty}: {off:e}");
    }
    let mut large = data.clone();
    large.records *= 1e3;
    let kernel = Polynomial::new(2, 1.0, 1.0);
    let some = large.records.slice(ndarray::s![..200, ..]).to_owned();
    let space = Nystrom::new(kernel, Pivoting::greedy(9))
        .fit_space(&some)
        .unwrap();
    let found = params().fit_blocks(&space, || Ok::<_, Error>([Ok(large.clone())]));
    let y = space.coordinates(&large.records).unwrap();
    let whole = DatasetBase::new(y.clone(), large.targets.clone());
    let expected = params().fit(&whole).unwrap().predict_probabilities(&y);
    let off = found.unwrap().predict_probabilities(&y) - expected;
    let off = off.fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-4, "{off:e}");
}

/// The probabilities are the same with kernel values near either end of the range, if the penalty is in their unit.
#[test]
fn scales() {
    let data = labelled(600, 3);
    let some = data::normal(100, 3, 1);
    let of = |scale: f64| {
        let kernel = Gaussian::new(0.2).scaled(scale);
        let nystrom = Nystrom::new(kernel, Pivoting::random(20));
        let space = nystrom.fit_space(&some).unwrap();
        let mut passes = 0;
        let params = params().penalty(0.1 * scale);
        let found = params.fit_blocks(&space, || {
            passes += 1;
            Ok::<_, Error>([Ok(data.clone())])
        });
        let y = space.coordinates(&data.records).unwrap();
        (found.unwrap().predict_probabilities(&y), passes)
    };
    let (expected, usual) = of(1.0);
    for scale in [1e-150, 1e-20, 1e20, 1e150] {
        let (found, passes) = of(scale);
        let off = (found - &expected).fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(off < 1e-6, "{scale:e}: {off:e}");
        assert!(passes <= usual + usual / 4, "{scale:e}: {passes}, {usual}");
    }
}

/// A model of strings, fitted to blocks, predicts the same as an expansion.
#[test]
fn of_strings() {
    let texts: Vec<String> = (0..200_u32)
        .map(|i| {
            let letter =
                |k| ['A', 'C', 'G', 'T'][(i.wrapping_mul(2_654_435_761) >> (2 * k)) as usize % 4];
            (0..9).map(letter).collect()
        })
        .collect();
    let has: Array1<bool> = texts.iter().map(|t| t.contains("AC")).collect();
    let all = Items::new(texts.clone()).unwrap();
    let space = Nystrom::new(Spectrum::new(2), Pivoting::greedy(14));
    let space = space.fit_space(&all).unwrap();
    let block = |rows: std::ops::Range<usize>| {
        let items = Items::new(texts[rows.clone()].to_vec()).unwrap();
        DatasetBase::new(items, has.slice(ndarray::s![rows]).to_owned())
    };
    let params = Logistic::params().penalty(0.01);
    let pass = || Ok::<_, Error>([Ok(block(0..90)), Ok(block(90..200))]);
    let logistic = params.fit_blocks(&space, pass).unwrap();
    let model = KernelizedModel::new(logistic, space.into_parts().0);
    let expanded = model.clone().expand().unwrap();
    let found: Array1<bool> = expanded.try_predict(&all).unwrap();
    let right = found.iter().zip(&has).filter(|(a, b)| a == b).count();
    assert!(right >= 190, "{right}");
    assert_eq!(found, model.try_predict(&all).unwrap());
}

#[test]
fn what_is_refused() {
    let some = data::normal(20, 3, 1);
    let space = Exact::new(Gaussian::new(0.2)).fit_space(&some).unwrap();
    let data = labelled(300, 3);
    let fit = |params: LogisticParams, change: &dyn Fn(usize, &mut Vec<Labelled<usize>>)| {
        let mut passes = 0;
        params.fit_blocks(&space, || {
            passes += 1;
            let mut all = blocks(&data, &[100]);
            change(passes, &mut all);
            Ok::<_, Error>(all.into_iter().map(Ok))
        })
    };
    let error = fit(params().penalty(0.0), &|_, _| {}).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Parameter {
                of: "Logistic",
                parameter: "penalty",
                ..
            }
        ),
        "{error}"
    );
    let one = |_: usize, all: &mut Vec<Labelled<usize>>| {
        for block in all {
            block.targets.fill(2);
        }
    };
    assert_eq!(fit(params(), &one), Err(Error::Classes { found: 1 }));
    let other = |pass: usize, all: &mut Vec<Labelled<usize>>| {
        if pass > 1 {
            all[1].targets[7] = 9;
        }
    };
    assert_eq!(fit(params(), &other), Err(Error::LaterClass { row: 107 }));
    let fewer = |pass: usize, all: &mut Vec<Labelled<usize>>| all.truncate(3 - pass.min(2));
    let (first, later) = (300, 100);
    assert_eq!(
        fit(params(), &fewer),
        Err(Error::OtherPass { first, later })
    );
    let uneven = |_: usize, all: &mut Vec<Labelled<usize>>| all[1].targets = array![0, 1];
    let (samples, targets) = (200, 2);
    let count = npt::Error::TargetCount { samples, targets };
    let expected = Error::Block {
        row: 100,
        error: Box::new(count.into()),
    };
    assert_eq!(fit(params(), &uneven), Err(expected));
    let bad = |_: usize, all: &mut Vec<Labelled<usize>>| all[1].records[[4, 2]] = f64::INFINITY;
    let (row, column, value) = (104, 2, f64::INFINITY);
    let expected = npt::Error::SampleNotFinite { row, column, value };
    assert_eq!(fit(params(), &bad), Err(expected.into()));
    let weighted = |_: usize, all: &mut Vec<Labelled<usize>>| {
        let block = all.remove(0);
        let mut weights = Array1::ones(100);
        weights[3] = -1.0;
        all.push(block.with_weights(weights));
    };
    let (row, value) = (203, -1.0);
    assert_eq!(
        fit(params(), &weighted),
        Err(Error::Core(npt::Error::Weight { row, value }))
    );
    let none = |_: usize, all: &mut Vec<Labelled<usize>>| all.clear();
    assert_eq!(fit(params(), &none), Err(npt::Error::NoSamples.into()));
    let short = fit(params().max_iterations(1), &|_, _| {});
    assert!(matches!(
        short,
        Err(Error::NotConverged {
            method: "Logistic",
            ..
        })
    ));
}
