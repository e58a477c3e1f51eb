use super::Error;
use npt_core::{ReadyKernels, Rows};

/// Returns the variant after `error`, or the first, with `n` for its counts. A new variant does not compile until it has its place here.
fn next(error: Option<&Error>, n: usize) -> Option<Error> {
    let kernel = "Mine".to_owned();
    Some(match error {
        None => Error::Kernel {
            kernel,
            format: "ONNX",
        },
        Some(Error::Kernel { .. }) => Error::KernelValue {
            kernel,
            found: 1e-17,
            expected: n as f64,
        },
        Some(Error::KernelValue { .. }) => Error::OneAgainstRest,
        Some(Error::OneAgainstRest) => Error::Functions {
            found: n,
            expected: 3,
        },
        Some(Error::Functions { .. }) => Error::ClassNames {
            found: n,
            expected: 3 - n,
        },
        Some(Error::ClassNames { .. }) => Error::NotFinite {
            what: "a coefficient",
            value: f64::NAN,
        },
        Some(Error::NotFinite { .. }) => Error::Label {
            label: "x".to_owned(),
            allowed: "a whole number",
        },
        Some(Error::Label { .. }) => Error::Text {
            line: n,
            found: ["", "x"][n - 1].to_owned(),
            expected: "SV",
        },
        Some(Error::Text { .. }) => Error::TooSparse {
            vectors: n,
            columns: 3 - n,
        },
        Some(Error::TooSparse { .. }) => Error::TooLarge { bytes: n << 31 },
        Some(Error::TooLarge { .. }) => {
            let text = ["linar", "linear + linar"][n - 1];
            Error::Description(Rows::<f64>::ready_kernels().read(text).unwrap_err())
        }
        Some(Error::Description(_)) => Error::Model(npt_core::Error::NoVariance { samples: n }),
        Some(Error::Model(_)) => return None,
    })
}

/// The text of each variant, for counts of 1 and of 2.
const TEXTS: &[[&str; 2]] = &[
    ["the kernel Mine has no form in ONNX"; 2],
    [
        "the kernel Mine is not what it describes: of two samples it is 1e-17, and should be 1",
        "the kernel Mine is not what it describes: of two samples it is 1e-17, and should be 2",
    ],
    ["LIBSVM has no machines of one class against the rest: fit one for each pair"; 2],
    [
        "a model with 1 function was given; it must have 3",
        "a model with 2 functions was given; it must have 3",
    ],
    [
        "1 name for 2 classes; each class needs one",
        "2 names for 1 class; each class needs one",
    ],
    ["a coefficient of the model is NaN; all must be finite"; 2],
    ["the label x is not a whole number"; 2],
    [
        "line 1 has nothing instead of SV",
        "line 2 has `x` instead of SV",
    ],
    [
        "1 vector of 2 columns would be mostly zeros as dense rows: read them as SparseRows",
        "2 vectors of 1 column would be mostly zeros as dense rows: read them as SparseRows",
    ],
    [
        "the model takes 2147483648 bytes; a file of ONNX holds less than 2³¹",
        "the model takes 4294967296 bytes; a file of ONNX holds less than 2³¹",
    ],
    [
        "character 1: there is no kernel linar; the nearest name is linear",
        "character 10: there is no kernel linar; the nearest name is linear",
    ],
    [
        "there is no variance among the 1 sample under this kernel",
        "there is no variance among the 2 samples under this kernel",
    ],
];

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
