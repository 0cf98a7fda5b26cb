//! Lines of bank statements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::financing::statement::{
    IngestStatement, Ingested, ListUnreconciled, ReconcileLine, StatementLine, UnreconcileLine,
};
use frontdesk_protocol::record::{List, One, Record};
use frontdesk_protocol::value::{Amount, Day, Name, Text};
use serde::{Deserialize, Serialize};
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

/// A line of the file, as text: a reference of digits keeps its zeros.
#[derive(Debug, Deserialize)]
struct Line {
    date: String,
    description: String,
    amount: String,
    #[serde(default)]
    reference: Option<String>,
}

/// A line with its values.
#[derive(Debug, Serialize)]
struct Told {
    date: Day,
    description: Text<1, 500>,
    amount: f64,
    reference: Option<Name>,
}

impl Line {
    /// Checks the values; the error is a message.
    fn check(self) -> Result<Told, String> {
        Ok(Told {
            date: Day::new(&self.date)?,
            description: Text::new(self.description).map_err(|why| format!("description {why}"))?,
            amount: amount(&self.amount).map_err(|why| format!("amount {why}"))?,
            reference: (self.reference.map(Name::new).transpose())
                .map_err(|why| format!("reference {why}"))?,
        })
    }
}

/// Reads a signed amount; the error is a message.
fn amount(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "must be a number such as -12.50")?;
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
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(content.as_bytes());
    let mut lines = Vec::new();
    let mut rows = reader.deserialize::<Line>();
    loop {
        let at = rows.reader().position().line();
        let Some(line) = rows.next() else { break };
        let line = line.map_err(|error| {
            let at = error.position().map_or(1, csv::Position::line);
            match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => wrong(at, &err.to_string()),
                _ => wrong(at, &error.to_string()),
            }
        })?;
        lines.push(line.check().map_err(|why| wrong(at, &why))?);
    }
    match lines.len() {
        0 => Err(wrong(2, "is missing")),
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
    fn a_line_that_is_wrong_is_named() {
        for (content, message) in [
            ("date,description,amount\n", "line 2: is missing"),
            (
                "date,amount\n2026-03-05,1\n",
                "line 2: missing field `description`",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,-1\n5 March,Rent,-1\n",
                "line 3: must be a day such as 2026-03-05",
            ),
            (
                "date,description,amount\n2026-03-05,Rent,R$ 5\n",
                "line 2: amount must be a number such as -12.50",
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
                "line 2: amount must be from 0 to 999999999999, not NaN",
            ),
        ] {
            let refused = read(content).expect_err(content);
            assert_eq!(refused.field.as_deref(), Some("content"));
            assert_eq!(refused.message, message);
        }
    }
}
