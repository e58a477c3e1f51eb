//! Every type of model in files, in one program.

mod adapter;
mod determinism;
mod files;
mod forged;
mod kernels;
mod linear;
mod methods;
mod selection;
mod support;
mod visitors;

use support::Visitor;

/// Shows every model of these tests to a visitor.
fn each(visitor: &mut impl Visitor) {
    kernels::each(visitor);
    adapter::each(visitor);
    linear::each(visitor);
    methods::each(visitor);
    selection::each(visitor);
}
