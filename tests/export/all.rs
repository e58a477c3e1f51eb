//! Models for other programs: what these make of them, where they are there, and what is refused.
