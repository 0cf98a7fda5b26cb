//! Resources and prompts of a server: what enter opens.

use frontdesk_client::{ToolInfo, template};
use serde_json::{Map, Value, json};

use crate::answer::{AnswerScreen, OFFERS};
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Method;
use crate::app::effects::job::Ended;
use crate::app::effects::server_jobs::EndTask;
use crate::app::input::command::commands;
use crate::app::peer::Peer;
use crate::app::state::State;
use crate::call_form::CallScreen;
use crate::look::mark::Mark;
use crate::look::text::clean;

commands! {
    pub(crate) const COMMANDS;

    OFFERS: "offer.open", ["enter"],
        "Read the resource, fill in the template or the prompt, or wait for the task",
        run |state, out| {
            let form = offer(state).and_then(|(server, offer)| form(server, offer));
            if let Some(form) = form {
                state.cx(out).open(form);
            }
        }, over("answer.open"), hint("open"), unless(|state| match offer(state) {
            Some(_) => None,
            None => Some("nothing is selected".to_owned()),
        });
    OFFERS: "offer.end", ["d"], "End the selected task",
        run |state, out| {
            let ended = offer(state).and_then(|(server, offer)| {
                let id = offer["task"].as_str()?.to_owned();
                let server = server.to_owned();
                Some(EndTask { server, id })
            });
            if let Some(job) = ended {
                state.cx(out).run_then(job, task_ended);
            }
        }, danger, hint("end"), hinted_if(|state| no_task(state).is_none()), unless(no_task);
}

fn task_ended(cx: &mut Cx, ended: Ended<EndTask>) {
    match ended.result {
        Ok(()) => cx.toast(Mark::Good, "Ended the task"),
        Err(error) => {
            let words = format!("Not ended: {}", clean(&error.to_string()));
            cx.toast(Mark::Bad, words);
        }
    }
    cx.tell(News::ListChanged(ended.job.server.clone(), Method::Tasks));
}

fn offer(state: &State) -> Option<(&str, &Value)> {
    state.shows::<AnswerScreen>()?.offer()
}

fn no_task(state: &State) -> Option<String> {
    let is_task = offer(state).is_some_and(|(_, offer)| offer["task"].is_string());
    (!is_task).then(|| "no task is selected".to_owned())
}

/// The list of this kind, which is loaded at once.
pub(super) fn list(server: &str, method: Method) -> CallScreen {
    let name = match method {
        Method::Prompts => "prompts",
        Method::Tasks => "tasks",
        _ => "resources",
    };
    let tool = ToolInfo::form(name, &json!({}));
    let form = CallScreen::new(Peer::Server(server.to_owned()), tool);
    form.of_method(method).called_if_bare()
}

/// The resource at this address, which is read at once.
pub(crate) fn resource(server: &str, uri: &str) -> CallScreen {
    let tool = ToolInfo::form(uri, &json!({}));
    let form = CallScreen::new(Peer::Server(server.to_owned()), tool);
    form.of_method(Method::Read).called_if_bare()
}

/// The form of a prompt with these arguments, which is filled in at once.
pub(super) fn prompt(server: &str, name: &str, given: &Map<String, Value>) -> CallScreen {
    let fields = given.keys().map(|name| (name.clone(), json!({}), true));
    let tool = ToolInfo::form(name, &schema(fields));
    let form = CallScreen::new(Peer::Server(server.to_owned()), tool);
    let mut form = form.of_method(Method::Prompt).filled(given);
    form.call_once_shown();
    form
}

/// The form of a resource, a template or a prompt.
fn form(server: &str, offer: &Value) -> Option<CallScreen> {
    let text = |name: &str| offer[name].as_str();
    if let (Some(id), Some(tool)) = (text("task"), text("tool")) {
        let tool = ToolInfo::form(tool, &json!({}));
        let form = CallScreen::new(Peer::Server(server.to_owned()), tool);
        let form = form.of_method(Method::TaskResult(id.to_owned()));
        return Some(form.called_if_bare());
    }
    let (name, method, schema) = match (text("uri"), text("uriTemplate"), text("name")) {
        (Some(uri), ..) => (uri, Method::Read, json!({})),
        (None, Some(template), _) => (template, Method::Read, of_template(template)),
        (None, None, Some(name)) => (name, Method::Prompt, of_prompt(offer)),
        _ => return None,
    };
    let tool = ToolInfo {
        title: text("title").or(text("name")).map(str::to_owned),
        description: text("description").map(str::to_owned),
        ..ToolInfo::form(name, &schema)
    };
    let form = CallScreen::new(Peer::Server(server.to_owned()), tool);
    Some(form.of_method(method).called_if_bare())
}

/// A schema of texts.
fn schema(fields: impl Iterator<Item = (String, Value, bool)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, mut field, is_required) in fields {
        if field.get("type").is_none() {
            field["type"] = "string".into();
        }
        if is_required {
            required.push(Value::from(name.as_str()));
        }
        properties.insert(name, field);
    }
    json!({ "properties": properties, "required": required, "additionalProperties": false })
}

fn of_template(template: &str) -> Value {
    let variables = template::variables(template).into_iter();
    schema(variables.map(|variable| {
        let field = match variable.is_list {
            true => json!({ "type": "array", "items": { "type": "string" } }),
            false => json!({}),
        };
        (variable.name, field, variable.is_required)
    }))
}

fn of_prompt(prompt: &Value) -> Value {
    let arguments = prompt["arguments"].as_array().into_iter().flatten();
    schema(arguments.filter_map(|argument| {
        let name = argument["name"].as_str()?.to_owned();
        let mut field = json!({});
        for about in ["title", "description"] {
            if let Some(text) = argument[about].as_str() {
                field[about] = text.into();
            }
        }
        Some((name, field, argument["required"] == true))
    }))
}
