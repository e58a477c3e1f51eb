//! Tables with texts in some columns: their categories, in models, files and new data.

use ndarray::{Array1, Array2, s};
use npt_estimator::{Categories, Column, Data, Error, Estimator, Model, Score, Search};

const COLOURS: [&str; 3] = ["red", "green", "blue"];

fn colour(row: usize) -> &'static str {
    COLOURS[(row * row + row / 3) % 3]
}

fn sizes(rows: std::ops::Range<usize>) -> Vec<f64> {
    rows.map(|row| (row as f64 * 0.7).sin()).collect()
}

/// Sizes and colours of samples of these numbers.
fn table(rows: std::ops::Range<usize>) -> Data {
    let colours: Vec<&str> = rows.clone().map(colour).collect();
    let columns = [
        ("size", sizes(rows).into()),
        ("colour", Column::from(colours)),
    ];
    Data::from_columns(columns).unwrap()
}

fn targets() -> Array1<f64> {
    let of_colour = |row| [1.0, 3.0, -2.0][COLOURS.iter().position(|c| *c == colour(row)).unwrap()];
    (0..24)
        .map(|row| of_colour(row) + sizes(row..row + 1)[0])
        .collect()
}

fn one_hot() -> Estimator {
    Estimator::new("ridge(penalty = 1e-3)", "gaussian(gamma = 0.5)")
        .and_then(|estimator| estimator.transformer("one_hot"))
        .unwrap()
}

fn numbers(model: &Model, data: &Data) -> Array2<f64> {
    model.predict(data).unwrap().numbers().unwrap().clone()
}

/// Predictions behind `one_hot` are those of columns of 0 and 1 that were made by hand.
#[test]
fn one_hot_is_columns_of_0_and_1() {
    let model = one_hot().fit(&table(0..24), targets()).unwrap();
    let by_hand = |rows: std::ops::Range<usize>| {
        let sizes = sizes(rows.clone());
        let mut x = Array2::zeros((rows.len(), 4));
        x.slice_mut(s![.., 0]).assign(&Array1::from(sizes));
        // The columns are in the order in which the colours appear at the fit.
        let order = model.categories().of("colour").unwrap();
        for (mut row, number) in x.outer_iter_mut().zip(rows) {
            row[1 + order.iter().position(|c| c == colour(number)).unwrap()] = 1.0;
        }
        Data::from(x)
    };
    let plain = Estimator::new("ridge(penalty = 1e-3)", "gaussian(gamma = 0.5)").unwrap();
    let plain = plain.fit(&by_hand(0..24), targets()).unwrap();
    assert_eq!(
        numbers(&model, &table(24..40)),
        numbers(&plain, &by_hand(24..40))
    );
}

/// Categories are compared by their texts: in new data a text may have another number than at the fit, or not occur.
#[test]
fn texts_are_what_counts() {
    for (kernel, transformer) in [
        ("gaussian(gamma = 0.5)", Some("one_hot")),
        ("simple_matching", None),
        ("gower(ranges = [2, 0])", None),
        (
            "gaussian(gamma = 0.5) + normalized(simple_matching)",
            Some("standard_scaler"),
        ),
    ] {
        let mut estimator = Estimator::new("ridge(penalty = 0.1)", kernel).unwrap();
        if let Some(transformer) = transformer {
            estimator = estimator.transformer(transformer).unwrap();
        }
        let model = estimator.fit(&table(0..24), targets()).unwrap();
        let all = numbers(&model, &table(0..24));
        for start in 0..20 {
            let few = numbers(&model, &table(start..start + 4));
            // Blocks of other sizes round in another order.
            let differences = few - all.slice(s![start..start + 4, ..]);
            let largest = differences.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            assert!(largest < 1e-12, "{kernel} from {start}: {largest}");
        }
    }
}

#[test]
fn a_file_has_the_categories() {
    let path = tempfile::NamedTempFile::new().unwrap();
    let model = one_hot().fit(&table(0..24), targets()).unwrap();
    model
        .clone()
        .accept_unseen_categories()
        .save(path.path())
        .unwrap();
    let loaded = Model::load(path.path()).unwrap();
    assert_eq!(loaded.categories(), model.categories());
    assert_eq!(
        numbers(&loaded, &table(3..9)),
        numbers(&model, &table(3..9))
    );
    let unseen = || Column::from(vec!["mauve"]);
    let unseen = Data::from_columns([("size", vec![0.0].into()), ("colour", unseen())]).unwrap();
    assert!(loaded.predict(&unseen).is_ok() && model.predict(&unseen).is_err());
    let page = loaded.to_string();
    let colours = model.categories().of("colour").unwrap().join(", ");
    assert!(
        page.contains(&format!("columns       size, colour ({colours})\n")),
        "{page}"
    );
    assert!(
        page.contains("categories never seen are unlike all that were"),
        "{page}"
    );
}

/// An unseen category matches none: the kernel is that of samples which differ in this column.
#[test]
fn an_unseen_category_matches_none() {
    let estimator = Estimator::new("ridge(penalty = 0.1)", "simple_matching").unwrap();
    let model = estimator.fit(&table(0..24), targets()).unwrap();
    let new = |colours: Vec<&str>| {
        let columns = [
            ("size", vec![99.0; 2].into()),
            ("colour", Column::from(colours)),
        ];
        Data::from_columns(columns).unwrap()
    };
    let error = model.predict(&new(vec!["red", "mauve"])).unwrap_err();
    let Error::UnseenCategory {
        column,
        row,
        text,
        known,
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (column.as_str(), *row, text.as_str()),
        ("colour", 1, "mauve")
    );
    assert_eq!(known, model.categories().of("colour").unwrap());
    let accepting = model.accept_unseen_categories();
    let values = numbers(&accepting, &new(vec!["mauve", "pink"]));
    // Nothing agrees: two unseen categories get the same prediction, that without any evidence.
    assert_eq!(values[[0, 0]], values[[1, 0]]);
    assert_ne!(
        values[[0, 0]],
        numbers(&accepting, &new(vec!["red", "red"]))[[0, 0]]
    );
}

#[test]
fn missing_categories_are_the_most_frequent() {
    let texts = ["a", "b", "b", "c"].map(|text| Some(text.to_owned()));
    let texts = texts.into_iter().chain([None]).collect::<Vec<_>>();
    let sizes = vec![0.0, 1.0, f64::NAN, 3.0, 2.0];
    let data = Data::from_columns([("text", Column::from(texts)), ("size", sizes.into())]).unwrap();
    let estimator = Estimator::new("ridge(penalty = 0.1)", "gaussian(gamma = 1)")
        .and_then(|estimator| estimator.transformer("imputer(strategy = \"mean\")"))
        .and_then(|estimator| estimator.transformer("one_hot"))
        .unwrap();
    let model = estimator.fit(&data, vec![1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let of = |text: Option<&str>, size| {
        let text = Column::from(vec![text.map(str::to_owned)]);
        let columns = [("text", text), ("size", vec![size].into())];
        numbers(&model, &Data::from_columns(columns).unwrap())
    };
    assert_eq!(of(None, 0.3), of(Some("b"), 0.3));
    assert_eq!(of(Some("a"), f64::NAN), of(Some("a"), 1.5));
    // Without the imputer a missing category is refused as any missing value is.
    let error = one_hot().fit(&data, vec![0.0; 5]).unwrap_err().to_string();
    assert_eq!(
        error,
        "sample 4 has the value NaN in column 0; all must be finite"
    );
}

#[test]
fn what_is_wrong_with_categories() {
    let fit = |kernel: &str, data: &Data| {
        let estimator = Estimator::new("ridge", kernel).unwrap();
        estimator.fit(data, targets()).unwrap_err().to_string()
    };
    assert_eq!(
        fit("gaussian(gamma = 1) * linear", &table(0..24)),
        "product(gaussian(gamma = 1), linear) would take the categories of colour for numbers; put the transformer one_hot in front, or take a kernel with gower or simple_matching"
    );
    let plain = Data::from(Array2::from_shape_fn((24, 2), |(i, j)| (i + j) as f64));
    assert_eq!(
        one_hot().fit(&plain, targets()).unwrap_err().to_string(),
        "one_hot takes columns of categories, of which these data have none"
    );
    let model = one_hot().fit(&table(0..24), targets()).unwrap();
    assert_eq!(
        model.predict(&plain).unwrap_err().to_string(),
        "the column colour has categories at the fit, and numbers here"
    );
    let texts = Column::from(vec!["small"]);
    let both = [("size", texts), ("colour", Column::from(vec!["red"]))];
    assert_eq!(
        model
            .predict(&Data::from_columns(both).unwrap())
            .unwrap_err()
            .to_string(),
        "the column size has numbers at the fit, and categories here"
    );
    let uneven = [("a", Column::from(vec![1.0, 2.0])), ("b", vec![1.0].into())];
    assert_eq!(
        Data::from_columns(uneven).unwrap_err().to_string(),
        "the column b has 1 value, the first 2"
    );
    for value in [2.0, -1.0, 0.5, f64::INFINITY] {
        let data = Data::from(ndarray::array![[0.0, 0.0], [0.0, value]]);
        let data = data.with_columns(["size", "colour"]).unwrap();
        let of_two = Categories::default()
            .with("colour", ["red", "blue"])
            .with("other", ["x"]);
        let error = data.with_categories(&of_two).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "sample 1 has {value} in the column colour, which numbers none of its 2 categories: they are counted from 0"
            )
        );
    }
}

/// Columns in another order find their categories by name.
#[test]
fn columns_are_arranged_with_their_categories() {
    let model = one_hot().fit(&table(0..24), targets()).unwrap();
    let turned = table(0..6).select(&["colour", "size"]).unwrap();
    assert!(matches!(model.predict(&turned), Err(Error::Columns { .. })));
    let arranged = model.arranged(&turned).unwrap();
    assert_eq!(numbers(&model, &arranged), numbers(&model, &table(0..6)));
}

/// A category that occurs in one fold alone is known to all candidates: no fold refuses it.
#[test]
fn a_search_meets_rare_categories() {
    let mut colours: Vec<&str> = (0..24).map(colour).collect();
    colours[5] = "mauve";
    let columns = [
        ("size", sizes(0..24).into()),
        ("colour", Column::from(colours)),
    ];
    let data = Data::from_columns(columns).unwrap();
    let matching = Estimator::new("ridge(penalty = 0.1)", "simple_matching").unwrap();
    let search = Search::new(vec![one_hot(), matching], Score::MeanSquaredError).folds(4);
    let found = search.fit_best(&data, targets()).unwrap();
    for candidate in found.results.candidates() {
        let mean = candidate.mean().unwrap();
        assert!(
            (0.0..20.0).contains(&mean),
            "{}: {mean}",
            candidate.estimator
        );
    }
    assert_eq!(found.model.categories().of("colour").unwrap().len(), 4);
}
