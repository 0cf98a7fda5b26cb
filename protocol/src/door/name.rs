//! Names, found by words however they are written.

use std::cmp::Reverse;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::events::guest::Matched;

/// A name or a search in the ways in which it is written: as it is, and with umlauts spelled out (`mueller`).
#[derive(Debug, Clone)]
pub struct Spelled(Vec<Words>);

impl Spelled {
    #[must_use]
    pub fn new(text: &str) -> Spelled {
        let text: String = text.to_lowercase().nfc().collect();
        let long = text
            .replace('ä', "ae")
            .replace(['ö', 'ø'], "oe")
            .replace('ü', "ue")
            .replace('å', "aa");
        let mut all = vec![Words::of(&text)];
        if long != text {
            all.push(Words::of(&long));
        }
        Spelled(all)
    }

    /// How this name matches a search.
    #[must_use]
    pub fn matched(&self, search: &Spelled) -> Option<Matched> {
        let searches = search.0.iter();
        searches
            .flat_map(|search| self.0.iter().filter_map(|name| name.matched(search)))
            .min()
    }

    /// Its words without case and accents, once for each way of writing it.
    pub fn words(&self) -> impl Iterator<Item = &[String]> {
        self.0.iter().map(|words| words.0.as_slice())
    }

    /// Whether it has a letter.
    pub(super) fn has_letter(&self) -> bool {
        let mut words = self.0.iter().flat_map(|words| &words.0);
        words.any(|word| word.chars().any(char::is_alphabetic))
    }
}

/// Words without case and accents, in alphabetical order.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Words(Vec<String>);

impl Words {
    fn of(text: &str) -> Words {
        let text = fold(text).replace(['\'', '’', '‘', '`'], "");
        let words = text.split(|char: char| !char.is_alphanumeric());
        let mut words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        words.sort_unstable();
        Words(words)
    }

    fn matched(&self, search: &Words) -> Option<Matched> {
        let has_part = |word: &String| self.0.iter().any(|own| own.contains(word.as_str()));
        if search.0.is_empty() {
            None
        } else if self == search {
            Some(Matched::Name)
        } else if self.begin_with(search) {
            Some(Matched::Prefix)
        } else {
            search.0.iter().all(has_part).then_some(Matched::Part)
        }
    }

    /// Whether each word of the search begins a different word of the name. The longest word
    /// chooses first, because it fits the fewest.
    fn begin_with(&self, search: &Words) -> bool {
        let begins = |word: &String| self.0.iter().any(|own| own.starts_with(word.as_str()));
        if !search.0.iter().all(begins) {
            return false;
        }
        let mut left: Vec<&str> = self.0.iter().map(String::as_str).collect();
        let mut words: Vec<&str> = search.0.iter().map(String::as_str).collect();
        words.sort_by_key(|word| Reverse(word.len()));
        words.into_iter().all(|word| {
            let at = left.iter().position(|own| own.starts_with(word));
            at.map(|at| left.swap_remove(at)).is_some()
        })
    }
}

/// A text without case and accents.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.nfkd().filter(|char| !is_combining_mark(*char)) {
        match char {
            // Letters without a Unicode decomposition that people type in simpler form.
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push_str("ae"),
            'œ' | 'Œ' => out.push_str("oe"),
            'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
            'þ' | 'Þ' => out.push_str("th"),
            'ı' => out.push('i'),
            char => out.extend(char.to_lowercase()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_forgets_case_and_accents() {
        assert_eq!(fold("Zoë MÜLLER"), "zoe muller");
        assert_eq!(fold("Łukasz Strauß"), "lukasz strauss");
        assert_eq!(fold("Søren Ærø"), "soren aero");
        assert_eq!(fold("João"), fold("JOÃO"));
    }
}
