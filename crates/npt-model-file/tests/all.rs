//! The tests of model files, in one program.

mod files;
mod hostile;
mod round_trips;
