use ndarray::Array2;
use npt::{Error, Mismatch, Spectrum, Subsequence, prelude::*};
use npt_testkit::laws;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// Random strings over an alphabet, of 0 to 11 letters, some of them twice.
fn texts(count: usize, alphabet: &str, seed: u64) -> Items<String> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let letters: Vec<char> = alphabet.chars().collect();
    let mut texts: Vec<String> = (0..count)
        .map(|_| {
            let length = rng.gen_range(0..12);
            let letter = |_| letters[rng.gen_range(0..letters.len())];
            (0..length).map(letter).collect()
        })
        .collect();
    texts.push(texts[0].clone());
    Items::new(texts).unwrap()
}

#[test]
fn laws_hold() {
    for seed in 0..3 {
        let (x, x_new) = (texts(20, "ACGT", seed), texts(6, "ACGT", seed + 100));
        for length in 1..4 {
            laws::check_all(&Spectrum::new(length), &x, &x_new);
            laws::check_all(&Subsequence::new(length, 0.7), &x, &x_new);
        }
        laws::check_all(&Mismatch::new(3, 1, "ACGT"), &x, &x_new);
        laws::check_all(&Mismatch::new(4, 2, "TGCA"), &x, &x_new);
    }
}

/// The spectrum kernel counts equal substrings, found here by comparing each substring of one string with each of the other.
#[test]
fn spectrum_counts_substrings() {
    let x = texts(15, "äb∞", 7);
    for length in 1..5 {
        let expected = Array2::from_shape_fn((16, 16), |(i, j)| {
            let [a, b] = [i, j].map(|i| x.get(i).chars().collect::<Vec<_>>());
            let pairs = a
                .windows(length)
                .flat_map(|u| b.windows(length).map(move |v| (u, v)));
            pairs.filter(|(u, v)| u == v).count() as f64
        });
        assert_eq!(Spectrum::new(length).gram(&x), expected);
    }
}

#[test]
fn without_mismatches_the_mismatch_kernel_is_the_spectrum_kernel() {
    let x = texts(20, "abcd", 3);
    let expected = Spectrum::new(3).gram(&x);
    assert_eq!(Mismatch::new(3, 0, "abcd").gram(&x), expected);
}

/// A string that is too short for a substring has no features: κ is 0 with all strings.
#[test]
fn short_strings_are_the_origin() {
    let x = Items::new(vec!["", "ab", "abc", "abcabc"]).unwrap();
    let kernels: [&dyn Kernel<Items<&str>, Scalar = f64>; 3] = [
        &Spectrum::new(3),
        &Subsequence::new(3, 0.5),
        &Mismatch::new(3, 1, "abc"),
    ];
    for kernel in kernels {
        let gram = kernel.gram(&x);
        assert!(gram.row(0).iter().chain(gram.row(1)).all(|&v| v == 0.0));
        assert!(gram[[2, 3]] > 0.0);
        assert_eq!(Exact::new(kernel).fit_space(&x).unwrap().rank(), 2);
    }
}

#[test]
fn only_short_strings_have_no_variance() {
    let x = Items::new(vec!["a", "b", "ab"]).unwrap();
    let error = Exact::new(Spectrum::new(3)).fit_space(&x).unwrap_err();
    assert_eq!(error, Error::NoVariance { samples: 3 });
}

#[test]
fn letters_outside_the_alphabet_are_named_at_fit_and_predict() {
    let kernel = Mismatch::new(2, 1, "ACGT");
    let outside = |row| Error::SampleOutsideDomain {
        row,
        column: None,
        kernel: "Mismatch",
        needs: "letters of the alphabet",
    };
    let wrong = Items::new(vec!["ACG", "ACN", "nnn"]).unwrap();
    let error = Exact::new(kernel.clone()).fit_space(&wrong).unwrap_err();
    assert_eq!(error, outside(1));
    let right = Items::new(vec!["ACG", "TTT"]).unwrap();
    let space = Exact::new(kernel).fit_space(&right).unwrap();
    assert_eq!(space.coordinates(&wrong).unwrap_err(), outside(1));
}

#[test]
fn parameters_out_of_range() {
    let x = Items::new(vec!["ACG", "CCA"]).unwrap();
    let refused = |kernel: &dyn Kernel<Items<&str>, Scalar = f64>| {
        let error = Exact::new(kernel).fit_space(&x).err().unwrap();
        let Error::Parameter {
            of,
            parameter,
            value,
            ..
        } = error
        else {
            panic!("{error}");
        };
        (of, parameter, value)
    };
    assert_eq!(refused(&Spectrum::new(0)), ("Spectrum", "length", 0.0));
    let found = refused(&Subsequence::new(0, 0.5));
    assert_eq!(found, ("Subsequence", "length", 0.0));
    for decay in [0.0, -0.5, 1.5, f64::INFINITY] {
        let found = refused(&Subsequence::new(2, decay));
        assert_eq!(found, ("Subsequence", "decay", decay));
    }
    assert!(refused(&Subsequence::new(2, f64::NAN)).2.is_nan());
    let found = refused(&Mismatch::new(0, 0, "ACGT"));
    assert_eq!(found, ("Mismatch", "length", 0.0));
    let found = refused(&Mismatch::new(3, 3, "ACGT"));
    assert_eq!(found, ("Mismatch", "mismatches", 3.0));
    let found = refused(&Mismatch::new(3, 1, ""));
    assert_eq!(found, ("Mismatch", "alphabet", 0.0));
    let found = refused(&Mismatch::new(3, 1, "ACGTA"));
    assert_eq!(found, ("Mismatch", "alphabet", 5.0));
}
