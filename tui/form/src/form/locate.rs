//! From the name of a field, as a server writes it in an error, to the field.

use super::Form;
use crate::check;
use crate::field::Field;
use crate::path::{Path, Segment};

impl Form {
    /// The field that a server means: `name`, `tags.colour`, `member_ids[2]`, `edits.0.text`,
    /// `/tags/colour`; and what is left of the name where the form has no field so far in.
    pub fn locate(&self, name: &str) -> (Path, String) {
        let name = name.strip_prefix("#/").unwrap_or(name);
        let name = name.strip_prefix("$.").unwrap_or(name);
        let mut path = Path::root();
        let mut rest = name;
        let mut field = self.root();
        while let Some((child, segment, after)) = step(field, rest) {
            path.push(segment);
            (field, rest) = (child, after);
        }
        // Some servers say where the arguments stand in the message.
        if path.is_root()
            && let Some(inner) = ["arguments", "args", "params", "body", "input"]
                .into_iter()
                .find_map(|outer| name.strip_prefix(outer)?.strip_prefix(['.', '/']))
        {
            return self.locate(inner);
        }
        (path, rest.trim_start_matches(['.', '/']).to_owned())
    }

    /// Puts what a server refused on the field that it names, until the field is changed. Where
    /// there is no such field it is put on the nearest around it, and names what was meant.
    pub fn refuse(&mut self, name: &str, message: &str) {
        let (path, rest) = self.locate(name);
        let message = match rest.as_str() {
            "" => message.to_owned(),
            rest => format!("{rest} {message}"),
        };
        self.refused
            .push(check::nearest(self.root(), path, message));
    }

    /// Forgets what the server refused.
    pub fn forget_refusals(&mut self) {
        self.refused.clear();
    }
}

/// The field that the name begins with, and what comes after. The longest key wins, so that a key
/// with a dot in it is found.
fn step<'a, 'n>(field: &'a Field, name: &'n str) -> Option<(&'a Field, Segment, &'n str)> {
    let name = name.strip_prefix(['.', '/']).unwrap_or(name);
    let mut best: Option<(&Field, Segment, &str)> = None;
    for child in field.leaf().children() {
        let after = match child.segment()? {
            Segment::Key(key) => after(name, key),
            Segment::Index(at) => {
                after(name, &format!("[{at}]")).or_else(|| after(name, &at.to_string()))
            }
        };
        let is_longer = |after: &str| match &best {
            Some((_, _, shortest)) => after.len() < shortest.len(),
            None => true,
        };
        if let Some(after) = after
            && is_longer(after)
        {
            best = Some((child, child.segment()?.clone(), after));
        }
    }
    best
}

fn after<'n>(name: &'n str, step: &str) -> Option<&'n str> {
    let after = name.strip_prefix(step).filter(|_| !step.is_empty())?;
    (after.is_empty() || after.starts_with(['.', '/', '['])).then_some(after)
}
