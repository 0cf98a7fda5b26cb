//! People and records that are nearly the same as those of a row.

use super::doubt::{About, Doubt};
use super::matching::{Existing, Keys, OWN};
use super::{Import, same};
use crate::look::text::fold;

/// The number of wrong characters in two spellings of an e-mail address.
const TYPOS: usize = 2;

impl Import {
    /// Whether the records are people, who are known by their addresses.
    pub(super) fn is_of_people(&self, name: Option<&str>) -> bool {
        let mut arguments = self.arguments.iter();
        name == Some("name") && arguments.any(|one| OWN.contains(&one.name.as_str()))
    }

    /// The address of the person in the row at this place.
    fn address(&self, at: usize) -> String {
        let row = &self.sheet.rows[at];
        let mut cells = OWN.iter().filter_map(|own| self.cell(row, own));
        let address = cells.find(|cell| same::is_address(cell.trim()));
        address.unwrap_or_default().trim().to_lowercase()
    }

    /// The record, or the row above, whose key differs only in case and accents.
    pub(super) fn nearly(
        &self,
        existing: &Existing,
        keys: &Keys,
        at: usize,
        text: &str,
    ) -> Option<Doubt> {
        let rows = keys.similar.get(&fold(text))?.iter();
        let mut rows = rows.take_while(|other| **other < at);
        let row = rows.find(|other| keys.all[**other].as_deref() != Ok(text));
        let row = row.map(|other| format!("line {}", self.sheet.rows[*other].line));
        let record = || Some(format!("“{}”", existing.similar.get(&fold(text))?));
        let other = row.or_else(record)?;
        let key = &existing.key;
        Some(Doubt::new(
            About::Similar,
            format!("has nearly the same {key} as {other}"),
        ))
    }

    /// The person of the same name, whose address is missing or nearly the same.
    pub(super) fn namesake(&self, existing: &Existing, keys: &Keys, at: usize) -> Option<Doubt> {
        let name = self.name(existing, at);
        let address = self.address(at);
        if name.is_empty() || !self.is_of_people(existing.name) {
            return None;
        }
        let is_near = |other: &str| {
            other.is_empty()
                || address.is_empty()
                || strsim::damerau_levenshtein(other, &address) <= TYPOS
        };
        let folded = fold(&name);
        let rows = keys.people.get(&folded).into_iter().flatten();
        let mut rows = rows.take_while(|other| **other < at);
        let row = rows.find(|other| is_near(&self.address(**other)));
        let row = row.map(|other| format!("line {}", self.sheet.rows[*other].line));
        let record = || {
            let mut known = existing.people.get(&folded)?.iter();
            let known = known.find(|known| is_near(known))?;
            Some(match known.is_empty() {
                true => format!("“{name}”, who has no e-mail address"),
                false => format!("“{name}”, {known}"),
            })
        };
        let other = record().or(row)?;
        let reason = format!("may be the same person as {other}");
        Some(Doubt::new(About::Similar, reason))
    }

    /// Why the row at this place has no address of a person, if the sheet has a column of them.
    pub(super) fn no_address(&self, at: usize) -> Option<Doubt> {
        let mut columns = self.columns.iter().flatten();
        let own = columns.find(|one| OWN.contains(&one.as_str()))?;
        let row = &self.sheet.rows[at];
        let mut cells = OWN.iter().filter_map(|own| self.cell(row, own));
        let is_missing = cells.all(|cell| cell.trim().is_empty());
        is_missing.then(|| Doubt::new(About::Email, format!("has no {own}")))
    }
}
