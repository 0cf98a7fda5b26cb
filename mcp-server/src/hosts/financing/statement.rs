//! Lines of bank statements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::csv;
use frontdesk_protocol::financing::statement::{
    IngestStatement, Ingested, ListUnreconciled, ReconcileLine, StatementLine, UnreconcileLine,
};
use frontdesk_protocol::number::{self, Mark, Unread};
use frontdesk_protocol::record::{List, One, Record};
use frontdesk_protocol::value::{Amount, Day, LINE, Name, Text};
use serde::Serialize;
use serde_json::json;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, object};
use crate::database::params;
use crate::hosts::routes;

/// The maximum number of lines in a statement.
const LONGEST: usize = 2000;

impl Stored for StatementLine {
    const TABLE: &'static str = "financing.statement_lines";
    const ORDER: &'static str = "t.posted_on, t.id";
    const FILTERS: SqlByName = &[
        (
            "search",
            "t.description_key like (select app.search_pattern($))",
        ),
        ("is_open", "t.journal_entry_id is null"),
    ];
    const COMPUTED: SqlByName = &[("reference", "nullif(t.reference, '')")];
}

/// The columns of a statement. The reference is optional.
const COLUMNS: [&str; 4] = ["date", "description", "amount", "reference"];

/// A line of the file.
#[derive(Debug, Serialize)]
struct Told {
    date: Day,
    description: Text<1, 500, LINE>,
    amount: f64,
    reference: Option<Name>,
}

impl Told {
    /// Checks the cells of a line; the error is a message.
    fn check(
        [date, description, amount, reference]: [&str; 4],
        mark: Option<Mark>,
    ) -> Result<Told, String> {
        Ok(Told {
            date: Day::new(date)?,
            description: Text::new(description).map_err(|why| format!("description {why}"))?,
            amount: read_amount(amount, mark).map_err(|why| format!("amount {why}"))?,
            reference: (Some(reference).filter(|text| !text.is_empty()))
                .map(Name::new)
                .transpose()
                .map_err(|why| format!("reference {why}"))?,
        })
    }
}

/// Reads a signed amount; the error is a message.
fn read_amount(text: &str, mark: Option<Mark>) -> Result<f64, String> {
    let number = number::read(text, mark).map_err(|why| match why {
        Unread::Not => format!("must be a number such as -12.50, not {text}"),
        Unread::Either(..) => format!("{text} {why}"),
    })?;
    let number = number.as_f64().unwrap_or_default();
    Amount::new(number.abs())?;
    match number == 0.0 {
        true => Err("must not be 0".to_owned()),
        false => Ok(number),
    }
}

/// Parses a CSV file.
///
/// # Errors
/// `invalid_argument`, with the first wrong line and the reason.
fn read(content: &str) -> Result<Vec<Told>, ToolError> {
    let wrong = |line: u64, why: &str| {
        ToolError::invalid("content", format!("line {line}: {why}"))
            .hint("the first line is date,description,amount or date,description,amount,reference")
    };
    let content = content.trim_start_matches('\u{feff}');
    let rows = csv::rows(content, csv::separator(content));
    let rows: Result<Vec<_>, _> = rows.collect();
    let rows = rows.map_err(|error| wrong(error.line, &error.to_string()))?;
    let Some((header, rows)) = rows.split_first() else {
        return Err(wrong(1, "is missing"));
    };
    let place = |name: &&str| {
        let mut names = header.cells.iter();
        names.position(|cell| cell.trim().eq_ignore_ascii_case(name))
    };
    let places = COLUMNS.each_ref().map(place);
    if let Some(at) = places[..3].iter().position(Option::is_none) {
        return Err(wrong(
            header.line,
            &format!("has no column {}", COLUMNS[at]),
        ));
    }
    let cell = |row: &'_ csv::Row, at: usize| {
        let cell = places[at].and_then(|at| row.cells.get(at));
        cell.map_or_else(String::new, |cell| cell.trim().to_owned())
    };
    let amounts: Vec<_> = rows.iter().map(|row| cell(row, 2)).collect();
    let mark = number::mark(amounts.iter().map(String::as_str));
    let mut lines = Vec::new();
    for row in rows {
        let (count, expected) = (row.cells.len(), header.cells.len());
        if count != expected {
            let why = format!("has {count} cells, and the first line {expected}");
            return Err(wrong(row.line, &why));
        }
        let cells = [0, 1, 2, 3].map(|at| cell(row, at));
        let told = Told::check(cells.each_ref().map(String::as_str), mark);
        lines.push(told.map_err(|why| wrong(row.line, &why))?);
    }
    match lines.len() {
        0 => Err(wrong(header.line + 1, "is missing")),
        1..=LONGEST => Ok(lines),
        _ => Err(wrong(
            LONGEST as u64 + 2,
            "one statement has at most 2,000 lines",
        )),
    }
}

impl Handler for IngestStatement {
    async fn handle(self, call: &mut Call) -> Outcome<Ingested> {
        let lines = read(self.content.as_str())?;
        let sql = "with told as ( \
               select l.*, row_number() over (partition by l.date, l.amount, l.description, l.reference) as nth \
               from jsonb_to_recordset($2) as l (date date, amount numeric, description text, reference text)), \
             added as ( \
               insert into financing.statement_lines (account_id, posted_on, amount, description, reference, nth) \
               select $1, date, amount, description, coalesce(reference, ''), nth from told \
               on conflict do nothing returning 1) \
             select json_build_object('added', (select count(*) from added), 'already_there', \
               (select count(*) from told) - (select count(*) from added))::text";
        let ingested = call
            .json(sql, params![self.account_id, json!(lines)])
            .await?;
        ingested.ok_or_else(|| ToolError::not_found(StatementLine::SINGULAR))
    }
}

impl Handler for ListUnreconciled {
    async fn handle(self, call: &mut Call) -> Outcome<List<StatementLine>> {
        let mut arguments = object(&self);
        arguments.insert("is_open".to_owned(), json!(true));
        call.list(&arguments, self.limit, self.offset).await
    }
}

impl Handler for UnreconcileLine {
    async fn handle(self, call: &mut Call) -> Outcome<One<StatementLine>> {
        call.finally()
            .change(self.id, &json!({ "journal_entry_id": null }))
            .await
    }
}

routes![
    IngestStatement => own,
    ListUnreconciled => own,
    ReconcileLine,
    UnreconcileLine => own,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_digits_stays_a_text() {
        let content =
            "date,description,amount,reference\n2026-03-05,4711,-1.50,0012\n2026-03-06,true,2,\n";
        let lines = read(content).expect("lines");
        assert_eq!(
            json!(lines),
            json!([
                { "date": "2026-03-05", "description": "4711", "amount": -1.5, "reference": "0012" },
                { "date": "2026-03-06", "description": "true", "amount": 2.0, "reference": null },
            ])
        );
    }

    #[test]
    fn separators_are_those_of_the_bank() {
        let content = "Date;Description;Amount;Reference\r\n2027-04-14;\"Bar \"\"Zé\"\"\";-1.250,50;S1\r\n\
                       2027-04-15;Tram;1.250;\r\n";
        let lines = read(content).expect("lines");
        assert_eq!(
            json!(lines),
            json!([
                { "date": "2027-04-14", "description": "Bar \"Zé\"", "amount": -1250.5, "reference": "S1" },
                { "date": "2027-04-15", "description": "Tram", "amount": 1250.0, "reference": null },
            ])
        );
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
                "date,description,amount\n2026-03-05,Rent,-1\n5 March,Rent,-1\n",
                "line 3: must be a day such as 2026-03-05",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,R$ 5\n",
                "line 2: amount must be a number such as -12.50, not R$ 5",
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
                "date,description,amount\n2026-03-05,Rent,NaN\n",
                "line 2: amount must be a number such as -12.50, not NaN",
            ),
            (
                "date,description,amount\n2026-03-05,\"Rent,-1\n2026-03-06,Tram,-2\n2026-03-07,\"Zé\" Bar,-3\n",
                "line 2: no quotation mark closes the cell that begins with \"Rent,-1; remove the mark, or write \
                 \"\" for a mark in a quoted text",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,-1.250\n",
                "line 2: amount -1.250 can be -1250 or -1.25; write one of them",
            ),
            (
                "date,description,amount\n2026-03-05,Rent, -1, more\n",
                "line 2: has 4 cells, and the first line 3",
            ),
        ] {
            let refused = read(content).expect_err(content);
            assert_eq!(refused.field.as_deref(), Some("content"));
            assert_eq!(refused.message, message);
        }
    }
}
