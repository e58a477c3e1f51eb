//! The pages of a Parquet file, before they are believed.

use parquet::{
    column::page::{Page, PageMetadata, PageReader},
    errors::{ParquetError, Result},
};

/// Pages of a column of numbers, unless they say that there is more in them than there can be: their reader takes memory for as many values
/// as a dictionary says it has.
pub(super) struct CheckedPages(pub(super) Box<dyn PageReader>);

fn checked(page: Option<Page>) -> Result<Option<Page>> {
    match page {
        // No number is shorter than a byte.
        Some(Page::DictionaryPage {
            buf, num_values, ..
        }) if num_values as usize > buf.len() => Err(ParquetError::General(format!(
            "a dictionary of {} bytes says that it has {num_values} values",
            buf.len()
        ))),
        page => Ok(page),
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        checked(self.0.get_next_page()?)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.0.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        checked(self.0.take_deferred_dictionary()?)
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.0.at_record_boundary()
    }
}
