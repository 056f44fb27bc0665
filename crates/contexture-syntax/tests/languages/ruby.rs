//! Traps of Ruby.

use insta::assert_snapshot;

views_of!("Ruby");

#[test]
fn methods_of_all_forms() {
    let text = r#"def a; end
def b() = 1
def c = puts "x"
def d x, y = 1
end
def e?; end
def f!; end
def g=(v); end
def self.h; end
def obj.i; end
def (1 + 2).j; end
def []=(k, v); end
def +(o); end
def -@; end
def !; end
def `(s); end
def class; end
def größe; end
alias k a
alias :l :b
alias $new $old
"#;
    assert_snapshot!(symbol_list(text), @"
    method a 1-1 public
    method b 2-2 public
    method c 3-3 public
    method d 4-5 public
    method e? 6-6 public
    method f! 7-7 public
    method g= 8-8 public
    method h 9-9 public
    method obj::i 10-10 public
    method 1 + 2::j 11-11 public
    method []= 12-12 public
    method + 13-13 public
    method -@ 14-14 public
    method ! 15-15 public
    method ` 16-16 public
    method class 17-17 public
    method größe 18-18 public
    method k 19-19 public
    method l 20-20 public
    method $new 21-21 public
    ");
}

#[test]
fn qualified_names_and_nesting() {
    let text = "\
class A::B < C::D
  class ::E; end
  module F
    G = 1
    class << self
      def h; end
    end
  end
end
A::I = 2
J, K = 1, 2
Point = Struct.new(:x, :y) do
  def sum = x + y
end
Anon = Class.new(Base) { def m; end }
";
    assert_snapshot!(symbol_list(text), @"
    class A::B 1-9 public
    class A::B::E 2-2 public
    module A::B::F 3-8 public
    constant A::B::F::G 4-4 public
    method A::B::F::h 6-6 public
    constant A::I 10-10 public
    constant Point 12-14 public
    method Point::sum 13-13 public
    constant Anon 15-15 public
    method Anon::m 15-15 public
    ");
}

#[test]
fn visibility() {
    let text = "\
class A
  def a; end
  private
  def b; end
  attr_reader :c
  if X
    def d; end
  end
  public
  def e; end
  protected def f; end
  def g; end
  private_class_method def self.h; end
  private attr_accessor :i, :j
  class << self
    def k; end
    private
    def l; end
  end
  def m; end
end
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-21 public
    method A::a 2-2 public
    method A::b 4-4 private
    field A::c 5-5 private
    method A::d 7-7 private
    method A::e 10-10 public
    method A::f 11-11 internal
    method A::g 12-12 public
    method A::h 13-13 private
    field A::i 14-14 private
    field A::j 14-14 private
    method A::k 16-16 public
    method A::l 18-18 private
    method A::m 20-20 public
    ");
}

#[test]
fn what_words_make() {
    let text = r#"class A
  attr_reader :a, "b", :c
  attr_accessor(:d)
  attr_reader *NAMES
  alias_method :e, :f
  define_method(:g) { |x| x }
  define_method("h") do
    1
  end
  define_method("i_#{name}") { 1 }
  delegate :z, to: :y
end
"#;
    assert_snapshot!(symbol_list(text), @"
    class A 1-12 public
    field A::a 2-2 public
    field A::c 2-2 public
    field A::d 3-3 public
    method A::e 5-5 public
    method A::g 6-6 public
    method A::h 7-9 public
    ");
}

#[test]
fn definitions_in_blocks_and_expressions() {
    let text = "\
included do
  def a; end
end
refine String do
  def b; end
end
X = Module.new do
  def c; end
end
def d
  @e ||= Class.new do
    def f; end
  end
  local = 1
  define_method(:g) { }
end
ok and class H
  def i; end
end
setup = -> do
  def j; end
end
memoize def k; end
begin
  def l; end
rescue
  def m; end
end
def n; end if x
";
    assert_snapshot!(symbol_list(text), @"
    method a 2-2 public
    method b 5-5 public
    constant X 7-9 public
    method X::c 8-8 public
    method d 10-16 public
    method d::f 12-12 public
    method d::g 15-15 public
    class H 17-19 public
    method H::i 18-18 public
    method j 21-21 public
    method k 23-23 public
    method l 25-25 public
    method m 27-27 public
    method n 29-29 public
    ");
}

#[test]
fn text_is_not_code() {
    let text = "\
A = <<~RUBY
  def no; end
RUBY
B = %q(
  class No; end
)
=begin
def no; end
=end
def yes; end
__END__
def no; end
";
    assert_snapshot!(symbol_list(text), @r#"
    constant A 1-1 public
    constant B 4-6 public
    method yes 10-10 public "=begin\ndef no; end\n=end"
    "#);
}

#[test]
fn comments() {
    let text = "\
# Of A.
# Two lines.
class A
  # Of b.
  def b; end

  # Of nothing.

  def c; end # behind
  # Of d.
  private def d; end
end
";
    assert_snapshot!(symbol_list(text), @r##"
    class A 3-12 public "# Of A.\n# Two lines."
    method A::b 5-5 public "# Of b."
    method A::c 9-9 public
    method A::d 11-11 private "# Of d."
    "##);
}

#[test]
fn skeletons_of_methods() {
    let text = "\
def a
  # leading

  one two three
  # middle
  four
  # trailing
end

def b(x) # why
  one two three
rescue E
  four
else
  five
ensure
  six
end

def c; one two three; end
def d() one
  two
end
def e = [
  1,
]
def f
  # only words
end
private def g
  one two three
end
";
    assert_snapshot!(bones(text), @"
    def a
      # …
    end

    def b(x) # why
      # …
    end

    def c; one two three; end
    def d() one
      two
    end
    def e = [
      1,
    ]
    def f
      # only words
    end
    private def g
      # …
    end
    ");
}

#[test]
fn skeletons_of_blocks() {
    let text = r#"RSpec.describe A do
  let(:x) { one }
  let(:y) do
    one two three
  end
  it "works" do
    expect(x).to eq(y)
  end
  context "c" do
    it { is_expected.to be_ok }
    def helper
      one two three
    end
  end
end
namespace :db do
  desc "d"
  task migrate: :environment do |t|
    one two three
  end
end
create_table :x do |t|
  t.string :name
end
"#;
    assert_snapshot!(bones(text), @r#"
    RSpec.describe A do
      let(:x) { one }
      let(:y) do
        # …
      end
      it "works" do
        # …
      end
      context "c" do
        it { is_expected.to be_ok }
        def helper
          # …
        end
      end
    end
    namespace :db do
      desc "d"
      task migrate: :environment do |t|
        # …
      end
    end
    create_table :x do |t|
      t.string :name
    end
    "#);
}

#[test]
fn odd_files_are_read() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "def f",
        "class A\n def f\n",
        "end end end",
        "def f; <<~E\n",
        "=begin\n",
        "class A; def f = ",
        "%w[",
    ] {
        let _ = (symbol_list(text), lines(text));
        bones(text);
    }
}

#[test]
fn private_holds_for_methods_that_follow_and_for_what_it_names() {
    let text = "\
class A
  def a; end
  def b; end
  def c; end
  private
  def d; end
  def self.e; end
  class Bar
    def x; end
  end
  LIMIT = 1
  OTHER = 2
  attr_reader :f
  class << self
    def g; end
    private
    def h; end
  end
  public def i; end
  public
  def j; end
  private def k; end
  private :a
  private(*%i[b])
  protected %w[no], \"c\"
  private_class_method def self.l; end
  def self.m; end
  def m; end
  private_class_method :m2, :e
  private_constant :LIMIT
end
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-31 public
    method A::a 2-2 private
    method A::b 3-3 private
    method A::c 4-4 internal
    method A::d 6-6 private
    method A::e 7-7 private
    class A::Bar 8-10 public
    method A::Bar::x 9-9 public
    constant A::LIMIT 11-11 private
    constant A::OTHER 12-12 public
    field A::f 13-13 private
    method A::g 15-15 public
    method A::h 17-17 private
    method A::i 19-19 public
    method A::j 21-21 public
    method A::k 22-22 private
    method A::l 26-26 private
    method A::m 27-27 public
    method A::m 28-28 public
    ");
}
