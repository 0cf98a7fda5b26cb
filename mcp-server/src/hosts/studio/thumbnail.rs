//! Thumbnails: drawing, storing and showing them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::content::{Content, Contents};
use frontdesk_protocol::studio::thumbnail::{
    GenerateThumbnail, GetThumbnail, ListThumbnails, Thumbnail,
};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::draw::{self, Drawing};
use crate::call::{Admission, Answer, Call, Handler, Outcome, Stored};
use crate::database::{Param, internal, params};
use crate::hosts::routes;

impl Stored for Thumbnail {
    const TABLE: &'static str = "studio.thumbnails";
    const ORDER: &'static str = "t.created_at desc, t.id";
}

/// The picture and its description.
fn shown(id: Uuid, image: &[u8]) -> Outcome<Contents> {
    let kilobytes = image.len().div_ceil(1000);
    Answer::of(&Contents(vec![
        Content::Image {
            data: STANDARD.encode(image),
            mime_type: "image/png".to_owned(),
        },
        Content::Text {
            text: format!("Thumbnail {id}: PNG, 1280x720, {kilobytes} kB."),
        },
    ]))
}

impl Handler for GenerateThumbnail {
    const ADMISSION: Option<Admission> = Some(Admission::Add(Thumbnail::TABLE));

    /// Draws before the first statement, so that a connection is only held while the result is stored.
    async fn handle(self, call: &mut Call) -> Outcome<Contents> {
        let text = |text: &frontdesk_protocol::value::Text<1, 150>| text.as_str().to_owned();
        let color = |color: &Option<frontdesk_protocol::value::Color>, default: &str| {
            color.as_ref().map_or(default, |it| it.as_str()).to_owned()
        };
        let drawing = Drawing {
            title: text(&self.title),
            subtitle: self.subtitle.as_ref().map(text),
            background: color(&self.background, "#14213D"),
            text_color: color(&self.text_color, "#FFFFFF"),
            accent: color(&self.accent, "#FCA311"),
            picture: self.picture.map(|it| it.as_str().to_owned()),
        };
        let image = call.work(move |permit| draw::png(permit, &drawing));
        let image = image.await??;
        let sql = "insert into studio.thumbnails as t (title, subtitle, video_lesson_id, image) \
             values ($1, $2, $3, $4) \
             on conflict (organization_id, digest, video_lesson_id) do update set title = excluded.title \
             returning t.id";
        let (title, subtitle) = (Param::of(&self.title), Param::of(&self.subtitle));
        let lesson = Param::of(&self.video_lesson_id);
        let values: [&(dyn ToSql + Sync); 4] = [&title, &subtitle, &lesson, &image];
        let rows = call.query(sql, &values).await?;
        let row = rows
            .first()
            .ok_or_else(|| internal("a statement returned no row"))?;
        shown(row.get(0), &image)
    }
}

impl Handler for GetThumbnail {
    async fn handle(self, call: &mut Call) -> Outcome<Contents> {
        let sql = "select t.id, t.image from studio.thumbnails t where t.id = $1";
        let rows = call.query(sql, params![self.id]).await?;
        match rows.first() {
            Some(row) => shown(row.get(0), &row.get::<_, Vec<u8>>(1)),
            None => Err(ToolError::not_found("thumbnail").on("id")),
        }
    }
}

routes![
    GenerateThumbnail => own,
    ListThumbnails,
    GetThumbnail => own,
];
