//! A picture on screen. The worker renders it, again whenever the size changes.

use std::sync::Arc;

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;
use ratatui_image::Image;

use crate::app::cx::Cx;
use crate::app::effects::job::Outcome;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::look::text::clean;
use crate::ui::drawing::{Draw, Drawn};
use crate::ui::frame::waiting;

/// A picture on screen.
#[derive(Debug)]
pub(crate) struct Picture {
    bytes: Arc<[u8]>,
    /// The size for which it was rendered.
    size: Size,
    request: Option<RequestId>,
    drawn: Option<Result<Drawn, String>>,
}

impl Picture {
    /// A picture from these bytes.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Picture {
            bytes: bytes.into(),
            size: Size::ZERO,
            request: None,
            drawn: None,
        }
    }

    /// Requests rendering at this size, unless it is up to date. Without colours nothing is
    /// rendered.
    pub(crate) fn fit(&mut self, cx: &mut Cx, size: Size) {
        if self.size == size || size.width == 0 || size.height == 0 || cx.shared.settings.is_plain {
            return;
        }
        self.size = size;
        cx.abort(self.request);
        let bytes = Arc::clone(&self.bytes);
        self.request = Some(cx.run(Draw { bytes, size }));
    }

    /// Takes the rendered picture, if it was requested here.
    pub(crate) fn answered(&mut self, request: RequestId, outcome: &mut Outcome) {
        if let Some(ended) = outcome.take::<Draw>()
            && self.request.take_if(|asked| *asked == request).is_some()
        {
            self.drawn = Some(ended.result);
        }
    }

    /// Draws it, or the reason why it cannot be drawn.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        match &self.drawn {
            Some(Ok(Drawn(picture))) => {
                let picture = Image::new(picture).allow_clipping(true);
                frame.render_widget(picture, area);
            }
            Some(Err(reason)) => {
                let words = format!(" It cannot be drawn here: {}", clean(reason));
                frame.render_widget(Line::styled(words, shared.settings.theme.dim), area);
            }
            None if self.request.is_some() => {
                frame.render_widget(waiting(shared, "drawing"), area);
            }
            None => {}
        }
    }
}
