//! Which word of a statement is the name it declares.
//!
//! Takes the parts of a statement; says where name and parameters are. Macros make this a guess: names in capitals are taken
//! for macros where two readings are possible, as people take them.

use super::Dialect;
use super::lex::kind;
use super::parts::{CReader, Part, PartKind, Parts};

/// A function: the parts that are its name, and its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: usize,
    pub parameters: usize,
}

/// The name and the parameters of a function, when the statement declares one.
pub fn function(reader: &CReader<'_>, parts: &[Part<'_>]) -> Option<Function> {
    let mut skip = 0;
    for at in 0..parts.len() {
        if at < skip || parts.kind(at) != Some(PartKind::Round) {
            continue;
        }
        let is_called = parts.kind(at + 1) == Some(PartKind::Round);
        let Some(name) = name_before(reader, parts, at) else {
            // `int (name)(parameters)`, as one writes where a macro of that name may exist.
            if is_called {
                return names_one(reader, parts, at).then_some(Function { name: at, parameters: at + 1 });
            }
            continue;
        };
        if let Some(name) = macro_name(reader, parts, at) {
            return Some(Function { name, parameters: at });
        }
        if is_called && is_macro(parts, at) {
            return Some(Function { name, parameters: at + 1 });
        }
        if is_called && names_one(reader, parts, at) {
            return Some(Function { name: at, parameters: at + 1 });
        }
        if is_followed(parts, at) && points(reader, parts, at) {
            return None;
        }
        match next_name(reader, parts, at) {
            Some(next) if is_prefix(reader, parts, at, next) => skip = next,
            _ => return Some(Function { name, parameters: at }),
        }
    }
    None
}

/// Whether brackets stand behind a part.
fn is_followed(parts: &[Part<'_>], at: usize) -> bool {
    matches!(parts.kind(at + 1), Some(PartKind::Round | PartKind::Square))
}

/// The name in `int name OF((int a))`, as headers had it when compilers knew no prototypes.
fn macro_name(reader: &CReader<'_>, parts: &[Part<'_>], at: usize) -> Option<usize> {
    let round = parts.get(at)?;
    let is_double = reader.kind(round.first + 1) == b'(' && reader.partner(round.first + 1) == Some(round.last - 1);
    let has_macro = at >= 2 && parts.kind(at - 1) == Some(PartKind::Word);
    if is_double && has_macro { name_before(reader, parts, at - 1).filter(|name| *name > 0) } else { None }
}

/// Where the name begins that ends before this part: `a::b<T>::~c`.
pub fn name_before(reader: &CReader<'_>, parts: &[Part<'_>], end: usize) -> Option<usize> {
    let mut at = end.checked_sub(1)?;
    if parts.kind(at) == Some(PartKind::Angle) {
        at = at.checked_sub(1)?;
    }
    if !is_keyword(parts.word(at), reader.dialect) {
        if at > 0 && parts.kind(at - 1) == Some(PartKind::Mark(b'~')) {
            at -= 1;
        }
    } else if parts.kind(at) != Some(PartKind::Operator) {
        return None;
    }
    // Over `a::b<T>::` before it.
    while let Some(scope) = at.checked_sub(1).filter(|at| parts.kind(*at) == Some(PartKind::Mark(kind::SCOPE))) {
        at = scope;
        let Some(mut before) = at.checked_sub(1) else { break };
        if parts.kind(before) == Some(PartKind::Angle) && before > 0 {
            before -= 1;
        }
        if is_keyword(parts.word(before), reader.dialect) {
            break;
        }
        at = before;
    }
    Some(at)
}

/// The next brackets behind a name, when nothing stands before it that ends the list of parameters.
fn next_name(reader: &CReader<'_>, parts: &[Part<'_>], at: usize) -> Option<usize> {
    for (place, part) in parts.iter().enumerate().skip(at + 1) {
        match part.kind {
            // `int (name)(…)`, `int (*name)(…)`
            PartKind::Round if is_wrapped(reader, parts, place) => return Some(place),
            PartKind::Round => return name_before(reader, parts, place).filter(|name| *name > at).map(|_| place),
            PartKind::Word if is_trailing(part.word) => return None,
            PartKind::Word | PartKind::Angle | PartKind::Operator | PartKind::Attribute => {}
            PartKind::Mark(b'*' | b'&' | b'~' | kind::SCOPE) => {}
            _ => return None,
        }
    }
    None
}

/// Whether brackets behind a type hold a name, with other brackets behind them.
fn is_wrapped(reader: &CReader<'_>, parts: &[Part<'_>], at: usize) -> bool {
    let typed = at > 0 && is_keyword(parts.word(at - 1), reader.dialect);
    is_followed(parts, at) && (points(reader, parts, at) || (typed && names_one(reader, parts, at)))
}

/// Of `A(…) … B(…)`: whether `A` is a macro before a declaration rather than a function with a macro behind it.
fn is_prefix(reader: &CReader<'_>, parts: &[Part<'_>], first: usize, second: usize) -> bool {
    let between = parts.get(first + 1..second - 1).unwrap_or(&[]);
    let says_type = between.iter().any(|part| match part.kind {
        PartKind::Word => !is_loud(part.word),
        _ => part.kind != PartKind::Attribute,
    });
    // `void printflike(3, 4) f(…)`: no parameter is a number.
    let holds_value =
        parts.get(first).is_some_and(|part| matches!(reader.kind(part.first + 1), kind::NUMBER | kind::TEXT));
    if says_type || holds_value {
        return true;
    }
    match (is_macro(parts, first), is_macro(parts, second)) {
        (true, false) => true,
        (false, true) => false,
        _ => first == 1,
    }
}

/// Whether the word before this part is written as macros are.
fn is_macro(parts: &[Part<'_>], at: usize) -> bool {
    at > 0 && is_loud(parts.word(at - 1))
}

/// A function that returns a pointer to one, `int (*name(…))(…)`: the part around its name, the name and its brackets.
pub fn returns_pointer(reader: &CReader<'_>, parts: &[Part<'_>]) -> Option<(usize, usize)> {
    let mut rounds = (0..parts.len()).filter(|at| parts.kind(*at) == Some(PartKind::Round));
    let at = rounds.find(|at| !(is_macro(parts, *at) && parts.kind(at + 1) == Some(PartKind::Word)))?;
    if at == 0 || !is_followed(parts, at) || !points(reader, parts, at) {
        return None;
    }
    let name = inner_name(reader, parts.get(at)?)?;
    (reader.kind(name + 1) == b'(' && reader.partner(name + 1).is_some()).then_some((at, name))
}

/// Whether brackets hold one word and nothing else.
pub fn names_one(reader: &CReader<'_>, parts: &[Part<'_>], at: usize) -> bool {
    parts.get(at).is_some_and(|part| part.last == part.first + 2 && !matches!(reader.word(part.first + 1), "" | "void"))
}

/// Whether brackets hold the name of a pointer: `(*name)`, `(CALL *name[3])`.
pub fn points(reader: &CReader<'_>, parts: &[Part<'_>], at: usize) -> bool {
    let Some(part) = parts.get(at) else { return false };
    let star = |place: usize| matches!(reader.kind(place), b'*' | b'^' | b'&');
    let first = part.first + 1;
    let is_word = reader.kind(first) == kind::WORD;
    star(first) || is_word && (star(first + 1) || reader.kind(first + 1) == kind::SCOPE && star(first + 2))
}

/// The token of the name in `(*name)` or `(name)`.
pub fn inner_name(reader: &CReader<'_>, part: &Part<'_>) -> Option<usize> {
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
pub fn holds_parameters(reader: &CReader<'_>, part: &Part<'_>) -> bool {
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
