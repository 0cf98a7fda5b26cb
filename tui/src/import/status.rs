//! What a row says about itself in a column of its own: declined, cancelled, refunded, not paid, "No".

use std::collections::BTreeMap;

use super::aliases::{is_in, words};

/// The number of different words in a summary.
const MOST_WORDS: usize = 5;

/// Words of headers over such a column: alone, with words of [`ABOUT`], or over a known answer.
const STATUS: &str = "status state rsvp approval approved payment paid attending attendance going response confirmed confirmation \
    situacao estado aprovacao aprovado pagamento pago presenca participacao confirmacao confirmado resposta \
    asistencia confirmacion aprobacion respuesta zustand zahlung bezahlt teilnahme zusage statut etat paiement \
    presence stato";
/// Words beside them that do not change what the column says.
const ABOUT: &str = "a of the is your de da do del della dell di du des la le el l o der attendee attendees guest ticket order \
    registration booking invitation invite event participant participante participantes ingresso inscricao pedido \
    convite convidado evento asistente entrada inscripcion invitado reserva teilnehmer anmeldung bestellung gast \
    billet commande inscription participation biglietto ordine iscrizione partecipante transaction transacao buchung \
    invoice";
/// Words of headers over a column that is filled where the row does not count.
const NOT: &str = "void voided cancelled canceled cancellation refunded refund declined deleted withdrawn rejected cancelado \
    cancelada cancelamento estornado reembolsado reembolso recusado cancelacion anulado rechazado devuelto storniert \
    stornierung storno erstattet abgesagt annule rembourse annullato";
/// Words of questions whether somebody comes.
const COMES: &str = "attend attending come coming join joining rsvp participate there participar participara participa comparecer \
    comparecera presenca vem vir vira ira asistir asistira asistiras asistes vendras vienes teilnehmen kommst kommen \
    kommt dabei viendrez viens participer participerez partecipare parteciperai";
/// Words of headers of other columns: who is inside already, a person's own state.
const OTHER: &str = "check checked checkin method metodo forma meio mode type date data fecha datum civil marital country address \
    amount total valor price preco";
/// The first word, or all words, of what counts.
const YES: &str = "yes y sim s si ja j oui true 1 x ok okay ready done in approved aprovado aprovada aprobado aprobada genehmigt \
    approuve approvato approve accepted accept aceito aceita aceite aceptado angenommen accepte accettato confirmed \
    confirmado confirmada bestatigt confirme confirmee confermato going attending attended attend coming zugesagt \
    present presente active ativo ativa activo activa aktiv actif attivo valid valido valida gultig valide complete \
    completed completo completa concluido concluida completado abgeschlossen termine completato registered inscrito \
    inscrita registrado registrada angemeldet inscrit registrato paid pago paga pagado pagada bezahlt paye payee \
    pagato free gratis gratuito gratuita kostenlos gratuit cortesia complimentary comp issued emitido booked placed \
    success successful succeeded settled processed liquidado gebucht checked used utilizado";
/// Words of what does not count: alone, or in a sentence that begins with a yes.
const NO: &str = "nao nein not nicht never declined decline recusado recusada rechazado rechazada abgelehnt abgesagt refuse \
    refusee rifiutato rejected reprovado rejeitado rejeitada denied negado negada cancelled canceled cancel \
    cancelado cancelada cancelados storniert annule annulee annullato anulado anulada void voided deleted excluido \
    removido removed eliminado geloscht supprime refunded refund reembolsado reembolsada estornado estornada \
    devolvido devuelto erstattet rembourse rimborsato chargeback disputed withdrawn unpaid naopago pending pendente \
    pendiente ausstehend offen attente sospeso awaiting aguardando waiting waitlist waitlisted espera warteliste \
    expired expirado expirada vencido abgelaufen expire overdue failed falhou inactive inativo inativa invalid \
    invalido invited convidado maybe talvez tal quizas quiza vielleicht peut forse tentative interested unconfirmed \
    incomplete incompleto partial partially parcial abandoned blocked absent ausente blacklisted started draft hold";

/// Those that are a no at the beginning of an answer only.
const NO_FIRST: &str = "no n non 0 nope false";

/// What a column says of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Whether the row counts.
    Status,
    /// Whether somebody comes: only a no does not count.
    Comes,
    /// When, or that, it does not count.
    Not,
    /// The state of another record: one of [`NOT`] does not count.
    State,
}

/// The columns in which rows say whether they count.
#[derive(Debug, Default)]
pub(super) struct Statuses(Vec<(usize, Says)>);

impl Statuses {
    /// Those columns of a table that no argument takes.
    pub(super) fn of<'a, I: Iterator<Item = &'a str>>(
        header: &[String],
        is_open: impl Fn(usize) -> bool,
        is_of_people: bool,
        cells: impl Fn(usize) -> I,
    ) -> Statuses {
        let columns = header.iter().enumerate().filter(|(at, _)| is_open(*at));
        let columns = columns.filter_map(|(at, name)| {
            let words = words(name);
            let has = |list: &str| words.iter().any(|word| is_in(list, word));
            // Zahlungsstatus.
            let is_status = |word: &String| word.ends_with("status");
            let is_all = |list: &str| {
                words
                    .iter()
                    .all(|word| is_in(list, word) || is_in(ABOUT, word))
            };
            if has(OTHER) {
                return None;
            }
            let is_known = || {
                let filled = cells(at).filter(|cell| !cell.trim().is_empty());
                let known: Vec<_> = filled.map(|cell| counts(cell).is_some()).collect();
                known.iter().filter(|known| **known).count() * 2 >= known.len().max(1)
            };
            let is_question = name.contains('?') || words.len() > 3;
            let says = match () {
                () if has(NOT) && words.len() < 4 => Says::Not,
                () if has(COMES) && is_question && is_of_people => Says::Comes,
                () if !has(STATUS) && !words.iter().any(is_status) || words.len() > 5 => {
                    return None;
                }
                () if !is_of_people => Says::State,
                // A state can be one of an address, and a status anything.
                () if is_known() || is_all("status rsvp approval situacao") => Says::Status,
                () => return None,
            };
            Some((at, says))
        });
        Statuses(columns.collect())
    }

    /// The rows that do not count, by their words: `approval_status: 2 declined, 1 waitlist`.
    pub(super) fn summary<'a>(
        &self,
        header: &[String],
        rows: impl Iterator<Item = &'a [String]>,
    ) -> Vec<String> {
        let mut counts: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
        for cells in rows {
            if let Some((at, cell)) = self.found(cells) {
                *counts.entry(at).or_default().entry(cell).or_default() += 1;
            }
        }
        let said = counts.into_iter().map(|(at, counts)| {
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let more = counts
                .iter()
                .skip(MOST_WORDS)
                .map(|(_, count)| count)
                .sum::<usize>();
            let words = counts
                .iter()
                .take(MOST_WORDS)
                .map(|(word, count)| format!("{count} {word}"));
            let more = (more > 0).then(|| format!("{more} others"));
            format!(
                "{}: {}",
                header[at],
                words.chain(more).collect::<Vec<_>>().join(", ")
            )
        });
        said.collect()
    }

    /// Why the row does not count: the name of the column, and its cell.
    pub(super) fn doubt(&self, header: &[String], cells: &[String]) -> Option<String> {
        let (at, cell) = self.found(cells)?;
        Some(format!("{} is “{cell}”", header[at]))
    }

    /// The first cell that says that its row does not count.
    fn found<'a>(&self, cells: &'a [String]) -> Option<(usize, &'a str)> {
        let found = self
            .0
            .iter()
            .map(|(at, says)| (*at, says, cells.get(*at).map_or("", |cell| cell.trim())));
        let mut found = found.filter(|(_, says, cell)| {
            !cell.is_empty()
                && match says {
                    Says::Status => counts(cell) != Some(true),
                    Says::Comes => counts(cell) == Some(false),
                    Says::Not => !is_nothing(cell),
                    Says::State => words(cell).iter().any(|word| is_in(NOT, word)),
                }
        });
        found.next().map(|(at, _, cell)| (at, cell))
    }
}

/// Whether a row with this status counts; `None` if the words are unknown.
pub(super) fn counts(cell: &str) -> Option<bool> {
    let words = words(cell);
    let first = words.first()?;
    let is_no = words.iter().any(|word| is_in(NO, word)) || is_in(NO_FIRST, first);
    match (is_no, is_in(YES, first)) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// Whether a cell says that nothing has happened: a no, a dash, an amount of 0.
fn is_nothing(cell: &str) -> bool {
    let digits = cell.chars().filter(|char| char.is_alphanumeric());
    let is_zero = digits
        .clone()
        .all(|char| !char.is_ascii_digit() || char == '0')
        && !cell.contains(['-', '/', ':']);
    let is_number = digits.clone().filter(char::is_ascii_digit).count() > 0;
    let no = [
        "no", "n", "nao", "nein", "non", "false", "none", "never", "valid", "active", "null",
    ];
    let words = words(cell);
    digits.clone().count() == 0
        || is_number && is_zero
        || words.len() == 1 && no.contains(&&*words[0])
}
