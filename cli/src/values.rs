//! Texts of methods, kernels and spaces in which values are lists or ranges.

use crate::Error;

/// The most values of a range.
const MOST: usize = 1000;

/// The number of values of a range that does not say how many.
const VALUES: usize = 10;

/// Expands a text with lists and ranges to one text for each combination of values; the values of the last list change fastest.
///
/// ```text
/// svc(c = 0.1, 1, 10)     svc(c = 0.1)   svc(c = 1)   svc(c = 10)
/// gaussian:gamma=1..100:3 gaussian(gamma = 1)   gaussian(gamma = 10)   gaussian(gamma = 100)
/// ```
///
/// The values of a range are evenly spaced in their logarithms. A list in brackets, `[0.1, 1]`, is one value.
pub fn expand(text: &str) -> Result<Vec<String>, Error> {
    let text = long(text);
    let mut texts = vec![String::new()];
    for piece in pieces(&text) {
        let values = match piece {
            Piece::Plain(plain) => vec![plain.to_owned()],
            Piece::Values(values) => listed(values)?,
        };
        let heads = texts.iter();
        let with = heads.flat_map(|head| values.iter().map(move |value| format!("{head}{value}")));
        texts = with.collect();
    }
    Ok(texts)
}

/// Writes the short form `svc:c=10,balanced=true` as `svc(c=10,balanced=true)`, in each summand and factor of a kernel.
pub fn long(text: &str) -> String {
    let mut long = String::new();
    let mut rest = text;
    while let Some(colon) = rest.find(':') {
        let is_short = rest[..colon]
            .trim_end()
            .ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            && rest[colon + 1..]
                .trim_start()
                .starts_with(char::is_alphabetic);
        if !is_short {
            long.push_str(&rest[..=colon]);
            rest = &rest[colon + 1..];
            continue;
        }
        let (head, tail) = (rest[..colon].trim_end(), &rest[colon + 1..]);
        let end = end_of_summand(tail);
        long.push_str(head);
        long.push('(');
        long.push_str(&tail[..end]);
        long.push(')');
        rest = &tail[end..];
    }
    long + rest
}

/// The place at which the parameters of a kernel in the short form end: before another kernel or a bracket. A factor of a width, as in
/// `median * 4`, is no end.
fn end_of_summand(text: &str) -> usize {
    let is_end = |(place, letter): (usize, char)| match letter {
        ')' | '+' if !text[..place].ends_with(['e', 'E']) => Some(place),
        '*' if !text[place + 1..]
            .trim_start()
            .starts_with(|next: char| next.is_ascii_digit()) =>
        {
            Some(place)
        }
        _ => None,
    };
    text.char_indices().find_map(is_end).unwrap_or(text.len())
}

enum Piece<'a> {
    Plain(&'a str),
    /// The text behind `=`, up to the next name or the bracket that closes.
    Values(&'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(equals) = rest.find('=') {
        pieces.push(Piece::Plain(&rest[..=equals]));
        let tail = &rest[equals + 1..];
        let end = end_of_values(tail);
        pieces.push(Piece::Values(&tail[..end]));
        rest = &tail[end..];
    }
    pieces.push(Piece::Plain(rest));
    pieces
}

/// The place at which the values at the beginning of a text end.
fn end_of_values(text: &str) -> usize {
    let (mut depth, mut in_quotes, mut comma) = (0_usize, false, None);
    for (place, letter) in text.char_indices() {
        match letter {
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '[' | '(' => depth += 1,
            ')' if depth == 0 => return place,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => comma = Some(place),
            // The last comma stands before the name of the next parameter.
            '=' => return comma.unwrap_or(place),
            _ => {}
        }
    }
    text.len()
}

fn listed(values: &str) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for value in separated(values) {
        match value.split_once("..") {
            Some((from, to)) => all.extend(range(value.trim(), from, to)?),
            None => all.push(format!(" {}", value.trim())),
        }
    }
    Ok(all)
}

/// The values between the commas outside of brackets and quotes.
fn separated(values: &str) -> Vec<&str> {
    let (mut all, mut from, mut depth, mut in_quotes) = (Vec::new(), 0, 0_usize, false);
    for (place, letter) in values.char_indices() {
        match letter {
            '"' => in_quotes = !in_quotes,
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !in_quotes => {
                all.push(&values[from..place]);
                from = place + 1;
            }
            _ => {}
        }
    }
    all.push(&values[from..]);
    all
}

fn range(text: &str, from: &str, to: &str) -> Result<Vec<String>, Error> {
    let wrong = || Error::Range {
        text: text.to_owned(),
    };
    let (to, count) = match to.split_once(':') {
        Some((to, count)) => (to, count.trim().parse().map_err(|_| wrong())?),
        None => (to, VALUES),
    };
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
    let (from, to) = (number(from)?, number(to)?);
    if !(0.0 < from && from < to && to.is_finite() && (2..=MOST).contains(&count)) {
        return Err(wrong());
    }
    let step = (to / from).ln() / (count - 1) as f64;
    let value = |k: usize| format!(" {}", six_digits(from * (step * k as f64).exp()));
    Ok((0..count).map(value).collect())
}

/// A number above 0 with six digits: enough for a grid or a width, and read with ease.
pub fn six_digits(value: f64) -> String {
    let written = format!("{value:.5e}");
    let rounded: f64 = written.parse().unwrap_or(value);
    npt_core::wording::number(rounded).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let cases: [(&str, &[&str]); 11] = [
            ("svc", &["svc"]),
            (
                "svc(c = 10, balanced = true)",
                &["svc(c = 10, balanced = true)"],
            ),
            ("svc(c=0.1,1)", &["svc(c= 0.1)", "svc(c= 1)"]),
            (
                "svc:c=0.1,1,balanced=true",
                &["svc(c= 0.1,balanced= true)", "svc(c= 1,balanced= true)"],
            ),
            ("ridge(penalty = [0.1, 1])", &["ridge(penalty = [0.1, 1])"]),
            (
                "gaussian(gamma = 0.1, 1) + 0.5 * matern:nu=1.5",
                &[
                    "gaussian(gamma = 0.1) + 0.5 * matern(nu= 1.5)",
                    "gaussian(gamma = 1) + 0.5 * matern(nu= 1.5)",
                ],
            ),
            (
                "gaussian:gamma=1..100:3",
                &[
                    "gaussian(gamma= 1)",
                    "gaussian(gamma= 10)",
                    "gaussian(gamma= 100)",
                ],
            ),
            (
                "cca(components = 1, second_kernel = \"spectrum(length = 1, 2)\")",
                &["cca(components = 1, second_kernel = \"spectrum(length = 1, 2)\")"],
            ),
            (
                "gaussian:gamma=median * 4+linear",
                &["gaussian(gamma= median * 4)+linear"],
            ),
            (
                "gaussian:gamma=0.1*linear",
                &["gaussian(gamma= 0.1)*linear"],
            ),
            (
                "a(b=1,2,c=x,y)",
                &[
                    "a(b= 1,c= x)",
                    "a(b= 1,c= y)",
                    "a(b= 2,c= x)",
                    "a(b= 2,c= y)",
                ],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(expand(text).unwrap(), expected, "{text}");
        }
        assert_eq!(expand("svc(c=0.01..1)").unwrap().len(), 10);
        assert_eq!(expand("svc(c=1e-8..1e8:3)").unwrap()[1], "svc(c= 1)");
    }

    #[test]
    fn ranges_that_are_none() {
        for text in [
            "svc(c=1..0.1)",
            "svc(c=0..1)",
            "svc(c=-1..1)",
            "svc(c=1..inf)",
            "svc(c=1..2:1)",
            "svc(c=a..b)",
        ] {
            let error = expand(text).unwrap_err();
            assert!(matches!(error, Error::Range { .. }), "{text}: {error}");
        }
    }
}
