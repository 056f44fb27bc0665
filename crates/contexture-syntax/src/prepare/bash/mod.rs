//! A script of the shell made readable for the grammar.
//!
//! Takes a text; gives a copy of the same length with the same functions, settings and comments at the same places. Where the
//! script can be followed from its first byte to its last, only its bones are left (see [`bones`]); where it cannot, be it cut
//! off or written for another shell, single words are replaced (see [`words`]) and the rest is left to the grammar.

mod bones;
mod heredoc;
mod quoting;
mod reserved;
mod state;
mod tokens;
mod words;

pub fn prepare(text: &str) -> Option<String> {
    bones::prepare(text).or_else(|| words::prepare(text))
}

#[cfg(test)]
mod tests;
