use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Ix1};
use npt::methods::{
    Error,
    linear::{Lda, Pca, Ridge},
    streaming::{ClassMoments, CoordinateMoments, FitMoments, Moments, Reservoir},
};
use npt::prelude::*;
use npt_testkit::data;

/// The error of the block whose first row is `row`.
fn in_block(row: usize, error: impl Into<Error>) -> Result<(), Error> {
    let error = Box::new(error.into());
    Err(Error::Block { row, error })
}

fn block(rows: usize, features: usize) -> Dataset<f64, f64, Ix1> {
    Dataset::new(data::normal(rows, features, 1), Array1::ones(rows))
}

/// A bad block is named and left out: rows are counted on from block to block, nothing of a bad block is added, and the next block may be.
#[test]
fn a_bad_block_is_named_and_left_out() {
    let mut moments = Moments::new(3);
    for _ in 0..7 {
        moments.add(&block(10, 3)).unwrap();
    }
    let before = moments.clone();
    let mut bad = block(10, 3);
    bad.records[[4, 2]] = f64::NAN;
    match moments.add(&bad).unwrap_err() {
        Error::Core(npt::Error::SampleNotFinite { row, column, value }) => {
            assert!((row, column) == (74, 2) && value.is_nan());
        }
        other => panic!("{other}"),
    }
    let mut bad = block(10, 3);
    bad.targets[9] = f64::INFINITY;
    let (row, column, value) = (79, 0, f64::INFINITY);
    let expected = Error::Core(npt::Error::TargetNotFinite { row, column, value });
    assert_eq!(moments.add(&bad), Err(expected));
    let (expected, found) = (3, 4);
    let error = npt::Error::ColumnCount { expected, found };
    assert_eq!(moments.add(&block(10, 4)), in_block(70, error.clone()));
    assert_eq!(moments.merge(&Moments::new(4)), Err(Error::Core(error)));
    let (samples, targets) = (10, 9);
    let uneven = DatasetBase::new(data::normal(10, 3, 1), Array1::<f64>::ones(9));
    let error = npt::Error::TargetCount { samples, targets };
    assert_eq!(moments.add(&uneven), in_block(70, error));
    let weighted = |weights: Array1<f32>| block(10, 3).with_weights(weights);
    let mut weights = Array1::ones(10);
    weights[3] = -1.0;
    let (row, value) = (73, -1.0);
    let error = Error::Core(npt::Error::Weight { row, value });
    assert_eq!(moments.add(&weighted(weights)), Err(error));
    let (samples, weights) = (10, 9);
    let error = npt::Error::WeightCount { samples, weights };
    let found = moments.add(&weighted(Array1::ones(9)));
    assert_eq!(found, in_block(70, error));
    moments.add(&block(0, 3)).unwrap();
    assert_eq!(moments, before);
    moments.add(&block(10, 3)).unwrap();
    assert_eq!(moments.count(), 80);
}

#[test]
fn targets_of_another_width() {
    let mut moments = Moments::of_targets(3, 2);
    let wide = Dataset::new(data::normal(5, 3, 1), Array2::<f64>::ones((5, 3)));
    let (expected, found) = (2, 3);
    let error = Error::TargetColumns { expected, found };
    assert_eq!(moments.add(&wide), in_block(0, error));
    assert_eq!(moments.count(), 0);
}

#[test]
fn an_empty_stream() {
    let none = Error::Core(npt::Error::NoSamples);
    let found: Result<Ridge<f64>, _> = Ridge::params().fit_moments(&Moments::new(3));
    assert_eq!(found, Err(none.clone()));
    let mut some = Moments::new(3);
    some.add(&block(10, 3)).unwrap();
    let ridge: Ridge<f64> = Ridge::params().fit_moments(&some).unwrap();
    assert_eq!(
        Moments::<Ix1>::new(3).squared_errors(&ridge),
        Err(none.clone())
    );
    let mut others = Moments::new(4);
    others.add(&block(10, 4)).unwrap();
    let (expected, found) = (4, 3);
    let error = npt::Error::ColumnCount { expected, found };
    assert_eq!(others.squared_errors(&ridge), Err(Error::Core(error)));
    let found: Result<Pca<f64>, _> = Pca::params(1).fit_moments(&Moments::new(3));
    assert_eq!(found, Err(none.clone()));
    assert_eq!(Reservoir::<f64>::new(5).into_samples().err(), Some(none));
}

#[test]
fn more_than_moments_tell() {
    let mut moments = Moments::of_records(4);
    let line = data::low_rank(50, 4, 1, 1);
    moments.add_records(&line).unwrap();
    let found: Result<Pca<f64>, _> = Pca::params(2).fit_moments(&moments);
    let (requested, available) = (2, 1);
    assert_eq!(
        found,
        Err(Error::Components {
            requested,
            available
        })
    );
    let mut moments = Moments::new(3);
    moments.add(&block(10, 3)).unwrap();
    let several = Ridge::params().penalties(&[1.0, 2.0]);
    let found: Result<Ridge<f64>, _> = several.fit_moments(&moments);
    assert!(matches!(
        found,
        Err(Error::Parameter {
            parameter: "number of penalties",
            ..
        })
    ));
    let mut dependent = Moments::new(4);
    dependent
        .add(&Dataset::new(line, Array1::ones(50)))
        .unwrap();
    let found: Result<Ridge<f64>, _> = Ridge::params().penalty(0.0).fit_moments(&dependent);
    assert!(matches!(found, Err(Error::Singular { .. })));
}

/// Sums that leave the range are an overflow, in one block or over two.
#[test]
fn sums_that_are_no_numbers() {
    let huge = Dataset::new(
        data::normal(5, 2, 1).mapv(|v| (v * 1e25) as f32),
        Array1::ones(5),
    );
    let mut moments = Moments::new(2);
    assert!(matches!(moments.add(&huge), Err(Error::Overflow { .. })));
    for sign in [1.0, -1.0] {
        let far = Dataset::new(Array2::from_elem((5, 2), sign * 1e200), Array1::ones(5));
        let found = moments.add(&far);
        assert_eq!(found.is_ok(), sign > 0.0);
    }
    assert_eq!(moments.count(), 5);
}

/// Moments of classes refuse what other moments refuse, and labels that are no classes.
#[test]
fn moments_of_classes() {
    let labelled = |rows: usize, label: usize| {
        Dataset::new(data::normal(rows, 3, 1), Array1::from_elem(rows, label))
    };
    let mut moments = ClassMoments::new(3);
    let fit = |moments: &ClassMoments<usize>| -> Result<Lda<f64, usize>, Error> {
        Lda::params().fit_moments(moments)
    };
    assert_eq!(fit(&moments), Err(Error::Core(npt::Error::NoSamples)));
    moments.add(&labelled(10, 1)).unwrap();
    assert_eq!(fit(&moments), Err(Error::Classes { found: 1 }));
    let before = moments.clone();
    let mut bad = labelled(10, 2);
    bad.records[[4, 2]] = f64::NEG_INFINITY;
    let (row, column, value) = (14, 2, f64::NEG_INFINITY);
    let error = npt::Error::SampleNotFinite { row, column, value };
    assert_eq!(moments.add(&bad), Err(Error::Core(error)));
    let (expected, found) = (3, 4);
    let error = npt::Error::ColumnCount { expected, found };
    let wide = Dataset::new(data::normal(5, 4, 1), Array1::from_elem(5, 2));
    assert_eq!(moments.add(&wide), in_block(10, error.clone()));
    assert_eq!(
        moments.merge(&ClassMoments::new(4)),
        Err(Error::Core(error))
    );
    let (samples, targets) = (10, 9);
    let uneven = DatasetBase::new(data::normal(10, 3, 1), Array1::from_elem(9, 2));
    let error = npt::Error::TargetCount { samples, targets };
    assert_eq!(moments.add(&uneven), in_block(10, error));
    let mut weights = Array1::ones(10);
    weights[2] = f32::INFINITY;
    let (row, value) = (12, f64::INFINITY);
    let error = Error::Core(npt::Error::Weight { row, value });
    let found = moments.add(&labelled(10, 2).with_weights(weights));
    assert_eq!(found, Err(error));
    moments.add(&labelled(0, 2)).unwrap();
    let huge = Dataset::new(Array2::from_elem((5, 3), -1e200), Array1::from_elem(5, 1));
    let far = Dataset::new(Array2::from_elem((5, 3), 1e200), Array1::from_elem(5, 1));
    assert_eq!(moments, before);
    for mut apart in [ClassMoments::new(3), ClassMoments::with_class_scatters(3)] {
        apart.add(&huge).unwrap();
        let before = apart.clone();
        assert!(matches!(apart.add(&far), Err(Error::Overflow { .. })));
        assert_eq!(apart, before);
    }
    let mut by_class = ClassMoments::with_class_scatters(3);
    assert_eq!(by_class.merge(&moments), Err(Error::ClassScatters));
    assert_eq!(moments.merge(&by_class), Err(Error::ClassScatters));
    assert_eq!((by_class.count(), &moments), (0, &before));
    let mut alike = ClassMoments::new(2);
    alike
        .add(&Dataset::new(
            Array2::<f64>::ones((4, 2)),
            ndarray::array![1, 1, 2, 2],
        ))
        .unwrap();
    let error = npt::Error::NoVariance { samples: 4 };
    assert_eq!(fit(&alike), Err(Error::Core(error)));
}

#[test]
fn folds_that_are_too_few() {
    let mut fold = Moments::new(3);
    fold.add(&block(10, 3)).unwrap();
    let several = Ridge::params().penalties(&[1.0, 2.0]);
    let found: Result<Ridge<f64>, _> = several.fit_moments(&[fold.clone()][..]);
    assert!(matches!(
        found,
        Err(Error::Parameter {
            parameter: "number of folds",
            value: 1.0,
            ..
        })
    ));
    let none: [Moments; 0] = [];
    let found: Result<Ridge<f64>, _> = Ridge::params().fit_moments(&none[..]);
    assert_eq!(found, Err(Error::Core(npt::Error::NoSamples)));
    let found: Result<Ridge<f64>, _> = several.fit_moments(&[fold.clone(), Moments::new(3)][..]);
    assert_eq!(found, Err(Error::Core(npt::Error::NoSamples)));
    let (expected, found_columns) = (3, 4);
    let error = npt::Error::ColumnCount {
        expected,
        found: found_columns,
    };
    let found: Result<Ridge<f64>, _> = Ridge::params().fit_moments(&[fold, others(4)][..]);
    assert_eq!(found, Err(Error::Core(error)));
}

fn others(features: usize) -> Moments {
    let mut moments = Moments::new(features);
    moments.add(&block(10, features)).unwrap();
    moments
}

#[test]
fn reservoirs() {
    let mut reservoir = Reservoir::new(5);
    reservoir.add(&data::normal(8, 3, 1)).unwrap();
    let (expected, found) = (3, 2);
    let error = npt::Error::ColumnCount { expected, found };
    let found = reservoir.add(&data::normal(8, 2, 1));
    assert_eq!(found, in_block(8, error));
    let mut bad = data::normal(8, 3, 1);
    bad[[7, 1]] = f64::NEG_INFINITY;
    let (row, column, value) = (15, 1, f64::NEG_INFINITY);
    let error = npt::Error::SampleNotFinite { row, column, value };
    assert_eq!(reservoir.add(&bad), Err(Error::Core(error)));
    assert_eq!(reservoir.seen(), 8);
}

/// Moments of coordinates count rows from the first of all blocks, too.
#[test]
fn blocks_of_samples() {
    let space = Exact::new(Gaussian::new(0.5))
        .fit_space(&data::normal(6, 2, 1))
        .unwrap();
    let space = space.into_parts().0;
    let mut moments = CoordinateMoments::new(&space).unwrap();
    let mut classes = CoordinateMoments::of_classes(&space).unwrap();
    let weights = Array1::from_shape_fn(10, |i| i as f32);
    let with_classes = |block: Dataset<f64, f64, Ix1>| block.map_targets(|&t| t > 0.5);
    for _ in 0..2 {
        let block = block(10, 2).with_weights(weights.clone());
        moments.add(&block).unwrap();
        classes.add(&with_classes(block)).unwrap();
    }
    let mut bad = block(10, 2);
    bad.records[[4, 1]] = f64::NAN;
    for found in [moments.add(&bad), classes.add(&with_classes(bad.clone()))] {
        let error = found.unwrap_err();
        assert!(matches!(
            error,
            Error::Core(npt::Error::SampleNotFinite {
                row: 24,
                column: 1,
                ..
            })
        ));
    }
    let (expected, found) = (2, 3);
    let error = npt::Error::ColumnCount { expected, found };
    let wide = block(5, 3);
    assert_eq!(moments.add(&wide), in_block(20, error.clone()));
    assert_eq!(classes.add(&with_classes(wide)), in_block(20, error));
    moments.add(&block(0, 2)).unwrap();
    let mut plain = Moments::new(space.rank());
    let mut plain_classes = ClassMoments::new(space.rank());
    for _ in 0..2 {
        let block = block(10, 2).with_weights(weights.clone());
        let coordinates = space.coordinates(&block.records).unwrap();
        let block = Dataset::new(coordinates, block.targets).with_weights(weights.clone());
        plain.add(&block).unwrap();
        plain_classes.add(&with_classes(block)).unwrap();
    }
    let (moments, classes) = (
        moments.into_moments().unwrap(),
        classes.into_moments().unwrap(),
    );
    assert_eq!((moments.count(), classes.count()), (20, 20));
    let apart = &moments.scatter() - &plain.scatter();
    let apart_in_classes = &classes.within_scatter() - &plain_classes.within_scatter();
    let mut off = apart.iter().chain(&apart_in_classes);
    let known = moments.rounding().max(20.0 * f64::EPSILON);
    let unit = plain.scatter().diag().sum();
    assert!(off.all(|d| d.abs() <= known * unit));
}
