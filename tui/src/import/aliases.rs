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
        &["titulo", "titel", "titre", "tarefa", "aufgabe", "task"],
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
/// Names of columns with a first name.
const FIRST: [&str; 9] = [
    "firstname",
    "givenname",
    "vorname",
    "prenom",
    "attendeefirstname",
    "attendeenamegivenname",
    "primeironome",
    "nome",
    "nombre",
];
/// Names of columns with the names between them.
const MIDDLE: [&str; 6] = [
    "middlename",
    "additionalname",
    "nomedomeio",
    "segundonome",
    "segundonombre",
    "weiterevornamen",
];
/// Names of columns with a last name.
const LAST: [&str; 12] = [
    "lastname",
    "surname",
    "familyname",
    "nachname",
    "sobrenome",
    "attendeelastname",
    "attendeenamefamilyname",
    "ultimonome",
    "apellidos",
    "apellido",
    "nom",
    "name",
];

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

/// The places of the columns with the first, the middle and the last name, if no column has the whole.
pub(super) fn name_parts(header: &[String]) -> Option<Vec<usize>> {
    let keys: Vec<_> = header.iter().map(|column| key(column)).collect();
    let place = |names: &[&str]| {
        let mut names = names.iter();
        names.find_map(|name| keys.iter().position(|key| key == name))
    };
    let (first, last) = (place(&FIRST)?, place(&LAST)?);
    // A column “Name” has the last name only beside a “Vorname”.
    let is_whole = keys[last] == "name" && keys[first] != "vorname";
    let is_named = keys
        .iter()
        .enumerate()
        .any(|(at, key)| at != last && key == "name");
    let parts = [Some(first), place(&MIDDLE), Some(last)];
    (first != last && !is_whole && !is_named).then(|| parts.into_iter().flatten().collect())
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
        ] {
            assert_eq!(name_parts(&header(names)), expected, "{names}");
        }
    }
}
