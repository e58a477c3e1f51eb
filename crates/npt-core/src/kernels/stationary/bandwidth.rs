//! Constructors of the Gaussian kernel that choose its width from the samples.

use super::Gaussian;
use crate::{AsSamples, Error, Rows, Samples, Scalar, error, parallel};

/// The number of samples up to which all pairs of them are looked at.
const MOST_FOR_PAIRS: usize = 1000;

impl<F: Scalar> Gaussian<F> {
    /// The kernel with γ = 1/(2·median²), where the median is that of the Euclidean distances of all pairs of samples that
    /// differ: the median distance is the length scale. If the number of distances is even, the median is the mean of the
    /// middle two.
    ///
    /// If there are n > 1000 samples, 1000 of them at equal steps are looked at: the rows ⌊k·n/1000⌋.
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
        let median = median(&mut distances(&*x.as_samples()?)?);
        Self::of_gamma((2.0 * median * median).recip())
    }

    /// Three kernels with γ = 1/q², where q is the 0.9, the 0.5 and the 0.1 quantile of the Euclidean distances of all pairs
    /// of samples that differ. They span the range in which a good width usually lies, widest first; kernlab's `sigest`
    /// estimates this range from random pairs. Quantiles are interpolated linearly between squared distances, as R does by
    /// default.
    ///
    /// If there are n > 1000 samples, 1000 of them at equal steps are looked at, as in
    /// [`median_heuristic`](Self::median_heuristic).
    ///
    /// # Errors
    /// As [`median_heuristic`](Self::median_heuristic).
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    ///
    /// let x = array![[0.0_f64], [1.0], [4.0]]; // squared distances 1, 9, 16
    /// let [wide, middle, narrow] = Gaussian::sigest(&x)?;
    /// assert!((1.0 / wide.gamma() - (9.0 + 0.8 * 7.0)).abs() < 1e-12);
    /// assert!((1.0 / middle.gamma() - 9.0).abs() < 1e-12);
    /// assert!((1.0 / narrow.gamma() - (1.0 + 0.2 * 8.0)).abs() < 1e-12);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    ///
    /// # References
    /// B. Caputo, K. Sim, F. Furesjo, A. Smola, "Appearance-based Object Recognition using SVMs: Which Kernel Should I Use?",
    /// NIPS workshop on statistical methods for computational experiments in visual processing and computer vision, 2002.
    pub fn sigest<R>(x: &R) -> Result<[Self; 3], Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        let mut distances = distances(&*x.as_samples()?)?;
        distances.sort_unstable_by(f64::total_cmp);
        let [wide, middle, narrow] =
            [0.9, 0.5, 0.1].map(|share| Self::of_gamma(square_quantile(&distances, share).recip()));
        Ok([wide?, middle?, narrow?])
    }

    /// The kernel with γ = 1/(d·v), where d is the number of features and v the variance of all entries of the samples taken
    /// together (the sum of their squared distances from the mean entry, divided by their number). This is `gamma="scale"`
    /// of scikit-learn's support vector machines.
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
        // Entries are taken from the first one, so that equal entries have a variance of exactly 0.
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

/// The distances of all pairs of samples that differ, at least one. If there are many samples, some at equal steps are
/// looked at.
fn distances<F: Scalar>(x: &Rows<F>) -> Result<Vec<f64>, Error> {
    let looked_at = x.len().min(MOST_FOR_PAIRS);
    let row = |k: usize| x.get(k * x.len() / looked_at);
    let before = |i: usize| -> Vec<f64> {
        let distances = (0..i).map(|j| distance(row(i), row(j)));
        distances.filter(|&distance| distance > 0.0).collect()
    };
    let distances = parallel::map(looked_at, before).concat();
    if distances.is_empty() {
        return Err(Error::NoVariance { samples: x.len() });
    }
    Ok(distances)
}

/// The Euclidean distance ‖a − b‖.
fn distance<F: Scalar>(a: &[F], b: &[F]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a.as_f64() - b.as_f64()).powi(2));
    squares.sum::<f64>().sqrt()
}

/// A quantile of the squares of ascending values.
fn square_quantile(values: &[f64], share: f64) -> f64 {
    let place = share * (values.len() - 1) as f64;
    let below = (1..values.len()).take_while(|&k| k as f64 <= place).count();
    let (low, high) = (values[below], values[(below + 1).min(values.len() - 1)]);
    low * low + (place - below as f64) * (high - low) * (high + low)
}

/// The middle value, or the mean of the middle two.
fn median(values: &mut [f64]) -> f64 {
    let (count, middle) = (values.len(), values.len() / 2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if count % 2 == 1 {
        return upper;
    }
    let lower = below.iter().fold(0.0_f64, |m, &v| m.max(v));
    lower / 2.0 + upper / 2.0
}
