use super::Error;

/// The variant after `error`, or the first one for `None`, with `n` for its counts. A new variant does not compile until it
/// has its place here.
#[expect(clippy::too_many_lines, reason = "one arm a variant")]
fn next(error: Option<&Error>, n: usize) -> Option<Error> {
    let samples = 3 - n;
    let value = -2.5e-17;
    Some(match error {
        None => Error::NoSamples,
        Some(Error::NoSamples) => Error::NoFeatures { samples: n },
        Some(Error::NoFeatures { .. }) => Error::SampleNotFinite {
            row: 0,
            column: n,
            value: f64::NEG_INFINITY,
        },
        Some(Error::SampleNotFinite { .. }) => Error::FeatureNames {
            expected: vec!["p".to_owned(), "q".to_owned()],
            found: vec!["q".to_owned(), "p".to_owned()],
        },
        Some(Error::FeatureNames { .. }) => Error::SampleKind {
            expected: "texts",
            found: "graphs",
        },
        Some(Error::SampleKind { .. }) => Error::ColumnCount {
            expected: 3,
            found: n,
        },
        Some(Error::ColumnCount { .. }) => Error::TargetCount {
            samples,
            targets: n,
        },
        Some(Error::TargetCount { .. }) => Error::WeightCount {
            samples,
            weights: n,
        },
        Some(Error::WeightCount { .. }) => Error::TargetNotFinite {
            row: 0,
            column: n,
            value: f64::NAN,
        },
        Some(Error::TargetNotFinite { .. }) => Error::Weight {
            row: n,
            value: -1.0,
        },
        Some(Error::Weight { .. }) => Error::NoWeight { samples: n },
        Some(Error::NoWeight { .. }) => Error::OutputRows { samples, rows: n },
        Some(Error::OutputRows { .. }) => Error::KernelCount {
            kernels: 3 - n,
            weights: n,
        },
        Some(Error::KernelCount { .. }) => Error::CoefficientCount {
            expected: n,
            found: 3,
        },
        Some(Error::CoefficientCount { .. }) => Error::Parameter {
            of: "Gaussian",
            parameter: "gamma",
            value: -1e300,
            allowed: "finite and above 0",
        },
        Some(Error::Parameter { .. }) => Error::NotSquare {
            rows: n,
            columns: 3 - n,
        },
        Some(Error::NotSquare { .. }) => Error::Asymmetric {
            row: 0,
            column: n,
            value: 0.1,
            mirrored: value,
        },
        Some(Error::Asymmetric { .. }) => Error::SelfValueCount {
            samples: 3 - n,
            values: n,
        },
        Some(Error::SelfValueCount { .. }) => Error::SampleOutsideDomain {
            row: 0,
            column: Some(n),
            kernel: "ChiSquared",
            needs: "values from 0 up",
        },
        Some(Error::SampleOutsideDomain { .. }) => Error::FeatureCount {
            kernel: "LengthScales",
            expected: n,
            found: 3,
        },
        Some(Error::FeatureCount { .. }) => Error::CommonZeros {
            kernel: "periodic".into(),
        },
        Some(Error::CommonZeros { .. }) => Error::UnsuitableKernel {
            of: "RandomFourier",
            kernel: "linear".into(),
            needs: "a spectral measure",
        },
        Some(Error::UnsuitableKernel { .. }) => Error::ColumnRange {
            start: 3,
            end: 3,
            columns: n,
        },
        Some(Error::ColumnRange { .. }) => Error::KernelNotFinite {
            row: 0,
            column: n,
            value: f64::NAN,
        },
        Some(Error::KernelNotFinite { .. }) => Error::Overflow {
            of: "the values",
            row: n,
        },
        Some(Error::Overflow { .. }) => Error::TraceOverflow { samples: n },
        Some(Error::TraceOverflow { .. }) => Error::Indefinite {
            eigenvalue: value,
            ratio: -0.5,
        },
        Some(Error::Indefinite { .. }) => Error::NoVariance { samples: n },
        Some(Error::NoVariance { .. }) => Error::Cancellation {
            rounding: 0.25,
            allowed: 1e-3,
        },
        Some(Error::Cancellation { .. }) => Error::Rank {
            requested: n,
            available: n - 1,
        },
        Some(Error::Rank { .. }) => Error::Landmarks {
            requested: 20,
            available: 7,
        },
        Some(Error::Landmarks { .. }) => Error::NotPositiveDefinite { pivot: n, value },
        Some(Error::NotPositiveDefinite { .. }) => Error::Memory {
            what: "the kernel matrix",
            rows: n,
            columns: 3,
            needed: 24 * n as u64,
            allowed: 3_200_000_000,
        },
        Some(Error::Memory { .. }) => Error::Eigensolver { size: n },
        Some(Error::Eigensolver { .. }) => return None,
    })
}

/// The texts of each variant, with 1 for its counts and with 2.
const TEXTS: &[[&str; 2]] = &[
    ["there are no samples"; 2],
    [
        "there are no features in the 1 sample",
        "there are no features in the 2 samples",
    ],
    [
        "sample 0 has the value -inf in column 1; all must be finite",
        "sample 0 has the value -inf in column 2; all must be finite",
    ],
    ["the features are q, p; the model takes p, q, in this order: `select` the columns of a table by its `feature_names`";
        2],
    ["the new samples are graphs; the training samples were texts"; 2],
    [
        "the new samples have 1 column; the training samples had 3",
        "the new samples have 2 columns; the training samples had 3",
    ],
    [
        "1 target for 2 samples; each sample takes one",
        "2 targets for 1 sample; each sample takes one",
    ],
    [
        "1 weight for 2 samples; each sample takes one",
        "2 weights for 1 sample; each sample takes one",
    ],
    [
        "target 0 has the value NaN in column 1; all must be finite",
        "target 0 has the value NaN in column 2; all must be finite",
    ],
    [
        "the weight of sample 1 is -1; weights are finite and not negative",
        "the weight of sample 2 is -1; weights are finite and not negative",
    ],
    [
        "the weights of 1 sample are all 0; at least one must be above 0",
        "the weights of 2 samples are all 0; at least one must be above 0",
    ],
    [
        "the transformer made 1 row of 2 samples; it must make one row of each sample",
        "the transformer made 2 rows of 1 sample; it must make one row of each sample",
    ],
    [
        "1 weight for 2 kernels; each kernel takes one",
        "2 weights for 1 kernel; each kernel takes one",
    ],
    [
        "a direction needs 1 coefficient here, not 3",
        "a direction needs 2 coefficients here, not 3",
    ],
    ["gamma of Gaussian is -1e300; it must be finite and above 0"; 2],
    [
        "the kernel matrix has 1 row and 2 columns; it must be square",
        "the kernel matrix has 2 rows and 1 column; it must be square",
    ],
    [
        "the kernel of samples 0 and 1 is 0.1, and that of 1 and 0 is -2.5e-17: a kernel must be symmetric",
        "the kernel of samples 0 and 2 is 0.1, and that of 2 and 0 is -2.5e-17: a kernel must be symmetric",
    ],
    [
        "1 value κ(x, x) for 2 samples; each sample takes one",
        "2 values κ(x, x) for 1 sample; each sample takes one",
    ],
    [
        "sample 0 (column 1) is outside the domain of ChiSquared, which needs values from 0 up",
        "sample 0 (column 2) is outside the domain of ChiSquared, which needs values from 0 up",
    ],
    [
        "LengthScales was made for 1 feature; the samples have 3",
        "LengthScales was made for 2 features; the samples have 3",
    ],
    ["periodic depends on columns that are 0 in both vectors, which Sparse leaves out: take dense rows or another kernel";
        2],
    ["RandomFourier does not take the kernel linear; it needs a spectral measure"; 2],
    [
        "the range of columns 3..3 is empty, or ends beyond the 1 column of the samples",
        "the range of columns 3..3 is empty, or ends beyond the 2 columns of the samples",
    ],
    [
        "the kernel of samples 0 and 1 is NaN; it must be finite",
        "the kernel of samples 0 and 2 is NaN; it must be finite",
    ],
    [
        "the values of sample 1 are too large for their type: scale the features, or compute in f64",
        "the values of sample 2 are too large for their type: scale the features, or compute in f64",
    ],
    [
        "the kernel of a sample with itself, summed over 1 sample, is infinite",
        "the kernel of a sample with itself, summed over 2 samples, is infinite",
    ],
    ["the kernel matrix has the negative eigenvalue -2.5e-17, -0.5 times the largest in \
  magnitude: the kernel is not positive semidefinite"; 2],
    [
        "there is no variance among the 1 sample under this kernel",
        "there is no variance among the 2 samples under this kernel",
    ],
    ["centring leaves so little of the kernel values that a share of 0.25 is rounding, where 0.001 is allowed: subtract \
  the means of the features, or compute in f64"; 2],
    [
        "asked for 1 component, but the samples span only 0",
        "asked for 2 components, but the samples span only 1",
    ],
    ["asked for 20 landmarks, but the samples span only 7"; 2],
    [
        "a matrix must be positive definite, but its pivot 1 is -2.5e-17",
        "a matrix must be positive definite, but its pivot 2 is -2.5e-17",
    ],
    [
        "the kernel matrix, 1 × 3 numbers, would take 24.0 B where 3.2 GB are allowed; f32 \
     takes half, a space of 1000 landmarks (Nystrom) with a method in it 24.0 kB",
        "the kernel matrix, 2 × 3 numbers, would take 48.0 B where 3.2 GB are allowed; f32 \
     takes half, a space of 1000 landmarks (Nystrom) with a method in it 48.0 kB",
    ],
    [
        "the eigendecomposition of a 1×1 matrix did not converge",
        "the eigendecomposition of a 2×2 matrix did not converge",
    ],
];

/// Every variant has its message, with counts of 1 and of 2.
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
