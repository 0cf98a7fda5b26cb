//! The locations of files on this platform.

use std::path::PathBuf;

use directories::ProjectDirs;

/// The name of the configuration file.
pub(crate) const CONFIG_FILE: &str = "config.toml";

fn directories() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "frontdesk")
}

/// The configuration file; `None` without a home directory.
pub fn config_file() -> Option<PathBuf> {
    directories().map(|directories| directories.config_dir().join(CONFIG_FILE))
}

/// The directory of credentials and journal; `None` without a home directory.
pub fn data_directory() -> Option<PathBuf> {
    directories().map(|directories| directories.data_local_dir().to_owned())
}

/// The credentials file in a data directory.
pub fn credentials_file(data: &std::path::Path) -> PathBuf {
    data.join("credentials.json")
}

/// The file with the tokens for the server of this name.
pub fn server_file(data: &std::path::Path, name: &str) -> PathBuf {
    data.join("servers").join(format!("{name}.json"))
}

/// The file with the accepted tools of the server of this name.
pub fn seen_file(data: &std::path::Path, name: &str) -> PathBuf {
    data.join("seen").join(format!("{name}.json"))
}

/// The file of the tasks of other servers, in a data directory.
pub fn tasks_file(data: &std::path::Path) -> PathBuf {
    data.join("tasks.json")
}

/// The presets file in a data directory.
pub fn presets_file(data: &std::path::Path) -> PathBuf {
    data.join("presets.json")
}

/// The directory of the saved filters, in a data directory.
pub fn filters_directory(data: &std::path::Path) -> PathBuf {
    data.join("filters")
}

/// The directory of what was typed into forms and not sent, in a data directory.
pub fn drafts_directory(data: &std::path::Path) -> PathBuf {
    data.join("drafts")
}

/// The check-in journal in a data directory.
pub fn journal_file(data: &std::path::Path) -> PathBuf {
    data.join("journal.jsonl")
}

/// The directory of the guest lists, in a data directory.
pub fn guest_lists_directory(data: &std::path::Path) -> PathBuf {
    data.join("guests")
}

/// The directory of imports, in a data directory.
pub fn imports_directory(data: &std::path::Path) -> PathBuf {
    data.join("imports")
}

/// The directory of the histories of calls, in a data directory.
pub fn history_directory(data: &std::path::Path) -> PathBuf {
    data.join("history")
}
