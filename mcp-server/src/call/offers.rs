//! What hosts offer beside their tools, as data: resources that tools read, and prompts.

use std::borrow::Cow;

use frontdesk_protocol::Host;

/// A resource, or a template of resources, and the tool that reads it.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The host of the tool.
    pub host: Host,
    /// Its address, with at most one variable: `frontdesk://events/event/{id}`.
    pub uri: Cow<'static, str>,
    /// What it is, in a few words.
    pub name: Cow<'static, str>,
    /// The tool that reads it.
    pub tool: &'static str,
    /// The argument that the variable is; empty without one.
    pub argument: Cow<'static, str>,
    /// What is read of the tool's result.
    pub form: Form,
}

/// What becomes of the result of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The result itself: a record.
    Record,
    /// A text in the result.
    Text(Text),
    /// The records of the list with this name, all of them.
    Csv(&'static str),
    /// Its content block, which has this media type.
    Block(&'static str),
}

/// Where a text stands in a result, as JSON pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// The media type.
    pub mime_type: &'static str,
    /// Its heading; empty for none.
    pub heading: &'static str,
    /// The text.
    pub body: &'static str,
    /// Records that are listed below; empty for none.
    pub items: &'static str,
}

impl Form {
    /// The media type.
    pub fn mime_type(self) -> &'static str {
        match self {
            Form::Record => "application/json",
            Form::Text(text) => text.mime_type,
            Form::Csv(_) => "text/csv",
            Form::Block(mime_type) => mime_type,
        }
    }
}

/// Records that are listed as resources: those that a list returns for the caller.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    /// The host of the resources.
    pub host: Host,
    /// The host of the list.
    pub listed_by: Host,
    /// The list.
    pub tool: &'static str,
    /// Its arguments as JSON; `{today}` is the organisation's day.
    pub arguments: &'static str,
    /// The list in the result.
    pub list: &'static str,
    /// The field with the name of a record.
    pub name: &'static str,
    /// The field that has to be the caller's account; empty for none.
    pub own: &'static str,
    /// The addresses of each record: the beginning and the end, around its id.
    pub uris: &'static [(&'static str, &'static str)],
}

/// A prompt.
#[derive(Debug, Clone, Copy)]
pub struct Prompt {
    /// The host that offers it.
    pub host: Host,
    /// Its name for programs.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub description: &'static str,
    /// What people fill in.
    pub arguments: &'static [PromptArgument],
    /// The tools that it needs: it is offered to those who have all of them.
    pub tools: &'static [&'static str],
    /// In order. `{name}` is an argument, `{today}` the organisation's day.
    pub messages: &'static [Message],
}

/// An argument of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptArgument {
    /// Its name in the texts.
    pub name: &'static str,
    /// What it is, in a few words.
    pub description: &'static str,
    /// What it is if it is omitted; `None` if it is required.
    pub default: Option<&'static str>,
    /// What it takes.
    pub takes: Takes,
}

/// What an argument of a prompt takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A text.
    Text,
    /// A month, such as 2026-10.
    Month,
    /// A record of this kind: its id, or its name if no other has it.
    Record(&'static str),
}

impl PromptArgument {
    /// The kind of record that it identifies.
    pub(crate) fn kind(&self) -> Option<&'static str> {
        match self.takes {
            Takes::Text | Takes::Month => None,
            Takes::Record(kind) => Some(kind),
        }
    }
}

/// A message of a prompt.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// A text.
    Text(&'static str),
    /// A resource with this address.
    Shows(&'static str),
}

/// All of it.
#[derive(Debug, Clone, Copy)]
pub struct Offers {
    /// Resources beside those that the declarations of records are.
    pub readings: &'static [Reading],
    /// What lists of resources have.
    pub entries: &'static [Entries],
    /// The prompts.
    pub prompts: &'static [Prompt],
}

impl Offers {
    /// Nothing.
    pub const NONE: Offers = Offers {
        readings: &[],
        entries: &[],
        prompts: &[],
    };
}
