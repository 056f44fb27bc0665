//! The protocol of the gauges: frames with a checksum.

pub mod parse;

pub use parse::{parse, Error, Reading};

/// Something that takes readings.
pub trait Sink {
    /// Takes one reading.
    fn take(&mut self, reading: Reading);

    /// Takes all readings of an iterator.
    fn take_all(&mut self, readings: impl IntoIterator<Item = Reading>) {
        for reading in readings {
            self.take(reading);
        }
    }
}

/// Keeps the newest readings.
#[derive(Default)]
pub struct Window {
    readings: Vec<Reading>,
    capacity: usize,
}

impl Window {
    pub fn new(capacity: usize) -> Self {
        Self { readings: Vec::new(), capacity }
    }

    pub fn mean(&self) -> Option<f64> {
        if self.readings.is_empty() {
            return None;
        }
        let sum: f64 = self.readings.iter().map(|reading| reading.level).sum();
        Some(sum / self.readings.len() as f64)
    }
}

impl Sink for Window {
    fn take(&mut self, reading: Reading) {
        if self.readings.len() == self.capacity {
            self.readings.remove(0);
        }
        self.readings.push(reading);
    }
}
