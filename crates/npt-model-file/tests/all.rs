//! The tests of model files, in one program.

mod by_name;
mod contents;
mod ends;
mod files;
mod hostile;
mod parts;
mod round_trips;
