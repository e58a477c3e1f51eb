//! Checks targets with too few classes, or with too few members of a class.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1, array, concatenate};
use npt::{methods::Error, prelude::*};
use npt_testkit::data::normal;

type Failure = KernelizedError<Error>;

/// Fits a kind of classifier to labels, and returns its predictions.
type Classifier = fn(&Dataset<f64, usize, Ix1>) -> Result<Array1<usize>, Failure>;

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.5)
}

/// The classifiers that take any number of classes.
const CLASSIFIERS: [(&str, Classifier); 4] = [
    ("KFD", |data| {
        Ok(Kfd::params(kernel())
            .method(|m| m.ridge(0.01))
            .fit(data)?
            .predict(data))
    }),
    ("logistic", |data| {
        let params = KernelLogistic::params(kernel()).method(|m| m.penalty(0.01));
        Ok(params.fit(data)?.predict(data))
    }),
    ("one against one", |data| {
        let params = KernelSvc::params(kernel()).method(|m| m.c(100.0));
        Ok(params.fit(data)?.predict(data))
    }),
    ("calibrated", |data| {
        let params = KernelCalibratedSvc::params(kernel()).method(|m| m.c(100.0).folds(2));
        Ok(params.fit(data)?.predict(data))
    }),
];

fn labelled(labels: Array1<usize>) -> Dataset<f64, usize, Ix1> {
    Dataset::new(normal(labels.len(), 3, 1), labels)
}

#[test]
fn a_single_class() {
    let found = Some(KernelizedError::Method(Error::Classes { found: 1 }));
    for (name, classifier) in CLASSIFIERS {
        assert_eq!(
            classifier(&labelled(Array1::from_elem(8, 3))).err(),
            found,
            "{name}"
        );
    }
    for side in [true, false] {
        let data = labelled(Array1::zeros(8)).map_targets(|_| side);
        assert_eq!(KernelSvc::params(kernel()).fit(&data).err(), found);
        assert_eq!(KernelNuSvc::params(0.5, kernel()).fit(&data).err(), found);
    }
}

/// Checks that the classes of single samples are found again, unless folds need two samples of each.
fn one_member_each(labels: &Array1<usize>) {
    let data = labelled(labels.clone());
    for (name, classifier) in CLASSIFIERS {
        let predicted = classifier(&data);
        if name == "calibrated" {
            let (members, folds) = (1, 2);
            let error = KernelizedError::Method(Error::ClassMembers { members, folds });
            assert_eq!(predicted, Err(error));
        } else {
            assert_eq!(predicted.as_ref(), Ok(labels), "{name}");
        }
    }
}

#[test]
fn a_class_with_one_member() {
    one_member_each(&array![0, 0, 0, 1, 1, 1, 1, 2, 0, 1]);
}

#[test]
fn as_many_classes_as_samples() {
    one_member_each(&Array1::from_iter((0..7).map(|i| 10 * i)));
}

/// More discriminants, clusters or components than the samples allow are an error.
#[test]
fn more_than_there_are() {
    let data = labelled(array![0, 0, 1, 1, 2, 2]);
    let components = |requested, available| {
        let error = Error::Components {
            requested,
            available,
        };
        Some(KernelizedError::Method(error))
    };
    let kfd = Kfd::params(kernel()).method(|m| m.components(3)).fit(&data);
    assert_eq!(kfd.err(), components(3, 2));
    let twice = concatenate![Axis(0), data.records, data.records];
    let records: DatasetBase<Array2<f64>, _> = DatasetBase::from(twice);
    let found = Some(KernelizedError::Method(Error::Clusters {
        requested: 7,
        distinct: 6,
    }));
    assert_eq!(KernelKMeans::params(7, kernel()).fit(&records).err(), found);
    assert!(KernelKMeans::params(6, kernel()).fit(&records).is_ok());
}

/// New samples of classes that training did not have get a class that it had.
#[test]
fn labels_unseen_in_training() {
    let data = labelled(array![4, 4, 4, 9, 9, 9]);
    let new = Dataset::new(normal(5, 3, 2), array![1, 2, 3, 5, 6]);
    let predicted = Kfd::params(kernel()).fit(&data).unwrap().predict(&new);
    assert!(predicted.iter().all(|label| [4, 9].contains(label)));
}
