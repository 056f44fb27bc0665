//! Server-sent events, out of bytes that come in any pieces.
//!
//! Takes bytes as the network has cut them; gives the events in them. Where the bytes are cut makes no difference: what is not yet
//! a whole line is kept. Any of the three line ends, a mark before the first line, comments and unknown fields are taken as the
//! standard says; what stands after the last blank line is given too, since servers leave the last line end out.
//!
//! Of the libraries for this, `eventsource-stream` panics at a mark before the first line, and neither it nor `sseer` limits the
//! size of an event, gives the last event without a blank line, or says where an event ends in the bytes.

/// An event: its name, empty where it has none, and its data with one line end between its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub name: String,
    pub data: String,
    /// How many bytes had come when it was whole.
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SseError {
    /// An event has more bytes than allowed.
    TooLarge,
    NotUtf8,
}

pub(super) struct Sse {
    largest: usize,
    /// Bytes that were looked at.
    seen: usize,
    /// The line that is not whole yet.
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    is_first_line: bool,
    /// The last byte ended a line, and one more may belong to that end.
    after_return: bool,
}

impl Sse {
    pub fn new(largest: usize) -> Self {
        Self {
            largest,
            seen: 0,
            line: Vec::new(),
            name: String::new(),
            data: None,
            is_first_line: true,
            after_return: false,
        }
    }

    pub fn feed(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), SseError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_return)
                && let Some(after) = rest.strip_prefix(b"\n")
            {
                self.seen += 1;
                rest = after;
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
            if self.held_len() + piece.len() > self.largest {
                return Err(SseError::TooLarge);
            }
            self.line.extend_from_slice(piece);
            self.seen += piece.len();
            rest = after;
            if let Some((last, after)) = after.split_first() {
                self.seen += 1;
                self.after_return = *last == b'\r';
                self.end_line(frames)?;
                rest = after;
            }
        }
        Ok(())
    }

    /// What is left when no more bytes come.
    pub fn end(&mut self, frames: &mut Vec<Frame>) -> Result<(), SseError> {
        if !self.line.is_empty() {
            self.end_line(frames)?;
        }
        self.end_event(frames);
        Ok(())
    }

    fn held_len(&self) -> usize {
        self.line.len() + self.name.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self, frames: &mut Vec<Frame>) -> Result<(), SseError> {
        let held = std::mem::take(&mut self.line);
        let mut line = held.as_slice();
        if std::mem::take(&mut self.is_first_line) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            self.end_event(frames);
            return Ok(());
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = |value| std::str::from_utf8(value).map_err(|_| SseError::NotUtf8);
        match field {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(text(value)?);
                }
                None => self.data = Some(text(value)?.to_owned()),
            },
            b"event" => self.name = text(value)?.to_owned(),
            _ => {}
        }
        Ok(())
    }

    /// An event without data is none.
    fn end_event(&mut self, frames: &mut Vec<Frame>) {
        let name = std::mem::take(&mut self.name);
        frames.extend(self.data.take().map(|data| Frame { name, data, end: self.seen }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Result<Vec<Frame>, SseError> {
        let (mut sse, mut frames) = (Sse::new(1_000), Vec::new());
        for piece in pieces {
            sse.feed(piece, &mut frames)?;
        }
        sse.end(&mut frames)?;
        Ok(frames)
    }

    fn pairs(bytes: &[u8]) -> Vec<(String, String)> {
        read(&[bytes]).unwrap().into_iter().map(|frame| (frame.name, frame.data)).collect()
    }

    fn pair(name: &str, data: &str) -> (String, String) {
        (name.to_owned(), data.to_owned())
    }

    #[test]
    fn fields_are_read_as_the_standard_says() {
        assert_eq!(pairs(b"data: a\n\ndata:b\n\n"), [pair("", "a"), pair("", "b")]);
        assert_eq!(pairs(b"event: x\ndata: a\ndata:  b\ndata\n\n"), [pair("x", "a\n b\n")]);
        assert_eq!(pairs(b"event: x\n\ndata: a\n\n"), [pair("", "a")]);
        assert_eq!(pairs(b": keep-alive\n\nid: 7\nretry: 10\nwhat: ever\ndata: a:b\n\n"), [pair("", "a:b")]);
        assert_eq!(pairs(b"data:\n\n"), [pair("", "")]);
        assert_eq!(pairs(b"dat: a\n\n"), []);
        assert_eq!(pairs(b""), []);
    }

    #[test]
    fn events_know_where_they_end() {
        let ends = |text: &[u8]| read(&[text]).unwrap().iter().map(|frame| frame.end).collect::<Vec<_>>();
        assert_eq!(ends(b"data: a\n\n: b\ndata: c\n\nx"), [9, 22]);
        // The second half of a line end comes after the event.
        assert_eq!(ends(b"data: a\r\n\r\ndata: b"), [10, 18]);
    }

    #[test]
    fn lines_end_in_three_ways() {
        for end in ["\n", "\r", "\r\n"] {
            let text = "event: x|data: ä|data: b||:c|data: d||".replace('|', end);
            assert_eq!(pairs(text.as_bytes()), [pair("x", "ä\nb"), pair("", "d")], "{end:?}");
        }
        // Two ends are a blank line, whatever they are.
        assert_eq!(
            pairs(b"data: a\r\rdata: b\n\rdata: c\r\n\rdata: d"),
            ["a", "b", "c", "d"].map(|data| pair("", data))
        );
    }

    #[test]
    fn a_mark_counts_only_before_all_else() {
        assert_eq!(pairs("\u{feff}data: a\n\n\u{feff}data: b\n\n".as_bytes()), [pair("", "a")]);
    }

    #[test]
    fn the_last_event_needs_no_blank_line() {
        assert_eq!(pairs(b"data: a\n\ndata: [DONE]"), [pair("", "a"), pair("", "[DONE]")]);
        assert_eq!(pairs(b"data: a\n"), [pair("", "a")]);
    }

    #[test]
    fn events_have_a_size() {
        let line = [b"data: ".as_slice(), &[b'x'; 994]].concat();
        assert!(read(&[&line, b"\n\n", &line]).is_ok());
        assert_eq!(read(&[&line, b"x"]), Err(SseError::TooLarge));
        let lines = b"data: xxxxxxxxxxxxxxxx\n".repeat(100);
        assert_eq!(read(&[&lines]), Err(SseError::TooLarge));
        assert_eq!(read(&[&[b':'; 1_001]]), Err(SseError::TooLarge));
        // Many small ones have none.
        assert_eq!(pairs(&b"data: x\n\n".repeat(1_000)).len(), 1_000);
    }

    #[test]
    fn only_what_is_used_must_be_text() {
        assert_eq!(read(&[b"data: \xff\n\n"]), Err(SseError::NotUtf8));
        assert_eq!(read(&[b"event: \xff\ndata: a\n\n"]), Err(SseError::NotUtf8));
        assert_eq!(pairs(b": \xff\nx: \xff\ndata: a\n\n"), [pair("", "a")]);
    }

    /// Texts full of what matters, so that cuts fall between all of it.
    fn streams() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop::sample::select(vec![
            "data", "data:", "data: ", "event: x", ":", ": c", "\n", "\r", "\r\n", "\n\n", "\u{feff}", "ä🌳", "id: 1",
            " ", "x",
        ]);
        let bytes = prop::collection::vec(any::<u8>(), 0..4);
        let any = prop_oneof![9 => piece.prop_map(|piece| piece.as_bytes().to_vec()), 1 => bytes];
        prop::collection::vec(any, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn cuts_make_no_difference(bytes in streams(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
            let whole = read(&[&bytes]);
            let singles: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(&read(&singles), &whole);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            prop_assert_eq!(&read(&pieces), &whole);
        }

        #[test]
        fn what_is_written_comes_back(events in prop::collection::vec(("[a-z]{0,4}", "[^\r\u{0}]{0,20}"), 0..6)) {
            let mut text = String::new();
            for (name, data) in &events {
                text.push_str(&format!("event: {name}\n"));
                data.split('\n').for_each(|line| text.push_str(&format!("data: {line}\n")));
                text.push('\n');
            }
            let events: Vec<(String, String)> = events;
            prop_assert_eq!(pairs(text.as_bytes()), events);
        }
    }
}
