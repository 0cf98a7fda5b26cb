//! Compressed bodies. Servers are asked for uncompressed ones, but some compress regardless.

use std::io::{self, Read, Write};

use brotli_decompressor::DecompressorWriter;
use bytes::Bytes;
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use ruzstd::decoding::StreamingDecoder;

use crate::failure::{Failure, LARGEST_ANSWER, shorten, too_large};

/// The compressed bytes that are decoded at a time, so that they become little more than an answer
/// at most.
const PIECE: usize = 4096;
/// The buffer of a decoder.
const BUFFER: usize = 8192;

/// The body of an answer, decompressed as it arrives; `zstd` at its end.
pub(crate) struct Body {
    response: reqwest::Response,
    coding: Option<Coding>,
}

/// The coding of a body, and its decoder once something has arrived.
struct Coding {
    name: &'static str,
    decoder: Option<Decoder>,
    /// Compressed bytes that are not decoded yet.
    waiting: Bytes,
}

enum Decoder {
    Gzip(MultiGzDecoder<Piece>),
    Zlib(ZlibDecoder<Piece>),
    Deflate(DeflateDecoder<Piece>),
    Brotli(Box<DecompressorWriter<Piece>>),
    /// All compressed bytes: a part of a frame cannot be decoded.
    Zstd(Vec<u8>),
}

/// The bytes decoded from one piece.
#[derive(Default)]
struct Piece(Vec<u8>);

impl Write for Piece {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.len() + bytes.len() > LARGEST_ANSWER {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// The body of this answer.
    ///
    /// # Errors
    /// [`Failure::NotProtocol`] if its coding is unknown.
    pub(crate) fn of(response: reqwest::Response) -> Result<Self, Failure> {
        let coding = coding(response.headers())?;
        let coding = coding.map(|name| Coding {
            name,
            decoder: None,
            waiting: Bytes::new(),
        });
        Ok(Body { response, coding })
    }

    /// More of the body; `None` at its end.
    ///
    /// # Errors
    /// [`Failure::NotProtocol`] if it cannot be decompressed; otherwise as the exchange.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        loop {
            if let Some(coding) = self.coding.as_mut().filter(|it| !it.waiting.is_empty()) {
                let decoded = coding.decode()?;
                if !decoded.is_empty() {
                    return Ok(Some(decoded));
                }
                continue;
            }
            let chunk = self.response.chunk().await;
            let chunk = chunk.map_err(|error| Failure::from_reqwest(&error))?;
            match (chunk, &mut self.coding) {
                (Some(chunk), Some(coding)) => coding.waiting = chunk,
                (None, Some(coding)) => {
                    let rest = coding.end()?;
                    return Ok(Some(rest).filter(|rest| !rest.is_empty()));
                }
                (chunk, None) => return Ok(chunk),
            }
        }
    }
}

/// The coding of a body, if it has one.
fn coding(headers: &HeaderMap) -> Result<Option<&'static str>, Failure> {
    let named = headers.get_all(CONTENT_ENCODING).iter();
    let named = named.filter_map(|value| value.to_str().ok());
    let named = named.flat_map(|value| value.split(','));
    let named = named.map(|name| name.trim().to_ascii_lowercase());
    let named: Vec<_> = named
        .filter(|it| !it.is_empty() && it != "identity")
        .collect();
    match named.join(", ").as_str() {
        "" => Ok(None),
        "gzip" | "x-gzip" => Ok(Some("gzip")),
        "deflate" => Ok(Some("deflate")),
        "br" => Ok(Some("br")),
        "zstd" => Ok(Some("zstd")),
        other => Err(Failure::NotProtocol(format!(
            "it is compressed with {}; frontdesk reads gzip, deflate, br and zstd",
            shorten(other)
        ))),
    }
}

impl Coding {
    /// Decodes the next piece of what is waiting.
    fn decode(&mut self) -> Result<Bytes, Failure> {
        let piece = self.waiting.split_to(self.waiting.len().min(PIECE));
        let name = self.name;
        let decoder = self
            .decoder
            .get_or_insert_with(|| Decoder::new(name, piece[0]));
        let decoded = decoder.write(&piece);
        decoded
            .map(Bytes::from)
            .map_err(|error| self.failed(&error))
    }

    /// The rest of the body. An empty one has no coding.
    fn end(&mut self) -> Result<Bytes, Failure> {
        let rest = self.decoder.take().map_or(Ok(Vec::new()), Decoder::end);
        rest.map(Bytes::from).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Failure::NotProtocol(too_large()),
            _ => Failure::NotProtocol(format!("its {} is damaged", self.name)),
        }
    }
}

impl Decoder {
    /// A decoder for a body with this first byte.
    fn new(coding: &str, first: u8) -> Self {
        let piece = Piece::default();
        match coding {
            "gzip" => Decoder::Gzip(MultiGzDecoder::new(piece)),
            // Some servers leave out the frame of zlib, whose first byte ends like this.
            "deflate" if first & 0x0f == 8 => Decoder::Zlib(ZlibDecoder::new(piece)),
            "deflate" => Decoder::Deflate(DeflateDecoder::new(piece)),
            "br" => Decoder::Brotli(Box::new(DecompressorWriter::new(piece, BUFFER))),
            _ => Decoder::Zstd(Vec::new()),
        }
    }

    /// Decodes more. What can be decoded already is returned.
    fn write(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        macro_rules! write {
            ($decoder:ident) => {{
                $decoder.write_all(bytes)?;
                $decoder.flush()?;
                $decoder.get_mut()
            }};
        }
        let piece = match self {
            Decoder::Gzip(decoder) => write!(decoder),
            Decoder::Zlib(decoder) => write!(decoder),
            Decoder::Deflate(decoder) => write!(decoder),
            Decoder::Brotli(decoder) => write!(decoder),
            Decoder::Zstd(all) if all.len() + bytes.len() > LARGEST_ANSWER => {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            Decoder::Zstd(all) => {
                all.extend_from_slice(bytes);
                return Ok(Vec::new());
            }
        };
        Ok(std::mem::take(&mut piece.0))
    }

    /// The rest.
    fn end(self) -> io::Result<Vec<u8>> {
        match self {
            Decoder::Gzip(decoder) => decoder.finish().map(|piece| piece.0),
            Decoder::Zlib(decoder) => decoder.finish().map(|piece| piece.0),
            Decoder::Deflate(decoder) => decoder.finish().map(|piece| piece.0),
            Decoder::Brotli(mut decoder) => {
                decoder.close()?;
                Ok(std::mem::take(&mut decoder.get_mut().0))
            }
            Decoder::Zstd(all) => {
                let (mut rest, mut decoded) = (all.as_slice(), Piece::default());
                while !rest.is_empty() {
                    let frame = StreamingDecoder::new(&mut rest).map_err(io::Error::other)?;
                    io::copy(&mut frame.take(LARGEST_ANSWER as u64 + 1), &mut decoded)?;
                }
                Ok(decoded.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    #[test]
    fn what_a_server_has_flushed_is_read_before_the_end() {
        // The event below, as compressed and flushed by Node.js.
        for (coding, flushed) in [
            ("br", "iw+AZGF0YTogeyJhIjogMSwgImEiOiAxLCAiYSI6IDF9Cgo="),
            ("gzip", "H4sIAAAAAAAAA0pJLEm0UqhWSlSyUjDUUUCla7m4AAAAAP//"),
            ("deflate", "eJxKSSxJtFKoVkpUslIw1FFApWu5uAAAAAD//w=="),
        ] {
            let flushed = STANDARD.decode(flushed).expect("base64");
            let mut decoder = Decoder::new(coding, flushed[0]);
            let read: Vec<u8> = flushed
                .chunks(5)
                .flat_map(|piece| decoder.write(piece).expect("a body"))
                .collect();
            let read = String::from_utf8(read).expect("text");
            assert_eq!(read, "data: {\"a\": 1, \"a\": 1, \"a\": 1}\n\n", "{coding}");
        }
    }
}
