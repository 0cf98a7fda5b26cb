//! Calls that go on by themselves, at a server that knows a task only in the session that began it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_client::{CallError, Content, Server, Tasks};
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::mcp::CallMeta;
use serde_json::{Map, json};

use crate::servers::stub::{Reply, Request, Stub, usual};

type Unknown = fn(&Request) -> Reply;

/// A server with this answer to `tasks/get` in a session that does not know the task.
async fn printing(unknown: Unknown) -> Stub {
    let opened = AtomicUsize::new(0);
    Stub::start(move |_, request| {
        let in_first = request.header("mcp-session-id") == Some("session-1");
        match request.name().as_str() {
            "initialize" => {
                let number = opened.fetch_add(1, Ordering::SeqCst) + 1;
                let reply = usual(request, "2025-11-25");
                reply.header("mcp-session-id", &format!("session-{number}"))
            }
            "tools/call" => Reply::result(
                request,
                json!({ "task": { "taskId": "t1", "status": "working", "pollInterval": 50 } }),
            ),
            "tasks/get" | "tasks/result" if !in_first => unknown(request),
            "tasks/get" => Reply::result(request, json!({ "taskId": "t1", "status": "completed" })),
            "tasks/result" => {
                let content = json!([{ "type": "text", "text": "printed" }]);
                Reply::result(request, json!({ "content": content }))
            }
            _ => usual(request, "2025-11-25"),
        }
    })
    .await
}

fn server(url: &str, tasks: &Tasks) -> Server {
    let config = HttpServer::new(url, None, BTreeMap::new()).unwrap();
    let server = Server::new("stub", &ServerConfig::Http(config), None).unwrap();
    server.keep_tasks(tasks.clone());
    server
}

/// Begins the task and stops waiting, as ctrl-c does.
async fn begin(stub: &Stub, tasks: &Tasks) {
    let server = server(&stub.mcp(), tasks);
    let (begun, is_begun) = tokio::sync::oneshot::channel();
    let mut begun = Some(begun);
    let call = server.call_watched("write", Map::new(), CallMeta::default(), |progress| {
        if progress.is_task {
            begun.take().map(|begun| begun.send(()));
        }
    });
    tokio::select! {
        biased;
        _ = is_begun => {}
        answer = call => panic!("{answer:?}"),
    }
    server.close().await;
}

#[tokio::test]
async fn a_task_outlasts_the_process_that_began_it_with_its_session() {
    let home = tempfile::tempdir().unwrap();
    let tasks = Tasks::new(home.path().join("tasks.json"));
    let stub = printing(|_| Reply::status(404)).await;
    begin(&stub, &tasks).await;
    let deleted = || {
        let deleted = stub.all("DELETE /mcp");
        let ids = deleted
            .iter()
            .map(|it| it.header("mcp-session-id").unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(deleted(), [""; 0]);

    let later = server(&stub.mcp(), &tasks);
    let result = later.task_result("t1", |_| {}).await.unwrap();
    assert_eq!(result.content, [Content::Text("printed".to_owned())]);
    assert_eq!(tasks.all().unwrap(), []);
    later.close().await;
    assert_eq!(deleted(), ["session-2"]);
}

#[tokio::test]
async fn a_lost_task_is_named_and_forgotten() {
    let unknown: [(Unknown, &str); 2] = [
        (|_| Reply::status(404), "the server has ended its session"),
        (
            |request| {
                let error = json!({ "code": -32602, "message": "Task not found" });
                let id = &request.json()["id"];
                Reply::json(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
            },
            "Task not found",
        ),
    ];
    for (unknown, said) in unknown {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("tasks.json");
        let tasks = Tasks::new(path.clone());
        let stub = printing(unknown).await;
        begin(&stub, &tasks).await;
        // The server has forgotten the session.
        let kept = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, kept.replace("session-1", "session-0")).unwrap();
        let later = server(&stub.mcp(), &tasks);
        let error = later.task_result("t1", |_| {}).await.unwrap_err();
        let CallError::Tool(error) = error else {
            panic!("{error}");
        };
        assert_eq!(error.code, ErrorCode::NotFound);
        assert_eq!(error.message, format!("the task is lost: {said}"));
        assert_eq!(tasks.all().unwrap(), []);
    }
}

#[tokio::test]
async fn a_session_goes_to_no_other_address() {
    let home = tempfile::tempdir().unwrap();
    let tasks = Tasks::new(home.path().join("tasks.json"));
    let stub = printing(|_| Reply::status(404)).await;
    begin(&stub, &tasks).await;
    let other = Stub::start(|_, request| match request.name().as_str() {
        "tasks/get" => Reply::result(request, json!({ "taskId": "t1" })),
        _ => usual(request, "2025-11-25"),
    })
    .await;
    server(&other.mcp(), &tasks).task("t1").await.unwrap();
    assert_eq!(other.one("tasks/get").header("mcp-session-id"), None);
}
