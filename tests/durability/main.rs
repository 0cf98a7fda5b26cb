//! The program as it is run: what it has acknowledged stays, however it ends.
//!
//! Here `frontdesk-server` is a process of its own, over a directory and, with
//! `FRONTDESK_TEST_DATABASE=postgres://…`, over a new database on that server.

mod desk;
mod killed;
mod options;
mod place;
mod seeded;
mod stopped;
mod writer;
