//! Reads a bank's file. Banks name its columns differently.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::csv::{self, Row};
use frontdesk_protocol::door::fold;
use frontdesk_protocol::number::{self, Mark, Unread};
use frontdesk_protocol::value::{Amount, Day, LINE, Name, Text};
use jiff::civil::Date;
use serde::Serialize;

use crate::permits::Permit;

/// The maximum number of lines in a statement.
const LONGEST: usize = 2000;
/// The maximum number of rows above the header.
const MOST_TITLES: usize = 20;
/// The words of banks for a payment that is not booked yet, in a description without case.
pub(super) const PENDING: &str =
    "pending|pendente|pendiente|vorgemerkt|en attente|autoriza|authori[sz]|in attesa";

const DATE: [&str; 12] = [
    "date",
    "bookingdate",
    "transactiondate",
    "postingdate",
    "posteddate",
    "data",
    "datalancamento",
    "datamov",
    "fecha",
    "buchungstag",
    "buchungsdatum",
    "datum",
];
const DESCRIPTION: [&str; 16] = [
    "description",
    "transactiondescription",
    "details",
    "narrative",
    "memo",
    "payee",
    "descricao",
    "historico",
    "lancamento",
    "concepto",
    "descripcion",
    "verwendungszweck",
    "buchungstext",
    "libelle",
    "omschrijving",
    "descrizione",
];
const AMOUNT: [&str; 10] = [
    "amount",
    "transactionamount",
    "valor",
    "importe",
    "betrag",
    "umsatz",
    "montant",
    "bedrag",
    "importo",
    "quantia",
];
const REFERENCE: [&str; 11] = [
    "reference",
    "ref",
    "referencenumber",
    "transactionid",
    "referencia",
    "documento",
    "identificador",
    "referenz",
    "kundenreferenz",
    "endtoendreferenz",
    "kenmerk",
];
const RECEIVED: [&str; 8] = [
    "credit",
    "creditamount",
    "paidin",
    "credito",
    "entrada",
    "haben",
    "moneyin",
    "abono",
];
const PAID: [&str; 9] = [
    "debit",
    "debitamount",
    "paidout",
    "debito",
    "saida",
    "soll",
    "moneyout",
    "cargo",
    "withdrawal",
];

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
}

/// The places of the columns.
struct Columns {
    date: usize,
    description: usize,
    amount: Option<usize>,
    received: Option<usize>,
    paid: Option<usize>,
    reference: Option<usize>,
}

impl Columns {
    /// The columns of a header; the error is the name of one that is missing.
    fn of(header: &Row) -> Result<Columns, &'static str> {
        let names: Vec<_> = header.cells.iter().map(|cell| plain(cell)).collect();
        let place = |words: &[&str]| {
            let mut words = words.iter();
            words.find_map(|word| names.iter().position(|name| name == word))
        };
        let amount = place(&AMOUNT);
        let (received, paid) = (place(&RECEIVED), place(&PAID));
        if amount.is_none() && received.and(paid).is_none() {
            return Err("amount");
        }
        Ok(Columns {
            date: place(&DATE).ok_or("date")?,
            description: place(&DESCRIPTION).ok_or("description")?,
            received: received.filter(|_| amount.is_none()),
            paid: paid.filter(|_| amount.is_none()),
            amount,
            reference: place(&REFERENCE),
        })
    }

    fn all(&self) -> [Option<usize>; 6] {
        [
            Some(self.date),
            Some(self.description),
            self.amount,
            self.received,
            self.paid,
            self.reference,
        ]
    }
}

/// The letters of a column's name, without case, accents and a currency in brackets.
fn plain(name: &str) -> String {
    let name = name.split(['(', '[']).next().unwrap_or_default();
    fold(name)
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
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
    let year: i16 = year.parse().ok().filter(|_| is_whole)?;
    let year = if year < 100 { 2000 + year } else { year };
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
        return Day::new(text).map_err(str::to_owned);
    };
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

/// Reads a CSV file.
///
/// # Errors
/// `invalid_argument`, with the first wrong line and the reason.
pub(in crate::hosts) fn read(_: &Permit, content: &str) -> Result<Statement, ToolError> {
    let wrong = |line: u64, why: &str| {
        ToolError::invalid("content", format!("line {line}: {why}"))
            .hint("the first line is date,description,amount or date,description,amount,reference")
    };
    let content = content.trim_start_matches('\u{feff}');
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
    let columns = Columns::of(header)
        .map_err(|missing| wrong(header.line, &format!("has no column {missing}")))?;
    let cell = |row: &Row, at: Option<usize>| {
        let cell = at.and_then(|at| row.cells.get(at));
        cell.map_or_else(String::new, |cell| cell.trim().to_owned())
    };
    let amounts = [columns.amount, columns.received, columns.paid]
        .into_iter()
        .flatten();
    let amounts: Vec<_> = amounts
        .flat_map(|at| rows.iter().map(move |row| cell(row, Some(at))))
        .collect();
    let mark = number::mark(amounts.iter().map(String::as_str));
    let dates: Vec<_> = rows
        .iter()
        .map(|row| cell(row, Some(columns.date)))
        .collect();
    let order = order(dates.iter().map(String::as_str));
    let mut lines = Vec::new();
    for row in rows {
        let (count, expected) = (row.cells.len(), header.cells.len());
        if row
            .cells
            .iter()
            .skip(expected)
            .any(|cell| !cell.trim().is_empty())
            || count < expected
        {
            let why = format!("has {count} cells, and the first line {expected}");
            return Err(wrong(row.line, &why));
        }
        let told = told(row, &columns, mark, order, cell);
        lines.push(told.map_err(|why| wrong(row.line, &why))?);
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

/// Reads a line; the error is a message.
fn told(
    row: &Row,
    columns: &Columns,
    mark: Option<Mark>,
    order: Option<Order>,
    cell: impl Fn(&Row, Option<usize>) -> String,
) -> Result<Told, String> {
    let date = day(&cell(row, Some(columns.date)), order)?;
    let description = cell(row, Some(columns.description));
    let description = Text::new(description).map_err(|why| format!("description {why}"))?;
    let read = |at: Option<usize>| match cell(row, at) {
        text if text.is_empty() && columns.amount.is_none() => Ok(0.0),
        text => amount(&text, mark).map_err(|why| format!("amount {why}")),
    };
    let amount = match columns.amount {
        Some(_) => read(columns.amount)?,
        None => read(columns.received)? - read(columns.paid)?.abs(),
    };
    if amount == 0.0 {
        return Err("amount must not be 0".to_owned());
    }
    let reference = cell(row, columns.reference);
    if !reference.is_empty() {
        Name::new(&*reference).map_err(|why| format!("reference {why}"))?;
    }
    Ok(Told {
        line: row.line,
        date,
        description,
        amount,
        reference,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(content: &str) -> Vec<(String, String, f64, String)> {
        let statement = read(&Permit::ALONE, content).expect("a statement");
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
                read(&Permit::ALONE, content)
                    .expect("a statement")
                    .unknown_columns,
                unknown
            );
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
            let refused = read(&Permit::ALONE, content).expect_err(content);
            assert_eq!(refused.field.as_deref(), Some("content"));
            assert_eq!(refused.message, message);
        }
    }
}
