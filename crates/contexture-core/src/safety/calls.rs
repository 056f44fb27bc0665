//! Secrets that stand behind a call or a word and have no name: `HTTPBasicAuth('me', '…')`, `IDENTIFIED BY '…'`.
//!
//! Rows of data and one way to read each sort. How far is looked is bounded.

use super::names::Name;
use super::read::{Quoted, argument, blanks, value_at};
use std::ops::Range;

/// How far behind its bracket an argument stands.
const NEAR: usize = 240;

/// A call, the number of the argument that is the secret, and what it is.
#[rustfmt::skip]
pub(super) const CALLS: &[(&str, usize, Name)] = &[
    ("HTTPBasicAuth(", 1, Name::Password), ("HTTPDigestAuth(", 1, Name::Password), ("HTTPProxyAuth(", 1, Name::Password),
    ("auth=(", 1, Name::Password), ("auth = (", 1, Name::Password), ("basic_auth(", 1, Name::Password), ("SetBasicAuth(", 1, Name::Password),
    ("NetworkCredential(", 1, Name::Password), ("UsernamePasswordCredentials(", 1, Name::Password), ("Credentials.basic(", 1, Name::Password),
    ("BasicAWSCredentials(", 1, Name::Secret), ("AwsBasicCredentials.create(", 1, Name::Secret), ("NewStaticCredentials(", 1, Name::Secret),
    ("NewStaticCredentialsProvider(", 1, Name::Secret), ("Credentials::new(", 1, Name::Secret),
    ("mysqli(", 2, Name::Password), ("mysqli_connect(", 2, Name::Password), ("mysql_connect(", 2, Name::Password), ("PDO(", 2, Name::Password),
    ("getConnection(", 2, Name::Password), ("MySQLdb.connect(", 2, Name::Password), ("pymysql.connect(", 2, Name::Password), ("DBI->connect(", 2, Name::Password),
    ("jwt.sign(", 1, Name::Secret), ("jwt.verify(", 1, Name::Secret), ("jwt.encode(", 1, Name::Secret), ("jwt.decode(", 1, Name::Secret),
    (".login(", 1, Name::Password), (".login(", 0, Name::Token), ("bearer_auth(", 0, Name::Token), ("Client(\"AC", 1, Name::Token), ("Client('AC", 1, Name::Token), ("twilio(", 1, Name::Token),
];

/// Words whose next word is a secret, and whether it is one without quotes, too.
#[rustfmt::skip]
pub(super) const BEHIND: &[(&str, bool)] = &[
    ("identified by ", false), ("convertto-securestring ", false), ("convertto-securestring -string ", false),
    ("requirepass ", true), ("masterauth ", true), ("-pass pass:", true), ("-passin pass:", true), ("-passout pass:", true),
    ("-storepass ", true), ("-keypass ", true),
];

/// The argument of this number, when it is a string.
pub(super) fn call(text: &str, word: &Range<usize>, nth: usize, name: Name) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let open = word.start + memchr::memchr(b'(', &bytes[word.clone()])? + 1;
    let (mut at, mut left, mut depth) = (open, nth, 0_usize);
    let mut quote = None;
    while left > 0 {
        let byte = *bytes.get(at).filter(|_| at < open + NEAR)?;
        match (quote, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(mark), _) => quote = quote.filter(|_| byte != mark),
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b',') if depth == 0 => left -= 1,
            _ => {}
        }
        at += 1;
    }
    at += bytes.get(at..)?.iter().take(NEAR).take_while(|byte| byte.is_ascii_whitespace()).count();
    argument(text, at, name)
}

/// The word or string behind a telling word.
pub(super) fn behind(text: &str, at: usize, is_bare: bool) -> Option<Range<usize>> {
    match is_bare {
        true => value_at(text, at + blanks(text.as_bytes(), at), Name::Password, Quoted::No),
        false => argument(text, at, Name::Password),
    }
}
