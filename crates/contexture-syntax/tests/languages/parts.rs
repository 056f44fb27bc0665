//! Parts of a text: what is shown, and that no gap can be missed or forged.

use contexture_syntax::{
    HunkRows, LANGUAGES, Language, ShownSymbols, Structure, SymbolExtent, by_name, parts, qualified_names, read,
};
use proptest::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Every fixture with its language and structure.
fn fixtures() -> Vec<(&'static Language, String, Structure)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    LANGUAGES
        .iter()
        .map(|language| {
            let ending = language.endings().next().unwrap();
            let text = std::fs::read_to_string(folder.join(format!("sample.{ending}"))).unwrap();
            let structure = read(language, &text).unwrap();
            (language, text, structure)
        })
        .collect()
}

/// The lines that are shown with their numbers, from the text and the gap marks alone.
fn decoded(shown: &str, mark: &str) -> Vec<(usize, String)> {
    let end = |range: &str| range.rsplit('-').next().unwrap().parse::<usize>().unwrap();
    let mut lines = Vec::new();
    let mut next = 1;
    for line in shown.lines() {
        if let Some(range) = line.strip_prefix(&format!("{mark} ")) {
            next = end(range) + 1;
            continue;
        }
        let (text, after) = match line.rsplit_once(&format!(" {mark} ")) {
            Some((text, range)) => (text, end(range) + 1),
            None => (line, next + 1),
        };
        lines.push((next, text.to_owned()));
        next = after;
    }
    lines
}

/// A line of the source, or one whose body was elided.
fn is_line(source: &str, shown: &str) -> bool {
    let elisions = ["", " ...", " …", " … }", " { … }"];
    let is_cut =
        shown.strip_prefix(source.trim_end()).is_some_and(|end| end.starts_with([' ']) && end.contains(['…', '.']));
    source == shown || is_cut || elisions.iter().any(|elision| shown == format!("{}{elision}", source.trim_end()))
}

/// Those shown in hunks have these rows.
fn shown_with(
    name: &str,
    text: &str,
    chosen: &[(&str, SymbolExtent)],
    hunks: &[Range<usize>],
    numbered: bool,
) -> String {
    let language = by_name(name).unwrap();
    let structure = read(language, text).unwrap();
    let names = qualified_names(language, &structure, text);
    let extent =
        |name: &String| chosen.iter().find(|(chosen, _)| chosen == name).map_or(SymbolExtent::Hidden, |one| one.1);
    let shown: Vec<SymbolExtent> = names.iter().map(extent).collect();
    let rows = |at: usize| {
        let rows = chosen.iter().filter(|one| one.1 == SymbolExtent::Hunks && one.0 == names[at]).flat_map(|_| hunks);
        rows.cloned().collect::<Vec<_>>()
    };
    let hunks: HunkRows = (0..names.len()).map(|at| (at as u32, rows(at))).collect();
    parts(language, &structure, text, &ShownSymbols { extents: &shown, hunks: &hunks }, numbered).text
}

fn shown_as(name: &str, text: &str, chosen: &[(&str, SymbolExtent)], numbered: bool) -> String {
    shown_with(name, text, chosen, &[], numbered)
}

const PYTHON: &str = r#""""A module."""
import os
import re
from typing import (
    Any,
)

LIMIT = 3
OTHER = 4


class Store:
    """Keeps things."""

    unsafe = "<>"
    size = 0

    @property
    def path(self) -> str:
        """Where it is.

        A long story about places,
        which goes on and on,
        over several lines,
        and ends here.
        """
        return os.path.join(self.unsafe, str(LIMIT))

    def other(self, a,
              b):
        return a + b


def last():
    return 1
"#;

#[test]
fn a_body_comes_with_what_it_needs_and_gaps_are_marked() {
    insta::assert_snapshot!(shown_as("Python", PYTHON, &[("Store.path", SymbolExtent::Brief)], false), @r#"
    """A module."""
    import os
    ⋮ 3-7
    LIMIT = 3
    OTHER = 4


    class Store:
        """Keeps things."""

        unsafe = "<>"
        size = 0

        @property
        def path(self) -> str:
            """Where it is.
    ⋮ 21-25
            """
            return os.path.join(self.unsafe, str(LIMIT))
    ⋮ 28-35
    "#);
}

#[test]
fn a_signature_ends_in_an_elision_and_lines_can_be_numbered() {
    let chosen = [("Store.other", SymbolExtent::Signature), ("last", SymbolExtent::Signature)];
    insta::assert_snapshot!(shown_as("Python", PYTHON, &chosen, true), @r"
    ⋮ 1-11
    12  class Store:
    ⋮ 13-28
    29      def other(self, a,
    30                b): ... ⋮ 31-33
    34  def last(): ... ⋮ 35
    ");
    let rust = "impl A {\n    /// Says.\n    fn a(&self) {\n        self.b()\n    }\n\n    fn b(&self) -> u8\n    {\n        1\n    }\n}\n";
    let chosen = [("A::a", SymbolExtent::Signature), ("A::b", SymbolExtent::Signature)];
    insta::assert_snapshot!(shown_as("Rust", rust, &chosen, false), @r"
    impl A {
        /// Says.
        fn a(&self) { … } ⋮ 4-6
        fn b(&self) -> u8 { … } ⋮ 8-11
    ");
}

#[test]
fn hunks_are_shown_under_the_signature_with_what_they_name() {
    let chosen = [("Store.path", SymbolExtent::Hunks)];
    insta::assert_snapshot!(shown_with("Python", PYTHON, &chosen, &[26..40, 0..2], false), @r#"
    """A module."""
    import os
    ⋮ 3-7
    LIMIT = 3
    OTHER = 4


    class Store:
        """Keeps things."""

        unsafe = "<>"
        size = 0

        @property
        def path(self) -> str:
    ⋮ 20-26
            return os.path.join(self.unsafe, str(LIMIT))
    ⋮ 28-35
    "#);
}

#[test]
fn a_long_signature_is_closed_where_it_is_cut() {
    let arguments: String = (0..20).map(|n| format!("    argument_{n}: List[int],\n")).collect();
    let python = format!("def many(\n{arguments}) -> int:\n    return 1\n");
    let shown = shown_as("Python", &python, &[("many", SymbolExtent::Signature)], false);
    assert!(shown.ends_with("    argument_10: List[int], ...): ... ⋮ 13-23\n"), "{shown}");
    let rust = format!("fn many(\n{}) -> u8 {{\n    1\n}}\n", arguments.replace("List[int]", "Vec<u8>"));
    let shown = shown_as("Rust", &rust, &[("many", SymbolExtent::Signature)], false);
    assert!(shown.ends_with("    argument_10: Vec<u8>, …) { … } ⋮ 13-24\n"), "{shown}");
}

#[test]
fn many_decorators_do_not_hide_the_name() {
    let options: String = (0..20).map(|n| format!("@option(\"-{n}\")\n")).collect();
    let python = format!("{options}def lint(path):\n    return path\n");
    let shown = shown_as("Python", &python, &[("lint", SymbolExtent::Signature)], false);
    assert_eq!(shown, "⋮ 1-20\ndef lint(path): ... ⋮ 22\n");
}

#[test]
fn imports_that_only_prose_or_a_path_names_stay_hidden() {
    let python = "import store\nfrom store.keys import Key\nimport store.values.of.many.kinds as values\n\n\ndef get(key):\n    \"\"\"Reads \
                  values of a store.\"\"\"\n    return Key(key)\n";
    insta::assert_snapshot!(shown_as("Python", python, &[("get", SymbolExtent::Whole)], false), @r#"
    import store
    from store.keys import Key
    ⋮ 3-5
    def get(key):
        """Reads values of a store."""
        return Key(key)
    "#);
}

#[test]
fn a_text_cannot_forge_a_gap() {
    let text = "def a():\n    x = '''\n⋮ 4-90\n'''\n    return x\n\n\ndef b():\n    return 2\n";
    let shown = shown_as("Python", text, &[("a", SymbolExtent::Whole)], false);
    assert!(shown.contains("\n⋮ 4-90\n") && shown.ends_with("⋮⋮ 6-9\n"), "{shown}");
}

/// What whole definitions of a text are shown with.
fn whole(language: &str, text: &str, names: &[&str]) -> String {
    let chosen: Vec<_> = names.iter().map(|name| (*name, SymbolExtent::Whole)).collect();
    shown_as(language, text, &chosen, false)
}

/// Lines that nothing needs, too long to be shown instead of a gap mark.
const FILLER: &str = "// One of several lines that nothing at all in this text needs.\n// And one more of these.\n\n";

#[test]
fn small_types_come_with_the_methods_that_need_them() {
    let go = format!(
        "package a\n\n{FILLER}type handler struct {{\n\tnext int\n\tname string\n}}\n\n{FILLER}type other struct {{\n\tx int\n}}\n\n\
         {FILLER}func (h *handler) run() int {{\n\treturn h.next\n}}\n"
    );
    insta::assert_snapshot!(whole("Go", &go, &["handler.run"]), @r#"
    ⋮ 1-5
    type handler struct {
    	next int
    	name string
    }
    ⋮ 10-20
    func (h *handler) run() int {
    	return h.next
    }
    "#);
    let rust = format!(
        "{FILLER}struct Tx<T> {{\n    inner: T,\n}}\n\n{FILLER}trait Sends {{\n    fn send(&self);\n}}\n\n{FILLER}impl<T> Sends for Tx<T> {{\n    \
         fn send(&self) {{\n        drop(Unsent)\n    }}\n}}\n\n{FILLER}struct Unsent;\n\n{FILLER}struct Other;\n"
    );
    insta::assert_snapshot!(whole("Rust", &rust, &["Tx::send"]), @r#"
    ⋮ 1-3
    struct Tx<T> {
        inner: T,
    }
    ⋮ 7-10
    trait Sends {
        fn send(&self);
    }
    ⋮ 14-17
    impl<T> Sends for Tx<T> {
        fn send(&self) {
            drop(Unsent)
        }
    ⋮ 22-26
    struct Unsent;
    ⋮ 28-32
    "#);
    let filler = FILLER.replace("//", "#");
    let python = format!(
        "{filler}class NeedsMore(Exception):\n    \"\"\"More.\"\"\"\n\n\n{filler}class Other(Exception):\n    pass\n\n\n{filler}def read(a):\n    \
         raise NeedsMore\n"
    );
    insta::assert_snapshot!(whole("Python", &python, &["read"]), @r#"
    ⋮ 1-3
    class NeedsMore(Exception):
        """More."""
    ⋮ 6-17
    def read(a):
        raise NeedsMore
    "#);
    let typescript = format!(
        "{FILLER}export interface Options {{\n  deep: boolean\n}}\n\n{FILLER}type Name = string | number\n\n{FILLER}enum Mode {{ A, B }}\n\n{FILLER}function \
         run(options: Options) {{\n  return options.deep && Mode.A\n}}\n"
    );
    insta::assert_snapshot!(whole("TypeScript", &typescript, &["run"]), @r#"
    ⋮ 1-3
    export interface Options {
      deep: boolean
    }
    ⋮ 7-15
    enum Mode { A, B }
    ⋮ 17-20
    function run(options: Options) {
      return options.deep && Mode.A
    }
    "#);
}

#[test]
fn of_larger_types_the_head_is_shown_and_the_fields_that_their_methods_use() {
    let fields: String = (0..20).map(|n| format!("\tfieldWithSomeLongerName{n} map[string]string\n")).collect();
    let go = format!(
        "package a\n\n{FILLER}type Large struct {{\n{fields}}}\n\n{FILLER}type Second struct {{\n{fields}}}\n\n{FILLER}func (l *Large) run(s Second) int {{\n\t\
         return l.fieldWithSomeLongerName7\n}}\n"
    );
    insta::assert_snapshot!(whole("Go", &go, &["Large.run"]), @r#"
    ⋮ 1-5
    type Large struct {
    ⋮ 7-13
    	fieldWithSomeLongerName7 map[string]string
    ⋮ 15-31
    type Second struct { … } ⋮ 33-53
    ⋮ 54-57
    func (l *Large) run(s Second) int {
    	return l.fieldWithSomeLongerName7
    }
    "#);
}

#[test]
fn a_name_after_the_body_is_part_of_the_signature() {
    let fields: String = (0..20).map(|n| format!("    long field_with_some_name_{n};\n")).collect();
    let c = format!(
        "typedef struct {{\n{fields}}} options;\n\n{FILLER}long run(options *o) {{\n    return o->field_with_some_name_7;\n}}\n"
    );
    insta::assert_snapshot!(whole("C", &c, &["run"]), @r#"
    typedef struct {
    ⋮ 2-21
    } options;
    ⋮ 23-26
    long run(options *o) {
        return o->field_with_some_name_7;
    }
    "#);
}

#[test]
fn imports_of_a_namespace_come_along() {
    let php = "<?php\n\nnamespace App\\Cache;\n\nuse App\\Contracts\\Store;\nuse App\\Contracts\\Unneeded\\Thing;\nuse App\\Contracts\\Unneeded\\Other;\n\nclass \
               Lock\n{\n    use Dumps, Macros;\n\n    /** The store. */\n    protected $store;\n\n    /** Something else, which is not needed. */\n    protected \
               $other;\n\n    public function get(): Store\n    {\n        return $this->store;\n    }\n\n    public function unneeded(): int\n    {\n        \
               return 1;\n    }\n}\n";
    insta::assert_snapshot!(whole("PHP", php, &["App\\Cache::Lock::get"]), @r#"
    <?php

    namespace App\Cache;

    use App\Contracts\Store;
    ⋮ 6-8
    class Lock
    {
        use Dumps, Macros;

        /** The store. */
        protected $store;
    ⋮ 15-18
        public function get(): Store
        {
            return $this->store;
        }
    ⋮ 23-28
    "#);
    let csharp = "namespace A.B\n{\n    using System.Text;\n    using System.Threading.Tasks.Sources;\n    using System.Threading.Tasks.Others;\n\n    class \
                  Maker\n    {\n        string Make()\n        {\n            return Text.Make();\n        }\n\n        int Other()\n        {\n            return \
                  2;\n        }\n    }\n}\n";
    insta::assert_snapshot!(whole("C#", csharp, &["A.B.Maker.Make"]), @r#"
    namespace A.B
    {
        using System.Text;
    ⋮ 4-6
        class Maker
        {
            string Make()
            {
                return Text.Make();
            }

            int Other()
            {
                return 2;
            }
        }
    }
    "#);
    let rust = "mod inner {\n    use std::collections::BTreeMap;\n    use std::collections::binary_heap::BinaryHeap;\n    use std::collections::btree_set::BTreeSet;\n\n    \
                fn make() {\n        BTreeMap::new()\n    }\n}\n\nmod tests {\n    use std::collections::other::BTreeMap;\n    fn a() {}\n}\n";
    insta::assert_snapshot!(whole("Rust", rust, &["inner::make"]), @r#"
    mod inner {
        use std::collections::BTreeMap;
    ⋮ 3-5
        fn make() {
            BTreeMap::new()
        }
    ⋮ 9-14
    "#);
    let rust = "cfg_time! {\n    use crate::time::Duration;\n    use crate::time::something_else_entirely::Another;\n    use crate::time::something_else_entirely::Other;\n}\n\nfn \
                make() -> Duration {\n    Duration::ZERO\n}\n";
    insta::assert_snapshot!(whole("Rust", rust, &["make"]), @r#"
    cfg_time! {
        use crate::time::Duration;
    ⋮ 3-4
    }

    fn make() -> Duration {
        Duration::ZERO
    }
    "#);
}

#[test]
fn long_imports_are_shown_as_far_as_they_are_used() {
    let go = "package a\n\nimport (\n\t\"bytes\"\n\t\"encoding/json\"\n\t\"net/http\"\n\t_ \"net/http/pprof\"\n\t\"reflect\"\n\n\t\"github.com/caddyserver/caddy/v2\" // \
              http\n\t\"github.com/caddyserver/caddy/v2/modules/caddyhttp\"\n\t\"github.com/caddyserver/caddy/v2/caddytest\"\n)\n\nfunc run() \
              http.Handler {\n\treturn caddy.New()\n}\n";
    insta::assert_snapshot!(whole("Go", go, &["run"]), @r#"
    package a

    import (
    ⋮ 4-5
    	"net/http"
    ⋮ 7-9
    	"github.com/caddyserver/caddy/v2" // http
    ⋮ 11-12
    )

    func run() http.Handler {
    	return caddy.New()
    }
    "#);
    let typescript = "import {\n  isNumber,\n  isString,\n  somethingElseEntirely,\n  somethingElseAgain,\n  toRaw as raw,\n  yetAnotherThingThatIsNotUsed,\n  \
                      orThisOne,\n} from './shared'\n\nfunction run(a) {\n  return raw(a)\n}\n";
    insta::assert_snapshot!(whole("TypeScript", typescript, &["run"]), @r#"
    import {
    ⋮ 2-5
      toRaw as raw,
    ⋮ 7-8
    } from './shared'

    function run(a) {
      return raw(a)
    }
    "#);
    let javascript = "const { somethingElse, andSomethingElseAgain } = require('./elsewhere')\nconst {\n  first,\n  secondThingThatIsNotUsed,\n  thirdThingThatIsNotUsed,\n  \
                      andTheLastThingThatIsNotUsed\n} = require('./shared')\nconst { raw } = process.env.with.something.long.after.it\n\nfunction run(a) {\n  return first(a).raw\n}\n";
    insta::assert_snapshot!(whole("JavaScript", javascript, &["run"]), @r#"
    ⋮ 1
    const {
      first,
    ⋮ 4-6
    } = require('./shared')
    ⋮ 8-9
    function run(a) {
      return first(a).raw
    }
    "#);
    let python = "from store.keys import (first_of_all,\n                        Key,\n                        another_that_is_not_needed_here,\n                        \
                  and_one_more_of_these_long_names,\n                        last)\n\n\ndef get(key):\n    return Key(key)\n";
    insta::assert_snapshot!(whole("Python", python, &["get"]), @r#"
    from store.keys import (first_of_all,
                            Key,
    ⋮ 3-4
                            last)


    def get(key):
        return Key(key)
    "#);
    let rust = "use crate::{\n    first::{One, AnotherOne, AndYetAnotherOne},\n    second::{\n        Deep,\n        Unneeded, AlsoUnneeded, NotNeededEither,\n        \
                AndMoreOfThese, ThatAreUnneeded, Really,\n    },\n    third::{A, B, C, D, E, F, G, H, I, J, K, L},\n    fourth,\n};\n\nfn make() {\n    \
                Deep::new()\n}\n";
    insta::assert_snapshot!(whole("Rust", rust, &["make"]), @r#"
    use crate::{
    ⋮ 2
        second::{
            Deep,
    ⋮ 5-6
        },
    ⋮ 8-9
    };

    fn make() {
        Deep::new()
    }
    "#);
}

#[test]
fn lines_that_bring_methods_into_a_class_come_along() {
    let ruby = "module Cop\n  class Check < Base\n    extend AutoCorrector\n    include RangeHelp\n\n    MESSAGE = 'This message is not used by the method \
                below.'\n\n    def on_send(node)\n      add(node)\n    end\n\n    def first_of_the_others(a)\n      a + 1\n    end\n\n    private\n\n    def \
                add(node)\n      node\n    end\n\n    def second_of_the_others(a)\n      a + 1\n    end\n\n    public\n\n    def third_of_the_others(a)\n      \
                a + 1\n    end\n  end\nend\n";
    insta::assert_snapshot!(whole("Ruby", ruby, &["Cop::Check::on_send"]), @r#"
    module Cop
      class Check < Base
        extend AutoCorrector
        include RangeHelp
    ⋮ 5-7
        def on_send(node)
          add(node)
        end
    ⋮ 11-32
    "#);
    insta::assert_snapshot!(shown_as("Ruby", ruby, &[("Cop::Check::add", SymbolExtent::Signature), ("Cop::Check::second_of_the_others", SymbolExtent::Signature)], false), @r#"
    module Cop
      class Check < Base
    ⋮ 3-15
        private

        def add(node) … ⋮ 19-21
        def second_of_the_others(a) … ⋮ 23-24
    ⋮ 25-32
    "#);
}

#[test]
fn words_that_say_who_may_use_a_member_are_shown_with_it() {
    let cpp = format!(
        "class Store {{\n{FILLER}public:\n{FILLER}    int first();\n{FILLER}protected:\n{FILLER}    int second() {{\n        return 2;\n    }}\n{FILLER}private:\n    int third;\n}};\n"
    );
    insta::assert_snapshot!(whole("C++", &cpp, &["Store::second"]), @r#"
    class Store {
    ⋮ 2-12
    protected:
    ⋮ 14-16
        int second() {
            return 2;
        }
    ⋮ 20-25
    "#);
}

#[test]
fn a_group_of_values_is_opened_and_closed() {
    let go = format!(
        "package a\n\nvar bufPool = sync.Pool{{\n\tNew: func() any {{\n\t\treturn new(bytes.Buffer)\n\t}},\n}}\n\n{FILLER}const (\n{FILLER}\tlimit = \
         3\n{FILLER}\tother = 4\n)\n\nfunc run() any {{\n\t_, err := bufPool.Get(limit)\n\treturn err\n}}\n\n{FILLER}var (\n\t_ \
         caddy.Provisioner = (*Intercept)(nil)\n\t_ caddy.Validator = (*Intercept)(nil)\n)\n"
    );
    insta::assert_snapshot!(whole("Go", &go, &["run"]), @r#"
    package a

    var bufPool = sync.Pool{
    	New: func() any {
    		return new(bytes.Buffer)
    	},
    }
    ⋮ 8-11
    const (
    ⋮ 13-15
    	limit = 3
    ⋮ 17-20
    )

    func run() any {
    	_, err := bufPool.Get(limit)
    	return err
    }
    ⋮ 27-34
    "#);
}

#[test]
fn constants_of_the_preprocessor_come_along() {
    let c = format!(
        "#define LIMIT 3\n{FILLER}#define OTHER 4\n{FILLER}#define double(a) ((a) + (a))\n{FILLER}int run(int a) {{\n    return a < LIMIT ? double(a) : 0;\n}}\n"
    );
    insta::assert_snapshot!(whole("C", &c, &["run"]), @r#"
    #define LIMIT 3
    ⋮ 2-12
    int run(int a) {
        return a < LIMIT ? double(a) : 0;
    }
    "#);
}

#[test]
fn cut_documentation_ends_as_its_comment_does() {
    let brief = |language: &str, text: &str| shown_as(language, text, &[("get", SymbolExtent::Brief)], false);
    let tail = "Long\nstory about\nthis function\nthat goes on\nfor some lines\n";
    let commented = |mark: &str, tail: &str| tail.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let rust = format!("/// Gets it.\n///\n{}/// ```\nfn get() {{\n    1\n}}\n", commented("/// ", tail));
    insta::assert_snapshot!(brief("Rust", &rust), @r#"
    /// Gets it.
    ⋮ 2-8
    fn get() {
        1
    }
    "#);
    let ruby = format!("# Gets it.\n#\n{}#\ndef get\n  1\nend\n", commented("# ", tail));
    insta::assert_snapshot!(brief("Ruby", &ruby), @r#"
    # Gets it.
    ⋮ 2-8
    def get
      1
    end
    "#);
    let c = format!(
        "/* Gets it.\n *\n{} * to the stream. */\nint get(void) {{\n    return 1;\n}}\n",
        commented(" * ", tail)
    );
    insta::assert_snapshot!(brief("C", &c), @r#"
    /* Gets it.
    ⋮ 2-7
     * to the stream. */
    int get(void) {
        return 1;
    }
    "#);
    let lua = format!("--[[ Gets it.\n\n{tail}to the stream. --]]\nfunction get()\n  return 1\nend\n");
    insta::assert_snapshot!(brief("Lua", &lua), @r#"
    --[[ Gets it.
    ⋮ 2-7
    to the stream. --]]
    function get()
      return 1
    end
    "#);
    let python = format!(
        "def get():\n    \"\"\"Gets it.\n\n{}    to the stream.\"\"\"\n    return 1\n",
        commented("    ", tail)
    );
    insta::assert_snapshot!(brief("Python", &python), @r#"
    def get():
        """Gets it.
    ⋮ 3-8
        to the stream."""
        return 1
    "#);
    let usual = python.replace("to the stream.\"\"\"", "to the stream.\n    \"\"\"");
    insta::assert_snapshot!(brief("Python", &usual), @r#"
    def get():
        """Gets it.
    ⋮ 3-9
        """
        return 1
    "#);
}

#[test]
fn a_brace_on_its_own_line_belongs_to_the_head_of_what_is_shown() {
    let csharp = "namespace A\n{\n    class Maker\n    {\n        int First()\n        {\n            return 1;\n        }\n\n        int Second()\n        {\n            \
                  return 2;\n        }\n    }\n}\n";
    let chosen = [("A.Maker.First", SymbolExtent::Signature), ("A.Maker.Second", SymbolExtent::Whole)];
    insta::assert_snapshot!(shown_as("C#", csharp, &chosen, false), @r#"
    namespace A
    {
        class Maker
        {
            int First()
            {
                return 1;
            }

            int Second()
            {
                return 2;
            }
        }
    }
    "#);
    let c = format!("int run(int a)\n{{\n    start(a);\n{FILLER}{FILLER}    stop(a);\n{FILLER}}}\n");
    insta::assert_snapshot!(shown_with("C", &c, &[("run", SymbolExtent::Hunks)], &[2..3, 7..8], false), @r#"
    int run(int a)
    {
        start(a);
    ⋮ 4-7
    // And one more of these.
    ⋮ 9-14
    "#);
}

#[test]
fn texts_of_hostile_sizes_are_shown_in_linear_time() {
    let many = |line: &str| line.repeat(60_000);
    for (language, text, name) in [
        ("Python", format!("def a():\n    return 1\n\n{}", many("from a import (b,\n")), "a"),
        ("TypeScript", format!("function a() {{ return 1 }}\n{}", many("import {\n")), "a"),
        ("Go", format!("package a\nfunc a() {{ b() }}\nvar (\n{})\n", many("\tb = 1\n")), "a"),
        ("PHP", format!("<?php\nclass B {{\n{}function a() {{ return 1; }}\n}}\n", many("use C;\n")), "B::a"),
        ("Ruby", format!("class B\n{}def a\n  1\nend\nend\n", many("private\n")), "B::a"),
        ("JavaScript", format!("function a() {{ return 1 }}\n{}{}", many("b({\n"), many("})\n")), "a"),
    ] {
        let shown = whole(language, &text, &[name]);
        assert!(shown.contains("return 1") || shown.contains("a\n  1") || shown.contains("b()"), "{language}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_number_of_every_shown_line_follows_from_the_marks(seeds in prop::collection::vec(0..8u8, 200)) {
        for (language, text, structure) in fixtures() {
            let extent = |seed: &u8| match seed {
                0 => SymbolExtent::Whole,
                1 => SymbolExtent::Brief,
                2 => SymbolExtent::Signature,
                3 => SymbolExtent::Hunks,
                _ => SymbolExtent::Hidden,
            };
            let shown: Vec<SymbolExtent> = seeds.iter().cycle().take(structure.defs.len()).map(extent).collect();
            // Rows of anything: those outside of a definition are not shown for it.
            let rows = |at: usize| (at as u32, vec![at..at + 3, at * 2 + 9..at * 2 + 11]);
            let hunks: HunkRows = (0..structure.defs.len()).map(rows).collect();
            let made = parts(language, &structure, &text, &ShownSymbols { extents: &shown, hunks: &hunks }, false);
            let source: Vec<&str> = text.lines().collect();
            let lines = decoded(&made.text, &made.mark);
            prop_assert_eq!(lines.len(), made.shown);
            prop_assert_eq!(source.len(), made.lines);
            for (number, line) in &lines {
                let original = source.get(number - 1).copied().unwrap_or_default();
                prop_assert!(is_line(original, line), "{} {}: {:?} is not {:?}", language.name, number, line, original);
            }
            // Whole definitions are there line for line; what stands around one on the same line may be elided.
            for (def, _) in structure.defs.iter().zip(&shown).filter(|(_, shown)| **shown == SymbolExtent::Whole) {
                let first = text[..def.whole.start as usize].matches('\n').count() + 1;
                let last = text[..def.whole.end as usize].trim_end_matches('\n').matches('\n').count() + 1;
                for number in first..=last {
                    prop_assert!(lines.iter().any(|(shown, line)| *shown == number && is_line(source[number - 1], line)), "{} {number}", language.name);
                }
            }
        }
    }

    #[test]
    fn broken_texts_are_shown_with_every_gap_marked(
        seeds in prop::collection::vec(0..5u8, 40),
        pieces in prop::collection::vec((0..100usize, 0..400usize), 1..6),
    ) {
        for (language, text, _) in fixtures() {
            let all = text.len();
            let place = |at: usize| text.floor_char_boundary(at.min(all));
            let piece = |(at, len): &(usize, usize)| &text[place(at * all / 100)..place(at * all / 100 + len)];
            let text: String = pieces.iter().map(piece).collect();
            let Ok(structure) = read(language, &text) else { continue };
            let extents = [SymbolExtent::Hidden, SymbolExtent::Signature, SymbolExtent::Hunks, SymbolExtent::Brief, SymbolExtent::Whole];
            let shown: Vec<SymbolExtent> =
                seeds.iter().cycle().take(structure.defs.len()).map(|seed| extents[usize::from(*seed)]).collect();
            let made = parts(language, &structure, &text, &ShownSymbols { extents: &shown, hunks: &HunkRows::new() }, false);
            let lines = decoded(&made.text, &made.mark);
            prop_assert_eq!(lines.len(), made.shown);
            let source: Vec<&str> = text.lines().collect();
            for (number, line) in &lines {
                let original = source.get(number - 1).copied().unwrap_or_default();
                prop_assert!(is_line(original, line), "{} {}: {:?} is not {:?}", language.name, number, line, original);
            }
        }
    }
}
