//! Wording of counts and numbers in error messages. The module is hidden: it is shared with `npt-methods`, and no part of
//! the public API.

use std::fmt;

/// A count with its noun, in the singular or plural: `1 sample`, `2 samples`.
pub fn count(number: usize, noun: &'static str) -> impl fmt::Display {
    Count { number, noun }
}

struct Count {
    number: usize,
    noun: &'static str,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = match self.number {
            1 => "",
            _ if self.noun.ends_with('s') => "es",
            _ => "s",
        };
        write!(f, "{} {}{ending}", self.number, self.noun)
    }
}

/// The shortest decimal that is read back as the same number, with an exponent where that spares a
/// row of zeros: below 10⁻⁴ and from 10¹⁶ on, where whole numbers have gaps.
///
/// No digit is rounded away: if a value is just beyond a limit, the message has to show that.
pub fn number(value: f64) -> impl fmt::Display {
    Number(value)
}

struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value == 0.0 || !value.is_finite() || (1e-4..1e16).contains(&value.abs()) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// The known name that is most like `name`, if one of them is similar.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// Names are similar where they agree in more than this share of their letters.
    const SIMILAR: f64 = 0.6;
    /// The longest name that is compared. A longer word is no name with a slip, and comparing it takes memory in proportion
    /// to its length.
    const LONGEST: usize = 100;
    if name.len() > LONGEST {
        return None;
    }
    let similarities =
        known.map(|known| (strsim::normalized_damerau_levenshtein(name, known), known));
    let (similarity, known) = similarities.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (similarity > SIMILAR).then_some(known)
}

/// A number of bytes, in the unit that leaves it at least 1.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::{count, number};

    #[test]
    fn counts_agree_with_their_nouns() {
        for (n, noun, expected) in [
            (0, "sample", "0 samples"),
            (1, "sample", "1 sample"),
            (2, "sample", "2 samples"),
            (1, "class", "1 class"),
            (2, "class", "2 classes"),
            (21, "distinct sample", "21 distinct samples"),
        ] {
            assert_eq!(count(n, noun).to_string(), expected);
        }
    }

    #[test]
    fn numbers_read_as_they_are_written() {
        for (value, expected) in [
            (0.0, "0"),
            (1.0, "1"),
            (-3.0, "-3"),
            (0.1, "0.1"),
            (1.0 + 1e-12, "1.000000000001"),
            (0.0001, "0.0001"),
            (0.00001, "1e-5"),
            (1e-17, "1e-17"),
            (-2.5e-8, "-2.5e-8"),
            (1e15, "1000000000000000"),
            (1e16, "1e16"),
            (1e300, "1e300"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::from_bits(1), "5e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(value).to_string(), expected);
        }
    }

    /// Numbers are read back as they were, and none is long. 17 digits tell all numbers apart; with them come a sign, a
    /// point, and four zeros before the digits or an exponent of five characters behind them.
    #[test]
    fn no_number_is_long_or_another() {
        for exponent in -323..=308 {
            for digits in ["1", "-3", "1.2345678901234567", "-9.999999999999999"] {
                let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
                let text = number(value).to_string();
                assert_eq!(text.parse(), Ok(value));
                assert!(text.len() <= 24, "{text}");
            }
        }
    }
}
