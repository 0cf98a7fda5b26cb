//! HTML pages. They need no script, and load nothing from other addresses unless their policy allows it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The parts that all pages of one kind share.
pub(crate) struct Template {
    /// The language of the text, if it is known.
    pub(crate) lang: Option<&'static str>,
    /// The CSS of the page's only style sheet.
    pub(crate) style: &'static str,
}

/// Pages with a short text or a form.
pub(crate) const PLAIN: Template = Template {
    lang: Some("en"),
    style: "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;\
                     padding:0 1rem;color:#222;background:#fff}h1{font-size:1.3rem}\
                     label{display:block;margin:.8rem 0}\
                     input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}\
                     button{font:inherit;padding:.4rem 1.2rem;margin-right:1rem}\
                     a{color:inherit;margin-right:1rem}[role=alert]{font-weight:bold}\
                     pre{overflow-x:auto}\
                     @media(prefers-color-scheme:dark){body{color:#ddd;background:#111}}",
};

impl Template {
    /// The complete page. `body` is HTML, `title` is plain text.
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

    /// The content security policy: allows the page's own style, and `more`.
    pub(crate) fn policy(&self, more: &str) -> String {
        let style = STANDARD.encode(Sha256::digest(self.style));
        format!(
            "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; {more}; frame-ancestors 'none'"
        )
    }
}

/// Escapes text for HTML, including attribute values.
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
