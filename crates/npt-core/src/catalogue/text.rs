//! Reads kernels from text.
//!
//! ```text
//! kernel = term { "+" term }
//! term   = factor { "*" factor }
//! factor = number | name [ "(" [ inside { "," inside } ] ")" ] | "(" kernel ")"
//! inside = name "=" value | kernel
//! value  = number | "[" [ number { "," number } ] "]" | text | "true" | "false"
//! ```
//!
//! A product with a number is a scaled kernel. Texts are quoted and escaped as in Rust.

use super::{DescriptionError, Fault};
use crate::{Description, Parameter, ParameterValue};

/// The largest depth of kernels inside of kernels, so that no stack overflows. Each plus and each star is one level.
const DEEPEST: usize = 100;

/// A kernel as a text or a description has it.
#[derive(Debug, Clone)]
pub(super) struct Written {
    /// The place of the kernel: a character of the text, counted from 1; `None` if no text was read.
    pub(super) at: Option<usize>,
    pub(super) name: String,
    pub(super) parameters: Vec<(Option<usize>, Parameter)>,
    pub(super) parts: Vec<Self>,
    /// The number of kernels that are inside of each other, this one included.
    depth: usize,
}

impl Written {
    pub(super) fn of(description: &Description, outside: usize) -> Result<Self, DescriptionError> {
        if outside >= DEEPEST {
            return Err(Fault::Depth { most: DEEPEST }.at(None));
        }
        let parts = description.parts.iter();
        let parts = parts.map(|(_, part)| Self::of(part, outside + 1));
        let parameters = description.parameters.iter().cloned();
        let parameters = parameters.map(|parameter| (None, parameter)).collect();
        Self::new(
            None,
            description.name.clone(),
            parameters,
            parts.collect::<Result<_, _>>()?,
        )
    }

    fn new(
        at: Option<usize>,
        name: String,
        parameters: Vec<(Option<usize>, Parameter)>,
        parts: Vec<Self>,
    ) -> Result<Self, DescriptionError> {
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        if depth > DEEPEST {
            return Err(Fault::Depth { most: DEEPEST }.at(at));
        }
        Ok(Self {
            at,
            name,
            parameters,
            parts,
            depth,
        })
    }

    /// Returns whether a value is given to the parameter of this name.
    pub(super) fn gives(&self, parameter: &str) -> bool {
        let mut given = self.parameters.iter();
        given.any(|(_, given)| given.name == parameter)
    }

    fn of_two(at: usize, name: &str, first: Self, second: Self) -> Result<Self, DescriptionError> {
        Self::new(Some(at), name.to_owned(), Vec::new(), vec![first, second])
    }
}

/// Reads the kernel that a text describes, whether or not a catalogue has such a kernel.
pub(super) fn read(text: &str) -> Result<Written, DescriptionError> {
    // Allocated in one piece: a vector that grows takes up to three times as much memory meanwhile.
    let mut characters = Vec::with_capacity(text.chars().count());
    characters.extend(text.chars());
    let mut reader = Reader {
        text: characters,
        next: 0,
        outside: 0,
    };
    let kernel = reader.kernel()?;
    match reader.peek() {
        None => Ok(kernel),
        Some(_) => Err(reader.fault("`+`, `*` or the end")),
    }
}

struct Reader {
    text: Vec<char>,
    next: usize,
    /// The number of brackets that are open.
    outside: usize,
}

/// A factor of a product: a kernel, or a number that scales the other factors.
enum Factor {
    Kernel(Written),
    Number(usize, ParameterValue),
}

impl Reader {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.next).is_some_and(|c| c.is_whitespace()) {
            self.next += 1;
        }
        self.text.get(self.next).copied()
    }

    /// The place of the next character, from 1.
    fn place(&self) -> usize {
        self.next + 1
    }

    fn takes(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.next += usize::from(found);
        found
    }

    fn require(&mut self, character: char, expected: &'static str) -> Result<(), DescriptionError> {
        if self.takes(character) {
            Ok(())
        } else {
            Err(self.fault(expected))
        }
    }

    fn fault(&mut self, expected: &'static str) -> DescriptionError {
        self.peek();
        let word = self.word();
        let found = match self.text.get(self.next) {
            None => "the end".to_owned(),
            Some(sign) if word.is_empty() => format!("`{sign}`"),
            Some(_) => format!("`{word}`"),
        };
        Fault::Text { found, expected }.at(Some(self.place()))
    }

    /// The word that begins here: letters, digits and underscores.
    fn word(&self) -> String {
        let rest = self.text[self.next..].iter();
        rest.take_while(|c| c.is_alphanumeric() || **c == '_')
            .collect()
    }

    fn kernel(&mut self) -> Result<Written, DescriptionError> {
        let mut sum = self.term()?;
        while self.peek() == Some('+') {
            let at = self.place();
            self.next += 1;
            sum = Written::of_two(at, "sum", sum, self.term()?)?;
        }
        Ok(sum)
    }

    /// Reads a term: its numbers scale the product of its kernels.
    fn term(&mut self) -> Result<Written, DescriptionError> {
        let (mut product, mut numbers) = (None, Vec::new());
        loop {
            let star = self.place();
            match self.factor()? {
                Factor::Number(at, value) => numbers.push((at, value)),
                Factor::Kernel(kernel) => {
                    product = Some(match product {
                        None => kernel,
                        Some(before) => Written::of_two(star, "product", before, kernel)?,
                    });
                }
            }
            if !self.takes('*') {
                break;
            }
        }
        let Some(mut product) = product else {
            return Err(self.fault("`*` and a kernel"));
        };
        for (at, value) in numbers.into_iter().rev() {
            let factor = Parameter {
                name: "factor".to_owned(),
                value,
            };
            let factor = vec![(Some(at), factor)];
            product = Written::new(Some(at), "scaled".to_owned(), factor, vec![product])?;
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Factor, DescriptionError> {
        const EXPECTED: &str = "a kernel, a number or `(`";
        match self.peek() {
            Some('(') => self.inside_brackets(|reader| {
                let kernel = reader.kernel()?;
                reader.require(')', "`+`, `*` or `)`")?;
                Ok(Factor::Kernel(kernel))
            }),
            Some(c) if is_of_number(c) => {
                let at = self.place();
                Ok(Factor::Number(at, self.number(EXPECTED)?))
            }
            Some(c) if starts_name(c) => {
                let at = self.place();
                let name = self.name();
                self.named(at, name).map(Factor::Kernel)
            }
            _ => Err(self.fault(EXPECTED)),
        }
    }

    /// Reads the inside of brackets. The next character is the opening bracket.
    fn inside_brackets<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DescriptionError>,
    ) -> Result<T, DescriptionError> {
        if self.outside >= DEEPEST {
            return Err(Fault::Depth { most: DEEPEST }.at(Some(self.place())));
        }
        self.outside += 1;
        self.next += 1;
        let inside = read(self)?;
        self.outside -= 1;
        Ok(inside)
    }

    /// Reads the rest of a kernel whose name has been read.
    fn named(&mut self, at: usize, name: String) -> Result<Written, DescriptionError> {
        let (mut parameters, mut parts) = (Vec::new(), Vec::new());
        if self.peek() == Some('(') {
            self.inside_brackets(|reader| {
                if reader.takes(')') {
                    return Ok(());
                }
                loop {
                    match reader.parameter()? {
                        Some(parameter) => parameters.push(parameter),
                        None => parts.push(reader.kernel()?),
                    }
                    if !reader.takes(',') {
                        return reader.require(')', "`,` or `)`");
                    }
                }
            })?;
        }
        Written::new(Some(at), name, parameters, parts)
    }

    /// Reads `name = value`, if this is next.
    fn parameter(&mut self) -> Result<Option<(Option<usize>, Parameter)>, DescriptionError> {
        let Some(c) = self.peek() else {
            return Ok(None);
        };
        let (start, at) = (self.next, self.place());
        if !starts_name(c) {
            return Ok(None);
        }
        let name = self.name();
        if !self.takes('=') {
            self.next = start;
            return Ok(None);
        }
        let value = self.value()?;
        Ok(Some((Some(at), Parameter { name, value })))
    }

    fn name(&mut self) -> String {
        let name = self.word();
        self.next += name.chars().count();
        name
    }

    fn value(&mut self) -> Result<ParameterValue, DescriptionError> {
        const EXPECTED: &str = "a number, a list, a text in quotes, `true` or `false`";
        match self.peek() {
            Some('[') => {
                self.next += 1;
                self.list().map(ParameterValue::List)
            }
            Some('"') => self.quoted().map(ParameterValue::Text),
            Some(c) if is_of_number(c) => self.number(EXPECTED),
            _ => {
                let start = self.next;
                let value = match self.name().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => {
                        self.next = start;
                        return Err(self.fault(EXPECTED));
                    }
                };
                Ok(ParameterValue::Boolean(value))
            }
        }
    }

    fn list(&mut self) -> Result<Vec<f64>, DescriptionError> {
        let mut values = Vec::new();
        if self.takes(']') {
            return Ok(values);
        }
        loop {
            self.peek();
            values.push(match self.number("a number")? {
                ParameterValue::Integer(whole) => whole as f64,
                ParameterValue::Real(real) => real,
                _ => return Err(self.fault("a number")),
            });
            if !self.takes(',') {
                self.require(']', "`,` or `]`")?;
                return Ok(values);
            }
        }
    }

    /// Reads a whole number, or a real one.
    fn number(&mut self, expected: &'static str) -> Result<ParameterValue, DescriptionError> {
        let rest = &self.text[self.next..];
        let mut length = 0;
        while let Some(&c) = rest.get(length) {
            let follows_exponent = length > 0 && matches!(rest[length - 1], 'e' | 'E');
            let sign_is_due = length == 0 || follows_exponent;
            let belongs = c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E');
            if !(belongs || sign_is_due && matches!(c, '-' | '+')) {
                break;
            }
            length += 1;
        }
        let digits: String = rest[..length].iter().collect();
        let value = match (digits.parse(), digits.parse()) {
            (Ok(whole), _) => ParameterValue::Integer(whole),
            (_, Ok(real)) => ParameterValue::Real(real),
            _ => return Err(self.fault(expected)),
        };
        self.next += length;
        Ok(value)
    }

    /// Reads a text in quotes. The next character is the opening quote.
    fn quoted(&mut self) -> Result<String, DescriptionError> {
        self.next += 1;
        let mut text = String::new();
        while let Some(&c) = self.text.get(self.next) {
            self.next += 1;
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escaped()?),
                c => text.push(c),
            }
        }
        Err(self.fault("`\"`"))
    }

    /// Reads a character after a backslash.
    fn escaped(&mut self) -> Result<char, DescriptionError> {
        const EXPECTED: &str = "one of n, r, t, 0, \\, ', \" or u{…}";
        let found = self.text.get(self.next).copied();
        let character = match found {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('0') => Some('\0'),
            Some(c @ ('\\' | '\'' | '"')) => Some(c),
            Some('u') => return self.unicode(EXPECTED),
            _ => None,
        };
        match character {
            None => Err(self.fault(EXPECTED)),
            Some(character) => {
                self.next += 1;
                Ok(character)
            }
        }
    }

    /// Reads `u{…}` with hexadecimal digits.
    fn unicode(&mut self, expected: &'static str) -> Result<char, DescriptionError> {
        let rest = &self.text[self.next + 1..];
        let end = rest.iter().position(|&c| c == '}');
        let digits = end.filter(|_| rest[0] == '{');
        let digits: Option<String> = digits.map(|end| rest[1..end].iter().collect());
        let number = digits.and_then(|digits| u32::from_str_radix(&digits, 16).ok());
        match (number.and_then(char::from_u32), end) {
            (Some(character), Some(end)) => {
                self.next += end + 2;
                Ok(character)
            }
            _ => Err(self.fault(expected)),
        }
    }
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '.')
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}
