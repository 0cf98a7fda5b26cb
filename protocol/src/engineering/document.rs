//! Versioned documents, diagrams, sheets and UX maps.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::{DocumentId, UserId};
use crate::record::{List, Maybe, One, with_summary};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Text, Whole};
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

with_summary! {
    /// A version of a document.
    Document,
    /// A document without its text.
    DocumentSummary {
        listed {
            id: DocumentId,
            kind: DocumentKind,
            title: String,
        }
        unlisted {
            /// The text.
            content: String,
        }
        listed {
            /// The version; in lists, the latest.
            version: u32,
            /// The author of this version.
            updated_by: UserId,
            updated_by_name: Option<String>,
            /// When this version was written.
            updated_at: Timestamp,
        }
    }
}

resource! {
    Document, DocumentSummary = "document", "documents" (name: title, state: kind) {
        list: ListDocuments,
        get: GetDocument,
        create: CreateDocument,
        change: UpdateDocument,
    }
}

tool! {
    /// Lists documents without their texts, last changed first.
    ListDocuments = "list_documents" on Engineering, READ, for EVERYBODY => List<DocumentSummary> {
        opt {
            kind: Option<DocumentKind>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
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

tool! {
    /// Adds a document.
    CreateDocument = "create_document" on Engineering, CREATE, for BUILDERS => One<Document> {
        req {
            kind: DocumentKind,
            title: Name,
        }
        opt {
            /// The text: Markdown, Mermaid or PlantUML, or CSV.
            content: Option<Content>,
        }
    }
}

tool! {
    /// Adds a version of a document; earlier ones are kept.
    UpdateDocument = "update_document" on Engineering, UPDATE, for BUILDERS => One<Document> {
        req {
            id: DocumentId,
            /// The version that your change is based on.
            version: Version,
        }
        opt {
            title: Change<Name>,
            /// The whole text.
            content: Change<Content>,
        }
    }
}
