//! Versioned documents, diagrams, sheets and UX maps.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::{DocumentId, UserId};
use crate::record::{Maybe, record};
use crate::tool::tool;
use crate::value::{Change, Line, Name, Text, Whole};
use crate::words::words;

words! {
    /// The kind of a document. It sets the format of the text: Markdown; Mermaid or PlantUML; CSV; Markdown.
    DocumentKind {
        Document = "document",
        Diagram = "diagram",
        Sheet = "sheet",
        UxMap = "ux_map",
    }
}

/// The text of a document.
pub type Content = Text<0, 262_144>;
/// A version of a document.
pub type Version = Whole<1, 1_000_000_000>;

record! {
    /// A version of a document.
    Document = "document", "documents" (name: title, state: kind) {
        id: DocumentId,
        kind: DocumentKind [create],
        title: Name [create, change],
        /// The text.
        content: String [unlisted],
        /// The version; in lists, the latest.
        version: u32,
        /// The author of this version.
        updated_by: UserId,
        updated_by_name: Option<String>,
        /// When this version was written.
        updated_at: Timestamp,
    }
    /// A document without its text.
    summary DocumentSummary;
    /// Lists documents without their texts, last changed first.
    list ListDocuments = "list_documents" on Engineering for EVERYBODY {
        opt {
            kind: Option<DocumentKind>,
            search: Option<Line>,
        }
    }
    get GetDocument;
    /// Adds a document.
    create CreateDocument = "create_document" on Engineering for BUILDERS {
        opt {
            /// The text: Markdown, Mermaid or PlantUML, or CSV.
            content: Option<Content>,
        }
    }
    /// Adds a version of a document; earlier ones are kept.
    change UpdateDocument = "update_document" on Engineering for BUILDERS {
        req {
            /// The version that your change is based on.
            version: Version,
        }
        opt {
            /// The whole text.
            content: Change<Content>,
        }
    }
}

tool! {
    /// Gets the latest or an earlier version of a document.
    GetDocument = "get_document" on Engineering, READ, for EVERYBODY => Maybe<Document> {
        req {
            id: DocumentId,
        }
        opt {
            /// Default: the latest.
            version: Option<Version>,
        }
    }
}
