//! Reads the items of a file, one after the other, as CBOR has them: a reader of its own, with which tests look into files and forge them.

/// The head of an item.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    /// The place where the head begins.
    pub(crate) place: usize,
    /// The item's major type, one of eight: 2 and 3 are bytes and text, 4 and 5 lists and maps, 6 a tag.
    pub(crate) major: u8,
    pub(crate) argument: usize,
    /// The place where the rest of the item begins.
    pub(crate) next: usize,
}

/// The place where the model begins in the bytes of a file.
pub(crate) fn body(bytes: &[u8]) -> usize {
    21 + usize::from(bytes[20])
}

pub(crate) fn head(bytes: &[u8], place: usize) -> Head {
    let (major, short) = (bytes[place] >> 5, bytes[place] & 31);
    let length = match short {
        0..24 => 0,
        24..28 => 1 << (short - 24),
        _ => panic!("no item begins at {place}"),
    };
    let next = place + 1 + length;
    let argument = match length {
        0 => usize::from(short),
        _ => bytes[place + 1..next]
            .iter()
            .fold(0, |argument, byte| argument << 8 | usize::from(*byte)),
    };
    Head {
        place,
        major,
        argument,
        next,
    }
}

/// The place where the item that begins at `place` ends.
pub(crate) fn end(bytes: &[u8], place: usize) -> usize {
    let head = head(bytes, place);
    let parts = match head.major {
        2 | 3 => return head.next + head.argument,
        4 => head.argument,
        5 => 2 * head.argument,
        6 => 1,
        _ => 0,
    };
    (0..parts).fold(head.next, |at, _| end(bytes, at))
}

/// The heads of all items of a file; items within another one follow it.
pub(crate) fn heads(bytes: &[u8]) -> Vec<Head> {
    let (mut at, end) = (body(bytes), end(bytes, body(bytes)));
    let mut heads = Vec::new();
    while at < end {
        let head = head(bytes, at);
        at = match head.major {
            2 | 3 => head.next + head.argument,
            _ => head.next,
        };
        heads.push(head);
    }
    heads
}

/// The names of all structs and variants of a file.
pub(crate) fn names(bytes: &[u8]) -> Vec<String> {
    let is_object = |head: &Head| head.major == 6 && head.argument == 27;
    let name = |object: Head| {
        let text = head(bytes, head(bytes, object.next).next);
        let name = &bytes[text.next..text.next + text.argument];
        String::from_utf8_lossy(name).into_owned()
    };
    let all = heads(bytes).into_iter();
    all.filter(is_object).map(name).collect()
}

/// The file with its length and checksum set; the last four of the given bytes are replaced.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = bytes.len();
    bytes[12..20].copy_from_slice(&(length as u64).to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..length - 4]);
    bytes[length - 4..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}
