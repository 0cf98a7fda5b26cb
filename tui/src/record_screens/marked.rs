//! Acting on all marked records of a list: a form for what they have in common, if the tool takes
//! more than an id, then the table of what will happen.

use frontdesk_client::ToolInfo;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value};

use super::open::info;
use super::{ShowsRecords, records_mut};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::call_form::{CallScreen, Prepared, Purpose};
use crate::look::text::count;
use crate::preview::DRY_RUN;
use crate::preview::for_each::{Action, Each, ForEach};
use crate::records::kind::{Kind, Taker};
use crate::records::record::Record;

/// Marked records of a kind.
#[derive(Debug, Clone)]
pub(super) struct Marked {
    pub(super) kind: &'static Kind,
    pub(super) records: Vec<Record>,
}

/// What is asked before and said after an action, around the number of records.
#[derive(Debug, Clone)]
pub(super) struct Phrases {
    asks: [String; 2],
    done: [String; 2],
}

impl Phrases {
    /// "Set 3 tasks to blocked"
    pub(super) fn new(asks: &str, done: &str, after: &str) -> Self {
        let phrase = |verb: &str| [format!("{verb} "), after.to_owned()];
        Phrases {
            asks: phrase(asks),
            done: phrase(done),
        }
    }
}

/// The marked records of the screen, if there are any.
pub(super) fn marked(screen: &dyn ShowsRecords) -> Option<Marked> {
    let list = screen.list().filter(|list| list.marks() > 0)?;
    Some(Marked {
        kind: list.kind,
        records: list.marked(),
    })
}

/// Marks the selected record, or removes its mark, and goes to the next one.
pub(super) fn mark(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(list) = screen.list_mut() {
        list.mark();
    }
    screen.step(cx, 1);
}

pub(super) fn mark_range(screen: &mut dyn ShowsRecords, _: &mut Cx) {
    if let Some(list) = screen.list_mut() {
        list.mark_range();
    }
}

pub(super) fn mark_all(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(list) = screen.list_mut() {
        list.mark_all(cx);
    }
}

/// Why nothing can be marked.
pub(super) fn no_mark(screen: &dyn ShowsRecords, _: &Shared) -> Option<String> {
    match (screen.list(), screen.current()) {
        (None, _) => Some("only records of a list can be marked".to_owned()),
        (_, None) => Some("nothing selected".to_owned()),
        _ => None,
    }
}

impl Marked {
    /// "3 tasks"
    pub(super) fn words(&self) -> String {
        count(self.records.len(), &self.kind.one, &self.kind.many)
    }

    /// Acts on all of them. What the tool takes in addition to the id is asked for once.
    pub(super) fn act(self, cx: &mut Cx, taker: &'static Taker) {
        let Some(info) = info(&taker.tool, cx.shared) else {
            return;
        };
        let is = |one: &Option<Taker>| one.as_ref().is_some_and(|one| std::ptr::eq(one, taker));
        let is_update = is(&self.kind.update);
        let tool = &taker.tool.title;
        let phrases = match is_update {
            true => Phrases::new("Save", "Saved", ""),
            false if is(&self.kind.delete) => Phrases::new("Delete", "Deleted", ""),
            false => Phrases {
                asks: [format!("{tool}: "), String::new()],
                done: ["Done for ".to_owned(), format!(": {tool}")],
            },
        };
        let title = match is_update {
            true => format!("Edit {}", self.words()),
            false => format!("{tool}: {}", self.words()),
        };
        let is_asked = |name: &str| name != taker.argument && name != DRY_RUN;
        let properties = info.input_schema.get("properties");
        let mut names = properties.and_then(Value::as_object).into_iter().flatten();
        let asks = names.any(|(name, _)| is_asked(name));
        let together = Together {
            marked: self,
            taker,
            info: info.clone(),
            phrases,
            is_update,
        };
        if !asks {
            return together.open(cx, &Map::new());
        }
        let prepared = Prepared::for_purpose(&title, together);
        let peer = taker.tool.peer.clone();
        let form = CallScreen::asking(peer, info, is_asked, prepared, cx.now());
        cx.open(form);
    }

    /// Calls a tool for all of them with these common arguments.
    pub(super) fn call(
        self,
        cx: &mut Cx,
        taker: &'static Taker,
        common: &Map<String, Value>,
        phrases: Phrases,
    ) {
        if let Some(info) = info(&taker.tool, cx.shared) {
            let together = Together {
                marked: self,
                taker,
                info,
                phrases,
                is_update: false,
            };
            together.open(cx, common);
        }
    }
}

/// The purpose of a form with the common arguments.
#[derive(Debug)]
struct Together {
    marked: Marked,
    taker: &'static Taker,
    info: ToolInfo,
    phrases: Phrases,
    /// At least one field must be filled in.
    is_update: bool,
}

impl Together {
    /// Opens the table of what will happen.
    fn open(&self, cx: &mut Cx, common: &Map<String, Value>) {
        let Marked { kind, records } = &self.marked;
        let (tool, argument) = (&self.taker.tool, &self.taker.argument);
        let action = Action {
            title: tool.title.clone(),
            asks: self.phrases.asks.clone(),
            done: self.phrases.done.clone(),
            nouns: (kind.one.clone(), kind.many.clone()),
            is_destructive: self.info.destructive,
            previews: self.info.previews,
        };
        let each = records.iter().map(|record| {
            let mut arguments = common.clone();
            arguments.insert(argument.clone(), record.id().into());
            if tool.takes(DRY_RUN) {
                arguments.insert(DRY_RUN.to_owned(), false.into());
            }
            Each {
                id: record.id().to_owned(),
                name: record.label(kind),
                call: tool.writing(arguments),
            }
        });
        let several = ForEach::new(action, each, cx.shared, |state, _, id| {
            for opened in &mut state.screens {
                let screen = records_mut(opened.screen.as_mut());
                if let Some(list) = screen.and_then(|screen| screen.list_mut()) {
                    list.unmark(id);
                }
            }
        });
        cx.open(several);
    }
}

impl Purpose for Together {
    fn check(
        &self,
        filled: &Map<String, Value>,
    ) -> Result<Option<(String, String)>, Vec<ToolError>> {
        match self.is_update && filled.is_empty() {
            true => {
                let message = "fill in at least one field";
                Err(vec![ToolError::new(ErrorCode::InvalidArgument, message)])
            }
            false => Ok(None),
        }
    }

    fn carry_out(&self, cx: &mut Cx, filled: Map<String, Value>) -> Option<RequestId> {
        cx.back();
        self.open(cx, &filled);
        None
    }
}
