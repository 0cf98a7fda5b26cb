//! The program in a real terminal: it takes the terminal, and gives it back as it was, however it
//! ends.

#![cfg(unix)]

mod editor;
mod given_back;
mod picture;
mod program;
mod tty;
mod work;
