//! Lists of numbers of one type: typed arrays of [RFC 8746](https://www.rfc-editor.org/rfc/rfc8746), little-endian.

/// The type of the numbers of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

/// A number, in the form in which it is given to a visitor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

/// The kinds of numbers, each with its tag and its name, in the order of [`Kind`].
const TABLE: [(Kind, u64, &str); 10] = [
    (Kind::U8, 64, "u8"),
    (Kind::U16, 69, "u16"),
    (Kind::U32, 70, "u32"),
    (Kind::U64, 71, "u64"),
    (Kind::I8, 72, "i8"),
    (Kind::I16, 77, "i16"),
    (Kind::I32, 78, "i32"),
    (Kind::I64, 79, "i64"),
    (Kind::F32, 85, "f32"),
    (Kind::F64, 86, "f64"),
];

impl Kind {
    pub(crate) fn of_tag(tag: u64) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.1 == tag)?;
        Some(row.0)
    }

    pub(crate) fn tag(self) -> u64 {
        TABLE[self as usize].1
    }

    pub(crate) fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The number of bytes of one number.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Reads a number of this kind from the beginning of `bytes`, which has at least its bytes.
    pub(crate) fn number(self, bytes: &[u8]) -> Number {
        let mut wide = [0; 8];
        wide[..self.size()].copy_from_slice(&bytes[..self.size()]);
        let bits = u64::from_le_bytes(wide);
        let [a, b, c, d, ..] = wide;
        match self {
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Number::Unsigned(bits),
            Self::I8 => Number::Signed(i8::from_le_bytes([a]).into()),
            Self::I16 => Number::Signed(i16::from_le_bytes([a, b]).into()),
            Self::I32 => Number::Signed(i32::from_le_bytes([a, b, c, d]).into()),
            Self::I64 => Number::Signed(i64::from_le_bytes(wide)),
            Self::F32 => Number::Float(f32::from_le_bytes([a, b, c, d]).into()),
            Self::F64 => Number::Float(f64::from_bits(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_at_its_place_in_the_table() {
        for (kind, tag, _) in TABLE {
            assert_eq!(kind.tag(), tag);
            assert_eq!(Kind::of_tag(tag), Some(kind));
        }
        assert_eq!(Kind::of_tag(27), None);
    }

    #[test]
    fn negative_numbers_keep_their_sign() {
        assert_eq!(Kind::I8.number(&[0xFE]), Number::Signed(-2));
        assert_eq!(Kind::I16.number(&[0xFE, 0xFF]), Number::Signed(-2));
        assert_eq!(Kind::I32.number(&(-2i32).to_le_bytes()), Number::Signed(-2));
        assert_eq!(Kind::I64.number(&(-2i64).to_le_bytes()), Number::Signed(-2));
        assert_eq!(Kind::U16.number(&[0xFE, 0xFF]), Number::Unsigned(65534));
        assert_eq!(
            Kind::F32.number(&(-2f32).to_le_bytes()),
            Number::Float(-2.0)
        );
    }
}
