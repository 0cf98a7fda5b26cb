//! The way to the records of a kind, from wherever its name is typed.

use super::kind::Kind;
use super::screen::Records;
use super::view::View;
use crate::app::cx::Cx;

/// Opens the list of a kind: a screen of its own where its view has one.
pub(crate) fn open(cx: &mut Cx, kind: &'static Kind) {
    match View::of(kind, cx.shared).screen {
        Some(open) => open(cx),
        None => {
            let list = Records::of(kind, cx.shared);
            cx.open(list);
        }
    }
}
