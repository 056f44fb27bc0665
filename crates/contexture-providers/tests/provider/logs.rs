//! What libraries log in the older way, which is one for all threads.

use log::{LevelFilter, Log, Metadata, Record};
use std::sync::Mutex;

static SEEN: Mutex<String> = Mutex::new(String::new());

struct Everything;

impl Log for Everything {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        SEEN.lock().unwrap().push_str(&format!("{} {}\n", record.target(), record.args()));
    }

    fn flush(&self) {}
}

/// Everything that is logged from here on.
pub fn collect() {
    // The second time it is there already.
    let _ = log::set_logger(&Everything);
    log::set_max_level(LevelFilter::Trace);
    SEEN.lock().unwrap().clear();
}

pub fn seen() -> String {
    SEEN.lock().unwrap().clone()
}
