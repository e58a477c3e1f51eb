//! Questions to a model, and the records that it is asked about.

use super::{Border, Model, Predictions};
use crate::{
    Ability, Data, Error,
    categories::Translation,
    data::Records,
    fitted::{Answer, Answers, Fitted, Raw},
};
use ndarray::{Array1, Array2};

impl Model {
    /// Predicts classes, numbers, clusters, or which samples are novel.
    ///
    /// # Errors
    /// [`Error::Ability`] of a model that only transforms; [`Error::Columns`], [`Error::ColumnKind`], [`Error::UnseenCategory`],
    /// [`Error::DenseVectors`], [`Error::Fit`] for faults of the data.
    pub fn predict(&self, data: &Data) -> Result<Predictions, Error> {
        let raw = self.ask(data, Ability::Predict, |model, x| model.predict(x))?;
        let label = |&position: &usize| self.classes[position].clone();
        Ok(match raw {
            Raw::Classes(positions) => Predictions::Labels(positions.iter().map(label).collect()),
            Raw::Numbers(numbers) => Predictions::Numbers(numbers),
            Raw::Clusters(clusters) => Predictions::Clusters(clusters.to_vec()),
            Raw::Novel(novel) => Predictions::Novel(novel.to_vec()),
        })
    }

    /// The values by which the model decides, one row a sample.
    ///
    /// # Errors
    /// The errors of [`predict`](Self::predict).
    pub fn decision_function(&self, data: &Data) -> Result<Array2<f64>, Error> {
        let asked = Ability::DecisionFunction;
        self.ask(data, asked, |model, x| model.decision_function(x))
    }

    /// The probabilities of the [`classes`](Self::classes), one row a sample.
    ///
    /// # Errors
    /// The errors of [`predict`](Self::predict).
    pub fn predict_probabilities(&self, data: &Data) -> Result<Array2<f64>, Error> {
        let asked = Ability::Probabilities;
        self.ask(data, asked, |model, x| model.predict_probabilities(x))
    }

    /// The means and the variances of the function, one a sample.
    ///
    /// # Errors
    /// The errors of [`predict`](Self::predict).
    pub fn predict_with_variance(&self, data: &Data) -> Result<(Array1<f64>, Array1<f64>), Error> {
        self.ask(data, Ability::Variance, |model, x| {
            model.predict_with_variance(x)
        })
    }

    /// The components of the samples, one row a sample.
    ///
    /// # Errors
    /// The errors of [`predict`](Self::predict).
    pub fn transform(&self, data: &Data) -> Result<Array2<f64>, Error> {
        if let Fitted::RobustKpca(model) = &self.fitted {
            return Ok(model.try_transform(&self.matrix(data)?)?);
        }
        self.ask(data, Ability::Transform, |model, x| model.transform(x))
    }

    /// The squared distances of the samples from the space, one a sample.
    ///
    /// # Errors
    /// The errors of [`predict`](Self::predict).
    pub fn residuals(&self, data: &Data) -> Result<Array1<f64>, Error> {
        self.ask(data, Ability::Residuals, |model, x| model.residuals(x))
    }

    /// The components of samples of the second view, one row a sample, by a model that was fitted to [two views](crate::Targets::View).
    /// The transformers and the columns of the model are those of the first view.
    ///
    /// # Errors
    /// [`Error::Ability`] of other models; [`Error::CategoriesOfView`]; [`Error::Fit`] for faults of the data.
    pub fn transform_second(&self, data: &Data) -> Result<Array2<f64>, Error> {
        data.require_no_categories()?;
        let border = Border::new(data.records(), Vec::new(), &[]);
        let answer = self.fitted.answers().transform_second(&border);
        Ok(answer.ok_or_else(|| self.has_not(Ability::TransformSecond))??)
    }

    /// The samples behind the transformers as a matrix, in which values may be missing.
    pub(super) fn matrix(&self, data: &Data) -> Result<Array2<f64>, Error> {
        let matrix = self.border(data)?.matrix();
        matrix.map_err(|samples| Error::DenseVectors {
            of: self.estimator.method_name().to_owned(),
            samples: samples.kind().words(),
        })
    }

    fn ask<T>(
        &self,
        data: &Data,
        asked: Ability,
        question: impl Fn(&dyn Answers, &Border<'_>) -> Answer<T>,
    ) -> Result<T, Error> {
        let model = self.fitted.answers();
        let none = || self.has_not(asked);
        if !model.abilities().contains(&asked) {
            return Err(none());
        }
        let border = self.border(data)?;
        Ok(question(model, &border).ok_or_else(none)??)
    }

    pub(crate) fn has_not(&self, asked: Ability) -> Error {
        Error::Ability {
            model: self.estimator.method_name(),
            asked,
            has: self.abilities(),
        }
    }

    /// The records behind the transformers; refuses records that the transformers do not take.
    pub(crate) fn border<'a>(&'a self, data: &'a Data) -> Result<Border<'a>, Error> {
        if !self.columns.is_empty() && !data.columns().is_empty() && data.columns() != self.columns
        {
            return Err(Error::Columns {
                expected: self.columns.clone(),
                found: data.columns().to_vec(),
            });
        }
        let translations = self.translations(data)?;
        match data.records() {
            Records::Samples(samples) if !self.front.is_empty() => {
                return Err(Error::DenseVectors {
                    of: self.estimator.texts().transformers.join(", "),
                    samples: samples.kind().words(),
                });
            }
            Records::Dense(matrix) if !self.front.is_empty() => {
                let found = matrix.ncols();
                if let Some(expected) = self.width.filter(|&width| width != found) {
                    return Err(npt_core::Error::ColumnCount { expected, found }.into());
                }
            }
            _ => {}
        }
        Ok(Border::new(data.records(), translations, &self.front))
    }

    /// The numbers that this model has for the categories of new data.
    fn translations(&self, data: &Data) -> Result<Vec<Translation>, Error> {
        let Some(matrix) = data.matrix() else {
            return Ok(Vec::new());
        };
        let mut translations = Vec::new();
        for (column, name) in self.columns.iter().enumerate() {
            let (known, new) = (self.categories.of(name), data.categories().of(name));
            match (known, new) {
                (None, None) => {}
                (Some(known), Some(new)) => translations.push(Translation::new(
                    (column, name),
                    &matrix.column(column),
                    (new, known),
                    self.accepts_unseen,
                )?),
                (_, new) => {
                    return Err(Error::ColumnKind {
                        column: name.clone(),
                        is_category: new.is_some(),
                    });
                }
            }
        }
        Ok(translations)
    }
}
