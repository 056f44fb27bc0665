//! Numbers of tokens as people write them: `8000`, `8k`, `1.5M`.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A number of tokens. Written as a number; read from a number or a text such as `8k`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[schemars(inline, description = "", extend("type" = ["integer", "string"], "minimum" = 0, "pattern" = PATTERN))]
pub struct TokenCount(#[schemars(with = "String")] pub u64);

const PATTERN: &str = "^[0-9]{1,15}([.][0-9]{1,3})?[kKmM]$|^[0-9]{1,15}$";

impl From<TokenCount> for u64 {
    fn from(count: TokenCount) -> Self {
        count.0
    }
}

impl fmt::Display for TokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TokenCount {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "not a number of tokens, such as 8000, 8k or 1.5M";
        let (digits, unit): (&str, u64) = match text.strip_suffix(['k', 'K']) {
            Some(digits) => (digits, 1_000),
            None => text.strip_suffix(['m', 'M']).map_or((text, 1), |digits| (digits, 1_000_000)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // A part of a token is no token: as many digits behind the point as the unit has zeros.
        let zeros = unit.ilog10() as usize;
        if whole.is_empty() || !is_number(whole) || !is_number(part) || part.len() > zeros || digits.ends_with('.') {
            return Err(WRONG);
        }
        let part = format!("{part:0<zeros$}");
        let part = if part.is_empty() { 0 } else { part.parse::<u64>().map_err(|_| WRONG)? };
        let whole = whole.parse::<u64>().ok().and_then(|whole| whole.checked_mul(unit)?.checked_add(part));
        whole.map(Self).ok_or(WRONG)
    }
}

impl<'de> Deserialize<'de> for TokenCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = match Value::deserialize(deserializer)? {
            Value::String(text) => return text.parse().map_err(D::Error::custom),
            number => number,
        };
        // Models write `8000.0`.
        let whole = number.as_f64().filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number));
        let count = number.as_u64().or(whole.map(|number| number as u64));
        count.map(Self).ok_or_else(|| D::Error::custom("not a number of tokens"))
    }
}

#[cfg(test)]
mod tests {
    use super::TokenCount;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, count) in [("0", 0), ("8000", 8_000), ("8k", 8_000), ("1.5M", 1_500_000), ("2.25K", 2_250)] {
            assert_eq!(text.parse(), Ok(TokenCount(count)), "{text}");
            assert_eq!(serde_json::from_value(text.into()).ok(), Some(TokenCount(count)), "{text}");
        }
        for text in
            ["", "k", "-1", "1.5", "1.k", ".5k", "1.2345k", "8kk", "8 k", "99999999999999999999", "99999999999999999k"]
        {
            assert!(text.parse::<TokenCount>().is_err(), "{text}");
        }
        assert_eq!(serde_json::from_str("8000.0").ok(), Some(TokenCount(8_000)));
        assert!(serde_json::from_str::<TokenCount>("0.5").is_err());
    }
}
