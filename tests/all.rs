//! All tests but that of memory, in one program: linfa's generic code is compiled once.

mod accuracy;
mod adapter;
mod bad_input;
mod blocks;
mod classifiers;
mod equivalence;
mod estimators;
mod expansion;
mod far_rows;
mod kernel_maps;
mod kernel_values;
mod laws;
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
