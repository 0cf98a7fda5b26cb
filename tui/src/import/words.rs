//! What people read about an import.

use std::path::Path;

use super::{Difference, Fate, Import, Row, zone_warning};

impl Import {
    /// The file, the argument of each column, what nobody can know, and the key.
    #[must_use]
    pub fn overview(&self, file: &Path) -> Vec<String> {
        let count = self.sheet.rows.len();
        let rows = if count == 1 { "row" } else { "rows" };
        let format = self.sheet.format_words();
        let mut lines = vec![format!("{}: {count} {rows}, {format}", file.display())];
        let named = self.columns().filter(|(name, _)| !name.is_empty());
        lines.extend(named.map(|(name, argument)| match argument {
            Some(argument) => format!("  {name} → {argument}"),
            None => format!("  {name}: not imported"),
        }));
        lines.extend(self.sheet.notes.iter().cloned());
        lines.extend(self.left_out());
        lines.extend(zone_warning());
        let open = |at: &Option<(String, String)>, give: &str| {
            let (column, text) = at.as_ref()?;
            Some(format!("“{column}” has {text}: give {give}"))
        };
        let dates = "--dates day-first or --dates month-first";
        lines.extend(open(&self.open.dates, dates));
        let numbers = "--decimals point or --decimals comma";
        lines.extend(open(&self.open.numbers, numbers));
        lines.push(match self.key() {
            Some(key) => format!("Rows are matched with records by {key}"),
            None => "Rows are not matched with records".to_owned(),
        });
        lines
    }

    /// The rows that say that they do not count.
    pub(super) fn left_out(&self) -> Vec<String> {
        let rows = self.sheet.rows.iter().map(|row| row.cells.as_slice());
        self.statuses().summary(&self.sheet.header, rows)
    }

    /// What a person reads about a row.
    #[must_use]
    pub fn told(&self, row: &Row, fate: &Fate) -> String {
        match fate {
            Fate::Add(_) | Fate::Unchanged | Fate::Done => self.title(row),
            Fate::Change(_, differences) => {
                let changes = differences.iter().map(|one| {
                    let Difference { argument, old, new } = one;
                    match old.is_empty() {
                        true => format!("{argument} {new}"),
                        false => format!("{argument} {old} → {new}"),
                    }
                });
                let changes: Vec<_> = changes.collect();
                match changes.is_empty() {
                    true => self.title(row),
                    false => format!("{}: {}", self.title(row), changes.join(", ")),
                }
            }
            Fate::Questionable(doubts, _) => {
                let reasons = doubts.iter().map(|doubt| doubt.reason.as_str());
                reasons.collect::<Vec<_>>().join("; ")
            }
            Fate::Wrong(reason) => reason.clone(),
        }
    }

    /// The cells that identify the row for a person: the first two that are imported.
    fn title(&self, row: &Row) -> String {
        let cells = row.cells.iter().zip(&self.columns);
        let cells = cells.filter(|(cell, argument)| argument.is_some() && !cell.trim().is_empty());
        let cells: Vec<_> = cells.take(2).map(|(cell, _)| cell.trim()).collect();
        cells.join(", ")
    }
}
