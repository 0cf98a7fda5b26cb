//! Exported lists, imported again.

use frontdesk_client::{Addresses, Client, CredentialStore, paths};
use frontdesk_protocol::Host;
use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_tests::program::{self, Ended};
use frontdesk_tests::{run, world};
use serde_json::Value;

use crate::contract::demo;

/// The owner of the demo, and the program.
struct Owner {
    directory: tempfile::TempDir,
}

impl Owner {
    fn signed_in() -> Owner {
        let owner = Owner {
            directory: tempfile::tempdir().expect("a directory"),
        };
        run(async {
            demo::loaded().await;
            let store = CredentialStore::file(paths::credentials_file(owner.directory.path()));
            let addresses = Addresses::new(&world().url()).expect("an address");
            let client = Client::new(addresses, store).expect("a client");
            let signed_in = client.sign_in("demo", "owner@demo.test", demo::PASSWORD);
            signed_in.await.expect("signs in");
        });
        owner
    }

    fn frontdesk(&self, arguments: &[&str]) -> Ended {
        let url = world().url();
        let mut command = program::command("frontdesk", &["--url", &url, "--home"]);
        command.arg(self.directory.path()).args(arguments);
        command.env("HOME", self.directory.path());
        Ended::of(command.output().expect("it ends"))
    }

    fn list(&self, host: Host, tool: &str, format: &str, given: &[String]) -> Ended {
        let mut arguments = vec!["call", host.area(), tool, "--all", "-o", format];
        arguments.extend(given.iter().map(String::as_str));
        self.frontdesk(&arguments)
    }

    /// The ids in this list.
    fn ids(&self, host: Host, tool: &str) -> Vec<String> {
        let listed = self.list(host, tool, "json", &[]).json();
        let lists = listed.as_object().expect("a result").values();
        let records = lists.filter_map(Value::as_array).flatten();
        let ids = records.filter_map(|record| record["id"].as_str());
        ids.map(str::to_owned).collect()
    }
}

/// The tools that list, add and change records of this kind.
fn tools(kind: &Kind) -> Option<[&'static str; 3]> {
    let tool = |verb: Verb| kind.uses.iter().find(|one| one.verb == verb);
    let tools = [Verb::List, Verb::Create, Verb::Change].map(tool);
    let [Some(list), Some(create), Some(change)] = tools else {
        return None;
    };
    Some([list.tool, create.tool, change.tool])
}

#[test]
fn an_export_of_each_kind_changes_nothing() {
    let owner = Owner::signed_in();
    let events = owner.ids(Host::Events, "list_events");
    let mut kinds = Vec::new();
    let mut wrong = Vec::new();
    for host in Host::ALL {
        for kind in host.kinds() {
            let Some([list, create, _]) = tools(kind) else {
                continue;
            };
            let schema = host.tool(list).expect("a tool").input_schema();
            let needs = schema["required"].as_array().cloned().unwrap_or_default();
            let given: Vec<Vec<String>> = match needs.as_slice() {
                [] => vec![vec![]],
                [only] if only == "event_id" => {
                    let events = events.iter().take(1);
                    events.map(|id| vec![format!("event_id={id}")]).collect()
                }
                _ => continue,
            };
            for given in given {
                for format in ["csv", "json"] {
                    let exported = owner.list(host, list, format, &given);
                    let rows = exported.stdout.lines().count();
                    if exported.code != Some(0) || rows < 2 {
                        continue;
                    }
                    let file = owner.directory.path().join("export.csv");
                    std::fs::write(&file, &exported.stdout).expect("it is written");
                    let file = file.to_str().expect("text");
                    let arguments = ["import", host.area(), create, file, "--dry-run"];
                    let ended = owner.frontdesk(&arguments);
                    let is_same = ["Added", "Changed", "Questionable", "Wrong"]
                        .iter()
                        .all(|what| ended.stdout.contains(&format!("{what:<18}{:>6}", 0)));
                    if !is_same {
                        let said = ended
                            .stdout
                            .lines()
                            .filter(|line| !line.contains("  same "));
                        let said: Vec<_> = said.take(40).collect();
                        wrong.push(format!(
                            "{} as {format}: {}\n{}",
                            kind.plural,
                            said.join("\n"),
                            ended.stderr
                        ));
                    }
                    kinds.push(kind.plural);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    kinds.dedup();
    assert!(kinds.len() > 12, "{kinds:?}");
}
