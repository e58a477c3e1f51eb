use super::{Error, View};
use crate::linear::Strategy;

/// Returns the variant after `error`, with `n` for its counts, or the first variant. A new variant does not compile
/// until it has its place here.
#[allow(clippy::too_many_lines, reason = "an arm each variant")]
fn next(error: Option<&Error>, n: usize) -> Option<Error> {
    let value = 1e-17;
    Some(match error {
        None => Error::Core(npt_core::Error::NoVariance { samples: n }),
        Some(Error::Core(_)) => Error::View {
            view: View::Second,
            error: npt_core::Error::NoVariance { samples: n },
        },
        Some(Error::View { .. }) => Error::Block {
            row: n,
            error: Box::new(Error::TargetColumns {
                expected: 3,
                found: n,
            }),
        },
        Some(Error::Block { .. }) => Error::Parameter {
            of: "Svc",
            parameter: "c",
            value: -1e300,
            allowed: "finite and above 0",
        },
        Some(Error::Parameter { .. }) => Error::UnknownParameter {
            parameter: "sigma".to_owned(),
            known: vec!["gamma".to_owned(), "noise".to_owned()],
        },
        Some(Error::UnknownParameter { .. }) => Error::Bounds {
            parameter: "gamma".to_owned(),
            low: 2.0,
            high: value,
            start: 0.0,
        },
        Some(Error::Bounds { .. }) => Error::SetParameter(npt_core::ParameterError::Shared {
            parameter: "gamma".to_owned(),
        }),
        Some(Error::SetParameter(_)) => Error::Components {
            requested: n,
            available: n - 1,
        },
        Some(Error::Components { .. }) => Error::Classes { found: n },
        Some(Error::Classes { .. }) => Error::TargetColumns {
            expected: 3,
            found: n,
        },
        Some(Error::TargetColumns { .. }) => Error::ClassScatters,
        Some(Error::ClassScatters) => Error::OtherPass { first: n, later: 3 },
        Some(Error::OtherPass { .. }) => Error::LaterClass { row: n },
        Some(Error::LaterClass { .. }) => Error::Weights { of: "Moments" },
        Some(Error::Weights { .. }) => Error::NoTargets,
        Some(Error::NoTargets) => Error::NoValues { column: n },
        Some(Error::NoValues { .. }) => Error::NoContrast { threshold: value },
        Some(Error::NoContrast { .. }) => Error::TooFewSamples {
            found: n - 1,
            needed: n,
        },
        Some(Error::TooFewSamples { .. }) => Error::Singular {
            of: "Lda",
            parameter: "ridge",
            value: 0.0,
            least: value,
        },
        Some(Error::Singular { .. }) => Error::LeaveOneOut {
            row: n,
            parameter: "noise",
            value,
        },
        Some(Error::LeaveOneOut { .. }) => Error::Overflow { of: "Svr" },
        Some(Error::Overflow { .. }) => Error::ClassMembers {
            members: n,
            folds: 3,
        },
        Some(Error::ClassMembers { .. }) => Error::InfeasibleNu {
            nu: 0.1,
            largest: value,
        },
        Some(Error::InfeasibleNu { .. }) => Error::NoMargin { method: "NuSvc" },
        Some(Error::NoMargin { .. }) => Error::NoKernels,
        Some(Error::NoKernels) => Error::NotAligned { kernels: n },
        Some(Error::NotAligned { .. }) => Error::Folds {
            folds: n,
            samples: 2 - n,
        },
        Some(Error::Folds { .. }) => Error::FoldsOfOthers {
            expected: 3,
            found: n,
        },
        Some(Error::FoldsOfOthers { .. }) => Error::NoCandidates,
        Some(Error::NoCandidates) => Error::Unpaired {
            spaces: n,
            methods: 3,
        },
        Some(Error::Unpaired { .. }) => Error::ScoreNames {
            names: n,
            scores: 3,
        },
        Some(Error::ScoreNames { .. }) => Error::Transformer {
            fold: n,
            message: "not enough samples".to_owned(),
        },
        Some(Error::Transformer { .. }) => Error::NoScore,
        Some(Error::NoScore) => Error::NotConverged {
            method: "FastIca",
            measure: "the change of a step",
            value,
        },
        Some(Error::NotConverged { .. }) => Error::Clusters {
            requested: n + 1,
            distinct: n,
        },
        Some(Error::Clusters { .. }) => Error::NoPreImage {
            point: n,
            iterate: vec![0.0],
            residual: value,
        },
        Some(Error::NoPreImage { .. }) => Error::ManyClasses {
            strategy: Strategy::OneAgainstOne,
            classes: n,
            machines: n,
            needed: 2000,
            allowed: 1000,
            instead: "put rare classes together",
        },
        Some(Error::ManyClasses { .. }) => Error::Separable {
            method: "Logistic",
            parameter: "penalty",
        },
        Some(Error::Separable { .. }) => Error::LostInRounding {
            method: "Svr",
            rounding: 8.0,
            target: value,
        },
        Some(Error::LostInRounding { .. }) => Error::Linfa("what linfa says".into()),
        Some(Error::Linfa(_)) => return None,
    })
}

/// The texts of each variant, with counts of 1 and of 2.
const TEXTS: &[[&str; 2]] = &[
    [
        "there is no variance among the 1 sample under this kernel",
        "there is no variance among the 2 samples under this kernel",
    ],
    [
        "in the second view: there is no variance among the 1 sample under this kernel",
        "in the second view: there is no variance among the 2 samples under this kernel",
    ],
    [
        "in the block from row 1 on: the targets have 1 column; those of the blocks before had 3",
        "in the block from row 2 on: the targets have 2 columns; those of the blocks before had 3",
    ],
    ["c of Svc is -1e300; it must be finite and above 0"; 2],
    ["there is no parameter sigma to optimise; there are gamma, noise"; 2],
    ["gamma starts at 0 with the bounds 2 and 1e-17; it takes 0 < low < high, and a start between them";
        2],
    ["the parameter gamma cannot be set: its kernel is shared"; 2],
    [
        "asked for 1 component; there can be 0 at most",
        "asked for 2 components; there can be 1 at most",
    ],
    [
        "the targets hold 1 class; it takes at least 2",
        "the targets hold 2 classes; it takes at least 2",
    ],
    [
        "the targets have 1 column; those of the blocks before had 3",
        "the targets have 2 columns; those of the blocks before had 3",
    ],
    ["only one of the two sums has the scatter within each class: begin both by `with_class_scatters`";
        2],
    [
        "the first pass had 1 sample; a later one has 3",
        "the first pass had 2 samples; a later one has 3",
    ],
    [
        "sample 1 has a class that the first pass did not have",
        "sample 2 has a class that the first pass did not have",
    ],
    ["Moments do not take sample weights"; 2],
    ["the targets have no columns"; 2],
    ["column 1 has no values", "column 2 has no values"],
    ["no two targets differ by more than 1e-17"; 2],
    [
        "it takes at least 1 sample, not 0",
        "it takes at least 2 samples, not 1",
    ],
    ["with ridge 0 the equations of Lda are singular; it takes above 1e-17"; 2],
    [
        "with noise 1e-17, nothing but sample 1 itself determines its prediction",
        "with noise 1e-17, nothing but sample 2 itself determines its prediction",
    ],
    ["Svr is beyond the range of its type: records, targets or weights are too large or too small";
        2],
    [
        "a class of 1 member cannot be divided into 3 folds",
        "a class of 2 members cannot be divided into 3 folds",
    ],
    ["nu is 0.1; with these classes it can be at most 1e-17"; 2],
    ["NuSvc has no margin: no plane separates the classes, or the samples from the origin"; 2],
    ["there are no kernels to combine"; 2],
    [
        "no kernel of the 1 given is aligned with the targets",
        "no kernel of the 2 given is aligned with the targets",
    ],
    [
        "asked for 1 fold of 1 sample; there can be 2 to as many as samples",
        "asked for 2 folds of 0 samples; there can be 2 to as many as samples",
    ],
    [
        "the folds are of 1 sample, the dataset has 3",
        "the folds are of 2 samples, the dataset has 3",
    ],
    ["there are no candidates: a search needs at least one space and one method"; 2],
    [
        "1 space cannot be paired with 3 methods",
        "2 spaces cannot be paired with 3 methods",
    ],
    [
        "1 name cannot be the titles of 3 scores",
        "2 names cannot be the titles of 3 scores",
    ],
    [
        "the transformer failed on the training samples of fold 1: not enough samples",
        "the transformer failed on the training samples of fold 2: not enough samples",
    ],
    ["the score of every candidate is NaN"; 2],
    ["FastIca did not converge: the change of a step is 1e-17 after the last iteration"; 2],
    [
        "asked for 2 clusters of 1 distinct sample",
        "asked for 3 clusters of 2 distinct samples",
    ],
    [
        "no pre-image of point 1 was found; the last try has the squared distance 1e-17",
        "no pre-image of point 2 was found; the last try has the squared distance 1e-17",
    ],
    [
        "one against one makes 1 machine of 1 class: their coefficients would take 2.0 kB where 1.0 kB are allowed; put rare classes together",
        "one against one makes 2 machines of 2 classes: their coefficients would take 2.0 kB where 1.0 kB are allowed; put rare classes together",
    ],
    ["Logistic without a penalty has no minimum, as a plane separates the classes of the samples; it takes a penalty above 0";
        2],
    ["rounding moves the values of Svr by 8, where they should be near 1e-17: take lower penalties or sample weights, or scale the records";
        2],
    ["what linfa says"; 2],
];

/// Every variant prints its text, with counts of 1 and of 2.
#[test]
fn every_message() {
    for n in [1, 2] {
        let mut error = next(None, n);
        for texts in TEXTS {
            let found = error.expect("as many variants as texts");
            assert_eq!(found.to_string(), texts[n - 1]);
            error = next(Some(&found), n);
        }
        assert_eq!(error, None);
    }
}
