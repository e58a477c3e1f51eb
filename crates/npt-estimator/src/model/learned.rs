//! Values that a fit learned, by name.

use super::Model;
use crate::fitted::{Fitted, Pair};
use ndarray::{Array1, Array2};

/// A value that a fit learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Learned {
    /// One number.
    Number(f64),
    /// Several numbers.
    Numbers(Array1<f64>),
    /// A matrix.
    Matrix(Array2<f64>),
    /// Positions among the training samples, from 0.
    Positions(Vec<usize>),
}

/// The linear method behind sums of kernel values; `None` in a space of features.
macro_rules! expanded {
    ($pair:expr) => {
        match &**$pair {
            Pair::Expanded(model) => Some(model.inner()),
            Pair::Mapped(_) => None,
        }
    };
}

impl Model {
    /// The values that the fit learned, by name.
    ///
    /// | name | of | what it is |
    /// |---|---|---|
    /// | `coefficients` | models that are sums of kernel values | the αᵢ, a row a sample of the sum and a column a function; of `svc` with more than 16 classes a column for each other class, as LIBSVM has them |
    /// | `offsets` | the same | b, one a function |
    /// | `support` | machines other than `calibrated_svc` | the samples of the sum, as positions among the training samples |
    /// | `eigenvalues` | `kpca`, `coordinates` | the variances along the components; the eigenvalues of the kernel matrix |
    /// | `relative_trace_residual` | `coordinates` | the share of the variance outside of the space |
    /// | `landmarks` | `coordinates`, where training samples are landmarks | their positions, in the order in which they were chosen |
    /// | `frequencies`, `origin` | `coordinates` in `random_fourier` | ω, one a row, and c, of features cos⟨ω, x − c⟩ and sin⟨ω, x − c⟩ |
    /// | `penalty` | `ridge` | the penalty that was taken |
    /// | `noise`, `log_marginal_likelihood` | Gaussian processes | σ², and ln p of the targets |
    /// | `correlations` | `cca` | one a pair of directions, descending |
    /// | `threshold` | `novelty_detector` | the error above which a sample is novel |
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator, Learned};
    ///
    /// let x = Data::from(array![[0.0], [1.0], [3.0], [9.0]]);
    /// let machine = Estimator::new("svc(c = 10)", "linear")?.fit(&x, vec![false, false, true, true])?;
    /// // The two samples on the margin.
    /// assert!(machine.learned().contains(&("support", Learned::Positions(vec![1, 2]))));
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn learned(&self) -> Vec<(&'static str, Learned)> {
        let mut learned = self.sums_learned();
        let mut also = |name, value| learned.push((name, value));
        match &self.fitted {
            Fitted::Svc(pair) => {
                if let Some(machine) = expanded!(pair) {
                    also("support", Learned::Positions(machine.support()));
                }
            }
            Fitted::Svr(pair) => {
                if let Some(machine) = expanded!(pair) {
                    also("support", Learned::Positions(machine.support()));
                }
            }
            Fitted::OneClassSvm(pair) => {
                if let Some(machine) = expanded!(pair) {
                    also("support", Learned::Positions(machine.support()));
                }
            }
            Fitted::MulticlassSvc(pair) => {
                if let Some(support) = expanded!(pair).and_then(|machine| machine.support()) {
                    also("support", Learned::Positions(support.to_vec()));
                }
            }
            Fitted::Pca(pair) => {
                if let Some(pca) = expanded!(pair) {
                    also(
                        "eigenvalues",
                        Learned::Numbers(pca.eigenvalues().to_owned()),
                    );
                }
            }
            Fitted::Coordinates(coordinates) => {
                let (eigenvalues, outside) = coordinates.of_training();
                also("eigenvalues", Learned::Numbers(eigenvalues.clone()));
                also("relative_trace_residual", Learned::Number(outside));
                if let Some(landmarks) = coordinates.landmarks() {
                    also("landmarks", Learned::Positions(landmarks.to_vec()));
                }
                if let Some((frequencies, origin)) = coordinates.waves() {
                    also("frequencies", Learned::Matrix(frequencies));
                    also("origin", Learned::Numbers(origin));
                }
            }
            Fitted::Ridge(pair) => {
                if let Some(ridge) = expanded!(pair) {
                    also("penalty", Learned::Number(ridge.penalty()));
                }
            }
            Fitted::GaussianProcess(process) => {
                also("noise", Learned::Number(process.noise()));
                let evidence = process.log_marginal_likelihood();
                also("log_marginal_likelihood", Learned::Number(evidence));
            }
            Fitted::GaussianProcessOnFeatures(process) => {
                also("noise", Learned::Number(process.noise()));
                let evidence = process.log_marginal_likelihood();
                also("log_marginal_likelihood", Learned::Number(evidence));
            }
            Fitted::Cca(views) => {
                also("correlations", Learned::Numbers(views.correlations()));
            }
            Fitted::NoveltyDetector(detector) => {
                also("threshold", Learned::Number(detector.threshold()));
            }
            Fitted::NoveltyDetectorOnFeatures(detector) => {
                also("threshold", Learned::Number(detector.threshold()));
            }
            _ => {}
        }
        learned
    }

    fn sums_learned(&self) -> Vec<(&'static str, Learned)> {
        let Ok(sums) = self.fitted.sums() else {
            return Vec::new();
        };
        let expansion = &sums.expansion;
        let own = match &self.fitted {
            Fitted::MulticlassSvc(pair) => {
                expanded!(pair).and_then(|model| model.pair_coefficients())
            }
            _ => None,
        };
        let coefficients = own.unwrap_or_else(|| expansion.coefficients());
        vec![
            ("coefficients", Learned::Matrix(coefficients.to_owned())),
            ("offsets", Learned::Numbers(expansion.offsets())),
        ]
    }
}
