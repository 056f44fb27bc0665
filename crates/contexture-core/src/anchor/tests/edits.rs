//! Random edits to files whose lines are followed one by one: the resolver may give up, but it never claims other lines.

use crate::anchor::{make, resolve};

/// Seeds are fixed, so that a run says the same twice; `cargo xtask torture slices` tries more.
fn seeds() -> std::ops::Range<u64> {
    0..u64::from(contexture_testkit::cases(4_000))
}

#[test]
fn other_lines_are_never_claimed() {
    assert_eq!(seeds().find_map(wrong), None);
}

/// Inserts and deletions elsewhere, other line ends and other indentation: nothing that says something is given up.
#[test]
fn edits_elsewhere_never_lose_a_slice() {
    assert_eq!(seeds().find_map(missed), None);
}

/// A line with the number it had at first; copies and new lines have numbers of their own.
#[derive(Clone)]
struct Line {
    number: usize,
    text: String,
}

struct Scene {
    dice: Dice,
    lines: Vec<Line>,
    next: usize,
    /// Numbers of the slice.
    first: usize,
    last: usize,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let texts = source(&mut dice);
        let first = if dice.roll(6) == 0 { 0 } else { dice.roll(texts.len()) };
        let last = if dice.roll(8) == 0 { texts.len() - 1 } else { (first + dice.roll(12)).min(texts.len() - 1) };
        let lines: Vec<Line> = texts.into_iter().enumerate().map(|(number, text)| Line { number, text }).collect();
        Self { next: lines.len(), dice, lines, first, last }
    }

    fn own(&self, line: &Line) -> bool {
        (self.first..=self.last).contains(&line.number)
    }

    fn text(&self, end: &str) -> String {
        self.lines.iter().map(|line| format!("{}{end}", line.text)).collect()
    }

    fn insert(&mut self, at: usize, count: usize) {
        for offset in 0..count {
            self.next += 1;
            let text = match self.dice.roll(5) {
                0 => COMMON[self.dice.roll(COMMON.len())].to_owned(),
                _ => format!("    {}({});", self.dice.word(), self.dice.word()),
            };
            self.lines.insert(at + offset, Line { number: self.next, text });
        }
    }

    fn copy(&mut self, block: Vec<Line>, at: usize) {
        for (offset, line) in block.into_iter().enumerate() {
            self.next += 1;
            self.lines.insert(at + offset, Line { number: self.next, ..line });
        }
    }

    fn edit(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        let at = self.dice.roll(self.lines.len());
        let end = (at + 1 + self.dice.roll(10)).min(self.lines.len());
        let (own, rest): (Vec<Line>, Vec<Line>) = self.lines.iter().cloned().partition(|line| self.own(line));
        match self.dice.roll(10) {
            0 => self.insert(at, end - at),
            1 => drop(self.lines.drain(at..end)),
            2 => self.lines.iter_mut().for_each(|line| line.text.insert(0, '\t')),
            3 => {
                let block: Vec<Line> = self.lines.drain(at..end).collect();
                let to = self.dice.roll(self.lines.len() + 1);
                self.lines.splice(to..to, block);
            }
            4 => {
                let to = self.dice.roll(self.lines.len() + 1);
                self.copy(self.lines[at..end].to_vec(), to);
            }
            // The slice deleted, moved, copied, edited, replaced.
            5 => self.lines = rest,
            6 => {
                self.lines = rest;
                let to = self.dice.roll(self.lines.len() + 1);
                self.lines.splice(to..to, own);
            }
            7 => {
                let to = self.dice.roll(self.lines.len() + 1);
                self.copy(own, to);
            }
            8 => {
                for index in 0..self.lines.len() {
                    if self.own(&self.lines[index]) && self.dice.roll(3) == 0 {
                        let word = self.dice.word();
                        self.lines[index].text.push_str(&format!(" + {word}"));
                    }
                }
            }
            _ => {
                let place = self.lines.iter().position(|line| self.own(line));
                self.lines = rest;
                let place = place.unwrap_or(0).min(self.lines.len());
                self.insert(place, end - at);
            }
        }
    }
}

/// What a claim got wrong, if anything: lines that are not the slice and do not say what it said.
fn wrong(seed: u64) -> Option<String> {
    let mut scene = Scene::new(seed);
    let old = scene.text("\n");
    let slice = make(&old, scene.first as u64 + 1, scene.last as u64 + 1, None, None).ok()?;
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let said: Vec<String> = scene.lines[scene.first..=scene.last].iter().map(|line| plain(&line.text)).collect();
    for _ in 0..=scene.dice.roll(4) {
        scene.edit();
    }
    let end = if scene.dice.roll(5) == 0 { "\r\n" } else { "\n" };
    let now = resolve(&slice, &scene.text(end));
    let (start, stop) = now.lines?;
    let claimed = &scene.lines[start as usize - 1..stop as usize];
    let left = scene.lines.iter().filter(|line| scene.own(line)).count();
    let inside = claimed.iter().filter(|line| scene.own(line)).count();
    let right = inside > 0 && inside * 10 >= left * 3;
    // A copy, or a twin that was brought here, is the slice for all anybody can tell: a third of its lines stand there.
    // An edit adds a word behind a line.
    let longer = |least: usize| said.iter().filter(|text| text.len() > least).collect::<Vec<&String>>();
    let telling = if longer(10).is_empty() { longer(0) } else { longer(10) };
    let here: Vec<String> = claimed.iter().map(|line| plain(&line.text)).collect();
    let kept = telling.iter().filter(|text| here.iter().any(|line| line.starts_with(text.as_str()))).count();
    let same = here == said || (kept > 0 && kept * 3 >= telling.len());
    (!right && !same).then(|| format!("seed {seed}: {start}-{stop}: {}", now.why))
}

/// A slice that was not found though only lines elsewhere came and went.
fn missed(seed: u64) -> Option<String> {
    let mut scene = Scene::new(seed);
    let words = scene.lines[scene.first..=scene.last].iter().filter(|line| line.text.starts_with("    let")).count();
    let old = scene.text("\n");
    let slice = make(&old, scene.first as u64 + 1, scene.last as u64 + 1, None, None).ok()?;
    if words < 3 {
        return None;
    }
    for _ in 0..=scene.dice.roll(3) {
        let place = scene.lines.iter().position(|line| scene.own(line)).unwrap_or(0);
        let after = scene.lines.iter().rposition(|line| scene.own(line)).map_or(0, |last| last + 1);
        match scene.dice.roll(3) {
            0 => {
                let at = scene.dice.roll(place + 1);
                scene.insert(at, 1);
            }
            1 => {
                let at = after + scene.dice.roll(scene.lines.len() - after + 1);
                scene.insert(at, 2);
            }
            _ => {
                let gone = scene.dice.roll(scene.lines.len());
                if !scene.own(&scene.lines[gone]) {
                    scene.lines.remove(gone);
                }
            }
        }
    }
    if scene.dice.roll(2) == 0 {
        scene.lines.iter_mut().for_each(|line| line.text.insert(0, '\t'));
    }
    let now = resolve(&slice, &scene.text("\r\n"));
    let place = scene.lines.iter().position(|line| scene.own(line))?;
    let truth = (place as u64 + 1, (place + scene.last - scene.first) as u64 + 1);
    (now.lines != Some(truth)).then(|| format!("seed {seed}: {:?}, not {truth:?}: {}", now.lines, now.why))
}

const COMMON: [&str; 8] = ["}", "", "    }", "    return None;", "    } else {", "        break;", "{", "#[test]"];

/// Something like a source file: names that stand once, lines that stand everywhere, and now and then a body that
/// several functions share.
fn source(dice: &mut Dice) -> Vec<String> {
    let mut lines = Vec::new();
    let shared: Vec<String> = (0..4).map(|_| format!("    {} = {};", dice.word(), dice.word())).collect();
    for _ in 0..=dice.roll(8) {
        lines.push(format!("fn {}({}) {{", dice.word(), dice.word()));
        if dice.roll(4) == 0 {
            lines.extend(shared.iter().cloned());
        }
        for _ in 0..dice.roll(8) {
            match dice.roll(3) {
                0 => lines.push(COMMON[dice.roll(COMMON.len())].to_owned()),
                _ => lines.push(format!("    let {} = {}({});", dice.word(), dice.word(), dice.word())),
            }
        }
        lines.extend(["}".to_owned(), String::new()]);
    }
    lines
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        crate::anchor::lines::mix(self.0)
    }

    fn roll(&mut self, sides: usize) -> usize {
        (self.next() % sides.max(1) as u64) as usize
    }

    fn word(&mut self) -> String {
        let syllables = ["ka", "lo", "mi", "ter", "un", "sor", "be", "vin", "da", "pre", "gol", "hys", "wen", "qua"];
        (0..2 + self.roll(3)).map(|_| syllables[self.roll(syllables.len())]).collect()
    }
}
