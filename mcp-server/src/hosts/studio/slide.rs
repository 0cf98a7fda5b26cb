//! Slides.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::All;
use frontdesk_protocol::studio::slide::{ListSlides, SetSlides, Slide};
use serde_json::json;

use crate::call::{Call, Handler, Outcome, Stored};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Slide {
    const TABLE: &'static str = "studio.slides";
    const ORDER: &'static str = "t.position";
}

impl Handler for SetSlides {
    /// Locks the video lesson, so that concurrent calls write its slides one after the other.
    async fn handle(self, call: &mut Call) -> Outcome<All<Slide>> {
        let id = self.video_lesson_id;
        let lock = "update studio.video_lessons t set id = t.id where t.id = $1 returning t.id";
        if call.query(lock, params![id]).await?.is_empty() {
            return Err(ToolError::not_found("video_lesson").on("video_lesson_id"));
        }
        let clear = "with gone as (delete from studio.slides t where t.video_lesson_id = $1 returning t.position, t.title) \
             select unnest(app.losses( \
               jsonb_build_object('slides', (select coalesce(jsonb_agg(g.title order by g.position), '[]') from gone g)), \
               jsonb_build_object('slides', (select coalesce(jsonb_agg(s ->> 'title'), '[]') from jsonb_array_elements($2) s))))";
        call.warn_of(clear, params![id, self.slides]).await?;
        let fill = "insert into studio.slides (video_lesson_id, position, title, body, notes) \
             select $1, s.position, s.slide ->> 'title', s.slide ->> 'body', s.slide ->> 'notes' \
             from jsonb_array_elements($2) with ordinality s (slide, position)";
        call.query(fill, params![id, self.slides]).await?;
        call.all(&json!({ "video_lesson_id": id })).await
    }
}

routes![
    ListSlides,
    SetSlides => own,
];
