//! The form that answers a question of a server, or shows the address at which it is answered.

use frontdesk_client::ToolInfo;
use frontdesk_client::question::{Decision, Question};
use frontdesk_client::secret::is_secret_name;
use jiff::Timestamp;
use ratatui::text::{Line, Span};
use serde_json::{Map, Value, json};
use url::Url;

use crate::app::cx::Cx;
use crate::app::effects::effect::Effect;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::question::Asked;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::call_form::{CallScreen, Prepared, Purpose, TOOL};
use crate::look::mark::Mark;
use crate::look::safe::lines;
use crate::look::text::clean;

/// The longest message that is shown, in characters.
const LONGEST: usize = 2_000;
static QUESTION: Context = Context::above("Question of a server", &TOOL);

commands! {
    pub(crate) const COMMANDS;

    QUESTION: "question.accept", ["ctrl-s"], "Send the answer, or agree to the page",
        act CallScreen::go, over("tool.call"), sends, hint("accept");
    QUESTION: "question.decline", ["ctrl-q"], "Decline the question",
        act |form: &mut CallScreen, cx| { form.decide(cx, Decision::Decline); }, sends,
        hint("decline");
    QUESTION: "question.cancel", ["esc"], "Leave the question undecided",
        run |state, out| { state.on_screen(out, |screen, cx| screen.escape(cx)); },
        over("app.back"), hint("cancel");
    QUESTION: "question.open", ["ctrl-b", "f7"], "Open the address in the browser",
        run |state, out| {
            let url = page(state).map(|url| url.to_string());
            out.effects.extend(url.map(Effect::Open));
        }, over("tool.preset_save"), sends, hint("open"), hinted_if(|state| page(state).is_some()),
        unless(|state| match page(state) {
            Some(_) => None,
            None => Some("there is no address that a browser can open".to_owned()),
        });
    QUESTION: "question.copy", ["ctrl-y"], "Copy the address",
        run |state, out| {
            // As it is shown: pasted into a shell, a line break would run it.
            let shown = |url| match web_page(url) {
                Some(page) => page.to_string(),
                None => clean(url).into_owned(),
            };
            let url = address(state).map(shown);
            out.effects.extend(url.map(Effect::Copy));
        }, over("tool.copy_command"), hint("copy"), hinted_if(|state| address(state).is_some()),
        unless(|state| match address(state) {
            Some(_) => None,
            None => Some("the question has no address".to_owned()),
        });
}

fn address(state: &State) -> Option<&str> {
    let asked = state.shows::<CallScreen>()?.asked()?;
    asked.question.url.as_deref()
}

/// The address, if a browser opens it.
fn page(state: &State) -> Option<Url> {
    address(state).and_then(web_page)
}

fn web_page(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok()?;
    let is_web = ["http", "https"].contains(&url.scheme()) && url.host_str().is_some();
    is_web.then_some(url)
}

/// The form for a question. Defaults are filled in.
pub(crate) fn form(asked: Asked) -> CallScreen {
    let mut schema = asked.question.schema.clone().unwrap_or_default();
    if !schema.is_object() {
        schema = json!({});
    }
    // Nobody can add fields to a question.
    schema["additionalProperties"] = false.into();
    let secrets = hide_secrets(&mut schema);
    let fields = schema["properties"].as_object().into_iter().flatten();
    let defaults = fields.filter_map(|(name, field)| {
        let default = field.get("default")?;
        Some((name.clone(), default.clone()))
    });
    let defaults: Map<_, _> = defaults.collect();
    let description = match asked.question.url {
        Some(_) if asked.question.is_required => {
            "The page is opened only by you. Accept once you are done there: the call is then made again."
        }
        Some(_) => "The page is opened only by you. Accept once you agree to what it asks for.",
        None => "The server asks nothing but whether you accept.",
    };
    let tool = ToolInfo {
        description: Some(description.to_owned()),
        ..ToolInfo::form("question", &schema)
    };
    let peer = Peer::Server(asked.server.clone());
    let title = match asked.question.url {
        Some(_) => format!("{} asks you to open a page", asked.server),
        None => format!("{} asks", asked.server),
    };
    let answering = Answering { asked, secrets };
    let prepared = Prepared::for_purpose(&title, answering);
    CallScreen::prepared(peer, tool, prepared, Timestamp::UNIX_EPOCH).filled(&defaults)
}

/// Masks the fields that ask for secrets, and returns their titles.
fn hide_secrets(schema: &mut Value) -> Vec<String> {
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    let mut secrets = Vec::new();
    for (name, field) in fields.into_iter().flatten() {
        let title = field["title"].as_str().unwrap_or(name).to_owned();
        let is_marked = field["format"] == "password" || field["writeOnly"] == true;
        if is_marked || is_secret_name(name) || is_secret_name(&title) {
            if let Some(field) = field.as_object_mut() {
                field.insert("writeOnly".to_owned(), true.into());
            }
            secrets.push(title);
        }
    }
    secrets
}

/// Answers a question.
#[derive(Debug)]
struct Answering {
    asked: Asked,
    /// The fields that ask for secrets.
    secrets: Vec<String>,
}

impl Purpose for Answering {
    fn asked(&self) -> Option<&Asked> {
        Some(&self.asked)
    }

    fn context(&self) -> &'static Context {
        &QUESTION
    }

    fn head(&self, shared: &Shared) -> Vec<Line<'static>> {
        let Question { message, url, .. } = &self.asked.question;
        // A long message hides neither the address nor a warning.
        let mut head = url
            .as_ref()
            .map_or_else(Vec::new, |url| address_lines(shared, url));
        if !self.secrets.is_empty() {
            let secrets: Vec<_> = self.secrets.iter().map(|name| clean(name)).collect();
            let words = format!(
                "asks for a secret ({}): {} can read and keep what you type",
                secrets.join(", "),
                clean(&self.asked.server)
            );
            head.push(Mark::Warn.span(&shared.settings.theme, &words).into());
        }
        let shown: String = message.chars().take(LONGEST).collect();
        head.extend((lines(&shown).lines()).map(|line| Line::raw(line.to_owned())));
        if shown.len() < message.len() {
            head.push(Line::styled(
                "… (the message is longer)",
                shared.settings.theme.dim,
            ));
        }
        head
    }

    fn carry_out(&self, cx: &mut Cx, filled: Map<String, Value>) -> Option<RequestId> {
        cx.decide(&self.asked, Decision::Accept(filled));
        None
    }
}

/// The whole address with its host emphasised, and what is odd about it.
fn address_lines(shared: &Shared, address: &str) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let Some(url) = web_page(address) else {
        let words = "not an address that a browser opens";
        let address = Line::raw(clean(address).into_owned());
        return vec![address, Mark::Warn.span(theme, words).into()];
    };
    let whole = url.to_string();
    let host = url.host_str().unwrap_or_default();
    let begin = whole.find("://").map_or(0, |at| at + 3);
    let (_, after) = whole.split_at(begin);
    let end = after.find(['/', '?', '#']).unwrap_or(after.len());
    let at = begin + after[..end].rfind('@').map_or(0, |at| at + 1);
    let (before, rest) = whole.split_at(at);
    let rest = rest.strip_prefix(host).unwrap_or(rest);
    let mut lines = vec![Line::from(vec![
        Span::styled(before.to_owned(), theme.dim),
        Span::styled(host.to_owned(), theme.title.patch(theme.key)),
        Span::raw(rest.to_owned()),
    ])];
    let mut warn = |words: String| lines.push(Mark::Warn.span(theme, &words).into());
    if at > begin {
        warn(format!(
            "what stands before @ is not the host: it is {host}"
        ));
    }
    if host.split('.').any(|part| part.starts_with("xn--")) {
        let written = host_as_written(address);
        warn(format!(
            "the host has letters that can look like others: {}",
            clean(written)
        ));
    }
    if url.scheme() == "http" && !matches!(host, "localhost" | "127.0.0.1" | "[::1]") {
        warn("the connection is not encrypted".to_owned());
    }
    lines
}

/// The host in the letters of the server.
fn host_as_written(address: &str) -> &str {
    let after = address
        .split_once("://")
        .map_or(address, |(_, after)| after);
    let host = after.split(['/', '?', '#']).next().unwrap_or_default();
    host.rsplit('@').next().unwrap_or_default()
}
