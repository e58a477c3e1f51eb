//! What cargo-fuzz asks, asked of seeds and of what proptest finds.

mod properties;
mod seeds;
