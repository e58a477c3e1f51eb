//! Fits and files that are watched and stopped, in a program of their own: what looks on is the whole program's.

mod counts;
mod ends;
mod finishes;
mod onlooker;
mod reports;
mod stages;
