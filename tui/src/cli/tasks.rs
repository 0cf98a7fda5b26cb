//! `tasks`: calls of other servers that go on by themselves.

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{Server, Tasks, paths};
use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::call::printing::Printing;
use super::callee;
use super::offers::ask;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json};

/// Lists the begun tasks of servers; with a server and an id, waits for the result of one.
#[derive(Debug, Args)]
pub(super) struct TaskList {
    /// The server of a task.
    #[arg(value_name = "SERVER", requires = "id", add = completions::peers())]
    server: Option<String>,
    /// Its id.
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// End the task.
    #[arg(long, requires = "id")]
    cancel: bool,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    reach: Reach,
}

impl TaskList {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let (Some(server), Some(id)) = (&self.server, &self.id) else {
            return self.list(options).await;
        };
        let printing = self.printing.clone().or_text().or_json(options.json());
        printing.check(false)?;
        if server.parse::<Host>().is_ok() {
            let message = format!("{server} is a host of the service, whose calls are no tasks");
            return Err(Failure::Usage(message));
        }
        let server = Some(server.as_str());
        if self.cancel {
            let cancel = async |server: &Server| server.cancel_task(id).await;
            return ask(&self.reach, options, server, cancel).await;
        }
        let result = async |server: &Server| server.task_result(id, |_| {}).await;
        printing.result(ask(&self.reach, options, server, result).await?)
    }

    async fn list(&self, options: &Options) -> Result<(), Failure> {
        let tasks = Tasks::new(paths::tasks_file(&options.data_directory()?));
        let tasks = tasks.all();
        let tasks = tasks.map_err(|error| Failure::file("the tasks", error))?;
        let mut rows = Vec::new();
        for task in tasks {
            // One that is away does not hide the others.
            let state = match callee::server(options, &task.server, None) {
                Ok(server) => {
                    let state = server.task(&task.id).await;
                    server.close().await;
                    match state {
                        Ok(state) => match state.message {
                            Some(message) => format!("{}: {message}", state.status),
                            None => state.status,
                        },
                        Err(error) => error.to_string(),
                    }
                }
                Err(error) => error.to_string(),
            };
            rows.push((task, state));
        }
        if options.json() {
            let rows = rows.iter().map(|(task, state)| {
                json!({
                    "server": task.server, "tool": task.tool, "id": task.id, "at": task.at,
                    "state": state,
                })
            });
            return say_json(&Value::from_iter(rows));
        }
        rows.iter().try_for_each(|(task, state)| {
            let line = format!("{} {} {}  {state}", task.server, task.tool, task.id);
            say(&plain(&line))
        })
    }
}
