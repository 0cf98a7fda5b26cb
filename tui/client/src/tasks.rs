//! The tasks of other servers that were begun here and whose results were not delivered yet.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lock;
use crate::secret::Secret;

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
    /// The session that knows it, if the server has sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<Session>,
}

/// A session at an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// It is only used there.
    pub(crate) url: String,
    pub(crate) id: Secret,
}

/// The sessions of the tasks that are not ended yet. They outlast the process.
#[derive(Debug, Clone, Default)]
pub(crate) struct TaskSessions(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// The session of the last request.
    current: Option<String>,
    by_task: HashMap<String, Option<String>>,
}

impl TaskSessions {
    /// A request is sent in this session.
    pub(crate) fn note(&self, session: Option<&str>) {
        let mut known = self.known();
        if known.current.as_deref() != session {
            known.current = session.map(str::to_owned);
        }
    }

    /// A task was begun in the current session, which is returned.
    pub(crate) fn begin(&self, task: &str) -> Option<String> {
        let mut known = self.known();
        let current = known.current.clone();
        known.by_task.insert(task.to_owned(), current.clone());
        current
    }

    /// A task of an earlier process was begun in this session.
    pub(crate) fn restore(&self, task: &str, session: Option<&Secret>) {
        let session = session.map(|session| session.expose().to_owned());
        self.known().by_task.insert(task.to_owned(), session);
    }

    pub(crate) fn has(&self, task: &str) -> bool {
        self.known().by_task.contains_key(task)
    }

    /// The session of a task.
    pub(crate) fn of(&self, task: &str) -> Option<String> {
        self.known().by_task.get(task).cloned().flatten()
    }

    /// Whether a task needs this session.
    pub(crate) fn is_needed(&self, session: &str) -> bool {
        let known = self.known();
        known
            .by_task
            .values()
            .any(|it| it.as_deref() == Some(session))
    }

    /// A task has ended.
    pub(crate) fn end(&self, task: &str) {
        self.known().by_task.remove(task);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    pub(crate) fn begin(
        &self,
        server: &str,
        tool: &str,
        id: &str,
        session: Option<Session>,
    ) -> io::Result<()> {
        self.change(|all| {
            all.push(Begun {
                server: server.to_owned(),
                tool: tool.to_owned(),
                id: id.to_owned(),
                at: Timestamp::now(),
                session,
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
