//! Tables as text.

use std::fmt;

/// Columns of text, each as wide as its longest entry.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Makes a table of these titles and the names of the scores, or "score" if they have no names.
    pub(super) fn of_scores(titles: &[&str], scores: &[String]) -> Self {
        let mut all: Vec<String> = titles.iter().map(ToString::to_string).collect();
        match scores {
            [] => all.push("score".to_owned()),
            names => all.extend_from_slice(names),
        }
        Self { rows: vec![all] }
    }

    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // The last entry of a short row does not widen its column for the other rows.
        let entry = |row: &Vec<String>, column: usize| {
            let is_last = row.len() == column + 1 && column + 1 < columns;
            (!is_last).then(|| row.get(column).map_or(0, |text| text.chars().count()))
        };
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.rows.iter().filter_map(|row| entry(row, column)).max())
            .map(|widest| widest.unwrap_or(0))
            .collect();
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            write!(f, "{}", cells.join("   ").trim_end())?;
        }
        Ok(())
    }
}

/// Writes a score with four digits after the point, or in powers of ten where it is too small or too large for that.
pub(super) fn number(value: f64) -> String {
    // Adds 0, so that zero has no sign.
    let value = value + 0.0;
    let size = value.abs();
    if size == 0.0 || (1e-3..1e6).contains(&size) {
        format!("{value:.4}")
    } else {
        format!("{value:.3e}")
    }
}
