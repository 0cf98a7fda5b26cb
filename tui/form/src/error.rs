//! Why something cannot be entered.

use crate::path::Path;

/// Why something cannot be entered. The form stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is no such field, or it lies in one that is given as JSON.
    #[error("there is no field `{0}`")]
    NoSuchField(Path),
    /// The field is not of the kind that this can be done to.
    #[error("{path} is {is}; {instead}")]
    WrongKind {
        /// The field.
        path: Path,
        /// What it is.
        is: &'static str,
        /// What can be done to it.
        instead: &'static str,
    },
    /// The text is none of the values to choose from.
    #[error("{path} cannot be `{text}`: choose one of {choices}")]
    NoSuchChoice {
        /// The field.
        path: Path,
        /// What was entered.
        text: String,
        /// What can be chosen.
        choices: String,
    },
    /// The variant has fewer alternatives.
    #[error("{path} has {there} alternatives")]
    NoSuchAlternative {
        /// The variant.
        path: Path,
        /// How many it has.
        there: usize,
    },
    /// The object has this key already.
    #[error("{0} is there already")]
    KeyTaken(Path),
    /// The object takes no other keys than those it declares.
    #[error("{0} takes no other keys")]
    NoMoreKeys(Path),
    /// The text is not JSON, so that no fields can be made of it.
    #[error("{path} is not JSON: {why}")]
    NotJson {
        /// The field.
        path: Path,
        /// Where and why.
        why: String,
    },
}
