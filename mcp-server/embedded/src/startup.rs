//! The start of a connection: what comes before the first request.

use bytes::{Buf, BytesMut};

use crate::fatal::Fatal;
use crate::wire::{End, Wire};

const PROTOCOL_3_0: u32 = 3 << 16;
const CANCEL_REQUEST: u32 = 80_877_102;
const SSL_REQUEST: u32 = 80_877_103;
const GSS_REQUEST: u32 = 80_877_104;

/// PostgreSQL's own limit on a startup packet.
const MAX_BYTES: usize = 10_000;

/// Reads the client's packets up to and including its startup message. Returns `None` if the client
/// wants to cancel a statement, which the engine cannot do.
pub(crate) async fn greet(wire: &mut Wire, buffer: &mut BytesMut) -> Result<Option<Startup>, End> {
    loop {
        let mut packet = packet(wire, buffer).await?;
        match packet.get_u32() {
            SSL_REQUEST | GSS_REQUEST => wire.write(b"N").await?,
            CANCEL_REQUEST => return Ok(None),
            PROTOCOL_3_0 => return Ok(Some(Startup::parse(&packet)?)),
            version => {
                let (major, minor) = (version >> 16, version & 0xffff);
                return Err(Fatal::unsupported(format!(
                    "unsupported frontend protocol {major}.{minor}: the embedded database \
                     speaks 3.0"
                ))
                .into());
            }
        }
    }
}

/// The contents of the startup message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Startup {
    /// Settings of the session, by name.
    pub(crate) settings: Vec<(String, String)>,
}

impl Startup {
    fn parse(packet: &[u8]) -> Result<Self, Fatal> {
        let malformed = || Fatal::protocol("malformed startup message");
        let text = std::str::from_utf8(packet).map_err(|_| malformed())?;
        let mut words = text.split_terminator('\0');
        let mut startup = Self::default();
        while let Some(name) = words.next() {
            if name.is_empty() {
                break;
            }
            let value = words.next().ok_or_else(malformed)?;
            match name {
                // There is one database, and every connection starts as the same user.
                "user" | "database" => {}
                "options" => startup.options(value)?,
                "replication" => {
                    return Err(Fatal::unsupported(
                        "the embedded database does not replicate",
                    ));
                }
                _ => startup.settings.push((name.to_owned(), value.to_owned())),
            }
        }
        Ok(startup)
    }

    /// Parses the settings of a command line: `-c name=value` or `--name=value`. A backslash escapes a
    /// space in a value.
    fn options(&mut self, line: &str) -> Result<(), Fatal> {
        let mut words = words(line).into_iter();
        while let Some(word) = words.next() {
            let setting = match word.strip_prefix("--") {
                Some(setting) => Some(setting.to_owned()),
                None if word == "-c" => words.next(),
                None => word.strip_prefix("-c").map(str::to_owned),
            };
            let Some((name, value)) = setting.as_deref().and_then(|s| s.split_once('=')) else {
                return Err(Fatal::unsupported(format!(
                    "unsupported command-line option {word:?} in the startup message"
                )));
            };
            self.settings
                .push((name.replace('-', "_"), value.to_owned()));
        }
        Ok(())
    }
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.extend(characters.next()),
            c if c.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Reads one packet and strips its length. The rest has at least the four bytes of the code.
async fn packet(wire: &mut Wire, buffer: &mut BytesMut) -> Result<BytesMut, End> {
    loop {
        if let Some(length) = buffer.first_chunk() {
            let length = u32::from_be_bytes(*length) as usize;
            if !(8..=MAX_BYTES).contains(&length) {
                return Err(Fatal::protocol("invalid length of startup packet").into());
            }
            if buffer.len() >= length {
                let mut packet = buffer.split_to(length);
                packet.advance(4);
                return Ok(packet);
            }
        }
        wire.read(buffer).await?;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(packet: &str) -> Result<Vec<(String, String)>, Fatal> {
        Startup::parse(packet.as_bytes()).map(|startup| startup.settings)
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn settings_are_taken_and_names_are_not() {
        let packet = "user\0me\0database\0mine\0application_name\0test\0\0";
        assert_eq!(parse(packet).unwrap(), [pair("application_name", "test")]);
    }

    #[test]
    fn options_are_read_as_a_command_line() {
        let packet = "options\0-c work_mem=8MB -csearch_path=a,\\ b --statement-timeout=5s\0\0";
        assert_eq!(
            parse(packet).unwrap(),
            [
                pair("work_mem", "8MB"),
                pair("search_path", "a, b"),
                pair("statement_timeout", "5s"),
            ]
        );
        assert!(parse("options\0-d 5\0\0").is_err());
    }

    #[test]
    fn a_name_without_a_value_is_malformed() {
        assert!(parse("user").is_err());
    }
}
