//! The header of a text: the lines before the vectors.

use super::{Lines, error, number};
use crate::{
    Error,
    libsvm::{SvmType, kernel::KernelType, pairs::pair_count},
};
use npt_core::Description;
use std::str::FromStr;

/// A header whose parts fit together.
pub(super) struct Header {
    pub(super) svm_type: SvmType,
    pub(super) kernel: Description,
    /// The number of vectors.
    pub(super) total: usize,
    /// The offsets with the sign turned, one a function.
    pub(super) rho: Vec<f64>,
    pub(super) labels: Vec<i32>,
    /// The number of vectors of each class; empty without classes.
    pub(super) counts: Vec<usize>,
}

/// The values that were read so far; lists come with the number of their line.
#[derive(Default)]
struct Found {
    svm_type: Option<SvmType>,
    kernel_type: Option<&'static KernelType>,
    degree: Option<u32>,
    gamma: Option<f64>,
    coef0: Option<f64>,
    classes: Option<usize>,
    total: Option<usize>,
    rho: Option<(usize, Vec<f64>)>,
    labels: Option<(usize, Vec<i32>)>,
    counts: Option<(usize, Vec<usize>)>,
}

impl Header {
    /// Reads the header up to the line `SV`.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Self, Error> {
        let mut found = Found::default();
        loop {
            let (number, line) = lines.next();
            let Some(line) = line else {
                return Err(error(number, "", "SV, and the vectors"));
            };
            if line == "SV" {
                return found.checked(number);
            }
            found.take(number, line)?;
        }
    }
}

impl Found {
    /// Takes a line of the header.
    fn take(&mut self, at: usize, line: &str) -> Result<(), Error> {
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let value = value.trim();
        let or = |expected| move || error(at, line, expected);
        match key {
            "svm_type" => {
                let known = SvmType::ALL.into_iter().find(|known| known.name() == value);
                let expected = "svm_type c_svc, nu_svc, one_class, epsilon_svr or nu_svr";
                self.svm_type = Some(known.ok_or_else(or(expected))?);
            }
            "kernel_type" => {
                let expected = "kernel_type linear, polynomial, rbf or sigmoid";
                self.kernel_type = Some(KernelType::named(value).ok_or_else(or(expected))?);
            }
            "degree" => {
                let degree = value
                    .parse()
                    .ok()
                    .filter(|d| (1..=i32::MAX as u32).contains(d));
                self.degree = Some(degree.ok_or_else(or("degree and a whole number above 0"))?);
            }
            "gamma" => {
                let gamma = number(value).filter(|&gamma| gamma > 0.0);
                self.gamma = Some(gamma.ok_or_else(or("gamma and a number above 0"))?);
            }
            "coef0" => self.coef0 = Some(number(value).ok_or_else(or("coef0 and a number"))?),
            "nr_class" => {
                let classes = value.parse().ok().filter(|&classes| classes >= 2);
                let expected = "nr_class and a whole number of at least 2";
                self.classes = Some(classes.ok_or_else(or(expected))?);
            }
            "total_sv" => {
                let total = value.parse().ok();
                self.total = Some(total.ok_or_else(or("total_sv and a whole number"))?);
            }
            "rho" => {
                let rho = value
                    .split_ascii_whitespace()
                    .map(number)
                    .collect::<Option<_>>();
                self.rho = Some((at, rho.ok_or_else(or("rho and numbers"))?));
            }
            "label" => {
                self.labels = Some((at, list(value).ok_or_else(or("label and whole numbers"))?));
            }
            "nr_sv" => {
                self.counts = Some((at, list(value).ok_or_else(or("nr_sv and whole numbers"))?));
            }
            // Parts of a machine besides its functions are left out.
            "probA" | "probB" | "prob_density_marks" => {}
            _ => return Err(error(at, line, "a line of the header, or SV")),
        }
        Ok(())
    }

    /// Checks that all parts are there, and that they fit; `at` is the line `SV`.
    fn checked(self, at: usize) -> Result<Header, Error> {
        let missing = |expected| move || error(at, "SV", expected);
        let svm_type = self.svm_type.ok_or_else(missing("svm_type before it"))?;
        let kernel = self.kernel(at)?;
        let classes = self.classes.ok_or_else(missing("nr_class before it"))?;
        let total = self.total.ok_or_else(missing("total_sv before it"))?;
        let (line, rho) = self.rho.ok_or_else(missing("rho before it"))?;
        let functions = if svm_type.is_classifier() {
            pair_count(classes)
        } else {
            Some(1)
        };
        if functions != Some(rho.len()) {
            let expected = "rho and one number for each pair of classes, or one without classes";
            return Err(error(
                line,
                &format!("rho with {} numbers", rho.len()),
                expected,
            ));
        }
        let (mut labels, mut counts) = (Vec::new(), Vec::new());
        if svm_type.is_classifier() {
            (labels, counts) = of_classes(
                classes,
                total,
                self.labels.ok_or_else(missing("label before it"))?,
                self.counts.ok_or_else(missing("nr_sv before it"))?,
            )?;
        }
        Ok(Header {
            svm_type,
            kernel,
            total,
            rho,
            labels,
            counts,
        })
    }

    fn kernel(&self, at: usize) -> Result<Description, Error> {
        let missing = |expected| move || error(at, "SV", expected);
        let kernel_type = self
            .kernel_type
            .ok_or_else(missing("kernel_type before it"))?;
        let mut kernel = kernel_type.description();
        for &(name, ready) in kernel_type.parameters {
            kernel = match name {
                "degree" => {
                    kernel.parameter(ready, &self.degree.ok_or_else(missing("degree before it"))?)
                }
                "gamma" => {
                    kernel.parameter(ready, &self.gamma.ok_or_else(missing("gamma before it"))?)
                }
                _ => kernel.parameter(ready, &self.coef0.ok_or_else(missing("coef0 before it"))?),
            };
        }
        Ok(kernel)
    }
}

fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    let words = text.split_ascii_whitespace();
    words.map(|word| word.parse().ok()).collect()
}

/// Checks that there are one label and one count for each class, and that the counts have the sum `total`.
fn of_classes(
    classes: usize,
    total: usize,
    (label_line, labels): (usize, Vec<i32>),
    (count_line, counts): (usize, Vec<usize>),
) -> Result<(Vec<i32>, Vec<usize>), Error> {
    if labels.len() != classes {
        let found = format!("label with {} numbers", labels.len());
        return Err(error(
            label_line,
            &found,
            "label and one number for each class",
        ));
    }
    let sum = counts
        .iter()
        .try_fold(0_usize, |sum, &count| sum.checked_add(count));
    if counts.len() != classes || sum != Some(total) {
        let found = format!("nr_sv with {} numbers", counts.len());
        let expected = "nr_sv and one number for each class, with the sum total_sv";
        return Err(error(count_line, &found, expected));
    }
    Ok((labels, counts))
}
