//! How much of a test is run: a share that takes seconds by default, more when the environment asks for it.
//!
//! `PROPTEST_CASES` is proptest's own variable, but a number set in the code beats it; [`cases`] puts the variable first.
//! `CONTEXTURE_TORTURE=full` is ours, for tests whose size is not a number of cases. `cargo xtask torture` sets both.

/// The number of cases of a property: what `PROPTEST_CASES` says, else `share`.
pub fn cases(share: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(share)
}

/// Tells something that was counted; `cargo xtask torture` shows it, other runs keep it to themselves.
#[allow(clippy::print_stdout)]
pub fn figure(text: &str) {
    println!("figure: {text}");
}

/// Whether the whole measure is asked for.
pub fn full() -> bool {
    std::env::var("CONTEXTURE_TORTURE").is_ok_and(|value| value == "full")
}

/// The processor's time that this thread spends on some work. Unlike seconds, it hardly depends on what else the machine does.
pub fn processor_time<T>(work: impl FnOnce() -> T) -> std::time::Duration {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let from = now();
    work();
    now() - from
}
