//! The tasks of other servers that were begun here and whose results were not delivered yet.

use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lock;

/// A begun task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// The name of the server.
    pub server: String,
    /// The tool that was called.
    pub tool: String,
    /// The id of the task at the server.
    pub id: String,
    /// When it was begun.
    pub at: Timestamp,
}

/// The begun tasks, in a file. All methods access the disk: call them where blocking is allowed.
#[derive(Debug, Clone)]
pub struct Tasks {
    path: PathBuf,
}

impl Tasks {
    /// Those in this file ([`crate::paths::tasks_file`]), which is created on demand.
    pub fn new(path: PathBuf) -> Self {
        Tasks { path }
    }

    /// All tasks, the oldest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn all(&self) -> io::Result<Vec<Begun>> {
        match std::fs::read(&self.path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Adds a task.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&self, server: &str, tool: &str, id: &str) -> io::Result<()> {
        self.change(|all| {
            all.push(Begun {
                server: server.to_owned(),
                tool: tool.to_owned(),
                id: id.to_owned(),
                at: Timestamp::now(),
            });
        })
    }

    /// Removes a task.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end(&self, server: &str, id: &str) -> io::Result<()> {
        self.change(|all| all.retain(|task| task.server != server || task.id != id))
    }

    fn change(&self, act: impl FnOnce(&mut Vec<Begun>)) -> io::Result<()> {
        let _lock = lock::lock(&lock::beside(&self.path))?;
        let mut all = self.all()?;
        act(&mut all);
        lock::replace(&self.path, &serde_json::to_vec_pretty(&all)?)
    }
}
