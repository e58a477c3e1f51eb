//! Tests fits and files that are watched and stopped. They are a program of their own, as the subscriber is that of the whole program.

mod counts;
mod ends;
mod finishes;
mod onlooker;
mod reports;
mod stages;
