//! Models of every method by name: a new method has its file without a line here.

use super::support::{Predicted, Visitor, labels, numbers, sides, truths, values, x, x_new};
use npt::{
    catalogue::Heading,
    estimator::{
        Ability, Data, Error, Estimator, Model, PartialSums, Predictions, Score, Search, Selection,
        Sums, Targets,
    },
};

/// The method, with values for its required parameters.
fn estimator(method: &Heading) -> Estimator {
    let entries = method.parameters().iter();
    let given: Vec<String> = entries
        .filter(|entry| entry.is_required())
        .map(|entry| match entry.range().kind() {
            "an integer" => format!("{} = 2", entry.name()),
            _ => format!("{} = 0.3", entry.name()),
        })
        .collect();
    let text = format!("{}({})", method.name(), given.join(", "));
    let estimator = Estimator::new(&text, "gaussian(gamma = 0.3)").unwrap();
    // A class with four samples is too small for more folds.
    match method
        .parameters()
        .iter()
        .find(|entry| entry.name() == "folds")
    {
        Some(folds) => estimator.with(folds.name(), 2).unwrap(),
        None => estimator,
    }
}

/// Fits the estimator to the targets that its method takes.
fn fitted(estimator: &Estimator) -> Model {
    let sides: Vec<bool> = sides().targets.to_vec();
    let second = Data::from(x().mapv(|value| value.sin() + value));
    let all: [Targets; 4] = [
        ().into(),
        sides.into(),
        values().targets.into(),
        second.into(),
    ];
    let fits = all.map(|targets| estimator.fit(&Data::from(x()), targets));
    let mut taken = fits
        .into_iter()
        .filter(|fit| !matches!(fit, Err(Error::Targets { .. })));
    taken
        .next()
        .unwrap()
        .unwrap_or_else(|error| panic!("{estimator}: {error}"))
}

fn answers(model: &Model) -> Result<Vec<f64>, Error> {
    let new = Data::from(x_new());
    let mut all = Vec::new();
    for ability in model.abilities() {
        all.extend(match ability {
            Ability::Predict => match model.predict(&new)? {
                Predictions::Numbers(values) => numbers(values),
                Predictions::Clusters(clusters) => labels(clusters.into()),
                Predictions::Novel(novel) => truths(novel.into()),
                // Labels are decided by the values beside them.
                _ => Vec::new(),
            },
            Ability::DecisionFunction => numbers(model.decision_function(&new)?),
            Ability::Probabilities => numbers(model.predict_probabilities(&new)?),
            Ability::Variance => {
                let (means, variances) = model.predict_with_variance(&new)?;
                [numbers(means), numbers(variances)].concat()
            }
            Ability::Transform => numbers(model.transform(&new)?),
            Ability::Residuals => numbers(model.residuals(&new)?),
            Ability::TransformSecond => numbers(model.transform_second(&new)?),
            Ability::Reconstruct => numbers(model.reconstruct(&new)?),
            _ => Vec::new(),
        });
    }
    Ok(all)
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    for method in Estimator::methods() {
        visitor.model(
            &format!("by_name_{}", method.name()),
            || fitted(&estimator(method)),
            |model: &Model| -> Predicted { Ok(answers(model).map_err(|error| error.to_string())?) },
        );
    }
    visitor.model("chosen", chosen, |model: &Model| -> Predicted {
        let mut all = answers(model).map_err(|error| error.to_string())?;
        let selection = model.selection().ok_or("nothing was chosen")?;
        for (_, mean, deviation) in &selection.candidates {
            all.extend([*mean, *deviation]);
        }
        Ok(all)
    });
    visitor.model("sums", sums, |sums: &Sums| -> Predicted {
        let answers = sums.fit().and_then(|model| answers(&model));
        Ok(answers.map_err(|error| error.to_string())?)
    });
    visitor.model(
        "partial_sums",
        || sums().part().unwrap(),
        |part: &PartialSums| -> Predicted {
            let mut sums = begun();
            let merged = sums.merge(part).and_then(|()| answers(&sums.fit()?));
            Ok(merged.map_err(|error| error.to_string())?)
        },
    );
}

/// A model that was chosen between two penalties.
fn chosen() -> Model {
    let candidates = [0.1, 1.0].map(|penalty| {
        let method = format!("ridge(penalty = {penalty})");
        Estimator::new(&method, "gaussian(gamma = 0.3)").unwrap()
    });
    let data = Data::from(x());
    let score = Score::MeanSquaredError;
    let search = Search::new(candidates.to_vec(), score).folds(2);
    let results = search.results(&data, values().targets).unwrap();
    let model = fitted(&results.best().unwrap().estimator);
    model.with_selection(Selection::new(score, 2, data.len(), results.candidates()))
}

/// Sums of no samples.
fn begun() -> Sums {
    let estimator = Estimator::new("ridge(penalty = [0.1, 1])", "gaussian(gamma = 0.3)").unwrap();
    let landmarks = Data::from(x_new());
    estimator.sums(&landmarks).unwrap().folds(2).unwrap()
}

fn sums() -> Sums {
    let mut sums = begun();
    sums.add(&Data::from(x()), values().targets).unwrap();
    sums
}
