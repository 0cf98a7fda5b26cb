//! The library of reusable answers.

use jiff::Timestamp;

use super::READERS;
use super::tender::Asked;
use crate::id::LibraryAnswerId;
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Text, UpTo};
use crate::wire::Wire;

/// The text of an answer.
pub type Words = Text<1, 20_000>;

/// An answer of the library.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Answer {
    pub id: LibraryAnswerId,
    pub question: String,
    pub answer: String,
    /// Free-text tags.
    pub tags: Vec<String>,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

resource! {
    Answer = "answer", "answers" (name: question) {
        list: SearchAnswers,
        create: CreateAnswer,
        change: UpdateAnswer,
    }
}

tool! {
    /// Searches the library of answers.
    SearchAnswers = "search_answers" on Proposals, READ, for READERS => List<Answer> {
        opt {
            /// Part of the question or answer.
            search: Option<Line>,
            tag: Option<Name>,
            limit: Limit,
            offset: Offset,
        }
    }
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
