//! Questions to models in queries.

use crate::{Rows, numbers, rows, session};
use datafusion::arrow::{
    array::{Array as _, ArrayRef, AsArray as _, Float64Array, RecordBatch},
    datatypes::{DataType, Float64Type, Int64Type},
};
use npt_datafusion::Functions;
use npt_estimator::{Column, Data, Estimator, Label, Model, Predictions};
use std::{
    fs::File,
    sync::Arc,
    time::{Duration, SystemTime},
};

fn wave() -> (Rows, Model) {
    let samples = Rows::made(80, 1);
    let estimator = Estimator::new("ridge(penalty = 0.01)", "gaussian(gamma = 0.5)").unwrap();
    let estimator = estimator
        .transformer("one_hot")
        .unwrap()
        .transformer("standard_scaler")
        .unwrap();
    let model = estimator
        .fit(&samples.data(), samples.wave.clone())
        .unwrap();
    (samples, model)
}

#[tokio::test]
async fn numbers_are_those_of_the_model() {
    let (_, model) = wave();
    let new = Rows::made(1000, 2);
    let expected = model.predict(&new.data()).unwrap();
    let functions = Functions::named().model("wave", model);
    for partitions in [1, 3] {
        let context = session(&functions, &new.batch(), partitions);
        let query = "select npt_predict('wave', x, y, colour) from samples";
        let mut found = numbers(&context, query).await;
        let mut expected: Vec<Option<f64>> = expected
            .numbers()
            .unwrap()
            .iter()
            .copied()
            .map(Some)
            .collect();
        if partitions > 1 {
            // Partitions come in any order.
            found.sort_by(|a, b| a.partial_cmp(b).unwrap());
            expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        }
        let apart = found
            .iter()
            .zip(&expected)
            .map(|(a, b)| (a.unwrap() - b.unwrap()).abs());
        assert!(found.len() == 1000 && apart.fold(0.0, f64::max) < 1e-12);
    }
}

/// Columns of a struct are taken by name, in any order and beside other columns. Expressions of the query are taken by their places.
#[tokio::test]
async fn columns_by_name_and_by_place() {
    let (samples, model) = wave();
    let functions = Functions::named().model("wave", model);
    let context = session(&functions, &samples.batch(), 1);
    let plain = numbers(
        &context,
        "select npt_predict('wave', x, y, colour) from samples",
    )
    .await;
    for other in [
        "npt_predict('wave', named_struct('colour', colour, 'y', y, 'weight', weight, 'x', x))",
        "npt_predict('wave', x + 0, y * 1, concat(colour, ''))",
    ] {
        let query = format!("select {other} from samples");
        assert_eq!(numbers(&context, &query).await, plain, "{other}");
    }
    // The fields of such a struct have no names of their own.
    let unnamed = "select npt_predict('wave', struct(x, y, colour)) from samples";
    assert_eq!(
        rows(&context, unnamed).await.unwrap_err(),
        "External error: the columns are c0, c1, c2, where the model takes x, y, colour"
    );
}

/// A prediction is missing if a value of its row is missing, unless the model takes such rows.
#[tokio::test]
async fn missing_values() {
    let data = Data::from_columns([("a", Column::from(vec![0.0, 1.0, 2.0, 3.0]))]).unwrap();
    let targets = vec![0.0, 1.0, 2.0, 3.0];
    let plain = Estimator::new("ridge(penalty = 0.001)", "linear").unwrap();
    let filled = plain.clone().transformer("imputer").unwrap();
    let functions = Functions::named()
        .model("plain", plain.fit(&data, targets.clone()).unwrap())
        .model("filled", filled.fit(&data, targets).unwrap());
    let a: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(3.0), None, Some(0.0)]));
    let context = session(
        &functions,
        &RecordBatch::try_from_iter([("a", a)]).unwrap(),
        1,
    );
    let found = numbers(&context, "select npt_predict('plain', a) from samples").await;
    assert_eq!(
        found.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, true, false, true]
    );
    assert!((found[1].unwrap() - 3.0).abs() < 0.01 && found[3].unwrap().abs() < 0.01);
    let found = numbers(&context, "select npt_predict('filled', a) from samples").await;
    assert!((found[0].unwrap() - 1.5).abs() < 1e-9 && (found[1].unwrap() - 3.0).abs() < 0.01);
    let found = numbers(
        &context,
        "select npt_predict('plain', a) from samples where a is null",
    )
    .await;
    assert_eq!(found, [None, None]);
    let whole = "select npt_predict('filled', case when a is null then null else named_struct('a', a) end) from samples";
    let found = numbers(&context, whole).await;
    assert_eq!(
        found.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, true, false, true]
    );
}

/// Each kind of predictions, and of labels, has a type of its own.
#[tokio::test]
async fn kinds_of_predictions() {
    let samples = Rows::made(60, 3);
    let data = samples.numbers();
    let fitted = |method: &str, targets: npt_estimator::Targets| {
        let estimator = Estimator::new(method, "gaussian(gamma = 0.5)").unwrap();
        estimator
            .transformer("standard_scaler")
            .unwrap()
            .fit(&data, targets)
            .unwrap()
    };
    let is_high: Vec<bool> = samples.class.iter().map(|class| *class == "high").collect();
    let numbers: Vec<i64> = is_high
        .iter()
        .map(|&high| if high { 7 } else { -2 })
        .collect();
    let two = ndarray::Array2::from_shape_fn((60, 2), |(i, k)| samples.wave[i] * (k + 1) as f64);
    let models = [
        (
            "text",
            fitted("svc", samples.class.clone().into()),
            DataType::Utf8,
        ),
        ("truth", fitted("svc", is_high.into()), DataType::Boolean),
        ("number", fitted("svc", numbers.into()), DataType::Int64),
        (
            "clusters",
            fitted("kmeans(clusters = 3)", ().into()),
            DataType::Int64,
        ),
        (
            "novel",
            fitted("novelty_detector(quantile = 0.9)", ().into()),
            DataType::Boolean,
        ),
        (
            "two",
            fitted("ridge(penalty = 0.1)", two.into()).with_target_names(["once", "twice"]),
            DataType::Null,
        ),
    ];
    let functions = models
        .iter()
        .fold(Functions::named(), |functions, (name, model, _)| {
            functions.model(*name, model.clone())
        });
    let context = session(&functions, &samples.batch(), 1);
    for (name, model, kind) in &models {
        let query = format!("select npt_predict('{name}', x, y) from samples");
        let batch = rows(&context, &query).await.unwrap();
        let column = batch.column(0);
        if *kind != DataType::Null {
            assert_eq!(column.data_type(), kind, "{name}");
        }
        match model.predict(&data).unwrap() {
            Predictions::Labels(labels) => {
                let found: Vec<Label> = match kind {
                    DataType::Utf8 => column
                        .as_string::<i32>()
                        .iter()
                        .map(|text| text.unwrap().into())
                        .collect(),
                    DataType::Boolean => column
                        .as_boolean()
                        .iter()
                        .map(|value| value.unwrap().into())
                        .collect(),
                    _ => column
                        .as_primitive::<Int64Type>()
                        .values()
                        .iter()
                        .map(|&value| value.into())
                        .collect(),
                };
                assert_eq!(found, labels, "{name}");
            }
            Predictions::Clusters(clusters) => {
                let found = column.as_primitive::<Int64Type>().values();
                assert!(found.iter().zip(clusters).all(|(a, b)| *a == b as i64));
            }
            Predictions::Novel(novel) => {
                let found: Vec<bool> = column.as_boolean().iter().map(Option::unwrap).collect();
                assert_eq!(found, novel);
            }
            Predictions::Numbers(numbers) => {
                let twice = column.as_struct().column_by_name("twice").unwrap();
                let twice = twice.as_primitive::<Float64Type>().values();
                assert!(
                    twice
                        .iter()
                        .zip(numbers.column(1))
                        .all(|(a, b)| (a - b).abs() < 1e-12)
                );
            }
            _ => unreachable!(),
        }
    }
}

#[tokio::test]
async fn probabilities_components_and_novelty() {
    let samples = Rows::made(70, 4);
    let data = samples.numbers();
    let scaled = |method: &str| {
        let estimator = Estimator::new(method, "gaussian(gamma = 0.5)").unwrap();
        estimator.transformer("standard_scaler").unwrap()
    };
    let odds = scaled("logistic")
        .fit(&data, samples.class.clone())
        .unwrap();
    let components = scaled("coordinates")
        .space("nystrom(landmarks = 5)")
        .unwrap();
    let components = components.fit(&data, ()).unwrap();
    let detector = scaled("one_class_svm(nu = 0.2)").fit(&data, ()).unwrap();
    let functions = Functions::named()
        .model("odds", odds.clone())
        .model("components", components.clone())
        .model("detector", detector.clone());
    let context = session(&functions, &samples.batch(), 1);
    let same = |found: Vec<Option<f64>>, expected: Vec<f64>| {
        assert_eq!(found.len(), expected.len());
        let largest = found
            .iter()
            .zip(expected)
            .map(|(a, b)| (a.unwrap() - b).abs())
            .fold(0.0, f64::max);
        assert!(largest < 1e-12, "{largest}");
    };
    let high = odds
        .classes()
        .iter()
        .position(|class| *class == "high".into())
        .unwrap();
    same(
        numbers(
            &context,
            "select npt_probabilities('odds', x, y)['high'] from samples",
        )
        .await,
        odds.predict_probabilities(&data)
            .unwrap()
            .column(high)
            .to_vec(),
    );
    same(
        numbers(
            &context,
            "select npt_transform('components', x, y)[2] from samples",
        )
        .await,
        components.transform(&data).unwrap().column(1).to_vec(),
    );
    same(
        numbers(
            &context,
            "select npt_novelty('detector', x, y) from samples",
        )
        .await,
        detector
            .decision_function(&data)
            .unwrap()
            .column(0)
            .mapv(|decision| -decision)
            .to_vec(),
    );
    same(
        numbers(
            &context,
            "select npt_novelty('components', x, y) from samples",
        )
        .await,
        components.residuals(&data).unwrap().to_vec(),
    );
    // A function may also stand in a condition.
    let novel = rows(
        &context,
        "select count(*) from samples where npt_predict('detector', x, y)",
    )
    .await
    .unwrap();
    let Predictions::Novel(expected) = detector.predict(&data).unwrap() else {
        unreachable!();
    };
    let expected = expected.iter().filter(|&&novel| novel).count() as i64;
    assert_eq!(
        novel.column(0).as_primitive::<Int64Type>().value(0),
        expected
    );
}

/// A file that is written anew is read anew; one that was written long ago is read once.
#[tokio::test]
async fn files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it's.npt");
    let data = Data::from_columns([("a", Column::from(vec![0.0, 1.0, 2.0]))]).unwrap();
    let estimator = Estimator::new("ridge(penalty = 0.000001)", "linear").unwrap();
    let a: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
    let context = session(
        &Functions::of_files(),
        &RecordBatch::try_from_iter([("a", a)]).unwrap(),
        1,
    );
    let quoted = path.to_str().unwrap().replace('\'', "''");
    let query = format!("select npt_predict('{quoted}', a) from samples");
    for slope in [1.0, 1000.0] {
        let model = estimator.fit(&data, vec![0.0, slope, 2.0 * slope]).unwrap();
        model.save(&path).unwrap();
        let found = numbers(&context, &query).await;
        assert!(
            (found[0].unwrap() / slope - 1.0).abs() < 1e-4,
            "{slope} {found:?}"
        );
    }

    // Both files have one length and one time, so that only a file that is not read again gives the first answer.
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let mut answers = Vec::new();
    for slope in [1.0, 1000.0] {
        let model = estimator.fit(&data, vec![0.0, slope, 2.0 * slope]).unwrap();
        model.save(&path).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(long_ago).unwrap();
        answers.push(numbers(&context, &query).await);
    }
    assert_eq!(answers[0], answers[1]);
}
