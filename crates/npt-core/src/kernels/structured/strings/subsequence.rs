//! The subsequence kernel: sequences of letters that two strings share, gaps allowed.

use super::letters;
use crate::{Error, Items, Kernel, error, linalg};
use ndarray::Array2;

/// The gap-weighted subsequence kernel: sequences of `length` letters that occur in both strings in
/// this order, not necessarily side by side. The longer an occurrence stretches, the less it counts.
///
/// # Definition
/// κ(s, t) = Σᵤ Σᵢ Σⱼ λ^(l(i) + l(j)) over all strings u of p letters and all index tuples i with
/// s\[i\] = u and j with t\[j\] = u, where l(i) = i_p − i₁ + 1 is the length of the stretch of s from
/// the first letter of the occurrence to the last. The value is 0 where one of the strings has fewer
/// than p letters. It is computed by dynamic programming in p·|s|·|t| steps.
///
/// # Parameters
/// `length` p ≥ 1; `decay` 0 < λ ≤ 1.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length` or `decay`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Subsequence};
///
/// let decay = 0.5_f64;
/// // c-a is the one pair of letters in both: side by side, so it stretches over 2 and 2.
/// let value = Subsequence::new(2, decay).eval(&"cat", &"car");
/// assert_eq!(value, decay.powi(4));
/// // With itself: c-a, a-t side by side, c-t with a gap.
/// let value = Subsequence::new(2, decay).eval(&"cat", &"cat");
/// assert_eq!(value, 2.0 * decay.powi(4) + decay.powi(6));
/// ```
///
/// # References
/// H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini, C. Watkins, "Text Classification using
/// String Kernels", JMLR 2, 2002, definition 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "subsequence")
)]
pub struct Subsequence {
    length: usize,
    decay: f64,
}

crate::composable!(Subsequence);

impl Subsequence {
    /// The kernel of subsequences of `length` letters; each letter that they stretch over is weighted by `decay`. The ranges
    /// are checked at fit.
    pub fn new(length: usize, decay: f64) -> Self {
        Self { length, decay }
    }
}

/// The kernel value by dynamic programming. ends\[i, j\] is the weight of all common subsequences that end in letters i of s
/// and j of t. The weights of the subsequences that are one letter longer follow from the sum over all earlier ends, each
/// weighted by the letters in between: a running sum over both indices.
fn common_subsequences(s: &[char], t: &[char], length: usize, decay: f64) -> f64 {
    // No text has a subsequence longer than itself, however large `length` is.
    if length > s.len().min(t.len()) {
        return 0.0;
    }
    let squared = decay * decay;
    let agree = |i: usize, j: usize| s[i] == t[j];
    let mut ends =
        Array2::from_shape_fn(
            (s.len(), t.len()),
            |(i, j)| {
                if agree(i, j) { squared } else { 0.0 }
            },
        );
    for _ in 1..length {
        // The weighted sum of ends over rows below i and columns below j.
        let mut before = vec![0.0; t.len()];
        let mut longer = Array2::zeros(ends.dim());
        for i in 0..s.len() {
            let mut of_row = 0.0;
            for j in 0..t.len() {
                if agree(i, j) {
                    longer[[i, j]] = squared * before[j];
                }
                // Column j of `before` has been used; what row i adds to it is for row i + 1.
                let row_before = of_row;
                of_row = ends[[i, j]] + decay * of_row;
                before[j] = decay * before[j] + row_before;
            }
        }
        ends = longer;
    }
    ends.sum()
}

impl<T: AsRef<str> + Clone + Send + Sync> Kernel<Items<T>> for Subsequence {
    type Scalar = f64;

    crate::parameters!("subsequence", length, decay);

    fn eval(&self, a: &T, b: &T) -> f64 {
        common_subsequences(&letters(a), &letters(b), self.length, self.decay)
    }

    /// Computes one value for both orders of a pair: the two orders would be rounded differently.
    fn gram(&self, x: &Items<T>) -> Array2<f64> {
        let texts: Vec<Vec<char>> = x.as_slice().iter().map(letters).collect();
        linalg::fill_pairs(texts.len(), &|i, j| {
            common_subsequences(&texts[i], &texts[j], self.length, self.decay)
        })
    }

    fn check(&self, _: &Items<T>) -> Result<(), Error> {
        error::at_least_one("Subsequence", "length", self.length)?;
        error::share("Subsequence", "decay", self.decay)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All index tuples of `length` indices below `below`, ascending.
    fn tuples(below: usize, length: usize) -> Vec<Vec<usize>> {
        if length == 0 {
            return vec![Vec::new()];
        }
        let shorter = tuples(below, length - 1);
        let extended = shorter.iter().flat_map(|tuple| {
            let first = tuple.last().map_or(0, |last| last + 1);
            (first..below).map(move |index| {
                let mut tuple = tuple.clone();
                tuple.push(index);
                tuple
            })
        });
        extended.collect()
    }

    fn by_definition(s: &str, t: &str, length: usize, decay: f64) -> f64 {
        let (s, t) = (letters(s), letters(t));
        let stretch = |tuple: &[usize]| tuple[length - 1] - tuple[0] + 1;
        let mut sum = 0.0;
        for i in tuples(s.len(), length) {
            for j in tuples(t.len(), length) {
                if i.iter().zip(&j).all(|(&i, &j)| s[i] == t[j]) {
                    sum += decay.powf((stretch(&i) + stretch(&j)) as f64);
                }
            }
        }
        sum
    }

    #[test]
    fn values_are_the_definition() {
        let texts = ["", "a", "gatta", "gattaca", "tagacat", "aaaaaa", "xyz"];
        for length in 1..=4 {
            for decay in [0.3, 0.8, 1.0] {
                for s in texts {
                    for t in texts {
                        let found = Subsequence::new(length, decay).eval(&s, &t);
                        let expected = by_definition(s, t, length, decay);
                        let off = (found - expected).abs();
                        assert!(
                            off <= 1e-13 * expected,
                            "{s}, {t}, {length}, {decay}: {found}"
                        );
                    }
                }
            }
        }
    }
}
