//! Text that must not be shown.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A token. It is written to the credentials file and to the wire, and to nothing else: `Debug`
/// shows only that there is one, and there is no `Display`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Hides this text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text, for the wire.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_nothing_of_it() {
        assert_eq!(format!("{:?}", Secret::new("eyJhbGciOi")), "Secret(…)");
    }
}
