//! Texts: formulas, faults, and the depth of nesting.

use super::{
    super::{Fault, ReadyKernels},
    rows,
};
use crate::{Error, Gaussian, Items, Kernel, Linear, ParameterError, Polynomial, Rows, SparseRows};
use ndarray::Array2;

/// A formula has the values of the kernel that is composed of types.
#[test]
fn formulas_are_the_typed_kernels() {
    let x = Rows::new(Array2::from_shape_fn((7, 3), |(i, j)| {
        (i * 3 + j) as f64 * 0.37 - 2.0
    }))
    .unwrap();
    let typed = (Gaussian::new(0.5) + Linear::new().scaled(0.1)) * Polynomial::new(2, 1.0, 1.0);
    let typed = typed + Gaussian::new(2.0).scaled(1e-3).scaled(4.0);
    let text = " (gaussian(gamma=0.5)+.1*linear ) * polynomial(degree = 2)\n + 4 * gaussian(gamma = 2)*1e-3 ";
    let named = rows().read(text).unwrap();
    assert_eq!(named.gram(&x), typed.gram(&x));
    assert_eq!(named.describe(), Kernel::<Rows<f64>>::describe(&typed));
    assert_eq!(named.name(), "sum");
    let origin = named.origin(&x);
    assert_eq!(origin.is_some(), typed.origin(&x).is_some());
}

#[test]
fn parameters_are_set_by_their_paths() {
    let mut kernel = rows().read("linear + 2 * gaussian(gamma = 1)").unwrap();
    let kept = kernel.clone();
    kernel
        .set_parameter("second.kernel.gamma", 3.into())
        .unwrap();
    assert_eq!(
        kernel.to_string(),
        "sum(linear, scaled(factor = 2, gaussian(gamma = 3)))"
    );
    assert_eq!(
        kept.to_string(),
        "sum(linear, scaled(factor = 2, gaussian(gamma = 1)))"
    );
    let error = kernel.set_parameter("second.kernel.gamma", "wide".into());
    assert!(matches!(error, Err(ParameterError::Kind { .. })));
}

/// A number in the place of a list is a list of one. The kernel takes that for one feature, and refuses it for two.
#[test]
fn a_number_is_a_list_of_one() {
    let text =
        |scales: &str| format!("length_scales(length_scales = {scales}, gaussian(gamma = 1))");
    let [one, two] = [1, 2].map(|features| {
        let values = Array2::from_shape_fn((3, features), |(i, j)| (i + 2 * j) as f64);
        Rows::new(values).unwrap()
    });
    for (number, list) in [("0.5", "[0.5]"), ("2", "[2]")] {
        let [kernel, of_list] = [number, list].map(|scales| rows().read(&text(scales)).unwrap());
        assert_eq!(kernel, of_list);
        assert_eq!(kernel.to_string(), text(list));
        assert_eq!(kernel.check(&one), Ok(()));
        let error = Error::FeatureCount {
            kernel: "LengthScales",
            expected: 1,
            found: 2,
        };
        assert_eq!(kernel.check(&two), Err(error));
    }
    for (scales, said) in [
        ("0", "is 0; it must be finite numbers above 0"),
        ("-1.5", "is -1.5; it must be finite numbers above 0"),
    ] {
        let error = rows().read(&text(scales)).unwrap_err();
        let said = format!("length_scales of length_scales {said}");
        assert_eq!(error.fault.to_string(), said);
    }
    // A weighted sum has one weight for each of its kernels.
    let weighted = rows().read("weighted_sum(weights = 1, linear, linear)");
    let error = ParameterError::Value {
        parameter: "weights".to_owned(),
        value: vec![1.0].into(),
        allowed: "as long as it was",
    };
    assert_eq!(weighted.unwrap_err().fault, Fault::Parameter(error));
}

/// Texts that describe no kernel, each with the place of its fault and the message.
const FAULTY: [(&str, Option<usize>, &str); 27] = [
    (
        "",
        Some(1),
        "found the end, where a kernel, a number or `(` is expected",
    ),
    (
        "linear +",
        Some(9),
        "found the end, where a kernel, a number or `(` is expected",
    ),
    (
        "linear linear",
        Some(8),
        "found `linear`, where `+`, `*` or the end is expected",
    ),
    (
        "(linear",
        Some(8),
        "found the end, where `+`, `*` or `)` is expected",
    ),
    (
        "2",
        Some(2),
        "found the end, where `*` and a kernel is expected",
    ),
    (
        "2 + linear",
        Some(3),
        "found `+`, where `*` and a kernel is expected",
    ),
    (
        "gausian(gamma = 1)",
        Some(1),
        "there is no kernel gausian; the nearest name is gaussian",
    ),
    (
        "linear + Gaussian(gamma = 1)",
        Some(10),
        "there is no kernel Gaussian; the nearest name is gaussian",
    ),
    (
        "gaussian(gama = 1)",
        Some(10),
        "gaussian has no parameter gama; the nearest name is gamma",
    ),
    (
        "gaussian(sigma = 1)",
        Some(10),
        "gaussian has no parameter sigma; there are gamma",
    ),
    (
        "linear(gamma = 1)",
        Some(8),
        "linear has no parameter gamma; there are none",
    ),
    (
        "linear * gaussian",
        Some(10),
        "gaussian needs a value for gamma",
    ),
    (
        "gaussian(gamma = 1, gamma = 2)",
        Some(21),
        "gamma of gaussian is given twice",
    ),
    (
        "gaussian(gamma = -1)",
        Some(10),
        "gamma of gaussian is -1; it must be finite and above 0",
    ),
    (
        "gaussian(gamma = \"wide\")",
        Some(10),
        "the parameter gamma takes a real number, not text",
    ),
    (
        "gaussian(gamma = true)",
        Some(10),
        "the parameter gamma takes a real number, not true or false",
    ),
    (
        "polynomial(degree = 2.5)",
        Some(12),
        "the parameter degree takes an integer, not a real number",
    ),
    (
        "polynomial(degree = 4294967296)",
        Some(12),
        "the parameter degree was set to 4294967296; it must be below 2³²",
    ),
    (
        "polynomial(degree = 0)",
        Some(12),
        "degree of polynomial is 0; it must be at least 1",
    ),
    (
        "matern(smoothness = 2, length_scale = 1)",
        Some(8),
        "smoothness of matern is 2; it must be one of 0.5, 1.5, 2.5",
    ),
    (
        "gaussian(gamma = )",
        Some(18),
        "found `)`, where a number, a list, a text in quotes, `true` or `false` is expected",
    ),
    (
        "gaussian(gamma = 1.2.3)",
        Some(18),
        "found `1`, where a number, a list, a text in quotes, `true` or `false` is expected",
    ),
    (
        "gower(ranges = [1, two])",
        Some(20),
        "found `two`, where a number is expected",
    ),
    (
        "gower(ranges = [1, 2",
        Some(21),
        "found the end, where `,` or `]` is expected",
    ),
    (
        "scaled(factor = 2)",
        Some(1),
        "scaled is made of one other kernel, not 0",
    ),
    (
        "linear(linear)",
        Some(1),
        "linear is made of no other kernel, not 1",
    ),
    (
        "sum(linear, \"text\")",
        Some(13),
        "found `\"`, where a kernel, a number or `(` is expected",
    ),
];

#[test]
fn faults_are_named_and_placed() {
    for (text, position, said) in FAULTY {
        let error = rows().read(text).unwrap_err();
        assert_eq!(
            (error.position, error.fault.to_string().as_str()),
            (position, said),
            "{text}"
        );
    }
    let words = Items::<String>::ready_kernels();
    for (text, position) in [
        ("mismatch(length = 2, mismatches = 1, alphabet = \"ab", 52),
        (
            "mismatch(length = 2, mismatches = 1, alphabet = \"\\x\")",
            51,
        ),
        (
            "mismatch(length = 2, mismatches = 1, alphabet = \"\\u{d800}\")",
            51,
        ),
        ("mismatch(length = 2, mismatches = 1, alphabet = \"\\u", 51),
    ] {
        assert_eq!(
            words.read(text).unwrap_err().position,
            Some(position),
            "{text}"
        );
    }
}

#[test]
fn texts_are_read_as_they_are_printed() {
    let words = Items::<String>::ready_kernels();
    for alphabet in ["ab\"\\\n\t\r\0'é", "\u{1f600}\u{7f}"] {
        let mut kernel = words
            .read("mismatch(length = 2, mismatches = 1, alphabet = \"\")")
            .unwrap();
        kernel.set_parameter("alphabet", alphabet.into()).unwrap();
        assert_eq!(words.read(&kernel.to_string()).unwrap(), kernel);
    }
}

/// Nesting of any depth is an error, and no overflow of the stack.
#[test]
fn nesting_has_an_end() {
    let deep = |text: String| matches!(rows().read(&text).unwrap_err().fault, Fault::Depth { .. });
    assert!(deep("(".repeat(1_000_000)));
    assert!(deep("normalized(".repeat(1_000_000)));
    assert!(deep("linear+".repeat(1_000_000) + "linear"));
    assert!(deep("linear*".repeat(1_000_000) + "linear"));
    assert!(deep("2*".repeat(1_000_000) + "linear"));
    let longest = "linear+".repeat(99) + "linear";
    assert!(rows().read(&longest).is_ok());
    // The text that this kernel would print is one level deeper.
    let sparse = SparseRows::<f64>::ready_kernels().read(&longest);
    let fault = Fault::Depth { most: 100 };
    assert_eq!(
        sparse.err().map(|error| (error.position, error.fault)),
        Some((Some(693), fault))
    );
}
