//! Tables in Markdown.

use std::fmt;

/// Lines of cells under a head; the first columns are text, the others are numbers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    head: Vec<String>,
    text_columns: usize,
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table without lines, whose first column is text.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|cell| (*cell).to_owned()).collect(), text_columns: 1, lines: Vec::new() }
    }

    /// The same with so many columns of text at the left.
    pub(crate) fn with_text_columns(self, text_columns: usize) -> Self {
        Self { text_columns, ..self }
    }

    /// Adds a line with as many cells as the head.
    pub(crate) fn line(&mut self, cells: Vec<String>) {
        self.lines.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.head.join(" | "))?;
        let numbers = self.head.len() - self.text_columns;
        writeln!(f, "|{}{}", " --- |".repeat(self.text_columns), " ---: |".repeat(numbers))?;
        for line in &self.lines {
            writeln!(f, "| {} |", line.join(" | "))?;
        }
        Ok(())
    }
}
