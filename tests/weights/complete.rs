//! Tests that no method is forgotten in the tests of weights.

/// The sources of the tests of weights.
const TESTS: &[&str] = &[
    include_str!("meaning.rs"),
    include_str!("refused.rs"),
    include_str!("mod.rs"),
];

/// The methods by name, whose weights `laws/by_name.rs` tests.
const BY_NAME: &str = include_str!("../../crates/npt-estimator/src/methods.rs");

/// The modules that export methods.
const EXPORTS: &[&str] = &[
    include_str!("../../crates/npt-methods/src/kernel_methods/mod.rs"),
    include_str!("../../crates/npt-methods/src/linear/mod.rs"),
    include_str!("../../crates/npt-methods/src/linear/support_vectors/mod.rs"),
    include_str!("../../crates/npt-methods/src/multiple_kernels/mod.rs"),
];

/// The exported types that are no methods: parts of models, kinds of parameters.
const OTHERS: &[&str] = &[
    "CcaView",
    "Classes",
    "Contrast",
    "ExpandedCcaView",
    "KernelizedCcaView",
    "LeaveOneOut",
    "NearestCentroid",
    "OptimizerRun",
    "OptimizerStep",
    "PairWeight",
    "Precision",
    "RidgePathPoint",
    "Scatter",
    "Sides",
    "Strategy",
    "SvcKind",
    "SvcLabel",
];

/// The method that takes two records and no dataset: there are no weights to be ignored.
const WITHOUT_DATASET: &str = "KernelCca";

#[test]
fn every_method_takes_weights_or_refuses_them_in_a_test() {
    let of_exports = |text: &'static str| text.split("\npub use ").skip(1);
    let names = EXPORTS
        .iter()
        .flat_map(|text| of_exports(text))
        .flat_map(|export| {
            let export = export.split(';').next().unwrap_or_default();
            export.split(|c: char| !c.is_alphanumeric() && c != '_')
        });
    let is_method = |name: &&str| {
        let is_part = ["Params", "Model"].iter().any(|end| name.ends_with(end));
        name.starts_with(char::is_uppercase) && !is_part && !OTHERS.contains(name)
    };
    let methods: Vec<&str> = names.filter(is_method).collect();
    assert!(methods.len() > 40, "{methods:?}");
    let is_tested = |name: &&&str| {
        let call = |kind: &str| {
            TESTS.iter().any(|text| {
                text.contains(&format!(" {name}{kind}")) || text.contains(&format!("({name}{kind}"))
            })
        };
        let is_by_name = [format!(", {name}("), format!("(Pair<{name}<")];
        **name == WITHOUT_DATASET
            || is_by_name.iter().any(|row| BY_NAME.contains(row))
            || [
                "::params",
                "::new",
                "::joint",
                "::independent",
                "::optimized",
            ]
            .iter()
            .any(|kind| call(kind))
    };
    let forgotten: Vec<&&str> = methods.iter().filter(|name| !is_tested(name)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}
