//! The lines of a statement: a table of our own form, or lines that a client has read in a bank's file.

use std::collections::BTreeMap;

use frontdesk_protocol::ToolError;
use frontdesk_protocol::csv::{self, Row};
use frontdesk_protocol::financing::statement::ReadLine;
use frontdesk_protocol::number::{self, Mark};
use frontdesk_protocol::value::{Amount, Day, LINE, Name, Text};
use serde::Serialize;

use crate::permits::Permit;

/// The maximum number of lines in a statement.
const LONGEST: usize = 2000;
/// The columns; the reference is optional.
const COLUMNS: [&str; 4] = ["date", "description", "amount", "reference"];
/// The words of banks for a payment that is not booked yet, in a description without case.
pub(super) const PENDING: &str =
    "pending|pendente|pendiente|vorgemerkt|en attente|autoriza|authori[sz]|in attesa";

/// A statement.
#[derive(Debug)]
pub(in crate::hosts) struct Statement {
    pub(super) lines: Vec<Told>,
    /// The names of columns that are not read.
    pub(super) unknown_columns: Vec<String>,
}

/// A line of the file.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    line: u64,
    date: Day,
    description: Text<1, 500, LINE>,
    amount: f64,
    reference: String,
    /// Why it may not belong to the account.
    doubt: Option<String>,
}

/// An amount to the cent that is not 0; the error is a message.
fn amount(number: f64) -> Result<f64, String> {
    Amount::new(number.abs()).map_err(|why| format!("amount {why}"))?;
    match number == 0.0 {
        true => Err("amount must not be 0".to_owned()),
        false => Ok(number),
    }
}

/// Lines that a client has read. `own` is the organisation's currency; or, if the file has several and not that one, its
/// most frequent one.
///
/// # Errors
/// `invalid_argument`, with the first wrong line and the reason.
pub(super) fn of(_: &Permit, lines: Vec<ReadLine>, own: &str) -> Result<Statement, ToolError> {
    let wrong = |why: String| ToolError::invalid("lines", why);
    if lines.is_empty() || lines.len() > LONGEST {
        let why = format!("must have 1 to {LONGEST} lines, not {}", lines.len());
        return Err(wrong(why));
    }
    let mut counts = BTreeMap::new();
    for code in lines.iter().filter_map(|line| line.currency.as_ref()) {
        *counts.entry(code.as_str()).or_insert(0) += 1;
    }
    let most = counts.iter().rev().max_by_key(|(_, count)| **count);
    let expected = match most.filter(|_| counts.len() > 1 && !counts.contains_key(own)) {
        Some((code, _)) => (*code).to_owned(),
        None => own.to_owned(),
    };
    let lines = lines.into_iter().map(|line| {
        let amount =
            amount(line.amount).map_err(|why| wrong(format!("line {}: {why}", line.line.get())))?;
        let other = line.currency.filter(|code| code.as_str() != expected);
        let other = other.map(|code| format!("it is in {}, not {expected}", code.as_str()));
        Ok(Told {
            line: line.line.get().unsigned_abs(),
            date: line.date,
            description: line.description,
            amount,
            reference: line
                .reference
                .map_or_else(String::new, |reference| reference.as_str().to_owned()),
            doubt: line.doubt.map(|doubt| doubt.as_str().to_owned()).or(other),
        })
    });
    Ok(Statement {
        lines: lines.collect::<Result<_, _>>()?,
        unknown_columns: Vec::new(),
    })
}

/// Reads a table with the columns date, description, amount and reference.
///
/// # Errors
/// `invalid_argument`, with the first wrong line and the reason.
pub(in crate::hosts) fn read(_: &Permit, content: &str) -> Result<Statement, ToolError> {
    let wrong = |line: u64, why: &str| {
        ToolError::invalid("content", format!("line {line}: {why}")).hint(
            "the first line is date,description,amount or date,description,amount,reference; what a bank's file says goes \
             into `lines`",
        )
    };
    let content = content.trim_start_matches('\u{feff}');
    let rows = csv::rows(content, csv::separator(content)).take(LONGEST + 2);
    let rows: Result<Vec<_>, _> = rows.collect();
    let rows = rows.map_err(|error| wrong(error.line, &error.to_string()))?;
    let Some((header, rows)) = rows.split_first() else {
        return Err(wrong(1, "is missing"));
    };
    let names: Vec<_> = header
        .cells
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect();
    let places = COLUMNS.map(|column| names.iter().position(|name| name == column));
    for (column, place) in COLUMNS.iter().zip(places).take(3) {
        if place.is_none() {
            return Err(wrong(header.line, &format!("has no column {column}")));
        }
    }
    if rows.is_empty() {
        return Err(wrong(header.line + 1, "is missing"));
    }
    if rows.len() > LONGEST {
        return Err(wrong(
            LONGEST as u64 + 2,
            "one statement has at most 2,000 lines",
        ));
    }
    let told = rows.iter().map(|row| {
        let (count, expected) = (row.cells.len(), header.cells.len());
        let mut more = row.cells.iter().skip(expected);
        if count < expected || more.any(|cell| !cell.trim().is_empty()) {
            return Err(wrong(
                row.line,
                &format!("has {count} cells, and the first line {expected}"),
            ));
        }
        told(row, places).map_err(|why| wrong(row.line, &why))
    });
    let lines = told.collect::<Result<_, _>>()?;
    let unknown = header.cells.iter().enumerate();
    let unknown =
        unknown.filter(|(at, name)| !name.trim().is_empty() && !places.contains(&Some(*at)));
    Ok(Statement {
        lines,
        unknown_columns: unknown.map(|(_, name)| name.trim().to_owned()).collect(),
    })
}

/// Reads a line; the error is a message.
fn told(
    row: &Row,
    [date, description, amount, reference]: [Option<usize>; 4],
) -> Result<Told, String> {
    let cell = |at: Option<usize>| {
        at.and_then(|at| row.cells.get(at))
            .map_or("", |cell| cell.trim())
    };
    let words = cell(description)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let number = number::read(cell(amount), Some(Mark::Point));
    let number = number.map_err(|_| {
        format!(
            "amount must be a number such as -12.50, not {}",
            cell(amount)
        )
    })?;
    let reference = cell(reference).to_owned();
    if !reference.is_empty() {
        Name::new(&*reference).map_err(|why| format!("reference {why}"))?;
    }
    Ok(Told {
        line: row.line,
        date: Day::new(cell(date)).map_err(str::to_owned)?,
        description: Text::new(words).map_err(|why| format!("description {why}"))?,
        amount: self::amount(number.as_f64().unwrap_or_default())?,
        reference,
        doubt: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_of_digits_stays_a_text() {
        let content = "date,description,amount,reference\n2026-03-05,4711,-1.50,0012\n2026-03-06,\"Bar \"\"Zé\"\"\",2,\n";
        let statement = read(&Permit::ALONE, content).expect("a statement");
        let expected = json!([
            { "line": 2, "date": "2026-03-05", "description": "4711", "amount": -1.5, "reference": "0012", "doubt": null },
            { "line": 3, "date": "2026-03-06", "description": "Bar \"Zé\"", "amount": 2.0, "reference": "", "doubt": null },
        ]);
        assert_eq!(json!(statement.lines), expected);
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        for (content, message) in [
            ("date,description,amount\n", "line 2: is missing"),
            (
                "date,amount\n2026-03-05,1\n",
                "line 1: has no column description",
            ),
            (
                "Buchungstag;Verwendungszweck;Betrag\n13.04.2027;Miete;-12,50\n",
                "line 1: has no column date",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,-1\n5 March,Rent,-1\n",
                "line 3: must be a day such as 2026-03-05",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,soon\n",
                "line 2: amount must be a number such as -12.50, not soon",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,1.005\n",
                "line 2: amount must have at most two decimal places, not 1.005",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,0\n",
                "line 2: amount must not be 0",
            ),
            (
                "date,description,amount\n2026-03-05,\"Rent,-1\n2026-03-06,Tram,-2\n2026-03-07,\"Zé\" Bar,-3\n",
                "line 2: no quotation mark closes the cell that begins with \"Rent,-1; remove the mark, or write \
                 \"\" for a mark in a quoted text",
            ),
            (
                "date,description,amount\n2026-03-05,Rent, -1, more\n",
                "line 2: has 4 cells, and the first line 3",
            ),
        ] {
            let refused = read(&Permit::ALONE, content).expect_err(content);
            assert_eq!(refused.field.as_deref(), Some("content"));
            assert_eq!(refused.message, message);
        }
    }
}
