//! Arguments of tools that are kept under a name, to be used again.
//!
//! All are in one file. What this version cannot read of it is kept as it is; a file that is none is put
//! aside, because it may be somebody's work.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::lock;

/// Files of one name that are put aside, before the last is written over.
const MOST_ASIDE: u32 = 100;

/// Arguments under a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// The host or server, as the command line calls it.
    pub peer: String,
    /// The tool.
    pub tool: String,
    /// The name, one for each preset of a tool.
    pub name: String,
    /// What the tool is called with.
    pub arguments: Map<String, Value>,
    /// When it was kept.
    pub saved_at: Timestamp,
}

/// The presets of one tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kept {
    /// By name.
    pub presets: Vec<Preset>,
    /// The file could not be read, and is here now.
    pub aside: Option<PathBuf>,
}

/// The presets of one data directory. All of its work is short but touches the disk: call it where
/// blocking is allowed.
#[derive(Debug, Clone)]
pub struct Presets {
    path: PathBuf,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Written {
    presets: Vec<Value>,
}

impl Presets {
    /// The presets in this file, which need not be there yet; [`crate::paths`] knows the usual place.
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

    /// Keeps the arguments, in place of those that its tool has under this name.
    ///
    /// # Errors
    /// It could not be written; what was kept is as it was.
    pub fn save(&self, preset: &Preset) -> io::Result<Kept> {
        let written = serde_json::to_value(preset)?;
        self.change(&preset.peer, &preset.tool, |all| {
            all.retain(|one| !is(one, &preset.peer, &preset.tool, Some(&preset.name)));
            all.push(written);
            true
        })
    }

    /// Forgets the arguments that the tool has under this name.
    ///
    /// # Errors
    /// It could not be written; what was kept is as it was.
    pub fn remove(&self, peer: &str, tool: &str, name: &str) -> io::Result<Kept> {
        self.change(peer, tool, |all| {
            let before = all.len();
            all.retain(|one| !is(one, peer, tool, Some(name)));
            all.len() < before
        })
    }

    /// Reads the file, changes what is in it, and writes it if it was changed.
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

    /// A name beside the file that is not taken.
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
