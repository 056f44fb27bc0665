//! Named places between the steps of a write, where tests make a process fail or die. Nothing in a real build.

#[cfg(not(test))]
#[inline]
pub(super) fn step<T>(_name: &'static str, work: impl FnOnce() -> std::io::Result<T>) -> std::io::Result<T> {
    work()
}

#[cfg(test)]
pub(super) use armed::step;

#[cfg(test)]
pub(super) mod armed {
    use std::cell::{Cell, RefCell};
    use std::io;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Fault {
        /// The step reports that the disk is broken.
        Error,
        /// The step reports that the disk is full.
        Full,
        /// The process is gone at once, without a destructor, as with `kill -9`.
        Kill,
    }

    thread_local! {
        static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
        static SEEN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
    }

    /// Lets the `at`-th step of this thread fail, counted from zero; `None` only records the steps.
    pub fn arm(plan: Option<(usize, Fault)>) {
        PLAN.set(plan);
        SEEN.with_borrow_mut(Vec::clear);
    }

    pub fn seen() -> Vec<&'static str> {
        SEEN.with_borrow(Clone::clone)
    }

    pub fn step<T>(name: &'static str, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let index = SEEN.with_borrow_mut(|seen| {
            seen.push(name);
            seen.len() - 1
        });
        match PLAN.get() {
            Some((at, fault)) if at == index => match fault {
                Fault::Error => Err(io::Error::other("broken on purpose")),
                Fault::Full => Err(io::ErrorKind::StorageFull.into()),
                Fault::Kill => {
                    #[cfg(unix)]
                    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
                    std::process::abort()
                }
            },
            _ => work(),
        }
    }
}
