//! The names that other programs and languages have for columns.

use std::collections::HashSet;

use super::Argument;
use crate::look::text::fold;

/// Arguments, and names of columns for them without spaces and accents; the best first. They are those of Luma,
/// Eventbrite, Sympla, pretix and Doity, of the contacts of Google, Outlook and Apple, and of lists in Portuguese, Spanish, German and French.
const ALIASES: [(&str, &[&str]); 10] = [
    (
        "name",
        &[
            "fullname",
            "ticketfullname",
            "attendeename",
            "nomecompleto",
            "nomedoparticipante",
            "participante",
            "nombrecompleto",
            "guestname",
            "displayname",
            "nomedoinscrito",
            "inscrito",
            "participant",
            "teilnehmer",
            "convidado",
            "nome",
            "nombre",
            "nom",
            "nachname",
        ],
    ),
    (
        "email",
        &[
            "attendeeemail",
            "emailaddress",
            "emaildoparticipante",
            "emaildoinscrito",
            "email1value",
            "email1",
            "primaryemail",
            "emailadresse",
            "enderecodeemail",
            "mail",
            "correoelectronico",
            "correo",
            "courriel",
            "adresseemail",
        ],
    ),
    ("phone_number", PHONE),
    ("phone", PHONE),
    (
        "tags.ticket_code",
        &[
            "ticketsecret",
            "secret",
            "barcode",
            "ticketreference",
            "publicid",
            "ticketcode",
            "codigodoingresso",
            "ningresso",
            "noingresso",
            "numerodoingresso",
            "qrcodeurl",
            "ticketnumber",
            "ticketid",
            "codigodainscricao",
            "codigodeinscricao",
            "numerodainscricao",
            "ninscricao",
            "attendee",
        ],
    ),
    (
        "tags.ticket_type",
        &[
            "tickettype",
            "tipodeingresso",
            "ticketname",
            "tipodeinscricao",
            "categoriadainscricao",
            "product",
            "produkt",
        ],
    ),
    (
        "title",
        &[
            "titulo", "titel", "titre", "tarefa", "aufgabe", "task", "summary",
        ],
    ),
    ("description", &["descricao", "beschreibung", "descripcion"]),
    (
        "due_date",
        &[
            "prazo",
            "vencimento",
            "duedate",
            "due",
            "falligam",
            "faellig",
        ],
    ),
    ("status", &["state", "estado", "situacao"]),
];
const PHONE: &[&str] = &[
    "phone",
    "phonenumber",
    "cellphone",
    "mobilephone",
    "phone1value",
    "primaryphone",
    "telefonecelular",
    "mobiltelefon",
    "telefonnummer",
    "businessphone",
    "homephone",
    "mobile",
    "telefone",
    "celular",
    "telefono",
    "telefon",
    "handy",
    "whatsapp",
    "telephone",
];
/// Names of columns with a first name; the last ones beside a last name only.
const FIRST: &str = "firstname givenname givennames forename vorname prenom prenoms attendeefirstname attendeenamegivenname \
    ticketfirstname primeironome primernombre voornaam fornavn fornamn imie nombres nombredepila nome nomeproprio \
    nombre nomedebatismo name";
/// Names of columns with the names between them.
const MIDDLE: &str = "middlename additionalname nomedomeio segundonome segundonombre weiterevornamen secondonome tussenvoegsel";
/// Names of columns with a last name.
const LAST: &str = "lastname surname familyname nachname familienname sobrenome attendeelastname attendeenamefamilyname \
    ticketlastname ultimonome apellidos apellido primerapellido apellido1 apellidopaterno cognome cognomi apelido \
    apelidos nomedefamilia achternaam etternavn efternavn efternamn nazwisko nomdefamille nomdefamile nom name";
/// Names of columns with a second last name.
const SECOND: &str = "segundoapellido apellido2 apellidomaterno";
/// Words of columns with a part of a person's name, in addition to those above.
const NAMELIKE: &str = "name names nome nombre nom naam";
/// Words beside them of names that are no person's, or another one's.
const NOT_NAMELIKE: &str = "user username usuario company empresa firma organisation organization organizacao organizacion ticket event \
    evento file arquivo product produto school escola team equipe venue course curso campaign price tier street city \
    bank banco account category domain table group grupo session project mae pai job";
/// Words of columns about the buyer of the ticket.
const BUYER: &str = "buyer order purchaser payer customer billing invoice contact comprador compradora pedido pagador cliente \
    responsavel kaufer besteller rechnung kunde acheteur commande acquirente ordine";
/// Words of columns about the attendee.
const ATTENDEE: &str = "attendee ticket participant participante guest holder inscrito convidado asistente invitado teilnehmer gast \
    partecipante titular";

/// The arguments of columns with such a name: the place of the column, and the argument.
pub(super) fn found(
    header: &[String],
    arguments: &[Argument],
    is_open: impl Fn(usize) -> bool,
    taken: &HashSet<String>,
) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (argument, names) in ALIASES {
        let is_argument = arguments.iter().any(|one| match argument.split_once('.') {
            Some((root, _)) => one.name == root && one.is_free,
            None => one.name == argument,
        });
        if !is_argument || taken.contains(argument) {
            continue;
        }
        let column = |name: &&str| {
            let mut columns = header.iter().enumerate();
            columns.position(|(at, column)| {
                is_open(at) && key(column) == **name && found.iter().all(|(other, _)| *other != at)
            })
        };
        if let Some(at) = names.iter().find_map(column) {
            found.push((at, argument.to_owned()));
        }
    }
    found
}

/// The attendee's column of this argument, beside one that can be the buyer's.
pub(super) fn of_attendee(header: &[String], argument: &str) -> Option<usize> {
    let (_, names) = ALIASES.iter().find(|(name, _)| *name == argument)?;
    let is_it = |column: &String| {
        let of = ["of", "the", "do", "da", "de", "del", "des", "der"];
        let is_about = |word: &String| is_in(ATTENDEE, word) || of.contains(&&**word);
        let rest: String = words(column)
            .into_iter()
            .filter(|word| !is_about(word))
            .collect();
        // A ticket has a name, too.
        (rest != "name" || !key(column).starts_with("ticket"))
            && is_attendees(column)
            && (rest == argument || names.contains(&&*rest) || names.contains(&&*key(column)))
    };
    header.iter().position(is_it)
}

/// Whether a column is about the attendee.
pub(super) fn is_attendees(column: &str) -> bool {
    !is_buyers(column) && words(column).iter().any(|word| is_in(ATTENDEE, word))
}

/// Whether a column is about the buyer of the ticket.
pub(super) fn is_buyers(column: &str) -> bool {
    words(column).iter().any(|word| is_in(BUYER, word))
}

/// Whether it is one of several numbered columns.
pub(super) fn is_numbered(column: &str) -> bool {
    words(column)
        .iter()
        .any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a column of this name can have a part of a name.
pub(super) fn is_name_part(column: &str) -> bool {
    [FIRST, MIDDLE, LAST, SECOND]
        .iter()
        .any(|names| is_in(names, &key(column)))
}

/// Whether a column of this name can have another part of a person's name.
pub(super) fn is_namelike(column: &str) -> bool {
    let words = words(column);
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    let is_it = has(NAMELIKE)
        || has(FIRST)
        || has(MIDDLE)
        || has(LAST)
        || has(SECOND)
        || is_name_part(column);
    is_it && !has(NOT_NAMELIKE) && !is_buyers(column)
}

/// The places of the columns with the first, the middle and the last names, if no column has the whole.
pub(super) fn name_parts(header: &[String]) -> Option<Vec<usize>> {
    let keys: Vec<_> = header.iter().map(|column| key(column)).collect();
    let place = |names: &str| {
        let mut names = names.split(' ');
        names.find_map(|name| keys.iter().position(|key| key == name))
    };
    let (first, last) = (place(FIRST)?, place(LAST)?);
    // A column “Name” has the last name only beside a “Vorname”, and the first one beside a “Surname”.
    let is_whole = keys[last] == "name" && keys[first] != "vorname";
    let is_part = |at: usize| at == first || at == last;
    let is_named = keys.iter().enumerate().any(|(at, key)| {
        let is_whole = [
            "name",
            "fullname",
            "attendeename",
            "ticketfullname",
            "nomecompleto",
        ]
        .contains(&&**key);
        !is_part(at) && is_whole
    });
    let parts = [Some(first), place(MIDDLE), Some(last), place(SECOND)];
    (first != last && !is_whole && !is_named).then(|| parts.into_iter().flatten().collect())
}

/// Whether a word is one of a list with spaces between.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// The words of a name, without case and accents.
pub(super) fn words(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = folded.split(|char: char| !char.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The letters and digits of a name, without case and accents.
pub(crate) fn key(name: &str) -> String {
    fold(name)
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(names: &str) -> Vec<String> {
        names.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn first_and_last_names_are_known() {
        for (names, expected) in [
            ("Order #,First Name,Last Name,Email", Some(vec![1, 2])),
            ("Nome,Sobrenome", Some(vec![0, 1])),
            ("Name,Vorname", Some(vec![1, 0])),
            ("Vorname,Nachname", Some(vec![0, 1])),
            ("Last Name,First Name,Middle Name", Some(vec![1, 2, 0])),
            ("name,first_name,last_name", None),
            ("Nome,E-mail", None),
            ("Name,Nome", None),
            (
                "Nombre,Primer Apellido,Segundo Apellido,Correo",
                Some(vec![0, 1, 2]),
            ),
            ("Cognome,Nome,E-mail", Some(vec![1, 0])),
            ("Surname,Name", Some(vec![1, 0])),
            ("Nome,Nome social", None),
            ("Attendee name,First name,Last name", None),
            ("Ticket Full Name,Ticket First Name,Ticket Last Name", None),
        ] {
            assert_eq!(name_parts(&header(names)), expected, "{names}");
        }
    }
}
