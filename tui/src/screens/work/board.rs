//! The board of tasks, opened from anywhere and from the parents of tasks.

use frontdesk_protocol::Host;

use crate::app::cx::Cx;
use crate::app::input::command::{ANYWHERE, Command, Context, commands};
use crate::app::state::State;
use crate::record_screens::{self, ListScreen, ShowsRecords};
use crate::records::kind::{self, Kind};
use crate::records::record::Record;

commands! {
    pub(crate) const EVERYWHERE;

    ANYWHERE: "work.board", [], "Board of tasks by stage",
        run |state, out| open(&mut state.cx(out), None), of_service;
}

/// The kinds of records that have a board of tasks.
const OF: [&str; 3] = ["project", "epic", "delivery"];

/// Opens the board for the selected record.
pub(super) const fn command(context: &'static Context, id: &'static str) -> Command {
    Command::new(
        context,
        id,
        "Show its tasks as cards by stage",
        &["B"],
        |state, out| {
            record_screens::act(state, out, |screen, cx| {
                let of = whose(screen).map(|(kind, record)| (kind, record.clone()));
                open(cx, of);
            });
        },
    )
    .hint("board")
    .unless(|state: &State| match whose(record_screens::shown(state)?) {
        Some(_) => None,
        None => Some("the selection has no tasks".to_owned()),
    })
}

/// The selected record if it can have tasks, otherwise the record of the screen.
fn whose(screen: &dyn ShowsRecords) -> Option<(&'static Kind, &Record)> {
    let selected = [screen.current(), screen.about()];
    let mut selected = selected.into_iter().flatten();
    selected.find(|(kind, _)| kind.peer == Host::Work.into() && OF.contains(&kind.id.as_str()))
}

fn open(cx: &mut Cx, of: Option<(&'static Kind, Record)>) {
    if let Some(tasks) = kind::find(Host::Work, "work_task") {
        let of = of.as_ref().map(|(kind, record)| (*kind, record));
        if let Some(board) = ListScreen::cards(tasks, of, cx.shared) {
            cx.open(board);
        }
    }
}
