//! The server as its clients see it: port, names, proxy, TLS and clock.

use std::error::Error;
use std::time::Duration;

use http::StatusCode;
use http::header::{DATE, LOCATION};
use jiff::Timestamp;
use serde_json::Value;
use url::{Host, Url};

use super::{Finding, Settings};
use crate::clock::Clock;
use crate::listen::{Listen, listen};

const PROXY: &str = "proxy";
/// The time limit of a request.
const LIMIT: Duration = Duration::from_secs(10);
/// A difference between two clocks that counts, in seconds.
const CLOCK: i64 = 60;
/// The size of the largest request that a proxy has to let through, in bytes.
const LARGEST: usize = 2 * 1024 * 1024;

/// An answer.
struct Response {
    status: StatusCode,
    location: Option<String>,
    sent_at: Option<Timestamp>,
    body: Value,
}

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(crate::tls::client_config())
        .user_agent(concat!("frontdesk-server/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .timeout(LIMIT)
        .build();
    let client = match client {
        Ok(client) => client,
        Err(error) => return vec![Finding::bad("client", error.to_string(), "")],
    };
    let mut findings = vec![port(&client, settings).await];
    if let Some(keys) = &settings.jwks_url {
        findings.push(provider(&client, keys).await);
    }
    match &settings.public_url {
        Some(url) => findings.extend(public(&client, settings, url).await),
        None => findings.push(Finding::doubt(
            "address",
            "not tested from outside",
            "give --public-url https://NAME to test proxy, TLS and names, if clients use another address",
        )),
    }
    findings
}

/// Whether the port is free, or a server of ours has it.
async fn port(client: &reqwest::Client, settings: &Settings) -> Finding {
    const PORT: &str = "port";
    let address = match &settings.listen {
        Listen::Address(address) => *address,
        #[cfg(unix)]
        Listen::Socket(path) => return socket(&settings.listen, path).await,
    };
    let error = match listen(address).await {
        Ok(_) => return Finding::good(PORT, format!("{address} is free")),
        Err(error) => error,
    };
    let health = format!("http://{address}/staff/health").parse();
    let answer = match health {
        Ok(health) => get(client, health).await.ok(),
        Err(_) => None,
    };
    match answer.as_ref().and_then(|answer| version(&answer.body)) {
        Some(version) => {
            Finding::good(PORT, format!("version {version} is listening on {address}"))
        }
        None => Finding::bad(PORT, error.to_string(), ""),
    }
}

/// Whether the socket can be created, or a program listens there.
#[cfg(unix)]
async fn socket(at: &Listen, path: &std::path::Path) -> Finding {
    const SOCKET: &str = "socket";
    if tokio::net::UnixStream::connect(path).await.is_ok() {
        return Finding::good(SOCKET, format!("a program is listening on {at}"));
    }
    let directory = path.parent().unwrap_or(path);
    match tempfile::tempfile_in(directory) {
        Ok(_) => Finding::good(SOCKET, format!("{at} can be created")),
        Err(error) => Finding::bad(
            SOCKET,
            format!("{at} cannot be created: {error}"),
            "choose a directory of the server's user (systemd makes one: RuntimeDirectory=frontdesk)",
        ),
    }
}

/// Whether the external provider's keys can be read.
async fn provider(client: &reqwest::Client, keys: &Url) -> Finding {
    const PROVIDER: &str = "provider";
    match get(client, keys.clone()).await {
        Ok(answer) if answer.body.get("keys").is_some_and(Value::is_array) => {
            Finding::good(PROVIDER, format!("{keys} has its keys"))
        }
        Ok(answer) => Finding::bad(
            PROVIDER,
            format!("{keys} has no keys (HTTP {})", answer.status.as_u16()),
            "give the address of the provider's JWKS, as its /.well-known/openid-configuration names it",
        ),
        Err((text, change)) => Finding::bad(PROVIDER, text, change),
    }
}

async fn public(client: &reqwest::Client, settings: &Settings, url: &Url) -> Vec<Finding> {
    let base = url.as_str().trim_end_matches('/').to_owned();
    let mut findings = Vec::new();
    let mut forwarded = None;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    if url.scheme() == "http" && !is_here {
        findings.push(Finding::bad(
            "tls",
            format!("{base} is not encrypted: anyone on the network can read passwords and tokens"),
            "let a proxy serve https:// (docs/operate.md), and give that address",
        ));
    }
    for area in ["staff", "events"] {
        let answer = match format!("{base}/{area}/health").parse() {
            Ok(health) => get(client, health).await,
            Err(_) => continue,
        };
        match answer {
            Ok(answer) => {
                let is_ours = version(&answer.body).is_some()
                    && answer.body.get("host").and_then(Value::as_str) == Some(area);
                if !is_ours {
                    findings.push(other(&base, area, &answer));
                    return findings;
                }
                if area == "staff" {
                    findings.extend(clock(&base, &answer));
                    forwarded = answer.body.get("forwarded").and_then(Value::as_u64);
                }
            }
            Err((text, change)) => {
                findings.push(Finding::bad("address", text, change));
                return findings;
            }
        }
    }
    if url.scheme() == "https" {
        findings.push(Finding::good("tls", "the certificate is valid"));
    }
    findings.push(Finding::good(PROXY, format!("{base} reaches the hosts")));
    findings.push(metadata(client, &base).await);
    findings.push(body(client, &base).await);
    findings.extend(proxies(settings.proxies.into(), forwarded, is_here));
    findings
}

/// Whether as many proxies as `--proxies` says have named their client in X-Forwarded-For, as the server has counted.
fn proxies(said: u64, forwarded: Option<u64>, is_here: bool) -> Option<Finding> {
    const AS_ONE: &str = "limits by network address count all clients behind a proxy as one";
    match (said, forwarded) {
        (0, None | Some(0)) if !is_here => Some(Finding::doubt(
            PROXY,
            format!("--proxies is 0: {AS_ONE}"),
            "start the server with --proxies 1 if one proxy is in front of it, and let it set X-Forwarded-For",
        )),
        (said, Some(found)) if found < said => Some(Finding::bad(
            PROXY,
            format!("--proxies is {said}, and X-Forwarded-For has {found} addresses: {AS_ONE}"),
            "let each proxy add its client's address (nginx: proxy_set_header X-Forwarded-For \
             $proxy_add_x_forwarded_for), or correct --proxies",
        )),
        (said, Some(found)) if found > said => Some(Finding::doubt(
            PROXY,
            format!("--proxies is {said}, and X-Forwarded-For has {found} addresses: {AS_ONE}"),
            format!("start the server with --proxies {found}"),
        )),
        _ => None,
    }
}

/// Names an answer that is not a host's.
fn other(base: &str, area: &str, answer: &Response) -> Finding {
    let status = answer.status.as_u16();
    let message = answer
        .body
        .pointer("/error/message")
        .and_then(Value::as_str);
    if let Some(message) = message.filter(|message| message.contains("Host header")) {
        return Finding::bad(
            "names",
            message,
            format!(
                "start the server with --public-url {base}; the proxy has to pass the Host header on"
            ),
        );
    }
    if let Some(to) = &answer.location {
        return Finding::bad(
            PROXY,
            format!("{base} redirects to {to}"),
            "give that address",
        );
    }
    let (text, change) = match status {
        502..=504 => (
            format!("the proxy at {base} cannot reach the server (HTTP {status})"),
            "start the server, and let the proxy forward to its --listen address",
        ),
        404 if message.is_some() => (
            format!("{base}/{area}/health is not found"),
            "the proxy must pass paths on unchanged; if the service is below a path, it removes that path",
        ),
        _ => (
            format!("another program answers at {base} (HTTP {status})"),
            "check the name, the port and the proxy's forwarding",
        ),
    };
    Finding::bad(PROXY, text, change)
}

/// Whether the server's clock is this machine's.
fn clock(base: &str, answer: &Response) -> Option<Finding> {
    let ahead = answer.sent_at?.as_second() - Clock::system().now().as_second();
    (ahead.abs() > CLOCK).then(|| {
        Finding::bad(
            "clock",
            format!("the clocks of {base} and this machine differ by {ahead:+} s"),
            "keep both clocks set by NTP: a wrong clock makes tokens fail",
        )
    })
}

/// Whether the server names itself as it is reached.
async fn metadata(client: &reqwest::Client, base: &str) -> Finding {
    let expected = format!("{base}/staff/mcp");
    let origin = base.find("://").map_or(base.len(), |at| {
        base[at + 3..]
            .find('/')
            .map_or(base.len(), |path| at + 3 + path)
    });
    let (origin, path) = base.split_at(origin);
    let address = format!("{origin}/.well-known/oauth-protected-resource{path}/staff/mcp");
    let answer = match address.parse() {
        Ok(address) => get(client, address).await,
        Err(_) => return Finding::bad("names", format!("{address} is not an address"), ""),
    };
    let named = match &answer {
        Ok(answer) => answer.body.get("resource").and_then(Value::as_str),
        Err((text, change)) => return Finding::bad("names", text, *change),
    };
    match named {
        Some(named) if named == expected => {
            Finding::good("names", format!("the server names itself {base}"))
        }
        Some(named) => Finding::bad(
            "names",
            format!("the server names itself {named} instead of {expected}"),
            format!("start the server with --public-url {base}"),
        ),
        None => Finding::bad(
            "names",
            format!("{address} does not reach the server"),
            "let the proxy forward /.well-known/ too",
        ),
    }
}

/// Whether a large request reaches the server, which refuses it because it has no token.
async fn body(client: &reqwest::Client, base: &str) -> Finding {
    let sent = client
        .post(format!("{base}/staff/mcp"))
        .header("content-type", "application/json")
        .body(vec![b' '; LARGEST])
        .send()
        .await;
    match sent.map(|answer| answer.status().as_u16()) {
        // Caddy answers 502 if the server refuses a request before it was read.
        Ok(401 | 502) | Err(_) => Finding::good(PROXY, "large requests pass"),
        Ok(413) => Finding::bad(
            PROXY,
            "the proxy refuses requests of 2 MB: long articles and pictures cannot be saved",
            "nginx: client_max_body_size 8m",
        ),
        Ok(status) => Finding::bad(
            PROXY,
            format!("a large request is answered with HTTP {status} instead of 401"),
            "let the proxy pass POST requests and their headers on",
        ),
    }
}

fn version(health: &Value) -> Option<&str> {
    health.get("tools")?;
    health.get("version")?.as_str()
}

async fn get(client: &reqwest::Client, url: Url) -> Result<Response, (String, &'static str)> {
    let shown = url.to_string();
    let answer = client.get(url).send().await;
    let answer = answer.map_err(|error| failure(&shown, &error))?;
    let header = |name| answer.headers().get(name)?.to_str().ok();
    let sent_at = header(DATE).and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    let location = header(LOCATION).map(str::to_owned);
    let status = answer.status();
    let sent_at = sent_at.map(|date| date.timestamp());
    let body = answer.bytes().await.unwrap_or_default();
    Ok(Response {
        status,
        location,
        sent_at,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

/// The cause of a failed request, and what to change.
fn failure(url: &str, error: &reqwest::Error) -> (String, &'static str) {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let cause = cause.to_string();
    let has = |text: &str| cause.contains(text);
    let change = if has("UnknownIssuer") {
        "the certificate's issuer is unknown: serve the whole chain (fullchain.pem), or trust the issuer on this machine"
    } else if has("NotValidForName") || has("not valid for name") {
        "the certificate is for another name: get one for this name"
    } else if has("Expired") || has("expired") {
        "renew the certificate; if it is new, set this machine's clock"
    } else if has("NotValidYet") || has("not valid yet") {
        "the certificate is not valid yet: set this machine's clock"
    } else if has("InvalidContentType") || has("corrupt message") {
        "the port does not speak TLS: give the proxy's port, or http:// on this machine"
    } else if has("invalid peer certificate") {
        "the certificate is not accepted: get one from a known issuer, for this name"
    } else if has("failed to lookup") || has("Name or service not known") {
        "the name has no address: check the spelling, and the DNS records"
    } else if has("refused") {
        "nothing listens there: check the port, start the proxy or the server"
    } else if error.is_timeout() {
        "no answer in time: check the address and the firewall"
    } else {
        ""
    };
    (format!("{url} cannot be reached: {cause}"), change)
}
