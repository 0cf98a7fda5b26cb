//! Pictures, drawn the way the terminal can: by a graphics protocol, or by half blocks.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use image::{ImageReader, Limits};
use ratatui::layout::Size;
use ratatui_image::Resize;
use ratatui_image::picker::Picker;
use ratatui_image::protocol::Protocol;

/// Most pixels to a side of a picture that is decoded.
const MOST_PIXELS: u32 = 10_000;
/// Most bytes that a picture takes while it is decoded.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// Environment variables of terminals that draw pictures, and answer when they are asked how.
const DRAWING: [&str; 6] = [
    "KITTY_WINDOW_ID",
    "GHOSTTY_RESOURCES_DIR",
    "WEZTERM_EXECUTABLE",
    "KONSOLE_VERSION",
    "ITERM_SESSION_ID",
    "FOOT_PID",
];

/// A picture as the terminal draws it.
#[derive(Clone)]
pub(crate) struct Drawn(pub(crate) Arc<Protocol>);

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Drawn").field(&self.0.size()).finish()
    }
}

/// How this terminal draws pictures. Only one that is known to draw is asked; it must not be read from yet.
pub(crate) fn picker(is_set: impl Fn(&str) -> bool) -> Picker {
    match DRAWING.iter().any(|name| is_set(name)) {
        true => Picker::from_query_stdio().unwrap_or_else(|_| Picker::halfblocks()),
        false => Picker::halfblocks(),
    }
}

/// The picture in at most this many cells.
///
/// # Errors
/// Why it cannot be drawn.
pub(crate) async fn draw(picker: Picker, bytes: Arc<[u8]>, size: Size) -> Result<Drawn, String> {
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
