; TypeScript: types, and values with types around them. It stands before what it shares with JavaScript, so that its rules
; for the same node are tried first.
[(extends_clause) (as_expression) (satisfies_expression) (non_null_expression) (instantiation_expression)] @inside
; What is declared for all files is seen by all.
(ambient_declaration "global" @open) @inside
(ambient_declaration) @wrapper
(export_statement "=" (identifier) @name) @export

(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(type_alias_declaration name: (_) @name) @type
(internal_module name: (_) @name body: (_)? @body) @namespace
(module name: [(string (string_fragment) @name) @open (_) @name] body: (_)? @body) @module
(function_signature name: (_) @name) @function

(enum_body) @inside
(enum_body [(property_identifier) (string (string_fragment) @name) (computed_property_name)] @variant)
(enum_assignment name: [(string (string_fragment) @name) (_) @name]) @variant

[(interface_body) (object_type) (intersection_type)] @inside
(method_signature name: [(string (string_fragment) @name) (_) @name]) @method
(abstract_method_signature name: [(string (string_fragment) @name) (_) @name]) @method
(construct_signature "new" @name) @method
(property_signature name: [(string (string_fragment) @name) (_) @name]) @field
(public_field_definition name: [(string (string_fragment) @name) (_) @name] value: [
  (function_expression body: (_) @body) (generator_function body: (_) @body)
  (arrow_function body: [(statement_block) @body (arrow_function body: [(statement_block) @body (_) @value]) (_) @value])
  ]) @method
(public_field_definition name: [(string (string_fragment) @name) (_) @name]) @field

; A parameter with such a word is a field of the class.
(formal_parameters [
  (required_parameter ["readonly" "override" (accessibility_modifier)])
  (optional_parameter ["readonly" "override" (accessibility_modifier)])]) @inside.everywhere
(required_parameter ["readonly" "override" (accessibility_modifier)] pattern: (identifier) @name) @field.up
(optional_parameter ["readonly" "override" (accessibility_modifier)] pattern: (identifier) @name) @field.up

; An object stays one when its type is said behind it.
(variable_declarator name: (identifier) @name value: [
  (as_expression . (object [
    (method_definition) (pair value: [(function_expression) (generator_function) (arrow_function)])]) @body)
  (satisfies_expression . [
    (object [(method_definition) (pair value: [(function_expression) (generator_function) (arrow_function)])]) @body
    (as_expression . (object [
      (method_definition) (pair value: [(function_expression) (generator_function) (arrow_function)])]) @body)])
  ]) @object
(pair key: [(string (string_fragment) @name) (_) @name] value: [
  (as_expression . (object) @body)
  (satisfies_expression . [(object) @body (as_expression . (object) @body)])]) @object.filled
