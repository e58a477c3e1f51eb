//! Kernels of strings, sets and graphs.

use super::{
    super::{Catalogue, Entry, Range},
    ReadyKernels,
    composed::with_composed,
};
use crate::{Items, Jaccard, Mismatch, Spectrum, Subsequence, WeisfeilerLehman};
use petgraph::{Graph, Undirected};
use std::collections::{BTreeSet, HashSet};

impl ReadyKernels<f64> for Items<String> {
    fn ready_kernels() -> Catalogue<Self, f64> {
        const LENGTH: &str = "how many characters";
        let spectrum = Entry::new(
            "spectrum",
            "the inner product of counts of substrings",
            || Spectrum::new(1),
        )
        .parameter("length", LENGTH, Range::AtLeast(1), None);
        let mismatch = Entry::new(
            "mismatch",
            "the inner product of counts of substrings with some wrong characters",
            || Mismatch::new(1, 0, ""),
        )
        .parameter("length", LENGTH, Range::AtLeast(1), None)
        .parameter(
            "mismatches",
            "how many may be wrong",
            Range::AtLeast(0),
            None,
        )
        .parameter("alphabet", "all characters", Range::Text, None);
        let subsequence = Entry::new(
            "subsequence",
            "the inner product of weights of subsequences, which gaps lower",
            || Subsequence::new(1, 1.0),
        )
        .parameter("length", LENGTH, Range::AtLeast(1), None)
        .parameter(
            "decay",
            "the weight of a character, or gap",
            Range::Share,
            None,
        );
        let catalogue = Catalogue::new().with(spectrum);
        with_composed(catalogue.with(mismatch).with(subsequence))
    }
}

macro_rules! sets {
    ($($set:ty),+) => {
        $(impl ReadyKernels<f64> for Items<$set> {
            fn ready_kernels() -> Catalogue<Self, f64> {
                let jaccard = Entry::new("jaccard", "|a ∩ b| / |a ∪ b|", Jaccard::new);
                with_composed(Catalogue::new().with(jaccard))
            }
        })+
    };
}

sets!(
    BTreeSet<String>,
    HashSet<String>,
    BTreeSet<u64>,
    HashSet<u64>
);

impl ReadyKernels<f64> for Items<Graph<String, String, Undirected>> {
    fn ready_kernels() -> Catalogue<Self, f64> {
        let weisfeiler_lehman = Entry::new(
            "weisfeiler_lehman",
            "the inner product of counts of refined labels",
            || WeisfeilerLehman::new(0),
        )
        .parameter(
            "iterations",
            "how often labels are refined",
            Range::AtLeast(0),
            None,
        );
        with_composed(Catalogue::new().with(weisfeiler_lehman))
    }
}
