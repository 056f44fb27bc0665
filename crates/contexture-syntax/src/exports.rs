//! What a file says it exports, in languages where a file without such words exports nothing by name.
//!
//! Takes what the walk meets: names in lists of exports, and definitions that are in no export. Gives the second kind as
//! private in the end, unless they are named in a list or the file exports nothing: then it is a script, and all is public.

use crate::structure::{Def, Visibility};
use std::collections::BTreeSet;

#[derive(Default)]
pub(crate) struct Exports<'a> {
    seen: bool,
    names: BTreeSet<&'a str>,
    /// Definitions of the file itself that no export holds, by their places.
    inner: Vec<u32>,
}

impl<'a> Exports<'a> {
    pub fn export(&mut self, name: Option<&'a str>) {
        self.seen = true;
        self.names.extend(name);
    }

    pub fn keep(&mut self, index: u32) {
        self.inner.push(index);
    }

    /// The last definition is none after all.
    pub fn forget(&mut self, index: u32) {
        self.inner.pop_if(|last| *last == index);
    }

    pub fn keeps(&self, index: u32) -> bool {
        self.inner.binary_search(&index).is_ok()
    }

    pub fn finish(self, defs: &mut [Def], text: &str) {
        for index in self.inner.iter().filter(|_| self.seen) {
            if let Some(def) = defs.get_mut(*index as usize)
                && !self.names.contains(def.name.of(text))
            {
                def.visibility = Visibility::Private;
            }
        }
    }
}
