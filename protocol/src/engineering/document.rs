//! Documents, diagrams, sheets and UX maps, each in versions.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BUILDERS, EVERYBODY};
use crate::id::{DocumentId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Text, Whole};
use crate::words::words;

words! {
    /// What a document is, and so what its text is: Markdown, Mermaid or PlantUML, CSV, Markdown.
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
    /// What it is.
    pub kind: DocumentKind,
    /// Title.
    pub title: String,
    /// The latest version.
    pub version: u32,
    /// Who wrote it.
    pub updated_by: UserId,
    /// When.
    pub updated_at: Timestamp,
}
record!(DocumentSummary, "document", "documents");

/// A version of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// Identifies the document.
    pub id: DocumentId,
    /// What it is.
    pub kind: DocumentKind,
    /// Title.
    pub title: String,
    /// The text.
    pub content: String,
    /// The version.
    pub version: u32,
    /// Who wrote it.
    pub updated_by: UserId,
    /// When.
    pub updated_at: Timestamp,
}
record!(Document, "document", "documents");

tool! {
    /// Lists documents without their texts, the one changed last first.
    ListDocuments = "list_documents" on Engineering, READ, for EVERYBODY => List<DocumentSummary> {
        opt {
            /// Only documents of this kind.
            kind: Option<DocumentKind>,
            /// Part of the title.
            search: Option<Line>,
            /// Most documents to return.
            limit: Limit,
            /// Documents to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a document, as it is or as it was.
    GetDocument = "get_document" on Engineering, READ, for EVERYBODY => Maybe<Document> {
        req {
            /// The document.
            id: DocumentId,
        }
        opt {
            /// The latest where left out.
            version: Option<Version>,
        }
    }
}

tool! {
    /// Adds a document.
    CreateDocument = "create_document" on Engineering, CREATE, for BUILDERS => One<Document> {
        req {
            /// What it is.
            kind: DocumentKind,
            /// Title.
            title: Name,
        }
        opt {
            /// The text: Markdown, Mermaid or PlantUML, CSV.
            content: Option<Content>,
        }
    }
}

tool! {
    /// Writes the next version of a document; the earlier ones are kept. Fields left out stay.
    UpdateDocument = "update_document" on Engineering, UPDATE, for BUILDERS => One<Document> {
        req {
            /// The document.
            id: DocumentId,
            /// The version that yours is based on.
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

tools![ListDocuments, GetDocument, CreateDocument, UpdateDocument];
