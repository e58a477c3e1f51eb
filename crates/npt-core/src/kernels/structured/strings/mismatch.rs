//! The mismatch kernel: substrings of one length that two strings share, up to some wrong letters.

use super::letters;
use crate::{
    Error, Items, Kernel, ParameterError, ParameterType, ParameterValue, Samples, error,
    linalg::fill_values, watch::check,
};
use ndarray::{Array1, Array2};
use std::collections::BTreeMap;

/// The mismatch kernel: substrings of `length` letters that two strings share, up to `mismatches`
/// wrong letters in each.
///
/// # Definition
/// κ(s, t) = Σᵤ cₛ(u)·cₜ(u) over all strings u of k letters, with cₛ(u) the number of places at
/// which s has a substring that differs from u in at most m letters. The value is 0 where one of the
/// strings has fewer than k letters.
///
/// The strings u are not enumerated. The number of strings u that are within m letters of both of two substrings depends on
/// the number d of letters in which the two differ, and vanishes for d > 2m. The cost of a value is k times the product of
/// the numbers of different substrings.
///
/// # Parameters
/// `length` k ≥ 1; `mismatches` 0 ≤ m < k; `alphabet` the letters of all samples, each once.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length`, `mismatches` or `alphabet`. An alphabet without letters, or with a repeated
/// letter, is refused; the value in the error is the number of its letters. At fit and predict,
/// [`Error::SampleOutsideDomain`] for a sample with a letter that the alphabet does not have.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Mismatch};
///
/// let kernel = Mismatch::new(3, 1, "ACGT");
/// // Of the 64 strings, 10 are within one letter of AAA, 10 of AAC, and 4 of both: AA?.
/// assert_eq!(kernel.eval(&"AAA", &"AAA"), 10.0);
/// assert_eq!(kernel.eval(&"AAA", &"AAC"), 4.0);
/// ```
///
/// # References
/// C. Leslie, E. Eskin, A. Cohen, J. Weston, W. Noble, "Mismatch string kernels for discriminative
/// protein classification", Bioinformatics 20(4), 2004. doi:10.1093/bioinformatics/btg431
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "mismatch")
)]
pub struct Mismatch {
    length: usize,
    mismatches: usize,
    alphabet: Alphabet,
}

crate::composable!(Mismatch);

/// Letters in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct Alphabet(Vec<char>);

impl Alphabet {
    fn new(alphabet: &str) -> Self {
        let mut alphabet = letters(alphabet);
        alphabet.sort_unstable();
        Self(alphabet)
    }
}

impl ParameterType for Alphabet {
    fn value(&self) -> ParameterValue {
        ParameterValue::Text(self.0.iter().collect())
    }

    fn set(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let ParameterValue::Text(text) = value else {
            return Err(value.wrong_kind(name, "text"));
        };
        *self = Self::new(&text);
        Ok(())
    }
}

/// The different substrings of a string, with the number of occurrences of each.
type Substrings = BTreeMap<Vec<char>, f64>;

impl Mismatch {
    /// Counts substrings of `length` letters of the alphabet, up to `mismatches` wrong letters; the ranges
    /// are checked at fit.
    pub fn new(length: usize, mismatches: usize, alphabet: &str) -> Self {
        Self {
            length,
            mismatches,
            alphabet: Alphabet::new(alphabet),
        }
    }

    fn substrings<T: AsRef<str>>(&self, text: &T) -> Substrings {
        let mut counts = BTreeMap::new();
        for window in letters(text).windows(self.length.max(1)) {
            *counts.entry(window.to_vec()).or_insert(0.0) += 1.0;
        }
        counts
    }

    fn all_substrings<T: AsRef<str>>(&self, texts: &Items<T>) -> Vec<Substrings> {
        let of_text = |text| {
            check();
            self.substrings(text)
        };
        texts.as_slice().iter().map(of_text).collect()
    }

    /// The numbers of common neighbours, for d = 0, 1, …: of strings within `mismatches` letters of both of two substrings
    /// that differ in d letters. They are empty if `texts` have no substrings.
    ///
    /// At the d places where the two differ, such a string has i letters of the first, j letters of the second, and other
    /// letters elsewhere. At the places where they agree, e of its letters are wrong.
    fn common_neighbours(&self, texts: &[Substrings]) -> Vec<f64> {
        // Where no text has a substring, there is nothing to compare, however large `length` is.
        if texts.iter().all(BTreeMap::is_empty) {
            return Vec::new();
        }
        let (k, m, size) = (self.length, self.mismatches, self.alphabet.0.len() as f64);
        let power = |base: f64, exponent: usize| (0..exponent).fold(1.0, |p, _| p * base);
        (0..=k.min(2 * m))
            .map(|d| {
                let mut sum = 0.0;
                for i in d.saturating_sub(m)..=d {
                    for j in d.saturating_sub(m)..=d - i {
                        let ways = binomial(d, i) * binomial(d - i, j);
                        let elsewhere = power((size - 2.0).max(0.0), d - i - j);
                        let most = (m - (d - i).max(d - j)).min(k - d);
                        for e in 0..=most {
                            let wrong = binomial(k - d, e) * power(size - 1.0, e);
                            sum += ways * elsewhere * wrong;
                        }
                    }
                }
                sum
            })
            .collect()
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |value, i| value * (n - i) as f64 / (i + 1) as f64)
}

fn inner_product(a: &Substrings, b: &Substrings, common_neighbours: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (u, &u_count) in a {
        check();
        for (v, &v_count) in b {
            let different = u.iter().zip(v).filter(|(x, y)| x != y).count();
            if let Some(common) = common_neighbours.get(different) {
                sum += u_count * v_count * common;
            }
        }
    }
    sum
}

impl<T: AsRef<str> + Clone + Send + Sync> Kernel<Items<T>> for Mismatch {
    type Scalar = f64;

    crate::parameters!("mismatch", length, mismatches, alphabet);

    fn eval(&self, a: &T, b: &T) -> f64 {
        let both = [a, b].map(|text| self.substrings(text));
        inner_product(&both[0], &both[1], &self.common_neighbours(&both))
    }

    fn cross(&self, a: &Items<T>, b: &Items<T>) -> Array2<f64> {
        let (a, b) = (self.all_substrings(a), self.all_substrings(b));
        let common = self.common_neighbours(&a);
        let mut matrix = Array2::zeros((a.len(), b.len()));
        fill_values(&mut matrix, |i, row| {
            for (value, b) in row.iter_mut().zip(&b) {
                *value = inner_product(&a[i], b, &common);
            }
        });
        matrix
    }

    fn diag(&self, x: &Items<T>) -> Array1<f64> {
        let all = self.all_substrings(x);
        let common = self.common_neighbours(&all);
        all.iter().map(|s| inner_product(s, s, &common)).collect()
    }

    fn check(&self, x: &Items<T>) -> Result<(), Error> {
        error::at_least_one("Mismatch", "length", self.length)?;
        let refuse = |parameter, value: usize, allowed| {
            Err(Error::Parameter {
                of: "Mismatch",
                parameter,
                value: value as f64,
                allowed,
            })
        };
        if self.mismatches >= self.length {
            return refuse("mismatches", self.mismatches, "below length");
        }
        let alphabet = &self.alphabet.0;
        if alphabet.is_empty() || alphabet.windows(2).any(|pair| pair[0] == pair[1]) {
            let allowed = "letters, each once";
            return refuse("alphabet", alphabet.len(), allowed);
        }
        let known = |letter: char| alphabet.binary_search(&letter).is_ok();
        for row in 0..x.len() {
            if !x.get(row).as_ref().chars().all(known) {
                return Err(Error::SampleOutsideDomain {
                    row,
                    column: None,
                    kernel: "Mismatch",
                    needs: "letters of the alphabet",
                });
            }
        }
        Ok(())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Alphabet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Alphabet(Vec<char>);
        let Alphabet(letters) = serde::Deserialize::deserialize(deserializer)?;
        if letters.is_sorted() {
            return Ok(Self(letters));
        }
        Err(serde::de::Error::custom(
            "the letters of an alphabet are not in ascending order",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All strings of `length` letters.
    fn all(alphabet: &str, length: usize) -> Vec<Vec<char>> {
        (0..length).fold(vec![Vec::new()], |shorter, _| {
            let longer = shorter.iter().flat_map(|s| {
                alphabet.chars().map(move |letter| {
                    let mut s = s.clone();
                    s.push(letter);
                    s
                })
            });
            longer.collect()
        })
    }

    /// The kernel value by the definition: counts over all strings.
    fn by_definition(s: &str, t: &str, length: usize, mismatches: usize, alphabet: &str) -> f64 {
        let count = |text: &str, u: &[char]| {
            let near = |window: &&[char]| {
                window.iter().zip(u).filter(|(a, b)| a != b).count() <= mismatches
            };
            letters(text).windows(length).filter(near).count() as f64
        };
        let features = all(alphabet, length);
        features.iter().map(|u| count(s, u) * count(t, u)).sum()
    }

    #[test]
    fn values_are_the_definition() {
        for alphabet in ["A", "AB", "ABC", "ABCD"] {
            let texts = ["", "A", "ABBA", "AABBCDDCABAAB", "DDDDDD", "CABDCABBAD"];
            let usable = |text: &&str| text.chars().all(|letter| alphabet.contains(letter));
            let texts: Vec<&str> = texts.into_iter().filter(usable).collect();
            for (length, mismatches) in [(1, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 2)] {
                let kernel = Mismatch::new(length, mismatches, alphabet);
                for s in &texts {
                    for t in &texts {
                        let expected = by_definition(s, t, length, mismatches, alphabet);
                        assert_eq!(kernel.eval(s, t), expected, "{s}, {t}: {kernel:?}");
                    }
                }
            }
        }
    }
}
