//! Drafts: what was typed into forms and not sent, one file for each account.

use std::io;
use std::path::PathBuf;

use frontdesk_protocol::id::UserId;

use crate::presets::{Preset, Presets};

/// The maximum number of drafts of an account: the oldest give way.
const MOST: usize = 20;
/// The maximum length of a draft in bytes of JSON. A longer one is not kept.
const LONGEST: usize = 64 * 1024;

/// The drafts in one directory. The name of a draft is the record that its form is for. All methods are short but access
/// the disk: call them where blocking is allowed.
#[derive(Debug, Clone)]
pub struct Drafts {
    directory: PathBuf,
}

impl Drafts {
    /// The drafts in this directory, which is created on demand; [`crate::paths`] has the default path.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Drafts {
            directory: directory.into(),
        }
    }

    /// The draft of this form, if there is one.
    ///
    /// # Errors
    /// The file or its directory cannot be read.
    pub fn of(
        &self,
        account: Option<UserId>,
        peer: &str,
        tool: &str,
        name: &str,
    ) -> io::Result<Option<Preset>> {
        let drafts = self.file(account).of(peer, tool)?.presets;
        Ok(drafts.into_iter().find(|draft| draft.name == name))
    }

    /// Keeps a draft in place of the last one of its form.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn keep(&self, account: Option<UserId>, draft: &Preset) -> io::Result<()> {
        let file = self.file(account);
        if serde_json::to_vec(&draft.arguments)?.len() > LONGEST {
            return file.remove(&draft.peer, &draft.tool, &draft.name).map(drop);
        }
        file.save(draft)?;
        let mut all = file.all()?.presets;
        all.sort_by_key(|draft| std::cmp::Reverse(draft.saved_at));
        for old in all.iter().skip(MOST) {
            file.remove(&old.peer, &old.tool, &old.name)?;
        }
        Ok(())
    }

    /// Removes the draft of a form that was sent or discarded.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn remove(
        &self,
        account: Option<UserId>,
        peer: &str,
        tool: &str,
        name: &str,
    ) -> io::Result<()> {
        self.file(account).remove(peer, tool, name).map(drop)
    }

    /// Removes all drafts of an account that signs out.
    ///
    /// # Errors
    /// The file could not be removed.
    pub fn forget(&self, account: UserId) -> io::Result<()> {
        match std::fs::remove_file(self.path(Some(account))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, account: Option<UserId>) -> PathBuf {
        let name = account.map_or_else(|| "nobody".to_owned(), |account| account.0.to_string());
        self.directory.join(format!("{name}.json"))
    }

    fn file(&self, account: Option<UserId>) -> Presets {
        Presets::new(self.path(account))
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use serde_json::{Map, Value};

    use super::*;

    fn draft(number: usize, text: &str) -> Preset {
        Preset {
            peer: "events".to_owned(),
            tool: "create_event".to_owned(),
            name: number.to_string(),
            arguments: Map::from_iter([("name".to_owned(), Value::from(text))]),
            saved_at: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(number as i64),
        }
    }

    #[test]
    fn the_newest_twenty_of_a_bounded_length_are_kept_for_the_owner_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let drafts = Drafts::new(directory.path());
        for number in 0..25 {
            drafts.keep(None, &draft(number, "Ball")).expect("is kept");
        }
        let of = |number: usize| {
            let found = drafts.of(None, "events", "create_event", &number.to_string());
            found.expect("can be read")
        };
        let kept: Vec<usize> = (0..25).filter(|number| of(*number).is_some()).collect();
        assert_eq!(kept, Vec::from_iter(5..25));
        // A text that is too long takes its shorter beginning along.
        drafts
            .keep(None, &draft(24, &"x".repeat(LONGEST)))
            .expect("is fine");
        assert_eq!(of(24), None);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let file = std::fs::metadata(directory.path().join("nobody.json")).expect("a file");
            assert_eq!(file.permissions().mode() & 0o777, 0o600);
        }
    }
}
