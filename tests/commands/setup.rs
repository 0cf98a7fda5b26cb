//! Mistakes of a set-up, which `frontdesk login` names.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;

use frontdesk_tests::{Process, program};
use tempfile::TempDir;

use crate::commands::stage::Ended;

/// Signs in at this address with the demo's password.
fn login(home: &TempDir, url: &str, more: &[&str]) -> Ended {
    let mut command = program::command("frontdesk", &["--url", url, "--home"]);
    command
        .arg(home.path())
        .args(["login", "--email", "staff@demo.test", "--password-stdin"])
        .args(more)
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("its stdin");
    // The program can end without reading.
    let _ = stdin.write_all(b"demo-password\n");
    drop(stdin);
    Ended::of(child.wait_with_output().expect("it ends"))
}

/// The address of a program that answers each connection with this text.
fn answering(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            // The client can be gone.
            let _ = stream.read(&mut [0; 8192]);
            let _ = stream.write_all(text.as_bytes());
        }
    });
    format!("http://{address}")
}

#[test]
fn a_mistake_of_the_set_up_is_no_wrong_password() {
    let home = tempfile::tempdir().expect("a directory");
    let server = Process::demo("memory");
    let port = server.url.rsplit_once(':').expect("a port").1;
    login(&home, &server.url, &["--public-key", "other"])
        .fails(5, "the public key does not belong to");
    let name = format!("http://[::ffff:127.0.0.1]:{port}");
    login(&home, &name, &[]).fails(5, "does not answer to this name");
    let encrypted = format!("https://127.0.0.1:{port}");
    login(&home, &encrypted, &[]).fails(6, "the port does not speak TLS");
    let ended = login(&home, &server.url, &["--public-key", "demo"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let stopped = server.url.clone();
    server.stop();
    login(&home, &stopped, &[]).fails(6, "no server listens on this port");

    let page = "HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\n<htm>";
    login(&home, &answering(page), &[]).fails(5, "another program than Frontdesk answers");
    let other = "SSH-2.0-OpenSSH_9.2\r\n";
    login(&home, &answering(other), &[]).fails(6, "no web server has this port");
    let silent = answering("").replace("http://", "https://");
    login(&home, &silent, &[]).fails(6, "the port does not speak TLS");
}
