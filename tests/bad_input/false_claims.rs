//! A kernel that claims to be positive semidefinite and is not: the claim is not believed where values contradict it.

use super::AXES;
use linfa::DatasetBase;
use ndarray::{Array2, s};
use npt::{
    Error, Given, LandmarkSelection, Pivoting,
    methods::{self, Centroids, streaming::RandomPivots},
    prelude::*,
};
use npt_testkit::data;

/// The kernel tanh(½⟨a, b⟩ + 1) + ⟨a, b⟩², which has negative eigenvalues; the field is whether it claims to have none.
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

/// All samples show that the claim is false, in one block of pivots and in several.
#[test]
fn by_all_samples() {
    // The other linear algebra would take minutes for the eigenvalues of 1500 samples.
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
                // The answer is the same as without the claim.
                assert_eq!(found, fit(false));
                assert!(is_refused(found), "{n} {axes:?} {centered}");
            }
        }
    }
}

fn fit<L: LandmarkSelection<Rows<f64>>>(landmarks: L, x: &Array2<f64>) -> Result<usize, Error> {
    let space = Nystrom::new(Claim(true), landmarks).fit_space(x);
    space.map(|space| space.rank())
}

#[test]
fn by_landmarks() {
    let x: Array2<f64> = data::normal(300, 3, 1);
    assert!(is_refused(fit(Pivoting::greedy(100), &x)));
    assert!(is_refused(fit(Pivoting::random(100), &x)));
    assert!(is_refused(fit(Pivoting::uniform(100), &x)));
    assert!(is_refused(fit(Pivoting::by_leverage(100, 0.1), &x)));
    assert!(is_refused(fit(Centroids::new(100), &x)));
    let given = Rows::new(x.slice(s![..100, ..]).to_owned()).unwrap();
    assert!(is_refused(fit(Given(given), &x)));
    // These landmarks are not among the samples.
    let others = Rows::new(data::normal(100, 3, 2)).unwrap();
    assert!(is_refused(fit(Given(others), &x)));
}

/// Landmarks of blocks show that the claim is false, among the candidates of a pass.
#[test]
fn by_landmarks_of_blocks() {
    let x: Array2<f64> = data::normal(300, 3, 1);
    let blocks =
        [s![..140, ..], s![140.., ..]].map(|rows| DatasetBase::from(x.slice(rows).to_owned()));
    let chosen = RandomPivots::new(100).choose(&Claim(true), || {
        Ok::<_, methods::Error>(blocks.iter().cloned().map(Ok))
    });
    let error = match chosen.err() {
        Some(methods::Error::Core(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(is_refused(Err::<(), _>(error)));
}
