//! The parts of the app: the only place that knows all screens, layers and commands.

use crate::app::input::command::Registry;
use crate::app::input::keys::KeymapError;
use crate::app::shared::Parts;
use crate::screens::home::Home;
use crate::screens::sign_in::SignIn;
use crate::screens::staff::link::LinkLayer;
use crate::screens::start::Start;
use crate::{
    answer, app, call_form, commands, desk, import, preview, record_screens, records, screens,
    tools, ui,
};

#[cfg(test)]
mod tests;

/// The screens and layers.
pub(crate) const PARTS: Parts = Parts {
    commands: COMMANDS,
    services: &[desk::door::SERVICE, desk::start::SERVICE],
    home: || Box::new(Home::default()),
    servers: || Box::new(tools::Browser::first()),
    sign_in: |email, reason| Box::new(SignIn::new(email, reason)),
    question: |asked| Box::new(screens::servers::question::form(asked)),
    resource: |server, uri| Box::new(screens::servers::offers::resource(server, uri)),
    own_key: record_screens::press_own,
    once: |once| Box::new(LinkLayer::new(once)),
    refinements: &[
        &screens::allowed::ALLOWED,
        &screens::allowed::RIGHTS,
        &screens::engineering::document::VIEW,
        &screens::events::event::VIEW,
        &screens::events::session::VIEW,
        &desk::guest::VIEW,
        &screens::events::task::VIEW,
        &screens::events::expense::VIEW,
        &screens::events::photo::VIEW,
        &screens::financing::journal_entry::VIEW,
        &screens::financing::statement_line::VIEW,
        &screens::learn::cohort::VIEW,
        &screens::learn::course::VIEW,
        &screens::learn::dependency::VIEW,
        &screens::learn::lesson::VIEW,
        &screens::learn::member::VIEW,
        &screens::learn::milestone::VIEW,
        &screens::learn::program::VIEW,
        &screens::learn::progress::VIEW,
        &screens::learn::stage::VIEW,
        &screens::learn::wiki::VIEW,
        &screens::plans::plan::VIEW,
        &screens::ops::agenda::VIEW,
        &screens::ops::change::VIEW,
        &screens::ops::media::VIEW,
        &screens::ops::message::VIEW,
        &screens::payments::fellow_payment::VIEW,
        &screens::payments::transaction::VIEW,
        &screens::quiz::attempt::VIEW,
        &screens::quiz::questions::VIEW,
        &screens::quiz::response::VIEW,
        &screens::skills::skill::VIEW,
        &screens::staff::invoice::VIEW,
        &screens::staff::student::VIEW,
        &screens::staff::user::ACCOUNTS,
        &screens::staff::user::VIEW,
        &screens::studio::thumbnail::VIEW,
        &screens::work::business_unit::VIEW,
        &screens::work::delivery::VIEW,
        &screens::work::epic::VIEW,
        &screens::work::project::VIEW,
        &screens::work::series::VIEW,
        &screens::work::task::VIEW,
    ],
};

/// The same before anything is configured.
pub(crate) const FIRST: Parts = Parts {
    services: &[],
    servers: || Box::new(Start::default()),
    ..PARTS
};

/// All commands by area; earlier ones come first in the footer.
pub(crate) const COMMANDS: Registry = Registry(&[
    desk::check_in::COMMANDS,
    desk::check_in::ATTENTION_COMMANDS,
    screens::home::COMMANDS,
    screens::areas::COMMANDS,
    screens::start::COMMANDS,
    screens::start::FORM_COMMANDS,
    record_screens::COMMANDS,
    record_screens::MENU_COMMANDS,
    record_screens::COLUMN_COMMANDS,
    import::COMMANDS,
    screens::events::event::COMMANDS,
    screens::events::event::ARRIVALS,
    desk::guest::COMMANDS,
    screens::learn::course::COMMANDS,
    screens::learn::lesson::COMMANDS,
    screens::learn::program::COMMANDS,
    screens::learn::program::instantiate::COMMANDS,
    screens::learn::program::levels::COMMANDS,
    screens::learn::wiki::article::COMMANDS,
    screens::work::project::COMMANDS,
    screens::work::epic::COMMANDS,
    screens::work::delivery::COMMANDS,
    screens::work::task::COMMANDS,
    screens::plans::plan::tasks::COMMANDS,
    screens::quiz::questions::COMMANDS,
    screens::quiz::response::COMMANDS,
    screens::account::COMMANDS,
    screens::sign_in::COMMANDS,
    screens::staff::link::COMMANDS,
    screens::palette::COMMANDS,
    call_form::layers::earlier::COMMANDS,
    ui::help::COMMANDS,
    ui::confirm::COMMANDS,
    answer::export::COMMANDS,
    ui::typed::COMMANDS,
    ui::prompt::COMMANDS,
    records::chooser::COMMANDS,
    screens::work::series::COMMANDS,
    screens::work::series::ONE_COMMANDS,
    screens::work::meeting_change::COMMANDS,
    screens::work::week::COMMANDS,
    tools::COMMANDS,
    screens::servers::question::COMMANDS,
    screens::servers::offers::COMMANDS,
    screens::servers::message_commands::COMMANDS,
    screens::servers::page::COMMANDS,
    screens::servers::sign_in::COMMANDS,
    screens::servers::page::IN_TOOLS,
    call_form::COMMANDS,
    answer::COMMANDS,
    preview::changes::COMMANDS,
    preview::for_each::COMMANDS,
    screens::ops::change::COMMANDS,
    record_screens::UNDO_COMMANDS,
    tools::history::COMMANDS,
    commands::IN_LISTS,
    commands::COMMANDS,
    screens::work::board::EVERYWHERE,
    screens::work::meeting_change::EVERYWHERE,
    screens::work::week::EVERYWHERE,
    tools::EVERYWHERE,
    tools::history::EVERYWHERE,
    screens::log::EVERYWHERE,
    app::asked::EVERYWHERE,
    screens::account::EVERYWHERE,
    screens::themes::COMMANDS,
    screens::themes::EVERYWHERE,
]);

/// The key reference: the content of `docs/keys.md`.
///
/// # Errors
/// Two commands share a default key; a test excludes this.
pub fn key_reference() -> Result<String, KeymapError> {
    COMMANDS.reference()
}
