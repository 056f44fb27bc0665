//! A picture of folders, from sorted paths.

use super::printable;

/// One line for each folder and file, indented by depth. `paths` are sorted bytewise; what differs in order only by the
/// place of `/` still lands below its folder, because a folder is printed whenever the trail changes.
pub fn tree<'a>(paths: impl Iterator<Item = &'a str>) -> String {
    let mut sorted: Vec<Vec<&str>> = paths.map(|path| path.split('/').collect()).collect();
    sorted.sort();
    sorted.dedup();
    let mut out = String::new();
    let mut trail: Vec<&str> = Vec::new();
    for parts in &sorted {
        let Some((name, folders)) = parts.split_last() else { continue };
        let same = trail.iter().zip(folders).take_while(|(a, b)| a == b).count();
        trail.truncate(same);
        for folder in &folders[same..] {
            line(&mut out, trail.len(), folder, "/");
            trail.push(folder);
        }
        line(&mut out, trail.len(), name, "");
    }
    out
}

fn line(out: &mut String, depth: usize, name: &str, end: &str) {
    // Indentation stops growing at 40 levels: a path of 4,000 folders must not print millions of spaces.
    out.push_str(&"  ".repeat(depth.min(40)));
    out.push_str(&printable(name));
    out.push_str(end);
    out.push('\n');
}
