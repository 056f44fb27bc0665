; Java. Types stand in types and in any block, and every `new` may bring a body with methods.
[(line_comment) (block_comment)] @comment
(modifiers) @inside
[(marker_annotation) (annotation)] @attribute

(package_declaration [(identifier) (scoped_identifier)] @name) @namespace
(module_declaration name: (_) @name body: (module_body) @body) @module
(class_declaration name: (identifier) @name body: (class_body) @body) @class
(record_declaration name: (identifier) @name body: (class_body) @body) @class
(interface_declaration name: (identifier) @name body: (interface_body) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @enum
(enum_constant name: (identifier) @name body: (class_body)? @body) @variant

(method_declaration name: (identifier) @name body: (block)? @body) @method
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @method
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(static_initializer (block) @body) @anonymous
(class_body (block) @anonymous)
(lambda_expression body: (block) @body) @anonymous
(lambda_expression) @inside

(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(field_declaration) @inside

[(class_body) (interface_body) (annotation_type_body) (enum_body) (enum_body_declarations)] @inside.everywhere
(ERROR) @inside

; Code, as far as blocks and bodies of classes can stand in it.
["class" "interface" "@interface" "enum" "record" "new"] @word
[
  (block) (constructor_body) (explicit_constructor_invocation)
  (expression_statement) (labeled_statement) (assert_statement) (return_statement) (yield_statement) (throw_statement)
  (if_statement) (while_statement) (do_statement) (for_statement) (enhanced_for_statement) (synchronized_statement)
  (try_statement) (try_with_resources_statement) (resource_specification) (resource) (catch_clause) (finally_clause)
  (switch_expression) (switch_block) (switch_block_statement_group) (switch_rule)
  (local_variable_declaration) (variable_declarator) (array_initializer)
  (object_creation_expression) (array_creation_expression) (method_invocation) (argument_list)
  (parenthesized_expression) (cast_expression) (assignment_expression) (ternary_expression) (binary_expression)
  (field_access) (array_access)
] @inside
