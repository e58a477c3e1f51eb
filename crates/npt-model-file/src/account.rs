//! What a model takes in memory, from the sizes of its elements as they are read: held against the size of its file.

/// Of this many bytes a list is allocated at once; beyond, it grows by doubling (serde's own bound for a length that is not to be trusted).
const AT_ONCE: usize = 1 << 20;

/// What is free whatever the size of the file.
const FREE: usize = 64 << 10;

/// What lists, texts and maps take in memory.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Account {
    used: usize,
}

impl Account {
    /// Counts an element of `size` bytes behind others of `before` bytes in one list. While a list that grows is moved, it takes three times its size.
    pub(crate) fn element(&mut self, before: &mut usize, size: usize) {
        let cost = if *before < AT_ONCE { size } else { 3 * size };
        *before = before.saturating_add(size);
        self.used = self.used.saturating_add(cost);
    }

    /// Counts `size` bytes that are allocated once.
    pub(crate) fn bytes(&mut self, size: usize) {
        self.used = self.used.saturating_add(size);
    }

    /// Whether a file of `length` bytes may take what is used: four times its size, of which one is the file itself.
    pub(crate) fn is_within(self, length: usize) -> bool {
        self.used <= length.saturating_mul(3).saturating_add(FREE)
    }

    /// How long a file has to be that takes what is used.
    pub(crate) fn least_length(self) -> usize {
        self.used.saturating_sub(FREE).div_ceil(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_counts_three_times_from_where_it_grows() {
        let (mut account, mut before) = (Account::default(), 0);
        for expected in [1, 2, 5, 8] {
            account.element(&mut before, AT_ONCE / 2);
            assert_eq!(account.used, expected * (AT_ONCE / 2));
        }
        assert_eq!(before, 2 * AT_ONCE);
        account.bytes(7);
        assert_eq!(account.used, 4 * AT_ONCE + 7);
    }

    #[test]
    fn the_least_length_is_the_first_that_is_enough() {
        for used in [0, FREE, FREE + 1, FREE + 3, FREE + 4, 10 * FREE] {
            let account = Account { used };
            let least = account.least_length();
            assert!(account.is_within(least), "{used}");
            assert!(least == 0 || !account.is_within(least - 1), "{used}");
        }
    }
}
