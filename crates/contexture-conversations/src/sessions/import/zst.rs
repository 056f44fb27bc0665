//! Compressed files as a stream: frame after frame, never held whole.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

pub(super) const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Errors of the data are `InvalidData`, so that they can be told from those of the disk.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    open: bool,
    failed: bool,
}

impl<R: BufRead> Frames<R> {
    pub fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), open: false, failed: false }
    }

    fn fail(&mut self, why: impl std::fmt::Display) -> io::Error {
        self.failed = true;
        io::Error::new(io::ErrorKind::InvalidData, format!("compressed data is damaged: {why}"))
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.failed || buffer.is_empty() {
                return Ok(0);
            }
            if self.open && self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.open && !self.decoder.is_finished() {
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)) {
                    return Err(self.fail(error));
                }
                continue;
            }
            self.open = false;
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => self.open = true,
                Err(error) => match skippable(&error) {
                    Some(length) => {
                        io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
                    }
                    None => return Err(self.fail(error)),
                },
            }
        }
    }
}

/// A frame that is there to be passed over.
fn skippable(error: &FrameDecoderError) -> Option<u64> {
    match error {
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. }) => {
            Some(u64::from(*length))
        }
        _ => None,
    }
}
