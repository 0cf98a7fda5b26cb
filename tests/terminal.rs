//! The program in a real terminal: it takes the terminal, and restores it however it
//! ends.

#![cfg(unix)]

mod asking;
mod editor;
mod given_back;
mod linear;
mod picture;
mod program;
mod tty;
mod work;
