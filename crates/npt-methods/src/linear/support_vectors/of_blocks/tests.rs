use super::{
    super::{MulticlassSvc, Svc},
    OfBlocks,
};
use crate::Error;
use linfa::{
    DatasetBase, ParamGuard,
    traits::{Fit, Predict},
};
use ndarray::{Array1, Array2, ArrayView1, Axis, s};
use npt_core::{
    Exact, Fitted, Gaussian, KernelSpace, Linear, Nystrom, Pivoting, Rows, Scalar, SpaceBuilder,
    watch::{CancellationToken, Interrupted},
};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

type Labelled<F> = DatasetBase<Array2<F>, Array1<bool>>;

/// Returns samples of two classes that overlap.
fn samples<F: Scalar>(rows: usize, noise: f64) -> Labelled<F> {
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let x = Array2::from_shape_simple_fn((rows, 3), || rng.sample::<f64, _>(StandardNormal));
    let side = |row: ArrayView1<'_, f64>| {
        let noise = noise * rng.sample::<f64, _>(StandardNormal);
        (2.0 * row[0]).sin() + row[1] * row[0] + noise > 0.4
    };
    let sides = x.outer_iter().map(side).collect();
    DatasetBase::new(x.mapv(F::cast), sides)
}

fn space<F: Scalar>(
    x: &Array2<F>,
    scale: f64,
    rank: usize,
) -> Fitted<impl KernelSpace<Samples = Rows<F>, Scalar = F> + use<F>> {
    let kernel = Gaussian::new(F::cast(0.2)).scaled(F::cast(scale));
    let some = x.slice(s![..(4 * rank).min(x.nrows()), ..]);
    let builder = Nystrom::new(kernel, Pivoting::random(rank));
    builder.fit_space(&some).unwrap()
}

/// Fits with penalties of the positive and the negative class and with `held` samples held; also returns the number of passes.
fn fitted<F: Scalar>(
    data: &Labelled<F>,
    space: &Fitted<impl KernelSpace<Samples = Rows<F>, Scalar = F>>,
    (positive, negative): (f64, f64),
    held: usize,
) -> (Svc<F>, usize) {
    let mut passes = 0;
    let pass = || {
        passes += 1;
        let rows = |start: usize| s![start..(start + 700).min(data.records.nrows()), ..];
        let blocks = (0..data.records.nrows()).step_by(700).map(move |start| {
            let records = data.records.slice(rows(start)).to_owned();
            let end = start + records.nrows();
            let targets = data.targets.slice(s![start..end]).to_owned();
            let block = DatasetBase::new(records, targets);
            Ok(match data.weights() {
                Some(weights) => block.with_weights(weights[start..end].to_vec().into()),
                None => block,
            })
        });
        Ok::<_, Error>(blocks)
    };
    let params = Svc::params().class_c(positive, negative).tolerance(1e-3);
    let params = params.check().unwrap();
    let rank = space.rank();
    let mut blocks = OfBlocks::new("Svc", space, pass, held * rank).unwrap();
    let of = [(params.clone(), vec![-1.0, 1.0])];
    let svc = blocks.classifiers(&of, true).unwrap().remove(0);
    drop(blocks);
    (svc, passes)
}

/// A model whose values at its own samples leave the range of `f32` is refused: here coordinates of 10¹⁹ times weights of 10²⁰. All
/// other samples are near 10⁻¹⁸. Where the far sample is held with all others, rounding leaves nothing of their margin.
#[test]
fn values_that_leave_the_range() {
    let of = |far: f32, held: usize| {
        let mut data = samples::<f32>(1500, 0.0);
        data.records.mapv_inplace(|v| 1e-18 * v);
        data.targets = data.records.column(0).mapv(|v| v > 0.0);
        // The far sample has the label of the side that it is on anyway.
        data.records[[700, 0]] = far;
        data.targets[700] = true;
        let some = data.records.slice(s![..50, ..]);
        let line = Exact::new(Linear::new()).centered(false);
        let space = line.fit_space(&some).unwrap();
        let params = Svc::params().c(1e40).tolerance(1e-3).check().unwrap();
        let blocks = || Ok::<_, Error>([Ok(data.clone())]);
        let mut blocks = OfBlocks::new("Svc", &space, blocks, held * space.rank()).unwrap();
        let svc = blocks.classifiers(&[(params, vec![-1.0, 1.0])], false);
        svc.map(|mut svc| svc.remove(0))
    };
    for held in [300, 1500] {
        let svc = of(1e-18, held).unwrap();
        assert!(svc.weights().iter().any(|w| w.abs() > 1e20), "{held}");
        let error = of(1e19, held).err();
        assert_eq!(error, Some(Error::Overflow { of: "Svc" }), "{held}");
    }
}

/// Checks a fit against the conditions of optimality (Karush, Kuhn, Tucker), and returns the number of passes.
fn passes<F: Scalar>(
    data: &Labelled<F>,
    space: &Fitted<impl KernelSpace<Samples = Rows<F>, Scalar = F>>,
    (positive, negative): (f64, f64),
    held: usize,
) -> usize {
    let (svc, passes) = fitted(data, space, (positive, negative), held);
    let y = space
        .coordinates(&data.records)
        .unwrap()
        .mapv(Scalar::as_f64);
    let signs = data.targets.mapv(|side| if side { 1.0 } else { -1.0 });
    let dual = svc.dual().mapv(Scalar::as_f64);
    assert_eq!(dual.len(), signs.len());
    let size = dual.mapv(f64::abs).sum();
    let epsilon = F::epsilon().as_f64();
    assert!(
        dual.sum().abs() <= 64.0 * epsilon * size,
        "{:e} {size:e}",
        dual.sum()
    );
    let (mut up, mut down) = (f64::NEG_INFINITY, f64::INFINITY);
    let weights = y.t().dot(&dual);
    let given = svc.weights().mapv(Scalar::as_f64);
    let largest = y.outer_iter().map(|y| y.dot(&y)).fold(0.0, f64::max);
    let off = (&weights - &given).mapv(|v| v * v).sum().sqrt();
    assert!(off <= 64.0 * epsilon * size * largest.sqrt(), "{off:e}");
    for (sample, ((y, &sign), &beta)) in y.outer_iter().zip(&signs).zip(&dual).enumerate() {
        let c = if sign > 0.0 { positive } else { negative };
        let c = c * f64::from(data.weight_for(sample));
        if c == 0.0 {
            assert_eq!(beta, 0.0);
            continue;
        }
        let alpha = sign * beta;
        assert!((0.0..=c * (1.0 + epsilon)).contains(&alpha));
        let level = sign - y.dot(&given);
        let (may_rise, may_fall) = (alpha < c * (1.0 - epsilon), alpha > 0.0);
        if (sign > 0.0 && may_rise) || (sign < 0.0 && may_fall) {
            up = up.max(level);
        }
        if (sign > 0.0 && may_fall) || (sign < 0.0 && may_rise) {
            down = down.min(level);
        }
    }
    let bias = svc.bias().as_f64();
    let rounding = 64.0 * epsilon * given.dot(&given).sqrt() * largest.sqrt();
    let (most, least) = (down + 5e-4 + rounding, up - 5e-4 - rounding);
    assert!(least <= bias && bias <= most, "{least} {bias} {most}");
    passes
}

/// The fewer samples are held, the more passes there are; the solution is the same.
#[test]
fn few_samples_held() {
    let data = samples::<f64>(20_000, 0.3);
    let space = space(&data.records, 1.0, 30);
    for c in [(0.01, 0.01), (1.0, 1.0), (100.0, 100.0), (0.3, 20.0)] {
        for (held, most) in [(300, 120), (1000, 30), (4000, 12), (20_000, 2)] {
            let passes = passes(&data, &space, c, held);
            assert!(passes <= most, "{c:?}, {held}: {passes}");
        }
    }
    // Twice as many samples are held as can be needed.
    let passes = passes(&data, &space, (1.0, 1.0), 0);
    assert!(passes < 500, "{passes}");
}

/// Weights from 0 to 200, in no order, keep the solution optimal.
#[test]
fn weights() {
    let mut data = samples::<f64>(20_000, 0.3);
    let weight = |i: usize| ((i * 7919) % 101) as f32 * ((i % 3) as f32);
    data.weights = (0..20_000).map(weight).collect();
    let space = space(&data.records, 1.0, 30);
    for c in [(0.001, 0.001), (1.0, 1.0), (0.3, 20.0)] {
        for (held, most) in [(300, 200), (1000, 60), (20_000, 3)] {
            let passes = passes(&data, &space, c, held);
            assert!(passes <= most, "{c:?}, {held}: {passes}");
        }
    }
    // Some blocks have weights, others have none.
    let ones = DatasetBase::new(data.records.clone(), data.targets.clone());
    let pass = || {
        let [first, second] = [0..9000, 9000..20_000].map(|rows| {
            let records = ones.records.slice(s![rows.clone(), ..]).to_owned();
            DatasetBase::new(records, ones.targets.slice(s![rows]).to_owned())
        });
        let second = second.with_weights(Array1::ones(11_000));
        Ok::<_, Error>([Ok(first), Ok(second)])
    };
    let params = Svc::params().check().unwrap();
    let mut blocks = OfBlocks::new("Svc", &space, pass, 1000 * 30).unwrap();
    let of = [(params, vec![-1.0, 1.0])];
    let found = blocks.classifiers(&of, true).unwrap().remove(0);
    let y = space.coordinates(&ones.records).unwrap();
    let expected = fitted(&ones, &space, (1.0, 1.0), 1000)
        .0
        .decision_function(&y);
    let off = found.decision_function(&y) - &expected;
    assert!(off.iter().all(|off| off.abs() < 5e-3));
}

#[test]
fn in_single_precision() {
    let data = samples::<f32>(20_000, 0.3);
    for rank in [10, 100] {
        let space = space(&data.records, 1.0, rank);
        for c in [0.01, 1.0, 1000.0] {
            for (held, most) in [(1000, 60), (4000, 20)] {
                let passes = passes(&data, &space, (c, c), held);
                assert!(passes <= most, "{c}, {held}: {passes}");
            }
        }
    }
}

/// Classifiers are as good as in memory where coordinates are in single precision and scores are a few thousand.
#[test]
fn penalties_that_drown_in_rounding() {
    for noise in [0.0, 0.5] {
        let data = samples::<f32>(5000, noise);
        let space = space(&data.records, 1.0, 100);
        let (few, passes) = fitted(&data, &space, (1e7, 1e7), 2000);
        let (all, _) = fitted(&data, &space, (1e7, 1e7), 5000);
        assert!(passes <= 60, "{noise}: {passes}");
        let y = space.coordinates(&data.records).unwrap();
        let [few, all] = [few, all].map(|svc| {
            let pairs = svc.predict(&y).into_iter().zip(&data.targets);
            pairs.filter(|(found, side)| found == *side).count()
        });
        assert!(few.abs_diff(all) <= 10, "{noise}: {few}, {all}");
    }
}

/// Classes come one after the other, and a random sample has next to nothing of one of them.
#[test]
fn unequal_classes_in_order() {
    let mut data = samples::<f64>(20_000, 0.3);
    for rare in [1, 3, 40] {
        for side in [true, false] {
            let first = if side { 0 } else { 20_000 - rare };
            let is_rare = |i: usize| (first..first + rare).contains(&i);
            data.targets = (0..20_000).map(|i| is_rare(i) == side).collect();
            let space = space(&data.records, 1.0, 20);
            for c in [(1.0, 1.0), (50.0, 0.2)] {
                let passes = passes(&data, &space, c, 500);
                assert!(passes <= 150, "{rare}, {side}, {c:?}: {passes}");
            }
        }
    }
}

/// A later pass with more or fewer samples than the first is an error, also where not all samples are held.
#[test]
fn another_number_of_samples() {
    let data = samples::<f64>(2000, 0.3);
    let space = space(&data.records, 1.0, 20);
    for later in [1999, 2001] {
        let mut calls = 0;
        let other = samples::<f64>(later, 0.3);
        let pass = || {
            calls += 1;
            let data = if calls > 2 { &other } else { &data };
            Ok::<_, Error>([Ok(data.clone())])
        };
        let params = Svc::params().check().unwrap();
        let mut blocks = OfBlocks::new("Svc", &space, pass, 200 * 20).unwrap();
        let found = blocks.classifiers(&[(params, vec![-1.0, 1.0])], true);
        let first = 2000;
        assert_eq!(found, Err(Error::OtherPass { first, later }));
    }
}

/// Pairs of classes of which the random sample has nothing are found in the same passes as others, with penalties as they are and
/// with balanced ones.
#[test]
fn pairs_of_rare_classes() {
    let x = samples::<f64>(20_000, 0.3).records;
    let class = |i: usize| match i {
        4000..4003 => 2,
        9000..9004 => 3,
        _ => usize::from(x[[i, 0]] > 0.0),
    };
    let classes: Array1<usize> = (0..20_000).map(class).collect();
    let data = DatasetBase::new(x.clone(), classes);
    let space = space(&x, 1.0, 20);
    let pass = || Ok::<_, Error>([Ok(data.clone())]);
    let y = space.coordinates(&x).unwrap();
    for balanced in [false, true] {
        let params = MulticlassSvc::params().balanced(balanced);
        let params = params.c(if balanced { 0.01 } else { 5.0 }).tolerance(1e-4);
        let mut blocks = OfBlocks::new("Svc", &space, pass, 300 * 20 * 6).unwrap();
        let of = params
            .check_ref()
            .unwrap()
            .machines_of(&blocks.class_weights);
        let of: Vec<_> = of.collect::<Result<_, _>>().unwrap();
        let found = blocks.classifiers(&of, false).unwrap();
        for (found, (two, signs)) in found.iter().zip(&of) {
            let rows: Vec<usize> = (0..20_000).filter(|&i| signs[class(i)] != 0.0).collect();
            let sides: Array1<bool> = rows.iter().map(|&i| signs[class(i)] > 0.0).collect();
            let own = DatasetBase::new(y.select(Axis(0), &rows), sides);
            let expected = two.fit(&own).unwrap().decision_function(&y);
            let off = found.decision_function(&y) - &expected;
            let off = off.fold(0.0, |m: f64, v| m.max(v.abs()));
            let size = expected.fold(0.0, |m: f64, v| m.max(v.abs()));
            assert!(off < 5e-3 * size, "{signs:?}: {off:e} of {size:e}");
        }
    }
}

/// Each sample occurs many times over, so that many are equally near to the margin.
#[test]
fn duplicates() {
    let few = samples::<f64>(50, 0.3);
    let rows: Vec<usize> = (0..20_000).map(|i| i % 50).collect();
    let (x, sides) = (
        few.records.select(Axis(0), &rows),
        few.targets.select(Axis(0), &rows),
    );
    let data = DatasetBase::new(x, sides);
    let space = space(&data.records, 1.0, 12);
    for c in [1e-4, 1.0] {
        let passes = passes(&data, &space, (c, c), 200);
        assert!(passes <= 400, "{c}: {passes}");
    }
}

/// Kernel values near either end of the range take the same passes.
#[test]
fn scales() {
    let data = samples::<f64>(10_000, 0.3);
    let of = |power: i32| {
        let scale = 4.0_f64.powi(power);
        let c = 1.0 / scale;
        passes(&data, &space(&data.records, scale, 20), (c, c), 1000)
    };
    let usual = of(0);
    for power in [-240, -30, 30, 240] {
        let found = of(power);
        assert_eq!(found, usual, "{power}");
    }
}

/// A fit that is ended early has held samples as the first solution has them, and the others where they belong to it.
#[test]
fn passes_may_end_with_the_best() {
    let data = samples::<f64>(3000, 0.5);
    let space = space(&data.records, 1.0, 20);
    let (whole, passes) = fitted(&data, &space, (1.0, 1.0), 200);
    assert!(passes > 3, "{passes}");
    let run = || Ok::<_, Error>(fitted(&data, &space, (1.0, 1.0), 200));
    let token = CancellationToken::new();
    token.finish();
    let (early, few) = token.run(run).unwrap();
    assert!(few < passes, "{few} of {passes}");
    assert_ne!(early.dual(), whole.dual());
    let unfinished = token.unfinished();
    let mut stages = unfinished.iter().map(|one| one.stage);
    assert!(stages.any(|stage| stage == "samples near the margin"));
    let other = CancellationToken::new();
    other.cancel();
    let ended = other.run(run);
    assert!(matches!(ended, Err(Interrupted::Cancelled { .. })));
}
