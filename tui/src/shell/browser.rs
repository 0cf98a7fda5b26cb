//! Opening a browser.

use std::process::{Command, Stdio};

use crate::screens::staff::link::is_of_this_machine;

/// Opens an address in the browser that the variable `BROWSER` names, or in that of the graphical screen. Returns
/// whether a program was started for it: for https only, except on this machine.
pub fn open_in_browser(address: &str) -> bool {
    if !is_safe(address) {
        return false;
    }
    let named = std::env::var("BROWSER").unwrap_or_default();
    let Some((program, arguments)) = browser(&named, address) else {
        return false;
    };
    let opened = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match opened {
        // A thread waits for the process, so no zombie remains.
        Ok(mut opener) => {
            drop(std::thread::spawn(move || opener.wait()));
            true
        }
        Err(error) => {
            tracing::debug!(%error, "no browser was opened");
            false
        }
    }
}

/// Whether nobody on the network can read or change the page. A server that names another scheme would start whatever
/// program this machine has for it.
fn is_safe(address: &str) -> bool {
    let address = url::Url::parse(address).ok();
    address.is_some_and(|address| match address.scheme() {
        "https" => true,
        "http" => is_of_this_machine(address.as_str()),
        _ => false,
    })
}

/// The program that opens an address, and its arguments. `named` is a list of commands, separated by colons; the first
/// counts, and `%s` in it is the address.
fn browser(named: &str, address: &str) -> Option<(String, Vec<String>)> {
    let has_screen = |variable| std::env::var_os(variable).is_some_and(|it| !it.is_empty());
    let first = named.split(':').find(|one| !one.trim().is_empty());
    let command = match first {
        Some(command) => command,
        None if cfg!(target_os = "macos") => "open",
        None if cfg!(windows) => "rundll32 url.dll,FileProtocolHandler",
        None if has_screen("WAYLAND_DISPLAY") || has_screen("DISPLAY") => "xdg-open",
        None => return None,
    };
    let mut words = command.split_whitespace().map(str::to_owned);
    let program = words.next()?;
    let mut arguments: Vec<String> = words.map(|word| word.replace("%s", address)).collect();
    if !command.contains("%s") {
        arguments.push(address.to_owned());
    }
    Some((program, arguments))
}

#[cfg(test)]
mod tests {
    use super::{browser, is_safe};

    #[test]
    fn only_encrypted_pages_and_those_of_this_machine_are_opened() {
        for (address, opens) in [
            ("https://a.test/", true),
            ("http://127.0.0.1:5000/callback", true),
            ("http://[::1]/", true),
            ("http://localhost:1/", true),
            ("http://a.test/", false),
            ("http://localhost.a.test/", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
            ("--help", false),
        ] {
            assert_eq!(is_safe(address), opens, "{address}");
        }
    }

    #[test]
    fn the_variable_names_a_command_with_a_place_for_the_address() {
        for (named, program, arguments) in [
            ("firefox", "firefox", &["https://a.test/"][..]),
            (
                "firefox -P work %s:lynx",
                "firefox",
                &["-P", "work", "https://a.test/"],
            ),
            (
                " :chromium --app=%s",
                "chromium",
                &["--app=https://a.test/"],
            ),
        ] {
            let (command, given) = browser(named, "https://a.test/").expect("a browser");
            assert_eq!(
                (command.as_str(), given),
                (
                    program,
                    arguments.iter().map(|it| (*it).to_owned()).collect()
                )
            );
        }
    }
}
