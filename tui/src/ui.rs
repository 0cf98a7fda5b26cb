//! Widgets of the screens, and questions over any of them.

pub(crate) mod age;
pub(crate) mod confirm;
pub(crate) mod drawing;
pub(crate) mod fields;
pub(crate) mod frame;
pub(crate) mod gauge;
pub(crate) mod help;
pub(crate) mod input;
pub(crate) mod levels;
pub(crate) mod markdown;
pub(crate) mod panel;
pub(crate) mod picture;
pub(crate) mod problem;
pub(crate) mod prompt;
pub(crate) mod search;
pub(crate) mod search_list;
pub(crate) mod sections;
pub(crate) mod table;
pub(crate) mod tabs;
pub(crate) mod toasts;
pub(crate) mod trouble;
pub(crate) mod typed;
pub(crate) mod wrap;
