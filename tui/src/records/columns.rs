//! The columns of a list: those of its view, otherwise those derived from the schema.

use std::borrow::Cow;

use super::kind::Kind;
use super::record::Record;
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::{self, Key};
use crate::fields::names::is_beside;
use crate::fields::{Field, Is, is_empty};
use crate::ui::table;

/// A column of a list.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) title: Cow<'static, str>,
    width: Width,
    show: Show,
    is_right: bool,
}

#[derive(Debug, Clone, Copy)]
enum Width {
    /// Shown whole, or not at all.
    Whole,
    /// May be cut.
    Text,
    /// Cut last.
    Name,
}

/// The content of a column.
#[derive(Debug, Clone, Copy)]
enum Show {
    /// The field of this name, before the kind is known.
    Named(&'static str),
    Field(&'static Field),
    Own {
        cell: fn(&Record, &Shared) -> Cell,
        key: fn(&Record, &Shared) -> Key,
    },
}

impl Column {
    /// A field displayed according to its schema.
    pub(crate) const fn field(name: &'static str, title: &'static str) -> Self {
        Column {
            title: Cow::Borrowed(title),
            width: Width::Whole,
            show: Show::Named(name),
            is_right: false,
        }
    }

    /// A column with its own text and sort key.
    pub(crate) const fn own(
        title: &'static str,
        cell: fn(&Record, &Shared) -> Cell,
        key: fn(&Record, &Shared) -> Key,
    ) -> Self {
        Column {
            title: Cow::Borrowed(title),
            width: Width::Whole,
            show: Show::Own { cell, key },
            is_right: false,
        }
    }

    /// Cut if there is no room for it.
    pub(crate) const fn text(mut self) -> Self {
        self.width = Width::Text;
        self
    }

    /// Cut last.
    pub(crate) const fn name(mut self) -> Self {
        self.width = Width::Name;
        self
    }

    /// Aligned to the right.
    pub(crate) const fn right(mut self) -> Self {
        self.is_right = true;
        self
    }

    fn of(field: &'static Field) -> Self {
        let width = match &field.is {
            Is::Name => Width::Name,
            Is::Text | Is::Reference(_) | Is::Prose | Is::Record(_) | Is::Other => Width::Text,
            _ => Width::Whole,
        };
        Column {
            title: field.title.clone().into(),
            width,
            show: Show::Field(field),
            is_right: field.is_right(),
        }
    }

    /// The cell of a record.
    pub(crate) fn cell(&self, record: &Record, shared: &Shared) -> Cell {
        match self.show {
            Show::Field(field) => cell::cell(field, record.get(&field.name), shared),
            Show::Own { cell, .. } => cell(record, shared),
            Show::Named(_) => Cell::new(""),
        }
    }

    /// The sort key of a record.
    pub(crate) fn key(&self, record: &Record, shared: &Shared) -> Key {
        match self.show {
            Show::Field(field) => key::key(field, record.get(&field.name), shared),
            Show::Own { key, .. } => key(record, shared),
            Show::Named(_) => Key::Nothing,
        }
    }

    /// The reference field it shows, with the kind of the referenced records.
    pub(crate) fn reference(&self) -> Option<(&'static Field, &'static str)> {
        match self.show {
            Show::Field(field) => match &field.is {
                Is::Reference(kind) => Some((field, kind)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The field name from the view.
    #[cfg(test)]
    pub(crate) fn named(&self) -> Option<&'static str> {
        match self.show {
            Show::Named(name) => Some(name),
            _ => None,
        }
    }

    /// The name of the field it shows, if it shows a field.
    pub(crate) fn field_name(&self) -> Option<&str> {
        match self.show {
            Show::Field(field) => Some(&field.name),
            _ => None,
        }
    }

    /// Whether it is empty for all records.
    pub(crate) fn is_empty(&self, records: &[Record]) -> bool {
        match self.show {
            Show::Field(field) => {
                let mut records = records.iter();
                records.all(|record| is_empty(record.get(&field.name)))
            }
            _ => false,
        }
    }
}

/// The columns of a kind's list: those of its view, otherwise names, states and times first. Long
/// texts, ids and nested values are only shown in the facts. The fields in `common`, equal for all
/// records, are left out.
pub(crate) fn columns(kind: &'static Kind, view: &[Column], common: &[&str]) -> Vec<Column> {
    let own = view.iter().filter_map(|column| match column.show {
        Show::Named(name) => {
            let title = column.title.clone();
            Some(Column {
                title,
                ..Column::of(kind.field(name)?)
            })
        }
        _ => Some(column.clone()),
    });
    let own: Vec<Column> = own.collect();
    if !own.is_empty() {
        return own;
    }
    let told = kind
        .fields
        .iter()
        .filter(|field| !common.contains(&field.name.as_str()) && !is_beside(field, &kind.fields));
    let is_long = |field: &Field| {
        let is = &field.is;
        matches!(is, Is::Prose | Is::Id | Is::Record(_) | Is::Other)
    };
    let mut fields: Vec<&'static Field> = told.filter(|field| !is_long(field)).collect();
    fields.sort_by_key(|field| field.rank());
    if fields.first().is_none_or(|first| first.is != Is::Name) {
        let id = kind.fields.iter().find(|field| field.is == Is::Id);
        fields.splice(0..0, id);
    }
    fields.into_iter().map(Column::of).collect()
}

/// All columns that a list can have: those of its view, which it shows by default, then the fields that these do not
/// cover.
pub(crate) fn all(
    kind: &'static Kind,
    shown: &[Column],
    covered: &[&str],
    common: &[&str],
) -> Vec<Column> {
    let mut all = columns(kind, shown, common);
    let is_covered = |field: &Field| {
        let name = field.name.as_str();
        let is_shown = all.iter().any(|one| one.field_name() == Some(name));
        let is_beside = is_beside(field, &kind.fields);
        is_shown || is_beside || covered.contains(&name) || common.contains(&name)
    };
    let others = kind.fields.iter().filter(|field| {
        !is_covered(field) && !matches!(field.is, Is::Record(_) | Is::Other | Is::Rows(_))
    });
    let others: Vec<Column> = others.map(Column::of).collect();
    for column in others {
        if all.iter().all(|one| one.title != column.title) {
            all.push(column);
        }
    }
    all
}

/// The columns for the table widget.
pub(crate) fn table(columns: &[Column]) -> Vec<table::Column> {
    let columns = columns.iter().map(|column| {
        let title = column.title.clone();
        let drawn = match column.width {
            Width::Whole => table::Column::whole(title),
            Width::Text => table::Column::text(title),
            Width::Name => table::Column::name(title),
        };
        match column.is_right {
            true => drawn.right(),
            false => drawn,
        }
    });
    columns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::kind;

    fn titles(id: &str, view: &[Column], common: &[&str]) -> Vec<String> {
        let kind = kind::all()
            .iter()
            .find(|kind| kind.id == id)
            .expect("a kind");
        let columns = columns(kind, view, common);
        columns
            .iter()
            .map(|column| column.title.to_string())
            .collect()
    }

    #[test]
    fn names_states_and_times_come_first() {
        assert_eq!(
            titles("task", &[], &["event_id"]),
            [
                "Title",
                "Status",
                "Start date",
                "Due date",
                "Updated",
                "Assignee"
            ]
        );
        assert_eq!(
            titles("session", &[], &["event_id"]),
            [
                "Title",
                "Start time",
                "End time",
                "Location",
                "Order",
                "Guests"
            ]
        );
    }

    #[test]
    fn a_view_says_which_columns_there_are() {
        let view = [
            Column::field("due_date", "Due"),
            Column::field("title", "Task"),
        ];
        assert_eq!(titles("task", &view, &[]), ["Due", "Task"]);
    }
}
