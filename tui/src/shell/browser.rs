//! Opening a browser.

use std::process::{Command, Stdio};

/// Opens an address in the browser that the variable `BROWSER` names, or in that of the graphical screen. Returns
/// whether a program was started for it.
pub fn open_in_browser(address: &str) -> bool {
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
    use super::browser;

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
