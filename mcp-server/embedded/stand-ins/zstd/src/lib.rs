//! Stands in for the crate `zstd` (see `[patch.crates-io]` in the workspace): the runtime of the embedded PostgreSQL only
//! decodes with it, a few archives when it starts, and the C library behind it takes longer to compile than any
//! other dependency except the runtime itself.

/// Streams.
pub mod stream {
    /// Streams that are read.
    pub mod read {
        use std::io::{self, BufRead, BufReader, Read};

        use ruzstd::decoding::FrameDecoder;
        use ruzstd::decoding::StreamingDecoder;

        /// Decodes what it reads from another reader: one frame or several.
        pub struct Decoder<R: Read> {
            /// `None` after the last frame.
            frame: Option<StreamingDecoder<BufReader<R>, FrameDecoder>>,
        }

        impl<R: Read> Decoder<R> {
            /// Decodes from this reader.
            ///
            /// # Errors
            /// It does not start with a frame.
            pub fn new(reader: R) -> io::Result<Decoder<R>> {
                let frame = start(BufReader::new(reader), FrameDecoder::new())?;
                Ok(Decoder { frame: Some(frame) })
            }
        }

        fn start<R: Read>(
            reader: BufReader<R>,
            decoder: FrameDecoder,
        ) -> io::Result<StreamingDecoder<BufReader<R>, FrameDecoder>> {
            StreamingDecoder::new_with_decoder(reader, decoder).map_err(io::Error::other)
        }

        impl<R: Read> Read for Decoder<R> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                while let Some(frame) = &mut self.frame {
                    let count = frame.read(into)?;
                    if count > 0 || into.is_empty() {
                        return Ok(count);
                    }
                    if let Some(frame) = self.frame.take() {
                        let (mut reader, decoder) = frame.into_parts();
                        if !reader.fill_buf()?.is_empty() {
                            self.frame = Some(start(reader, decoder)?);
                        }
                    }
                }
                Ok(0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::stream::read::Decoder;

    /// A frame with these bytes as they are.
    fn frame(bytes: &[u8]) -> Vec<u8> {
        let length = u8::try_from(bytes.len()).expect("a small frame");
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, length];
        frame.extend([length << 3 | 1, length >> 5, 0]);
        frame.extend(bytes);
        frame
    }

    #[test]
    fn all_frames_are_decoded() {
        let frames = [frame(b"Open "), frame(b""), frame(b"Day")].concat();
        let mut text = String::new();
        let mut decoder = Decoder::new(frames.as_slice()).expect("a frame");
        decoder.read_to_string(&mut text).expect("frames");
        assert_eq!(text, "Open Day");
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        assert!(Decoder::new(&b"Open Day"[..]).is_err());
        let mut torn = frame(b"Open Day");
        torn.truncate(12);
        let mut decoder = Decoder::new(torn.as_slice()).expect("a frame");
        assert!(decoder.read_to_end(&mut Vec::new()).is_err());
    }
}
