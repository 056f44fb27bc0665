//! Masks: where a container is shown by its signature, chosen parts stand in it.

use contexture_syntax::{Mask, by_name, masked_view, read};
use insta::assert_snapshot;

fn shown(name: &str, text: &str, masks: &[(&str, Mask)], others: Mask) -> String {
    let language = by_name(name).unwrap();
    let structure = read(language, text).unwrap();
    let masks = masks.iter().map(|(symbol, mask)| ((*symbol).to_owned(), *mask)).collect();
    masked_view(language, &structure, text, &masks, others).text
}

const RUST: &str = "\
pub struct Parser { at: usize }

impl Parser {
    /// Made of nothing.
    pub fn new() -> Self {
        Self { at: 0 }
    }

    /// Next.
    pub fn next(&mut self) -> Option<u8> {
        self.at += 1;
        None
    }
    fn x() {}
}
";

const JAVA: &str = "class A {\n    int x;\n    int size() { return this.x + this.x; }\n    class Inner {\n        void deep() { call(1, 2); }\n    }\n}\nclass B {\n    int size() { return 2; }\n}\n";

#[test]
fn a_chosen_method_stands_in_its_container() {
    let masks = [("Parser", Mask::Sig), ("Parser::next", Mask::Def)];
    assert_snapshot!(shown("Rust", RUST, &masks, Mask::Hide), @"
    pub struct Parser { at: usize }

    impl Parser {
        /* … */

        /// Next.
        pub fn next(&mut self) -> Option<u8> {
            self.at += 1;
            None
        }
        /* … */
    }
    ");
    let masks = [("A", Mask::Sig), ("A.Inner.deep", Mask::Def), ("B.size", Mask::Sig)];
    assert_snapshot!(shown("Java", JAVA, &masks, Mask::Hide), @"
    class A {
        /* … */
            void deep() { call(1, 2); }
        /* … */
    }

        int size() { return 2; }
    ");
    let ruby = "class A\n  def f\n    call(1)\n  end\n\n  def g\n    call(2)\n  end\nend\n";
    assert_snapshot!(shown("Ruby", ruby, &[("A", Mask::Sig), ("A.g", Mask::Def)], Mask::Hide), @"
    class A
      # …

      def g
        call(2)
      end
    end
    ");
}

#[test]
fn all_signatures_stand_in_their_containers() {
    assert_snapshot!(shown("Rust", RUST, &[], Mask::Sig), @"
    pub struct Parser { at: usize }

    impl Parser {
        /// Made of nothing.
        pub fn new() -> Self { /* … */ }

        /// Next.
        pub fn next(&mut self) -> Option<u8> { /* … */ }
        fn x() {}
    }
    ");
    assert_snapshot!(shown("Java", JAVA, &[], Mask::Sig), @"
    class A {
        int x;
        int size() { /* … */ }
        class Inner {
            void deep() { /* … */ }
        }
    }

    class B {
        int size() { return 2; }
    }
    ");
}

#[test]
fn who_only_hides_sees_the_rest() {
    assert_snapshot!(shown("Java", JAVA, &[("A", Mask::Hide)], Mask::Hide), @"
    class B {
        int size() { return 2; }
    }
    ");
    assert_snapshot!(shown("Rust", RUST, &[("Parser::new", Mask::Hide)], Mask::Hide), @"
    pub struct Parser { at: usize }

    impl Parser {

        /// Next.
        pub fn next(&mut self) -> Option<u8> {
            self.at += 1;
            None
        }
        fn x() {}
    }
    ");
    assert_snapshot!(shown("Rust", RUST, &[("Nobody", Mask::Hide)], Mask::Hide), @"");
}
