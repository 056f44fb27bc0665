//! Prints what a question needs of a folder: `cargo run -p embed -- FOLDER QUESTION`.

use contexture::ops::{Door, OpError, plan};
use contexture::requests::{DocumentRequest, TokenCount};

fn main() -> Result<(), OpError> {
    let mut words = std::env::args().skip(1);
    let door = Door::for_folder(words.next().unwrap_or_else(|| ".".into()));
    let request =
        DocumentRequest { query: words.next(), budget: Some(TokenCount(4_000)), ..DocumentRequest::default() };
    let made = plan(&door, &request)?;
    print!("{}", made.compiled.output.text());
    for pick in &made.compiled.plan.picks {
        eprintln!("{:>6} {} ({}): {}", pick.tokens.0, pick.path, pick.level, pick.reason());
    }
    Ok(())
}
