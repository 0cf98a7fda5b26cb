//! What a person does to a form.

use serde_json::Value;

use super::Form;
use crate::error::EditError;
use crate::field::{Entry, Field, Maker, Misuse};
use crate::path::{Path, Segment};

impl Form {
    /// Takes what was typed into the field: a text as it is, a number to be read, the label of a
    /// choice, yes or no, JSON. What it lies in is included.
    ///
    /// # Errors
    /// There is no such field, or the text is none of its choices. A text that is no number or no
    /// JSON is no error here: it stays as it was typed, and [`Form::errors`] says so.
    pub fn set_text(&mut self, path: &Path, text: &str) -> Result<(), EditError> {
        self.edit(path, |field, maker| field.type_text(maker, text))
    }

    /// Enters the value; as JSON, if it is none that the field is for.
    ///
    /// # Errors
    /// There is no such field.
    pub fn set(&mut self, path: &Path, value: &Value) -> Result<(), EditError> {
        self.edit(path, |field, maker| {
            field.take(maker, value);
            Ok(())
        })
    }

    /// Enters null, which is not the same as leaving it out.
    ///
    /// # Errors
    /// There is no such field.
    pub fn set_null(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.set_null();
            Ok(())
        })
    }

    /// Leaves the field out. An argument of an update has again what the record has, which is what
    /// it stays when it is left out.
    ///
    /// # Errors
    /// None where there is no such field: it is left out already.
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

    /// What the record keeps, if the path is one of the arguments and it is left out.
    fn kept(&self, path: &Path) -> Option<(&String, &Value)> {
        match (path.segments(), &self.record) {
            ([Segment::Key(key)], Some(record)) => record.get_key_value(key),
            _ => None,
        }
    }

    /// Goes on to the next thing that the field can be: yes, no, null, left out; the next choice;
    /// the next alternative; included or not. An argument of an update that the record has
    /// is never left out so: it would stay what it is.
    ///
    /// # Errors
    /// There is no such field, or it has to be typed.
    pub fn toggle(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, Field::toggle)?;
        let field = self.field(path);
        let kept = self.kept(path).map(|(_, value)| value);
        let is_kept = field.is_some_and(|field| {
            let is_absent = *field.entry() == Entry::Absent;
            is_absent && kept.is_some_and(|kept| !kept.is_null() || field.is_nullable())
        });
        if is_kept {
            self.edit(path, Field::toggle)?;
        }
        Ok(())
    }

    /// Includes a list or an object, empty or with what it had before it was left out.
    ///
    /// # Errors
    /// There is no such field, or it is neither.
    pub fn include(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, Field::include)
    }

    /// Adds an entry at the end of the list; its path.
    ///
    /// # Errors
    /// There is no such field, or it is no list.
    pub fn add_item(&mut self, path: &Path) -> Result<Path, EditError> {
        let step = self.edit(path, Field::add_item)?;
        Ok(path.join(step))
    }

    /// Takes the entry out of its list, or the free key out of its object.
    ///
    /// # Errors
    /// There is no such field, or the tool declares it: then it can only be left out.
    pub fn remove(&mut self, path: &Path) -> Result<(), EditError> {
        let nothing = || EditError::NoSuchField(path.clone());
        let (above, step) = path.split_last().ok_or_else(nothing)?;
        self.edit(&above, |field, _| field.remove(step))
    }

    /// Moves the entry of a list to another place in it.
    ///
    /// # Errors
    /// There is no such entry, or no such place.
    pub fn move_item(&mut self, path: &Path, to: usize) -> Result<(), EditError> {
        match path.split_last() {
            Some((above, Segment::Index(from))) => {
                self.edit(&above, |field, _| field.move_item(*from, to))
            }
            _ => Err(EditError::NoSuchField(path.clone())),
        }
    }

    /// Adds a key to an object that takes more than it declares; its path.
    ///
    /// # Errors
    /// There is no such field, it takes no more keys, or has this one.
    pub fn add_key(&mut self, path: &Path, key: &str) -> Result<Path, EditError> {
        let step = self.edit(path, |field, maker| field.add_key(maker, key))?;
        Ok(path.join(step))
    }

    /// Gives a free key another name.
    ///
    /// # Errors
    /// There is no such key, the tool declares it, or the new name is taken.
    pub fn rename_key(&mut self, path: &Path, to: &str) -> Result<Path, EditError> {
        match path.split_last() {
            Some((above, Segment::Key(from))) => {
                self.edit(&above, |field, _| field.rename_key(from, to))?;
                Ok(above.key(to))
            }
            _ => Err(EditError::NoSuchField(path.clone())),
        }
    }

    /// Chooses an alternative. What was entered into another one is there when it is chosen again.
    ///
    /// # Errors
    /// There is no such field, nothing to choose between, or not so many alternatives.
    pub fn choose_variant(&mut self, path: &Path, alternative: usize) -> Result<(), EditError> {
        self.edit(path, |field, maker| {
            field.choose_variant(maker, alternative)
        })
    }

    /// Takes JSON as it is typed, whatever the field is for: the way out where no widget fits.
    ///
    /// # Errors
    /// There is no such field. A text that is no JSON stays as it was typed.
    pub fn set_json(&mut self, path: &Path, text: &str) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.set_json(text);
            Ok(())
        })
    }

    /// Shows what the field has as JSON, to be edited so.
    ///
    /// # Errors
    /// There is no such field.
    pub fn as_json(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, |field, _| {
            field.turn_into_json();
            Ok(())
        })
    }

    /// Makes fields of the JSON again, where the field has any for it.
    ///
    /// # Errors
    /// There is no such field, or the text is no JSON: it stays as it is.
    pub fn as_fields(&mut self, path: &Path) -> Result<(), EditError> {
        self.edit(path, Field::turn_into_fields)
    }

    /// Does something to a field. What the server refused about it, around it or in it is forgotten.
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
