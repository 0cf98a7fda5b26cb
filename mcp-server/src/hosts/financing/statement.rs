//! Lines of bank statements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::financing::statement::{
    IngestStatement, Ingested, ListUnreconciled, ReconcileLine, StatementLine, UnreconcileLine,
};
use frontdesk_protocol::record::{List, One, Record};
use frontdesk_protocol::value::{Amount, Day, Name, Text};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
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

/// A line of the file.
#[derive(Debug, Deserialize, Serialize)]
struct Told {
    date: Day,
    description: Text<1, 500>,
    #[serde(deserialize_with = "amount")]
    amount: f64,
    #[serde(default)]
    reference: Option<Name>,
}

/// Reads a signed amount.
fn amount<'de, D: Deserializer<'de>>(text: D) -> Result<f64, D::Error> {
    let text = String::deserialize(text)?;
    let number: f64 = text
        .parse()
        .map_err(|_| D::Error::custom("amount must be a number such as -12.50"))?;
    match Amount::new(number.abs()) {
        Ok(_) if number == 0.0 => Err(D::Error::custom("amount must not be 0")),
        Ok(_) => Ok(number),
        Err(why) => Err(D::Error::custom(format_args!("amount {why}"))),
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
    for line in reader.deserialize::<Told>() {
        lines.push(line.map_err(|error| {
            let at = error.position().map_or(1, csv::Position::line);
            match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => wrong(at, &err.to_string()),
                _ => wrong(at, &error.to_string()),
            }
        })?);
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
