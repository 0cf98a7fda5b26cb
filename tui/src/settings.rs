//! The screen's part of the configuration: keys and theme.

use std::path::{Path, PathBuf};

use frontdesk_client::Config;

use crate::app::keys::{Keymap, KeymapError};
use crate::parts;
use crate::ui::theme::{Theme, ThemeError};

/// Keys, theme and lists to choose from, ready for use.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) keymap: Keymap,
    pub(crate) theme: Theme,
    pub(crate) is_plain: bool,
    /// Whether names of fields and tools say what an id refers to, where nothing is declared.
    pub(crate) picks_by_name: bool,
}

/// Why the screen's part of the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeymapError),
    /// The theme file cannot be read.
    #[error("theme `{name}`: {}: {reason}", path.display())]
    Unreadable {
        /// The theme, as configured.
        name: String,
        /// Where it was looked for.
        path: PathBuf,
        /// Why, as the system said.
        reason: std::io::Error,
    },
    /// The theme says something that it cannot say.
    #[error("theme `{name}`: {message}")]
    Theme {
        /// The theme, as configured.
        name: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// `[theme_colors]` says something that it cannot say.
    #[error("[theme_colors] {0}")]
    Colors(String),
}

impl Settings {
    /// The settings of a configuration.
    ///
    /// # Errors
    /// Keys or theme cannot be used.
    pub(crate) fn new(config: &Config, no_color: bool) -> Result<Self, SettingsError> {
        let theme = match config.theme.as_deref() {
            None | Some("ansi") => Theme::default(),
            Some(name) => read_theme(name)?,
        };
        let theme = theme
            .with(&config.theme_colors)
            .map_err(|error| SettingsError::Colors(error.to_string()))?;
        Ok(Settings {
            keymap: Keymap::new(parts::COMMANDS, &config.keys)?,
            theme,
            is_plain: no_color,
            picks_by_name: config.pick_by_name.unwrap_or(true),
        })
    }
}

/// A theme by its name (a file among the themes beside the configuration) or by its path.
fn read_theme(name: &str) -> Result<Theme, SettingsError> {
    let themes = frontdesk_client::paths::config_file()
        .and_then(|file| file.parent().map(|directory| directory.join("themes")));
    let path = match themes {
        Some(themes) if !name.contains(std::path::MAIN_SEPARATOR) && !name.ends_with(".toml") => {
            themes.join(format!("{name}.toml"))
        }
        _ => Path::new(name).to_owned(),
    };
    let text = std::fs::read_to_string(&path).map_err(|reason| SettingsError::Unreadable {
        name: name.to_owned(),
        path,
        reason,
    })?;
    Theme::parse(&text).map_err(|error: ThemeError| SettingsError::Theme {
        name: name.to_owned(),
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_file_and_single_colours_go_together() {
        let file = tempfile::Builder::new()
            .suffix(".toml")
            .tempfile()
            .expect("a file");
        std::fs::write(file.path(), "good = \"blue\"\nbad = \"magenta\"\n").expect("is written");
        let text = format!(
            "theme = '{}'\n[theme_colors]\nbad = \"yellow\"\n",
            file.path().display()
        );
        let config = Config::parse(&text, Path::new("config.toml")).expect("is fine");
        let theme = Settings::new(&config, false).expect("is fine").theme;
        assert_eq!(theme.good.fg, Some(ratatui::style::Color::Blue));
        assert_eq!(theme.bad.fg, Some(ratatui::style::Color::Yellow));
    }

    #[test]
    fn a_missing_theme_says_where_it_was_looked_for() {
        let config = Config::parse("theme = \"nowhere/at-all.toml\"", Path::new("config.toml"));
        let error = Settings::new(&config.expect("is fine"), false).expect_err("is missing");
        assert!(error.to_string().contains("nowhere/at-all.toml"), "{error}");
    }
}
