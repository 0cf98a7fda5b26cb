//! The columns of a bank's file: banks name them differently, and many say in another column whether an amount was paid.

use frontdesk_protocol::csv::Row;
use frontdesk_protocol::door::fold;

use crate::database::quoted;

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
const RECEIVED: [&str; 15] = [
    "credit",
    "creditamount",
    "paidin",
    "credito",
    "entrada",
    "haben",
    "moneyin",
    "abono",
    "haber",
    "gutschrift",
    "einnahme",
    "bij",
    "avere",
    "ingreso",
    "deposit",
];
const PAID: [&str; 15] = [
    "debit",
    "debitamount",
    "paidout",
    "debito",
    "saida",
    "soll",
    "moneyout",
    "cargo",
    "withdrawal",
    "debe",
    "belastung",
    "ausgabe",
    "debet",
    "af",
    "dare",
];

/// Columns that say whether an amount was paid, and nothing else.
const SIGN: [&str; 26] = [
    "sollhaben",
    "sh",
    "sollhabenkennzeichen",
    "shkennzeichen",
    "vorzeichen",
    "creditdebit",
    "debitcredit",
    "creditdebitindicator",
    "debitcreditindicator",
    "creditdebitcode",
    "debitcreditcode",
    "cdtdbtind",
    "drcr",
    "crdr",
    "dc",
    "cd",
    "afbij",
    "bijaf",
    "debetcredit",
    "creditdebet",
    "debitocredito",
    "creditodebito",
    "debehaber",
    "dareavere",
    "sinal",
    "sens",
];
/// Columns that may say it.
const TYPE: [&str; 16] = [
    "",
    "type",
    "tipo",
    "typ",
    "art",
    "soort",
    "kind",
    "code",
    "sign",
    "direction",
    "richtung",
    "natureza",
    "indicator",
    "transactiontype",
    "tipolancamento",
    "tipodelancamento",
];
/// The words for money received.
const IN: [&str; 22] = [
    "+",
    "h",
    "c",
    "k",
    "cr",
    "crdt",
    "cred",
    "haben",
    "haber",
    "credit",
    "credito",
    "kredit",
    "gutschrift",
    "eingang",
    "entrada",
    "avere",
    "bij",
    "in",
    "moneyin",
    "deposit",
    "abono",
    "received",
];
/// The words for money paid.
const OUT: [&str; 22] = [
    "-",
    "s",
    "d",
    "dr",
    "dbit",
    "deb",
    "soll",
    "debe",
    "debit",
    "debito",
    "debet",
    "belastung",
    "lastschrift",
    "ausgang",
    "saida",
    "dare",
    "af",
    "out",
    "moneyout",
    "withdrawal",
    "cargo",
    "paid",
];
const CURRENCY: [&str; 9] = [
    "currency",
    "currencycode",
    "ccy",
    "moeda",
    "wahrung",
    "moneda",
    "devise",
    "munt",
    "divisa",
];
const STATUS: [&str; 9] = [
    "status",
    "state",
    "buchungsstatus",
    "transactionstatus",
    "situacao",
    "estado",
    "statut",
    "etat",
    "stato",
];
/// The account of the statement, not that of the other side.
const ACCOUNT: [&str; 11] = [
    "account",
    "accountnumber",
    "accountno",
    "auftragskonto",
    "ibanauftragskonto",
    "ownaccount",
    "rekening",
    "rekeningnummer",
    "conta",
    "cuenta",
    "numerodecompte",
];

/// The places of the columns.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) date: usize,
    pub(super) description: usize,
    pub(super) amount: Option<usize>,
    pub(super) received: Option<usize>,
    pub(super) paid: Option<usize>,
    pub(super) reference: Option<usize>,
    /// Whether an amount was paid.
    pub(super) sign: Option<usize>,
    pub(super) currency: Option<usize>,
    pub(super) status: Option<usize>,
    pub(super) account: Option<usize>,
}

impl Columns {
    /// The columns of a header; the error is the name of one that is missing.
    pub(super) fn of(header: &Row) -> Result<Columns, &'static str> {
        let names: Vec<_> = header.cells.iter().map(|cell| plain(cell)).collect();
        let place = |words: &[&str]| {
            let mut words = words.iter();
            words.find_map(|word| names.iter().position(|name| name == word))
        };
        let amount = place(&AMOUNT);
        // A column of what was paid and one of what was received say the sign, so a column of amounts is not read.
        let both = place(&RECEIVED).zip(place(&PAID));
        if amount.is_none() && both.is_none() {
            return Err("amount");
        }
        Ok(Columns {
            date: place(&DATE).ok_or("date")?,
            description: place(&DESCRIPTION).ok_or("description")?,
            received: both.map(|(received, _)| received),
            paid: both.map(|(_, paid)| paid),
            amount: amount.filter(|_| both.is_none()),
            reference: place(&REFERENCE),
            sign: None,
            currency: place(&CURRENCY),
            status: place(&STATUS),
            account: place(&ACCOUNT),
        })
    }

    /// The places of the columns that are read.
    pub(super) fn all(&self) -> [Option<usize>; 10] {
        [
            Some(self.date),
            Some(self.description),
            self.amount,
            self.received,
            self.paid,
            self.reference,
            self.sign,
            self.currency,
            self.status,
            self.account,
        ]
    }

    /// Finds the column that says which amounts were paid, by its name and its values. If amounts are negative, they say
    /// it themselves.
    ///
    /// # Errors
    /// The line and a message, if a column seems to say it, but not for each line.
    pub(super) fn find_sign(&mut self, header: &Row, rows: &[Row]) -> Result<(), (u64, String)> {
        let Some(amount) = self.amount else {
            return Ok(());
        };
        let is_negative = |row: &Row| {
            cell(row, amount).contains(['-', '\u{2212}']) || cell(row, amount).starts_with('(')
        };
        let has_negative = rows.iter().any(is_negative);
        for at in 0..header.cells.len() {
            if self.all().contains(&Some(at)) {
                continue;
            }
            let name = plain(cell(header, at));
            let (is_sign, is_type) = (SIGN.contains(&&*name), TYPE.contains(&&*name));
            let said: Vec<_> = rows.iter().map(|row| is_paid(cell(row, at))).collect();
            let known = said.iter().flatten().count();
            let has_both = said.contains(&Some(true)) && said.contains(&Some(false));
            let is_word = rows.iter().any(|row| cell(row, at).chars().count() > 1);
            if known == rows.len() && known > 0 && (is_sign || is_type || has_both || is_word) {
                if !has_negative || is_sign {
                    self.sign = Some(at);
                    return Ok(());
                }
            } else if !has_negative && (is_sign || known > 0 && (is_type || has_both)) {
                let unclear = rows.iter().zip(&said).find(|(_, paid)| paid.is_none());
                let (line, text) =
                    unclear.map_or((header.line, ""), |(row, _)| (row.line, cell(row, at)));
                let why = format!(
                    "the column {} seems to say which amounts were paid, but not by {}: write D for paid and C \
                     for received, or give paid amounts a minus",
                    column(header, at),
                    quoted(text)
                );
                return Err((line, why));
            }
        }
        Ok(())
    }
}

/// A cell without the spaces around it.
pub(super) fn cell(row: &Row, at: usize) -> &str {
    row.cells.get(at).map_or("", |cell| cell.trim())
}

/// A column for messages: its name, or its number.
pub(super) fn column(header: &Row, at: usize) -> String {
    match cell(header, at) {
        "" => format!("number {}", at + 1),
        name => quoted(name),
    }
}

/// The letters of a column's name, without case, accents and a currency in brackets.
fn plain(name: &str) -> String {
    let name = name.split(['(', '[']).next().unwrap_or_default();
    letters(name)
}

fn letters(text: &str) -> String {
    fold(text)
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
}

/// Whether a word says that an amount was paid; `None` if it does not say it.
pub(super) fn is_paid(word: &str) -> Option<bool> {
    let word = match word {
        "+" | "-" => word.to_owned(),
        word => letters(word),
    };
    match (IN.contains(&&*word), OUT.contains(&&*word)) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}

/// The code of a currency, if it is one.
pub(super) fn currency(text: &str) -> Option<String> {
    let code = match text {
        "€" => "EUR".to_owned(),
        "R$" => "BRL".to_owned(),
        "$" | "US$" => "USD".to_owned(),
        "£" => "GBP".to_owned(),
        text => text.to_uppercase(),
    };
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then_some(code)
}

/// The statuses of lines that are booked.
const BOOKED: [&str; 24] = [
    "",
    "booked",
    "posted",
    "completed",
    "complete",
    "settled",
    "cleared",
    "executed",
    "confirmed",
    "successful",
    "success",
    "processed",
    "done",
    "ok",
    "gebucht",
    "abgeschlossen",
    "ausgefuhrt",
    "concluido",
    "concluida",
    "efetivado",
    "liquidado",
    "contabilizado",
    "geboekt",
    "comptabilise",
];

/// Whether a status says that a line is booked.
pub(super) fn is_booked(status: &str) -> bool {
    BOOKED.contains(&&*letters(status))
}
