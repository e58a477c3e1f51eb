use super::{Compact, DEEPEST, Header};

/// Reads a header; returns none if it is wrong, or if bytes are left after it.
fn read(bytes: &[u8]) -> Option<Header> {
    let mut compact = Compact { bytes, read: 0 };
    let header = Header::read(&mut compact).ok()?;
    assert_eq!(compact.read as usize + compact.bytes.len(), bytes.len());
    compact.bytes.is_empty().then_some(header)
}

/// The bytes of a header of type 0 with the sizes 150 and 3, and then these bytes.
fn header(rest: &[u8]) -> Vec<u8> {
    [&[0x15, 0x00, 0x15, 0xAC, 0x02, 0x15, 0x06], rest].concat()
}

fn of(page_type: u64, plain: u64) -> Header {
    let compressed = 3;
    Header {
        page_type,
        plain,
        compressed,
    }
}

#[test]
fn a_header_is_a_struct_of_fields() {
    assert_eq!(read(&header(&[0])), Some(of(0, 150)));
    // Field 5: four numbers, then statistics with a text, a number of 64 bits, a boolean and an unknown field.
    let numbers = [0x15, 0x01].repeat(4);
    let text = [0x18, 0x03, b'a', b'b', b'c'];
    let unknown = [0x17, 0, 0, 0, 0, 0, 0, 0, 0, 0x13, 9, 0x1C, 0x18, 0, 0];
    let all = [
        &[0x2C][..],
        &numbers,
        &[0x1C],
        &text,
        &[0x26, 0x02, 0x11],
        &unknown,
        &[0, 0, 0],
    ];
    assert_eq!(read(&header(&all.concat())), Some(of(0, 150)));
    // Field 8: six numbers, a boolean.
    let second = [&[0x5C][..], &[0x15, 0x01].repeat(6), &[0x12, 0, 0]].concat();
    assert_eq!(read(&header(&second)), Some(of(0, 150)));
    // The number of a field may be written in full, and may go back; the last value of a field counts.
    let again = header(&[0x05, 0x04, 0xC8, 0x01, 0x05, 0x02, 0x02, 0]);
    assert_eq!(read(&again), Some(of(1, 100)));
}

#[test]
fn other_bytes_are_none() {
    let whole = header(&[0x2C, 0x58, 0x03, b'a', b'b', b'c', 0, 0]);
    assert_eq!(read(&whole), None);
    let whole = header(&[0x2C, 0x68, 0x03, b'a', b'b', b'c', 0, 0]);
    assert!(read(&whole).is_some());
    for length in 0..whole.len() {
        assert_eq!(read(&whole[..length]), None);
    }
    // A size below 0; a size of another type; a missing size; a number longer than 64 bits.
    assert_eq!(read(&[0x15, 0x00, 0x15, 0x01, 0x15, 0x06, 0]), None);
    assert_eq!(read(&[0x15, 0x00, 0x18, 0x00, 0x15, 0x06, 0]), None);
    assert_eq!(read(&[0x15, 0x00, 0x25, 0x06, 0]), None);
    let long = [&[0x15, 0x00, 0x15][..], &[0xFF; 10], &[0, 0x15, 0x06, 0]].concat();
    assert_eq!(read(&long), None);
    // An empty list, a set, a map; a text that is longer than all bytes.
    for field_type in [0x09, 0x0A, 0x0B] {
        assert_eq!(read(&header(&[0x60 | field_type, 0, 0])), None);
    }
    for length in [&[0x7F][..], &[0xFF; 9]] {
        let text = [&[0x68][..], length, &[1, 0]].concat();
        assert_eq!(read(&header(&text)), None);
    }
    // Structs nested in a struct: as deep as is read, one deeper, and deeper than a stack holds.
    let nested = |inner: usize| [vec![0x6C], vec![0x1C; inner], vec![0; inner + 2]].concat();
    assert!(read(&header(&nested(DEEPEST - 2))).is_some());
    for inner in [DEEPEST - 1, 1_000_000] {
        assert_eq!(read(&header(&nested(inner))), None);
    }
}

/// Headers that the reader of `parquet` would understand otherwise are refused: it keeps 32 bits of a size and 16 of a field's number, and
/// does not look at the types of the fields that it knows.
#[test]
fn what_would_be_read_otherwise_is_none() {
    // A size of 2³² + 100.
    let size = [0xC8, 0x81, 0x80, 0x80, 0x20];
    let large = [&[0x15, 0x00, 0x15, 0xAC, 0x02, 0x15][..], &size, &[0]].concat();
    assert_eq!(read(&large), None);
    // The field number 65,538.
    let field = [0x05, 0x84, 0x80, 0x08, 0xC8, 0x01, 0];
    assert_eq!(read(&header(&field)), None);
    // Fields whose numbers go on by 15 each, until they are more than a number of 16 bits holds.
    let far = [&[0xF1; 2500][..], &[0]].concat();
    assert_eq!(read(&header(&far)), None);
    // Field 4 as a boolean; fields of structs with another type.
    assert_eq!(read(&header(&[0x11, 0])), None);
    for (id, field) in [(5, 1), (5, 4), (7, 2), (8, 6)] {
        let with =
            |field_type: u8| header(&[(id - 3) << 4 | 0x0C, field << 4 | field_type, 0, 0, 0]);
        assert_eq!(read(&with(6)), None, "{id}, {field}");
        assert_eq!(read(&with(5)), Some(of(0, 150)), "{id}, {field}");
    }
    assert_eq!(read(&header(&[0x2C, 0x55, 0, 0, 0])), None);
}
