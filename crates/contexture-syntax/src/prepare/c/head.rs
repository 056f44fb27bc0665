//! Which word of a statement is the name it declares.
//!
//! Takes the parts of a statement; says where name and parameters are. Macros make this a guess: names in capitals are taken
//! for macros where two readings are possible, as people take them.

use super::Dialect;
use super::lex::kind;
use super::parts::{Part, Reader, What};

/// A function: the parts that are its name, and its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: usize,
    pub parameters: usize,
}

/// The name and the parameters of a function, when the statement declares one.
pub fn function(reader: &Reader<'_>, parts: &[Part]) -> Option<Function> {
    let rounds = parts.iter().enumerate().filter(|(_, part)| part.what == What::Round).map(|(at, _)| at);
    let mut skip = 0;
    for at in rounds {
        if at < skip {
            continue;
        }
        let Some(name) = name_before(reader, parts, at) else {
            // `int (name)(parameters)`, as one writes where a macro of that name may exist.
            if parts.get(at + 1).is_some_and(|part| part.what == What::Round) {
                return names_one(reader, parts, at).then_some(Function { name: at, parameters: at + 1 });
            }
            continue;
        };
        if let Some(name) = doubled(reader, parts, at) {
            return Some(Function { name, parameters: at });
        }
        match parts.get(at + 1).map(|part| part.what) {
            Some(What::Round) if is_macro(reader, parts, at) => return Some(Function { name, parameters: at + 1 }),
            Some(What::Round) if names_one(reader, parts, at) => {
                return Some(Function { name: at, parameters: at + 1 });
            }
            Some(What::Round | What::Square) if points(reader, parts, at) => return None,
            _ => {}
        }
        match next_name(reader, parts, at) {
            Some(next) if is_prefix(reader, parts, at, next) => skip = next,
            _ => return Some(Function { name, parameters: at }),
        }
    }
    None
}

/// The name in `int name OF((int a))`, as headers had it when compilers knew no prototypes.
fn doubled(reader: &Reader<'_>, parts: &[Part], at: usize) -> Option<usize> {
    let round = parts.get(at)?;
    let is_double = reader.kind(round.first + 1) == b'(' && reader.partner(round.first + 1) == Some(round.last - 1);
    let has_macro = at >= 2 && parts.get(at - 1).is_some_and(|part| part.what == What::Word);
    if is_double && has_macro { name_before(reader, parts, at - 1).filter(|name| *name > 0) } else { None }
}

/// Where the name begins that ends before this part: `a::b<T>::~c`.
pub fn name_before(reader: &Reader<'_>, parts: &[Part], end: usize) -> Option<usize> {
    let mut at = end.checked_sub(1)?;
    if parts.get(at)?.what == What::Angle {
        at = at.checked_sub(1)?;
    }
    match parts.get(at)?.what {
        What::Operator => {}
        What::Word if !is_keyword(reader.word(parts.get(at)?.first), reader.dialect) => {
            if at > 0 && parts.get(at - 1)?.what == What::Mark(b'~') {
                at -= 1;
            }
        }
        _ => return None,
    }
    Some(scopes_before(reader, parts, at))
}

/// Steps back over `a::b<T>::`.
fn scopes_before(reader: &Reader<'_>, parts: &[Part], mut at: usize) -> usize {
    while let Some(scope) =
        at.checked_sub(1).filter(|before| parts.get(*before).map(|part| part.what) == Some(What::Mark(kind::SCOPE)))
    {
        at = scope;
        let mut before = match at.checked_sub(1) {
            Some(before) => before,
            None => break,
        };
        if parts.get(before).is_some_and(|part| part.what == What::Angle) && before > 0 {
            before -= 1;
        }
        match parts.get(before) {
            Some(part) if part.what == What::Word && !is_keyword(reader.word(part.first), reader.dialect) => {
                at = before
            }
            _ => break,
        }
    }
    at
}

/// The next brackets behind a name, when nothing stands before it that ends the list of parameters.
fn next_name(reader: &Reader<'_>, parts: &[Part], at: usize) -> Option<usize> {
    for (place, part) in parts.iter().enumerate().skip(at + 1) {
        match part.what {
            // `int (name)(…)`, `int (*name)(…)`
            What::Round if is_wrapped(reader, parts, place) => return Some(place),
            What::Round => return name_before(reader, parts, place).filter(|name| *name > at).map(|_| place),
            What::Word if is_trailing(reader.word(part.first)) => return None,
            What::Word | What::Angle | What::Operator | What::Attribute => {}
            What::Mark(b'*' | b'&' | b'~' | kind::SCOPE) => {}
            _ => return None,
        }
    }
    None
}

/// Whether brackets behind a type hold a name, with other brackets behind them.
fn is_wrapped(reader: &Reader<'_>, parts: &[Part], at: usize) -> bool {
    let follows = matches!(parts.get(at + 1).map(|part| part.what), Some(What::Round | What::Square));
    let typed = at.checked_sub(1).is_some_and(|before| is_keyword(reader.word_of(parts, before), reader.dialect));
    follows && (points(reader, parts, at) || (typed && names_one(reader, parts, at)))
}

/// Of `A(…) … B(…)`: whether `A` is a macro before a declaration rather than a function with a macro behind it.
fn is_prefix(reader: &Reader<'_>, parts: &[Part], first: usize, second: usize) -> bool {
    let between = parts.get(first + 1..second - 1).unwrap_or(&[]);
    let says_type = between.iter().any(|part| match part.what {
        What::Word => !is_loud(reader.word(part.first)),
        _ => part.what != What::Attribute,
    });
    // `void printflike(3, 4) f(…)`: no parameter is a number.
    let holds_value =
        parts.get(first).is_some_and(|part| matches!(reader.kind(part.first + 1), kind::NUMBER | kind::TEXT));
    if says_type || holds_value {
        return true;
    }
    match (is_macro(reader, parts, first), is_macro(reader, parts, second)) {
        (true, false) => true,
        (false, true) => false,
        _ => first == 1,
    }
}

/// Whether the word before this part is written as macros are.
fn is_macro(reader: &Reader<'_>, parts: &[Part], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| parts.get(before));
    before.is_some_and(|part| part.what == What::Word && is_loud(reader.word(part.first)))
}

/// A function that returns a pointer to one, `int (*name(…))(…)`: the part around its name, the name and its brackets.
pub fn returns_pointer(reader: &Reader<'_>, parts: &[Part]) -> Option<(usize, usize)> {
    let is_word = |at: usize| parts.get(at).is_some_and(|part| part.what == What::Word);
    let mut rounds = (0..parts.len()).filter(|at| parts.get(*at).is_some_and(|part| part.what == What::Round));
    let at = rounds.find(|at| !(is_macro(reader, parts, *at) && is_word(at + 1)))?;
    let is_followed = matches!(parts.get(at + 1).map(|part| part.what), Some(What::Round | What::Square));
    if at == 0 || !is_followed || !points(reader, parts, at) {
        return None;
    }
    let name = inner_name(reader, parts.get(at)?)?;
    (reader.kind(name + 1) == b'(' && reader.partner(name + 1).is_some()).then_some((at, name))
}

/// Whether brackets hold one word and nothing else.
pub fn names_one(reader: &Reader<'_>, parts: &[Part], at: usize) -> bool {
    parts.get(at).is_some_and(|part| part.last == part.first + 2 && !matches!(reader.word(part.first + 1), "" | "void"))
}

/// Whether brackets hold the name of a pointer: `(*name)`, `(CALL *name[3])`.
pub fn points(reader: &Reader<'_>, parts: &[Part], at: usize) -> bool {
    let Some(part) = parts.get(at) else { return false };
    let star = |place: usize| matches!(reader.kind(place), b'*' | b'^' | b'&');
    let first = part.first + 1;
    star(first)
        || (reader.kind(first) == kind::WORD && star(first + 1))
        || (reader.kind(first) == kind::WORD && reader.kind(first + 1) == kind::SCOPE && star(first + 2))
}

/// The token of the name in `(*name)` or `(name)`.
pub fn inner_name(reader: &Reader<'_>, part: &Part) -> Option<usize> {
    let mut name = None;
    for at in part.first + 1..part.last {
        match reader.kind(at) {
            kind::WORD if !is_keyword(reader.word(at), reader.dialect) => name = Some(at),
            b'(' if name.is_none() => {}
            b')' | b'[' | b'(' => break,
            _ => {}
        }
    }
    name
}

/// Whether brackets behind a name hold parameters rather than values.
pub fn holds_parameters(reader: &Reader<'_>, part: &Part) -> bool {
    if reader.dialect == Dialect::C || part.last == part.first + 1 {
        return true;
    }
    match reader.kind(part.first + 1) {
        kind::NUMBER | kind::TEXT | b'{' | b'&' | b'-' | b'!' | b'*' => return false,
        _ => {}
    }
    for at in part.first + 1..part.last {
        let next = reader.kind(at + 1);
        match reader.kind(at) {
            kind::WORD if is_keyword(reader.word(at), reader.dialect) && !is_value_word(reader.word(at)) => {
                return true;
            }
            kind::WORD if next == kind::WORD || next == b'<' => return true,
            kind::WORD if matches!(next, b'*' | b'&') => {
                return matches!(reader.kind(at + 2), b',' | b')' | b'&' | b'*' | kind::WORD);
            }
            b'.' if next == b'.' => return true,
            b'(' | b'[' | b'{' | kind::TEXT | kind::NUMBER | kind::OPERATOR => return false,
            _ => {}
        }
    }
    // A single name: types begin with a capital letter more often than values do.
    reader.word(part.last - 1).starts_with(|c: char| c.is_uppercase()) && !is_loud(reader.word(part.last - 1))
}

fn is_value_word(word: &str) -> bool {
    matches!(
        word,
        "this" | "true" | "false" | "nullptr" | "new" | "sizeof" | "static_cast" | "reinterpret_cast" | "const_cast"
    )
}

/// Written in capitals.
pub fn is_loud(word: &str) -> bool {
    word.len() > 1
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && !word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// A word before the name of a type.
pub fn is_key(word: &str, dialect: Dialect) -> bool {
    matches!(word, "struct" | "union" | "enum") || (word == "class" && dialect == Dialect::Cpp)
}

/// Whether a word between `struct` and a name is rather a macro that says who sees the type than the type.
pub fn exports(word: &str) -> bool {
    const ENDS: [&str; 7] = ["API", "EXPORT", "Export", "EXPORTS", "PUBLIC", "DLL", "_export"];
    ENDS.iter().any(|end| word.ends_with(end)) || word.starts_with("EXPORT") || word.starts_with("DLL")
}

/// Whether a word between `struct` and a name may be a macro.
pub fn marks_type(word: &str) -> bool {
    is_loud(word) || word.starts_with("__") || exports(word)
}

/// Whether a word behind a name may be a macro: compilers and their users write attributes so.
pub fn marks_name(word: &str) -> bool {
    is_loud(word) || word.starts_with("__")
}

/// Words that may stand behind the parameters of a function.
pub fn is_trailing(word: &str) -> bool {
    matches!(word, "const" | "volatile" | "override" | "final" | "noexcept" | "throw" | "try" | "requires" | "mutable")
}

/// Words before a declaration that both grammars know.
pub fn is_storage(word: &str, dialect: Dialect) -> bool {
    match word {
        "extern" | "static" | "register" | "inline" | "__inline" | "__inline__" | "__forceinline" | "thread_local"
        | "__thread" | "const" | "volatile" | "constexpr" | "typedef" | "__extension__" => true,
        "auto" | "restrict" | "_Noreturn" => dialect == Dialect::C,
        "virtual" | "explicit" | "friend" | "mutable" | "constinit" | "consteval" => dialect == Dialect::Cpp,
        _ => false,
    }
}

/// Words that are no name.
pub fn is_keyword(word: &str, dialect: Dialect) -> bool {
    match word {
        "" | "auto" | "break" | "case" | "char" | "const" | "default" | "do" | "double" | "else" | "enum"
        | "extern" | "float" | "for" | "goto" | "if" | "inline" | "int" | "long" | "register" | "restrict"
        | "return" | "short" | "signed" | "sizeof" | "static" | "struct" | "switch" | "typedef" | "union"
        | "unsigned" | "void" | "volatile" | "while" | "asm" | "typeof" | "__typeof__" | "__typeof"
        | "__attribute__" | "__attribute" | "__declspec" | "__inline" | "__inline__" | "__forceinline"
        | "__extension__" | "_Alignas" | "_Static_assert" | "__asm__" | "__asm" | "__restrict" | "__restrict__"
        | "__volatile__" | "__const" => true,
        "alignas" | "alignof" | "bool" | "catch" | "char16_t" | "char32_t" | "char8_t" | "class" | "concept"
        | "const_cast" | "consteval" | "constexpr" | "constinit" | "decltype" | "delete" | "explicit" | "false"
        | "friend" | "mutable" | "namespace" | "new" | "noexcept" | "nullptr" | "operator" | "reinterpret_cast"
        | "requires" | "static_assert" | "static_cast" | "template" | "this" | "thread_local" | "throw" | "true"
        | "try" | "typename" | "using" | "virtual" | "wchar_t" => dialect == Dialect::Cpp,
        _ => false,
    }
}
