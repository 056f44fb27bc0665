//! Parsers in processes of their own: a grammar that crashes, hangs or eats memory costs one file, not the run.
//!
//! Takes a language and a text; gives the structure, or the cause why there is none. A worker is this program started again
//! with [`WORD`]; it answers requests on its standard input until that is closed. One worker for each thread that asks at
//! the same time, started when first needed, with an empty environment. Where the program is not known (the library in
//! another program), texts are parsed right here.

use contexture_core::ContentHash;
use contexture_syntax::{Language, Structure, by_name};
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// The argument that makes this program a worker. Not a verb: nobody types it.
pub const WORD: &str = "__parse";

/// Seconds of processor time that a text may take, and how many more for each mebibyte of it. The parser's own limit counts
/// steps; this is for grammars that do not come back to be counted. Parsing takes about 0.2 seconds a mebibyte.
const SECONDS: u64 = 4;
const SECONDS_PER_MEBIBYTE: u64 = 6;
/// A worker that waits instead of working is ended after this many times longer. A busy machine must not decide.
const PATIENCE: u64 = 15;

/// The stack of a worker's parser: some grammars recurse for each level of nesting. It is only reserved, not used.
const STACK: usize = 256 * 1024 * 1024;
/// The memory a worker may ask for. A file of 10 MiB, the largest that is read whole, needs about a tenth.
const MEMORY: u64 = 8 * 1024 * 1024 * 1024;
/// Bytes that wait between two processes.
const PIPE: usize = 1024 * 1024;
/// The longest answer that is believed.
const LONGEST: usize = 1024 * 1024 * 1024;

/// Parsers that wait for the next text.
pub struct Workers {
    program: Option<PathBuf>,
    idle: Mutex<Vec<Worker>>,
}

struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Workers {
    /// Parsers in processes of this program, which must call [`serve`] when it is started with [`WORD`]; without one, in this
    /// process.
    pub fn new(program: Option<PathBuf>) -> Self {
        Self { program, idle: Mutex::new(Vec::new()) }
    }

    /// The structure of a text as bytes, see [`Structure::to_bytes`].
    pub fn read(&self, language: &Language, text: &str) -> Result<Vec<u8>, String> {
        let Some(program) = &self.program else { return parse(language, text) };
        let taken = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = match taken {
            Some(worker) => worker,
            None => Worker::start(program).map_err(|error| format!("the parser could not be started: {error}"))?,
        };
        match worker.ask(language, text) {
            Ok(answer) => {
                if let Ok(mut idle) = self.idle.lock() {
                    idle.push(worker);
                }
                answer
            }
            Err(error) => {
                let cause = worker.end(&error);
                tracing::debug!(language = language.name, cause, "a parser ended");
                Err(format!("the parser for {} {cause}", language.name))
            }
        }
    }
}

impl Worker {
    fn start(program: &PathBuf) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg(WORD)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        if let Some(input) = &input {
            widen(input);
        }
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    fn ask(&mut self, language: &Language, text: &str) -> io::Result<Result<Vec<u8>, String>> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut request = Vec::with_capacity(8 + language.name.len() + text.len());
        put(&mut request, language.name.as_bytes());
        put(&mut request, text.as_bytes());
        input.write_all(&request)?;
        wait(self.output.get_ref(), Duration::from_secs(seconds(text) * PATIENCE))?;
        let mut status = [0];
        self.output.read_exact(&mut status)?;
        let answer = take(&mut self.output)?;
        Ok(if status == [0] { Ok(answer) } else { Err(String::from_utf8_lossy(&answer).into_owned()) })
    }

    /// Ends a worker that did not answer, and says what became of it.
    fn end(mut self, error: &io::Error) -> &'static str {
        let late = error.kind() == io::ErrorKind::TimedOut;
        if late {
            let _ = self.child.kill();
        }
        drop(self.input.take());
        let late = late || self.child.wait().is_ok_and(|status| ran_out_of_time(&status));
        if late { "did not come to an end in the time it is given" } else { "crashed on this file" }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without its standard input a worker ends by itself; it is waited for, so that nothing is left behind.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// Room for most texts whole, so that sending one does not take turns with its reader.
#[cfg(target_os = "linux")]
fn widen(pipe: &ChildStdin) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdin) {}

#[cfg(unix)]
fn wait(output: &ChildStdout, patience: Duration) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut fds = [PollFd::new(output, PollFlags::IN)];
    let patience = Timespec { tv_sec: patience.as_secs() as i64, tv_nsec: 0 };
    loop {
        match poll(&mut fds, Some(&patience)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
fn wait(_: &ChildStdout, _: Duration) -> io::Result<()> {
    Ok(())
}

/// The worker's side: answers requests on standard input until there are no more.
pub fn serve() -> io::Result<()> {
    limit_memory();
    let (input, output) = pipes()?;
    std::thread::scope(|scope| {
        let serving =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || answer_all(input, output))?;
        serving.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    })
}

/// Standard input and output as they are: Rust's own output is written line by line, and an answer is one piece.
#[cfg(unix)]
fn pipes() -> io::Result<(impl Read, impl Write)> {
    use std::os::fd::AsFd;
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((std::fs::File::from(input), std::fs::File::from(output)))
}

#[cfg(not(unix))]
fn pipes() -> io::Result<(impl Read, impl Write)> {
    Ok((io::stdin(), io::stdout()))
}

fn answer_all(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(PIPE, input);
    loop {
        let name = match take(&mut input) {
            Ok(name) => name,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        };
        let text = take(&mut input)?;
        let answer = match (std::str::from_utf8(&name).ok().and_then(by_name), std::str::from_utf8(&text)) {
            (Some(language), Ok(text)) => {
                limit_time(text);
                parse(language, text)
            }
            _ => Err("the request could not be read".to_owned()),
        };
        let mut reply = Vec::new();
        match answer {
            Ok(structure) => {
                reply.push(0);
                put(&mut reply, &structure);
            }
            Err(cause) => {
                reply.push(1);
                put(&mut reply, cause.as_bytes());
            }
        }
        output.write_all(&reply)?;
        output.flush()?;
    }
}

fn parse(language: &Language, text: &str) -> Result<Vec<u8>, String> {
    contexture_syntax::read(language, text).map(|structure| structure.to_bytes()).map_err(|refusal| refusal.to_string())
}

/// No more memory than it can need, and no core file when it crashes.
#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let _ = setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) });
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

/// The system ends this process when it works longer on a text than it deserves.
#[cfg(unix)]
fn limit_time(text: &str) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(used + seconds(text)), maximum });
}

#[cfg(unix)]
fn ran_out_of_time(status: &std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn limit_memory() {}

#[cfg(not(unix))]
fn limit_time(_: &str) {}

#[cfg(not(unix))]
fn ran_out_of_time(_: &std::process::ExitStatus) -> bool {
    false
}

fn seconds(text: &str) -> u64 {
    SECONDS + SECONDS_PER_MEBIBYTE * (text.len() as u64 / (1024 * 1024))
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn take(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Under which key a structure is remembered: the bytes, the language, and the version of what reads them.
pub fn key(language: &Language, hash: &ContentHash) -> ContentHash {
    let version = contexture_syntax::VERSION.to_le_bytes();
    ContentHash::of_parts([b"structure".as_slice(), &version, language.name.as_bytes(), &hash.0])
}

/// A structure that was remembered or sent; `None` when it does not belong to the text.
pub fn decode(bytes: &[u8], text: &str) -> Option<Structure> {
    Structure::from_bytes(bytes, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "def f(x):\n    return x\n";

    fn python() -> &'static Language {
        by_name("Python").unwrap()
    }

    #[test]
    fn a_worker_answers_what_the_parser_says() {
        let mut request = Vec::new();
        for _ in 0..2 {
            put(&mut request, b"Python");
            put(&mut request, TEXT.as_bytes());
        }
        put(&mut request, b"Klingon");
        put(&mut request, b"");
        let mut answers = Vec::new();
        answer_all(&*request, &mut answers).unwrap();
        let mut rest = &*answers;
        for _ in 0..2 {
            let mut status = [9];
            rest.read_exact(&mut status).unwrap();
            assert_eq!(status, [0]);
            let structure = decode(&take(&mut rest).unwrap(), TEXT).unwrap();
            assert_eq!(structure, contexture_syntax::read(python(), TEXT).unwrap());
        }
        assert_eq!(rest.first(), Some(&1));
    }

    #[test]
    fn a_worker_that_dies_costs_one_answer() {
        let workers = Workers::new(Some("/bin/false".into()));
        for _ in 0..3 {
            let cause = workers.read(python(), TEXT).unwrap_err();
            assert_eq!(cause, "the parser for Python crashed on this file");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_said() {
        let workers = Workers::new(Some("/nonexistent/program".into()));
        assert!(workers.read(python(), TEXT).unwrap_err().starts_with("the parser could not be started: "));
    }

    #[test]
    fn a_request_that_ends_too_early_ends_the_worker() {
        let mut request = Vec::new();
        put(&mut request, b"Python");
        request.extend_from_slice(&[255, 0, 0, 0, b'x']);
        assert!(answer_all(&*request, &mut Vec::new()).is_err());
        assert!(answer_all([255, 255, 255, 255].as_slice(), &mut Vec::new()).is_err());
    }

    #[test]
    fn a_remembered_structure_of_another_text_is_refused() {
        let bytes = parse(python(), TEXT).unwrap();
        assert_eq!(decode(&bytes, "x"), None);
        for cut in 0..bytes.len() {
            assert_eq!(decode(&bytes[..cut], TEXT), None);
        }
    }
}
