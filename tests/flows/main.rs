//! What people do at the screen, over the real server, told as stories. See `frontdesk_tests::desk`.

mod access;
mod answers;
mod away;
mod check_in;
mod edit;
mod events;
mod find;
mod foreign;
mod form;
mod history;
mod launch;
mod look;
mod merge;
mod picker;
mod promotion;
mod read_only;
mod removal;
mod scan;
mod series;
mod session;
mod sign_in;
mod tools;
mod trouble;
mod two_desks;
mod undo;
