//! What rows hold, as numbers and texts that any database can keep: the same in all of them.

use super::store::Result;
use super::{Fault, sqlite};
use contexture_core::{EdgeType, Permissions, SourceRole};

pub use sqlite::body::{author_type, read as read_body, write as write_body};

/// The number that stands for it in a column; [`kind`] takes it back.
pub fn kind_number(kind: EdgeType) -> i64 {
    match kind {
        EdgeType::Continuation => 0,
        EdgeType::Annotation => 1,
    }
}

/// What a number stands for. One that nothing has is damage.
pub fn kind(number: i64) -> Result<EdgeType> {
    match number {
        0 => Ok(EdgeType::Continuation),
        1 => Ok(EdgeType::Annotation),
        _ => Err(Fault::Damaged(format!("an edge of an unknown kind: {number}")).into()),
    }
}

/// The number that stands for it in a column; [`role`] takes it back.
pub fn role_number(role: SourceRole) -> i64 {
    match role {
        SourceRole::Primary => 0,
        SourceRole::Context => 1,
        SourceRole::Instruction => 2,
    }
}

/// What a number stands for. One that nothing has is damage.
pub fn role(number: i64) -> Result<SourceRole> {
    match number {
        0 => Ok(SourceRole::Primary),
        1 => Ok(SourceRole::Context),
        2 => Ok(SourceRole::Instruction),
        _ => Err(Fault::Damaged(format!("a source with an unknown role: {number}")).into()),
    }
}

/// Permissions as bits, the first the lowest; [`unpacked`] takes them back.
pub fn packed(permissions: Permissions) -> i64 {
    let Permissions { loom_aware, loom_write, loom_generate, doc_read, doc_write } = permissions;
    let bits = [loom_aware, loom_write, loom_generate, doc_read, doc_write];
    bits.into_iter().enumerate().map(|(at, is_on)| i64::from(is_on) << at).sum()
}

/// What the bits stand for; those that nothing has are passed over.
pub fn unpacked(bits: i64) -> Permissions {
    let is_on = |at: u32| bits >> at & 1 == 1;
    Permissions {
        loom_aware: is_on(0),
        loom_write: is_on(1),
        loom_generate: is_on(2),
        doc_read: is_on(3),
        doc_write: is_on(4),
    }
}
