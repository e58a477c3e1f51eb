//! The tests that are the same for both linear algebras, in one program: so linfa's generic code is compiled once.

mod accuracy;
mod adapter;
mod bad_input;
mod blocks;
mod classifiers;
mod estimators;
mod expansion;
mod far_rows;
mod kernel_maps;
mod kernel_values;
mod low_rank;
mod methods;
mod model_selection;
mod pivots;
mod repeatable;
mod sharing;
mod structured;
mod support;
mod svc_labels;
mod tables;
mod threads;
mod weights;
