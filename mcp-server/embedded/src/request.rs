//! Splits the client's bytes into requests.

use bytes::{Buf, Bytes, BytesMut};

use crate::fatal::Fatal;

/// The maximum size of a request: its messages up to and including the one that requires an answer.
/// PostgreSQL's own limit is 1 GB per message, but here a request is held in memory until it is
/// complete, and then a second time in the engine's memory.
pub(crate) const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The type byte and the length.
const HEADER_BYTES: usize = 5;

/// A request of the client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Messages for the engine, which ends its answer with `ReadyForQuery`.
    Answer(Bytes),
    /// Messages for the engine, which sends the answers so far and expects more (`Flush`).
    Partial(Bytes),
    /// End the connection.
    Terminate,
}

/// Collects messages until they form a request. One read can contain several requests (clients
/// pipeline), and one request can take several reads.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    bytes: BytesMut,
    /// The length of the complete messages at the start of `bytes` that are not a request yet.
    gathered: usize,
}

impl Requests {
    /// Starts with bytes that are already read.
    pub(crate) fn after(bytes: BytesMut) -> Self {
        Self { bytes, gathered: 0 }
    }

    /// The buffer to read into.
    pub(crate) fn buffer(&mut self) -> &mut BytesMut {
        &mut self.bytes
    }

    /// The next complete request, if its bytes have arrived.
    pub(crate) fn next(&mut self) -> Result<Option<Request>, Fatal> {
        while let Some((kind, length)) = self.header()? {
            let end = self.gathered + length;
            if self.bytes.len() < end {
                self.bytes.reserve(end - self.bytes.len());
                return Ok(None);
            }
            let body = &self.bytes[self.gathered + HEADER_BYTES..end];
            if asks_for_copy_data(kind, body) {
                return Err(Fatal::unsupported(
                    "the embedded database does not support COPY FROM STDIN",
                ));
            }
            self.gathered = end;
            match kind {
                // Query, Sync, FunctionCall
                b'Q' | b'S' | b'F' => return Ok(Some(Request::Answer(self.take()))),
                // Flush
                b'H' => return Ok(Some(Request::Partial(self.take()))),
                // Parse, Bind, Describe, Execute, Close
                b'P' | b'B' | b'D' | b'E' | b'C' => {}
                // CopyData, CopyDone, CopyFail: a copy is never in progress (see the crate's documentation), and
                // outside one PostgreSQL ignores them too.
                b'd' | b'c' | b'f' => self.drop_last(length),
                b'X' => return Ok(Some(Request::Terminate)),
                // An unknown type would make the engine exit, and the database with it.
                _ => return Err(Fatal::protocol(format!("unknown message type {kind:#04x}"))),
            }
        }
        Ok(None)
    }

    /// The type and total length of the message after the gathered ones.
    fn header(&self) -> Result<Option<(u8, usize)>, Fatal> {
        let Some(&[kind, a, b, c, d]) = self.bytes[self.gathered..].first_chunk::<HEADER_BYTES>()
        else {
            return Ok(None);
        };
        // The length counts itself but not the type byte.
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length < 4 {
            return Err(Fatal::protocol("a message is shorter than its own length"));
        }
        if length >= MAX_BYTES - self.gathered {
            return Err(Fatal::too_long(MAX_BYTES));
        }
        Ok(Some((kind, length + 1)))
    }

    fn take(&mut self) -> Bytes {
        let request = self.bytes.split_to(self.gathered).freeze();
        self.gathered = 0;
        request
    }

    fn drop_last(&mut self, length: usize) {
        let rest = self.bytes.split_off(self.gathered);
        self.gathered -= length;
        self.bytes.truncate(self.gathered);
        if self.bytes.is_empty() {
            self.bytes = rest;
        } else {
            self.bytes.extend_from_slice(rest.chunk());
        }
    }
}

/// Whether a message is a statement that waits for data from the client. The engine does not survive
/// such a statement.
fn asks_for_copy_data(kind: u8, body: &[u8]) -> bool {
    let text = match kind {
        b'Q' => Some(body),
        // After the statement's name.
        b'P' => body.splitn(2, |byte| *byte == 0).nth(1),
        _ => None,
    };
    text.and_then(|text| text.trim_ascii_start().split_first_chunk::<4>())
        .is_some_and(|(word, rest)| {
            word.eq_ignore_ascii_case(b"copy")
                && rest
                    .windows(5)
                    .any(|word| word.eq_ignore_ascii_case(b"stdin"))
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        bytes.extend_from_slice(body);
        bytes
    }

    fn requests(bytes: &[u8]) -> Requests {
        let mut requests = Requests::default();
        requests.buffer().extend_from_slice(bytes);
        requests
    }

    #[test]
    fn pipelined_requests_come_out_one_by_one() {
        let first = [message(b'P', b"a"), message(b'S', b"")].concat();
        let second = message(b'Q', b"select 1\0");
        let mut requests = requests(&[&first[..], &second, &message(b'X', b"")].concat());
        assert_eq!(
            requests.next().unwrap(),
            Some(Request::Answer(first.into()))
        );
        assert_eq!(
            requests.next().unwrap(),
            Some(Request::Answer(second.into()))
        );
        assert_eq!(requests.next().unwrap(), Some(Request::Terminate));
    }

    #[test]
    fn a_request_in_single_bytes_is_gathered() {
        let whole = [message(b'P', b"abc"), message(b'H', b"")].concat();
        let mut requests = Requests::default();
        for byte in &whole[..whole.len() - 1] {
            requests.buffer().extend_from_slice(&[*byte]);
            assert_eq!(requests.next().unwrap(), None);
        }
        requests
            .buffer()
            .extend_from_slice(&whole[whole.len() - 1..]);
        assert_eq!(
            requests.next().unwrap(),
            Some(Request::Partial(whole.into()))
        );
    }

    #[test]
    fn copy_messages_outside_a_copy_are_dropped() {
        let parse = message(b'P', b"a");
        let sync = message(b'S', b"");
        let mut requests = requests(&[&parse[..], &message(b'd', b"1\n"), &sync].concat());
        let whole = [parse, sync].concat();
        assert_eq!(
            requests.next().unwrap(),
            Some(Request::Answer(whole.into()))
        );
    }

    #[test]
    fn a_statement_that_waits_for_the_client_is_refused() {
        assert!(
            requests(&message(b'Q', b" COPY t FROM stdin\0"))
                .next()
                .is_err()
        );
        assert!(
            requests(&message(b'P', b"s1\0copy t from STDIN\0\0\0"))
                .next()
                .is_err()
        );
        assert!(
            requests(&message(b'Q', b"copy t to stdout\0"))
                .next()
                .is_ok()
        );
        assert!(requests(&message(b'Q', b"select 'stdin'\0")).next().is_ok());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        assert!(requests(&[b'Q', 0, 0, 0, 3]).next().is_err());
        assert!(requests(&message(b'z', b"")).next().is_err());
        assert!(requests(&[b'Q', 0x7f, 0xff, 0xff, 0xff]).next().is_err());
    }

    #[test]
    fn the_limit_is_for_the_whole_request() {
        let half = message(b'P', &vec![0; MAX_BYTES / 2]);
        let mut requests = requests(&[&half[..], &half].concat());
        assert!(requests.next().is_err());
    }
}
