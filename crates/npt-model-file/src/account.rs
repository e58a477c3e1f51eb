//! The memory that a model takes, counted by the sizes of its elements as they are read, and compared with the size of its file.

/// The largest memory that a file may take, the file itself included, in multiples of its size.
///
/// A text of one letter takes two bytes of a file. In a list that grows it takes three places of 24 bytes, and one byte for its letter.
const TIMES: usize = 40;

/// The memory that is free for a file of any size: 64 KiB, less the memory that is allocated for the first elements of a list before they
/// are counted.
const FREE: usize = 60 << 10;

/// The places that a growing list takes for each element: doubling makes room for twice its elements, and the old ones are moved there.
const GROWN: usize = 3;

/// The memory of lists and texts that was counted so far.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Account {
    used: usize,
}

impl Account {
    /// Counts one more element of a list, of type `T`.
    #[must_use]
    pub(crate) fn element<T>(self) -> Self {
        self.bytes(size_of::<T>().saturating_mul(GROWN))
    }

    /// Counts `size` bytes that are allocated once.
    #[must_use]
    pub(crate) fn bytes(self, size: usize) -> Self {
        let used = self.used.saturating_add(size);
        Self { used }
    }

    /// Returns whether a file of `length` bytes may take the memory that was counted.
    pub(crate) fn is_within(self, length: usize) -> bool {
        self.used <= length.saturating_mul(TIMES - 1).saturating_add(FREE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_counts_three_times() {
        let account = Account::default().element::<[f64; 2]>().bytes(5);
        assert_eq!(account.used, 3 * 16 + 5);
    }

    #[test]
    fn a_file_may_take_forty_times_its_size() {
        let account = Account::default().bytes(39 * 100 + FREE);
        assert!(account.is_within(100));
        assert!(!account.bytes(1).is_within(100));
        assert!(
            !Account::default()
                .bytes(usize::MAX)
                .element::<u8>()
                .is_within(100)
        );
        assert!(account.is_within(usize::MAX));
    }
}
