//! Finds the field that a server names in an error.

use super::Form;
use crate::check;
use crate::field::Field;
use crate::path::{Path, Segment};

impl Form {
    /// The field for a name in any common notation: `name`, `tags.colour`, `member_ids[2]`,
    /// `edits.0.text`, `/tags/colour`. Also returns the rest of the name if the form has no field
    /// that deep.
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
        // Some servers prefix the name with the position of the arguments in the message.
        if path.is_root()
            && let Some(inner) = ["arguments", "args", "params", "body", "input"]
                .into_iter()
                .find_map(|outer| name.strip_prefix(outer)?.strip_prefix(['.', '/']))
        {
            return self.locate(inner);
        }
        (path, rest.trim_start_matches(['.', '/']).to_owned())
    }

    /// Shows a server error on the field it names until that field changes. If the field does not
    /// exist, the nearest field around it shows the error with the rest of the name.
    pub fn refuse(&mut self, name: &str, message: &str) {
        let (path, rest) = self.locate(name);
        let message = match rest.as_str() {
            "" => message.to_owned(),
            rest => format!("{rest} {message}"),
        };
        self.refused
            .push(check::nearest(self.root(), path, message));
    }

    /// Removes all server errors.
    pub fn forget_refusals(&mut self) {
        self.refused.clear();
    }
}

/// The field that the name begins with, and the rest of the name. The longest key wins, so keys
/// with dots are found.
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
