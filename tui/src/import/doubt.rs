//! What somebody has to decide about a row.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use frontdesk_protocol::{number, text};

use super::same;
use crate::look::text::fold;

/// The first words of rows that add up others.
const TOTALS: [&str; 14] = [
    "total", "totals", "subtotal", "sum", "soma", "suma", "somme", "summe", "gesamt", "totale",
    "totaal", "totais", "grand", "razem",
];

/// The kinds of questionable rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum About {
    /// The row may have been imported.
    Again,
    /// A record or another row is nearly the same.
    Similar,
    /// The row has no e-mail address.
    Email,
    /// The row has no key.
    Key,
    /// A telephone number without digits.
    Phone,
    /// The row repeats the header.
    Header,
    /// The row is above the header.
    Title,
    /// The row adds up others.
    Total,
    /// The row says that it does not count: declined, cancelled, not paid.
    Status,
    /// Another organisation's e-mail address.
    Domain,
    /// Invisible characters, or letters of several scripts in a word.
    Characters,
    /// The clock skips the time, or shows it twice.
    Time,
    /// The row is hidden.
    Hidden,
    /// A cell has an error or no value, or says that a bank's line may not belong to the account.
    Cell,
}

impl About {
    /// All kinds.
    pub const ALL: [About; 14] = [
        About::Again,
        About::Similar,
        About::Email,
        About::Key,
        About::Phone,
        About::Header,
        About::Title,
        About::Total,
        About::Status,
        About::Domain,
        About::Characters,
        About::Time,
        About::Hidden,
        About::Cell,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            About::Again => "again",
            About::Similar => "similar",
            About::Email => "email",
            About::Key => "key",
            About::Phone => "phone",
            About::Header => "header",
            About::Title => "title",
            About::Total => "total",
            About::Status => "status",
            About::Domain => "domain",
            About::Characters => "characters",
            About::Time => "time",
            About::Hidden => "hidden",
            About::Cell => "cell",
        }
    }
}

/// Why somebody has to decide about a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Its kind.
    pub about: About,
    /// A sentence about the row.
    pub reason: String,
}

impl Doubt {
    pub(super) fn new(about: About, reason: impl Into<String>) -> Doubt {
        Doubt {
            about,
            reason: reason.into(),
        }
    }
}

/// A part of a file, such as a line, and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its line in the file, if the host names it.
    pub line: Option<u32>,
    /// `add`, `same`, `questionable` or `wrong`.
    pub word: &'static str,
    /// Why it is questionable.
    pub doubts: Vec<Doubt>,
    /// What it is.
    pub text: String,
}

impl Part {
    /// A row that is not a line of the statement, and the reason.
    pub(super) fn wrong(line: u64, text: String) -> Part {
        Part {
            line: u32::try_from(line).ok(),
            word: "wrong",
            doubts: Vec::new(),
            text,
        }
    }
}

/// The questionable rows that are imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accepted {
    /// All rows of these kinds.
    pub kinds: BTreeSet<About>,
    /// The rows with these lines.
    pub lines: BTreeSet<u64>,
}

impl Accepted {
    /// Whether a row with these doubts is imported.
    #[must_use]
    pub fn has(&self, line: u64, doubts: &[Doubt]) -> bool {
        let mut kinds = doubts.iter().map(|doubt| doubt.about);
        self.lines.contains(&line) || kinds.all(|about| self.kinds.contains(&about))
    }

    /// All that either accepts.
    pub fn add(&mut self, other: &Accepted) {
        self.kinds.extend(&other.kinds);
        self.lines.extend(&other.lines);
    }
}

/// `all`, the word of a kind, or the line of a row.
impl FromStr for Accepted {
    type Err = String;

    fn from_str(text: &str) -> Result<Accepted, String> {
        let kinds = About::ALL.into_iter();
        let kinds: BTreeSet<_> = kinds
            .filter(|about| text == "all" || about.word() == text)
            .collect();
        let lines: BTreeSet<u64> = text.parse().into_iter().collect();
        if kinds.is_empty() && lines.is_empty() {
            let words = About::ALL.map(About::word).join(", ");
            return Err(format!("must be the line of a row, all, or one of {words}"));
        }
        Ok(Accepted { kinds, lines })
    }
}

/// What is odd about the whole row.
pub(super) fn of_row(header: &[String], cells: &[String], is_title: bool) -> Option<Doubt> {
    if is_title {
        return Some(Doubt::new(About::Title, "is above the header"));
    }
    let mut filled = cells
        .iter()
        .zip(header)
        .filter(|(cell, _)| !cell.trim().is_empty());
    let (first, _) = filled.clone().next()?;
    if filled
        .clone()
        .all(|(cell, name)| fold(cell.trim()) == fold(name))
    {
        return Some(Doubt::new(About::Header, "repeats the header"));
    }
    let first = fold(first.trim());
    let word = first.split([' ', ':']).next().unwrap_or_default();
    let is_amount = |text: &str| {
        let is_of_it = |char: char| char.is_ascii_digit() || " .,-+()%'".contains(char);
        text.contains(|char: char| char.is_ascii_digit())
            && text.contains(is_of_it)
            && !matches!(
                number::read(text.trim_matches(|char: char| !is_of_it(char)), None),
                Err(number::Unread::Not)
            )
    };
    let is_total =
        TOTALS.contains(&word) && filled.by_ref().skip(1).all(|(cell, _)| is_amount(cell));
    is_total.then(|| Doubt::new(About::Total, "adds up other rows"))
}

/// What is odd about a cell.
pub(super) fn of_cell(argument: &str, cell: &str) -> Option<Doubt> {
    let name = argument.rsplit('.').next().unwrap_or_default();
    if same::is_email(name) && !same::is_address(cell) {
        return Some(Doubt::new(
            About::Email,
            format!("{argument} “{cell}” is no e-mail address; it is left out"),
        ));
    }
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    if name.contains("phone") && digits < 7 && cell.contains(char::is_alphabetic) {
        return Some(Doubt::new(
            About::Phone,
            format!("{argument} “{cell}” is no telephone number"),
        ));
    }
    if same::is_strict(name) {
        return None;
    }
    let visible = text::visible(cell);
    let mut kept = visible.chars();
    if let Some(removed) = cell.chars().find(|char| Some(*char) != kept.next()) {
        let removed = text::number(removed);
        return Some(Doubt::new(
            About::Characters,
            format!("{argument} has {removed}, which is invisible; it is removed"),
        ));
    }
    let mixed = text::number(text::mixed(cell)?);
    Some(Doubt::new(
        About::Characters,
        format!("{argument} has {mixed}, which looks like a letter of another script"),
    ))
}

/// The domain of most of these addresses, if at least half have it and no other one is as frequent.
pub(super) fn domain<'a>(addresses: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut total = 0;
    for domain in addresses.filter_map(domain_of) {
        *counts.entry(domain).or_default() += 1;
        total += 1;
    }
    let (domain, count) = counts.iter().max_by_key(|(_, count)| **count)?;
    let is_alone = counts.values().filter(|other| *other == count).count() == 1;
    (*count > 1 && count * 2 >= total && is_alone).then(|| domain.clone())
}

/// The domain of an address.
pub(super) fn domain_of(address: &str) -> Option<String> {
    let (_, domain) = address.trim().rsplit_once('@')?;
    Some(domain.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_odd_about_a_row_is_found() {
        let header = ["Name", "Amount"].map(str::to_owned);
        for (cells, expected) in [
            (["Ana", "12"], None),
            (["NAME", "amount"], Some(About::Header)),
            (["name", ""], Some(About::Header)),
            (["Total", "1.250,50 €"], Some(About::Total)),
            (["TOTAL GERAL:", "12"], Some(About::Total)),
            (["Total", ""], Some(About::Total)),
            (["Total Recall", "tr@example.org"], None),
            (["Sumerian", "12"], None),
            (["", "12"], None),
        ] {
            let cells = cells.map(str::to_owned);
            let found = of_row(&header, &cells, false).map(|doubt| doubt.about);
            assert_eq!(found, expected, "{cells:?}");
        }
    }

    #[test]
    fn what_is_odd_about_a_cell_is_found() {
        for (argument, cell, expected) in [
            ("email", "ana@example.org", None),
            (
                "email",
                "n/a",
                Some("email “n/a” is no e-mail address; it is left out"),
            ),
            (
                "phone_number",
                "ask Maria",
                Some("phone_number “ask Maria” is no telephone number"),
            ),
            ("phone_number", "+55 11 98765-4321 ext. 2", None),
            (
                "name",
                "An\u{200b}a",
                Some("name has U+200B, which is invisible; it is removed"),
            ),
            ("name", "👩\u{200d}👧", None),
            (
                "name",
                "\u{410}na",
                Some("name has U+0410, which looks like a letter of another script"),
            ),
            ("tags.ticket_code", "A\u{200b}", None),
        ] {
            let found = of_cell(argument, cell).map(|doubt| doubt.reason);
            assert_eq!(found.as_deref(), expected, "{argument}: {cell:?}");
        }
    }
}
