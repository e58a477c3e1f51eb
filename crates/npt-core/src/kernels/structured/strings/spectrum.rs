//! The spectrum kernel: substrings of one length that two strings share.

use super::letters;
use crate::{
    Error, Items, Kernel, error,
    kernels::structured::counts::{Counts, Dictionary, inner_products},
    watch::check,
};
use ndarray::{Array1, Array2};

/// The p-spectrum kernel: how many substrings of `length` letters two strings share.
///
/// # Definition
/// κ(s, t) = Σᵤ |s|ᵤ·|t|ᵤ over all strings u of p letters, with |s|ᵤ the number of places at which
/// u occurs in s. The value is 0 where one of the strings has fewer than p letters.
///
/// Long strings have large values; [`Normalized`](crate::Normalized) takes their length out.
///
/// # Parameters
/// `length` p ≥ 1.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `length`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Spectrum};
///
/// // an, na and an, na, an
/// assert_eq!(Spectrum::new(2).eval(&"banana", &"ana"), 2.0 * 1.0 + 2.0 * 1.0);
/// ```
///
/// # References
/// C. Leslie, E. Eskin, W. Noble, "The Spectrum Kernel: A String Kernel for SVM Protein
/// Classification", Pacific Symposium on Biocomputing 2002.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "spectrum")
)]
pub struct Spectrum {
    length: usize,
}

crate::composable!(Spectrum);

impl Spectrum {
    /// Counts substrings of `length` letters; the range is checked at fit.
    pub fn new(length: usize) -> Self {
        Self { length }
    }

    fn count<T: AsRef<str>>(self, text: &T, dictionary: &mut Dictionary<Vec<char>>) -> Counts {
        // Strings of 0 letters are never counted; `check` refuses a length of 0.
        let letters = letters(text);
        dictionary.count(letters.windows(self.length.max(1)).map(<[char]>::to_vec))
    }

    fn count_all<T: AsRef<str>>(
        self,
        texts: &Items<T>,
        dictionary: &mut Dictionary<Vec<char>>,
    ) -> Vec<Counts> {
        let of_text = |text| {
            check();
            self.count(text, dictionary)
        };
        texts.as_slice().iter().map(of_text).collect()
    }
}

impl<T: AsRef<str> + Clone + Send + Sync> Kernel<Items<T>> for Spectrum {
    type Scalar = f64;

    crate::parameters!("spectrum", length);

    fn eval(&self, a: &T, b: &T) -> f64 {
        let mut dictionary = Dictionary::new();
        let a = self.count(a, &mut dictionary);
        a.inner_product(&self.count(b, &mut dictionary))
    }

    /// Counts every string once.
    fn cross(&self, a: &Items<T>, b: &Items<T>) -> Array2<f64> {
        let mut dictionary = Dictionary::new();
        let a = self.count_all(a, &mut dictionary);
        inner_products(&a, &self.count_all(b, &mut dictionary))
    }

    fn gram(&self, x: &Items<T>) -> Array2<f64> {
        let counts = self.count_all(x, &mut Dictionary::new());
        inner_products(&counts, &counts)
    }

    fn diag(&self, x: &Items<T>) -> Array1<f64> {
        let counts = self.count_all(x, &mut Dictionary::new());
        counts.iter().map(|c| c.inner_product(c)).collect()
    }

    fn check(&self, _: &Items<T>) -> Result<(), Error> {
        error::at_least_one("Spectrum", "length", self.length)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
