//! What a test presses, and what it expects to see.

use super::regions::{Region, panels};
use crate::shell::Driver;

impl Driver {
    /// Presses these keys, and waits after each.
    pub(crate) async fn keys(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.key(key).expect("is a key");
            self.settle().await;
        }
    }

    /// A row, within its box if it is in one, holds this text.
    pub(crate) fn expect_row(&mut self, text: &str) {
        let screen = self.screen();
        let mut rows = screen.lines().flat_map(|line| line.split('│'));
        assert!(
            rows.any(|row| row.contains(text)),
            "no row has {text}:\n{screen}"
        );
    }

    /// A box with this text in its title holds the other text. What is wrapped counts as one line.
    pub(crate) fn expect_panel(&mut self, title: &str, text: &str) {
        let screen = self.screen();
        let is_there = panels(&screen, title)
            .iter()
            .any(|panel| panel.contains(text));
        assert!(is_there, "no box of {title} has {text}:\n{screen}");
    }

    /// The first line, which says where the person is, holds this text.
    pub(crate) fn expect_path(&mut self, text: &str) {
        self.expect_in(Region::Path, text);
    }

    /// The lines between the path and the first box hold this text.
    pub(crate) fn expect_head(&mut self, text: &str) {
        self.expect_in(Region::Head, text);
    }

    /// A box has this text in its title.
    pub(crate) fn expect_title(&mut self, text: &str) {
        self.expect_in(Region::Titles, text);
    }

    fn expect_in(&mut self, region: Region, text: &str) {
        let screen = self.screen();
        let is_there = region.has(&screen, text);
        assert!(is_there, "not in the {region:?}: {text}\n{screen}");
    }

    /// This text is nowhere.
    pub(crate) fn expect_no(&mut self, text: &str) {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text} is on the screen:\n{screen}");
    }
}
