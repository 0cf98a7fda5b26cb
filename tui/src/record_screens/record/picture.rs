//! The picture of a record, which a tool returns for its id.

use frontdesk_client::CallError;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;
use serde_json::Map;

use crate::answer::picture_of;
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::effects::job::Outcome;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::records::kind::Kind;
use crate::records::names::reading;
use crate::records::view::View;
use crate::ui::picture::Picture;
use crate::ui::problem::Problem;

/// Lines that are not for the picture: path, name, tabs, frame and footer.
const AROUND: u16 = 7;

/// The picture of a record.
#[derive(Debug, Default)]
pub(super) struct Shown {
    request: Option<RequestId>,
    picture: Option<Picture>,
    error: Option<CallError>,
}

impl Shown {
    /// Requests the picture, if such records have one.
    pub(super) fn ask(&mut self, cx: &mut Cx, view: &View, kind: &Kind, id: &str) {
        let Some(tool) = view.picture.filter(|_| self.picture.is_none()) else {
            return;
        };
        cx.abort(self.request.take());
        let id = Map::from_iter([("id".to_owned(), id.into())]);
        let call = reading(&kind.peer, tool, id);
        self.request = Some(cx.send(call));
    }

    /// Takes the answer with the picture. `lines` is the number of facts above it.
    pub(super) fn answered(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        answer: &Answer,
        lines: usize,
    ) -> bool {
        let is_ours = self.request.take_if(|asked| *asked == request).is_some();
        if is_ours {
            match &answer.result {
                Ok(reply) => {
                    let bytes = reply.content.iter().find_map(picture_of);
                    self.picture = bytes.map(Picture::new);
                    self.error = None;
                    self.fit(cx, lines);
                }
                Err(error) => self.error = Some(error.clone()),
            }
        }
        is_ours
    }

    /// Takes the rendered picture.
    pub(super) fn drawn(&mut self, request: RequestId, mut outcome: Outcome) {
        if let Some(picture) = &mut self.picture {
            picture.answered(request, &mut outcome);
        }
    }

    /// Renders the picture for the room below the facts.
    pub(super) fn fit(&mut self, cx: &mut Cx, lines: usize) {
        let size = cx.shared.size;
        let taken = u16::try_from(lines)
            .unwrap_or(u16::MAX)
            .saturating_add(AROUND);
        let size = Size::new(
            size.width.saturating_sub(4),
            size.height.saturating_sub(taken),
        );
        if let Some(picture) = &mut self.picture {
            picture.fit(cx, size);
        }
    }

    /// Draws it below this number of facts.
    pub(super) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect, lines: usize) {
        let below = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(1);
        let place = Rect {
            x: area.x + 1,
            y: area.y.saturating_add(below),
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(below),
        };
        match (&self.picture, &self.error) {
            (Some(picture), _) if place.height > 0 => picture.draw(shared, frame, place),
            (None, Some(error)) if place.height > 0 => {
                let words = format!("✗ {}", Problem::of(error).title);
                frame.render_widget(Line::styled(words, shared.settings.theme.bad), place);
            }
            _ => {}
        }
    }
}
