//! Refines the display of a kind of record where the schema is not sufficient.

use std::borrow::Cow;
use std::collections::HashMap;

use frontdesk_protocol::Host;
use jiff::Timestamp;
use ratatui::text::Line;
use serde_json::Value;

use super::cards::Cards;
use super::columns::Column;
use super::contexts::RECORDS;
use super::kind::Kind;
use super::pivot::Pivot;
use super::record::Record;
use super::related::Related;
use crate::app::cx::Cx;
use crate::app::input::command::Context;
use crate::app::shared::Shared;
use crate::fields::cell::Cell;

/// The display of a kind of record. Everything left out follows the declarations.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) host: Host,
    /// Plural, as typed after `:`: `business units`.
    pub(crate) many: &'static str,
    /// The columns of a list, the most important first.
    pub(crate) columns: &'static [Column],
    /// Additional facts, shown first.
    pub(crate) facts: &'static [Fact],
    /// Fields that the additional facts already show.
    pub(crate) covered: &'static [&'static str],
    /// The record's text in Markdown, shown below the facts.
    pub(crate) prose: Option<Prose>,
    /// The tool that returns a record's picture for its id.
    pub(crate) picture: Option<&'static str>,
    /// Tables within the record whose rows are turned into columns.
    pub(crate) pivots: &'static [Pivot],
    /// The first tabs of a record, in order; the others follow.
    pub(crate) tabs: &'static [&'static str],
    /// The line below a list, from the loaded records and whether there are more.
    pub(crate) foot: Option<Foot>,
    /// The line below a record's name.
    pub(crate) head: Option<Head>,
    /// Whether a record is less important.
    pub(crate) is_past: Option<fn(&Record, &Shared) -> bool>,
    /// The text beside a record (first argument) in the tree of another (second).
    pub(crate) tree_text: Option<TreeText>,
    /// Opens the record's own screen, with the data of a list at this time.
    pub(crate) open: Option<Open>,
    /// For a list that is a tree: the name field, and the name of the parent.
    pub(crate) parent: Option<Parent>,
    /// The board, if its columns are not the states.
    pub(crate) board: Option<&'static Cards>,
    /// Filters by indirectly referenced records.
    pub(crate) indirect_filters: &'static [IndirectFilter],
    /// Which of the records its list has, if not all: “unreconciled”.
    pub(crate) which: Option<&'static str>,
    /// Additional data of a single record.
    pub(crate) related: &'static [Related],
    /// Computes a note for each record from the complete list; stored in the field [`NOTE`].
    pub(crate) notes: Option<Notes>,
    /// Requests the note for each record of a list from another tool; stored in the field [`NOTE`].
    pub(crate) notes_from: Option<&'static NotesFrom>,
    /// The field with the member who is responsible for a record.
    pub(crate) assignee: Option<&'static str>,
    /// Additional filters: title and predicate.
    pub(crate) filters: &'static [OwnFilter],
    /// The context of commands for its list; its parent is [`RECORDS`].
    pub(crate) list: &'static Context,
    /// The context of commands for one record; its parent is [`RECORDS`].
    pub(crate) record: &'static Context,
}

/// The field in which a view stores its note about a record.
pub(crate) const NOTE: &str = "_note";
/// Computes the notes of all records, by id.
pub(crate) type Notes = fn(&[Record]) -> HashMap<String, Value>;
/// A filter: its title, and whether a record passes.
pub(crate) type OwnFilter = (&'static str, fn(&Record) -> bool);

/// A tool that returns a note for each record of a list.
#[derive(Debug)]
pub(crate) struct NotesFrom {
    pub(crate) host: Host,
    pub(crate) tool: &'static str,
    /// The argument for the ids of the records.
    pub(crate) argument: &'static str,
    /// The key of the notes in the result, which is also the kind of record that they are.
    pub(crate) key: &'static str,
    /// The field of a note with the id of its record.
    pub(crate) id: &'static str,
    /// Maximum number of ids in a call.
    pub(crate) most: usize,
}

/// A filter by a record that the list does not refer to directly, but through another one. Example:
/// the tasks of a project are those of its epics.
#[derive(Debug)]
pub(crate) struct IndirectFilter {
    /// The kind of the filtering record, as named by ids.
    pub(crate) kind: &'static str,
    /// The field in which such a record contains the others.
    pub(crate) holds: &'static str,
    /// The field that refers to one of those.
    pub(crate) field: &'static str,
}

/// The text beside a record in the tree of another.
pub(crate) type TreeText = fn(&Record, &Record, &Shared) -> Cell;
/// Opens a record with the data of this time.
pub(crate) type Open = fn(&mut Cx, &Record, Timestamp);
/// The name field, and the name of a record's parent.
pub(crate) type Parent = (&'static str, fn(&Record) -> Option<&str>);

/// The text of a record, if it is Markdown.
pub(crate) type Prose = fn(&Record) -> Option<Cow<'_, str>>;

/// A fact: its label and its text.
pub(crate) type Fact = (&'static str, fn(&Record, &Shared) -> Cell);

/// A line about the loaded records; the flag says whether there are more.
pub(crate) type Foot = fn(&[Record], bool, &Shared) -> Line<'static>;
/// A line about a record, at this width.
pub(crate) type Head = fn(&Record, &Shared, usize) -> Line<'static>;

impl View {
    /// A view without refinements.
    pub(crate) const fn new(host: Host, many: &'static str) -> Self {
        View {
            host,
            many,
            columns: &[],
            facts: &[],
            covered: &[],
            prose: None,
            picture: None,
            pivots: &[],
            tabs: &[],
            foot: None,
            head: None,
            is_past: None,
            tree_text: None,
            open: None,
            parent: None,
            board: None,
            indirect_filters: &[],
            which: None,
            related: &[],
            notes: None,
            notes_from: None,
            assignee: None,
            filters: &[],
            list: &RECORDS,
            record: &RECORDS,
        }
    }

    /// The view of a kind.
    pub(crate) fn of(kind: &Kind, shared: &Shared) -> &'static View {
        static PLAIN: View = View::new(Host::Staff, "");
        let views = shared.parts.refinements.iter();
        let mut views = views.filter_map(|one| one.downcast_ref::<View>());
        let own = views.find(|view| kind.peer == view.host.into() && view.many == kind.many);
        own.unwrap_or(&PLAIN)
    }
}
