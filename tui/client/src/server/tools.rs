//! The tools of a server: their list, and calls.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use frontdesk_protocol::mcp::CallMeta;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ListToolsRequest};
use serde_json::{Map, Value};

use super::Server;
use super::listing::List;
use crate::call_result::CallResult;
use crate::catalogue::Listing;
use crate::client::{in_list, in_request, no_previews};
use crate::error::CallError;
use crate::listener::Progress;
use crate::question::{MOST_QUESTIONS, asks_too_often};
use crate::tool_info::ToolInfo;

impl Server {
    /// The tools of the server.
    ///
    /// # Errors
    /// As for [`Server::about`], and any error of the server.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, CallError> {
        let pages = self.tool_pages(|tool| {
            self.note_task_only(tool);
            ToolInfo::read(tool)
        });
        let (listed, refused) = pages.await?;
        let previews = self.session().await?.previews();
        let (mut tools, mut odd) = (Vec::<ToolInfo>::new(), listed.odd);
        for tool in listed.items {
            let name = &tool.name;
            if refused.contains(name) {
                odd.push(format!("the tool {name} has an invalid x-mcp-header"));
            } else if tools.iter().any(|it| it.name == *name) {
                odd.push(format!("the tool {name} is listed twice"));
            } else {
                tools.push(tool.previewed(previews));
            }
        }
        let read_only = tools.iter().map(|tool| (tool.name.clone(), tool.read_only));
        *self.read_only() = read_only.collect();
        *self.0.odd.lock().unwrap_or_else(PoisonError::into_inner) = odd;
        Ok(tools)
    }

    /// The tools of the server as received.
    ///
    /// # Errors
    /// As for [`Server::tools`].
    pub async fn listed_tools(&self) -> Result<Listing<Value>, CallError> {
        let listed = self.tool_pages(|tool| Ok(tool.clone())).await?;
        Ok(listed.0)
    }

    /// The tools, each as `item` reads it, and the names of those with headers that cannot be sent.
    async fn tool_pages<T>(
        &self,
        item: impl Fn(&Value) -> Result<T, &'static str>,
    ) -> Result<(Listing<T>, Vec<String>), CallError> {
        let list = List {
            name: "tools",
            is_announced: self.session().await?.has_tools(),
            meta: in_list(),
            request: |params| {
                ClientRequest::ListToolsRequest(match params {
                    Some(params) => ListToolsRequest::with_param(params),
                    None => ListToolsRequest::default(),
                })
            },
            item,
        };
        self.pages(list).await
    }

    /// What is wrong with the items that the last list of tools left out.
    pub fn odd_tools(&self) -> Vec<String> {
        let odd = self.0.odd.lock();
        odd.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a tool. A refusal by the tool is also a result: [`CallResult::is_error`].
    ///
    /// # Errors
    /// As for [`Server::about`]; [`CallError::Tool`] if the server rejects the call;
    /// [`CallError::OutcomeUnknown`] if no answer arrived and the tool is not known to be
    /// read-only.
    pub async fn call_raw(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallResult, CallError> {
        let meta = CallMeta::default();
        self.call_watched(tool, arguments, meta, |_| {}).await
    }

    /// Calls a tool with additional parameters, and reports its progress.
    ///
    /// # Errors
    /// As for [`Server::call_raw`], and [`CallError::Tool`] for a preview at a server that did not
    /// announce previews.
    pub async fn call_watched(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<CallResult, CallError> {
        if meta.preview && !self.session().await?.previews() {
            return Err(no_previews(self.name()));
        }
        let is_read = self.read_only().get(tool).copied().unwrap_or(false);
        let is_safe = is_read || meta.preview;
        let given = arguments.clone();
        let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        for _ in 0..MOST_QUESTIONS {
            let request = match self.is_task_only(tool).await? {
                true => Server::as_task(tool, &given),
                false => ClientRequest::CallToolRequest(CallToolRequest::new(params.clone())),
            };
            let answer = self
                .request(request, in_request(&meta), is_safe, &mut on_progress)
                .await?;
            let result = CallResult::read(answer).map_err(|error| error.of_call(is_safe))?;
            if let Some(task) = result.task() {
                return self.follow(tool, &task, &mut on_progress).await;
            }
            if !result.asks() {
                return Ok(result);
            }
            let answers = self.0.listener.responder.answers(result.received());
            let (responses, state) = answers.await?;
            params.input_responses = Some(responses);
            params.request_state = state;
        }
        Err(asks_too_often("tool"))
    }

    pub(super) fn note_task_only(&self, tool: &Value) {
        let mut names = self.0.task_only.lock();
        let names = names.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        if let Some(name) = tool["name"].as_str() {
            match tool["execution"]["taskSupport"] == "required" {
                true => drop(names.insert(name.to_owned())),
                false => drop(names.remove(name)),
            }
        }
    }

    /// Whether the calls of a tool have to ask for a task. Without a handshake the server decides.
    pub(super) async fn is_task_only(&self, tool: &str) -> Result<bool, CallError> {
        let names = self.0.task_only.lock();
        let is_named = names.unwrap_or_else(PoisonError::into_inner).contains(tool);
        Ok(is_named && self.about().await?.has_handshake)
    }

    pub(super) fn read_only(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        let read_only = self.0.read_only.lock();
        read_only.unwrap_or_else(PoisonError::into_inner)
    }
}
