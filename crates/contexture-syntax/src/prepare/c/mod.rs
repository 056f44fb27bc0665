//! What the grammars of C and C++ are given to read: the declarations of a file, written plainly.
//!
//! Takes a text; gives one of the same length with the same names at the same places, in which a parser finds its way.
//! Most errors in code of these languages are no errors: the grammar does not know the macros, and branches of conditions
//! open what others close. So the text is read the way a person skims it, by its brackets: conditions are decided, bodies
//! and values are blank, a macro before a name is taken for its type, one behind it is blank. Definitions of types in
//! bodies, and every `#define`, stay. Must never move a name, and costs time linear in the text.
//!
//! A parser then needs a fraction of the time that it takes for the whole text, and what it finds is still its own.

mod define;
mod dialect;
mod head;
mod lex;
mod names;
mod pairs;
mod parts;
mod types;
mod walk;
mod write;

pub use dialect::is_cpp;

use super::page::Page;

/// Which language the text is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    C,
    Cpp,
}

pub fn c(text: &str) -> Option<String> {
    prepare(text, Dialect::C)
}

pub fn cpp(text: &str) -> Option<String> {
    prepare(text, Dialect::Cpp)
}

fn prepare(text: &str, dialect: Dialect) -> Option<String> {
    let tokens = lex::tokens(text, dialect);
    let mut page = Page::new(text);
    for span in &tokens.dead {
        page.blank(*span);
    }
    walk::walk(text, &tokens, dialect, &mut page);
    page.finish()
}
