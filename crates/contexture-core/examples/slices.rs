//! Lines that somebody marked, found again after the text around them and in them was edited.
//!
//! `cargo run -p contexture-core --example slices`

use contexture_core::anchor::{make, resolve};
use std::error::Error;
use std::io::Write;

const BEFORE: &str = "import math\n\n\ndef area(r):\n    return math.pi * r * r\n\n\ndef volume(r):\n    return 4 / 3 * math.pi * r ** 3\n";

pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // What a program stores beside the path: all that is needed to find the lines again, and none of the file.
    let slice = make(BEFORE, 8, 9, Some("volume"), None)?;

    let above = BEFORE.replace("def area(r):", "def perimeter(r):\n    return 2 * math.pi * r\n\n\ndef area(r):");
    let inside = above.replace("4 / 3 * math.pi * r ** 3", "4 * math.pi * r ** 3 / 3");
    let gone = "import math\n\n\ndef area(r):\n    return math.pi * r * r\n";
    for (what, text) in
        [("as it was", BEFORE), ("edited above", &above), ("edited inside", &inside), ("taken out", gone)]
    {
        let found = resolve(&slice, text);
        let lines = found.lines.map_or_else(String::new, |(first, last)| format!(", lines {first} to {last}"));
        writeln!(out, "{what}: {}{lines}: {}", found.outcome, found.why)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}
