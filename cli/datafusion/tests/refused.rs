//! Queries that are refused, and the words of the errors.

use crate::{Rows, rows, session};
use npt_datafusion::Functions;
use npt_estimator::Estimator;

#[tokio::test]
async fn queries() {
    let samples = Rows::made(60, 1);
    let estimator = Estimator::new("ridge(penalty = 0.01)", "gaussian(gamma = 0.5)").unwrap();
    let model = estimator
        .fit(&samples.numbers(), samples.wave.clone())
        .unwrap();
    let colours = estimator.clone().transformer("one_hot").unwrap();
    let colours = colours.fit(&samples.data(), samples.wave.clone()).unwrap();
    let functions = Functions::named()
        .model("wave", model)
        .model("colours", colours)
        .sums("begun", estimator.sums(&samples.numbers()).unwrap())
        .sums(
            "discriminant",
            Estimator::new("kfd(ridge = 1)", "linear")
                .unwrap()
                .sums(&samples.numbers())
                .unwrap(),
        );
    let context = session(&functions, &samples.batch(), 2);
    for (query, error) in [
        (
            "npt_predict('waves', x, y)",
            "there is nothing of the name \"waves\"; there is colours, wave",
        ),
        (
            "npt_predict(colour, x, y)",
            "npt_predict: the first argument names a model, and must be a text of the query itself",
        ),
        (
            "npt_predict(3, x, y)",
            "npt_predict: the first argument names a model, and must be a text of the query itself",
        ),
        (
            "npt_predict('wave', y, x)",
            "the columns are y, x, where the model takes x, y",
        ),
        (
            "npt_predict('wave', x)",
            "the number of columns is 1, and the model takes 2",
        ),
        (
            "npt_predict('wave', x, colour)",
            "the column y has texts; it takes numbers",
        ),
        (
            "npt_predict('wave', x, make_date(2020, 1, 1))",
            "the column y has dates; it takes numbers",
        ),
        (
            "npt_predict('wave', named_struct('x', x, 'z', y))",
            "the columns are x, z, where the model takes x, y",
        ),
        (
            "npt_predict('colours', x, y, concat('dark ', colour))",
            "has \"dark green\" in the column colour, which the model has not seen; it knows",
        ),
        (
            "npt_predict('wave', x, cast(9007199254740993 as bigint))",
            "the column y has 9007199254740993, which no double holds",
        ),
        (
            "npt_probabilities('wave', x, y)",
            "ridge has no predict_probabilities",
        ),
        (
            "npt_novelty('wave', x, y)",
            "does not tell how novel a sample is; detectors of novelty and kernel coordinates do",
        ),
        (
            "npt_predict('wave')",
            "the number of columns is 0, and the model takes 2",
        ),
        (
            "npt_sample(10, 0)",
            "npt_sample takes a number of rows, a seed, and one column or more",
        ),
        (
            "npt_sample('ten', 0, x)",
            "the number of rows and the seed are whole numbers of the query itself",
        ),
        (
            "kernel_moments('begun', wave)",
            "kernel_moments takes sums, a target or null, and one column or more",
        ),
        (
            "kernel_moments_weighted('begun', weight, wave)",
            "kernel_moments_weighted takes sums, weights, a target or null, and one column or more",
        ),
        (
            "kernel_moments('other', wave, x, y)",
            "there is nothing of the name \"other\"; there is begun, discriminant",
        ),
        (
            "kernel_moments(colour, wave, x, y)",
            "kernel_moments: the first argument names sums, and must be a text of the query itself",
        ),
        (
            "kernel_moments('begun', wave, y, x)",
            "the columns are y, x, where the model takes x, y",
        ),
        (
            "kernel_moments('discriminant', x, x, y)",
            "the column x has Float64; it takes classes: texts, true and false, or whole numbers",
        ),
        (
            "kernel_moments('begun', null, x, y)",
            "there is no value in the column",
        ),
        (
            "kernel_moments('begun', colour, x, y)",
            "the column colour has texts; it takes numbers",
        ),
        (
            "kernel_moments('begun', wave, x, nullif(y, y))",
            "there is no value in the column y; `where y is not null` leaves such rows out",
        ),
        (
            "kernel_moments_weighted('begun', -weight, wave, x, y)",
            "weight",
        ),
    ] {
        let found = rows(&context, &format!("select {query} from samples"))
            .await
            .unwrap_err();
        assert!(found.contains(error), "{query}\n{found}\n{error}");
    }
}

/// The error names a file that is no model. Functions that know models by name open no file.
#[tokio::test]
async fn files() {
    let samples = Rows::made(60, 1);
    let context = session(&Functions::of_files(), &samples.batch(), 1);
    let found = rows(
        &context,
        "select npt_predict('no/such.npt', x) from samples",
    )
    .await
    .unwrap_err();
    assert!(
        found.contains("no/such.npt") && found.contains("No such file"),
        "{found}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.npt");
    std::fs::write(&path, "no model").unwrap();
    let query = format!("select npt_predict('{}', x) from samples", path.display());
    let found = rows(&context, &query).await.unwrap_err();
    assert!(
        found.contains("text.npt") || found.contains("model file"),
        "{found}"
    );
    let context = session(&Functions::named(), &samples.batch(), 1);
    let found = rows(&context, &query).await.unwrap_err();
    assert!(found.contains("there is no name at all"), "{found}");
}
