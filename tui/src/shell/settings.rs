//! The configuration of the screen: keys and theme.

use std::path::Path;
use std::time::Duration;

use frontdesk_client::Config;

use super::own::own_commands;
use super::parts;
use crate::app::input::keys::{Keymap, KeymapError};
use crate::app::settings::Settings;
use crate::import::zone_warning;
use crate::look::locale::{ENGLISH, LANGUAGES, Language};
use crate::look::theme::{AUTO, SHIPPED, Theme, ThemeError};

/// Why the screen's configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeymapError),
    /// The theme is invalid.
    #[error("theme `{name}`: {message}")]
    Theme {
        /// The configured name or path.
        name: String,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A command of `[[commands]]` is invalid.
    #[error("[[commands]] {0}")]
    Commands(String),
    /// `[theme_colors]` is invalid.
    #[error("[theme_colors] {0}")]
    Colors(String),
    /// `language` is unknown.
    #[error("the language “{0}” is unknown: use {codes}", codes = codes())]
    Language(String),
}

fn codes() -> String {
    LANGUAGES
        .each_ref()
        .map(|language| language.code)
        .join(", ")
}

impl Settings {
    /// The settings of a configuration.
    ///
    /// # Errors
    /// Keys or theme are invalid.
    pub(crate) fn new(config: &Config, no_color: bool) -> Result<Self, SettingsError> {
        let (theme, warning) = match config.theme.as_deref() {
            None | Some("auto" | "ansi") => (Theme::default(), None),
            Some(name) => read_theme(name)?,
        };
        let coloured = |theme: Theme| {
            let theme = theme.with(&config.theme_colors);
            theme.map_err(|error| SettingsError::Colors(error.to_string()))
        };
        let theme = coloured(theme)?;
        let ansi = coloured(Theme::default())?;
        // Until the terminal has reported its background.
        let mut themes = ["auto", "ansi"]
            .map(|name| (name.to_owned(), ansi.clone()))
            .to_vec();
        let [dark, light] = AUTO.map(|text| coloured(Theme::parse(text).unwrap_or_default()));
        for (name, _) in SHIPPED {
            // A file with a mistake matters only if it is chosen.
            if let Ok((theme, _)) = read_theme(name) {
                themes.push((name.to_owned(), coloured(theme)?));
            }
        }
        if let Some(name) = &config.theme
            && warning.is_none()
            && themes.iter().all(|(known, _)| known != name)
        {
            themes.push((name.clone(), theme.clone()));
        }
        let keymap = Keymap::new(parts::COMMANDS.bindings(), &config.keys)?;
        Ok(Settings {
            own: own_commands(config, &keymap).map_err(SettingsError::Commands)?,
            keymap,
            theme,
            themes,
            auto: [dark?, light?],
            is_auto: matches!(config.theme.as_deref(), None | Some("auto")),
            columns: config.columns.clone(),
            is_plain: no_color,
            rings: config.bell.unwrap_or(true),
            desk: config.desk.clone(),
            prints_badges: config.badge_on_check_in && !config.badge_command.is_empty(),
            esc: config.escape_ms.map_or_else(
                || usual_esc(|name| std::env::var_os(name).is_some()),
                |ms| Duration::from_millis(ms.get().into()),
            ),
            mouse: config.mouse.unwrap_or(true),
            picks_by_name: config.pick_by_name.unwrap_or(true),
            language: config.language.as_deref().map_or(Ok(ENGLISH), |code| {
                Language::find(code).ok_or_else(|| SettingsError::Language(code.to_owned()))
            })?,
            warning: warning
                .or_else(|| {
                    let has_no_printer =
                        config.badge_on_check_in && config.badge_command.is_empty();
                    has_no_printer.then(|| "`badge_on_check_in` needs `badge_command`.".to_owned())
                })
                .or_else(|| Some(zone_warning()? + ".")),
        })
    }
}

/// The time that an arrow key needs at most from its first byte to its last: over a network, its bytes can come apart.
fn usual_esc(is_set: impl Fn(&str) -> bool) -> Duration {
    let is_remote = ["SSH_CONNECTION", "SSH_TTY"].into_iter().any(is_set);
    Duration::from_millis(if is_remote { 100 } else { 25 })
}

/// A theme by name (a file in the themes directory beside the configuration, or an included theme)
/// or by path. If it does not exist, the default and a warning.
fn read_theme(name: &str) -> Result<(Theme, Option<String>), SettingsError> {
    let themes = frontdesk_client::paths::config_file()
        .and_then(|file| file.parent().map(|directory| directory.join("themes")));
    let path = match themes {
        Some(themes) if !name.contains(std::path::MAIN_SEPARATOR) && !name.ends_with(".toml") => {
            themes.join(format!("{name}.toml"))
        }
        _ => Path::new(name).to_owned(),
    };
    let shipped = || SHIPPED.iter().find(|(shipped, _)| *shipped == name);
    let text = match (std::fs::read_to_string(&path), shipped()) {
        (Ok(text), _) => text,
        (Err(_), Some((_, text))) => (*text).to_owned(),
        (Err(reason), None) => {
            let names = SHIPPED.map(|(name, _)| name).join(", ");
            let warning = format!(
                "There is no theme `{name}` ({}: {reason}). Colours are the terminal's own; there \
                 are {names}.",
                path.display()
            );
            return Ok((Theme::default(), Some(warning)));
        }
    };
    let theme = Theme::parse(&text).map_err(|error: ThemeError| SettingsError::Theme {
        name: name.to_owned(),
        message: error.to_string(),
    })?;
    Ok((theme, None))
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
    fn the_configurations_of_the_pages_can_be_used_as_they_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let pages = [
            "README.md",
            "docs/door.md",
            "docs/interop.md",
            "docs/keys.md",
            "docs/own-commands.md",
            "docs/tools.md",
        ];
        let mut blocks = 0;
        for page in pages {
            let text = std::fs::read_to_string(root.join(page)).expect("a page");
            for block in text.split("```toml\n").skip(1) {
                let block = block.split("```").next().unwrap_or_default();
                let part = match block.starts_with("run = ") {
                    true => "[[commands]]\nname = \"Note\"\n",
                    false => "",
                };
                let config = Config::parse(&format!("{part}{block}"), Path::new(page));
                let config = config.unwrap_or_else(|error| panic!("{page}: {error}"));
                let used = Settings::new(&config, false);
                assert!(used.is_ok(), "{page}: {:?}", used.err());
                blocks += 1;
            }
        }
        assert!(blocks >= 7, "{blocks}");
    }

    #[test]
    fn auto_follows_the_background_and_a_chosen_theme_does_not() {
        let settings = |text: &str| {
            let config = Config::parse(text, Path::new("config.toml")).expect("is fine");
            Settings::new(&config, false).expect("is fine")
        };
        let mut auto = settings("theme_colors = { bad = \"magenta\" }");
        assert_eq!(auto.theme.warn, Theme::default().warn);
        auto.follow([255, 255, 255]);
        let on_white = auto.theme.clone();
        auto.follow([0, 43, 54]);
        assert_ne!(auto.theme.warn, on_white.warn);
        assert_eq!(auto.theme.bad, on_white.bad);
        let mut chosen = settings("theme = \"ansi\"");
        chosen.follow([255, 255, 255]);
        assert_eq!(chosen.theme, Theme::default());
    }

    #[test]
    fn esc_waits_longer_over_a_network_and_as_long_as_configured() {
        assert_eq!(usual_esc(|_| false), Duration::from_millis(25));
        assert_eq!(
            usual_esc(|name| name == "SSH_TTY"),
            Duration::from_millis(100)
        );
        let esc = |text| {
            let config = Config::parse(text, Path::new("config.toml")).expect("is fine");
            Settings::new(&config, false).expect("is fine").esc
        };
        assert_eq!(esc("escape_ms = 300"), Duration::from_millis(300));
        let zero = Config::parse("escape_ms = 0", Path::new("config.toml"));
        assert!(zero.is_err(), "{zero:?}");
    }

    #[test]
    fn a_missing_theme_is_a_warning_that_says_where_it_was_looked_for() {
        let config = Config::parse("theme = \"nowhere/at-all.toml\"", Path::new("config.toml"));
        let settings = Settings::new(&config.expect("is fine"), false).expect("can be used");
        assert_eq!(settings.theme, Theme::default());
        let warning = settings.warning.expect("a warning");
        assert!(warning.contains("nowhere/at-all.toml"), "{warning}");
    }

    #[test]
    fn a_theme_that_is_there_and_wrong_cannot_be_used() {
        let file = tempfile::Builder::new()
            .suffix(".toml")
            .tempfile()
            .expect("a file");
        std::fs::write(file.path(), "good = \"reddish\"\n").expect("is written");
        let text = format!("theme = '{}'\n", file.path().display());
        let config = Config::parse(&text, Path::new("config.toml")).expect("is fine");
        let error = Settings::new(&config, false).expect_err("is wrong");
        assert!(error.to_string().contains("`reddish` is not a colour"));
    }
}
