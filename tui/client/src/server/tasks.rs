//! Calls that go on by themselves: tasks, as an extension of the revision without a handshake and as
//! part of the revision before it.

use std::time::Duration;

use frontdesk_protocol::{ErrorCode, ToolError};
use rmcp::model::{
    CancelTaskParams, CancelTaskRequest, ClientRequest, CustomRequest, GetTaskParams,
    GetTaskRequest, UpdateTaskParams, UpdateTaskRequest,
};
use serde_json::{Value, json};

use super::Server;
use crate::answers::Answer;
use crate::call_result::CallResult;
use crate::error::CallError;
use crate::lenient;
use crate::listener::Progress;
use crate::result;
use crate::tasks::Tasks;

/// The limits of the time between two questions about a task.
const POLL: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(30)];
/// This time if the server names none.
const POLL_WITHOUT: Duration = Duration::from_secs(1);

/// A task, as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its id at the server.
    pub id: String,
    /// `working`, `input_required`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// The current step, or what went wrong.
    pub message: Option<String>,
    described: Value,
}

impl Task {
    /// The task that a call has become, or a description of one.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let described = value.get("task").unwrap_or(value);
        let text = |name: &str| described[name].as_str().map(str::to_owned);
        Some(Task {
            id: text("taskId")?,
            status: text("status").unwrap_or_else(|| "working".to_owned()),
            message: text("statusMessage"),
            described: described.clone(),
        })
    }

    fn pause(&self) -> Duration {
        let named = ["pollIntervalMs", "pollInterval"];
        let named = named
            .iter()
            .find_map(|name| self.described[name].as_u64())
            .map_or(POLL_WITHOUT, Duration::from_millis);
        named.clamp(POLL[0], POLL[1])
    }
}

impl Server {
    /// Keeps the tasks of its calls here, from their beginning until their result was delivered.
    pub fn keep_tasks(&self, tasks: Tasks) {
        // A second place would have half of the tasks.
        let _ = self.0.tasks.set(tasks);
    }

    /// What a task does.
    ///
    /// # Errors
    /// As for [`Server::list`]; [`CallError::Tool`] if the server does not know it.
    pub async fn task(&self, id: &str) -> Result<Task, CallError> {
        let request = match self.has_handshake().await? {
            true => custom("tasks/get", id),
            false => ClientRequest::GetTaskRequest(GetTaskRequest::new(GetTaskParams::new(id))),
        };
        let value = value(self.ask(request).await?)?;
        Task::read(&value).ok_or_else(|| CallError::Protocol("it is not a task".to_owned()))
    }

    /// Ends a task.
    ///
    /// # Errors
    /// As for [`Server::task`].
    pub async fn cancel_task(&self, id: &str) -> Result<(), CallError> {
        let request = match self.has_handshake().await? {
            true => custom("tasks/cancel", id),
            false => {
                let params = CancelTaskParams::new(id);
                ClientRequest::CancelTaskRequest(CancelTaskRequest::new(params))
            }
        };
        self.ask(request).await?;
        self.forget_task(id).await;
        Ok(())
    }

    /// Waits for the result of a task. Its questions are answered as those of a call.
    ///
    /// # Errors
    /// As for [`Server::task`], and the error of the task.
    pub async fn task_result(
        &self,
        id: &str,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<CallResult, CallError> {
        let mut told = None;
        loop {
            let task = self.task(id).await?;
            if told.as_ref() != Some(&task.message) {
                on_progress(Progress::of_task(task.message.clone()));
                told = Some(task.message.clone());
            }
            let ended = match task.status.as_str() {
                "completed" => self.completed(&task).await,
                "failed" => Err(failed(&task)),
                "cancelled" => Err(refused("the task was cancelled".to_owned())),
                // The question comes while the result is waited for.
                "input_required" if self.has_handshake().await? => self.completed(&task).await,
                "input_required" => {
                    self.update(&task).await?;
                    continue;
                }
                _ => {
                    tokio::time::sleep(task.pause()).await;
                    continue;
                }
            };
            self.forget_task(id).await;
            return ended;
        }
    }

    /// The result of a call that has become a task.
    pub(super) async fn follow(
        &self,
        tool: &str,
        task: &Task,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<CallResult, CallError> {
        if let Some(tasks) = self.0.tasks.get().cloned() {
            let (server, tool, id) = (self.name().to_owned(), tool.to_owned(), task.id.clone());
            let kept = tokio::task::spawn_blocking(move || tasks.begin(&server, &tool, &id)).await;
            if let Err(error) = kept.map_err(std::io::Error::other).flatten() {
                tracing::warn!(%error, "a task is not kept");
            }
        }
        // From now on it can be left: the list has it.
        on_progress(Progress::of_task(task.message.clone()));
        tokio::time::sleep(task.pause()).await;
        self.task_result(&task.id, on_progress).await
    }

    /// The call of a tool that is always a task, in the revision with a handshake.
    pub(super) fn as_task(tool: &str, arguments: &serde_json::Map<String, Value>) -> ClientRequest {
        let params = json!({ "name": tool, "arguments": arguments, "task": {} });
        ClientRequest::CustomRequest(CustomRequest::new("tools/call", Some(params)))
    }

    async fn completed(&self, task: &Task) -> Result<CallResult, CallError> {
        match task.described.get("result") {
            Some(result) => CallResult::of(result.clone()),
            None => CallResult::read(self.ask(custom("tasks/result", &task.id)).await?),
        }
    }

    async fn update(&self, task: &Task) -> Result<(), CallError> {
        let answers = self.0.listener.responder.answers(&task.described).await?;
        let params = UpdateTaskParams::new(task.id.as_str(), answers.0);
        let request = UpdateTaskRequest::new(params);
        let request = ClientRequest::UpdateTaskRequest(request);
        self.ask(request).await.map(drop)
    }

    async fn has_handshake(&self) -> Result<bool, CallError> {
        Ok(self.about().await?.has_handshake)
    }

    async fn forget_task(&self, id: &str) {
        if let Some(tasks) = self.0.tasks.get().cloned() {
            let (server, id) = (self.name().to_owned(), id.to_owned());
            let forgotten = tokio::task::spawn_blocking(move || tasks.end(&server, &id)).await;
            if let Err(error) = forgotten.map_err(std::io::Error::other).flatten() {
                tracing::warn!(%error, "a task is still kept");
            }
        }
    }
}

fn custom(method: &str, id: &str) -> ClientRequest {
    let params = json!({ "taskId": id });
    ClientRequest::CustomRequest(CustomRequest::new(method, Some(params)))
}

fn value(answer: Answer) -> Result<Value, CallError> {
    answer.value().map_err(CallError::Protocol)
}

fn refused(message: String) -> CallError {
    CallError::Tool(ToolError::new(ErrorCode::Refused, message))
}

fn failed(task: &Task) -> CallError {
    match task.described.get("error") {
        Some(error) => result::of_rpc_error(lenient::error_data(&error.to_string()), true),
        None => refused(task.message.clone().unwrap_or("the task failed".to_owned())),
    }
}
