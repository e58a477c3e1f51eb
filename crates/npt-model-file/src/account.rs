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
