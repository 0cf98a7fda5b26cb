//! A link that is shown once: in full, as a QR code, and copied with one key.

use qrcode::{Color, EcLevel, QrCode};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::{self, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use serde_json::Value;

use crate::app::cx::Cx;
use crate::app::effects::effect::Effect;
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::once::Once;
use crate::app::state::{State, Typing};
use crate::fields::cell::words;
use crate::look::mark::Mark;
use crate::look::text::{cells, clean};
use crate::ui::panel;

pub(crate) static LINK: Context = Context::layer("Link shown once");

commands! {
    /// The commands of the layer.
    pub(crate) const COMMANDS;

    LINK: "link.copy", ["c", "y", "ctrl-y"], "Copy the link", top LinkLayer::copy, hint("copy");
    LINK: "link.close", ["esc"], "Close; the link is not shown again",
        run |state, _| { state.take_layer::<LinkLayer>(); }, hint("done");
}

/// Modules around the code. Four are specified; readers need one.
const QUIET: i32 = 1;
/// The least width of the text beside the code.
const BESIDE: u16 = 30;

/// The layer.
#[derive(Debug)]
pub(crate) struct LinkLayer {
    once: Once,
    /// The rows of its QR code; empty if it is too long for one.
    code: Vec<String>,
    is_copied: bool,
}

impl LinkLayer {
    pub(crate) fn new(once: Once) -> LinkLayer {
        LinkLayer {
            code: qr_rows(&once.text),
            once,
            is_copied: false,
        }
    }

    fn copy(&mut self, cx: &mut Cx) {
        cx.out.effects.push(Effect::Copy(self.once.text.clone()));
        // A toast would cover the code.
        self.is_copied = true;
    }

    /// For whom it is, with which role, and until when, as the answer says.
    fn about(&self, state: &State) -> Vec<String> {
        let shared = &state.shared;
        let text = |name: &str| found(&self.once.rest, name).and_then(Value::as_str);
        let email = text("email").map(|email| format!("For {}", clean(email)));
        let until = text("expires_at").and_then(|at| at.parse().ok());
        let until = until.map(|at| {
            let at = crate::look::time::moment(at, shared.now, &shared.locale);
            format!("It works once, until {at}.")
        });
        let name = text("name").map(|name| clean(name).into_owned());
        let person = match (name, text("role")) {
            (Some(name), Some(role)) => Some(format!("{name}, {}", words(role))),
            (name, _) => name,
        };
        email.into_iter().chain(person).chain(until).collect()
    }
}

/// Whether only this machine can open the address.
pub(crate) fn is_of_this_machine(address: &str) -> bool {
    let host = url::Url::parse(address);
    let host = host.as_ref().ok().and_then(url::Url::host);
    match host {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The field of this name in a record or a record inside it.
fn found<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    fields
        .get(name)
        .or_else(|| fields.values().find_map(|inner| found(inner, name)))
}

impl Layer for LinkLayer {
    fn context(&self) -> &'static Context {
        &LINK
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.settings.theme;
        frame.render_widget(Clear, area);
        frame.buffer_mut().set_style(area, theme.base);
        let width = self.code.first().map_or(0, |row| cells(row) as u16);
        let fits = self.code.len() <= usize::from(area.height) && width + BESIDE <= area.width;
        let width = if fits { width } else { 0 };
        let [code_area, _, beside] =
            Layout::horizontal([Length(width), Length(1), Fill(1)]).areas(area);
        let key = state.shared.settings.keymap.key("link.copy");
        let mut text = vec![
            Line::styled(self.once.title.clone(), theme.title),
            Line::default(),
        ];
        text.extend(self.about(state).into_iter().map(Line::raw));
        text.push(Line::default());
        text.push(Line::styled(
            clean(&self.once.text).into_owned(),
            theme.focus,
        ));
        text.push(Line::default());
        text.push(Line::from(vec![
            Span::styled(key, theme.key),
            Span::raw(format!(" copies the {}.", self.once.field)),
        ]));
        if self.is_copied {
            let words = format!(
                "Copied the {}, if your terminal lets programs copy",
                self.once.field
            );
            text.push(Line::from(Mark::Good.span(theme, &words)));
        }
        text.push(Line::raw("It is shown only now; no mail is sent."));
        if is_of_this_machine(&self.once.text) {
            let words = "It opens on this machine only: its server has no other address.";
            text.push(Line::default());
            text.push(Line::styled(words, theme.warn));
        }
        if !fits {
            let words = "A larger terminal shows its QR code.";
            text.push(Line::styled(words, theme.dim));
        }
        panel::text(frame, beside, text);
        // The background must be dark around the light modules.
        let colors = Style::new().fg(style::Color::White).bg(style::Color::Black);
        let rows = self.code.iter().map(|row| Line::raw(row.as_str()));
        let code = Paragraph::new(rows.collect::<Vec<_>>()).style(colors);
        frame.render_widget(code, code_area);
    }
}

/// The rows of a text's QR code in half blocks: two modules a cell, light ones drawn. Empty if it is too long for one.
pub fn qr_rows(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::with_error_correction_level(text.as_bytes(), EcLevel::L) else {
        return Vec::new();
    };
    let width = code.width() as i32;
    let colors = code.to_colors();
    let is_light = |x: i32, y: i32| {
        let is_inside = (0..width).contains(&x) && (0..width).contains(&y);
        !is_inside || colors[(y * width + x) as usize] == Color::Light
    };
    let range = -QUIET..width + QUIET;
    let rows = range.clone().step_by(2);
    rows.map(|y| {
        let cells = range
            .clone()
            .map(|x| match (is_light(x, y), is_light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        cells.collect()
    })
    .collect()
}
