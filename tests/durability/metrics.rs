//! `GET /metrics`, and the alerts and the dashboard that read it.

use std::collections::BTreeSet;
use std::fs::File;

use frontdesk_protocol::Host;
use frontdesk_tests::process::serve;
use frontdesk_tests::{Http, Process};
use serde_json::{Value, json};

use crate::durability::place::{Directory, runtime};

/// The names of metrics in an expression.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let ours = words.filter(|word| word.starts_with("frontdesk_"));
    ours.map(str::to_owned).collect()
}

pub(crate) fn a_log_that_cannot_be_written_ends_no_call() {
    let directory = Directory::prepared();
    let full = File::options().write(true).open("/dev/full");
    let mut command = serve(&directory.database());
    let server = Process::logging_to(command.arg("--demo"), full.expect("a full disk").into());
    runtime().block_on(async {
        let mut staff = Http::sign_in(&server.url, "staff@demo.test", "demo-password").await;
        for number in 0..20 {
            let member = json!({ "name": format!("Rui {number}") });
            staff
                .call(Host::Learn, "create_member", member)
                .await
                .output();
        }
    });
}

pub(crate) fn every_alert_and_every_panel_reads_a_metric_that_exists() {
    let directory = Directory::prepared();
    let mut command = serve(&directory.database());
    let server = Process::start(command.args(["--demo", "--metrics-listen", "127.0.0.1:0"]));
    let line = server.log_line("metrics are served");
    let (_, address) = line.rsplit_once("address=").expect("an address");
    let page = runtime().block_on(async {
        let mut staff = Http::sign_in(&server.url, "staff@demo.test", "demo-password").await;
        staff.events("list_events", json!({})).await.output();
        let page = reqwest::get(format!("http://{address}/metrics"))
            .await
            .expect("an answer");
        page.text().await.expect("text")
    });
    let samples = page.lines().filter(|line| !line.starts_with('#'));
    let known: BTreeSet<_> = samples
        .flat_map(|line| names(line.split(['{', ' ']).next().unwrap_or_default()))
        .collect();
    let alerts = include_str!("../../docs/deploy/alerts.yml");
    let alerts: Vec<_> = alerts
        .lines()
        .filter_map(|line| line.trim().strip_prefix("expr: "))
        .collect();
    assert!(alerts.len() > 8);
    let dashboard: Value =
        serde_json::from_str(include_str!("../../docs/deploy/dashboard.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let panels = panels.flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let panels = panels.map(|target| target["expr"].as_str().expect("an expression"));
    for expression in alerts.into_iter().chain(panels) {
        let read = names(expression);
        assert!(
            !read.is_empty() || expression.starts_with("up{"),
            "{expression}"
        );
        assert!(read.is_subset(&known), "{expression}: {page}");
    }
    for name in known {
        let name = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        assert!(page.contains(&format!("# HELP {name} ")), "{name}");
    }
    // A counter that is there before its first event.
    let before = r#"frontdesk_calls_total{host="work",tool="create_meeting",outcome="internal"} 0"#;
    assert!(page.contains(before), "{page}");
    server.stop();
}
