//! Opening a list of records by the name of its kind.

use super::kind::Kind;
use super::screen::Records;
use crate::app::cx::Cx;

/// Opens the list of a kind.
pub(crate) fn open(cx: &mut Cx, kind: &'static Kind) {
    let list = Records::of(kind, cx.shared);
    cx.open(list);
}
