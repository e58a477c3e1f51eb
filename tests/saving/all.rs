//! Tests every type of model in files, in one program.

mod adapter;
mod by_name;
mod complete;
mod contents;
mod determinism;
mod features;
mod files;
mod forged;
mod items;
mod kernels;
mod linear;
mod memory;
mod methods;
mod parameters;
mod selection;
mod sizes;
mod support;
mod types;
mod visitors;

use support::Visitor;

/// Shows every model of these tests to a visitor.
fn each(visitor: &mut impl Visitor) {
    kernels::each(visitor);
    adapter::each(visitor);
    features::each(visitor);
    linear::each(visitor);
    methods::each(visitor);
    selection::each(visitor);
    by_name::each(visitor);
    parameters::each(visitor);
}
