//! What a model takes in memory, counted by the sizes of its elements as they are read, and held against the size of its file.

/// How many times its size a file may take in memory, with the file itself.
///
/// A text of one letter takes two bytes of a file; in a list that grows it takes three places of 24 bytes, and its own byte.
const TIMES: usize = 40;

/// What is free whatever the size of the file: 64 KiB, less what is allocated for the first elements of a list before they are counted.
const FREE: usize = 60 << 10;

/// A list that grows by doubling has room for twice its elements, and those it had before are moved there.
const GROWN: usize = 3;

/// What lists and texts take in memory.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Account {
    used: usize,
}

impl Account {
    /// Counts one element more of a list, of type `T`.
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

    /// Returns whether a file of `length` bytes may take what is used.
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
