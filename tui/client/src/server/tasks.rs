//! Calls that go on by themselves: tasks, as an extension of the revision without a handshake and as
//! part of the revision before it.

use std::time::Duration;

use frontdesk_protocol::{ErrorCode, ToolError};
use rmcp::model::{
    CancelTaskParams, CancelTaskRequest, ClientRequest, CustomRequest, GetTaskParams,
    GetTaskRequest, UpdateTaskParams, UpdateTaskRequest,
};
use serde_json::{Value, json};

use super::{Server, Way};
use crate::answers::Answer;
use crate::call_result::CallResult;
use crate::error::CallError;
use crate::lenient;
use crate::listener::Progress;
use crate::result;
use crate::secret::Secret;
use crate::tasks::{Session, Tasks};

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
        self.find_session(id).await;
        let request = match self.has_handshake().await? {
            true => custom("tasks/get", id),
            false => ClientRequest::GetTaskRequest(GetTaskRequest::new(GetTaskParams::new(id))),
        };
        let value = value(self.ask(request).await.map_err(lost)?)?;
        Task::read(&value).ok_or_else(|| CallError::Protocol("it is not a task".to_owned()))
    }

    /// Ends a task.
    ///
    /// # Errors
    /// As for [`Server::task`].
    pub async fn cancel_task(&self, id: &str) -> Result<(), CallError> {
        self.find_session(id).await;
        let request = match self.has_handshake().await? {
            true => custom("tasks/cancel", id),
            false => {
                let params = CancelTaskParams::new(id);
                ClientRequest::CancelTaskRequest(CancelTaskRequest::new(params))
            }
        };
        match self.ask(request).await.map_err(lost) {
            Err(error) if !is_lost(&error) => Err(error),
            ended => {
                self.forget_task(id).await;
                ended.map(drop)
            }
        }
    }

    /// Looks for the session of a task that an earlier process began.
    async fn find_session(&self, id: &str) {
        let (Some(tasks), false) = (self.0.tasks.get().cloned(), self.0.task_sessions.has(id))
        else {
            return;
        };
        let all = tokio::task::spawn_blocking(move || tasks.all()).await;
        let all = all.map_err(std::io::Error::other).flatten();
        let all = all.unwrap_or_default().into_iter();
        let mut its = all.filter(|begun| begun.server == self.name() && begun.id == id);
        let session = its.next().and_then(|begun| begun.session);
        let session = session.filter(|session| Some(session.url.as_str()) == self.address());
        let session = session.as_ref().map(|session| &session.id);
        self.0.task_sessions.restore(id, session);
    }

    /// Its address, if it has one.
    fn address(&self) -> Option<&str> {
        match &self.0.way {
            Way::Http(server, ..) => Some(server.url.as_str()),
            Way::Command(..) => None,
        }
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
            let task = match self.task(id).await {
                Err(error) if is_lost(&error) => {
                    self.forget_task(id).await;
                    return Err(error);
                }
                task => task?,
            };
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
            let session = self.0.task_sessions.begin(&id).zip(self.address());
            let session = session.map(|(id, url)| Session {
                url: url.to_owned(),
                id: Secret::new(id),
            });
            let begin = move || tasks.begin(&server, &tool, &id, session);
            let kept = tokio::task::spawn_blocking(begin).await;
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
        self.0.task_sessions.end(id);
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

/// The error of a request about a task that the server does not know.
fn lost(error: CallError) -> CallError {
    match error {
        CallError::Tool(error)
            if matches!(error.code, ErrorCode::InvalidArgument | ErrorCode::NotFound) =>
        {
            let message = format!("the task is lost: {}", error.message);
            CallError::Tool(ToolError::new(ErrorCode::NotFound, message))
        }
        error => error,
    }
}

fn is_lost(error: &CallError) -> bool {
    matches!(error, CallError::Tool(error) if error.code == ErrorCode::NotFound)
}

fn failed(task: &Task) -> CallError {
    match task.described.get("error") {
        Some(error) => result::of_rpc_error(lenient::error_data(&error.to_string()), true),
        None => refused(task.message.clone().unwrap_or("the task failed".to_owned())),
    }
}
