//! Ids from random bits. A time in an id would make those of one moment alike: short ids are its beginning.

/// Crockford's letters: none of them looks like another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// An id that no other record anywhere has: 130 random bits.
pub fn fresh() -> std::io::Result<String> {
    let mut bytes = [0; 26];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words_of_their_own() {
        let (one, other) = (fresh().unwrap(), fresh().unwrap());
        assert_eq!(one.len(), 26);
        assert_ne!(one[..13], other[..13]);
        assert!(one.bytes().all(|byte| LETTERS.contains(&byte)));
    }
}
