//! The aggregate, compared with sums that one thread adds.

use crate::{Rows, rows, session};
use datafusion::{
    arrow::{
        array::{Array as _, AsArray as _, RecordBatch},
        datatypes::{Float64Type, Int64Type},
    },
    execution::FunctionRegistry as _,
    functions_aggregate::expr_fn::count,
    logical_expr::{col, lit},
    prelude::SessionContext,
};
use npt_datafusion::Functions;
use npt_estimator::{Data, Estimator, Model, PartialSums, Sums, Targets};

fn begun(method: &str, samples: &Rows) -> Sums {
    let estimator = Estimator::new(method, "gaussian(gamma = 0.5)").unwrap();
    let estimator = estimator.transformer("standard_scaler").unwrap();
    estimator
        .sums(&samples.numbers().rows(&(0..40).collect::<Vec<_>>()))
        .unwrap()
}

fn added(begun: &Sums, data: &Data, targets: impl Into<Targets>) -> Model {
    let mut sums = begun.anew();
    sums.add(data, targets).unwrap();
    sums.fit().unwrap()
}

/// The models of the states in the first column.
fn models(begun: &Sums, batch: &RecordBatch) -> Vec<Model> {
    let states = batch.column(0).as_binary::<i64>().iter().flatten();
    let model = |state: &[u8]| {
        let mut sums = begun.anew();
        let part = PartialSums::from_bytes(state).unwrap();
        sums.merge(&part).unwrap();
        sums.fit().unwrap()
    };
    states.map(model).collect()
}

fn apart(a: &Model, b: &Model, data: &Data) -> f64 {
    let (a, b) = match a.transform(data) {
        Ok(a) => (a, b.transform(data).unwrap()),
        Err(_) => (
            a.predict(data).unwrap().numbers().unwrap().clone(),
            b.predict(data).unwrap().numbers().unwrap().clone(),
        ),
    };
    let scale = b.iter().fold(0.0, |max, b: &f64| b.abs().max(max));
    (a - b).iter().fold(0.0, |max, d| d.abs().max(max)) / scale
}

/// The model is that of all rows in one place, whatever the number of partitions.
#[tokio::test]
async fn partitions_merge() {
    let samples = Rows::made(3000, 5);
    let data = samples.numbers();
    let cases: [(&str, &str, Targets); 3] = [
        (
            "ridge(penalty = [0.0001, 0.01, 1])",
            "wave",
            samples.wave.clone().into(),
        ),
        ("kpca(components = 2)", "null", ().into()),
        ("kfd(ridge = 0.01)", "class", samples.class.clone().into()),
    ];
    for (method, target, targets) in cases {
        let begun = begun(method, &samples);
        let expected = added(&begun, &data, targets);
        let functions = Functions::named().sums("begun", begun.clone());
        for partitions in [1, 2, 5] {
            let context = session(&functions, &samples.batch(), partitions);
            let query = format!("select kernel_moments('begun', {target}, x, y) from samples");
            let batch = rows(&context, &query).await.unwrap();
            let [model] = &models(&begun, &batch)[..] else {
                panic!("one state");
            };
            assert!(
                apart(model, &expected, &data) < 1e-10,
                "{method} {partitions}"
            );
        }
    }
}

/// One query gives a model for each colour.
#[tokio::test]
async fn groups() {
    let samples = Rows::made(900, 6);
    let begun = begun("ridge(penalty = 0.01)", &samples);
    let functions = Functions::named().sums("begun", begun.clone());
    let context = session(&functions, &samples.batch(), 3);
    let query =
        "select kernel_moments('begun', wave, x, y) from samples group by colour order by colour";
    let found = models(&begun, &rows(&context, query).await.unwrap());
    for (colour, model) in ["blue", "green", "red"].into_iter().zip(&found) {
        let of_colour: Vec<usize> = (0..900)
            .filter(|&row| samples.colour[row] == colour)
            .collect();
        let waves: Vec<f64> = of_colour.iter().map(|&row| samples.wave[row]).collect();
        let data = samples.numbers().rows(&of_colour);
        assert!(apart(model, &added(&begun, &data, waves), &data) < 1e-10);
    }
    assert_eq!(found.len(), 3);
}

/// A row of weight 2 counts twice, and a row of weight 0 not at all.
#[tokio::test]
async fn weights() {
    let samples = Rows::made(600, 7);
    let begun = begun("ridge(penalty = 0.01)", &samples);
    let functions = Functions::named().sums("begun", begun.clone());
    let context = session(&functions, &samples.batch(), 2);
    let query = "select kernel_moments_weighted('begun', weight, wave, x, y) from samples";
    let found = models(&begun, &rows(&context, query).await.unwrap());
    let repeated: Vec<usize> = (0..600)
        .flat_map(|row| std::iter::repeat_n(row, row % 3))
        .collect();
    let waves: Vec<f64> = repeated.iter().map(|&row| samples.wave[row]).collect();
    let expected = added(&begun, &samples.numbers().rows(&repeated), waves);
    assert!(apart(&found[0], &expected, &samples.numbers()) < 1e-10);
}

/// Landmarks may stand in the plan instead of a file.
#[tokio::test]
async fn landmarks_in_the_plan() {
    let samples = Rows::made(500, 8);
    let begun = begun("ridge(penalty = 0.01)", &samples);
    let context = session(&Functions::of_files(), &samples.batch(), 2);
    let frame = context.table("samples").await.unwrap();
    let moments = context.udaf("kernel_moments").unwrap();
    let literal = lit(npt_datafusion::literal(begun.to_bytes().unwrap()));
    let call = moments
        .call(vec![literal, col("wave"), col("x"), col("y")])
        .alias("state");
    let frame = frame.aggregate(vec![], vec![call, count(lit(1))]).unwrap();
    let batches = frame.collect().await.unwrap();
    let found = models(&begun, &batches[0]);
    let expected = added(&begun, &samples.numbers(), samples.wave.clone());
    assert!(apart(&found[0], &expected, &samples.numbers()) < 1e-10);
}

/// The state is null if there are no rows.
#[tokio::test]
async fn no_rows() {
    let samples = Rows::made(60, 9);
    let functions = Functions::named().sums("begun", begun("ridge(penalty = 0.01)", &samples));
    let context = session(&functions, &samples.batch(), 2);
    let query = "select kernel_moments('begun', wave, x, y) from samples where x < 0";
    let batch = rows(&context, query).await.unwrap();
    assert!(batch.column(0).is_null(0));
}

/// A sample has the same rows in whatever partitions and order they come.
#[tokio::test]
async fn samples() {
    let rows_of = async |context: &SessionContext, seed: i64| {
        let query = format!(
            "select r['x'], r['npt_copies'] from (select unnest(npt_sample(200, {seed}, x, colour)) as r from samples) order by 1"
        );
        let batch = rows(context, &query).await.unwrap();
        let x = batch
            .column(0)
            .as_primitive::<Float64Type>()
            .values()
            .to_vec();
        (
            x,
            batch
                .column(1)
                .as_primitive::<Int64Type>()
                .values()
                .to_vec(),
        )
    };
    let samples = Rows::made(5000, 10);
    let one = session(&Functions::named(), &samples.batch(), 1);
    let many = session(&Functions::named(), &samples.batch(), 4);
    let (x, copies) = rows_of(&one, 0).await;
    assert_eq!((x.clone(), copies.clone()), rows_of(&many, 0).await);
    assert_ne!(x, rows_of(&one, 1).await.0);
    assert!(x.len() == 200 && copies.iter().all(|&copies| copies == 1));
    // Uniform numbers between 0 and 4: the mean of 200 has a deviation of 0.08.
    let mean = x.iter().sum::<f64>() / 200.0;
    assert!((mean - 2.0).abs() < 0.3, "{mean}");
    // Rows that repeat are counted, wherever they stand. There are 300 different rows; the k-th occurs k + 1 times.
    let mut repeated = Rows::made(300, 11);
    let places: Vec<usize> = (0..300)
        .flat_map(|row| std::iter::repeat_n(row, row + 1))
        .collect();
    let mut shuffled: Vec<usize> = (0..places.len())
        .map(|k| (k * 7919) % places.len())
        .collect();
    shuffled
        .iter_mut()
        .for_each(|place| *place = places[*place]);
    let known = repeated.x.clone();
    let of = |values: &Vec<f64>| shuffled.iter().map(|&row| values[row]).collect::<Vec<_>>();
    (repeated.x, repeated.y, repeated.wave) = (of(&known), of(&repeated.y), of(&repeated.wave));
    repeated.colour = vec!["red"; shuffled.len()];
    repeated.class = vec!["low"; shuffled.len()];
    for partitions in [1, 3] {
        let context = session(&Functions::named(), &repeated.batch(), partitions);
        let (x, copies) = rows_of(&context, 0).await;
        assert_eq!(x.len(), 200);
        for (x, copies) in x.iter().zip(copies) {
            let row = known.iter().position(|known| known == x).unwrap();
            assert_eq!(copies, row as i64 + 1);
        }
    }
}
