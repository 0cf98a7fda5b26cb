//! Errors of editing a form.

use crate::path::Path;

/// Why an edit was refused. The form is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The field does not exist, or is inside a field that is edited as JSON.
    #[error("there is no field `{0}`")]
    NoSuchField(Path),
    /// A field of this kind does not support the edit.
    #[error("{path} is {is}; {instead}")]
    WrongKind {
        /// The field.
        path: Path,
        /// Its kind.
        is: &'static str,
        /// The edits that it supports.
        instead: &'static str,
    },
    /// The text is not one of the choices.
    #[error("{path} cannot be `{text}`: choose one of {choices}")]
    NoSuchChoice {
        /// The field.
        path: Path,
        /// What was entered.
        text: String,
        /// The possible choices.
        choices: String,
    },
    /// The variant has fewer alternatives.
    #[error("{path} has {there} alternatives")]
    NoSuchAlternative {
        /// The variant.
        path: Path,
        /// The number of alternatives.
        there: usize,
    },
    /// The object already has this key.
    #[error("{0} already exists")]
    KeyTaken(Path),
    /// The object allows only its declared keys.
    #[error("{0} takes no other keys")]
    NoMoreKeys(Path),
    /// The text is not JSON, so it cannot be shown as fields.
    #[error("{path} is not JSON: {why}")]
    NotJson {
        /// The field.
        path: Path,
        /// Line, column and reason.
        why: String,
    },
}
