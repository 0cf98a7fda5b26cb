//! Presets: named arguments of tools.
//!
//! All presets are in one file. Parts that this version cannot read are preserved; an unreadable
//! file is renamed instead of overwritten, because it may be somebody's work.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::lock;

/// The maximum number of renamed files; then the last one is overwritten.
const MOST_ASIDE: u32 = 100;

/// Named arguments of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// The host or server, by its name on the command line.
    pub peer: String,
    /// The tool.
    pub tool: String,
    /// The name, unique for the tool.
    pub name: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// When it was saved.
    pub saved_at: Timestamp,
}

/// The presets of one tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kept {
    /// Sorted by name.
    pub presets: Vec<Preset>,
    /// The new path of the file, if it could not be read.
    pub aside: Option<PathBuf>,
}

/// The presets in one data directory. All methods are short but access the disk: call them where
/// blocking is allowed.
#[derive(Debug, Clone)]
pub struct Presets {
    path: PathBuf,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Written {
    presets: Vec<Value>,
}

impl Presets {
    /// The presets in this file, which is created on demand; [`crate::paths`] has the default path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Presets { path: path.into() }
    }

    /// The presets of a tool.
    ///
    /// # Errors
    /// The file or its directory cannot be read.
    pub fn of(&self, peer: &str, tool: &str) -> io::Result<Kept> {
        self.change(peer, tool, |_| false)
    }

    /// All presets of all tools, sorted by name.
    ///
    /// # Errors
    /// The file or its directory cannot be read.
    pub(crate) fn all(&self) -> io::Result<Kept> {
        let _lock = lock::lock(&lock::beside(&self.path))?;
        let (written, aside) = self.read()?;
        let presets = written.presets.into_iter();
        let presets = presets.filter_map(|one| serde_json::from_value(one).ok());
        let mut presets: Vec<Preset> = presets.collect();
        presets.sort_by_cached_key(|preset| preset.name.to_lowercase());
        Ok(Kept { presets, aside })
    }

    /// Saves a preset, replacing one with the same name.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn save(&self, preset: &Preset) -> io::Result<Kept> {
        let written = serde_json::to_value(preset)?;
        self.change(&preset.peer, &preset.tool, |all| {
            all.retain(|one| !is(one, &preset.peer, &preset.tool, Some(&preset.name)));
            all.push(written);
            true
        })
    }

    /// Removes a preset.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn remove(&self, peer: &str, tool: &str, name: &str) -> io::Result<Kept> {
        self.change(peer, tool, |all| {
            let before = all.len();
            all.retain(|one| !is(one, peer, tool, Some(name)));
            all.len() < before
        })
    }

    /// Reads the file, applies the change, and writes it if it differs.
    fn change(
        &self,
        peer: &str,
        tool: &str,
        act: impl FnOnce(&mut Vec<Value>) -> bool,
    ) -> io::Result<Kept> {
        let _lock = lock::lock(&lock::beside(&self.path))?;
        let (mut written, aside) = self.read()?;
        if act(&mut written.presets) {
            lock::replace(&self.path, &serde_json::to_vec_pretty(&written)?)?;
        }
        let own = written
            .presets
            .iter()
            .filter(|one| is(one, peer, tool, None));
        let own = own.filter_map(|one| serde_json::from_value(one.clone()).ok());
        let mut presets: Vec<Preset> = own.collect();
        presets.sort_by_cached_key(|preset| preset.name.to_lowercase());
        Ok(Kept { presets, aside })
    }

    fn read(&self) -> io::Result<(Written, Option<PathBuf>)> {
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Default::default()),
            Err(error) => return Err(error),
        };
        match serde_json::from_slice(&bytes) {
            Ok(written) => Ok((written, None)),
            Err(_) => {
                let aside = self.aside();
                std::fs::rename(&self.path, &aside)?;
                lock::sync_directory(lock::parent(&self.path))?;
                Ok((Written::default(), Some(aside)))
            }
        }
    }

    /// An unused name in the same directory.
    fn aside(&self) -> PathBuf {
        let name = |number: u32| match number {
            1 => self.path.with_extension("damaged.json"),
            number => self.path.with_extension(format!("damaged-{number}.json")),
        };
        let mut names = (1..MOST_ASIDE).map(name);
        names
            .find(|path| !Path::exists(path))
            .unwrap_or_else(|| name(MOST_ASIDE))
    }
}

fn is(one: &Value, peer: &str, tool: &str, name: Option<&str>) -> bool {
    one["peer"] == peer && one["tool"] == tool && name.is_none_or(|name| one["name"] == name)
}
