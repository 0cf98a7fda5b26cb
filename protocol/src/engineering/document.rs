//! Versioned documents, diagrams, sheets and UX maps.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BUILDERS, EVERYBODY};
use crate::id::{DocumentId, UserId};
use crate::record::{List, Maybe, One};
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

/// A document without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentSummary {
    /// Identifies the document.
    pub id: DocumentId,
    /// Kind.
    pub kind: DocumentKind,
    /// Title.
    pub title: String,
    /// The latest version.
    pub version: u32,
    /// The author of this version.
    pub updated_by: UserId,
    /// When this version was written.
    pub updated_at: Timestamp,
}

/// A version of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// Identifies the document.
    pub id: DocumentId,
    /// Kind.
    pub kind: DocumentKind,
    /// Title.
    pub title: String,
    /// The text.
    pub content: String,
    /// The version.
    pub version: u32,
    /// The author of this version.
    pub updated_by: UserId,
    /// When this version was written.
    pub updated_at: Timestamp,
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
            /// Only documents of this kind.
            kind: Option<DocumentKind>,
            /// Part of the title.
            search: Option<Line>,
            /// Maximum number of documents to return.
            limit: Limit,
            /// Number of documents to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets the latest or an earlier version of a document.
    GetDocument = "get_document" on Engineering, READ, for EVERYBODY => Maybe<Document> {
        req {
            /// The document.
            id: DocumentId,
        }
        opt {
            /// Version number. Default: the latest.
            version: Option<Version>,
        }
    }
}

tool! {
    /// Adds a document.
    CreateDocument = "create_document" on Engineering, CREATE, for BUILDERS => One<Document> {
        req {
            /// Kind.
            kind: DocumentKind,
            /// Title.
            title: Name,
        }
        opt {
            /// The text: Markdown, Mermaid or PlantUML, or CSV.
            content: Option<Content>,
        }
    }
}

tool! {
    /// Adds a version of a document; earlier ones are kept. Omitted fields keep their value.
    UpdateDocument = "update_document" on Engineering, UPDATE, for BUILDERS => One<Document> {
        req {
            /// The document.
            id: DocumentId,
            /// The version that your change is based on.
            version: Version,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// The whole text.
            content: Change<Content>,
        }
    }
}
