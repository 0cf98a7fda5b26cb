//! Opening a browser.

use std::process::{Command, Stdio};

/// Opens an address in a browser, if there is a graphical screen. Failures are ignored, because the
/// terminal shows the address too.
pub fn open_in_browser(address: &str) {
    let has_screen = |variable| std::env::var_os(variable).is_some_and(|it| !it.is_empty());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if has_screen("WAYLAND_DISPLAY") || has_screen("DISPLAY") {
        Command::new("xdg-open")
    } else {
        return;
    };
    let opened = command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match opened {
        // A thread waits for the process, so no zombie remains.
        Ok(mut opener) => drop(std::thread::spawn(move || opener.wait())),
        Err(error) => tracing::debug!(%error, "no browser was opened"),
    }
}
