//! The form: the fields of a tool's arguments, and what was entered into them.

mod edit;
mod locate;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::check::{self, Checker, FieldError};
use crate::field::{Entry, Field, Maker};
use crate::path::{Path, Segment};
use crate::reference::refers_to;
use crate::rows::{Row, rows};
use crate::schema::Document;

/// The form for the arguments of a tool. A clone shares the schema.
#[derive(Debug, Clone)]
pub struct Form {
    document: Arc<Document>,
    /// Made when something is checked for the first time.
    checker: OnceLock<Checker>,
    root: Field,
    /// The record that is changed.
    record: Option<Map<String, Value>>,
    /// What the server refused, until the field is changed.
    refused: Vec<FieldError>,
}

impl Form {
    /// A form for these arguments, with what must be there and leaves nothing to decide.
    ///
    /// Anything is taken for a schema. What cannot be understood of it is a field for JSON.
    pub fn new(schema: &Value) -> Form {
        let document = Document::new(schema);
        Form {
            checker: OnceLock::new(),
            root: Maker::new(&document).root(),
            document: Arc::new(document),
            record: None,
            refused: Vec::new(),
        }
    }

    /// A form that changes `record`: it shows what the record has, and sends what was changed,
    /// with the arguments that are required. What the tool takes no argument for is ignored.
    pub fn update(schema: &Value, record: &Map<String, Value>) -> Form {
        let mut form = Form::new(schema);
        form.record = Some(record.clone());
        for (key, value) in record {
            if form.root.child(&Segment::Key(key.clone())).is_some() {
                form.restore(key, value);
            }
        }
        form
    }

    /// Enters what the record has. A null that cannot be sent is a field without anything.
    fn restore(&mut self, key: &str, value: &Value) {
        let mut maker = Maker::new(&self.document);
        let step = [Segment::Key(key.to_owned())];
        if let Some(field) = self.root.reach(&mut maker, &step) {
            match value {
                Value::Null if !field.is_nullable() => field.clear(),
                value => field.take(&mut maker, value),
            }
        }
    }

    /// The field of all arguments.
    pub fn root(&self) -> &Field {
        &self.root
    }

    /// The field at the path, if it is there and not left out with what it lies in.
    pub fn field(&self, path: &Path) -> Option<&Field> {
        let (field, depth) = check::at(&self.root, path);
        (depth == path.segments().len()).then_some(field)
    }

    /// The rows from top to bottom.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows = rows(&self.root);
        if self.record.is_some() {
            for row in &mut rows {
                row.changed = self.is_changed(&row.path);
            }
        }
        rows
    }

    /// Whether what would be sent for the field is not what the record has. Without a record
    /// nothing is changed.
    pub fn is_changed(&self, path: &Path) -> bool {
        let Some(record) = &self.record else {
            return false;
        };
        let mut steps = path.segments().iter();
        let Some(Segment::Key(key)) = steps.next() else {
            return false;
        };
        let before = record.get(key).and_then(|value| {
            steps.try_fold(value, |value, step| match step {
                Segment::Key(key) => value.get(key),
                Segment::Index(at) => value.get(*at),
            })
        });
        match self.field(path).and_then(Field::value) {
            // Left out, the record keeps what it has.
            None => path.segments().len() > 1 && before.is_some(),
            value => value.as_ref() != before,
        }
    }

    /// Whether anything of the record is changed.
    pub fn has_changes(&self) -> bool {
        let children = self.root.children().iter();
        let mut keys = children.filter_map(Field::key);
        keys.any(|key| self.is_changed(&Path::root().key(key)))
    }

    /// The arguments to send. What is left out is not in it; of an update, what is unchanged is
    /// neither, unless it is required.
    ///
    /// While [`Form::errors`] has something to say, what cannot be read stands as its text: so it
    /// can be kept, but should not be sent.
    pub fn value(&self) -> Value {
        let Some(record) = &self.record else {
            return self
                .root
                .value()
                .unwrap_or_else(|| Value::Object(Map::new()));
        };
        let is_unchanged = |field: &Field, value: &Value| {
            field.key().and_then(|key| record.get(key)) == Some(value)
        };
        if *self.root.entry() != Entry::Open || !self.root.leaf().kind().is_container() {
            return self.root.value().unwrap_or_default();
        }
        let mut sent = Map::new();
        for field in self.root.leaf().children() {
            if let (Some(key), Some(value)) = (field.key(), field.value())
                && (field.is_required() || !is_unchanged(field, &value))
            {
                sent.insert(key.to_owned(), value);
            }
        }
        Value::Object(sent)
    }

    fn checker(&self) -> &Checker {
        self.checker.get_or_init(|| Checker::new(&self.document))
    }

    /// What is wrong, in the order of the rows; what is about no row comes last. On one row it is
    /// first what cannot be read, then what the schema does not allow, then what the server refused.
    pub fn errors(&self) -> Vec<FieldError> {
        let mut errors = self.checker().errors(&self.root, &self.value());
        for refused in &self.refused {
            if !errors.contains(refused) {
                errors.push(refused.clone());
            }
        }
        if errors.len() > 1 {
            let rows = rows(&self.root).into_iter().enumerate();
            let places: HashMap<Path, usize> = rows.map(|(at, row)| (row.path, at)).collect();
            errors.sort_by_key(|error| places.get(&error.path).copied().unwrap_or(usize::MAX));
        }
        errors
    }

    /// Whether everything that the schema says is checked. It is not where the schema itself is
    /// wrong, refers to what is not in it, or never ends: then the server has the last word.
    pub fn is_checked(&self) -> bool {
        self.checker().is_whole()
    }

    /// Enters the arguments, in place of all that was entered: a preset, an earlier call. Of an
    /// update, what they leave out is as the record has it.
    pub fn fill(&mut self, arguments: &Value) {
        self.refused.clear();
        let mut maker = Maker::new(&self.document);
        self.root.take(&mut maker, arguments);
        let Some(record) = self.record.clone() else {
            return;
        };
        for (key, value) in &record {
            let is_there = self.root.child(&Segment::Key(key.clone())).is_some();
            if is_there && arguments.get(key).is_none() {
                self.restore(key, value);
            }
        }
    }

    /// What kind of record the field holds the id of, by the naming rule of [`refers_to`]. An entry
    /// of a list has the name of its list.
    pub fn refers_to<'a>(&self, path: &'a Path) -> Option<&'a str> {
        refers_to(path.last_key()?)
    }
}
