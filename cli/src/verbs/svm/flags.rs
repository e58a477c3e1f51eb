//! The flags of svm-train.

use crate::Error;
use npt_estimator::Estimator;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    CSvc,
    NuSvc,
    OneClass,
    EpsilonSvr,
    NuSvr,
}

/// Flags of svm-train.
#[derive(Debug)]
pub(super) struct Flags {
    pub(super) machine: Machine,
    kernel: usize,
    degree: usize,
    gamma: Option<f64>,
    coef0: f64,
    c: f64,
    nu: f64,
    epsilon: f64,
    tolerance: f64,
    pub(super) weights: Vec<(i64, f64)>,
    pub(super) folds: Option<usize>,
    pub(super) quiet: bool,
    pub(super) files: Vec<PathBuf>,
}

impl Flags {
    pub(super) fn read(arguments: &[String]) -> Result<Self, Error> {
        let mut flags = Self {
            machine: Machine::CSvc,
            kernel: 2,
            degree: 3,
            gamma: None,
            coef0: 0.0,
            c: 1.0,
            nu: 0.5,
            epsilon: 0.1,
            tolerance: 1e-3,
            weights: Vec::new(),
            folds: None,
            quiet: false,
            files: Vec::new(),
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(flag) = argument.strip_prefix('-') else {
                flags.files.push(argument.into());
                continue;
            };
            if flag == "q" {
                flags.quiet = true;
                continue;
            }
            let value = arguments
                .next()
                .ok_or_else(|| Error::Usage(format!("-{flag} takes a value")))?;
            flags.set(flag, value)?;
        }
        if flags.files.is_empty() || flags.files.len() > 2 {
            return Err(Error::Usage(
                "svm-train takes the file to train on, and the file of the model".to_owned(),
            ));
        }
        Ok(flags)
    }

    fn set(&mut self, flag: &str, value: &str) -> Result<(), Error> {
        let wrong = |takes: &str| Error::Usage(format!("-{flag} takes {takes}, not {value}"));
        let real = || {
            value
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite())
                .ok_or_else(|| wrong("a number"))
        };
        let whole = || value.parse::<usize>().map_err(|_| wrong("a whole number"));
        match flag {
            "s" => {
                self.machine = match whole()? {
                    0 => Machine::CSvc,
                    1 => Machine::NuSvc,
                    2 => Machine::OneClass,
                    3 => Machine::EpsilonSvr,
                    4 => Machine::NuSvr,
                    _ => return Err(wrong("a type from 0 to 4")),
                }
            }
            "t" => self.kernel = whole()?,
            "d" => self.degree = whole()?,
            "g" => self.gamma = Some(real()?),
            "r" => self.coef0 = real()?,
            "c" => self.c = real()?,
            "n" => self.nu = real()?,
            "p" => self.epsilon = real()?,
            "e" => self.tolerance = real()?,
            // The size of the cache and shrinking: both follow the data here.
            "m" | "h" => drop(real()?),
            "b" if whole()? == 0 => {}
            "b" => {
                return Err(Error::Usage(
                    "-b 1: LIBSVM's probabilities are not made; npt fit -m calibrated_svc has probabilities that agree with the predictions".to_owned(),
                ));
            }
            "v" => self.folds = Some(whole()?),
            _ => match flag.strip_prefix('w').and_then(|label| label.parse().ok()) {
                Some(label) => self.weights.push((label, real()?)),
                None => return Err(Error::Usage(format!("svm-train has no flag -{flag}"))),
            },
        }
        Ok(())
    }

    pub(super) fn estimator(&self, width: usize) -> Result<Estimator, Error> {
        let gamma = self.gamma.unwrap_or(1.0 / width.max(1) as f64);
        let (coef0, degree) = (self.coef0, self.degree);
        let kernel = match self.kernel {
            0 => "linear".to_owned(),
            1 => format!("polynomial(degree = {degree}, gamma = {gamma}, constant = {coef0})"),
            2 => format!("gaussian(gamma = {gamma})"),
            3 => format!("sigmoid(gamma = {gamma}, constant = {coef0})"),
            other => return Err(Error::Usage(format!("-t {other}: kernels are 0 to 3"))),
        };
        let (c, nu, epsilon, tolerance) = (self.c, self.nu, self.epsilon, self.tolerance);
        let method = match self.machine {
            Machine::CSvc => format!("svc(c = {c}, tolerance = {tolerance})"),
            Machine::NuSvc => format!("nu_svc(nu = {nu}, tolerance = {tolerance})"),
            Machine::OneClass => format!("one_class_svm(nu = {nu}, tolerance = {tolerance})"),
            Machine::EpsilonSvr => {
                format!("svr(c = {c}, epsilon = {epsilon}, tolerance = {tolerance})")
            }
            Machine::NuSvr => format!("svr(c = {c}, nu = {nu}, tolerance = {tolerance})"),
        };
        let estimator = Estimator::new(&method, &kernel)?;
        // LIBSVM trains with the sigmoid, which is not positive semidefinite, as if it were.
        Ok(if self.kernel == 3 {
            estimator.space("exact(indefinite = \"clip\")")?
        } else {
            estimator
        })
    }
}
