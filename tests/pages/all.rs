//! Checks the Markdown pages: links, words, openings, the glossary, and that every error has its remedy.

mod errors;
mod glossary;
mod links;
mod messages;
mod page;
mod plain;
