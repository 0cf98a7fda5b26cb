//! The form: the fields of a tool's arguments and their entries.

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
    /// Compiled at the first check.
    checker: OnceLock<Checker>,
    root: Field,
    /// The record being changed.
    record: Option<Map<String, Value>>,
    /// Errors from the server. Each is dropped when its field changes.
    refused: Vec<FieldError>,
}

impl Form {
    /// A form for these arguments. Required fields with a single possible value are filled in.
    ///
    /// Accepts any JSON as a schema. Parts that are not understood become JSON fields.
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

    /// A form that changes `record`: it shows the values of the record and sends the changed ones
    /// and the required arguments. Fields of the record without an argument are ignored.
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

    /// Enters a value of the record. A null that the schema does not allow leaves the field empty.
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

    /// The field that contains all arguments.
    pub fn root(&self) -> &Field {
        &self.root
    }

    /// The field at the path, unless it or a field around it is left out.
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

    /// Whether the value to send differs from the record. Always false without a record.
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
            // If the argument is left out, the record keeps its value.
            None => path.segments().len() > 1 && before.is_some(),
            value => value.as_ref() != before,
        }
    }

    /// Whether any value of the record is changed.
    pub fn has_changes(&self) -> bool {
        let children = self.root.children().iter();
        let mut keys = children.filter_map(Field::key);
        keys.any(|key| self.is_changed(&Path::root().key(key)))
    }

    /// The arguments to send: those that are set, and for an update those that are changed or
    /// required.
    ///
    /// If [`Form::errors`] is not empty, unreadable input is included as text. Such a value can be
    /// stored but should not be sent.
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

    /// The errors in the order of the rows, then those without a row. In one row: unreadable input
    /// first, then violations of the schema, then errors from the server.
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

    /// Whether the whole schema is checked. False if the schema is invalid, recursive without end,
    /// or refers to something outside it: then only the server checks everything.
    pub fn is_checked(&self) -> bool {
        self.checker().is_whole()
    }

    /// Replaces all entries by these arguments, e.g. a preset or an earlier call. For an update,
    /// arguments that are not given keep the value of the record.
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

    /// The type of record whose id the field holds, by the naming rule of [`refers_to`]. A list
    /// entry uses the name of its list.
    pub fn refers_to<'a>(&self, path: &'a Path) -> Option<&'a str> {
        refers_to(path.last_key()?)
    }
}
