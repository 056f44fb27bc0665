; Ruby. Definitions are statements, but they stand in blocks of calls too: `included do … end`, `Class.new do … end`.
(comment) @comment
["def" "class" "module"] @word
[
  (body_statement) (block_body) (do_block) (block)
  (begin) (begin_block) (end_block) (rescue) (ensure)
  (if) (unless) (elsif) (else) (then) (while) (until) (for) (do) (case) (when)
  (if_modifier) (unless_modifier) (rescue_modifier) (parenthesized_statements)
  (operator_assignment) (binary) (lambda)
] @inside

; `private` alone on a line holds for the methods that follow, not for those of the class itself, classes and constants;
; in `private def f` it stands in the call and holds for that; `private :f` holds for what it names.
(identifier) @section
(singleton_class) @inside.apart
(call
  method: (identifier =private =protected =public =private_class_method =public_class_method =private_constant) @scope
  arguments: (argument_list [
    (simple_symbol) @name
    (string . (string_content) @name .)
    (array [(simple_symbol) @name (string . (string_content) @name .)]+)
    (symbol_array (bare_symbol)+ @name)
    (splat_argument [(array (simple_symbol)+ @name) (symbol_array (bare_symbol)+ @name)]+)]+)) @said

(class name: (_) @name body: (body_statement)? @body "end"? @end) @class.apart
(module name: (_) @name body: (body_statement)? @body "end"? @end) @module.apart

; Everything that `def` makes is a method, of `Object` when nothing is around it.
(method name: (_) @name body: (body_statement) @body) @method
(method name: (_) @name body: (_) @value) @method
(method name: (_) @name "end"? @end) @method
; `def self.f` belongs to the class around it, `def other.f` to what it names.
(singleton_method object: (self) name: (_) @name body: (body_statement) @body) @method.apart
(singleton_method object: (self) name: (_) @name body: (_) @value) @method.apart
(singleton_method object: (self) name: (_) @name "end"? @end) @method.apart
(singleton_method object: (_) @scope name: (_) @name body: (body_statement) @body) @method.apart
(singleton_method object: (_) @scope name: (_) @name body: (_) @value) @method.apart
(singleton_method object: (_) @scope name: (_) @name "end"? @end) @method.apart
(alias name: (_) @name) @method

; `Point = Struct.new(:x) do … end` is a constant that holds methods.
(assignment left: [(constant) (scope_resolution)] @name) @constant.apart
(assignment) @inside

; What the words of `Module` make.
(call
  method: (identifier =attr =attr_reader =attr_writer =attr_accessor =class_attribute =cattr_accessor =cattr_reader =mattr_accessor =mattr_reader)
  arguments: (argument_list (simple_symbol)+ @name)) @field
(call method: (identifier =alias_method) arguments: (argument_list . (simple_symbol) @name)) @method
(call
  method: (identifier =define_method =define_singleton_method)
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  block: (_ body: (_)? @body)) @method

; Tests, tasks and routes are code under a text or a path: nobody calls them, so their bodies go. Other blocks declare
; things (`included do`, `describe do`, `create_table do`) and stay.
(call
  method: (identifier =it =specify =example =scenario =test =should =before =after =around =setup =teardown =let =let! =subject =task =file =rule =get =post =put =patch =delete)
  block: (_ body: (_) @body)) @anonymous

; `private def f`, `memoize def self.f`: the words belong to the definition.
(call arguments: (argument_list [(method) (singleton_method)])) @wrapper
(argument_list [(method) (singleton_method)]) @wrapper
(argument_list) @inside
(call) @inside
