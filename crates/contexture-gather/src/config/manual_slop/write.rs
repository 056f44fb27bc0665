//! Settings as the text of a `contexture.toml`: sections in the order of the table, long lists a line for each element.

use crate::config::keys::{NAMED, SECTIONS};
use crate::config::layer::dotted;
use crate::config::node::Node;
use std::collections::BTreeMap;

type Setting = (Vec<String>, Node);

pub(super) fn write(set: &[Setting], names: &[(&'static str, String)]) -> String {
    let mut tables: BTreeMap<Vec<&str>, Vec<&Setting>> = BTreeMap::new();
    for setting in set {
        let above = setting.0.iter().rev().skip(1).rev().map(String::as_str).collect();
        tables.entry(above).or_default().push(setting);
    }
    let mut out = String::new();
    for (section, _) in SECTIONS {
        if !NAMED.contains(section) {
            tables.get([*section].as_slice()).into_iter().for_each(|keys| table(&mut out, &[section], keys));
            continue;
        }
        for (_, name) in names.iter().filter(|(known, _)| known == section) {
            let path = [*section, name.as_str()];
            table(&mut out, &path, tables.get(path.as_slice()).map(Vec::as_slice).unwrap_or_default());
        }
    }
    out
}

fn table(out: &mut String, path: &[&str], keys: &[&Setting]) {
    let blank = if out.is_empty() { "" } else { "\n" };
    out.push_str(&format!("{blank}[{}]\n", dotted(path)));
    for (key, node) in keys {
        let leaf = key.last().map(|leaf| dotted(&[leaf])).unwrap_or_default();
        match node.as_list() {
            Some(list) if list.len() > 1 => {
                out.push_str(&format!("{leaf} = [\n"));
                list.iter().filter(|node| !node.is_null()).for_each(|node| out.push_str(&format!("    {node},\n")));
                out.push_str("]\n");
            }
            _ => out.push_str(&format!("{leaf} = {node}\n")),
        }
    }
}
