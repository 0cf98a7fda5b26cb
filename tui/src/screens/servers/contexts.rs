//! Where the keys of a server's page work.

use crate::app::input::command::Context;

pub(super) static PAGE: Context = Context::list("Page of a server");
pub(super) static MESSAGES: Context = Context::above("Messages of a server", &PAGE);
