; What JavaScript and TypeScript share. Functions live in expressions here: in calls, assignments, objects and returned
; values. So expressions are walked too, except where only operands stand (names, strings, members of names).
["{" "=>" (identifier =prototype)] @word
(comment) @comment
(html_comment) @comment
(decorator) @attribute
(statement_block) @block

; What could not be read may hold what is whole.
(ERROR) @inside
[(if_statement) (else_clause) (for_statement) (for_in_statement) (while_statement) (do_statement) (with_statement)
 (try_statement) (catch_clause) (finally_clause) (labeled_statement)
 (switch_statement) (switch_body) (switch_case) (switch_default) (return_statement) (throw_statement)] @inside
[(parenthesized_expression) (call_expression) (arguments) (new_expression) (await_expression) (unary_expression)
 (yield_expression) (ternary_expression) (sequence_expression) (object) (array) (spread_element)
 (augmented_assignment_expression)] @inside
; Long chains of operators are deep trees; a function in them stands on the right.
(binary_expression right: [(function_expression) (arrow_function) (class) (object) (parenthesized_expression)
  (call_expression) (assignment_expression)]) @inside
; `call(function () {}).then(…)`
(member_expression object: [(call_expression) (parenthesized_expression) (function_expression) (member_expression)
  (object) (new_expression)]) @inside

(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
[(class_heritage) (class_body)] @inside
(class_static_block body: (_) @body) @anonymous
(method_definition name: [(string (string_fragment) @name) (_) @name] body: (_) @body) @method

; What a module exports: all else is its own.
(export_statement) @export
(export_statement value: (identifier) @name) @export
(export_clause) @inside
(export_specifier name: (identifier) @name) @export
(assignment_expression left: (member_expression object: (identifier =module) property: (property_identifier =exports))
  right: (object [(shorthand_property_identifier) @name (pair value: (identifier) @name)]+)) @export
(assignment_expression left: [
    (member_expression object: (identifier =module) property: (property_identifier =exports))
    (member_expression object: [(identifier =exports)
      (member_expression object: (identifier =module) property: (property_identifier =exports))])]
  right: (identifier) @name) @export
(assignment_expression left: [
    (member_expression object: (identifier =module) property: (property_identifier =exports))
    (member_expression object: [(identifier =exports)
      (member_expression object: (identifier =module) property: (property_identifier =exports))])]) @export

; A default export without a name of its own is called `default`, as importers call it.
(export_statement "default" @name value: [
  (function_expression !name body: (_) @body) (generator_function !name body: (_) @body)
  (arrow_function body: [(statement_block) @body
    (arrow_function body: [(statement_block) @body (_) @value])
    (_) @value])]) @function
(export_statement "default" @name value: (class !name body: (_) @body)) @class
(export_statement "default" @name value: (object) @body) @object
; `export const { a, b: c } = …`. Without `export` such names are mostly imports.
(export_statement declaration: (_ (variable_declarator name: (object_pattern
  [(shorthand_property_identifier_pattern) @name (pair_pattern value: (identifier) @name)]+)+)+)) @variable
(export_statement) @wrapper

; What declares one thing belongs to it; in a list each has its own text.
(lexical_declaration . (variable_declarator) .) @wrapper
(variable_declaration . (variable_declarator) .) @wrapper
[(lexical_declaration) (variable_declaration)] @inside

; Functions of functions (`a => b => {}`) are one definition whose body is the innermost.
(variable_declarator name: (identifier) @name value: [
  (function_expression body: (_) @body) (generator_function body: (_) @body)
  (call_expression function: (member_expression
    object: (function_expression body: (_) @body) property: (property_identifier =bind)))
  (binary_expression right: (function_expression body: (_) @body))
  (arrow_function body: [(statement_block) @body
    (arrow_function body: [(statement_block) @body (arrow_function body: [(statement_block) @body (_) @value]) (_) @value])
    (_) @value])]) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(variable_declarator name: (identifier) @name value: (object [
  (method_definition) (pair value: [(function_expression) (generator_function) (arrow_function)])]) @body) @object
(variable_declarator name: (identifier) @name) @variable
(variable_declarator) @inside

(expression_statement) @wrapper
; `module.exports = { … }`: what is in it has its names from the outside.
(assignment_expression left: (member_expression object: (identifier =module) property: (property_identifier =exports))
  right: (object) @open) @inside
(assignment_expression
  left: [(identifier) @name
    (member_expression object: [(this) (identifier =exports) @open
      (member_expression object: (identifier =module) property: (property_identifier =exports)) @open] property: (_) @name)
    (member_expression object: (member_expression object: (_) @scope property: (property_identifier =prototype))
      property: (_) @name)
    (member_expression object: [(identifier) (member_expression object: [(identifier) (this)
      (member_expression object: [(identifier) (this)])])] @scope property: (_) @name)
    (member_expression property: (_) @name)
    (subscript_expression object: (member_expression object: (_) @scope property: (property_identifier =prototype))
      index: (string (string_fragment) @name))
    (subscript_expression object: [(identifier) (member_expression object: [(identifier) (this)])] @scope
      index: (string (string_fragment) @name))]
  right: [(function_expression body: (_) @body) (generator_function body: (_) @body)
    (call_expression function: (member_expression
      object: (function_expression body: (_) @body) property: (property_identifier =bind)))
    (binary_expression right: (function_expression body: (_) @body))
    (arrow_function body: [(statement_block) @body
      (arrow_function body: [(statement_block) @body (arrow_function body: [(statement_block) @body (_) @value]) (_) @value])
      (_) @value])]) @function
(assignment_expression
  left: [(identifier) @name
    (member_expression object: [(this) (identifier =exports) @open
      (member_expression object: (identifier =module) property: (property_identifier =exports)) @open] property: (_) @name)
    (member_expression object: [(identifier) (member_expression object: [(identifier) (this)])] @scope
      property: (_) @name)]
  right: (class body: (_) @body)) @class
; `T.prototype = { … }` is the body of T.
(assignment_expression left: (member_expression object: (_) @name property: (property_identifier =prototype))
  right: (object) @body) @object
(assignment_expression
  left: [(identifier) @name
    (member_expression object: [(this) (identifier =exports) @open
      (member_expression object: (identifier =module) property: (property_identifier =exports)) @open] property: (_) @name)
    (member_expression object: [(identifier) (member_expression object: [(identifier) (this)])] @scope
      property: (_) @name)]
  right: (object) @body) @object.filled
; `T.prototype.f = other`
(assignment_expression left: (member_expression
  object: (member_expression object: (_) @scope property: (property_identifier =prototype)) property: (_) @name)
  ) @field.everywhere
(assignment_expression) @inside

(pair key: [(string (string_fragment) @name) (_) @name] value: [
  (function_expression body: (_) @body) (generator_function body: (_) @body)
  (arrow_function body: [(statement_block) @body (arrow_function body: [(statement_block) @body (_) @value]) (_) @value])
  ]) @method
(pair key: [(string (string_fragment) @name) (_) @name] value: (class body: (_) @body)) @class
; Objects of data are no symbols.
(pair key: [(string (string_fragment) @name) (_) @name] value: (object) @body) @object.filled
(pair) @inside

; A function expression may have a name of its own; without one, only its body matters.
(function_expression name: (_) @name body: (_) @body) @function
(function_expression body: (_) @body) @anonymous
(generator_function name: (_) @name body: (_) @body) @function
(generator_function body: (_) @body) @anonymous
(arrow_function body: (statement_block) @body) @anonymous
(arrow_function body: (arrow_function)) @inside
(arrow_function body: (_) @value) @anonymous
(class name: (_) @name body: (_) @body) @class
(class) @inside
