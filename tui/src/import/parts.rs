//! What a header leaves open: half a name, several addresses, a name of two columns.

use frontdesk_client::imports::Columns;

use super::aliases::{is_buyers, is_name_part, is_namelike, is_numbered, key};
use super::{Import, same};

/// The argument for which columns can be joined.
pub(super) const NAME: &str = "name";
/// The number of rows whose readings are shown.
const SHOWN: usize = 3;

impl Import {
    /// Joins columns that are all for the name, and returns the choices for the columns then.
    pub(super) fn join_given(
        &mut self,
        given: &[(String, String)],
        chosen: &Columns,
    ) -> Vec<(String, String)> {
        let mut given = given.to_vec();
        let choice = |column: &str| {
            let own = given
                .iter()
                .rev()
                .find(|(name, _)| key(name) == key(column));
            own.map(|(_, argument)| argument)
                .or_else(|| chosen.get(column))
        };
        let is_part =
            |at: &usize| choice(&self.header[*at]).is_some_and(|argument| argument == NAME);
        let places: Vec<_> = (0..self.header.len()).filter(is_part).collect();
        let places = if places.len() > 1 { places } else { Vec::new() };
        if let Some(joined) = self.sheet.join_chosen(places.clone()) {
            for at in places {
                given.retain(|(name, _)| key(name) != key(&self.header[at]));
                given.push((self.header[at].clone(), String::new()));
            }
            given.push((joined, NAME.to_owned()));
        }
        given
    }

    /// What is asked of the columns that nobody has decided: whether they are the other half of a name, or have the
    /// address that is meant, or belong to a column of the same name.
    pub(super) fn ask_parts(&self, open: &[String], decided: &[String]) -> Option<String> {
        self.ask_repeated(open)
            .or_else(|| match self.is_of_people(Some(NAME)) {
                true => self
                    .ask_name(open, decided)
                    .or_else(|| self.ask_address(open, decided)),
                false => None,
            })
    }

    /// The place of the column for this argument.
    fn place(&self, argument: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|one| one.as_deref() == Some(argument))
    }

    /// The cells of two columns, in the rows in which both are filled.
    fn pairs(&self, one: usize, other: usize) -> impl Iterator<Item = (&str, &str)> {
        let cell = |row: &'_ super::Row, at: usize| row.cells.get(at).map(|cell| cell.trim().len());
        let rows = self.sheet.rows.iter();
        let rows = rows.filter(move |row| cell(row, one) > Some(0) && cell(row, other) > Some(0));
        rows.map(move |row| (row.cells[one].trim(), row.cells[other].trim()))
    }

    fn ask_repeated(&self, open: &[String]) -> Option<String> {
        let mut repeats = self.sheet.repeats.iter();
        repeats.find_map(|(first, at)| {
            let (name, other) = (self.sheet.header.get(*first)?, self.sheet.header.get(*at)?);
            let argument = self.columns[*first].as_ref().filter(|_| open.contains(other))?;
            let (one, two) = self.pairs(*first, *at).find(|(one, two)| one != two)?;
            Some(format!(
                "the columns {} and {} have the same name, “{name}”, and differ ({one}; {two}): give --map \
                 \"{other}=\" to take the first one, or --map \"{name}=\" --map \"{other}={argument}\"",
                first + 1,
                at + 1
            ))
        })
    }

    fn ask_name(&self, open: &[String], decided: &[String]) -> Option<String> {
        let at = self.place(NAME)?;
        let name = &self.sheet.header[at];
        if !self.sheet.joined.is_empty() || !is_name_part(name) || decided.contains(name) {
            return None;
        }
        let mut others = self.sheet.header.iter().enumerate();
        let (other_at, other) = others.find(|(other_at, other)| {
            let mut pairs = self.pairs(at, *other_at);
            let has_other = |(name, other): (&str, &str)| !key(name).contains(&key(other));
            open.contains(other) && is_namelike(other) && pairs.any(has_other)
        })?;
        let pairs: Vec<_> = self.pairs(at, other_at).take(SHOWN).collect();
        let alone: Vec<_> = pairs.iter().map(|(name, _)| *name).collect();
        let joined: Vec<_> = pairs
            .iter()
            .map(|(name, other)| format!("{name} {other}"))
            .collect();
        Some(format!(
            "“{name}” can be the whole name ({}), or a part of it beside “{other}” ({}): give --map \"{other}=\" to leave \
             that column out, --map \"{name}=\" --map \"{other}=name\" to take it alone, or --map \"{name}=name\" --map \
             \"{other}=name\" to join both",
            alone.join(", "),
            joined.join(", ")
        ))
    }

    fn ask_address(&self, open: &[String], decided: &[String]) -> Option<String> {
        let at = self.place("email")?;
        let name = &self.sheet.header[at];
        if super::aliases::is_attendees(name) || decided.contains(name) {
            return None;
        }
        let mut others = self.sheet.header.iter().enumerate();
        let (other_at, other) = others.find(|(other_at, other)| {
            let mut pairs = self.pairs(at, *other_at).peekable();
            let is_asked = open.contains(other) && !is_buyers(other) && !is_numbered(other);
            is_asked
                && pairs.peek().is_some()
                && self
                    .pairs(at, *other_at)
                    .all(|(_, other)| same::is_address(other))
                && pairs.any(|(one, other)| key(one) != key(other))
        })?;
        let pairs: Vec<_> = self.pairs(at, other_at).take(SHOWN).collect();
        let one: Vec<_> = pairs.iter().map(|(one, _)| *one).collect();
        let two: Vec<_> = pairs.iter().map(|(_, other)| *other).collect();
        Some(format!(
            "“{name}” ({}) and “{other}” ({}) have different addresses: give --map \"{other}=\" to take the first one, or \
             --map \"{name}=\" --map \"{other}=email\"",
            one.join(", "),
            two.join(", ")
        ))
    }
}
