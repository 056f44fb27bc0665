; PHP. Statements are walked, and of expressions what can hold an anonymous class or a closure.
(comment) @comment
(attribute_list) @attribute

; A closure with a name is called as a function is.
(assignment_expression left: (variable_name (name) @name) right: [
  (anonymous_function body: (compound_statement) @body) (arrow_function body: (_) @value)]) @function
(function_call_expression
  function: (name =define)
  arguments: (arguments . (argument (string (string_content) @name)))) @constant

; These come after what is told of them above: the first pattern that fits a node decides.
["class" "function" "interface" "trait" "enum"] @word
[
  (compound_statement) (colon_block) (declaration_list) (enum_declaration_list)
  (if_statement) (else_if_clause) (else_clause)
  (while_statement) (do_statement) (for_statement) (foreach_statement)
  (switch_statement) (switch_block) (case_statement) (default_statement)
  (try_statement) (catch_clause) (finally_clause)
  (declare_statement)
  (expression_statement) (return_statement) (echo_statement)
  (assignment_expression) (augmented_assignment_expression) (reference_assignment_expression)
  (conditional_expression) (binary_expression) (unary_op_expression) (cast_expression) (parenthesized_expression)
  (throw_expression) (clone_expression) (yield_expression) (match_expression) (match_block)
  (match_conditional_expression) (match_default_expression)
  (function_call_expression) (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
  (member_access_expression) (class_constant_access_expression) (subscript_expression)
  (arguments) (argument) (array_creation_expression) (array_element_initializer)
  (object_creation_expression) (anonymous_class)
] @inside

(namespace_definition name: (namespace_name) @name body: (compound_statement) @body) @namespace
; `namespace A;` holds up to the next one.
(namespace_definition name: (namespace_name) @name) @namespace.rest
(namespace_definition) @inside

(class_declaration name: (name) @name body: (declaration_list) @body) @class
(interface_declaration name: (name) @name body: (declaration_list) @body) @interface
(trait_declaration name: (name) @name body: (declaration_list) @body) @trait
(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @enum
(enum_case name: (name) @name) @variant

(function_definition name: (name) @name body: (compound_statement) @body) @function
(method_declaration name: (name) @name body: (compound_statement)? @body) @method

(anonymous_function body: (compound_statement) @body) @anonymous
(arrow_function body: (_) @value) @anonymous

; A property is called as it is written: `$name`, which is not the method `name`.
(property_declaration (property_element name: (variable_name) @name)) @field
(formal_parameters (property_promotion_parameter)) @inside.everywhere
(property_promotion_parameter name: (variable_name) @name) @field.up
(property_hook_list) @inside
(property_hook body: (compound_statement) @body) @anonymous
(property_hook body: (_) @value) @anonymous
(const_declaration (const_element . (name) @name)) @constant
