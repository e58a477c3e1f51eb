//! Constructors of the Gaussian kernel that choose its width from the samples.

use super::Gaussian;
use crate::{AsSamples, Error, Rows, Samples, Scalar, error};

/// Samples of which the median heuristic looks at all pairs.
const MOST_FOR_PAIRS: usize = 1000;

impl<F: Scalar> Gaussian<F> {
    /// γ = 1/(2·median²), with the median of the Euclidean distances of all pairs of samples that
    /// differ: the median distance as length scale. Of an even number of distances it is the mean
    /// of the middle two.
    ///
    /// Of n > 1000 samples, 1000 at equal steps are looked at, the rows ⌊k·n/1000⌋.
    ///
    /// # Errors
    /// What the samples' border refuses; [`Error::NoVariance`] if all samples looked at are equal;
    /// [`Error::Parameter`] if γ is out of range.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    ///
    /// let x = array![[0.0_f64], [1.0], [4.0]]; // distances 1, 3, 4
    /// assert_eq!(Gaussian::median_heuristic(&x)?, Gaussian::new(1.0 / (2.0 * 3.0_f64.powi(2))));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    ///
    /// # References
    /// A. Gretton, K. M. Borgwardt, M. J. Rasch, B. Schölkopf, A. Smola, "A kernel two-sample
    /// test", Journal of Machine Learning Research 13, 2012, section 8.
    pub fn median_heuristic<R>(x: &R) -> Result<Self, Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        let x = x.as_samples()?;
        let looked_at = x.len().min(MOST_FOR_PAIRS);
        let row = |k: usize| x.get(k * x.len() / looked_at);
        let mut distances: Vec<f64> = (0..looked_at)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| distance(row(i), row(j)))
            .filter(|&distance| distance > 0.0)
            .collect();
        let median = median(&mut distances).ok_or(Error::NoVariance { samples: x.len() })?;
        Self::of_gamma((2.0 * median * median).recip())
    }

    /// γ = 1/(d·v), with d the number of features and v the variance of all entries of the samples
    /// taken together (their squared distance from the mean entry, divided by their number): the
    /// `gamma="scale"` of scikit-learn's support vector machines.
    ///
    /// # Errors
    /// What the samples' border refuses; [`Error::NoVariance`] if all entries are equal;
    /// [`Error::Parameter`] if γ is out of range.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    ///
    /// let x = array![[1.0_f64, 3.0], [5.0, 7.0]]; // mean 4, variance (9 + 1 + 1 + 9)/4
    /// assert_eq!(Gaussian::scale(&x)?, Gaussian::new(1.0 / (2.0 * 5.0)));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn scale<R>(x: &R) -> Result<Self, Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        let x = x.as_samples()?;
        let x = x.view();
        // From the first entry, so that equal entries have a variance of exactly 0.
        let origin = x[[0, 0]].as_f64();
        let count = x.len() as f64;
        let mean: f64 = x.iter().map(|v| (v.as_f64() - origin) / count).sum();
        let square = |v: &F| (v.as_f64() - origin - mean).powi(2);
        let variance = x.iter().map(|v| square(v) / count).sum::<f64>();
        if variance == 0.0 {
            return Err(Error::NoVariance { samples: x.nrows() });
        }
        Self::of_gamma((x.ncols() as f64 * variance).recip())
    }

    fn of_gamma(gamma: f64) -> Result<Self, Error> {
        let gamma = F::cast(gamma);
        error::positive("Gaussian", "gamma", gamma.as_f64())?;
        Ok(Self::new(gamma))
    }
}

/// ‖a − b‖.
fn distance<F: Scalar>(a: &[F], b: &[F]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a.as_f64() - b.as_f64()).powi(2));
    squares.sum::<f64>().sqrt()
}

/// The middle value, or the mean of the middle two; `None` of nothing.
fn median(values: &mut [f64]) -> Option<f64> {
    let (count, middle) = (values.len(), values.len() / 2);
    if count == 0 {
        return None;
    }
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if count % 2 == 1 {
        return Some(upper);
    }
    let lower = below.iter().fold(0.0_f64, |m, &v| m.max(v));
    Some(lower / 2.0 + upper / 2.0)
}
