//! Documents and their versions.

use frontdesk_protocol::engineering::document::{
    CreateDocument, Document, DocumentKind, DocumentSummary, GetDocument, ListDocuments,
    UpdateDocument,
};
use frontdesk_protocol::record::{Maybe, One, Record};
use frontdesk_protocol::value::Change;

use super::content::check;
use crate::call::{Admission, Answer, Call, Handler, Outcome, SqlByName, Stored, named};
use crate::database::params;
use crate::hosts::routes;

const TABLE: &str = "engineering.documents";

impl Stored for DocumentSummary {
    const TABLE: &'static str = TABLE;
    const ORDER: &'static str = "t.updated_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("updated_by_name": account "updated_by")];
}

impl Stored for Document {
    const TABLE: &'static str = TABLE;
    const COMPUTED: SqlByName = &[named!("updated_by_name": account "updated_by")];
}

impl Handler for GetDocument {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Document>> {
        let sql = "select json_build_object('document', (select row_to_json(r) from ( \
             select d.id, d.kind, v.title, v.content, v.version, v.updated_by, \
               (select p.name from learn.profiles p where p.id = v.updated_by) as updated_by_name, v.updated_at \
             from engineering.documents d join engineering.document_versions v \
               on v.document_id = d.id and v.version = coalesce($2, d.version) \
             where d.id = $1) r))::text";
        match call.json(sql, params![self.id, self.version]).await? {
            Some(document) => Ok(document),
            None => Answer::of(&Maybe(None)),
        }
    }
}

impl Handler for CreateDocument {
    const ADMISSION: Option<Admission> = Some(Admission::Add(TABLE));

    async fn handle(self, call: &mut Call) -> Outcome<One<Document>> {
        if let Some(content) = self.content.clone() {
            let kind = self.kind;
            let checked = call.work(move |permit| check(permit, kind, content.as_str()));
            checked.await??;
        }
        call.finally().create(&self).await
    }
}

impl Handler for UpdateDocument {
    const ADMISSION: Option<Admission> = Some(Admission::Change {
        table: TABLE,
        singular: Document::SINGULAR,
        keys: &["id"],
    });

    async fn handle(self, call: &mut Call) -> Outcome<One<Document>> {
        if let Change::To(content) = self.content.clone() {
            let sql = "select d.kind from engineering.documents d where d.id = $1";
            let rows = call.ahead(sql, params![self.id]).await?;
            let kind = rows
                .first()
                .and_then(|row| DocumentKind::from_name(row.get(0)));
            if let Some(kind) = kind {
                let checked = call.work(move |permit| check(permit, kind, content.as_str()));
                checked.await??;
            }
        }
        call.finally().change(self.id, &self).await
    }
}

routes![
    ListDocuments,
    GetDocument => own,
    CreateDocument => own,
    UpdateDocument => own,
];
