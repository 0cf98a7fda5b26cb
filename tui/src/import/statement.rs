//! A bank's statement: a list whose rows become lines of date, description, amount and reference. Where it has balances,
//! they prove the lines; without them, a sign that is not certain is asked for once.

use std::collections::BTreeMap;

use frontdesk_client::imports::Columns;
use frontdesk_protocol::csv::Row;
use frontdesk_protocol::number;
use frontdesk_protocol::text;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::aliases::{is_in, key, words};
use super::columns::{Argument, named, position};
use super::doubt::Part;
use super::notation::Notation;
use super::status::counts;
use super::{Choices, Open, Sheet};
use crate::look::locale::Locale;
use crate::look::time;

/// The most lines of a call.
const MOST_LINES: usize = 2_000;
/// What a column can be, and its names, without spaces and accents, the best first.
const COLUMNS: [(&str, &str); 14] = [
    (
        "date",
        "bookingdate buchungstag buchungsdatum postingdate posteddate completeddate datecompleted transactiondate \
         dateoftransaction bookeddate entrydate date data datum fecha dato dag datalancamento datamov datamovimento \
         datadomovimento datadelancamento dataoperacao datacontabile dataoperazione fechaoperacion fechamovimiento \
         fechacontable dateoperation datecomptable bokforingsdag bogforingsdato boekdatum boekingsdatum transactiedatum \
         datatransakcji dataoperacji dataksiegowania datumprovedeni datumzauctovani operationdate processeddate \
         processingdate trandate txndate transdate valuedate valuta valutadatum wertstellung fechavalor dateeffective \
         effectivedate starteddate createdon created timestamp datetime",
    ),
    (
        "description",
        "description transactiondescription bookingtext verwendungszweck details narrative memo descricao \
         historico lancamento concepto descripcion libelle omschrijving naamomschrijving descrizione descrizioneoperazione \
         detalle detalles movimiento paymentreference paymentdetails transactiondetails particulars text tekst beskrivelse \
         beskrivning opis opisoperacji tytul tytulem popis zprava buchungstext buchungsdetails avisierungstext betreff \
         communicatie mededelingen communication motif causale title remark remarks note notes purpose subject meddelande \
         forklaring info titulo label desc transacao \
         transaction",
    ),
    (
        "amount",
        "amount transactionamount amountinaccountcurrency bookingamount valor valorlancamento importe betrag umsatz montant \
         bedrag transactiebedrag importo quantia belopp belob belopet kwota kwotaoperacji suma summa castka sum value nettobetrag \
         umsatzbetrag buchungsbetrag billingamount accountamount localamount netamount",
    ),
    (
        "received",
        "credit creditamount credits creditvalue paidin credito creditos valorcredito entrada entradas haben habenbetrag moneyin \
         abono abonos haber gutschrift einnahme einnahmen bij avere accrediti entrate ingreso ingresos deposit deposits \
         depositamount incoming inflow received receipts recettes encaissement inn inkomst uznania in",
    ),
    (
        "paid",
        "debit debitamount debits debitvalue paidout debito debitos valordebito saida saidas soll sollbetrag moneyout cargo \
         cargos debe belastung ausgabe ausgaben debet af dare addebiti uscite gasto gastos withdrawal withdrawals \
         withdrawalamount outgoing outflow spent payments depenses decaissement ut utgift obciazenia out",
    ),
    (
        "balance",
        "balance runningbalance accountbalance balanceafter balanceaftertransaction currentbalance bookedbalance saldo \
         saldoapos saldofinal saldoatual saldocontabile saldodisponivel kontostand saldonachbuchung solde soldeapres \
         saldonamutatie saldotrn saldopooperacji zustatek availablebalance",
    ),
    (
        "reference",
        "reference ref referencenumber bankreference transactionid transactionreference referencia documento numerododocumento \
         numerodocumento ndocumento nrdocumento dcto identificador referenz kundenreferenz endtoendreferenz endtoendid kenmerk \
         nref chequenumber checknumber checkno chequeno",
    ),
    (
        "sign",
        "sollhaben sh sollhabenkennzeichen shkennzeichen vorzeichen creditdebit debitcredit creditdebitindicator \
         debitcreditindicator creditdebitcode debitcreditcode cdtdbtind drcr crdr dc cd afbij bijaf debetcredit creditdebet \
         debitocredito creditodebito debehaber dareavere sinal sens",
    ),
    (
        "payee",
        "zahlungsempfanger payee payeename counterparty counterpartyname empfanger begunstigter begunstigterzahlungspflichtiger \
         auftraggeberbegunstigter auftraggeberempfanger nameofcounterparty merchant merchantname beneficiary beneficiario favorecido \
         party recipient partnername name naam naamtegenpartij tegenpartij tegenrekeningnaam nom tiers contraparte \
         nomecontraparte remetente zahlungspflichtige zahlungsbeteiligter nadawcaodbiorca odbiorca mottaker nazwa nazwaprotistrany",
    ),
    (
        "kind",
        "type transactiontype tipo tipodelancamento tipolancamento typ umsatztyp umsatzart buchungsart art soort mutatiesoort \
         kind code operacao categoria category",
    ),
    (
        "currency",
        "currency currencycode ccy accountcurrency moeda wahrung moneda devise munt divisa valutakod waluta mena",
    ),
    (
        "status",
        "status state buchungsstatus transactionstatus situacao estado statut etat stato",
    ),
    (
        "account",
        "account accountnumber accountno auftragskonto ibanauftragskonto ownaccount rekening rekeningnummer conta cuenta \
         numerodecompte iban",
    ),
    ("fee", "fee fees tarifa taxa gebuhr gebuhren frais comision"),
];
/// Names of columns that may say which amounts were paid.
const TYPE: &str = "type tipo typ art soort kind code sign direction richtung natureza indicator transactiontype tipolancamento \
    tipodelancamento";
/// The words for money received, and for money paid.
const IN: &str = "+ h c k cr crdt cred haben haber credit credito kredit gutschrift eingang entrada avere bij in moneyin deposit \
    abono received";
const OUT: &str = "- s d dr dbit deb soll debe debit debito debet belastung lastschrift ausgang saida dare af out moneyout \
    withdrawal cargo paid";
/// Statuses of lines that are booked, in addition to those that count anywhere.
const BOOKED: &str =
    "posted cleared executed done geboekt comptabilise efetivado contabilizado ausgefuhrt";
/// The beginnings, without spaces, of descriptions of a balance or a total.
const BALANCES: &str = "saldo openingbalance closingbalance startingbalance endingbalance beginningbalance balancebrought \
    balancecarried broughtforward carriedforward balanceforward previousbalance currentbalance availablebalance finalbalance \
    initialbalance anfangssaldo endsaldo anfangsbestand endbestand schlusssaldo eroffnungssaldo kontostand ubertrag solde \
    ancienssolde anciensolde nouveausolde totalof totais totaldebit totalcredit beginsaldo eindsaldo";
/// Whole descriptions of such a row.
const TOTAL: &str = "total totals subtotal sum soma suma summe gesamt totale totaal balance";
/// Words of descriptions of money that was received; a minus beside one is the other way round.
const RECEIVED: &str = "received recebido recebida recebimento gutschrift deposit deposito eingang thank salary salario gehalt \
    ingreso";

/// A statement as it was read.
#[derive(Debug, Default)]
pub(super) struct Statement {
    /// The lines for the host.
    pub(super) lines: Vec<Value>,
    /// Rows that are not lines of the statement.
    pub(super) wrong: Vec<Part>,
    pub(super) notes: Vec<String>,
    /// The columns: name, a value, and what they are.
    pub(super) columns: Vec<(String, String, Option<String>)>,
    pub(super) open: Open,
    /// Why it cannot be read before somebody says more.
    pub(super) problem: Option<String>,
}

/// A row of the statement.
struct Line {
    line: u64,
    date: String,
    description: String,
    amount: f64,
    reference: String,
    currency: String,
    balance: Option<f64>,
    fee: f64,
    doubt: Option<String>,
}

/// What the columns of a statement can be.
pub(super) fn arguments() -> Vec<Argument> {
    let names = COLUMNS.iter().map(|(name, _)| Argument {
        name: (*name).to_owned(),
        is_required: false,
        is_free: false,
    });
    names.collect()
}

/// The letters of a column's name without what stands in brackets and the currency: `Betrag in EUR` is `betrag`.
fn plain(name: &str) -> String {
    let before = name.split(['(', '[']).next().unwrap_or_default();
    let is_rest = |word: &&String| !is_in("in eur usd gbp brl chf sek nok dkk pln cad aud r", word);
    let words = words(before);
    let kept: String = words.iter().filter(is_rest).map(String::as_str).collect();
    match kept.is_empty() {
        true => words.concat(),
        false => kept,
    }
}

/// The number of these cells that are names of such columns; of a row that can be no header, 0.
pub(super) fn fitting(cells: &[String]) -> usize {
    let names: Vec<_> = cells.iter().map(|cell| plain(cell)).collect();
    let has = |what: &str| {
        let mut columns = COLUMNS.iter();
        let (_, known) = columns
            .find(|(name, _)| *name == what)
            .unwrap_or(&COLUMNS[0]);
        names.iter().any(|name| is_in(known, name))
    };
    let is_one =
        |name: &&String| !name.is_empty() && COLUMNS.iter().any(|(_, known)| is_in(known, name));
    match has("date") || has("amount") || has("paid") {
        true => names.iter().filter(is_one).count(),
        false => 0,
    }
}

/// Which column is what.
#[derive(Debug, Default)]
struct Places(BTreeMap<&'static str, usize>);

impl Places {
    /// As given, otherwise as chosen last, otherwise by the names.
    fn of(
        header: &[String],
        rows: &[Row],
        given: &[(String, String)],
        chosen: &Columns,
    ) -> Result<Places, String> {
        let arguments = arguments();
        let mut assigned: Vec<Option<Option<String>>> = vec![None; header.len()];
        for (at, column) in header.iter().enumerate() {
            if let Some(argument) = chosen.get(column) {
                assigned[at] = named(argument, &arguments).ok();
            }
        }
        for (column, argument) in given {
            let argument = named(argument, &arguments)?;
            for other in &mut assigned {
                if argument.is_some() && *other == Some(argument.clone()) {
                    *other = Some(None);
                }
            }
            assigned[position(header, column)?] = Some(argument);
        }
        let mut places = Places::default();
        for (what, names) in COLUMNS {
            let is_it =
                |one: &Option<Option<String>>| matches!(one, Some(Some(one)) if one == what);
            let column = |name: &str| {
                let mut columns = header.iter().zip(&assigned);
                columns.position(|(column, assigned)| assigned.is_none() && plain(column) == name)
            };
            let at = assigned.iter().position(is_it);
            if let Some(at) = at.or_else(|| names.split_whitespace().find_map(column)) {
                places.0.insert(what, at);
                assigned[at] = Some(Some(what.to_owned()));
            }
        }
        // A column of days or numbers with a word of the name.
        for (what, names) in COLUMNS
            .iter()
            .filter(|(what, _)| ["date", "amount"].contains(what))
        {
            let is_both = places.0.contains_key("received") && places.0.contains_key("paid");
            if places.0.contains_key(what) || *what == "amount" && is_both {
                continue;
            }
            let fits = |at: usize| {
                let mut cells = rows
                    .iter()
                    .map(|row| cell(row, Some(at)))
                    .filter(|cell| !cell.is_empty());
                cells.clone().next().is_some()
                    && match *what {
                        "date" => cells.all(|cell| {
                            cell.contains(|char: char| char.is_ascii_digit()) && cell.len() >= 6
                        }),
                        _ => cells.all(|cell| {
                            !matches!(number::read(unsaid(cell).0, None), Err(number::Unread::Not))
                        }),
                    }
            };
            let has_word = |name: &str| words(name).iter().any(|word| is_in(names, word));
            let mut columns = header.iter().enumerate();
            let found =
                columns.find(|(at, name)| assigned[*at].is_none() && has_word(name) && fits(*at));
            if let Some((at, _)) = found {
                places.0.insert(what, at);
                assigned[at] = Some(Some((*what).to_owned()));
            }
        }
        // A column of each side says the sign; one alone is the amount of both.
        match (
            places.get("received"),
            places.get("paid"),
            places.get("amount"),
        ) {
            (Some(_), Some(_), Some(_)) => drop(places.0.remove("amount")),
            (Some(_), Some(_), None) => {}
            _ => {
                places.0.remove("received");
                places.0.remove("paid");
            }
        }
        Ok(places)
    }

    fn get(&self, what: &str) -> Option<usize> {
        self.0.get(what).copied()
    }

    /// What the column at this place is.
    fn at(&self, place: usize) -> Option<&'static str> {
        self.0
            .iter()
            .find(|(_, at)| **at == place)
            .map(|(what, _)| *what)
    }

    /// Finds the column that says which amounts were paid, by its name and its cells: each of them says it. Beside
    /// negative amounts, one that contradicts them is another one.
    ///
    /// # Errors
    /// A message, if a column seems to say it, but not in each row.
    fn find_sign(&mut self, header: &[String], rows: &[Row]) -> Result<(), String> {
        let Some(amount) = self.get("amount") else {
            self.0.remove("sign");
            return Ok(());
        };
        let is_negative = |row: &Row| {
            let cell = cell(row, Some(amount));
            cell.contains(['-', '\u{2212}']) || cell.starts_with('(')
        };
        let has_negative = rows.iter().any(is_negative);
        let own = self.get("sign");
        for at in own
            .into_iter()
            .chain((0..header.len()).filter(|at| Some(*at) != own))
        {
            let what = self.at(at);
            if !matches!(what, None | Some("sign" | "kind" | "payee")) {
                continue;
            }
            let (is_sign, is_type) = (
                what == Some("sign"),
                is_in(TYPE, &plain(&header[at])) || header[at].is_empty(),
            );
            let said: Vec<_> = rows
                .iter()
                .map(|row| is_paid(cell(row, Some(at))))
                .collect();
            let known = said.iter().flatten().count();
            let has_both = said.contains(&Some(true)) && said.contains(&Some(false));
            let is_word = rows
                .iter()
                .any(|row| cell(row, Some(at)).chars().count() > 1);
            let is_contradicted = rows
                .iter()
                .zip(&said)
                .any(|(row, paid)| is_negative(row) && *paid == Some(false));
            if known == rows.len() && known > 0 && (is_sign || is_type || has_both || is_word) {
                if is_sign || !is_contradicted {
                    self.0.retain(|_, place| *place != at);
                    self.0.insert("sign", at);
                    return Ok(());
                }
            } else if !has_negative && (is_sign || known > 0 && (is_type || has_both)) {
                let unclear = rows.iter().zip(&said).find(|(_, paid)| paid.is_none());
                let (line, said) =
                    unclear.map_or((0, ""), |(row, _)| (row.line, cell(row, Some(at))));
                let name = match header[at].as_str() {
                    "" => format!("number {}", at + 1),
                    name => format!("“{name}”"),
                };
                return Err(format!(
                    "line {line}: the column {name} seems to say which amounts were paid, but not by “{said}”: write D for \
                     paid and C for received, or give paid amounts a minus"
                ));
            }
        }
        self.0.remove("sign");
        Ok(())
    }
}

/// Reads a statement whose header is found. `given` and `chosen` say what columns are; `now` and `locale` read days.
pub(super) fn read(
    sheet: &Sheet,
    given: &[(String, String)],
    chosen: &Columns,
    choices: Choices,
    when: (Timestamp, &Locale),
) -> Statement {
    let mut statement = Statement::default();
    let filled = fill(&mut statement, sheet, given, chosen, choices, when);
    statement.problem = filled.err();
    statement
}

/// Reads the columns, and the lines.
///
/// # Errors
/// Why it cannot be read before somebody says more.
fn fill(
    statement: &mut Statement,
    sheet: &Sheet,
    given: &[(String, String)],
    chosen: &Columns,
    choices: Choices,
    (now, locale): (Timestamp, &Locale),
) -> Result<(), String> {
    let rows: Vec<Row> = sheet.rows.iter().skip(sheet.titles).cloned().collect();
    let header = &sheet.header;
    let mut places = Places::of(header, &rows, given, chosen)?;
    let columns = |places: &Places| {
        let columns = header.iter().enumerate().map(|(at, name)| {
            let example = rows.first().map_or("", |row| cell(row, Some(at)));
            (
                name.clone(),
                example.to_owned(),
                places.at(at).map(str::to_owned),
            )
        });
        columns.collect()
    };
    statement.columns = columns(&places);
    for what in ["date", "amount"] {
        if places.get(what).is_none() && (what == "date" || places.get("paid").is_none()) {
            let names: Vec<_> = header.iter().map(|name| format!("“{name}”")).collect();
            return Err(format!(
                "no column has the {what}; give --map COLUMN={what}; there are {}",
                names.join(", ")
            ));
        }
    }
    places.find_sign(header, &rows)?;
    statement.columns = columns(&places);
    let texts = |what: &str| -> Vec<&str> {
        let at = places.get(what);
        rows.iter()
            .filter_map(|row| at.map(|at| cell(row, Some(at))))
            .collect()
    };
    // Amounts and balances are written alike.
    let numbers: Vec<&str> = ["amount", "received", "paid", "balance"]
        .iter()
        .flat_map(|what| texts(what))
        .collect();
    let numbers: Vec<&str> = numbers.into_iter().map(|text| unsaid(text).0).collect();
    let notation = Notation::of(numbers.iter().copied()).or(choices, sheet.mark);
    let dates = Notation::of(texts("date").into_iter().map(time::without_clock)).or(choices, None);
    let open = |texts: &[&str], is_open: &dyn Fn(&str) -> bool| {
        texts
            .iter()
            .find(|text| is_open(text))
            .map(|text| (*text).to_owned())
    };
    let name = |what: &str| {
        places
            .get(what)
            .map_or_else(String::new, |at| header[at].clone())
    };
    let is_open = |text: &str| dates.order.day_first(time::without_clock(text)).is_err();
    statement.open.dates = open(&texts("date"), &is_open).map(|text| (name("date"), text));
    let is_open = |text: &str| {
        matches!(
            number::read(unsaid(text).0, notation.mark),
            Err(number::Unread::Either(..))
        )
    };
    statement.open.numbers = open(&numbers, &is_open).map(|text| (name("amount"), text));
    let reader = Reader {
        places: &places,
        notation,
        dates,
        now,
        locale,
        all_paid_negative: is_all_negative(&texts("paid")),
        account: most(&texts("account")),
    };
    let mut lines = Vec::new();
    for row in &rows {
        match reader.line(row) {
            Ok(Some(line)) => lines.push(line),
            Ok(None) => {}
            Err(why) => statement.wrong.push(Part::wrong(row.line, why)),
        }
    }
    let is_signed = places.get("paid").is_some() || places.get("sign").is_some();
    let proof = prove(&mut lines, is_signed);
    statement.notes.extend(proof.note());
    let is_own =
        header
            .iter()
            .map(|name| name.to_lowercase())
            .take(3)
            .eq(["date", "description", "amount"]);
    match choices.negate {
        Some(true) => lines.iter_mut().for_each(|line| line.amount = -line.amount),
        Some(false) => {}
        None if proof.is_certain || is_signed => {}
        None => statement.open.sign = unsigned(&lines, is_own && header.len() < 5),
    }
    if let Some(why) = &statement.open.sign {
        for line in &mut lines {
            line.doubt.get_or_insert_with(|| why.clone());
        }
    }
    let unread = header
        .iter()
        .enumerate()
        .filter(|(at, name)| !name.is_empty() && places.at(*at).is_none());
    let unread: Vec<_> = unread.map(|(_, name)| name.as_str()).collect();
    if !unread.is_empty() {
        statement
            .notes
            .push(format!("not read: {}", unread.join(", ")));
    }
    if lines.is_empty() && statement.wrong.is_empty() {
        return Err("it has no lines".to_owned());
    }
    if lines.len() > MOST_LINES {
        return Err(format!(
            "it has {} lines; a statement has at most 2,000: split it into several",
            lines.len()
        ));
    }
    statement.lines = lines.into_iter().map(Line::sent).collect();
    Ok(())
}

/// Reads the rows.
struct Reader<'a> {
    places: &'a Places,
    notation: Notation,
    dates: Notation,
    now: Timestamp,
    locale: &'a Locale,
    /// Whether all paid amounts have a minus: it says nothing then.
    all_paid_negative: bool,
    /// The account of most lines.
    account: Option<String>,
}

impl Reader<'_> {
    fn text<'r>(&self, row: &'r Row, what: &str) -> &'r str {
        cell(row, self.places.get(what))
    }

    /// Reads a row; `None` if it has neither a day nor an amount.
    ///
    /// # Errors
    /// Why it is no line.
    fn line(&self, row: &Row) -> Result<Option<Line>, String> {
        let described = ["description", "payee", "kind"].map(|what| self.text(row, what));
        let description = described
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        let description = text::visible(description)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let description: String = description.chars().take(500).collect();
        let amount = self.amount(row);
        let is_balance = is_balance(&description);
        match (&amount, self.text(row, "date")) {
            // A balance without an amount, or a text over the whole width.
            (Ok(None), _) if is_balance => return Ok(None),
            (Ok(None), "") => return Ok(None),
            (_, "") if is_balance => return Ok(None),
            _ => {}
        }
        let date = self.day(self.text(row, "date"))?;
        let amount = amount?.ok_or("has no amount")?;
        if description.is_empty() {
            return Err("has no description".to_owned());
        }
        let reference = self.text(row, "reference").chars().take(200).collect();
        let balance = self.number(self.text(row, "balance")).ok().flatten();
        let fee = self
            .number(self.text(row, "fee"))
            .ok()
            .flatten()
            .unwrap_or_default();
        let doubt = match is_balance {
            true => Some("is a balance or a total, no movement".to_owned()),
            false => self.doubt(row),
        };
        Ok(Some(Line {
            line: row.line,
            date,
            description,
            amount,
            reference,
            currency: self.currency(row),
            balance,
            fee: fee.abs(),
            doubt,
        }))
    }

    fn day(&self, text: &str) -> Result<String, String> {
        let plain = time::without_clock(text);
        let ordered = self.dates.order.day_first(plain)?;
        let day = time::parse_day(&ordered, self.now, self.locale);
        let day = day.filter(|day| {
            (1950..=2100).contains(&day.year()) && text.contains(|char: char| char.is_ascii_digit())
        });
        day.map(|day| day.to_string())
            .ok_or_else(|| format!("“{text}” is no day"))
    }

    /// The number in a cell, which can have the word of a side; `None` if it is empty.
    fn number(&self, text: &str) -> Result<Option<f64>, String> {
        let (plain, paid) = unsaid(text);
        if plain.is_empty() || plain == "-" {
            return Ok(None);
        }
        let number =
            number::read(plain, self.notation.mark).map_err(|why| format!("“{text}” {why}"))?;
        let number = number
            .as_f64()
            .ok_or_else(|| format!("“{text}” is not a number"))?;
        if (number * 100.0 - (number * 100.0).round()).abs() > 1e-6 {
            return Err(format!("“{text}” has more than two decimal places"));
        }
        Ok(Some(match paid {
            Some(true) => -number.abs(),
            _ => number,
        }))
    }

    /// The amount, negative if it was paid; `None` if the row has none.
    fn amount(&self, row: &Row) -> Result<Option<f64>, String> {
        let filled = |amount: &f64| *amount != 0.0;
        if self.places.get("amount").is_none() {
            let received = self.number(self.text(row, "received"))?.filter(filled);
            let paid = self.number(self.text(row, "paid"))?.filter(filled);
            let paid = paid.map(|paid| {
                if self.all_paid_negative {
                    paid.abs()
                } else {
                    paid
                }
            });
            return match (received, paid) {
                (Some(received), Some(paid)) => Err(format!(
                    "{received} is received and {paid} paid: a line has one amount"
                )),
                (received, paid) => Ok(received.or(paid.map(|paid| -paid))),
            };
        }
        let Some(amount) = self.number(self.text(row, "amount"))?.filter(filled) else {
            return Ok(None);
        };
        let said = self.text(row, "sign");
        match is_paid(said).filter(|_| self.places.get("sign").is_some()) {
            None => Ok(Some(amount)),
            Some(true) => Ok(Some(-amount.abs())),
            Some(false) if amount >= 0.0 => Ok(Some(amount)),
            Some(false) => Err(format!(
                "amount {amount} is negative, but its sign is {said}"
            )),
        }
    }

    fn currency(&self, row: &Row) -> String {
        let code = match self.text(row, "currency") {
            "€" => "EUR".to_owned(),
            "R$" => "BRL".to_owned(),
            "$" | "US$" => "USD".to_owned(),
            "£" => "GBP".to_owned(),
            text => text.to_uppercase(),
        };
        let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_code { code } else { String::new() }
    }

    /// Why a line may not belong to the account.
    fn doubt(&self, row: &Row) -> Option<String> {
        let status = self.text(row, "status");
        let is_booked = words(status).first().is_none_or(|word| is_in(BOOKED, word))
            || counts(status) == Some(true);
        if !is_booked {
            return Some(format!("its status is {status}"));
        }
        let account = self.text(row, "account");
        let own = self
            .account
            .as_ref()
            .filter(|own| *own != account && !account.is_empty())?;
        Some(format!(
            "it is of the account {account}, most lines of {own}"
        ))
    }
}

impl Line {
    /// The line for the host.
    fn sent(self) -> Value {
        let mut line = Map::new();
        line.insert("line".to_owned(), json!(self.line));
        line.insert("date".to_owned(), json!(self.date));
        line.insert("description".to_owned(), json!(self.description));
        line.insert(
            "amount".to_owned(),
            json!((self.amount * 100.0).round() / 100.0),
        );
        let more = [
            ("reference", Some(self.reference)),
            ("currency", Some(self.currency)),
            (
                "doubt",
                self.doubt.map(|doubt| doubt.chars().take(500).collect()),
            ),
        ];
        for (name, text) in more {
            if let Some(text) = text.filter(|text: &String| !text.is_empty()) {
                line.insert(name.to_owned(), json!(text));
            }
        }
        Value::Object(line)
    }
}

/// What the balances prove.
#[derive(Debug, Default)]
struct Proof {
    /// The balances follow from the lines.
    is_certain: bool,
    /// The amounts have the other sign.
    is_negated: bool,
    /// The sign of each line is that of its balance.
    is_by_balance: bool,
}

impl Proof {
    fn note(&self) -> Option<String> {
        let what = match self {
            Proof {
                is_negated: true, ..
            } => "the balances show that amounts without a minus are paid",
            Proof {
                is_by_balance: true,
                ..
            } => "the balances show which amounts are paid",
            Proof {
                is_certain: true, ..
            } => "the balances fit",
            _ => return None,
        };
        Some(what.to_owned())
    }
}

fn cents(amount: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "amounts are below 10^13")]
    {
        (amount * 100.0).round() as i64
    }
}

/// Decides signs by the balances, and finds lines that do not fit them. The first line of the file is the oldest, or the
/// newest.
fn prove(lines: &mut [Line], is_signed: bool) -> Proof {
    let mut best = (0, 0, Proof::default(), false);
    for is_newest_first in [false, true] {
        let pairs = pairs(lines, is_newest_first);
        let count = |fits: &dyn Fn(i64, i64, i64) -> bool| {
            let fitting = pairs
                .iter()
                .filter(|(_, change, amount, fee)| fits(*change, *amount, *fee));
            fitting.count()
        };
        let as_is = |change: i64, amount: i64, fee: i64| {
            change == amount || fee != 0 && change == amount - fee
        };
        let other = |change: i64, amount: i64, fee: i64| as_is(change, -amount, fee);
        let either = |change: i64, amount: i64, fee: i64| {
            as_is(change, amount, fee) || other(change, amount, fee)
        };
        let counts = [
            (count(&as_is), false, false),
            (if is_signed { 0 } else { count(&other) }, true, false),
            (if is_signed { 0 } else { count(&either) }, false, true),
        ];
        for (count, is_negated, is_by_balance) in counts {
            if count > best.0 && count * 2 >= pairs.len() {
                let proof = Proof {
                    is_certain: true,
                    is_negated,
                    is_by_balance,
                };
                best = (count, pairs.len(), proof, is_newest_first);
            }
        }
    }
    let (_, _, proof, is_newest_first) = best;
    if !proof.is_certain {
        for line in lines.iter_mut().filter(|line| line.fee != 0.0) {
            let fee = line.fee;
            line.doubt
                .get_or_insert_with(|| format!("its fee of {fee:.2} may come to the amount"));
        }
        return proof;
    }
    if proof.is_negated {
        lines.iter_mut().for_each(|line| line.amount = -line.amount);
    }
    let pairs = pairs(lines, is_newest_first);
    let is_proved = !pairs.is_empty();
    for (at, change, amount, fee) in pairs {
        let line = &mut lines[at];
        match () {
            () if change == amount => {}
            () if fee != 0 && change == amount - fee => line.amount -= line.fee,
            () if proof.is_by_balance && change == -amount => line.amount = -line.amount,
            () => {
                let why = match change {
                    0 => "the balance does not change by it".to_owned(),
                    change => {
                        #[allow(clippy::cast_precision_loss, reason = "amounts are below 10^13")]
                        let change = change as f64 / 100.0;
                        format!(
                            "the balance changes by {change:.2}, not by {:.2}",
                            line.amount
                        )
                    }
                };
                line.doubt.get_or_insert(why);
            }
        }
    }
    // Nothing proves the oldest line.
    let oldest = if is_newest_first {
        lines.last_mut()
    } else {
        lines.first_mut()
    };
    if let Some(line) = oldest.filter(|_| is_proved)
        && let Some(balance) = line.balance
    {
        let is_it = cents(balance).abs() == cents(line.amount).abs();
        if is_it {
            line.doubt
                .get_or_insert_with(|| "its amount is the balance".to_owned());
        } else if proof.is_by_balance {
            line.doubt
                .get_or_insert_with(|| "no balance before it shows whether it was paid".to_owned());
        }
    }
    proof
}

/// Lines between two balances: the place, the change of the balance, the amount and the fee in cents.
fn pairs(lines: &[Line], is_newest_first: bool) -> Vec<(usize, i64, i64, i64)> {
    let mut places: Vec<usize> = (0..lines.len()).collect();
    if is_newest_first {
        places.reverse();
    }
    let mut before: Option<i64> = None;
    let mut pairs = Vec::new();
    for at in places {
        let line = &lines[at];
        let balance = line.balance.map(cents);
        if let (Some(before), Some(balance)) = (before, balance) {
            pairs.push((at, balance - before, cents(line.amount), cents(line.fee)));
        }
        before = balance;
    }
    pairs
}

/// Why nobody can know which amounts were paid: none has a sign, unless the form is our own, or only received ones have a
/// minus.
fn unsigned(lines: &[Line], is_own: bool) -> Option<String> {
    let is_received = |line: &&Line| {
        words(&line.description)
            .iter()
            .any(|word| is_in(RECEIVED, word))
    };
    let negative = || lines.iter().filter(|line| line.amount < 0.0);
    let has_positive = lines.iter().any(|line| line.amount > 0.0);
    match negative().count() {
        0 if has_positive && is_own => None,
        0 if has_positive => Some("no amount has a sign: was it paid, or received?".to_owned()),
        _ if has_positive && negative().all(|line| is_received(&line)) => Some(
            "only amounts that seem to be received have a minus: are those without one paid?"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Whether a description is that of a balance or a total.
fn is_balance(description: &str) -> bool {
    let letters = key(description);
    is_in(TOTAL, &letters)
        || BALANCES
            .split_whitespace()
            .any(|start| letters.starts_with(start))
}

/// A cell without the spaces around it.
fn cell(row: &Row, at: Option<usize>) -> &str {
    at.and_then(|at| row.cells.get(at))
        .map_or("", |cell| cell.trim())
}

/// Whether a word says that an amount was paid; `None` if it does not say it.
fn is_paid(word: &str) -> Option<bool> {
    let word = match word {
        "+" | "-" => word.to_owned(),
        word => key(word),
    };
    match (is_in(IN, &word), is_in(OUT, &word)) {
        _ if word.is_empty() => None,
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}

/// An amount without the word of its side, and whether that says paid: `12.50 DR`.
fn unsaid(text: &str) -> (&str, Option<bool>) {
    let text = text.trim();
    let sides = [("DR", true), ("CR", false), ("D", true), ("C", false)];
    let found = sides.into_iter().find_map(|(word, paid)| {
        let rest = text
            .strip_suffix(word)
            .or_else(|| text.strip_prefix(word))?;
        let rest = rest.trim();
        let is_number = rest
            .starts_with(|char: char| char.is_ascii_digit() || "(-+".contains(char))
            && rest.ends_with(|char: char| char.is_ascii_digit() || ")-".contains(char));
        is_number.then_some((rest, Some(paid)))
    });
    found.unwrap_or((text, None))
}

/// Whether all filled cells have a minus.
fn is_all_negative(cells: &[&str]) -> bool {
    let mut filled = cells
        .iter()
        .filter(|cell| cell.contains(|char: char| ('1'..='9').contains(&char)));
    filled.all(|cell| cell.contains(['-', '\u{2212}']) || cell.starts_with('('))
}

/// The text of more than half of the filled cells.
fn most(cells: &[&str]) -> Option<String> {
    let filled: Vec<_> = cells.iter().filter(|cell| !cell.is_empty()).collect();
    let count = |text: &str| filled.iter().filter(|other| ***other == text).count();
    let found = filled.iter().find(|text| count(text) * 2 > filled.len())?;
    Some((**found).to_string())
}
