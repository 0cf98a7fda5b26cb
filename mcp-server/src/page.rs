//! Pages for browsers. They need no script, and nothing from anywhere else unless their policy says so.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// What pages of one kind have in common.
pub(crate) struct Template {
    /// The language of the text, where it is known.
    pub(crate) lang: Option<&'static str>,
    /// The style sheet.
    pub(crate) style: &'static str,
}

impl Template {
    /// The whole page. The body is HTML, the title is text.
    pub(crate) fn document(&self, title: &str, body: &str) -> String {
        let lang = self
            .lang
            .map_or(String::new(), |lang| format!(" lang=\"{lang}\""));
        format!(
            "<!doctype html>\n<html{lang}>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
             <style>{}</style>\n{body}</html>\n",
            escaped(title),
            self.style
        )
    }

    /// The content security policy: the page's own style, and what `more` allows.
    pub(crate) fn policy(&self, more: &str) -> String {
        let style = STANDARD.encode(Sha256::digest(self.style));
        format!(
            "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; {more}; frame-ancestors 'none'"
        )
    }
}

/// Text as it stands in HTML, also in attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<a href=\"x\">&</a>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"
        );
    }
}
