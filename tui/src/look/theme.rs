//! Styles by meaning. The default theme uses the sixteen colours of the terminal.

use std::str::FromStr;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

/// A style for each meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Theme {
    /// Default.
    pub(crate) base: Style,
    /// Less important.
    pub(crate) dim: Style,
    /// Titles and headings.
    pub(crate) title: Style,
    /// Frames.
    pub(crate) border: Style,
    /// Frames of focused elements.
    pub(crate) focus: Style,
    /// The selected row or entry.
    pub(crate) selected: Style,
    /// Names of keys.
    pub(crate) key: Style,
    /// Success.
    pub(crate) good: Style,
    /// Needs attention.
    pub(crate) warn: Style,
    /// Failure.
    pub(crate) bad: Style,
    /// In progress.
    pub(crate) busy: Style,
    /// Already done earlier.
    pub(crate) again: Style,
}

impl Default for Theme {
    fn default() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        Theme {
            base: plain,
            // Not colour 8, which is the background of some terminals.
            dim: plain.add_modifier(Modifier::DIM),
            title: bold,
            border: plain.add_modifier(Modifier::DIM),
            focus: plain.fg(Color::Cyan),
            selected: bold.add_modifier(Modifier::REVERSED),
            key: plain.fg(Color::Cyan),
            good: plain.fg(Color::Green),
            warn: plain.fg(Color::Yellow),
            bad: plain.fg(Color::Red),
            busy: plain.fg(Color::Blue),
            again: plain.fg(Color::Magenta),
        }
    }
}

/// The included themes by name. [`Theme::default`] is `ansi`.
pub(crate) const SHIPPED: [(&str, &str); 3] = [
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    (
        "high-contrast",
        include_str!("../../themes/high-contrast.toml"),
    ),
];

/// The theme `auto` on a dark and on a light background. Until the terminal has reported its background, `auto` is
/// [`Theme::default`].
pub(crate) const AUTO: [&str; 2] = [
    include_str!("../../themes/auto-dark.toml"),
    include_str!("../../themes/auto-light.toml"),
];

/// Whether black text has more contrast than white on this background.
pub(crate) fn is_light(background: [u8; 3]) -> bool {
    luminance(background) > 0.179
}

/// The relative luminance of a colour as defined by WCAG 2.2.
fn luminance(color: [u8; 3]) -> f64 {
    let [red, green, blue] = color.map(|part| match f64::from(part) / 255.0 {
        part if part <= 0.04045 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Why a theme cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ThemeError {
    /// Invalid TOML or structure.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A style name does not exist.
    #[error("no element is named `{0}`; choose one of {known}", known = NAMES.join(", "))]
    Name(String),
    /// A colour is invalid.
    #[error("`{0}` is not a colour; use a name such as light-blue, a number, or #rrggbb")]
    Color(String),
    /// An entry is neither a colour nor a style table.
    #[error(
        "`{0}` must be a colour, or a table of fg, bg, bold, dim, italic, underlined, reversed"
    )]
    Entry(String),
}

const NAMES: [&str; 12] = [
    "base", "dim", "title", "border", "focus", "selected", "key", "good", "warn", "bad", "busy",
    "again",
];

/// A style in a theme file: `"red"`, or `{ fg = "red", bold = true }`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum StyleValue {
    Color(String),
    Style(Parts),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Parts {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underlined: bool,
    reversed: bool,
}

impl Theme {
    /// Parses a theme: TOML with an entry per style. Missing entries use the default.
    pub(crate) fn parse(text: &str) -> Result<Theme, ThemeError> {
        let table: toml::Table = toml::from_str(text)?;
        Theme::default().with(&table)
    }

    /// This theme with the entries of a table.
    pub(crate) fn with(mut self, table: &toml::Table) -> Result<Theme, ThemeError> {
        for (name, value) in table {
            let entry: StyleValue = value
                .clone()
                .try_into()
                .map_err(|_| ThemeError::Entry(name.clone()))?;
            let style = entry.style()?;
            match self.style_mut(name) {
                Some(slot) => *slot = style,
                None => return Err(ThemeError::Name(name.clone())),
            }
        }
        Ok(self)
    }

    fn style_mut(&mut self, name: &str) -> Option<&mut Style> {
        Some(match name {
            "base" => &mut self.base,
            "dim" => &mut self.dim,
            "title" => &mut self.title,
            "border" => &mut self.border,
            "focus" => &mut self.focus,
            "selected" => &mut self.selected,
            "key" => &mut self.key,
            "good" => &mut self.good,
            "warn" => &mut self.warn,
            "bad" => &mut self.bad,
            "busy" => &mut self.busy,
            "again" => &mut self.again,
            _ => return None,
        })
    }
}

impl StyleValue {
    fn style(self) -> Result<Style, ThemeError> {
        let parts = match self {
            StyleValue::Color(color) => Parts {
                fg: Some(color),
                ..Parts::default()
            },
            StyleValue::Style(parts) => parts,
        };
        let color = |name: Option<String>| match name {
            None => Ok(None),
            Some(name) => Color::from_str(&name)
                .map(Some)
                .map_err(|_| ThemeError::Color(name)),
        };
        let mut style = Style::new();
        style.fg = color(parts.fg)?;
        style.bg = color(parts.bg)?;
        for (is_set, modifier) in [
            (parts.bold, Modifier::BOLD),
            (parts.dim, Modifier::DIM),
            (parts.italic, Modifier::ITALIC),
            (parts.underlined, Modifier::UNDERLINED),
            (parts.reversed, Modifier::REVERSED),
        ] {
            if is_set {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

/// Removes the colours of a finished frame (`NO_COLOR`). Backgrounds, e.g. of the selection, become
/// reversed video.
pub(crate) fn without_color(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.bg != Color::Reset {
            cell.modifier.insert(Modifier::REVERSED);
        }
        cell.fg = Color::Reset;
        cell.bg = Color::Reset;
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    #[test]
    fn a_theme_file_changes_what_it_names() {
        let theme = Theme::parse(
            r##"
            good = { fg = "#00ff00", bold = true }
            selected = { fg = "black", bg = "light-blue" }
            bad = "magenta"
            "##,
        )
        .expect("reads");
        assert_eq!(theme.good.fg, Some(Color::Rgb(0, 255, 0)));
        assert_eq!(theme.selected.bg, Some(Color::LightBlue));
        assert_eq!(theme.bad.fg, Some(Color::Magenta));
        assert_eq!(theme.warn, Theme::default().warn);
    }

    /// The colour as red, green and blue, if the terminal does not choose it.
    fn rgb(color: Color) -> Option<[u8; 3]> {
        let step = |number: u8| if number == 0 { 0 } else { 55 + 40 * number };
        match color {
            Color::Rgb(red, green, blue) => Some([red, green, blue]),
            Color::Indexed(at @ 16..=231) => {
                Some([36, 6, 1].map(|part| step((at - 16) / part % 6)))
            }
            Color::Indexed(at @ 232..) => Some([8 + 10 * (at - 232); 3]),
            _ => None,
        }
    }

    /// The styles of texts.
    fn texts(theme: &Theme) -> [Style; 11] {
        let Theme {
            base,
            dim,
            title,
            border: _,
            focus,
            selected,
            key,
            good,
            warn,
            bad,
            busy,
            again,
        } = *theme;
        [
            base, dim, title, focus, selected, key, good, warn, bad, busy, again,
        ]
    }

    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn every_text_of_a_shipped_theme_can_be_read() {
        for (name, text) in SHIPPED {
            let theme = Theme::parse(text).expect("reads");
            let least = if name == "high-contrast" { 7.0 } else { 4.5 };
            for style in texts(&theme) {
                let on = style
                    .bg
                    .or(theme.base.bg)
                    .and_then(rgb)
                    .expect("a background");
                let of = style.fg.and_then(rgb).expect("a colour");
                let contrast = contrast(of, on);
                assert!(contrast >= least, "{name}: {style:?} has {contrast:.1}");
            }
        }
    }

    #[test]
    fn every_text_of_auto_can_be_read_on_the_backgrounds_of_terminals() {
        // Black, Solarized and GNOME; white, Solarized and GitHub.
        let grounds = [
            [[0, 0, 0], [0, 43, 54], [36, 31, 49]],
            [[255, 255, 255], [253, 246, 227], [246, 248, 250]],
        ];
        for (at, grounds) in grounds.into_iter().enumerate() {
            let theme = Theme::parse(AUTO[at]).expect("reads");
            for ground in grounds {
                assert_eq!(is_light(ground), at == 1, "{ground:?}");
                for style in texts(&theme) {
                    // The terminal's own text is readable on its own background.
                    let Some(color) = style.fg else { continue };
                    let contrast = rgb(color).map(|color| contrast(color, ground));
                    let is_read = contrast.is_some_and(|contrast| contrast >= 4.5);
                    assert!(is_read, "{style:?} on {ground:?}: {contrast:?}");
                }
            }
        }
    }

    #[test]
    fn of_the_sixteen_colours_none_that_is_unreadable_on_white_is_used_there() {
        use Color::{Cyan, DarkGray, Gray, Green, White, Yellow};
        use Color::{LightCyan, LightGreen, LightMagenta, LightRed, LightYellow};
        let never = [
            Green,
            Yellow,
            Cyan,
            Gray,
            DarkGray,
            White,
            LightRed,
            LightGreen,
            LightYellow,
            LightMagenta,
            LightCyan,
        ];
        let light = SHIPPED.iter().find(|(name, _)| *name == "light");
        for text in [AUTO[1], light.expect("is there").1] {
            for style in texts(&Theme::parse(text).expect("reads")) {
                assert!(
                    style.fg.is_none_or(|color| !never.contains(&color)),
                    "{style:?}"
                );
            }
        }
        // Dim text is dim, not colour 8, which is the background of some terminals.
        for style in texts(&Theme::default()) {
            assert_ne!(style.fg, Some(DarkGray));
        }
    }

    #[test]
    fn a_wrong_theme_says_what_is_wrong() {
        let error = |text: &str| Theme::parse(text).expect_err("is wrong").to_string();
        assert!(error("goof = { fg = \"red\" }").contains("named `goof`"));
        assert!(error("good = { fg = \"reddish\" }").contains("`reddish` is not a colour"));
        assert!(error("good = { loud = true }").contains("`good` must be a colour"));
    }

    #[test]
    fn without_colour_the_selection_is_still_seen() {
        let area = Rect::new(0, 0, 3, 1);
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, "a", Theme::default().selected);
        buffer.set_string(1, 0, "b", Style::new().bg(Color::Blue));
        buffer.set_string(2, 0, "c", Style::new().fg(Color::Red));
        without_color(&mut buffer);
        let reversed: Vec<bool> = buffer
            .content
            .iter()
            .map(|cell| cell.modifier.contains(Modifier::REVERSED))
            .collect();
        assert_eq!(reversed, [true, true, false]);
        assert!(buffer.content.iter().all(|cell| cell.fg == Color::Reset));
    }
}
