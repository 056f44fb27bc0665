//! `symbols`.

use crate::args::SymbolsArgs;
use crate::failure::Failure;
use crate::ui::{Ui, counted};
use contexture_server::ops::{self, Door};
use contexture_server::wire;

pub fn run(door: &Door, args: &SymbolsArgs, ui: &Ui) -> Result<(), Failure> {
    let found = ops::symbols(door, &args.path)?;
    ui.notes(&found.notes);
    if ui.json {
        ui.print_json(&wire::symbols(&found))?;
        return Ok(());
    }
    let lines = |symbol: &contexture_syntax::Symbol| match symbol.end_line {
        end if end == symbol.start_line => end.to_string(),
        end => format!("{}-{end}", symbol.start_line),
    };
    let width = found.symbols.iter().map(|symbol| lines(symbol).len()).max().unwrap_or(0);
    let mut out = String::new();
    for symbol in &found.symbols {
        let name = crate::ui::path(&symbol.qualified);
        out.push_str(&format!("{:>width$}  {:<9}  {name}\n", lines(symbol), symbol.kind.as_str()));
    }
    ui.print(&out)?;
    ui.say(&format!("{} in {}, {}", counted(found.symbols.len() as u64, "symbol"), found.path, found.language));
    Ok(())
}
