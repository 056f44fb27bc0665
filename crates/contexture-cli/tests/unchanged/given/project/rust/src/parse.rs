//! Parses frames: `$station,seconds,level*checksum`.

use std::fmt;

/// One reading of a gauge.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub station: String,
    pub seconds: u64,
    pub level: f64,
}

/// Why a frame was refused.
#[derive(Debug, PartialEq)]
pub enum Error {
    Start,
    Checksum { expected: u8, found: u8 },
    Field(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => write!(f, "the frame does not start with `$`"),
            Self::Checksum { expected, found } => write!(f, "checksum {found:02x}, expected {expected:02x}"),
            Self::Field(name) => write!(f, "bad field: {name}"),
        }
    }
}

/// Parses one frame.
pub fn parse(frame: &str) -> Result<Reading, Error> {
    let body = frame.strip_prefix('$').ok_or(Error::Start)?;
    let (body, sum) = body.split_once('*').ok_or(Error::Field("checksum"))?;
    let found = u8::from_str_radix(sum.trim(), 16).map_err(|_| Error::Field("checksum"))?;
    let expected = checksum(body);
    if found != expected {
        return Err(Error::Checksum { expected, found });
    }
    let mut fields = body.split(',');
    let station = fields.next().ok_or(Error::Field("station"))?.to_owned();
    let seconds = number(fields.next(), "seconds")?;
    let level = number(fields.next(), "level")?;
    Ok(Reading { station, seconds, level })
}

fn number<T: std::str::FromStr>(field: Option<&str>, name: &'static str) -> Result<T, Error> {
    field.and_then(|text| text.parse().ok()).ok_or(Error::Field(name))
}

fn checksum(body: &str) -> u8 {
    body.bytes().fold(0, |sum, byte| sum ^ byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_checksum_is_refused() {
        assert!(matches!(parse("$quay,7,1.25*00"), Err(Error::Checksum { .. })));
    }
}
