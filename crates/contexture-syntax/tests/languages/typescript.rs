//! Traps of TypeScript and TSX.

use super::support::{self, bones};
use contexture_syntax::{Language, by_name, errors, outline, read, skeleton, symbols};
use insta::assert_snapshot;
use proptest::prelude::*;

fn ts() -> &'static Language {
    by_name("TypeScript").unwrap()
}

fn tsx() -> &'static Language {
    by_name("TSX").unwrap()
}

fn symbol_list(text: &str) -> String {
    support::symbol_list(ts(), text)
}

#[test]
fn overloads_and_signatures_are_told_each() {
    let text = "\
export function f(a: string): void;
export function f(a: number): void;
export function f(a: any) {}
declare function g(): void;
abstract class A {
  m(a: string): void;
  m(a: any) {}
  abstract n(): void;
  abstract get o(): number;
  constructor(private p: number);
  constructor(q?: any) {}
}
interface I { r(): void; r(x: number): void; s?: string; readonly t: () => void; new (x: string): I; 'u v'(): void }
type T = { w: string; x(): void } & { y: number };
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-1 public
    function f 2-2 public
    function f 3-3 public
    function g 4-4 private
    class A 5-12 private
    method A.m 6-6 public
    method A.m 7-7 public
    method A.n 8-8 public
    method A.o 9-9 public
    method A.constructor 10-10 public
    field A.p 10-10 private
    method A.constructor 11-11 public
    interface I 13-13 private
    method I.r 13-13 public
    method I.r 13-13 public
    field I.s 13-13 public
    field I.t 13-13 public
    method I.new 13-13 public
    method I.u v 13-13 public
    type T 14-14 private
    field T.w 14-14 public
    method T.x 14-14 public
    field T.y 14-14 public
    ");
}

#[test]
fn visibility_is_said_by_words_and_exports() {
    let text = "\
class Inner { private a = 1; protected b() {} public c = 2; static d() {} #e = 3; _f = 4; private static async g() {} }
export class Outer { private constructor() { super(); } }
declare module 'm' { function h(): void; }
declare global { interface Window { i: 1 } }
namespace N { export const j = 1; }
export type K = 1;
export = Inner;
";
    assert_snapshot!(symbol_list(text), @"
    class Inner 1-1 public
    field Inner.a 1-1 private
    method Inner.b 1-1 internal
    field Inner.c 1-1 public
    method Inner.d 1-1 public
    field Inner.#e 1-1 private
    field Inner._f 1-1 private
    method Inner.g 1-1 private
    class Outer 2-2 public
    method Outer.constructor 2-2 private
    module m 3-3 public
    function m.h 3-3 public
    interface Window 4-4 public
    field Window.i 4-4 public
    namespace N 5-5 private
    variable N.j 5-5 public
    type K 6-6 public
    ");
    assert_snapshot!(symbol_list("declare function a(): void;\ndeclare namespace B { export function c(): void; }\ninterface D {}\n"), @"
    function a 1-1 public
    namespace B 2-2 public
    function B.c 2-2 public
    interface D 3-3 public
    ");
}

#[test]
fn members_of_enumerations_have_their_comments() {
    let text = "enum E {\n  /** first */\n  A,\n  B = 1 << 2,\n  'c d',\n  // last\n  ['e'],\n}\nconst enum F { G }\nconst x = { A: 1, B() {} };\n";
    assert_snapshot!(symbol_list(text), @r#"
    enum E 1-8 public
    variant E.A 3-3 public "/** first */"
    variant E.B 4-4 public
    variant E.c d 5-5 public
    variant E.['e'] 7-7 public "// last"
    enum F 9-9 public
    variant F.G 9-9 public
    object x 10-10 public
    method x.B 10-10 public
    "#);
}

#[test]
fn names_with_dots_are_paths() {
    assert_snapshot!(symbol_list("namespace A.B.C { export function f() {} namespace D {} }\nmodule E { const x = 1; }\ndeclare module 'a.b/c';\n"), @"
    namespace A.B.C 1-1 public
    function A.B.C.f 1-1 public
    namespace A.B.C.D 1-1 public
    module E 2-2 public
    variable E.x 2-2 public
    module a.b/c 3-3 public
    ");
}

#[test]
fn decorators_are_no_part_of_a_head_but_of_the_whole() {
    let text = "\
@Component({ selector: 'x', template: `<a></a>` })
export class A {
  @Input() @Required name: string;
  @HostListener('click', ['$event'])
  onClick(event: Event): void { this.go(event); }
}
";
    let structure = read(ts(), text).unwrap();
    assert_snapshot!(outline(ts(), &structure, text), @"
    class A  L2-6
      field name: string  L3
      method onClick(event: Event): void  L5
    ");
    let first: Vec<_> = symbols(ts(), &structure, text).iter().map(|s| (s.name.clone(), s.first_line)).collect();
    assert_eq!(first, [("A".to_owned(), 1), ("name".to_owned(), 3), ("onClick".to_owned(), 4)]);
}

#[test]
fn what_is_newer_than_the_grammar_is_read() {
    let text = "\
export type * from './a';
export interface A<in out K, out V = never> extends B<K> { m(): void }
export class C<
  // a comment
  in T,
  /** another */ out U extends string,
> {}
export const over: {
  <X>(a: X): X
  /** the second */
  <X, Y>(a: X, b: Y): Map<X, Y>
  <
    Z
  >(a: Z): Z
} = dual(2);
const rows = await sql<{ id: string }>`select ${1}`;
let listener: import('./x').Listener<string>[];
function last(out: string) { return f(a, out as any, out in b); }
";
    assert_snapshot!(symbol_list(text), @"
    interface A 2-2 public
    method A.m 2-2 public
    class C 3-7 public
    variable over 8-15 public
    variable rows 16-16 private
    variable listener 17-17 private
    function last 18-18 private
    ");
    assert!(!read(ts(), text).unwrap().errors);
}

#[test]
fn a_skeleton_keeps_types_and_signatures() {
    let text = "\
export const f = async <T,>(a: T): Promise<T> => {
  return a;
};
export function isString(x: unknown): x is string { return typeof x === 'string'; }
export class A<T> implements B {
  constructor(private readonly a: number, public b = 2) { super(); }
  private c: Record<string, number> = { a: 1 };
  d = (x: T): void => {
    this.c = {};
  };
  get e(): number { return this.c.a; }
}
export const g = { h(x: number) { return x + 1; } } as const;
declare global { interface X { y(): void } }
";
    assert_snapshot!(bones(ts(), text), @"
    export const f = async <T,>(a: T): Promise<T> => { /* … */ };
    export function isString(x: unknown): x is string { /* … */ }
    export class A<T> implements B {
      constructor(private readonly a: number, public b = 2) { super(); }
      private c: Record<string, number> = { a: 1 };
      d = (x: T): void => { /* … */ };
      get e(): number { /* … */ }
    }
    export const g = { h(x: number) { /* … */ } } as const;
    declare global { interface X { y(): void } }
    ");
}

#[test]
fn elements_are_left_as_they_are() {
    let text = "\
export const A = () => <a onClick={() => { go(); }}>x</a>;
export const B = ({ x }: P) => (
  <b>{x}</b>
);
const c = <T,>(x: T) => { return <T x={x} />; };
export default memo(function D(props: P) {
  const handle = () => { props.go(); };
  return <d onClick={handle} />;
});
";
    assert_snapshot!(bones(tsx(), text), @"
    export const A = () => <a onClick={() => { go(); }}>x</a>;
    export const B = ({ x }: P) => { /* … */ };
    const c = <T,>(x: T) => { /* … */ };
    export default memo(function D(props: P) {
      const handle = () => { /* … */ };
      /* … */
    });
    ");
}

#[test]
fn line_ends_names_and_ends_of_files_are_as_people_leave_them() {
    assert_snapshot!(symbol_list(""), @"");
    assert_snapshot!(symbol_list("/** d */\r\nexport interface A {\r\n  b: string;\r\n}\r\n"), @r#"
    interface A 2-4 public "/** d */"
    field A.b 3-3 public
    "#);
    assert_snapshot!(symbol_list("interface Größe{ñ:string}enum 名{あ}"), @"
    interface Größe 1-1 public
    field Größe.ñ 1-1 public
    enum 名 1-1 public
    variant 名.あ 1-1 public
    ");
    assert_snapshot!(symbol_list("export class A {\n  private m(): void {}\n  n() { if (x) {\n"), @"method m 2-2 private");
}

#[test]
fn hostile_sizes_are_read_in_linear_time() {
    for piece in ["*/\n <a>(", "\nx\n <A", ">`", ",/*", "import('", "<in out ", "export type ", ", in out", "a<b>`"] {
        let text = piece.repeat(20_000 / piece.len());
        let _ = read(ts(), &text);
    }
}

proptest! {
    /// Pieces of code in any order and number: views are made, and a skeleton has no more errors than its source.
    #[test]
    fn any_pieces_have_views(pieces in proptest::collection::vec(prop_oneof![
        Just("function f<T>(x: T): T { return x; }\n"), Just("const a = <T,>(x: T) => {\n b();\n};\n"), Just("class A<in out T> { m() { x(); } "),
        Just("}"), Just("{"), Just("<"), Just(">("), Just("export type * from 'x';\n"), Just("enum E { A, B }\n"), Just("interface I { m(): void }\n"),
        Just("`"), Just("sql<Row>`x`"), Just("/* "), Just("*/"), Just("// c\n"), Just("\n  <A>(x): y"), Just("import('m').T"), Just("namespace N {"),
        Just(", in out"), Just(", "), Just("declare "), Just("é"), Just("@d "), Just("abstract "),
    ], 0..24)) {
        let text = pieces.concat();
        for language in [ts(), tsx()] {
            let structure = read(language, &text).unwrap();
            let shown = skeleton(language, &structure, &text);
            prop_assert!(errors(language, &shown).unwrap() <= errors(language, &text).unwrap(), "{text}\n---\n{shown}");
        }
    }
}

#[test]
fn objects_in_objects_may_have_types() {
    let text = "\
export const api = {
    v1: { users: { list(p: number) {} } } as const,
    v2: { users: { list(p: number) {} } } satisfies Users,
    v3: { limits: { most: 1 } } as const,
};
";
    assert_snapshot!(symbol_list(text), @"
    variable api 1-5 public
    object api.v1 2-2 public
    object api.v1.users 2-2 public
    method api.v1.users.list 2-2 public
    object api.v2 3-3 public
    object api.v2.users 3-3 public
    method api.v2.users.list 3-3 public
    ");
}

#[test]
fn parameters_with_words_are_fields_of_the_class() {
    let text = "\
class A {
    constructor(
        @Inject() private readonly a: number,
        public b?: string,
        readonly c = 1,
        no = 2,
    ) {
        go(no);
        go(no);
    }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-11 public
    method A.constructor 2-10 public
    field A.a 3-3 private
    field A.b 4-4 public
    field A.c 5-5 public
    ");
    assert_snapshot!(bones(ts(), text), @"
    class A {
        constructor(
            @Inject() private readonly a: number,
            public b?: string,
            readonly c = 1,
            no = 2,
        ) { /* … */ }
    }
    ");
}
