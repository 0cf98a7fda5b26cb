//! HTML pages and their forms. They need no script, and load nothing from other addresses unless their policy allows it.

use std::fmt::Write;

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
    style: ":root{color-scheme:light dark}\
                     body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;\
                     padding:0 1rem;color:#222;background:#fff;overflow-wrap:break-word}h1{font-size:1.3rem}\
                     label{display:block;margin:.8rem 0 0}label+p{margin:0;color:#a40000}\
                     input,select{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}\
                     button{font:inherit;padding:.4rem 1.2rem;margin-right:1rem}\
                     a{color:inherit;margin-right:1rem}[role=alert]{font-weight:bold}\
                     pre{white-space:pre-wrap}\
                     @media(prefers-color-scheme:dark){body{color:#ddd;background:#111}label+p{color:#ff9d94}}",
};

/// A page with a short text or a form.
pub(crate) fn plain(title: &str, body: &str) -> String {
    PLAIN.document(title, &format!("<main>\n{body}</main>\n"))
}

/// What is wrong with a submitted form.
#[derive(Debug)]
pub(crate) struct Mistake {
    /// The name of the field; none if it is not about one.
    pub(crate) field: Option<String>,
    /// Plain text.
    pub(crate) text: String,
}

impl Mistake {
    /// A mistake in one field.
    pub(crate) fn at(field: &str, text: impl Into<String>) -> Self {
        Mistake {
            field: Some(field.to_owned()),
            text: text.into(),
        }
    }
}

/// The fields of a form. A mistake stands below its field, which refers to it and has the focus.
pub(crate) struct Fields<'a> {
    html: String,
    mistake: Option<&'a Mistake>,
    /// The field with the focus.
    focus: &'a str,
}

impl<'a> Fields<'a> {
    /// The focus is on the field `first`, or on that of the mistake.
    pub(crate) fn new(first: &'a str, mistake: Option<&'a Mistake>) -> Self {
        let wrong = mistake.and_then(|mistake| mistake.field.as_deref());
        Fields {
            html: String::new(),
            mistake,
            focus: wrong.unwrap_or(first),
        }
    }

    /// Adds a field to type in. `more` are its attributes, as HTML.
    pub(crate) fn input(self, label: &str, name: &str, value: &str, more: &str) -> Self {
        let value = escaped(value);
        self.add(label, name, |marks| {
            format!("<input name=\"{name}\" value=\"{value}\"{more}{marks}>")
        })
    }

    /// Adds a list to choose from. `options` is HTML.
    pub(crate) fn select(self, label: &str, name: &str, options: &str) -> Self {
        self.add(label, name, |marks| {
            format!("<select name=\"{name}\" required{marks}>\n{options}</select>")
        })
    }

    fn add(mut self, label: &str, name: &str, control: impl Fn(&str) -> String) -> Self {
        let focus = if self.focus == name { " autofocus" } else { "" };
        let (mut marks, mut below) = (focus.to_owned(), String::new());
        let is_wrong = |mistake: &&Mistake| mistake.field.as_deref() == Some(name);
        if let Some(mistake) = self.mistake.take_if(|mistake| is_wrong(mistake)) {
            let text = escaped(&mistake.text);
            marks += &format!(" aria-invalid=\"true\" aria-describedby=\"{name}-mistake\"");
            below = format!("<p id=\"{name}-mistake\">{text}</p>\n");
        }
        let control = control(&marks);
        let _ = write!(self.html, "<label>{label} {control}</label>\n{below}");
        self
    }

    /// The HTML, after a mistake that is not about one of the fields.
    pub(crate) fn html(self) -> String {
        let mistake = self.mistake.map(|mistake| escaped(&mistake.text));
        let alert = mistake.map(|text| format!("<p role=\"alert\">{text}</p>\n"));
        alert.unwrap_or_default() + &self.html
    }
}

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
