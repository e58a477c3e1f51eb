//! Compares a method on two bases of one space, and finds the verdict.

use super::tasks::{Task, quadratic};
use linfa::{Dataset, dataset::Pr, prelude::SingleTargetRegression, traits::PredictInplace};
use ndarray::{Array1, Array2, Axis as Along};
use npt::{Axes, Exact, Kernelized, Linear, LinearMethod};

/// The relation of the kernel version to the coordinates that it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The kernel version does not depend on the basis: it is the kernel method of the textbook.
    Exact,
    /// The kernel version depends on the basis: it is the method on kernel principal components.
    Axes,
    /// The method makes no sense on coordinates.
    No,
}

impl Verdict {
    /// The verdict by the difference that another basis makes.
    ///
    /// # Panics
    /// Panics if the difference is neither at most `same` nor at least `other`.
    pub(crate) fn of(difference: f64, same: f64, other: f64) -> Self {
        if difference <= same {
            Self::Exact
        } else {
            assert!(difference >= other, "{difference} decides nothing");
            Self::Axes
        }
    }

    /// The verdict by predicted classes, where a sample or two may lie on the border itself.
    pub(crate) fn of_classes<L: PartialEq>(a: &Array1<L>, b: &Array1<L>) -> Self {
        Self::of(1.0 - share(a, b), 0.005, 0.01)
    }

    /// The verdict by values of one scale: 10⁻⁶ of the scale is rounding, a hundredth is not.
    pub(crate) fn of_values(a: &Array2<f64>, b: &Array2<f64>) -> Self {
        Self::of(relative_difference(a, b), 1e-6, 1e-2)
    }
}

/// The largest difference, relative to the largest value.
pub(crate) fn relative_difference(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    assert!(a.iter().chain(b).all(|v| v.is_finite()));
    let scale = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let difference = (a - b).iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    difference / scale
}

/// A measure that compares predictions of type P with each other and scores them by targets of type T.
pub(crate) struct Measure<P, T> {
    difference: fn(&Array1<P>, &Array1<P>) -> f64,
    same: f64,
    other: f64,
    score: fn(&Array1<P>, &Array1<T>) -> f64,
}

/// The measure of values: their score is R², their difference the largest one relative to the largest value.
pub(crate) const VALUES: Measure<f64, f64> = Measure {
    difference: value_difference,
    same: 1e-6,
    other: 1e-2,
    score: |p, t| p.r2(t).expect("one value a sample"),
};

/// The measure of values from an iteration that stops early: they are the same to a thousandth.
pub(crate) const ITERATED_VALUES: Measure<f64, f64> = Measure {
    same: 1e-3,
    ..VALUES
};

/// The measure of classes: their score is the share that agrees, their difference the share that differs.
pub(crate) const CLASSES: Measure<usize, usize> = labels();
pub(crate) const SIDES: Measure<bool, bool> = labels();

const fn labels<L: PartialEq>() -> Measure<L, L> {
    Measure {
        difference: |a, b| 1.0 - share(a, b),
        same: 0.005,
        other: 0.01,
        score: share,
    }
}

/// The measure of probabilities, in single precision: their score is the share on the right side of one half.
pub(crate) const PROBABILITIES: Measure<Pr, bool> = Measure {
    difference: |a, b| value_difference(&a.mapv(|p| f64::from(*p)), &b.mapv(|p| f64::from(*p))),
    same: 1e-3,
    other: 1e-2,
    score: |p, t| share(&p.mapv(|p| *p >= 0.5), t),
};

fn value_difference(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let column = |v: &Array1<f64>| v.clone().insert_axis(Along(1));
    relative_difference(&column(a), &column(b))
}

/// The share of entries that are equal.
pub(crate) fn share<L: PartialEq>(a: &Array1<L>, b: &Array1<L>) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / a.len() as f64
}

/// The two scores of a check: the linear method has at most the first, its kernel version at least the second.
pub(crate) struct Scores {
    pub(crate) linear: f64,
    pub(crate) kernelized: f64,
}

/// Finds the verdict in the quadratic space, and checks the scores on new samples. `method` makes a new one each time, as
/// not all of linfa's parameters can be cloned.
///
/// # Panics
/// Panics if a score is missed, if the method reads sample weights, or if an exact method differs from the linear one (on
/// centred samples) when the kernel is linear.
pub(crate) fn verdict<M, T, P, E>(
    method: impl Fn() -> M,
    task: &Task<T>,
    measure: &Measure<P, T>,
    scores: &Scores,
) -> Verdict
where
    M: LinearMethod<f64, Array1<T>, E>,
    M::Object: PredictInplace<Array2<f64>, Array1<P>>,
    E: std::error::Error + From<linfa::Error> + 'static,
    T: Clone + 'static,
{
    let Task { train, new, probe } = task;

    let linear = method().fit(train).expect("the linear method");
    let score = (measure.score)(&predict(&linear, new.records()), new.targets());
    assert!(score <= scores.linear, "the linear score is {score}");

    let [principal, cholesky] = [Axes::Principal, Axes::Cholesky].map(|axes| {
        let estimator = Kernelized::new(method(), quadratic(axes));
        let model = estimator.fit(train).expect("the kernelized method");
        let score = (measure.score)(&predict(&model, new.records()), new.targets());
        assert!(
            score >= scores.kernelized,
            "the score is {score} on {axes:?} axes"
        );
        predict(&model, probe)
    });
    let difference = (measure.difference)(&principal, &cholesky);
    let verdict = Verdict::of(difference, measure.same, measure.other);

    let uneven: Array1<f32> = (0_u8..4)
        .map(f32::from)
        .cycle()
        .take(train.records().nrows())
        .collect();
    let weighted = Dataset::new(train.records().clone(), train.targets().clone());
    let estimator = Kernelized::new(method(), quadratic(Axes::Principal));
    let model = estimator.fit(&weighted.with_weights(uneven));
    let difference = (measure.difference)(&predict(&model.expect("weights"), probe), &principal);
    assert!(
        difference <= measure.same,
        "it reads sample weights: {difference}"
    );

    if verdict == Verdict::Exact {
        let mean = train.records().mean_axis(Along(0)).expect("samples");
        let centered = Dataset::new(train.records() - &mean, train.targets().clone());
        let plain = predict(&method().fit(&centered).expect("centred"), &(probe - &mean));
        let estimator = Kernelized::new(method(), Exact::new(Linear::new()));
        let kernelized = predict(&estimator.fit(train).expect("a linear kernel"), probe);
        let difference = (measure.difference)(&kernelized, &plain);
        assert!(
            difference <= measure.same,
            "{difference} from the linear method"
        );
    }
    verdict
}

fn predict<P>(model: &impl PredictInplace<Array2<f64>, Array1<P>>, x: &Array2<f64>) -> Array1<P> {
    let mut predictions = model.default_target(x);
    model.predict_inplace(x, &mut predictions);
    predictions
}
