//! Widths of kernels by the data: `median` and `scale` in the place of a number.

use crate::{Error, values::six_digits};
use ndarray::{Array2, Axis};
use npt_core::Gaussian;

/// The most samples whose distances are computed for all pairs.
const SAMPLES: usize = 1000;

/// Replaces `median` and `scale` in a kernel's text by numbers, computed from samples as the kernel sees them.
///
/// | written | value |
/// |---|---|
/// | `gaussian(gamma = median)` | 1/(2ℓ²), ℓ the median distance of two samples |
/// | `exponential(gamma = median)` | 1/ℓ |
/// | `laplacian(gamma = median)` | 1/ℓ₁, ℓ₁ the median of the sums of absolute differences |
/// | `matern(length_scale = median)`, `rational_quadratic(…)` | ℓ |
/// | `gaussian(gamma = scale)` | 1/(d·v), with d features of the variance v |
///
/// A factor may follow: `median / 4`, `median * 4`.
pub fn resolve(kernel: &str, samples: &Array2<f64>) -> Result<String, Error> {
    let mut text = String::new();
    let mut rest = kernel;
    while let Some(equals) = rest.find('=') {
        let (head, tail) = rest.split_at(equals + 1);
        text.push_str(head);
        let end = tail.find([',', ')']).unwrap_or(tail.len());
        let value = tail[..end].trim();
        match Word::of(value) {
            None => text.push_str(&tail[..end]),
            Some((word, factor)) => {
                let (name, parameter) = names(&text);
                let value = factor * word.value(name, parameter, samples)?;
                text.push_str(&format!(" {}", six_digits(value)));
            }
        }
        rest = &tail[end..];
    }
    Ok(text + rest)
}

/// Returns whether a kernel's text has a width that the data give.
pub fn is_of_data(kernel: &str) -> bool {
    kernel
        .split('=')
        .skip(1)
        .any(|value| Word::of(value.split([',', ')']).next().unwrap_or_default().trim()).is_some())
}

enum Word {
    Median,
    Scale,
}

impl Word {
    /// The word of a value, and its factor.
    fn of(value: &str) -> Option<(Self, f64)> {
        let (word, factor) = match value.split_once(['*', '/']) {
            Some((word, factor)) => {
                let factor: f64 = factor
                    .trim()
                    .parse()
                    .ok()
                    .filter(|factor: &f64| *factor > 0.0)?;
                (
                    word.trim(),
                    if value.contains('/') {
                        factor.recip()
                    } else {
                        factor
                    },
                )
            }
            None => (value, 1.0),
        };
        match word {
            "median" => Some((Self::Median, factor)),
            "scale" => Some((Self::Scale, factor)),
            _ => None,
        }
    }

    fn value(&self, kernel: &str, parameter: &str, samples: &Array2<f64>) -> Result<f64, Error> {
        let gaussian = match self {
            Self::Median => Gaussian::median_heuristic(samples),
            Self::Scale => Gaussian::scale(samples),
        };
        let gamma = gaussian
            .map_err(|error| Error::Data(error.to_string()))?
            .gamma();
        let length = (2.0 * gamma).sqrt().recip();
        match (self, kernel, parameter) {
            (_, "gaussian", "gamma") => Ok(gamma),
            (Self::Median, "exponential", "gamma") => Ok(length.recip()),
            (Self::Median, "laplacian", "gamma") => {
                Ok(median_of_absolute_distances(samples)?.recip())
            }
            (Self::Median, "matern" | "rational_quadratic", "length_scale") => Ok(length),
            _ => Err(Error::Usage(format!(
                "{parameter} of {kernel} takes a number; by the data are gamma of gaussian, exponential and laplacian, and length_scale of matern and rational_quadratic"
            ))),
        }
    }
}

/// The names of the kernel and of the parameter at the end of a text: `gaussian(gamma =`.
fn names(text: &str) -> (&str, &str) {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let last = |text: &str| -> usize {
        text.rfind(|letter| !is_of_name(letter))
            .map_or(0, |place| place + 1)
    };
    let text = text.trim_end_matches('=').trim_end();
    let parameter = &text[last(text)..];
    let head = text
        .rfind('(')
        .map_or("", |bracket| text[..bracket].trim_end());
    (&head[last(head)..], parameter)
}

fn median_of_absolute_distances(samples: &Array2<f64>) -> Result<f64, Error> {
    let step = samples.nrows().div_ceil(SAMPLES).max(1);
    let rows: Vec<_> = samples.axis_iter(Axis(0)).step_by(step).collect();
    let mut distances = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            let distance: f64 = a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum();
            if distance > 0.0 {
                distances.push(distance);
            }
        }
    }
    if distances.is_empty() {
        return Err(Error::Data(
            "the samples that the median is taken of are all the same".to_owned(),
        ));
    }
    let middle = distances.len() / 2;
    Ok(*distances.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn words_become_numbers() {
        let x = array![[0.0, 0.0], [3.0, 4.0]];
        let cases = [
            ("gaussian(gamma = median)", "gaussian(gamma = 0.02)"),
            (
                "gaussian(gamma=median * 4, x = 1)",
                "gaussian(gamma= 0.08, x = 1)",
            ),
            (
                "0.5 * gaussian(gamma = median / 2) + linear",
                "0.5 * gaussian(gamma = 0.01) + linear",
            ),
            ("laplacian(gamma = median)", "laplacian(gamma = 0.142857)"),
            ("exponential(gamma = median)", "exponential(gamma = 0.2)"),
            (
                "matern(smoothness = 1.5, length_scale = median)",
                "matern(smoothness = 1.5, length_scale = 5)",
            ),
            ("polynomial(degree = 2)", "polynomial(degree = 2)"),
        ];
        for (text, expected) in cases {
            assert_eq!(resolve(text, &x).unwrap(), expected);
        }
        assert!(
            is_of_data("linear + gaussian(gamma = median)") && !is_of_data("gaussian(gamma = 1)")
        );
        let error = resolve("sigmoid(gamma = median)", &x).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("gamma of sigmoid takes a number"),
            "{error}"
        );
        assert!(matches!(
            resolve("gaussian(gamma = median)", &array![[1.0], [1.0]]),
            Err(Error::Data(_))
        ));
    }
}
