//! What the name of a field says about what is in it.

/// Words of a name whose text is a secret, wherever they stand in it.
const SECRETS: [&str; 24] = [
    "apikey",
    "auth",
    "authentication",
    "authorization",
    "bearer",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "jwt",
    "key",
    "keys",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "totp",
];

/// Words of a name whose value is a secret or about a person even where it is a number.
const NUMBERS: [&str; 20] = [
    "cvc",
    "cvv",
    "fax",
    "iban",
    "mobile",
    "otp",
    "passcode",
    "passport",
    "password",
    "phone",
    "phones",
    "pin",
    "postcode",
    "pwd",
    "secret",
    "ssn",
    "tel",
    "telephone",
    "totp",
    "zip",
];

/// Words of a name whose text is about a person, wherever they stand in it.
const PERSONAL: [&str; 36] = [
    "address",
    "addresses",
    "avatar",
    "bcc",
    "bio",
    "birth",
    "birthdate",
    "birthday",
    "cc",
    "cell",
    "city",
    "dob",
    "email",
    "emails",
    "firstname",
    "forename",
    "fullname",
    "gender",
    "iban",
    "lastname",
    "mail",
    "mails",
    "mobile",
    "nationality",
    "nickname",
    "passport",
    "phone",
    "phones",
    "postcode",
    "ssn",
    "street",
    "surname",
    "tel",
    "telephone",
    "transcript",
    "username",
];

/// Words that stand for people: what lies in such a field, or is of a tool with such a name, is
/// about them.
const PEOPLE: [&str; 66] = [
    "applicant",
    "applicants",
    "assignee",
    "assignees",
    "attendee",
    "attendees",
    "author",
    "authors",
    "candidate",
    "candidates",
    "colleague",
    "colleagues",
    "contact",
    "contacts",
    "customer",
    "customers",
    "donor",
    "donors",
    "employee",
    "employees",
    "family",
    "fellow",
    "fellows",
    "friend",
    "friends",
    "guest",
    "guests",
    "instructor",
    "instructors",
    "invitee",
    "invitees",
    "lead",
    "leads",
    "member",
    "members",
    "organizer",
    "organizers",
    "owner",
    "owners",
    "participant",
    "participants",
    "patient",
    "patients",
    "people",
    "person",
    "persons",
    "profile",
    "profiles",
    "recipient",
    "recipients",
    "reporter",
    "reviewer",
    "reviewers",
    "sender",
    "speaker",
    "speakers",
    "staff",
    "student",
    "students",
    "teacher",
    "teachers",
    "tutor",
    "user",
    "users",
    "volunteer",
    "volunteers",
];

/// Before `name`, words that make it the name of a person.
const NAMED: [&str; 12] = [
    "family",
    "first",
    "full",
    "given",
    "last",
    "maiden",
    "middle",
    "nick",
    "real",
    "screen",
    "legal",
    "preferred",
];

/// Words at the end of a name that say that it is no free text, even about people.
const HARMLESS: [&str; 30] = [
    "category",
    "currency",
    "cursor",
    "digest",
    "direction",
    "effect",
    "format",
    "hash",
    "iid",
    "kind",
    "lang",
    "language",
    "level",
    "limit",
    "locale",
    "mode",
    "offset",
    "order",
    "policy",
    "priority",
    "role",
    "roles",
    "sha",
    "sort",
    "state",
    "status",
    "timezone",
    "type",
    "unit",
    "version",
];

/// What the name of a field says about what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meaning {
    /// Its text is a secret.
    pub(super) secret: bool,
    /// Its text is about a person.
    pub(super) personal: bool,
    /// The same holds for a number.
    pub(super) numbers: bool,
    /// What lies in it is about people.
    pub(super) people: bool,
    /// It is the id of a record.
    pub(super) id: bool,
    /// It is no free text.
    pub(super) harmless: bool,
}

impl Meaning {
    /// What this name says.
    pub(super) fn of(name: &str) -> Meaning {
        let words = words(name);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let last = words.last().map_or("", String::as_str);
        let is_any = |list: &[&str]| list.contains(&last);
        let pair = |first: &str, second: &str| {
            words
                .windows(2)
                .any(|pair| pair[0] == first && pair[1] == second)
        };
        let is_by = last == "by"
            && !matches!(
                words.first().map(String::as_str),
                Some("sort" | "order" | "group")
            );
        let is_named = is_any(&["name", "names"])
            && words
                .iter()
                .any(|word| NAMED.contains(&word.as_str()) || is_people(word));
        // An id is an id, whatever it is the id of; but a tax id is about a person.
        let id = is_any(&["id", "ids", "uuid", "uuids", "guid"]) && !any(&["tax", "national"]);
        let is_protocol = pair("ip", "address") || pair("mac", "address");
        let is_shown = pair("display", "name");
        Meaning {
            secret: any(&SECRETS) || any(&["pin", "cvc", "cvv"]) || pair("api", "key"),
            personal: !id
                && !is_protocol
                && (any(&PERSONAL)
                    || is_named
                    || is_shown
                    || is_by
                    || is_any(&["zip", "fax"])
                    || any(&["tax", "national"])),
            numbers: any(&NUMBERS) || (any(&["tax", "national"]) && is_any(&["id", "number"])),
            people: !id && any(&PEOPLE),
            id,
            harmless: is_any(&HARMLESS) || pair("sort", "by") || pair("order", "by"),
        }
    }
}

/// Whether the word stands for people.
fn is_people(word: &str) -> bool {
    PEOPLE.contains(&word)
}

/// The words of a name, in small letters: `apiKey`, `api_key`, `API-Key` and `api.key` are all two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let is_next_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_break = letter.is_uppercase()
            && (before.is_lowercase() || (before.is_uppercase() && is_next_small));
        if !letter.is_alphanumeric() || is_break {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before = *letter;
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    // `email2`, `e-mail`, `address1`
    for word in &mut words {
        let stem = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if !stem.is_empty() {
            word.truncate(stem.len());
        }
    }
    if words
        .windows(2)
        .any(|pair| pair[0] == "e" && pair[1].starts_with("mail"))
    {
        words.push("email".to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_however_they_are_written() {
        for name in [
            "api_key", "apiKey", "API-Key", "APIKey", "api.key", "api key2",
        ] {
            assert_eq!(words(name), ["api", "key"], "{name}");
        }
        assert_eq!(words("e-mail"), ["e", "mail", "email"]);
        assert!(words("").is_empty());
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "password",
            "api_key",
            "accessToken",
            "client_secret",
            "PIN",
            "X-Auth",
            "key",
        ] {
            assert!(Meaning::of(name).secret, "{name}");
        }
        for name in ["keyboard", "name", "limit", "pinned", "author", "tokenizer"] {
            assert!(!Meaning::of(name).secret, "{name}");
        }
    }

    #[test]
    fn people_are_known_by_their_names() {
        for name in [
            "email",
            "e-mail",
            "contactEmail",
            "phone_number",
            "first_name",
            "guest_name",
            "display_name",
            "street",
            "checked_in_by",
            "birth_date",
            "tax_id",
            "userName",
            "owner_names",
        ] {
            assert!(Meaning::of(name).personal, "{name}");
        }
        for name in [
            "name",
            "event_name",
            "file_name",
            "title",
            "sort_by",
            "member_id",
            "email_id",
            "ip_address",
            "location",
        ] {
            assert!(!Meaning::of(name).personal, "{name}");
        }
        assert!(Meaning::of("list_event_guests").people);
        assert!(!Meaning::of("guest_id").people);
        assert!(!Meaning::of("list_events").people);
    }
}
