//! The library of reusable answers.

use jiff::Timestamp;

use super::READERS;
use super::tender::Asked;
use crate::id::LibraryAnswerId;
use crate::record::{One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Line, Name, Text, UpTo};

/// The text of an answer.
pub type Words = Text<1, 20_000>;

record! {
    /// An answer of the library.
    Answer = "answer", "answers" (name: question) {
        id: LibraryAnswerId,
        question: String,
        answer: String,
        /// Free-text tags.
        tags: Vec<String>,
        /// When it was last changed.
        updated_at: Timestamp,
    }
    /// Searches the library of answers.
    list SearchAnswers = "search_answers" on Proposals for READERS {
        opt {
            /// Part of the question or answer.
            search: Option<Line>,
            tag: Option<Name>,
        }
    }
    create CreateAnswer;
    change UpdateAnswer;
}

tool! {
    /// Adds an answer to the library.
    CreateAnswer = "create_answer" on Proposals, CREATE, for Roles::DESK => One<Answer> {
        req {
            question: Asked,
            answer: Words,
        }
        opt {
            tags: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes an answer of the library. Submissions that already copied it are not changed.
    UpdateAnswer = "update_answer" on Proposals, UPDATE, for Roles::DESK => One<Answer> {
        req {
            id: LibraryAnswerId,
        }
        opt {
            question: Change<Asked>,
            answer: Change<Words>,
            /// Replaces all tags.
            tags: Change<UpTo<Name, 50>>,
        }
    }
}
