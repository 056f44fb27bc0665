; Go. Types may be declared in any block; what else is declared in a function is local to it.
(comment) @comment
(package_clause (package_identifier) @name) @namespace

(function_declaration name: (identifier) @name body: (block)? @body) @function
; A method belongs to the type of its receiver, wherever it stands.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (pointer_type (type_identifier) @scope)
    (generic_type type: (type_identifier) @scope)
    (pointer_type (generic_type type: (type_identifier) @scope))
  ]))
  name: (field_identifier) @name body: (block)? @body) @method
(method_declaration name: (field_identifier) @name body: (block)? @body) @method
(func_literal body: (block) @body) @anonymous

; A keyword with one declaration is part of it; with a list in parentheses it is not.
[(type_declaration "(") (const_declaration "(") (var_spec_list)] @inside
[(type_declaration) (const_declaration) (var_declaration)] @wrapper

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name) @variable
(var_spec) @inside

(field_declaration name: (field_identifier) @name) @field
; An embedded field is called like its type.
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
  (generic_type type: (qualified_type name: (type_identifier) @name))
]) @field
(method_elem name: (field_identifier) @name) @method

[(struct_type) (field_declaration_list) (interface_type) (ERROR)] @inside

; Code, as far as blocks can stand in it.
["type"] @word
[
  (block) (statement_list) (expression_statement) (expression_list) (labeled_statement)
  (short_var_declaration) (assignment_statement) (send_statement) (receive_statement) (return_statement)
  (go_statement) (defer_statement) (if_statement) (for_statement) (for_clause) (range_clause)
  (expression_switch_statement) (type_switch_statement) (select_statement)
  (expression_case) (default_case) (type_case) (communication_case)
  (parenthesized_expression) (unary_expression) (binary_expression) (selector_expression) (index_expression)
  (call_expression) (argument_list) (type_conversion_expression)
  (composite_literal) (literal_value) (literal_element) (keyed_element)
] @inside
