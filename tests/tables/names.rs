//! Tests names of features: they are compared where both a model and a dataset have them.

use super::by_last;
use linfa::{DatasetBase, traits::FitWith};
use linfa_bayes::GaussianNb;
use linfa_preprocessing::linear_scaling::LinearScaler;
use ndarray::{Array1, Array2, array};
use npt::{
    Error, FeatureNames,
    methods::{
        GaussianProcess, KernelCalibratedSvc, KernelKMeans, KernelRidge, Kpca, NoveltyDetector,
        RobustKpca,
        pre_image::{FixedPoint, PreImageExt},
    },
    model_file,
    prelude::*,
    tables::{CsvBlocks, SourceError},
};
use serde::{Serialize, de::DeserializeOwned};
use std::panic::{AssertUnwindSafe, catch_unwind};

type Numbers = DatasetBase<Array2<f64>, Array1<f64>>;

fn names(names: [&str; 2]) -> Vec<String> {
    names.map(String::from).to_vec()
}

/// Samples whose columns cannot be exchanged unnoticed, and their targets.
fn data() -> Numbers {
    let x = Array2::from_shape_fn((12, 2), |(i, j)| {
        (i as f64 * (0.7 + j as f64)).sin() + 3.0 * j as f64
    });
    let y = x.column(0).mapv(|v: f64| v * v) + x.column(1);
    DatasetBase::new(x, y).with_feature_names(names(["p", "q"]))
}

fn classes() -> DatasetBase<Array2<f64>, Array1<&'static str>> {
    let class = |y: f64| if y > 3.2 { "high" } else { "low" };
    let data = data();
    let targets = data.targets.mapv(class);
    DatasetBase::new(data.records, targets).with_feature_names(names(["p", "q"]))
}

fn renamed(of: [&str; 2]) -> Numbers {
    data().with_feature_names(names(of))
}

/// The error for these names.
fn refused(found: [&str; 2]) -> Error {
    Error::FeatureNames {
        expected: names(["p", "q"]),
        found: names(found),
    }
}

fn text_of_panic(work: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

/// Models of regression accept data with the same names and refuse others; arrays have no names. This holds for forms that return errors and
/// forms that panic, for a model with an expansion, with a space, and behind a scaler.
#[test]
fn regression() {
    macro_rules! check {
        ($model:expr) => {
            let model = $model;
            assert_eq!(FeatureNames::feature_names(&model), ["p", "q"]);
            let expected: Array1<f64> = model.try_predict(&data().records).unwrap();
            let found: Array1<f64> = model.try_predict(&data()).unwrap();
            assert_eq!(found, expected);
            let found: Array1<f64> = model.predict(&data());
            assert_eq!(found, expected);
            let nameless = data().with_feature_names(Vec::<String>::new());
            let found: Array1<f64> = model.predict(&nameless);
            assert_eq!(found, expected);
            let whole: DatasetBase<Array2<f64>, Array1<f64>> = model.predict(data());
            assert_eq!(whole.targets, expected);
            for other in [["q", "p"], ["p", "r"]] {
                let found: Result<Array1<f64>, Error> = model.try_predict(&renamed(other));
                assert_eq!(found, Err(refused(other)));
                let text = text_of_panic(|| {
                    let _: Array1<f64> = model.predict(&renamed(other));
                });
                assert_eq!(text, refused(other).to_string());
                let text = text_of_panic(|| {
                    let _: DatasetBase<_, Array1<f64>> = model.predict(renamed(other));
                });
                assert!(
                    text.contains(&other.join(", ")) && text.contains("p, q"),
                    "{text}"
                );
            }
        };
    }
    let ridge = || KernelRidge::params(Gaussian::new(0.3));
    check!(ridge().fit(&data()).unwrap());
    check!(ridge().by_coordinates().fit(&data()).unwrap());
    let scaled = || Pipeline::new(LinearScaler::standard(), ridge());
    check!(scaled().fit(&data()).unwrap());
    check!(
        Pipeline::new(LinearScaler::min_max(), scaled())
            .fit(&data())
            .unwrap()
    );
    let process = || GaussianProcess::params(Gaussian::new(0.3)).noise(0.1);
    check!(process().fit(&data()).unwrap());
    check!(process().by_coordinates().fit(&data()).unwrap());

    let process = process().fit(&data()).unwrap();
    let swapped = renamed(["q", "p"]);
    let found = process.predict_with_variance(&swapped).map(|_| ());
    assert_eq!(found, Err(refused(["q", "p"])));
    assert!(process.predict_with_variance(&data()).is_ok());

    // A model that was saved and loaded does the same.
    check!(kept(&ridge().fit(&data()).unwrap()));
    check!(kept(&process));
}

fn kept<M: Serialize + DeserializeOwned>(model: &M) -> M {
    model_file::from_bytes(&model_file::to_bytes(model).unwrap()).unwrap()
}

#[test]
fn classification() {
    macro_rules! check {
        ($model:expr) => {
            let model = $model;
            let x = data().records;
            let (values, p) = (model.decision_function(&x), model.predict_probabilities(&x));
            assert_eq!(model.decision_function(&data()), values);
            assert_eq!(model.predict_probabilities(&classes()), p);
            let swapped = renamed(["q", "p"]);
            let expected = Some(refused(["q", "p"]));
            assert_eq!(model.decision_function(&swapped).err(), expected);
            assert_eq!(model.predict_probabilities(&swapped).err(), expected);
        };
    }
    let svc = || KernelCalibratedSvc::params(Gaussian::new(0.3)).method(|svc| svc.folds(2));
    check!(svc().fit(&classes()).unwrap());
    check!(svc().by_coordinates().fit(&classes()).unwrap());
    check!(
        Pipeline::new(LinearScaler::standard(), svc())
            .fit(&classes())
            .unwrap()
    );
}

#[test]
fn transformers_and_novelty() {
    let expected = refused(["q", "p"]);
    let swapped = || renamed(["q", "p"]);
    let kpca = Kpca::params(2, Gaussian::new(0.3)).fit(&data()).unwrap();
    let scores: Array2<f64> = kpca.try_transform(&data()).unwrap();
    assert_eq!(kpca.transform(data().records), scores);
    let found: Result<Array2<f64>, Error> = kpca.try_transform(&swapped());
    assert_eq!(found.err(), Some(expected.clone()));
    let text = text_of_panic(|| {
        let _: Array2<f64> = kpca.transform(swapped());
    });
    assert_eq!(text, expected.to_string());

    let kpca = Kpca::params(2, Gaussian::new(0.3)).by_coordinates();
    let kpca = kpca.fit(&data()).unwrap();
    let found: Result<Array2<f64>, Error> = kpca.try_transform(&swapped());
    assert_eq!(found.err(), Some(expected.clone()));
    let scaler = Kernelized::new(LinearScaler::standard(), Exact::new(Gaussian::new(0.3)));
    let scaler = scaler.fit(&data()).unwrap();
    let text = text_of_panic(|| {
        let _: DatasetBase<Array2<f64>, Array1<f64>> = scaler.transform(swapped());
    });
    assert_eq!(text, expected.to_string());

    let novelty = NoveltyDetector::params(Gaussian::new(0.3)).rank(Rank::Components(2));
    let novelty = novelty.fit(&data()).unwrap();
    assert!(novelty.try_predict(&data()).is_ok());
    assert_eq!(novelty.try_predict(&swapped()), Err(expected.clone()));
    let errors = novelty.reconstruction_errors(&swapped());
    assert_eq!(errors, Err(expected.clone()));
    let text = text_of_panic(|| drop(novelty.predict(&swapped())));
    assert_eq!(text, expected.to_string());

    let denoiser = Kpca::params(2, Gaussian::new(0.3)).pre_image(FixedPoint::new());
    let denoiser = denoiser.fit(&data()).unwrap();
    let of_core = npt::methods::Error::Core(expected.clone());
    assert_eq!(denoiser.denoise(&swapped()), Err(of_core.clone()));
    let means = KernelKMeans::params(2, Gaussian::new(0.3)).pre_image(FixedPoint::new());
    let means = means.fit(&data()).unwrap();
    let text = text_of_panic(|| {
        let _: Array1<usize> = means.predict(&swapped());
    });
    assert_eq!(text, expected.to_string());

    let robust = RobustKpca::params(2, Gaussian::new(0.3))
        .fit(&data())
        .unwrap();
    assert!(robust.reconstruct(&data()).is_ok());
    assert_eq!(robust.reconstruct(&swapped()), Err(of_core.clone()));
    assert_eq!(robust.try_transform(&swapped()), Err(of_core));
}

/// A batch with other names is refused.
#[test]
fn batches() {
    let labels = |names: [&str; 2]| {
        let labels = data().targets.mapv(|y| usize::from(y > 3.2));
        renamed(names).with_targets(labels)
    };
    let estimator = Kernelized::new(GaussianNb::params(), Exact::new(Gaussian::new(0.3)));
    let (first, same, other) = (labels(["p", "q"]), labels(["p", "q"]), labels(["q", "p"]));
    let model = estimator.fit_with(None, &first).unwrap();
    let model = estimator.fit_with(Some(model), &same).unwrap();
    let error = estimator.fit_with(Some(model), &other).err().unwrap();
    assert_eq!(error.to_string(), refused(["q", "p"]).to_string());
}

/// A reader reads the columns that a model takes.
#[test]
fn reading_for_a_model() {
    let table = |text: &'static str| CsvBlocks::new(text.as_bytes()).unwrap();
    let known = "p,w,q,y\n1,7,2,3\n4,7,5,6\n7,8,8,10\n11,7,13,17\n";
    let known = by_last(Ok(table(known))).select(&["p", "q"]).unwrap();
    let model = KernelRidge::params(Gaussian::new(0.01));
    let model = model.fit(&{ known }.read().unwrap()).unwrap();
    let new = "town,q,p\nUlm,5,2\nKiel,6,3\n";
    let records = table(new).read_for(&model).unwrap();
    assert_eq!(records.records, array![[2.0, 5.0], [3.0, 6.0]]);
    assert_eq!(records.feature_names(), ["p", "q"]);
    let found: Array1<f64> = model.predict(&records);
    let expected: Array1<f64> = model.predict(&array![[2.0, 5.0], [3.0, 6.0]]);
    assert_eq!(found, expected);

    // The table as it is has its names in another order.
    let whole = by_last(Ok(table("q,p,y\n5,2,0\n"))).read().unwrap();
    let found: Result<Array1<f64>, Error> = model.try_predict(&whole);
    assert_eq!(found, Err(refused(["q", "p"])));

    let missing = table("town,p\nUlm,1\n").read_for(&model).err().unwrap();
    assert_eq!(
        missing.to_string(),
        "there is no column q; there are town, p"
    );
    let nameless = data().with_feature_names(Vec::<String>::new());
    let nameless = KernelRidge::params(Gaussian::new(0.01))
        .fit(&nameless)
        .unwrap();
    let refused = table(new).read_for(&nameless).err();
    assert_eq!(refused, Some(SourceError::NamelessModel));
    let mut begun = by_last(Ok(table("q,p,y\n5,2,0\n")));
    begun.next();
    assert_eq!(begun.read_for(&model).err(), Some(SourceError::Begun));
}
