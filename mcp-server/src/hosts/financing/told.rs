//! Reads a bank's file.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::csv::{self, Row};
use frontdesk_protocol::number::{self, Mark, Unread};
use frontdesk_protocol::value::{Amount, Day, LINE, Name, Text};
use jiff::civil::Date;
use serde::Serialize;

use super::columns::{Columns, cell, column, currency, is_booked, is_paid};
use crate::permits::Permit;

/// The maximum number of lines in a statement.
const LONGEST: usize = 2000;
/// The years of a statement: others are mistakes.
const YEARS: std::ops::RangeInclusive<i16> = 1950..=2100;
/// The first year of two digits that is one of the last century.
const PIVOT: i16 = 70;
/// The maximum number of rows above the header.
const MOST_TITLES: usize = 20;
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

/// The order of day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    DayFirst,
    MonthFirst,
}

/// The numbers of a date such as `14.04.2027`.
fn numbers(text: &str) -> Option<(u8, u8, i16)> {
    let text = text.split([' ', 'T']).next()?;
    let separator = ['.', '/', '-']
        .into_iter()
        .find(|one| text.contains(*one))?;
    let mut parts = text.split(separator).map(str::trim);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    let is_whole = parts.next().is_none() && matches!(year.len(), 2 | 4);
    let is_whole = is_whole && first.len() <= 2 && second.len() <= 2;
    let is_short = year.len() == 2;
    let year: i16 = year.parse().ok().filter(|_| is_whole)?;
    let year = match year {
        year if is_short && year < PIVOT => 2000 + year,
        year if is_short => 1900 + year,
        year => year,
    };
    Some((first.parse().ok()?, second.parse().ok()?, year))
}

/// The order in a column of dates; `None` if no date shows it.
fn order<'a>(dates: impl Iterator<Item = &'a str>) -> Option<Order> {
    let mut found = None;
    for text in dates {
        let Some((first, second, _)) = numbers(text) else {
            continue;
        };
        let order = match (text.contains('.'), first > 12, second > 12) {
            (true, ..) | (_, true, _) => Order::DayFirst,
            (_, _, true) => Order::MonthFirst,
            _ => continue,
        };
        if found.replace(order).is_some_and(|found| found != order) {
            return None;
        }
    }
    found
}

/// Reads a day; the error is a message.
fn day(text: &str, order: Option<Order>) -> Result<Day, String> {
    let wrong = || "must be a day such as 2026-03-05".to_owned();
    let Some((first, second, year)) = numbers(text) else {
        let day = Day::new(text).map_err(str::to_owned)?;
        return match YEARS.contains(&day.get().year()) {
            true => Ok(day),
            false => Err(wrong()),
        };
    };
    if !YEARS.contains(&year) {
        return Err(wrong());
    }
    let dates = [(second, first), (first, second)].map(|(month, day)| {
        let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        let date = Date::new(year, month, day).ok()?;
        Day::new(&date.to_string()).ok()
    });
    match (order, dates) {
        (Some(Order::DayFirst), [Some(day), _]) | (Some(Order::MonthFirst), [_, Some(day)]) => {
            Ok(day)
        }
        (None, [Some(one), Some(other)]) if one == other => Ok(one),
        (None, [Some(one), Some(other)]) => Err(format!(
            "{text} can be {} or {}; write one of them",
            one.get(),
            other.get()
        )),
        _ => Err(wrong()),
    }
}

/// Reads a signed amount; the error is a message.
fn amount(text: &str, mark: Option<Mark>) -> Result<f64, String> {
    let number = number::read(text, mark).map_err(|why| match why {
        Unread::Not => format!("must be a number such as -12.50, not {text}"),
        Unread::Either(..) => format!("{text} {why}"),
    })?;
    let number = number.as_f64().unwrap_or_default();
    Amount::new(number.abs())?;
    Ok(number)
}

/// The name of a format that is not read, by its first characters.
fn other_format(content: &str) -> Option<&'static str> {
    let start: String = content.trim_start().chars().take(2000).collect();
    let is = |word: &str| start.starts_with(word);
    let has = |word: &str| start.contains(word);
    match () {
        () if is(":20:") || is("{1:") => Some("MT940"),
        () if is("OFXHEADER") || has("<OFX>") => Some("OFX"),
        () if is("<") && has("camt.05") => Some("CAMT"),
        () if is("!Type:") || is("!Account") => Some("QIF"),
        () if is("<") => Some("HTML or XML"),
        () if is("%PDF") => Some("PDF"),
        () => None,
    }
}

/// Reads a CSV file. `own` is the organisation's currency.
///
/// # Errors
/// `invalid_argument`, with the first wrong line and the reason.
pub(in crate::hosts) fn read(_: &Permit, content: &str, own: &str) -> Result<Statement, ToolError> {
    let wrong = |line: u64, why: &str| {
        ToolError::invalid("content", format!("line {line}: {why}"))
            .hint("the first line is date,description,amount or date,description,amount,reference")
    };
    let content = content.trim_start_matches('\u{feff}');
    if let Some(format) = other_format(content) {
        let why =
            format!("must be CSV, not {format}: export the statement as CSV (a table) at the bank");
        return Err(ToolError::invalid("content", why));
    }
    let rows = csv::rows(content, csv::separator(content));
    let rows: Result<Vec<_>, _> = rows.collect();
    let rows = rows.map_err(|error| wrong(error.line, &error.to_string()))?;
    // Banks write their name and the account above the header.
    let header = rows
        .iter()
        .take(MOST_TITLES)
        .position(|row| Columns::of(row).is_ok());
    let (header, rows) = match rows
        .split_at_checked(header.unwrap_or(0))
        .map(|(_, rows)| rows)
    {
        Some([header, rows @ ..]) => (header, rows),
        _ => return Err(wrong(1, "is missing")),
    };
    let mut columns = Columns::of(header)
        .map_err(|missing| wrong(header.line, &format!("has no column {missing}")))?;
    for row in rows {
        let (count, expected) = (row.cells.len(), header.cells.len());
        let mut more = row.cells.iter().skip(expected);
        if count < expected || more.any(|cell| !cell.trim().is_empty()) {
            let why = format!("has {count} cells, and the first line {expected}");
            return Err(wrong(row.line, &why));
        }
    }
    columns
        .find_sign(header, rows)
        .map_err(|(line, why)| wrong(line, &why))?;
    let amounts = [columns.amount, columns.received, columns.paid];
    let amounts = amounts.into_iter().flatten();
    let amounts = amounts.flat_map(|at| rows.iter().map(move |row| cell(row, at)));
    let reader = Reader {
        mark: number::mark(amounts),
        order: order(rows.iter().map(|row| cell(row, columns.date))),
        currency: expected_currency(&columns, rows, own),
        account: rows
            .first()
            .and_then(|row| columns.account.map(|at| cell(row, at))),
        header,
        columns: &columns,
    };
    let mut lines = Vec::new();
    for row in rows {
        lines.push(reader.told(row).map_err(|why| wrong(row.line, &why))?);
    }
    let places = columns.all();
    let unknown = header.cells.iter().enumerate();
    let unknown =
        unknown.filter(|(at, name)| !name.trim().is_empty() && !places.contains(&Some(*at)));
    let unknown_columns = unknown.map(|(_, name)| name.trim().to_owned()).collect();
    match lines.len() {
        0 => Err(wrong(header.line + 1, "is missing")),
        1..=LONGEST => Ok(Statement {
            lines,
            unknown_columns,
        }),
        _ => Err(wrong(
            LONGEST as u64 + 2,
            "one statement has at most 2,000 lines",
        )),
    }
}

/// The currency of the account: the organisation's; or, if a file has several and not that one, the most frequent.
fn expected_currency(columns: &Columns, rows: &[Row], own: &str) -> String {
    let mut counts = std::collections::BTreeMap::new();
    let found = columns.currency.into_iter();
    let found = found.flat_map(|at| rows.iter().filter_map(move |row| currency(cell(row, at))));
    for code in found {
        *counts.entry(code).or_insert(0) += 1;
    }
    if counts.len() < 2 || counts.contains_key(own) {
        return own.to_owned();
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(code, _)| code).unwrap_or_default()
}

/// Reads the lines of a file.
struct Reader<'a> {
    header: &'a Row,
    columns: &'a Columns,
    mark: Option<Mark>,
    order: Option<Order>,
    /// The account's currency.
    currency: String,
    /// The account of the first line.
    account: Option<&'a str>,
}

impl Reader<'_> {
    /// Reads a line; the error is a message.
    fn told(&self, row: &Row) -> Result<Told, String> {
        let columns = self.columns;
        let date = day(cell(row, columns.date), self.order)?;
        let description = cell(row, columns.description).split_whitespace();
        let description = description.collect::<Vec<_>>().join(" ");
        let description = Text::new(description).map_err(|why| format!("description {why}"))?;
        let amount = self.amount(row)?;
        if amount == 0.0 {
            return Err("amount must not be 0".to_owned());
        }
        let reference = columns.reference.map_or("", |at| cell(row, at)).to_owned();
        if !reference.is_empty() {
            Name::new(&*reference).map_err(|why| format!("reference {why}"))?;
        }
        Ok(Told {
            line: row.line,
            date,
            description,
            amount,
            reference,
            doubt: self.doubt(row),
        })
    }

    /// The amount, negative if it was paid.
    fn amount(&self, row: &Row) -> Result<f64, String> {
        let columns = self.columns;
        let read = |at: usize| match cell(row, at) {
            "" if columns.amount.is_none() => Ok(0.0),
            text => amount(text, self.mark).map_err(|why| format!("amount {why}")),
        };
        let Some(at) = columns.amount else {
            let received = columns.received.map_or(Ok(0.0), read)?;
            let paid = columns.paid.map_or(Ok(0.0), read)?.abs();
            if received != 0.0 && paid != 0.0 {
                return Err(format!(
                    "{received} is received and {paid} paid: a line has one amount"
                ));
            }
            return Ok(received - paid);
        };
        let amount = read(at)?;
        let Some(sign) = columns.sign else {
            return Ok(amount);
        };
        let word = cell(row, sign);
        match is_paid(word) {
            Some(true) => Ok(-amount.abs()),
            Some(false) if amount >= 0.0 => Ok(amount),
            _ => Err(format!(
                "amount {amount} is negative, but the column {} has {word}",
                column(self.header, sign)
            )),
        }
    }

    /// Why a line may not belong to the account.
    fn doubt(&self, row: &Row) -> Option<String> {
        let read = |at: Option<usize>| at.map(|at| cell(row, at)).filter(|text| !text.is_empty());
        if let Some(status) = read(self.columns.status).filter(|status| !is_booked(status)) {
            return Some(format!("its status is {status}"));
        }
        let code = read(self.columns.currency).and_then(currency);
        if let Some(code) = code.filter(|code| *code != self.currency) {
            return Some(format!("it is in {code}, not {}", self.currency));
        }
        let account = read(self.columns.account)?;
        let first = self.account.filter(|first| *first != account)?;
        Some(format!(
            "it is of the account {account}, the first line of {first}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(content: &str) -> Vec<(String, String, f64, String)> {
        let statement = read(&Permit::ALONE, content, "EUR").expect("a statement");
        let lines = statement.lines.iter().map(|line| {
            let description = line.description.as_str().to_owned();
            (
                json!(line.date).as_str().expect("a day").to_owned(),
                description,
                line.amount,
                line.reference.clone(),
            )
        });
        lines.collect()
    }

    fn line(
        date: &str,
        description: &str,
        amount: f64,
        reference: &str,
    ) -> (String, String, f64, String) {
        (
            date.to_owned(),
            description.to_owned(),
            amount,
            reference.to_owned(),
        )
    }

    #[test]
    fn a_text_of_digits_stays_a_text() {
        let content =
            "date,description,amount,reference\n2026-03-05,4711,-1.50,0012\n2026-03-06,true,2,\n";
        let expected = [
            line("2026-03-05", "4711", -1.5, "0012"),
            line("2026-03-06", "true", 2.0, ""),
        ];
        assert_eq!(lines(content), expected);
    }

    #[test]
    fn separators_are_those_of_the_bank() {
        let content = "Date;Description;Amount;Reference\r\n2027-04-14;\"Bar \"\"Zé\"\"\";-1.250,50;S1\r\n\
                       2027-04-15;Tram;1.250;\r\n";
        let expected = [
            line("2027-04-14", "Bar \"Zé\"", -1250.5, "S1"),
            line("2027-04-15", "Tram", 1250.0, ""),
        ];
        assert_eq!(lines(content), expected);
    }

    #[test]
    fn columns_are_called_as_banks_call_them() {
        for (content, expected, unknown) in [
            (
                "Conta;123\nExtrato\n\nData;Histórico;Documento;Valor (R$);Saldo\n13/04/2027;PIX;D1;-1.250,50;10,00\n",
                line("2027-04-13", "PIX", -1250.5, "D1"),
                vec!["Saldo"],
            ),
            (
                "Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Betrag\n13.04.2027;14.04.2027;Lastschrift;Miete;-1.250,50\n",
                line("2027-04-13", "Miete", -1250.5, ""),
                vec!["Valutadatum", "Buchungstext"],
            ),
            (
                "Date,Narrative,Money In,Money Out,Balance\n04/13/2027,Rent,,1250.50,1\n",
                line("2027-04-13", "Rent", -1250.5, ""),
                vec!["Balance"],
            ),
            (
                "Fecha,Concepto,Abono,Cargo\n13/04/27,Nómina,\"1.250,50\",\n",
                line("2027-04-13", "Nómina", 1250.5, ""),
                vec![],
            ),
        ] {
            assert_eq!(lines(content), [expected], "{content}");
            assert_eq!(
                read(&Permit::ALONE, content, "EUR")
                    .expect("a statement")
                    .unknown_columns,
                unknown
            );
        }
    }

    #[test]
    fn the_sign_is_in_another_column() {
        for (content, expected) in [
            (
                "Buchungstag;Verwendungszweck;Umsatz;Soll/Haben\n13.04.2027;Miete;1.250,50;S\n14.04.2027;Spende;100,00;H\n",
                vec![-1250.5, 100.0],
            ),
            (
                "Date,Description,Amount,Type\n13/04/2027,Stationery,45.90,DR\n14/04/2027,Donation,100.00,CR\n",
                vec![-45.9, 100.0],
            ),
            (
                "Date,Description,Amount,Type\n13/04/2027,Stationery,45.90,Debit\n",
                vec![-45.9],
            ),
            (
                "Buchungstag;Verwendungszweck;Betrag;CreditDebit\n13.04.2027;Miete;12,50;DBIT\n14.04.2027;Spende;1,00;CRDT\n",
                vec![-12.5, 1.0],
            ),
            (
                "Datum;Naam / Omschrijving;Rekening;Af Bij;Bedrag (EUR);Omschrijving\n13.04.2027;Winkel;NL00;Af;12,50;Papier\n",
                vec![-12.5],
            ),
            (
                "Datum;Omschrijving;Bedrag;Debet/Credit\n13.04.2027;Papier;12,50;Debet\n14.04.2027;Gift;2,00;Credit\n",
                vec![-12.5, 2.0],
            ),
            (
                "Date,Description,Debit,Credit\n2027-04-13,Rent,8.00,\n2027-04-14,Gift,,5.00\n",
                vec![-8.0, 5.0],
            ),
            (
                "Date,Description,Amount,Debit,Credit\n2027-04-13,Rent,8.00,8.00,\n2027-04-14,Gift,5.00,0.00,5.00\n",
                vec![-8.0, 5.0],
            ),
            (
                "Buchungstag;Verwendungszweck;Soll;Haben\n13.04.2027;Miete;-8,00;\n14.04.2027;Spende;;5,00\n",
                vec![-8.0, 5.0],
            ),
            (
                "Datum;Omschrijving;Af;Bij\n13.04.2027;Papier;12,50;\n",
                vec![-12.5],
            ),
            (
                "Data,Histórico,Valor,D/C\n13/04/2027,Aluguel,8.00,D\n14/04/2027,Doação,5.00,C\n",
                vec![-8.0, 5.0],
            ),
            (
                "Data,Histórico,Valor,Tipo\n13/04/2027,Aluguel,8.00,Saída\n14/04/2027,Doação,5.00,Entrada\n",
                vec![-8.0, 5.0],
            ),
            (
                "Fecha,Concepto,Importe,Debe/Haber\n13/04/2027,Alquiler,8.00,D\n14/04/2027,Don,5.00,H\n",
                vec![-8.0, 5.0],
            ),
            // A column without a name is a column; so is one with another name, if its words are clear.
            (
                "Buchungstag;Verwendungszweck;Umsatz;\n13.04.2027;Miete;8,00;S\n14.04.2027;Spende;5,00;H\n",
                vec![-8.0, 5.0],
            ),
            (
                "Date,Description,Amount,Flow\n2027-04-13,Rent,8.00,Out\n2027-04-14,Gift,5.00,In\n",
                vec![-8.0, 5.0],
            ),
            // Amounts with signs keep them.
            (
                "Date,Description,Amount,Type\n2027-04-13,Rent,-8.00,DR\n2027-04-14,Gift,5.00,CR\n",
                vec![-8.0, 5.0],
            ),
            (
                "Date,Description,Amount,Type\n2027-04-13,Rent,-8.00,Transfer\n2027-04-14,Gift,5.00,Credit\n",
                vec![-8.0, 5.0],
            ),
            (
                "Date,Description,Amount,Cleared\n2027-04-13,Rent,-8.00,C\n2027-04-14,Gift,5.00,C\n",
                vec![-8.0, 5.0],
            ),
            (
                "Data,Histórico,Valor,Conciliado\n13/04/2027,Doação,5.00,S\n",
                vec![5.0],
            ),
        ] {
            let amounts: Vec<_> = lines(content).iter().map(|line| line.2).collect();
            assert_eq!(amounts, expected, "{content}");
        }
        for (content, message) in [
            (
                "Date,Description,Amount,Type\n2027-04-13,Rent,8.00,DR\n2027-04-14,Fee,5.00,FEE\n",
                "line 3: the column “Type” seems to say which amounts were paid, but not by “FEE”: write D for paid and C \
                 for received, or give paid amounts a minus",
            ),
            (
                "Date,Description,Amount,DR/CR\n2027-04-13,Rent,8.00,X\n",
                "line 2: the column “DR/CR” seems to say which amounts were paid, but not by “X”: write D for paid and C \
                 for received, or give paid amounts a minus",
            ),
            (
                "Buchungstag;Verwendungszweck;Umsatz;\n13.04.2027;Miete;8,00;S\n14.04.2027;Spende;5,00;\n",
                "line 3: the column number 4 seems to say which amounts were paid, but not by “”: write D for paid and C \
                 for received, or give paid amounts a minus",
            ),
            (
                "Date,Description,Amount,DR/CR\n2027-04-13,Rent,-8.00,CR\n",
                "line 2: amount -8 is negative, but the column “DR/CR” has CR",
            ),
            (
                "Date,Description,Debit,Credit\n2027-04-13,Rent,8.00,5.00\n",
                "line 2: 5 is received and 8 paid: a line has one amount",
            ),
        ] {
            let refused = read(&Permit::ALONE, content, "EUR").expect_err(content);
            assert_eq!(refused.message, message);
        }
    }

    #[test]
    fn a_line_that_may_not_be_of_the_account_is_in_doubt() {
        let doubts = |content: &str, own: &str| -> Vec<_> {
            let statement = read(&Permit::ALONE, content, own).expect(content);
            let doubts = statement.lines.into_iter();
            doubts.map(|line| line.doubt.unwrap_or_default()).collect()
        };
        let status = "Date,Description,Amount,Currency,Status\n2027-04-13,Cafe,-4.50,EUR,Completed\n\
                      2027-04-13,Hotel,-120.00,EUR,Denied\n2027-04-13,Kiosk,-20.00,USD,Completed\n\
                      2027-04-14,Card,-1.00,EUR,Pending\n";
        let expected = [
            "",
            "its status is Denied",
            "it is in USD, not EUR",
            "its status is Pending",
        ];
        assert_eq!(doubts(status, "EUR"), expected);
        assert_eq!(doubts(status, "BRL"), expected);
        let one = "Date,Description,Amount,Ccy\n2027-04-13,Cafe,-4.50,USD\n";
        assert_eq!(doubts(one, "EUR"), ["it is in USD, not EUR"]);
        assert_eq!(doubts(one, "USD"), [""]);
        let two = "Auftragskonto;Buchungstag;Verwendungszweck;Betrag\nDE1;13.04.2027;Miete;-8,00\n\
                   DE2;13.04.2027;Miete;-9,00\n";
        assert_eq!(
            doubts(two, "EUR"),
            ["", "it is of the account DE2, the first line of DE1"]
        );
    }

    #[test]
    fn days_and_descriptions_of_old_programs_are_read() {
        for (content, expected) in [
            (
                "Date,Description,Amount\n13.04.99,Rent,-8\n",
                line("1999-04-13", "Rent", -8.0, ""),
            ),
            (
                "Date,Description,Amount\n13.04.27,Rent,-8\n",
                line("2027-04-13", "Rent", -8.0, ""),
            ),
            (
                "Date,Description,Amount\n2027-04-13,\"Rent\nApril\",-8\n",
                line("2027-04-13", "Rent April", -8.0, ""),
            ),
        ] {
            assert_eq!(lines(content), [expected]);
        }
        for (content, message) in [
            (
                "Date,Description,Amount\n13.04.0027,Rent,-8\n",
                "line 2: must be a day such as 2026-03-05",
            ),
            (
                "Date,Description,Amount\n0027-04-13,Rent,-8\n",
                "line 2: must be a day such as 2026-03-05",
            ),
            (
                ":20:STARTUMSE\n:25:10020030\n",
                "must be CSV, not MT940: export the statement as CSV (a table) at the bank",
            ),
            (
                "OFXHEADER:100\n<OFX>\n",
                "must be CSV, not OFX: export the statement as CSV (a table) at the bank",
            ),
            (
                "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"/>",
                "must be CSV, not CAMT: export the statement as CSV (a table) at the bank",
            ),
        ] {
            let refused = read(&Permit::ALONE, content, "EUR").expect_err(content);
            assert_eq!(refused.message, message);
        }
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
                "Date,Details,Amount\n03/04/2027,Rent,-1\n",
                "line 2: 03/04/2027 can be 2027-04-03 or 2027-03-04; write one of them",
            ),
            (
                "Date,Details,Amount\n13/04/2027,Rent,-1\n04/13/2027,Tram,-2\n",
                "line 2: must be a day such as 2026-03-05",
            ),
            (
                "date,description,amount\n2026-03-05,Rent, -1, more\n",
                "line 2: has 4 cells, and the first line 3",
            ),
        ] {
            let refused = read(&Permit::ALONE, content, "EUR").expect_err(content);
            assert_eq!(refused.field.as_deref(), Some("content"));
            assert_eq!(refused.message, message);
        }
    }
}
