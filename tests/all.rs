//! All tests but that of memory, in one program: linfa is linked once.

mod adapter;
mod bad_input;
mod equivalence;
mod estimators;
mod expansion;
mod kernel_values;
mod laws;
mod model_selection;
mod structured;
