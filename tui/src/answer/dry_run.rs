//! The dry run of any tool as a plan.

use frontdesk_client::CallError;
use serde_json::Value;

use crate::app::effects::call::{Answer, ToolCall};
use crate::app::peer::Reply;
use crate::preview::{Look, Previewed, Seen, is_not_found};

/// The result of a dry run or of the applied call.
#[derive(Debug, Clone)]
pub(super) struct DryRun {
    call: ToolCall,
    pub(super) reply: Reply,
}

impl DryRun {
    /// The result of this dry run.
    pub(super) fn new(call: ToolCall, reply: Reply) -> Self {
        DryRun { call, reply }
    }
}

impl Previewed for DryRun {
    type Choice = ToolCall;

    fn dry_run(call: &ToolCall) -> ToolCall {
        call.clone()
    }

    fn read(call: &ToolCall, answer: &Answer) -> Result<Self, CallError> {
        let reply = answer.result.clone()?;
        Ok(DryRun::new(call.clone(), reply))
    }

    fn choice(&self) -> &ToolCall {
        &self.call
    }

    fn digest(&self) -> Option<&str> {
        let value = self.reply.value.as_object()?;
        let mut inside = value.values().filter_map(|value| value.get("digest"));
        value.get("digest").or_else(|| inside.next())?.as_str()
    }

    fn difference(&self, now: &Self) -> Vec<String> {
        let (was, is) = (&self.reply.value, &now.reply.value);
        let (Some(was), Some(is)) = (was.as_object(), is.as_object()) else {
            return Vec::from_iter((was != is).then(|| "the result".to_owned()));
        };
        let names = was
            .keys()
            .chain(is.keys().filter(|name| !was.contains_key(*name)));
        let other = names.filter(|name| *name != "digest" && was.get(*name) != is.get(*name));
        let short = |value: Option<&Value>| match value {
            None | Some(Value::Null) => Some("nothing".to_owned()),
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Array(_) | Value::Object(_)) => None,
            Some(value) => Some(value.to_string()),
        };
        let lines = other.map(|name| match (short(was.get(name)), short(is.get(name))) {
            (Some(was), Some(is)) => format!("{name}: {was} before, {is} now"),
            _ => name.clone(),
        });
        let mut lines: Vec<String> = lines.collect();
        if lines.is_empty() && self.digest() != now.digest() {
            lines.push("something that is not in the preview".to_owned());
        }
        lines
    }

    fn judge(&self, _: Look, seen: Result<Self, CallError>) -> Seen<Self> {
        match seen {
            Err(error) if is_not_found(&error) => Seen::Gone,
            Err(error) => Seen::Nothing(error),
            // The same preview again means that it was not applied.
            Ok(now) if now.digest().is_some() && now.digest() == self.digest() => {
                Seen::NotDone(now)
            }
            Ok(now) => Seen::Unclear(now),
        }
    }
}
