//! What refines how a kind of record is shown: a value, where the schema alone does not say enough.

use std::collections::HashMap;

use frontdesk_protocol::Host;
use jiff::Timestamp;
use ratatui::text::Line;
use serde_json::Value;

use super::board::Cards;
use super::cell::Cell;
use super::columns::Column;
use super::filter::Through;
use super::kind::Kind;
use super::record::Record;
use super::related::Related;
use super::screen::RECORDS;
use crate::app::command::Context;
use crate::app::cx::Cx;
use crate::app::shared::Shared;

/// How a kind of record is shown. What is left out is as the declarations suggest.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) host: Host,
    /// Several of the kind in words, as `:` opens them: `business units`.
    pub(crate) many: &'static str,
    /// The columns of a list, the most important first.
    pub(crate) columns: &'static [Column],
    /// Facts beside those of the fields, first of all.
    pub(crate) facts: &'static [Fact],
    /// Fields that are told so already.
    pub(crate) told: &'static [&'static str],
    /// The order of a record's tabs; others come after these.
    pub(crate) tabs: &'static [&'static str],
    /// The tool that adds one, where that is not seen by its declaration.
    pub(crate) add: Option<&'static str>,
    /// Letters of actions, by the names of their tools.
    pub(crate) letters: &'static [(&'static str, char)],
    /// The line below a list: of the records that are loaded, and whether there are more.
    pub(crate) foot: Option<Foot>,
    /// The line below a record's name.
    pub(crate) head: Option<Head>,
    /// Whether the record matters less than others.
    pub(crate) is_past: Option<fn(&Record, &Shared) -> bool>,
    /// What a tree says beside a record, which is the first one, in the tree of the second.
    pub(crate) beside: Option<Beside>,
    /// Opens a record with a screen of its own, as a list knew it at this time.
    pub(crate) open: Option<Open>,
    /// The list is a tree: what a record is named by, and the name of the one above it.
    pub(crate) above: Option<Above>,
    /// Its records are cards on a board of these columns, instead of one of their states.
    pub(crate) board: Option<&'static Cards>,
    /// Records further away by which the list is narrowed.
    pub(crate) through: &'static [Through],
    /// What else is asked for where one record is shown.
    pub(crate) related: &'static [Related],
    /// What each record is among all that a list can show: the record's field [`AMONG`] afterwards.
    pub(crate) among: Option<Among>,
    /// Ways to narrow a list beside the arguments of its tool: what each is called, and what it shows.
    pub(crate) narrow: &'static [Narrow],
    /// Where the commands of its list work; above [`RECORDS`].
    pub(crate) list: &'static Context,
    /// Where the commands of one record work; above [`RECORDS`].
    pub(crate) record: &'static Context,
}

/// The field of a record in which its view notes what it is among others.
pub(crate) const AMONG: &str = "among";
/// Finds out what each of all records is among the others, by their ids.
pub(crate) type Among = fn(&[Record]) -> HashMap<String, Value>;
/// What some records have in common, in words, and whether a record is one of them.
pub(crate) type Narrow = (&'static str, fn(&Record) -> bool);

/// What is told of a record in the tree of another.
pub(crate) type Beside = fn(&Record, &Record, &Shared) -> Cell;
/// Opens a record, as it was known at this time.
pub(crate) type Open = fn(&mut Cx, &Record, Timestamp);
/// The field that a record is named by, and the name of the record above it.
pub(crate) type Above = (&'static str, fn(&Record) -> Option<&str>);

/// A fact of a record: its label, and what it says.
pub(crate) type Fact = (&'static str, fn(&Record, &Shared) -> Cell);

/// A line about the records that are loaded, of which there may be more.
pub(crate) type Foot = fn(&[Record], bool, &Shared) -> Line<'static>;
/// A line about a record, in this many cells.
pub(crate) type Head = fn(&Record, &Shared, usize) -> Line<'static>;

impl View {
    /// A view that refines nothing.
    pub(crate) const fn new(host: Host, many: &'static str) -> Self {
        View {
            host,
            many,
            columns: &[],
            facts: &[],
            told: &[],
            tabs: &[],
            add: None,
            letters: &[],
            foot: None,
            head: None,
            is_past: None,
            beside: None,
            open: None,
            above: None,
            board: None,
            through: &[],
            related: &[],
            among: None,
            narrow: &[],
            list: &RECORDS,
            record: &RECORDS,
        }
    }

    /// The view of a kind.
    pub(crate) fn of(kind: &Kind, shared: &Shared) -> &'static View {
        static PLAIN: View = View::new(Host::Staff, "");
        let views = shared.parts.refinements.iter();
        let mut views = views.filter_map(|one| one.downcast_ref::<View>());
        let own = views.find(|view| view.host == kind.host && view.many == kind.many);
        own.unwrap_or(&PLAIN)
    }
}
