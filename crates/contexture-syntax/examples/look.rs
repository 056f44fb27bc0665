//! Prints views of a file: `look skeleton|outline|symbols|tree|time FILE...`.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)]
use contexture_syntax as syntax;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((what, files)) = words.split_first() else { return };
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        let Some(language) = syntax::language_of(file, &text) else {
            println!("{file}: no language");
            continue;
        };
        let structure = match syntax::read(language, &text) {
            Ok(structure) => structure,
            Err(refusal) => {
                println!("{file}: {refusal}");
                continue;
            }
        };
        match what.as_str() {
            "skeleton" => print!("{}", syntax::skeleton(language, &structure, &text)),
            "outline" => print!("{}", syntax::outline(language, &structure, &text)),
            "tree" => println!("{}", tree_sitter::format_sexp(&syntax::sexp(language, &text), 0)),
            _ => {
                for s in syntax::symbols(language, &structure, &text) {
                    println!(
                        "{}\t{}\t{}-{}\t{}\t{}",
                        s.kind.as_str(),
                        s.qualified,
                        s.start_line,
                        s.end_line,
                        s.visibility.as_str(),
                        s.signature
                    );
                }
            }
        }
    }
}
