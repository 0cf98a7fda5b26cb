//! Pictures, drawn with a graphics protocol of the terminal or with half blocks.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use image::{ImageReader, Limits};
use ratatui::layout::Size;
use ratatui_image::Resize;
use ratatui_image::picker::Picker;
use ratatui_image::protocol::Protocol;

use crate::app::effects::job::Job;
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

/// Maximum width and height of a decoded picture in pixels.
const MOST_PIXELS: u32 = 10_000;
/// Maximum memory for decoding a picture, in bytes.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// Environment variables of terminals that draw pictures and answer capability queries.
const DRAWING: [&str; 6] = [
    "KITTY_WINDOW_ID",
    "GHOSTTY_RESOURCES_DIR",
    "WEZTERM_EXECUTABLE",
    "KONSOLE_VERSION",
    "ITERM_SESSION_ID",
    "FOOT_PID",
];

/// A picture rendered for the terminal.
#[derive(Clone)]
pub(crate) struct Drawn(pub(crate) Arc<Protocol>);

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Drawn").field(&self.0.size()).finish()
    }
}

/// The rendering method of this terminal. Only a terminal known to draw pictures is queried; stdin
/// must not be read before.
pub(crate) fn picker(is_set: impl Fn(&str) -> bool) -> Picker {
    match DRAWING.iter().any(|name| is_set(name)) {
        true => Picker::from_query_stdio().unwrap_or_else(|_| Picker::halfblocks()),
        false => Picker::halfblocks(),
    }
}

/// Renders a picture within this size.
#[derive(Debug)]
pub(crate) struct Draw {
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) size: Size,
}

impl Job for Draw {
    type Value = Drawn;
    /// Why it cannot be rendered.
    type Error = String;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Drawn, String> {
        draw(platform.picker, Arc::clone(&self.bytes), self.size).await
    }
}

async fn draw(picker: Picker, bytes: Arc<[u8]>, size: Size) -> Result<Drawn, String> {
    let drawn = tokio::task::spawn_blocking(move || {
        let mut limits = Limits::default();
        limits.max_image_width = Some(MOST_PIXELS);
        limits.max_image_height = Some(MOST_PIXELS);
        limits.max_alloc = Some(MOST_BYTES);
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        let mut reader = reader.map_err(|error| error.to_string())?;
        reader.limits(limits);
        let picture = reader.decode().map_err(|error| error.to_string())?;
        let drawn = picker.new_protocol(picture, size, Resize::Fit(None));
        drawn.map_err(|error| error.to_string())
    });
    let drawn = drawn.await.map_err(|error| error.to_string())??;
    Ok(Drawn(Arc::new(drawn)))
}
