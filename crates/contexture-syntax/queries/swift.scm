; Swift. Types, then what runs; statements are entered for the functions and types in them, expressions are not.
["func" "class" "struct" "enum" "actor" "typealias"] @word
[(comment) (multiline_comment)] @comment
(attribute) @attribute
(modifiers) @inside

(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @extension
(protocol_declaration name: (type_identifier) @name body: (_) @body) @protocol
(class_body) @inside
(enum_class_body) @inside
(protocol_body) @inside
(enum_entry name: (simple_identifier) @name) @variant
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
(macro_declaration (simple_identifier) @name) @macro

(function_declaration
  name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "===" "!=" "!==" "+=" "-=" "*=" "/=" "%=" "=" "++" "--" "~" "|" "^" "<<" ">>" "&"] @name
  body: (function_body) @body) @function
(protocol_function_declaration
  name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "==" "===" "!=" "!==" "+=" "-=" "*=" "/=" "%=" "=" "++" "--" "~" "|" "^" "<<" ">>" "&"] @name
  body: (function_body)? @body) @function
(init_declaration name: "init" @name body: (function_body)? @body) @method
(deinit_declaration "deinit" @name body: (function_body) @body) @method
(subscript_declaration "subscript" @name (computed_property (statements)) @body) @method
(subscript_declaration "subscript" @name (computed_property) @end) @method

; A property that is computed by statements has a body; one with accessors shows which it has.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property (statements)) @body) @variable
; A closure that is the value, or that is called at once to make the value.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (lambda_literal (statements) @inner)) @variable
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (call_expression . (lambda_literal (statements) @inner))) @variable
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(computed_property) @inside.everywhere
(computed_getter (statements) @inner) @anonymous
(computed_setter (statements) @inner) @anonymous
(computed_modify (statements) @inner) @anonymous
(willset_didset_block) @inside
(willset_clause (statements) @inner) @anonymous
(didset_clause (statements) @inner) @anonymous

(function_body) @inside
(statements) @inside
(if_statement) @inside
(guard_statement) @inside
(for_statement) @inside
(while_statement) @inside
(repeat_while_statement) @inside
(do_statement) @inside
(catch_block) @inside
(switch_statement) @inside
(switch_entry) @inside
