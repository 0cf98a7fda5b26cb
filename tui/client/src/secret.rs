//! Text that must not be displayed.

use std::fmt;
use std::path::Path;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

/// Words of names whose values are secret. A name with one of them is secret: `api_key`, `apiKey`,
/// `Token of the bot`.
const NAMES: [&str; 18] = [
    "access key",
    "api key",
    "apikey",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "cvv",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pin",
    "private key",
    "pwd",
    "secret",
    "senha",
    "token",
];
/// Names with such a word that are not secret.
const PLAIN: [&str; 4] = [
    "authorization servers",
    "endpoint",
    "progress token",
    "token type",
];

/// A token. It is only written to the credentials file and the network. `Debug` hides the text, and
/// there is no `Display`.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps this text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text in this file, without white space around it.
    ///
    /// # Errors
    /// Why the file cannot be used, for people: it cannot be read, or others can read it, too.
    pub(crate) fn in_file(path: &Path) -> Result<Self, String> {
        let wrong = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
            let mode = about.permissions().mode() & 0o777;
            if mode & 0o077 != 0 {
                let why = format!("others can read it (mode {mode:04o}); `chmod 600` it");
                return Err(wrong(why));
            }
        }
        Ok(Secret::new(text.trim()))
    }

    /// The text, for sending.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Secret {
    /// The error for a value of another type does not repeat it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Secret;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text in quotes")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Secret, E> {
                Ok(Secret::new(text))
            }

            fn visit_i64<E: de::Error>(self, _: i64) -> Result<Secret, E> {
                Err(E::custom("this must be a text in quotes"))
            }

            fn visit_u64<E: de::Error>(self, _: u64) -> Result<Secret, E> {
                Err(E::custom("this must be a text in quotes"))
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Secret, E> {
                Err(E::custom("this must be a text in quotes"))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Whether the value under this name is secret: an argument, a field of a form, a header, a variable.
pub fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let has = |name: &&str| words.contains(&format!(" {name} "));
    NAMES.iter().any(has) && !PLAIN.iter().any(has)
}

/// The words of a name in small letters, between blanks: those of `apiKey` are ` api key `.
fn words(name: &str) -> String {
    let mut words = " ".to_owned();
    let mut was_small = false;
    for letter in name.chars() {
        let is_end = !letter.is_alphanumeric() || (was_small && letter.is_uppercase());
        if is_end && !words.ends_with(' ') {
            words.push(' ');
        }
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
    }
    words.push(' ');
    words.replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        let secret = [
            "password",
            "Passwort",
            "api_key",
            "apiKey",
            "API key",
            "X-Api-Key",
            "APIKEY",
            "accessToken",
            "client_secret",
            "Token of the bot",
            "\"pin\"",
            "GITHUB_TOKEN",
            "userPin",
        ];
        let plain = [
            "progressToken",
            "token_type",
            "token_endpoint",
            "authorization_endpoint",
            "authorization_servers",
            "maxTokens",
            "pink",
            "key",
            "keyboard",
            "spin",
            "",
        ];
        for name in secret {
            assert!(is_secret_name(name), "{name}");
        }
        for name in plain {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("secret");
        std::fs::write(&path, "hunter2\n").expect("it is written");
        let with_mode = |mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, permissions).expect("they are set");
            Secret::in_file(&path)
        };
        assert_eq!(with_mode(0o600), Ok(Secret::new("hunter2")));
        let refused = with_mode(0o640).expect_err("others can read it");
        assert!(refused.ends_with("others can read it (mode 0640); `chmod 600` it"));
        let missing = Secret::in_file(&directory.path().join("none"));
        assert!(missing.is_err());
    }

    #[test]
    fn debug_shows_nothing_of_it() {
        assert_eq!(format!("{:?}", Secret::new("eyJhbGciOi")), "Secret(…)");
    }
}
