//! A page on a model.

use super::Model;
use crate::error::some_of;
use std::fmt;

/// Writes a page that says what the model is and which questions it answers.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.estimator.texts();
        let (samples, count) = &self.trained_on;
        let list = |items: Vec<String>| items.join(", ");
        writeln!(f, "method        {}", texts.method)?;
        writeln!(f, "kernel        {}", self.kernel())?;
        writeln!(f, "space         {}", texts.space)?;
        if !texts.transformers.is_empty() {
            writeln!(f, "transformers  {}", list(texts.transformers))?;
        }
        if let Some(pre_image) = &texts.pre_image {
            writeln!(f, "pre-images    {pre_image}")?;
        }
        writeln!(f, "fitted to     {count} {samples}")?;
        if !self.columns.is_empty() {
            let column = |name: &String| match self.categories.of(name) {
                Some(texts) => format!("{name} ({})", some_of(texts)),
                None => name.clone(),
            };
            let columns = self.columns.iter().map(column).collect();
            writeln!(f, "columns       {}", list(columns))?;
            if self.accepts_unseen {
                writeln!(
                    f,
                    "              categories never seen are unlike all that were"
                )?;
            }
        }
        if !self.target_names.is_empty() {
            writeln!(f, "targets       {}", list(self.target_names.clone()))?;
        }
        if !self.classes.is_empty() {
            let classes = self.classes.iter().map(ToString::to_string).collect();
            writeln!(f, "classes       {}", list(classes))?;
        }
        let abilities = self.abilities().iter().map(ToString::to_string).collect();
        write!(f, "answers       {}", list(abilities))
    }
}
