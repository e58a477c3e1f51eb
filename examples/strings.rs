//! Families of words, found by a kernel on strings.
//!
//! k-means needs means, and words have none. A string kernel gives them coordinates: here a word
//! becomes the counts of its letter triples, scaled to length 1, in a space of 26³ dimensions that
//! nobody writes down. linfa's k-means runs in this space as it runs on any matrix.
//!
//! The words are 72 derivatives of six Latin stems. They share prefixes and endings across the
//! families (`trans-port`, `trans-form`; `con-struct-ion`, `con-tract-ion`), which is what makes it
//! worth looking; the program is told the number of families and nothing else. It prints:
//!
//! ```text
//! form    form reform inform perform transform conform deform uniform formation formal …
//! ject    inject project reject object subject eject injection projection rejection …
//! port    port import export report support transport deport portable reporter supportive …
//! press   press compress depress impress express suppress oppress pressure impression …
//! struct  structure construct instruct destruct obstruct restructure construction …
//! tract   attract contract extract subtract distract tractor traction attraction …
//!
//! purity 1.00
//! performer: form, porter: port, pressing: press, destructive: struct, abject: ject
//! ```
//!
//! Words of three languages in place of the families, three times 30 nouns, come out at a purity of
//! about one half: single words share too few triples to show a language.

use linfa::DatasetBase;
use linfa_clustering::KMeans;
use npt::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;
use std::error::Error;

/// A stem, and words made from it.
const FAMILIES: [(&str, &str); 6] = [
    (
        "form",
        "form reform inform perform transform conform deform uniform formation formal reformer \
         information",
    ),
    (
        "port",
        "port import export report support transport deport portable reporter supportive importer \
         transportation",
    ),
    (
        "press",
        "press compress depress impress express suppress oppress pressure impression expression \
         depression compressor",
    ),
    (
        "struct",
        "structure construct instruct destruct obstruct restructure construction instruction \
         destruction obstruction instructor structural",
    ),
    (
        "ject",
        "inject project reject object subject eject injection projection rejection objection \
         projector subjective",
    ),
    (
        "tract",
        "attract contract extract subtract distract tractor traction attraction contraction \
         extraction distraction abstract",
    ),
];

/// The normalised p-spectrum kernel: the cosine between the counts of all substrings of p letters.
struct Spectrum {
    length: usize,
}

impl Spectrum {
    /// The inner product of the counts: the number of pairs of equal substrings.
    fn count(&self, a: &str, b: &str) -> f64 {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        let substrings = || b.windows(self.length);
        let matches = a
            .windows(self.length)
            .map(|p| substrings().filter(|&q| q == p).count());
        matches.sum::<usize>() as f64
    }
}

impl Kernel<Items<&'static str>> for Spectrum {
    type Scalar = f64;

    fn eval(&self, a: &&'static str, b: &&'static str) -> f64 {
        self.count(a, b) / (self.count(a, a) * self.count(b, b)).sqrt()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = FAMILIES
        .iter()
        .flat_map(|(_, words)| words.split(' '))
        .collect();
    let data = DatasetBase::from(Items::new(words.clone())?);

    let means = KMeans::params_with_rng(6, Xoshiro256Plus::seed_from_u64(1)).n_runs(100);
    let model = Kernelized::new(means, Exact::new(Spectrum { length: 3 })).fit(&data)?;
    let clusters = model.predict(&data);

    // Clusters are numbered in no order; each takes the name of its commonest family.
    let mut hits = 0;
    let (mut stems, mut lines) = (Vec::new(), Vec::new());
    for cluster in 0..6 {
        let members = words.iter().zip(&clusters).filter(|&(_, &c)| c == cluster);
        let members: Vec<_> = members.map(|(&word, _)| word).collect();
        let (stem, size) = commonest_family(&members);
        hits += size;
        stems.push(stem);
        lines.push(format!("{stem:<7} {}", members.join(" ")));
    }
    lines.sort();
    println!("{}", lines.join("\n"));
    println!("\npurity {:.2}", hits as f64 / words.len() as f64);

    let new = Items::new(vec![
        "performer",
        "porter",
        "pressing",
        "destructive",
        "abject",
    ])?;
    let families = model.predict(&new);
    let families = new.as_slice().iter().zip(&families);
    let families = families.map(|(word, &cluster)| format!("{word}: {}", stems[cluster]));
    println!("{}", families.collect::<Vec<_>>().join(", "));
    Ok(())
}

/// The family with most of these words, and how many it has.
fn commonest_family(members: &[&str]) -> (&'static str, usize) {
    let sizes = FAMILIES.map(|(stem, words)| {
        let shared = words.split(' ').filter(|word| members.contains(word));
        (stem, shared.count())
    });
    sizes
        .into_iter()
        .max_by_key(|&(_, size)| size)
        .unwrap_or_default()
}
