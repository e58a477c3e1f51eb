//! What a model takes in memory, from the sizes of its elements as they are read: held against the size of its file.
//!
//! A list is counted before it takes the memory, so that a forged file is refused without it. How much memory a list takes depends on what
//! it becomes, which the names of its types tell: a `Vec` of the elements themselves, a `Vec` of what is made of them (petgraph's nodes and
//! edges), or anything else (sets and maps).

use std::{
    any::type_name,
    collections::{BTreeMap, BTreeSet},
};

/// Of this many bytes a list is allocated at once; beyond, it grows by doubling (serde's own bound for a length that is not to be trusted).
const AT_ONCE: usize = 1 << 20;

/// What is free whatever the size of the file: 64 KiB, less what is allocated for the first elements of a list before their size is known.
const FREE: usize = 60 << 10;

/// As many elements of a list are allocated at once, before their size is known, if they are neither numbers nor [`THIN`].
const FIRST: usize = 64;

/// What lists, texts and maps take in memory.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Account {
    used: usize,
    /// The most that a list takes a second time while it grows.
    moved: usize,
}

impl Account {
    /// Counts one element more of a list, of type `T`.
    pub(crate) fn element<T>(&mut self, list: &mut List) {
        let (more, moved) = list.push::<T>();
        self.used = self.used.saturating_add(more);
        self.moved = self.moved.max(moved);
    }

    /// Counts `size` bytes that are allocated once.
    pub(crate) fn bytes(&mut self, size: usize) {
        self.used = self.used.saturating_add(size);
    }

    fn total(self) -> usize {
        self.used.saturating_add(self.moved)
    }

    /// Whether a file of `length` bytes may take what is used: four times its size, of which one is the file itself.
    pub(crate) fn is_within(self, length: usize) -> bool {
        self.total() <= length.saturating_mul(3).saturating_add(FREE)
    }

    /// How long a file has to be that takes what is used.
    pub(crate) fn least_length(self) -> usize {
        self.total().saturating_sub(FREE).div_ceil(3)
    }
}

/// What a list becomes in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Becomes {
    /// Parts of a value that is counted elsewhere.
    Parts,
    /// A `Vec` of its elements.
    Vector,
    /// A `Vec` of what is made of its elements.
    Made,
    /// A set, a map or the like.
    Other,
}

/// What is made of an element is larger by so many bytes at most: petgraph's nodes and edges have two or four places of others.
const MADE: usize = 24;

/// A list that is being read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// The name of the type that it becomes; nothing for parts.
    name: &'static str,
    /// How many elements it is told to have at least.
    hint: usize,
    becomes: Becomes,
    count: usize,
    /// For how many elements there is room.
    room: usize,
}

impl List {
    /// The parts of a tuple or of an object, which are where the tuple is.
    pub(crate) fn parts() -> Self {
        Self::new("", 0)
    }

    /// A list that becomes a `V`, of `length` numbers, which are all there.
    pub(crate) fn of_numbers<V>(length: usize) -> Self {
        Self::new(type_name::<V>(), length)
    }

    /// A list that becomes a `V`, of so many elements, if that is true.
    pub(crate) fn of<V>(length: usize) -> Self {
        let name = type_name::<V>();
        let first = if is_of_thin(name) {
            AT_ONCE / THIN
        } else {
            FIRST
        };
        Self::new(name, length.min(first))
    }

    /// What is allocated before the first element is counted, but for a little.
    pub(crate) fn ahead(&self) -> usize {
        if is_of_thin(self.name) {
            self.hint * THIN
        } else {
            0
        }
    }

    fn new(name: &'static str, hint: usize) -> Self {
        let becomes = match name {
            "" => Becomes::Parts,
            // Whether it is of the elements themselves is known as soon as they are.
            _ if of_vector(name).is_some() => Becomes::Made,
            _ => Becomes::Other,
        };
        Self {
            name,
            hint,
            becomes,
            count: 0,
            room: 0,
        }
    }

    /// How many elements the type may allocate at once: none, if it is not known how much it takes for one.
    pub(crate) fn hint(&self) -> usize {
        match self.becomes {
            Becomes::Other => 0,
            _ => self.hint,
        }
    }

    /// One element more: the bytes that the list takes for it, and those that are moved to make room.
    fn push<T>(&mut self) -> (usize, usize) {
        let size = size_of::<T>();
        if self.count == 0 && self.becomes == Becomes::Made && self.name == type_name::<Vec<T>>() {
            self.becomes = Becomes::Vector;
        }
        self.count += 1;
        match self.becomes {
            Becomes::Parts => (0, 0),
            Becomes::Vector => {
                let at_once = AT_ONCE.checked_div(size).unwrap_or(0);
                self.grow(size, self.hint.min(at_once))
            }
            Becomes::Made => self.grow(size.saturating_add(MADE), 0),
            Becomes::Other => (in_set(self.count, size), self.count.saturating_mul(size)),
        }
    }

    /// As a `Vec` does, with so many elements at once.
    fn grow(&mut self, size: usize, at_once: usize) -> (usize, usize) {
        let before = self.room;
        if self.count > before {
            let least = match size {
                1 => 8,
                2..=1024 => 4,
                _ => 1,
            };
            self.room = match (before, at_once) {
                (0, 1..) => at_once,
                _ => before.saturating_mul(2).max(least),
            };
        }
        match self.room - before {
            0 => (0, 0),
            more => (more.saturating_mul(size), before.saturating_mul(size)),
        }
    }
}

/// The size of texts, lists and trees themselves, of which a list is allocated at once.
const THIN: usize = size_of::<String>();

/// What the name of a type begins with, whatever it is a list or a tree of.
fn beginning<OfAny>() -> &'static str {
    let name = type_name::<OfAny>();
    name.split_inclusive('<').next().unwrap_or(name)
}

/// What the elements of a list of this name are called, and what follows.
fn of_vector(name: &str) -> Option<&str> {
    name.strip_prefix(beginning::<Vec<()>>())
}

/// Whether a type is a list of texts, of lists or of trees.
fn is_of_thin(name: &str) -> bool {
    let names = [
        type_name::<String>(),
        beginning::<Vec<()>>(),
        beginning::<BTreeSet<()>>(),
        beginning::<BTreeMap<(), u8>>(),
    ];
    of_vector(name).is_some_and(|element| names.iter().any(|name| element.starts_with(name)))
}

/// What a set takes for its element of this number, from 1.
///
/// A `HashSet` takes (size + 1) bytes of a slot and fills 7 of 16 at least; a `BTreeSet` has room for 11 in a node and fills 5 at least. Of
/// either there is a smallest one.
fn in_set(number: usize, size: usize) -> usize {
    let each = size.saturating_mul(5).div_ceil(2).saturating_add(10);
    match number {
        1 => size
            .saturating_mul(11)
            .saturating_add(48)
            .saturating_add(each),
        _ => each,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What lists of so many elements take, each in its own account.
    fn totals<T>(list: List, counts: &[usize]) -> Vec<usize> {
        let total = |&count: &usize| {
            let (mut account, mut list) = (Account::default(), list);
            for _ in 0..count {
                account.element::<T>(&mut list);
            }
            account.total()
        };
        counts.iter().map(total).collect()
    }

    #[test]
    fn numbers_take_their_size_until_they_grow() {
        let most = AT_ONCE / 8;
        let list = List::of_numbers::<Vec<f64>>(most + 1);
        let all = totals::<f64>(list, &[1, most, most + 1, 2 * most + 1]);
        assert_eq!(all, [1, 1, 3, 6].map(|times| times * AT_ONCE));
        let few = List::of_numbers::<Vec<f64>>(3);
        assert_eq!(totals::<f64>(few, &[1, 3]), [24, 24]);
    }

    #[test]
    fn other_elements_grow_from_a_few() {
        let list = List::of::<Vec<[f64; 2]>>(1000);
        let all = totals::<[f64; 2]>(list, &[1, 64, 65, 128, 129]);
        assert_eq!(all, [64, 64, 192, 192, 384].map(|elements| elements * 16));
        assert_eq!((list.hint(), list.ahead()), (64, 0));
        assert_eq!(totals::<()>(List::of::<Vec<()>>(1000), &[1000]), [0]);
        // The least that a list has room for.
        let one = |list| totals::<u8>(list, &[1, 9]);
        assert_eq!(one(List::of::<Vec<u8>>(0)), [8, 24]);
        let wide = List::of::<Vec<[u8; 1025]>>(0);
        assert_eq!(totals::<[u8; 1025]>(wide, &[1, 2]), [1025, 3 * 1025]);
    }

    #[test]
    fn texts_lists_and_trees_are_allocated_at_once() {
        let texts = List::of::<Vec<String>>(1000);
        assert_eq!((texts.hint(), texts.ahead()), (1000, 24_000));
        assert_eq!(totals::<String>(texts, &[1, 1000]), [24_000, 24_000]);
        assert_eq!(List::of::<Vec<Vec<f64>>>(1000).hint(), 1000);
        assert_eq!(List::of::<Vec<BTreeSet<u8>>>(1000).hint(), 1000);
        assert_eq!(List::of::<Vec<String>>(1 << 20).ahead(), AT_ONCE / 24 * 24);
        let sizes = [size_of::<Vec<f64>>(), size_of::<BTreeSet<u8>>()];
        assert_eq!(sizes, [THIN, THIN]);
    }

    #[test]
    fn what_is_made_of_elements_is_larger() {
        let list = List::of_numbers::<Vec<[u32; 3]>>(5);
        assert_eq!(totals::<u8>(list, &[4, 5]), [4 * 25, 12 * 25]);
    }

    #[test]
    fn sets_take_more_than_their_elements() {
        for list in [
            List::of_numbers::<BTreeSet<u32>>(5),
            List::of_numbers::<HashSet<u32>>(5),
        ] {
            assert_eq!((list.hint(), list.ahead()), (0, 0));
            assert_eq!(totals::<u32>(list, &[1, 2]), [92 + 20 + 4, 92 + 40 + 8]);
        }
    }

    #[test]
    fn parts_are_where_the_tuple_is() {
        assert_eq!(totals::<f64>(List::parts(), &[3]), [0]);
    }

    #[test]
    fn the_least_length_is_the_first_that_is_enough() {
        for used in [0, FREE, FREE + 1, FREE + 3, FREE + 4, 10 * FREE] {
            let account = Account { used, moved: 7 };
            let least = account.least_length();
            assert!(account.is_within(least), "{used}");
            assert!(least == 0 || !account.is_within(least - 1), "{used}");
        }
    }
}
