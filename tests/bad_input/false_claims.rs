//! A kernel that claims to be positive semidefinite and is not: where that shows, it is not believed.

use super::AXES;
use ndarray::Array2;
use npt::{Error, Pivoting, prelude::*};
use npt_testkit::data;

/// tanh(½⟨a, b⟩ + 1) + ⟨a, b⟩², which has negative eigenvalues; with the claim, or without.
struct Claim(bool);

impl Kernel<Rows<f64>> for Claim {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        (0.5 * product + 1.0).tanh() + product * product
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.0
    }
}

fn is_refused<T>(found: Result<T, Error>) -> bool {
    matches!(found.err(), Some(Error::Indefinite { ratio, .. }) if ratio < -1e-4)
}

/// In one block of pivots, and in several.
#[test]
fn by_all_samples() {
    // On the second linear algebra the eigenvalues that say so take minutes for as many.
    let many = if cfg!(feature = "faer") { 1500 } else { 600 };
    for n in [40, 300, many] {
        let x: Array2<f64> = data::normal(n, 3, 1);
        for axes in AXES {
            for centered in [true, false] {
                let fit = |claims| {
                    let space = Exact::new(Claim(claims)).axes(axes).centered(centered);
                    space.fit_space(&x).map(|space| space.rank())
                };
                let found = fit(true);
                // The same answer as without the claim.
                assert_eq!(found, fit(false));
                assert!(is_refused(found), "{n} {axes:?} {centered}");
            }
        }
    }
}

#[test]
fn by_landmarks() {
    let x: Array2<f64> = data::normal(300, 3, 1);
    let fit = |pivoting: Pivoting| Nystrom::new(Claim(true), pivoting).fit_space(&x);
    assert!(is_refused(fit(Pivoting::greedy(100))));
    assert!(is_refused(fit(Pivoting::random(100))));
    assert!(is_refused(fit(Pivoting::uniform(100))));
}
