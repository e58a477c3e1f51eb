//! The estimators that arguments ask for, with defaults for everything that they leave out.

mod space;

use crate::{Error, roles::Samples, values, widths};
use npt_core::catalogue::ParameterEntry;
use npt_estimator::{Estimator, Score, TargetKind, Targets};
use space::{Space, landmarks_of};

/// The values that are compared for parameters that are not given, by the name of the parameter.
const GRIDS: [(&str, &str); 5] = [
    ("c", "0.1..1000:5"),
    ("nu", "0.1, 0.3, 0.5"),
    ("ridge", "0.0001..1:5"),
    // A list in brackets is one fit, which takes the value with the smallest leave-one-out error.
    ("penalty", "[0.0001, 0.001, 0.01, 0.1, 1, 10, 100]"),
    ("noise", "[0.0001, 0.001, 0.01, 0.1, 1]"),
];

/// The widths that are compared for a kernel whose width is not given.
const WIDTHS: &str = "median / 4, median, median * 4";

/// The number of components, if none is given.
const COMPONENTS: usize = 2;

/// The method, the kernel, the space.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Estimator")]
pub struct Asked {
    /// The method, such as svc or 'ridge(penalty = 0.1)'; by default svc for classes, ridge for numbers
    #[arg(short, long, value_name = "METHOD")]
    pub method: Option<String>,
    /// The kernel, such as 'gaussian(gamma = 0.1) + 0.5 * linear' or gaussian:gamma=median
    #[arg(short, long, value_name = "KERNEL")]
    pub kernel: Option<String>,
    /// The space: auto, exact, nystrom:landmarks=1000, …; auto is exact where that fits in the memory
    #[arg(short, long, value_name = "SPACE", default_value = "auto")]
    pub space: String,
    /// The scaling of columns, in the model
    #[arg(long, value_enum, default_value = "standard")]
    pub scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Scale {
    /// Each column has the mean 0 and the variance 1.
    #[default]
    Standard,
    /// Columns stay as they are.
    None,
}

/// The use of the estimators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The estimators are fitted as they are.
    Fit,
    /// The estimators are compared: parameters that are not given have several values.
    Search,
    /// The estimators are compared if there is a target, and fitted to sums on landmarks.
    Sums,
}

/// Estimators to be compared, or one to be fitted.
pub struct Choice {
    pub candidates: Vec<Estimator>,
    /// Choices that were made for the user, in words.
    pub notes: Vec<String>,
}

impl Asked {
    /// The name of the method, if one is given.
    pub fn method_name(&self) -> Option<&str> {
        self.method.as_deref().map(name_of)
    }

    /// The targets that the method takes; `None` if no method is given.
    ///
    /// # Errors
    /// A text that is no method, or neither a method nor a target.
    pub fn takes(&self, has_target: bool) -> Result<Option<TargetKind>, Error> {
        let Some(method) = &self.method else {
            return if has_target {
                Ok(None)
            } else {
                Err(nothing_to_do())
            };
        };
        let texts = values::expand(&with_required(&values::long(method))?)?;
        let text = texts.first().map_or("", String::as_str);
        Ok(Some(Estimator::new(text, "linear")?.targets()?))
    }

    /// The estimators for these samples.
    pub fn choose(&self, samples: &Samples, purpose: Purpose) -> Result<Choice, Error> {
        let is_search = match purpose {
            Purpose::Fit => false,
            Purpose::Search => true,
            Purpose::Sums => score_of(&samples.targets).is_ok(),
        };
        let mut notes = Vec::new();
        let method = match (&self.method, &samples.targets) {
            (Some(method), _) => values::long(method),
            (None, Targets::Labels(_)) => "svc".to_owned(),
            (None, Targets::Numbers(_)) => "ridge".to_owned(),
            (None, _) => return Err(nothing_to_do()),
        };
        // This method looks for its parameters itself.
        let is_search = is_search && name_of(&method) != "optimized_gaussian_process";
        let method = if is_search {
            with_grid(&method, samples.has_weights)
        } else {
            method
        };
        let method = with_required(&method)?;
        let kernel = self.kernel.as_deref().unwrap_or("gaussian");
        let kernel = values::long(kernel);
        let kernel = with_width(&kernel, if is_search { WIDTHS } else { "median" });
        let transformers = self.transformers(samples);
        let kernels = values::expand(&kernel)?;
        let kernels = if kernels.iter().any(|kernel| widths::is_of_data(kernel)) {
            let plain = built("coordinates", "linear", "exact", &transformers)?;
            let seen = plain.transformed(&samples.data)?;
            let resolved = kernels.iter().map(|kernel| widths::resolve(kernel, &seen));
            resolved.collect::<Result<Vec<_>, _>>()?
        } else {
            kernels
        };
        let methods = values::expand(&method)?;
        let fits = kernels.len() * methods.len();
        let space = self.space_for(samples, name_of(&method), fits, purpose, &mut notes);
        let mut candidates = Vec::new();
        for kernel in &kernels {
            let spaces = match &space {
                Space::Text(text) => values::expand(text)?,
                Space::Landmarks(wanted) => {
                    vec![landmarks_of(kernel, *wanted, samples, &transformers)?]
                }
            };
            for space in &spaces {
                for method in &methods {
                    candidates.push(built(method, kernel, space, &transformers)?);
                }
            }
        }
        Ok(Choice { candidates, notes })
    }

    fn transformers(&self, samples: &Samples) -> Vec<&'static str> {
        let of_categories = |kernel: &String| {
            ["gower", "simple_matching"]
                .iter()
                .any(|name| kernel.contains(name))
        };
        let takes_categories = self.kernel.as_ref().is_some_and(of_categories);
        let takes_gaps = self
            .method
            .as_ref()
            .is_some_and(|method| method.starts_with("robust_kpca"));
        let chosen = [
            ("imputer", samples.fills_gaps && !takes_gaps),
            ("one_hot", samples.has_categories && !takes_categories),
            (
                "standard_scaler",
                self.scale == Scale::Standard && !takes_categories && !takes_gaps,
            ),
        ];
        chosen
            .into_iter()
            .filter(|(_, is_asked)| *is_asked)
            .map(|(name, _)| name)
            .collect()
    }
}

fn built(
    method: &str,
    kernel: &str,
    space: &str,
    transformers: &[&str],
) -> Result<Estimator, Error> {
    let mut estimator = Estimator::new(method, kernel)?.space(space)?;
    for transformer in transformers {
        estimator = estimator.transformer(transformer)?;
    }
    Ok(estimator)
}

/// The error if neither a target nor a method is given.
fn nothing_to_do() -> Error {
    Error::Usage(format!(
        "-t names the column to be predicted, or -m a method without targets: {}",
        without_targets().join(", ")
    ))
}

/// The names of the methods that take no targets.
fn without_targets() -> Vec<&'static str> {
    let names = Estimator::methods().map(|heading| heading.name());
    let takes_none = |name: &&'static str| {
        let text = with_required(name).unwrap_or_default();
        Estimator::new(&text, "linear").and_then(|estimator| estimator.targets())
            == Ok(TargetKind::None)
    };
    names.filter(takes_none).collect()
}

/// Adds the parameters that a method must have and that were not given, such as the number of components.
fn with_required(method: &str) -> Result<String, Error> {
    let name = name_of(method);
    let Some(heading) = Estimator::methods().find(|heading| heading.name() == name) else {
        return Ok(method.to_owned());
    };
    let mut text = method.to_owned();
    let required = heading
        .parameters()
        .iter()
        .filter(|entry| entry.is_required());
    for entry in required.filter(|entry| !is_given(method, entry.name())) {
        let value = match entry.name() {
            "components" => COMPONENTS.to_string(),
            "nu" => "0.1".to_owned(),
            parameter => {
                return Err(Error::Usage(format!(
                    "{name} needs {parameter}, as in -m {name}:{parameter}=…: {}",
                    entry.summary()
                )));
            }
        };
        text = with(&text, entry.name(), &value);
    }
    Ok(text)
}

/// Adds lists for the parameters of [`GRIDS`] that the method has and that were not given.
fn with_grid(method: &str, has_weights: bool) -> String {
    let name = name_of(method);
    let Some(heading) = Estimator::methods().find(|heading| heading.name() == name) else {
        return method.to_owned();
    };
    let mut text = method.to_owned();
    for (parameter, grid) in GRIDS {
        let entry = heading
            .parameters()
            .iter()
            .find(|entry| entry.name() == parameter);
        // An optional parameter without a default stands in the place of another one.
        let is_needed = |entry: &&ParameterEntry| entry.is_required() || entry.default().is_some();
        let Some(entry) = entry
            .filter(is_needed)
            .filter(|_| !is_given(method, parameter) && !is_given(method, "class_c"))
        else {
            continue;
        };
        // The one fit that compares a list by leave-one-out takes no weights; a fit for each value does.
        let takes_list = entry.range().holds(&vec![1.0].into()) && !has_weights;
        let grid = if takes_list {
            grid
        } else {
            grid.trim_matches(['[', ']'])
        };
        text = with(&text, parameter, grid);
    }
    text
}

/// Adds this width to a kernel whose width is not given.
fn with_width(kernel: &str, width: &str) -> String {
    let parameter = match name_of(kernel) {
        "gaussian" | "laplacian" | "exponential" => "gamma",
        "matern" | "rational_quadratic" => "length_scale",
        _ => return kernel.to_owned(),
    };
    let is_one = !kernel.contains(['+', '*']);
    if is_one && !is_given(kernel, parameter) {
        with(kernel, parameter, width)
    } else {
        kernel.to_owned()
    }
}

fn name_of(text: &str) -> &str {
    text.split(['(', ':']).next().unwrap_or_default().trim()
}

fn is_given(text: &str, parameter: &str) -> bool {
    let names = text.split(['(', ',', ':']).skip(1);
    let mut names = names
        .filter_map(|part| part.split_once('='))
        .map(|(name, _)| name.trim());
    names.any(|name| name == parameter)
}

/// Adds a parameter to a text.
fn with(text: &str, parameter: &str, value: &str) -> String {
    match text.rfind(')') {
        Some(end) => format!("{}, {parameter} = {value})", &text[..end]),
        None => format!("{text}({parameter} = {value})"),
    }
}

/// The score by which candidates are compared, if none is named.
pub fn score_of(targets: &Targets) -> Result<Score, Error> {
    match targets {
        Targets::Labels(_) => Ok(Score::Accuracy),
        Targets::Numbers(_) => Ok(Score::R2),
        _ => Err(Error::Usage(
            "there is nothing to score without a target: -t names the column".to_owned(),
        )),
    }
}
