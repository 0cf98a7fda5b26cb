//! Commands for accounts and organisations, beside a server that has the directory open.

use std::io::Write;
use std::process::Stdio;

use frontdesk_tests::process::serve;
use frontdesk_tests::program::{Ended, program, server};
use frontdesk_tests::pty::Pty;
use frontdesk_tests::{Http, Process};
use portable_pty::CommandBuilder;

use crate::durability::place::{Directory, runtime};

/// Runs the command with this line on stdin.
fn run(database: &str, line: &str, arguments: &[&str]) -> Ended {
    let mut command = server(arguments);
    command.args(["--database", database]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("stdin");
    writeln!(stdin, "{line}").expect("it reads");
    drop(stdin);
    Ended::of(child.wait_with_output().expect("its end"))
}

pub(crate) fn an_empty_server_is_set_up_and_its_accounts_are_managed_while_it_runs() {
    let directory = Directory::new();
    let database = directory.database();
    let server = Process::start(serve(&database).args(["--rate-limit", "0"]));
    server.wait_for_log("There is no organisation yet");
    let done = |line: &str, arguments: &[&str]| {
        let ended = run(&database, line, arguments);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        ended.stdout
    };
    let refused = |line: &str, arguments: &[&str], says: &str| {
        let ended = run(&database, line, arguments);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.stderr.contains(says), "{ended:?}");
    };
    let set_up = [
        "setup",
        "--organization=River School",
        "--name=Ana",
        "--email=ana@example.org",
    ];
    for (list, says) in [
        (
            "list-accounts",
            "There is no account yet: `frontdesk-server setup`",
        ),
        ("list-organizations", "There is no organisation yet"),
    ] {
        let none = run(&database, "", &[list]);
        assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
        assert!(none.stderr.contains(says), "{none:?}");
    }
    refused("short", &set_up, "at least 8 characters");
    assert!(done("a good password", &set_up).contains("River School (river-school)"));
    refused("a good password", &set_up, "an organisation already");
    runtime().block_on(Http::sign_in(
        &server.url,
        "ana@example.org",
        "a good password",
    ));

    let add = [
        "add-account",
        "--organization=river-school",
        "--role=staff",
        "--email=ben@example.org",
    ];
    assert!(done("a good password", &add).contains("linked to a new member"));
    let typo = [&add[..1], &["--organization=rver-school"], &add[2..]].concat();
    refused(
        "a good password",
        &typo,
        "no organisation `rver-school` (the nearest: River School); --new-organization creates it",
    );
    let rename = [
        "rename-organization",
        "river-school",
        "--to=Lake School",
        "--slug=lake",
    ];
    done("", &rename);
    refused(
        "",
        &["rename-organization", "lake", "--slug=A b"],
        "`A b` is not a slug",
    );
    let currency = |code: &'static str| ["rename-organization", "lake", "--currency", code];
    refused("", &currency("euro"), "such as BRL");
    assert_eq!(done("", &currency("EUR")), "the currency of lake is EUR\n");
    assert_eq!(
        done("", &["list-organizations"]),
        "Lake School\tlake\t2 accounts\n"
    );

    let remove = ["remove-account", "--email=ben@example.org"];
    refused(
        "",
        &remove,
        "ben@example.org, staff at Lake School; confirm with --yes",
    );
    done("", &[&remove[..], &["--yes"]].concat());
    let listed = done("", &["list-accounts", "--organization=lake"]);
    assert!(
        listed.contains("ana@example.org\towner\tactive\tsigned in 20"),
        "{listed}"
    );
    assert_eq!(listed.lines().count(), 1, "{listed}");
    done("", &["remove-organization", "lake", "--yes"]);
    assert_eq!(done("", &["list-organizations"]), "");
    server.stop();
}

/// Adds an account at a terminal, with this answer to the question about its organisation. Returns what the terminal showed.
fn at_a_terminal(database: &str, organization: &str, answer: &str) -> String {
    let mut command = CommandBuilder::new(program("frontdesk-server"));
    let organization = format!("--organization={organization}");
    command.args(["add-account", "--email=ben@example.org", "--role=staff"]);
    command.args(["--database", database, &organization]);
    let mut terminal = Pty::open(200, 20);
    let mut child = terminal.slave.spawn_command(command).expect("it starts");
    // The terminal closes with the program.
    drop(terminal.slave);
    let mut shown = String::new();
    let password = "a good password";
    for (question, typed) in [
        ("Password of", password),
        ("Again: ", password),
        ("Type yes: ", answer),
    ] {
        while !shown.contains(question) {
            let (_, chunk) = terminal.output.recv().expect("a question");
            shown += &String::from_utf8_lossy(&chunk);
        }
        terminal.keyboard.type_text(&format!("{typed}\n"));
    }
    for (_, chunk) in &terminal.output {
        shown += &String::from_utf8_lossy(&chunk);
    }
    child.wait().expect("its end");
    shown
}

pub(crate) fn an_unknown_organisation_is_created_only_after_a_question() {
    let directory = Directory::prepared();
    let database = directory.database();
    let organizations = || run(&database, "", &["list-organizations"]).stdout;
    let asked = at_a_terminal(&database, "River School", "no");
    assert!(asked.contains("no organisation `River School`"), "{asked}");
    assert!(asked.contains("nothing was added"), "{asked}");
    assert_eq!(organizations(), "");
    at_a_terminal(&database, "River School", "yes");
    assert_eq!(organizations(), "River School\triver-school\t1 account\n");
}
