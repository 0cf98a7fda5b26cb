//! The position of a field: `name`, `tags.colour`, `member_ids[2]`.

use std::fmt;

/// One step of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// A key of an object.
    Key(String),
    /// An index in a list, from 0.
    Index(usize),
}

/// The position of a field, from the outermost object inwards. The empty path is the whole form.
///
/// The notation is that of `field` in the errors of the hosts. An ambiguous key is written in
/// brackets as a JSON string: `tags["a.b"]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The path of the whole form.
    pub fn root() -> Path {
        Path::default()
    }

    /// The path of the field `key` in this one.
    #[must_use]
    pub fn key(&self, key: impl Into<String>) -> Path {
        self.join(Segment::Key(key.into()))
    }

    /// The path of the entry `index` in this list.
    #[must_use]
    pub fn index(&self, index: usize) -> Path {
        self.join(Segment::Index(index))
    }

    /// This path with one more step.
    #[must_use]
    pub fn join(&self, segment: Segment) -> Path {
        let mut segments = Vec::with_capacity(self.0.len() + 1);
        segments.extend_from_slice(&self.0);
        segments.push(segment);
        Path(segments)
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the whole form.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path of the enclosing field, and the last step; `None` for the whole form.
    pub fn split_last(&self) -> Option<(Path, &Segment)> {
        let (last, above) = self.0.split_last()?;
        Some((Path(above.to_vec()), last))
    }

    /// Whether this path equals `above` or is inside it.
    pub fn starts_with(&self, above: &Path) -> bool {
        self.0.starts_with(&above.0)
    }

    /// The innermost key: `member_ids` for `member_ids[2]`.
    pub fn last_key(&self) -> Option<&str> {
        self.0.iter().rev().find_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
    }

    /// The steps from `depth` on, as a separate path.
    pub(crate) fn below(&self, depth: usize) -> Path {
        Path(self.0.get(depth..).unwrap_or_default().to_vec())
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }
}

impl From<&str> for Path {
    /// Parses a path. This never fails: brackets without a valid step belong to a key.
    fn from(text: &str) -> Path {
        let mut segments = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some((segment, after)) = bracketed(rest) {
                segments.push(segment);
                rest = after;
                rest = rest.strip_prefix('.').unwrap_or(rest);
                continue;
            }
            // A key ends at the next dot or at the next bracket with a valid step.
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(at, c)| *c == '.' || (*c == '[' && bracketed(&rest[*at..]).is_some()))
                .map_or(rest.len(), |(at, _)| at);
            segments.push(Segment::Key(rest[..end].to_owned()));
            rest = &rest[end..];
            rest = rest.strip_prefix('.').unwrap_or(rest);
        }
        Path(segments)
    }
}

impl From<&String> for Path {
    fn from(text: &String) -> Path {
        Path::from(text.as_str())
    }
}

/// `[2]` or `["a.b"]` at the beginning of the text, and the rest.
fn bracketed(text: &str) -> Option<(Segment, &str)> {
    let inner = text.strip_prefix('[')?;
    if inner.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let key = values.next()?.ok()?;
        let after = inner.get(values.byte_offset()..)?.strip_prefix(']')?;
        return Some((Segment::Key(key), after));
    }
    let (digits, after) = inner.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let index = is_number.then(|| digits.parse().ok()).flatten()?;
    Some((Segment::Index(index), after))
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if key.is_empty() || key.contains(['.', '[']) => {
                    write!(f, "[{}]", serde_json::Value::from(key.as_str()))?;
                }
                Segment::Key(key) if at == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_the_hosts_write_it() {
        let root = Path::root();
        for (text, path) in [
            ("", root.clone()),
            ("name", root.key("name")),
            ("tags.colour", root.key("tags").key("colour")),
            ("member_ids[2]", root.key("member_ids").index(2)),
            (
                "edits[0].old[1][2]",
                root.key("edits").index(0).key("old").index(1).index(2),
            ),
            ("tags[\"a.b\"]", root.key("tags").key("a.b")),
            ("[\"\"].x", root.key("").key("x")),
            ("[\"[0]\"][0]", root.key("[0]").index(0)),
            (
                "tags[\"é \\\" ]\"].x",
                root.key("tags").key("é \" ]").key("x"),
            ),
        ] {
            assert_eq!(Path::from(text), path, "{text}");
            let written = path.to_string();
            assert_eq!(Path::from(written.as_str()), path, "{written}");
        }
        assert_eq!(
            root.key("a").index(0).key("b.c").to_string(),
            "a[0][\"b.c\"]"
        );
    }

    #[test]
    fn what_is_no_step_in_brackets_is_a_key() {
        for text in [
            "a[",
            "a[x]",
            "a[-1]",
            "[]",
            "a[\"b]",
            "[",
            "é[99999999999999999999]",
        ] {
            assert_eq!(Path::from(text), Path::root().key(text), "{text}");
        }
    }
}
