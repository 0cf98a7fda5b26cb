//! Editing a form.

use serde_json::Value;

use super::Form;
use crate::error::EditError;
use crate::field::{Entry, Field, Maker, Misuse};
use crate::kind::Kind;
use crate::path::{Path, Segment};

impl Form {
    /// Enters typed text: text as it is, a number, the label of a choice, yes or no, or JSON.
    /// Optional fields around it are included.
    ///
    /// # Errors
    /// The field does not exist, or the text is not one of its choices. Invalid numbers and JSON
    /// are accepted and reported by [`Form::errors`].
    pub fn set_text(&mut self, path: &Path, text: &str) -> Result<(), EditError> {
        self.edit(path, |field, maker| field.type_text(maker, text))
    }

    /// The value of this text on a command line, without entering it. It is read as by
    /// [`Form::set_text`], except that `null` is null where a text is not allowed, and JSON of a list
    /// or object is taken as such where one of several alternatives is. A text that does not fit is
    /// returned as it is.
    pub fn read(&self, path: &Path, text: &str) -> Value {
        let mut form = self.clone();
        if form.field(path).is_none()
            && let Some((above, Segment::Key(key))) = path.split_last()
        {
            // If additional keys are not allowed, there is no field.
            let _ = form.add_key(&above, key);
        }
        let Some(field) = form.field(path) else {
            return text.into();
        };
        let is_nullable = field.is_nullable();
        if matches!(field.kind(), Kind::Variant(_))
            && let Ok(value @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text)
            && form.set(path, &value).is_ok()
            && form
                .field(path)
                .is_some_and(|field| *field.entry() == Entry::Open)
        {
            return value;
        }
        let is_read = form.set_text(path, text).is_ok();
        let field = form.field(path).filter(|_| is_read);
        let is_text = field.is_some_and(|field| matches!(field.leaf().kind(), Kind::Text(_)));
        match field.and_then(Field::value) {
            _ if is_nullable && text == "null" && !is_text => Value::Null,
            Some(value) => value,
            None => text.into(),
        }
    }

    /// Enters a value. A value that does not fit the field is entered as JSON.
    ///
    /// # Errors
    /// The field does not exist.
    pub fn set(&mut self, path: &Path, value: &Value) -> Result<(), EditError> {
        self.edit(path, |field, maker| {
            field.take(maker, value);
            Ok(())
        })
    }

    /// Enters null, which is different from leaving the field out.
    ///
    /// # Errors
    /// The field does not exist.
    pub fn set_null(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.set_null();
            Ok(())
        })
    }

    /// Leaves the field out. In an update, an argument returns to the value of the record.
    ///
    /// # Errors
    /// None if the field does not exist: it is already left out.
    pub fn clear(&mut self, path: &Path) -> Result<(), EditError> {
        if self.field(path).is_none() {
            return Ok(());
        }
        self.edit(path, |field, _| {
            field.clear();
            Ok(())
        })?;
        let kept = self.kept(path);
        if let Some((key, value)) = kept.map(|(key, value)| (key.clone(), value.clone())) {
            self.restore(&key, &value);
        }
        Ok(())
    }

    /// The argument and its value in the record, if the path is an argument that is left out.
    fn kept(&self, path: &Path) -> Option<(&String, &Value)> {
        match (path.segments(), &self.record) {
            ([Segment::Key(key)], Some(record)) => record.get_key_value(key),
            _ => None,
        }
    }

    /// Switches to the next state: yes, no, null, left out; the next choice or alternative;
    /// included or left out. An argument of an update with a value in the record is never left out,
    /// because the record would keep that value.
    ///
    /// # Errors
    /// The field does not exist, or needs typed input.
    pub fn toggle(&mut self, path: &Path) -> Result<(), EditError> {
        self.turn(path, false)
    }

    /// As [`Form::toggle`], to the previous state; of alternatives, to the next one.
    ///
    /// # Errors
    /// The field does not exist, or needs typed input.
    pub fn toggle_back(&mut self, path: &Path) -> Result<(), EditError> {
        self.turn(path, true)
    }

    fn turn(&mut self, path: &Path, is_back: bool) -> Result<(), EditError> {
        self.edit(path, |field, maker| field.toggle(maker, is_back))?;
        let field = self.field(path);
        let kept = self.kept(path).map(|(_, value)| value);
        let is_kept = field.is_some_and(|field| {
            let is_absent = *field.entry() == Entry::Absent;
            is_absent && kept.is_some_and(|kept| !kept.is_null() || field.is_nullable())
        });
        if is_kept {
            self.edit(path, |field, maker| field.toggle(maker, is_back))?;
        }
        Ok(())
    }

    /// Includes a list or an object, empty or with its previous entries.
    ///
    /// # Errors
    /// The field does not exist, or is neither a list nor an object.
    pub fn include(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, Field::include)
    }

    /// Adds an entry at the end of the list. Returns its path.
    ///
    /// # Errors
    /// The field does not exist, or is not a list.
    pub fn add_item(&mut self, path: &Path) -> Result<Path, EditError> {
        let step = self.edit(path, Field::add_item)?;
        Ok(path.join(step))
    }

    /// Removes a list entry or an additional key.
    ///
    /// # Errors
    /// The field does not exist, or the schema declares it: use [`Form::clear`].
    pub fn remove(&mut self, path: &Path) -> Result<(), EditError> {
        let nothing = || EditError::NoSuchField(path.clone());
        let (above, step) = path.split_last().ok_or_else(nothing)?;
        self.edit(&above, |field, _| field.remove(step))
    }

    /// Moves a list entry.
    ///
    /// # Errors
    /// The entry or the new position does not exist.
    pub fn move_item(&mut self, path: &Path, to: usize) -> Result<(), EditError> {
        match path.split_last() {
            Some((above, Segment::Index(from))) => {
                self.edit(&above, |field, _| field.move_item(*from, to))
            }
            _ => Err(EditError::NoSuchField(path.clone())),
        }
    }

    /// Adds a key to an object that allows additional keys. Returns its path.
    ///
    /// # Errors
    /// The field does not exist, allows no more keys, or already has this key.
    pub fn add_key(&mut self, path: &Path, key: &str) -> Result<Path, EditError> {
        let step = self.edit(path, |field, maker| field.add_key(maker, key))?;
        Ok(path.join(step))
    }

    /// Renames an additional key.
    ///
    /// # Errors
    /// The key does not exist, is declared by the schema, or the new name is in use.
    pub fn rename_key(&mut self, path: &Path, to: &str) -> Result<Path, EditError> {
        match path.split_last() {
            Some((above, Segment::Key(from))) => {
                self.edit(&above, |field, _| field.rename_key(from, to))?;
                Ok(above.key(to))
            }
            _ => Err(EditError::NoSuchField(path.clone())),
        }
    }

    /// Chooses an alternative. Entries of the other alternatives are kept.
    ///
    /// # Errors
    /// The field does not exist, is not a variant, or has fewer alternatives.
    pub fn choose_variant(&mut self, path: &Path, alternative: usize) -> Result<(), EditError> {
        self.edit(path, |field, maker| {
            field.choose_variant(maker, alternative)
        })
    }

    /// Enters JSON as typed, for a field of any kind: the fallback if no widget fits.
    ///
    /// # Errors
    /// The field does not exist. Invalid JSON is accepted and reported by [`Form::errors`].
    pub fn set_json(&mut self, path: &Path, text: &str) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.set_json(text);
            Ok(())
        })
    }

    /// Switches the field to editing as JSON.
    ///
    /// # Errors
    /// The field does not exist.
    pub fn as_json(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.turn_into_json();
            Ok(())
        })
    }

    /// Switches the field from JSON back to fields, if its kind has fields.
    ///
    /// # Errors
    /// The field does not exist, or the text is not JSON; it is kept.
    pub fn as_fields(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, Field::turn_into_fields)
    }

    /// Applies an edit to a field, and drops the server errors of the field, its ancestors and its
    /// descendants.
    fn edit<R>(
        &mut self,
        path: &Path,
        act: impl FnOnce(&mut Field, &mut Maker<'_>) -> Result<R, Misuse>,
    ) -> Result<R, EditError> {
        let mut maker = Maker::new(&self.document);
        let field = self.root.reach(&mut maker, path.segments());
        let field = field.ok_or_else(|| EditError::NoSuchField(path.clone()))?;
        let is = field.kind().noun();
        let result = act(field, &mut maker).map_err(|misuse| error(path, is, misuse))?;
        self.refused.retain(|refused| {
            !refused.path.starts_with(path)
                && (refused.path.is_root() || !path.starts_with(&refused.path))
        });
        Ok(result)
    }
}

fn error(path: &Path, is: &'static str, misuse: Misuse) -> EditError {
    let path = path.clone();
    match misuse {
        Misuse::Kind(instead) => EditError::WrongKind { path, is, instead },
        Misuse::Choice { text, choices } => EditError::NoSuchChoice {
            path,
            text,
            choices,
        },
        Misuse::Nothing => EditError::NoSuchField(path),
        Misuse::KeyTaken(key) => EditError::KeyTaken(path.key(key)),
        Misuse::NoMoreKeys => EditError::NoMoreKeys(path),
        Misuse::Alternative(there) => EditError::NoSuchAlternative { path, there },
        Misuse::NotJson(why) => EditError::NotJson { path, why },
    }
}
