//! Tests landmarks that are chosen from all samples of a stream of blocks.

use super::blocks;
use linfa::{DatasetBase, dataset::Records};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use npt::{
    Given, Precomputed, Scalar,
    methods::{
        Error,
        streaming::{ChosenLandmarks, RandomPivots},
    },
    prelude::*,
};
use npt_testkit::data;

fn choose<F: Scalar, K: Kernel<Rows<F>, Scalar = F>>(
    pivots: RandomPivots,
    kernel: &K,
    x: &Array2<F>,
    ends: &[usize],
) -> Result<ChosenLandmarks<Rows<F>>, Error> {
    let data = DatasetBase::new(x.clone(), Array1::from_elem(x.nrows(), ()));
    let all = blocks(&data, ends);
    pivots.choose(kernel, || Ok::<_, Error>(all.iter().cloned().map(Ok)))
}

/// The share of the trace Σs / Σκ(x, x) that landmarks leave, computed at once.
fn left<F: Scalar>(kernel: Gaussian<F>, landmarks: &Rows<F>, x: &Array2<F>) -> f64 {
    let builder = Nystrom::new(kernel, Given(landmarks.clone())).centered(false);
    let space = builder.fit_space(x).unwrap();
    space.training_residuals().sum().as_f64() / x.nrows() as f64
}

/// Landmarks are drawn by residuals. The samples are orthogonal, with squared lengths 1, 4 and 9: the first one drawn leaves the residuals of the
/// others as they are.
#[test]
fn they_are_drawn_by_residuals() {
    let x = array![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    let (draws, squares) = (3000, [1.0, 4.0, 9.0]);
    let (mut first, mut pairs) = ([0.0; 3], [0.0; 3]);
    for seed in 0..draws {
        let ends: &[usize] = [&[][..], &[1], &[1, 2], &[2]][seed as usize % 4];
        let of = |landmarks| {
            choose(
                RandomPivots::new(landmarks).seed(seed),
                &Linear::new(),
                &x,
                ends,
            )
        };
        let which = |row: ndarray::ArrayView1<'_, f64>| row.iter().position(|&v| v != 0.0).unwrap();
        first[which(of(1).unwrap().samples.view().row(0))] += 1.0;
        // This is the sample that is left out.
        let two: Vec<usize> = of(2)
            .unwrap()
            .samples
            .view()
            .outer_iter()
            .map(which)
            .collect();
        pairs[3 - two.iter().sum::<usize>()] += 1.0;
    }
    let total: f64 = squares.iter().sum();
    let near = |found: f64, probability: f64| {
        let deviation = (probability * (1.0 - probability) * draws as f64).sqrt();
        let off = (found - probability * draws as f64).abs();
        assert!(
            off < 4.0 * deviation,
            "{found} of {draws}, expected {probability}"
        );
    };
    for out in 0..3 {
        near(first[out], squares[out] / total);
        let [a, b] = [squares[(out + 1) % 3], squares[(out + 2) % 3]];
        near(
            pairs[out],
            a / total * b / (total - a) + b / total * a / (total - b),
        );
    }
}

/// Landmarks of a stream leave as much of the trace as landmarks drawn in memory, and the share they report is right.
#[test]
fn they_leave_as_much_as_in_memory() {
    let x = data::normal(1500, 3, 1);
    let kernel = Gaussian::new(0.4);
    let median = |mut shares: Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    };
    for landmarks in [10, 60] {
        let streamed = (0..9).map(|seed| {
            let pivots = RandomPivots::new(landmarks).seed(seed);
            let chosen = choose(pivots, &kernel, &x, &[1, 800, 800, 1400]).unwrap();
            assert_eq!(chosen.samples.len(), landmarks);
            assert!(chosen.passes <= 8, "{}", chosen.passes);
            let expected = left(kernel, &chosen.samples, &x);
            assert!((chosen.relative_trace_residual - expected).abs() < 1e-10);
            expected
        });
        let streamed = median(streamed.collect());
        let in_memory = (0..9).map(|seed| {
            let pivoting = Pivoting::random(landmarks).seed(seed);
            let space = Nystrom::new(kernel, pivoting)
                .centered(false)
                .fit_space(&x)
                .unwrap();
            space.training_residuals().sum() / 1500.0
        });
        let ratio = streamed / median(in_memory.collect());
        assert!((0.8..1.25).contains(&ratio), "{landmarks}: {ratio}");
    }
}

/// A tolerance takes no more landmarks than it needs, and without one there are as many as there can be.
#[test]
fn tolerances() {
    let x = data::normal(1000, 2, 1);
    let kernel = Gaussian::new(0.3);
    for tolerance in [0.1, 1e-3] {
        let pivots = RandomPivots::new(200).tolerance(tolerance);
        let chosen = choose(pivots, &kernel, &x, &[500]).unwrap();
        assert!(chosen.relative_trace_residual <= tolerance);
        assert!(left(kernel, &chosen.samples, &x) <= tolerance * (1.0 + 1e-9));
        let pivoting = Pivoting::random(200).tolerance(tolerance);
        let in_memory = Nystrom::new(kernel, pivoting)
            .centered(false)
            .fit_space(&x)
            .unwrap();
        let ratio = chosen.samples.len() as f64 / in_memory.rank() as f64;
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
    }
    let flat = data::low_rank(300, 6, 3, 4);
    let all = choose(
        RandomPivots::new(40).tolerance(0.0),
        &Linear::new(),
        &flat,
        &[100],
    );
    assert_eq!(all.unwrap().samples.len(), 3);
    let short = choose(RandomPivots::new(4), &Linear::new(), &flat, &[100]);
    let (requested, available) = (4, 3);
    let expected = npt::Error::Landmarks {
        requested,
        available,
    };
    assert_eq!(short, Err(expected.into()));
    let copies = data::duplicates(5, 40, 3, 1);
    let chosen = choose(RandomPivots::new(5), &kernel, &copies, &[7]).unwrap();
    assert!(chosen.relative_trace_residual < 1e-12);
    // There are as many landmarks as independent samples, whatever number is asked for.
    let all = choose(
        RandomPivots::new(usize::MAX).tolerance(0.0),
        &kernel,
        &copies,
        &[7],
    );
    assert_eq!(all.unwrap().samples.len(), 5);
    let one = choose(RandomPivots::new(1), &kernel, &data::normal(1, 2, 1), &[]).unwrap();
    assert!(one.relative_trace_residual < 1e-12 && one.passes == 2);
}

/// Rare samples are found: here one in five hundred lies elsewhere, in the last block.
#[test]
fn what_is_rare_is_found() {
    let mut x = data::normal(2000, 2, 1) * 0.2;
    x.slice_mut(s![1996.., ..]).mapv_inplace(|v| v + 30.0);
    let kernel = Gaussian::new(0.5);
    let is_far = |rows: &Rows<f64>| rows.view().outer_iter().any(|row| row[0] > 20.0);
    for seed in 0..10 {
        let pivots = RandomPivots::new(40).seed(seed).tolerance(1e-4);
        let chosen = choose(pivots, &kernel, &x, &[500, 1000]).unwrap();
        assert!(is_far(&chosen.samples));
    }
}

/// A seed always draws the same landmarks, in single precision, too.
#[test]
fn seeds_and_single_precision() {
    let x = data::normal(800, 3, 1).mapv(|v| v as f32);
    let kernel = Gaussian::new(0.4_f32);
    let of = |seed| choose(RandomPivots::new(25).seed(seed), &kernel, &x, &[300]).unwrap();
    assert_eq!(of(3), of(3));
    assert!(of(3).samples != of(4).samples);
    let expected = left(kernel, &of(3).samples, &x);
    assert!((of(3).relative_trace_residual - expected).abs() < 1e-4);
}

#[test]
fn what_is_refused() {
    let x = data::normal(60, 2, 1);
    let kernel = Gaussian::new(0.4);
    let parameter = |pivots: RandomPivots| match choose(pivots, &kernel, &x, &[]) {
        Err(Error::Parameter { parameter, .. }) => parameter,
        other => panic!("{other:?}"),
    };
    assert_eq!(parameter(RandomPivots::new(0)), "landmarks");
    assert_eq!(parameter(RandomPivots::new(5).tolerance(1.0)), "tolerance");
    assert_eq!(
        parameter(RandomPivots::new(5).tolerance(f64::NAN)),
        "tolerance"
    );
    let bad = concatenate![Axis(0), x, array![[0.0, f64::NAN]]];
    match choose(RandomPivots::new(5), &kernel, &bad, &[40]) {
        Err(Error::Core(npt::Error::SampleNotFinite { row, column, .. })) => {
            assert_eq!((row, column), (60, 1));
        }
        other => panic!("{other:?}"),
    }
    let mut huge = x.clone();
    huge[[50, 0]] = 1e200;
    match choose(
        RandomPivots::new(5),
        &Polynomial::new(3, 1.0, 1.0),
        &huge,
        &[40],
    ) {
        Err(Error::Core(npt::Error::KernelNotFinite { row, .. })) => assert_eq!(row, 50),
        other => panic!("{other:?}"),
    }
    let negative = choose(RandomPivots::new(5), &AdditiveChiSquared::new(), &x, &[40]);
    assert!(matches!(
        negative,
        Err(Error::Core(npt::Error::SampleOutsideDomain { .. }))
    ));
    let negative = choose(RandomPivots::new(5), &Sigmoid::new(0.1, -0.5), &x, &[40]);
    assert!(
        matches!(negative, Err(Error::Core(npt::Error::Indefinite { eigenvalue, ratio })) if eigenvalue < 0.0 && ratio < 0.0),
        "{negative:?}"
    );
    let vast = choose(
        RandomPivots::new(5),
        &Gaussian::new(0.4).scaled(4e306),
        &x,
        &[40],
    );
    let samples = 60;
    assert_eq!(vast, Err(npt::Error::TraceOverflow { samples }.into()));
    let uneven = [x.clone(), data::normal(9, 3, 1)].map(DatasetBase::from);
    let pass = || Ok::<_, Error>(uneven.iter().cloned().map(Ok));
    let (expected, found) = (2, 3);
    let columns = npt::Error::ColumnCount { expected, found };
    let expected = Error::Block {
        row: x.nrows(),
        error: Box::new(columns.into()),
    };
    assert_eq!(RandomPivots::new(5).choose(&kernel, pass), Err(expected));
    let zeros = choose(
        RandomPivots::new(1),
        &Linear::new(),
        &Array2::<f64>::zeros((4, 2)),
        &[],
    );
    let (requested, available) = (1, 0);
    assert_eq!(
        zeros,
        Err(npt::Error::Landmarks {
            requested,
            available
        }
        .into())
    );
    let mut passes = 0;
    let data = DatasetBase::from(x);
    let error = RandomPivots::new(5).choose(&kernel, || {
        passes += 1;
        Ok::<_, Error>((passes < 2).then(|| Ok(data.clone())))
    });
    let (first, later) = (60, 0);
    assert_eq!(error, Err(Error::OtherPass { first, later }));
}

/// Chooses landmarks from samples that are cut into blocks.
fn choose_of<S: Samples + Records, K: Kernel<S, Scalar = f64>>(
    pivots: RandomPivots,
    kernel: &K,
    samples: &S,
) -> Result<ChosenLandmarks<S>, Error> {
    let ends = [0, 70, 150, samples.len()];
    let block = |ends: &[usize]| {
        let rows: Vec<usize> = (ends[0]..ends[1]).collect();
        let none = Array1::from_elem(rows.len(), ());
        Ok(DatasetBase::new(samples.select(&rows), none))
    };
    pivots.choose(kernel, || Ok::<_, Error>(ends.windows(2).map(block)))
}

/// Landmarks are chosen from sparse vectors as from dense ones, and from samples of which only kernel values are known.
#[test]
fn other_samples_are_chosen_as_vectors() {
    let x = data::normal(300, 3, 1).mapv(|v| if v < 0.0 { 0.0 } else { v });
    let kernel = Gaussian::new(0.5);
    let pivots = RandomPivots::new(25).seed(3);
    let dense = choose_of(pivots, &kernel, &Rows::new(x.clone()).unwrap()).unwrap();

    let sparse = sprs::CsMat::csr_from_dense(x.view(), 0.0);
    let sparse = SparseRows::new(&sparse).unwrap();
    let found = choose_of(pivots, &Sparse::new(kernel), &sparse).unwrap();
    let of_dense = sprs::CsMat::csr_from_dense(dense.samples.view(), 0.0);
    assert_eq!(found.samples, SparseRows::new(&of_dense).unwrap());

    let gram = kernel.gram(&Rows::new(x.clone()).unwrap());
    let known = KernelRows::training(gram.view()).unwrap();
    let by_values = choose_of(pivots, &Precomputed::new(), &known).unwrap();
    let rows = x.outer_iter().enumerate();
    let rows: Vec<(usize, Vec<f64>)> = rows.map(|(i, row)| (i, row.to_vec())).collect();
    for k in 0..25 {
        let (i, _) = rows
            .iter()
            .find(|(_, row)| row == dense.samples.get(k))
            .expect("it is a sample");
        assert_eq!(by_values.samples.get(k), known.get(*i));
    }
    for found in [
        found.relative_trace_residual,
        by_values.relative_trace_residual,
    ] {
        assert!((found - dense.relative_trace_residual).abs() < 1e-10);
    }
}

/// Landmarks are chosen from words of a few families, and leave the share of the trace that their space reports.
#[test]
fn words_are_chosen() {
    let letters = ["ab", "ba", "cd", "dd", "ef", "ac"];
    let word = |i: usize| {
        let family = letters[i % 6].repeat(3);
        format!("{family}{}{}", letters[i / 6 % 6], letters[i / 36 % 6])
    };
    let words = Items::new((0..300).map(word).collect()).unwrap();
    let kernel = Normalized::new(Spectrum::new(2));
    let pivots = RandomPivots::new(60).tolerance(0.05);
    let found = choose_of(pivots, &kernel, &words).unwrap();
    assert!(found.relative_trace_residual <= 0.05);
    assert!(found.samples.len() > 5 && found.samples.len() < 60);
    let builder = Nystrom::new(kernel, Given(found.samples)).centered(false);
    let space = builder.fit_space(&words).unwrap();
    let left = space.training_residuals().sum() / 300.0;
    assert!((left - found.relative_trace_residual).abs() < 1e-12);
}
